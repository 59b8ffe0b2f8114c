def create_causal_mask(seq_len: int, device='cpu') -> torch.Tensor:
    """
    Create lower-triangular mask for causal attention.

    Returns:
        mask: [seq_len, seq_len] with 0s in lower triangle, -inf in upper
    """
    # YOUR CODE HERE
    pass

def create_reverse_mask(seq_len: int, device='cpu') -> torch.Tensor:
    """
    WRONG: Create upper-triangular mask (lets model cheat!).
    """
    # YOUR CODE HERE
    pass
