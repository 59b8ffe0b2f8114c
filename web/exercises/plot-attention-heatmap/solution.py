import matplotlib.pyplot as plt


def plot_attention_heatmap(attention_weights, tokens, title="Attention Weights"):
    fig, ax = plt.subplots()
    image = ax.imshow(attention_weights, cmap="viridis")
    # One label for each row and each column: queries down, keys across.
    ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)
    ax.set_yticks(range(len(tokens)), labels=tokens)
    ax.set_title(title)
    fig.colorbar(image, ax=ax)
    plt.tight_layout()
    plt.show()
