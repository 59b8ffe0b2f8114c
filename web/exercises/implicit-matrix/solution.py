import numpy as np


def implicit_matrix(Q, K, alpha):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    # A product of gates is a difference of sums of logarithms.
    c = np.cumsum(np.log(alpha))
    fading = c[:, None] - c[None, :]
    return np.tril(scores * np.exp(fading))
