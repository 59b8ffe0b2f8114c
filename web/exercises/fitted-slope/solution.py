import numpy as np


def fitted_slope(n, cost):
    x = np.log(n)
    y = np.log(cost)
    x = x - x.mean()
    return (x * (y - y.mean())).sum() / (x * x).sum()
