import numpy as np


def chunked_linear_attention(Q, K, V, chunk_size):
    n, D = Q.shape
    S = np.zeros((D, V.shape[1]))
    z = np.zeros(D)
    output = np.zeros(V.shape)
    for start in range(0, n, chunk_size):
        end = start + chunk_size
        q, k, v = Q[start:end], K[start:end], V[start:end]
        # Inside the chunk as a masked product, everything before it from the state.
        inside = np.tril(q @ k.T)
        numerator = q @ S + inside @ v
        denominator = q @ z + inside.sum(axis=1)
        output[start:end] = numerator / (denominator[:, None] + 1e-6)
        S = S + k.T @ v
        z = z + k.sum(axis=0)
    return output
