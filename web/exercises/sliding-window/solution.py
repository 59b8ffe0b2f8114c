import numpy as np


def sliding_window_attention(Q, K, V, window):
    n, d_k = Q.shape
    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        # A slice per token: what lies outside the window is never touched.
        first = max(0, i - window + 1)
        scores = K[first:i + 1] @ Q[i] / np.sqrt(d_k)
        weights = np.exp(scores - scores.max())
        output[i] = (weights / weights.sum()) @ V[first:i + 1]
    return output
