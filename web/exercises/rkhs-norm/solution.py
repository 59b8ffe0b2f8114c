import numpy as np


def rkhs_norm(X, alpha, gamma):
    norms = (X * X).sum(axis=1)
    squared = norms[:, None] + norms[None, :] - 2 * X @ X.T
    K = np.exp(-gamma * np.maximum(squared, 0))
    return np.sqrt(alpha @ K @ alpha)
