import numpy as np


def nadaraya_watson(Q, K, V, gamma):
    squared = (Q * Q).sum(axis=1)[:, None] + (K * K).sum(axis=1)[None, :] - 2 * Q @ K.T
    exponents = -gamma * squared
    # As in softmax: far from every key all values would underflow.
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
