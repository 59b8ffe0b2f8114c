import numpy as np


def relu_feature_map(x):
    return np.maximum(x, 0)
