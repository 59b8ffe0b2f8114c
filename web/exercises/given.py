"""Feature maps that exercises pass as arguments: rows to rows."""

import numpy as np


def identity(x):
    return x.copy()


def elu_plus_one(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def relu(x):
    return np.maximum(x, 0)


def squared_relu(x):
    return np.maximum(x, 0) ** 2
