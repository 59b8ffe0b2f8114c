import numpy as np


def create_causal_mask(seq_len):
    # Without the diagonal: a token may see itself.
    return np.triu(np.full((seq_len, seq_len), -np.inf), k=1)
