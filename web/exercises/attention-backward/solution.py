import numpy as np


def attention_backward(Q, K, V, dO):
    scale = 1 / np.sqrt(K.shape[1])
    scores = scale * Q @ K.T
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    P = exps / exps.sum(axis=1, keepdims=True)
    dP = dO @ V.T
    # A row of weights sums to 1: one can only grow at the cost of the others.
    dS = P * (dP - (P * dP).sum(axis=1, keepdims=True))
    return scale * dS @ K, scale * dS.T @ Q, P.T @ dO
