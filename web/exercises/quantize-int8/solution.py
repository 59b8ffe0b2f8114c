import numpy as np


def quantize_int8(x, per_channel):
    # The largest size in each group decides: a token is a row, a channel is a column.
    largest = np.abs(x).max(axis=0 if per_channel else 1)
    scales = largest / 127
    spread = scales[None, :] if per_channel else scales[:, None]
    # A group of zeros has scale 0. Dividing by 1 there gives the codes 0.
    codes = np.round(x / np.where(spread == 0, 1.0, spread))
    return codes, scales, codes * spread
