import numpy as np


def strided_mask(n, window, stride):
    back = np.arange(n)[:, None] - np.arange(n)  # how far column j lies before row i
    mask = ((back >= 0) & ((back < window) | (back % stride == 0))).astype(float)
    return mask, int(mask.sum())
