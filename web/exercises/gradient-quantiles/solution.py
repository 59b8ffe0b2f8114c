import numpy as np


def gradient_quantiles(Q, K, V, dO, scale=True):
    factor = 1 / np.sqrt(K.shape[1]) if scale else 1.0
    scores = factor * Q @ K.T
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    P = exps / exps.sum(axis=1, keepdims=True)
    dP = dO @ V.T
    dS = P * (dP - (P * dP).sum(axis=1, keepdims=True))
    dQ = factor * dS @ K
    norms = np.sqrt((dQ * dQ).sum(axis=1))
    tenth, median, ninetieth = np.quantile(norms, [0.1, 0.5, 0.9])
    return {"mean": norms.mean(), "tenth": tenth, "median": median, "ninetieth": ninetieth}
