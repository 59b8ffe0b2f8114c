import numpy as np


def causal_attention(Q, K, V):
    n = Q.shape[0]
    # 0 where a query may look, minus infinity where it may not.
    mask = np.triu(np.full((n, n), -np.inf), k=1)
    scores = Q @ K.T / np.sqrt(K.shape[1])
    # Such a mask is added: score + 0 stays, score - infinity is out.
    scores = scores + mask
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
