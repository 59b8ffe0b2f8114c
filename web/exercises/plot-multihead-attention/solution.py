import matplotlib.pyplot as plt


def plot_multihead_attention(attention_weights, tokens, num_heads):
    cols = min(num_heads, 4)
    rows = (num_heads + cols - 1) // cols
    fig, axes = plt.subplots(rows, cols, squeeze=False, figsize=(3 * cols, 3 * rows))
    for head, ax in enumerate(axes.flat):
        # The last row of the grid may have places to spare.
        if head >= num_heads:
            ax.axis("off")
            continue
        # One scale for all, or the same colour would mean another weight in each picture.
        ax.imshow(attention_weights[head], vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)
        ax.set_yticks(range(len(tokens)), labels=tokens)
        ax.set_title(f"Head {head + 1}")
    plt.tight_layout()
    plt.show()
