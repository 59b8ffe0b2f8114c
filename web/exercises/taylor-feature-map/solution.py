import numpy as np


def taylor_feature_map(x):
    n, d = x.shape
    # The fourth root in queries and in keys makes √d of their product.
    x = x / d ** 0.25
    pairs = x[:, :, None] * x[:, None, :] / np.sqrt(2)
    return np.concatenate([np.ones((n, 1)), x, pairs.reshape(n, d * d)], axis=1)
