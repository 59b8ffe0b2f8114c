def analyze_attention_patterns(attention_weights: torch.Tensor) -> Dict[str, float]:
    """
    Compute statistics about attention patterns.

    Returns:
        - max_attention: Maximum attention score
        - entropy: Shannon entropy of attention distribution
        - diagonal_mass: % of attention on diagonal (self-attention)
        - local_vs_global: Ratio of local to global attention
    """
    # YOUR CODE HERE
    pass
