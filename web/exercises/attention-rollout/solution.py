import numpy as np


def attention_rollout(weights, num_heads, residual):
    n = weights.shape[1]
    layers = weights.reshape(-1, num_heads, n, n).mean(axis=1)
    rollout = np.eye(n)
    for layer in layers:
        # Each layer keeps a share of what stood there, and mixes the rest by its weights.
        mixing = residual * np.eye(n) + (1 - residual) * layer
        # The later layer reads what the earlier ones made: it stands on the left.
        rollout = mixing @ rollout
    return rollout
