import numpy as np


def multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads, causal):
    n, d_model = X.shape
    d_head = d_model // num_heads

    def split(Y):
        # The columns of a head lie side by side: cut them, then bring the heads to the front.
        return Y.reshape(n, num_heads, d_head).transpose(1, 0, 2)

    Q, K, V = split(X @ W_q), split(X @ W_k), split(X @ W_v)
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(d_head)
    if causal:
        scores = np.where(np.tri(n) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    merged = (weights @ V).transpose(1, 0, 2).reshape(n, d_model)
    return merged @ W_o, weights
