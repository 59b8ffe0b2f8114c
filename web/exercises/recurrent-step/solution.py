import numpy as np


def recurrent_step(S, z, q, k, v):
    # Write first, then read: a token sees itself.
    S = S + k[:, None] * v[None, :]
    z = z + k
    output = (q @ S) / (q @ z + 1e-6)
    return output, S, z
