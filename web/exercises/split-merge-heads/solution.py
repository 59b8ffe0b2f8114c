import numpy as np


def split_and_merge(X, num_heads, gates):
    n, d_model = X.shape
    d_head = d_model // num_heads
    # The columns of one head lie side by side: cut the last axis first, then bring heads to the front.
    heads = X.reshape(n, num_heads, d_head).transpose(1, 0, 2)
    gated = heads * gates[:, None, None]
    # Back the same way: only when a token's heads lie side by side again may two axes become one.
    merged = gated.transpose(1, 0, 2).reshape(n, d_model)
    return heads, merged
