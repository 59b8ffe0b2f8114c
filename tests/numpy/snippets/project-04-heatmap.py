def plot_attention_heatmap(attention_weights: torch.Tensor,
                          tokens: List[str],
                          title: str = "Attention Weights"):
    """
    Plot attention weight matrix as heatmap.

    Args:
        attention_weights: [seq_len, seq_len]
        tokens: List of token strings
    """
    # YOUR CODE HERE
    pass
