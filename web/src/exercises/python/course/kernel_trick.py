# The function that the text of Lab 02 uses and does not define.
import numpy as np


def random_tensors(seq_len=100, d_model=64):
    """Q, K and V, standard normal, from NumPy's stream."""
    return tuple([np.random.randn(seq_len, d_model) for _ in range(3)])


def identity(x):
    return x
