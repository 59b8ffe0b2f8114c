import numpy as np


def grouped_from_multi(W_k, W_v, num_heads, groups):
    share = num_heads // groups

    def averaged(W):
        # The columns: first the groups, then the heads of a group, then the columns of a head.
        parts = W.reshape(W.shape[0], groups, share, W.shape[1] // num_heads)
        return parts.mean(axis=2).reshape(W.shape[0], W.shape[1] // share)

    K, V = averaged(W_k), averaged(W_v)
    # What the cache keeps of a token: its key and its value, of every group.
    return K, V, K.shape[1] + V.shape[1]
