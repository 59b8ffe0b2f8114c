def attention(Q: torch.Tensor,
              K: torch.Tensor,
              V: torch.Tensor,
              mask: Optional[torch.Tensor] = None,
              scale: bool = True) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Scaled Dot-Product Attention.

    Attention(Q, K, V) = softmax(QK^T / √d_k) V

    Args:
        Q: Query tensor [batch, seq_len, d_k]
        K: Key tensor [batch, seq_len, d_k]
        V: Value tensor [batch, seq_len, d_v]
        mask: Optional mask [batch, seq_len, seq_len]
        scale: Whether to apply 1/√d_k scaling

    Returns:
        output: Attention output [batch, seq_len, d_v]
        attention_weights: Attention matrix [batch, seq_len, seq_len]
    """
    # YOUR CODE HERE
    pass
