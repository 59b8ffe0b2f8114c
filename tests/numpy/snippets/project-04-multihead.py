def plot_multihead_attention(attention_weights: torch.Tensor,
                             tokens: List[str],
                             num_heads: int):
    """
    Plot all attention heads in a grid.

    Args:
        attention_weights: [num_heads, seq_len, seq_len]
        tokens: List of tokens
        num_heads: Number of attention heads
    """
    # YOUR CODE HERE
    pass
