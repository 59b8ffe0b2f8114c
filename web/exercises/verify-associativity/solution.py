import numpy as np


def verify_associativity(Q, K, V):
    standard = (Q @ K.T) @ V
    linear = Q @ (K.T @ V)
    difference = np.abs(standard - linear)
    size = np.abs(linear)
    relative = difference[size > 0] / size[size > 0]
    return {
        "max_abs_difference": difference.max(),
        "max_rel_difference": relative.max() if relative.size > 0 else 0.0,
        "equal": bool(np.all(difference <= 1e-3 + 1e-5 * size)),
    }
