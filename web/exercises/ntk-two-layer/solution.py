import numpy as np


def ntk_two_layer(X):
    products = X @ X.T
    norms = np.sqrt(np.diag(products))
    lengths = np.outer(norms, norms)
    # Rounding can leave a cosine slightly above 1.
    angles = np.arccos(np.clip(products / lengths, -1, 1))
    slopes = (np.pi - angles) / (2 * np.pi)
    last_layer = lengths * np.sin(angles) / (2 * np.pi) + slopes * products
    return last_layer + slopes * products
