import numpy as np


def local_mask(n, window, causal):
    back = np.arange(n)[:, None] - np.arange(n)  # how far column j lies before row i
    ahead = 0 if causal else window
    mask = ((back <= window) & (-back <= ahead)).astype(float)
    return mask, int(mask.sum())
