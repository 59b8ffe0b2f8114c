import numpy as np


def cross_attention_module(X, Y, W_q, W_k, W_v, W_o, num_heads, keep):
    def split(Z):
        # Each sequence has its own number of tokens; the columns are cut in the same way.
        return Z.reshape(Z.shape[0], num_heads, Z.shape[1] // num_heads).transpose(1, 0, 2)

    Q, K, V = split(X @ W_q), split(Y @ W_k), split(Y @ W_v)
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[2])
    # The m entries of keep belong to the keys, the last axis: all heads and queries share them.
    scores = np.where(keep == 0, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    merged = (weights @ V).transpose(1, 0, 2).reshape(X.shape[0], -1)
    return merged @ W_o, weights
