import numpy as np


def create_reverse_mask(seq_len):
    # Without the diagonal: a token may see itself.
    return np.tril(np.full((seq_len, seq_len), -np.inf), k=-1)
