def compare_masking():
    """
    Compare three scenarios:
        1. Causal mask (can only see past)
        2. No mask (can see everything - bidirectional)
        3. Reverse mask (can only see future - broken)
    """
    # YOUR CODE HERE
    pass
