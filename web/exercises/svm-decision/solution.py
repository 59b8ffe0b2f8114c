import numpy as np


def svm_decision(X, y, alpha, b, gamma, Z):
    distances = ((Z[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-gamma * distances) @ (alpha * y) + b
