import numpy as np


def attention_with_dropout(Q, K, V, keep, p, training=True):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    if training:
        # What stays grows by as much as is missing on average; rows are not normalised again.
        weights = weights * keep / (1 - p)
    return weights @ V, weights
