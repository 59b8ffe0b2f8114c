import numpy as np


def wkv_stable(K, V, w, u):
    n, d = K.shape
    p, q = np.zeros(d), np.zeros(d)
    # Less than any exponent: e^(m - top) is 0 before the first token.
    m = np.full(d, -1e30)
    output = np.zeros((n, d))
    for t in range(n):
        top = np.maximum(m, u + K[t])
        old = np.exp(m - top)
        new = np.exp(u + K[t] - top)
        output[t] = (old * p + new * V[t]) / (old * q + new)
        top = np.maximum(m - w, K[t])
        old = np.exp(m - w - top)
        new = np.exp(K[t] - top)
        p = old * p + new * V[t]
        q = old * q + new
        m = top
    return output
