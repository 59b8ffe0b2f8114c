import numpy as np


def grouped_query_attention(Q, K, V):
    # Neighbours share: each head of keys and values is written as often as it is read.
    share = Q.shape[0] // K.shape[0]
    keys = np.repeat(K, share, axis=0)
    values = np.repeat(V, share, axis=0)
    scores = Q @ keys.transpose(0, 2, 1) / np.sqrt(Q.shape[2])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ values
