import numpy as np


def gram_matrix(X, gamma):
    norms = (X * X).sum(axis=1)
    squared = norms[:, None] + norms[None, :] - 2 * X @ X.T
    # Rounding can leave a distance slightly below 0.
    return np.exp(-gamma * np.maximum(squared, 0))
