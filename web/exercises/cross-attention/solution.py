import numpy as np


def cross_attention(X, Y, W_q, W_k, W_v, keep):
    Q = X @ W_q
    K = Y @ W_k
    V = Y @ W_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    # The m entries of keep belong to the columns: broadcasting lends them to each row.
    scores = np.where(keep == 0, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
