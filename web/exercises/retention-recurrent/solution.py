import numpy as np


def retention_recurrent(Q, K, V, gamma):
    n, d_k = Q.shape
    S = np.zeros((d_k, V.shape[1]))
    output = np.zeros((n, V.shape[1]))
    for t in range(n):
        S = gamma * S + np.outer(K[t], V[t])
        output[t] = Q[t] @ S / np.sqrt(d_k)
    return output
