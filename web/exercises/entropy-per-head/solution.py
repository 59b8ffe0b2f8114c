import numpy as np


def entropy_per_head(weights):
    n = weights.shape[1]
    # ln 1 = 0 stands in for 0·ln 0.
    logs = np.log(np.where(weights > 0, weights, 1.0))
    entropies = -(weights * logs).sum(axis=2)
    # Row i sees i + 1 keys. Row 0 has no choice: its largest entropy is 0, so it has no share.
    most = np.log(np.arange(2, n + 1))
    shares = entropies[:, 1:] / most
    return entropies.mean(axis=1), shares.mean(axis=1)
