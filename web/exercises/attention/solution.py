import numpy as np


def attention(Q, K, V, mask=None, scale=True):
    scores = Q @ K.T
    if scale:
        scores = scores / np.sqrt(K.shape[1])
    if mask is not None:
        scores = np.where(mask == 0, -np.inf, scores)
    # Softmax of each row; without its maximum exp would overflow.
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
