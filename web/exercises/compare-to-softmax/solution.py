import numpy as np


def compare_to_softmax(Q, K, feature_map):
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)

    scores = feature_map(Q) @ feature_map(K).T
    implicit = scores / (scores.sum(axis=1, keepdims=True) + 1e-6)

    difference = implicit - softmax
    return {
        "mse": (difference**2).mean(),
        "max_diff": np.abs(difference).max(),
        "correlation": np.corrcoef(implicit.ravel(), softmax.ravel())[0, 1],
    }
