import numpy as np


def row_softmax(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def experiment_scaling_factor(Q, K):
    scores = Q @ K.T
    pictures = {
        "unscaled": row_softmax(scores),
        "scaled": row_softmax(scores / np.sqrt(K.shape[1])),
    }
    measures = {}
    for name, weights in pictures.items():
        measures["max_" + name] = weights.max(axis=1).mean()
        # ln 1 = 0 stands in for 0·ln 0.
        logs = np.log(np.where(weights > 0, weights, 1.0))
        measures["entropy_" + name] = -(weights * logs).sum(axis=1).mean()
    return measures
