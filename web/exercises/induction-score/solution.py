import numpy as np


def induction_score(weights, tokens):
    found, equal = [], []
    for i in range(len(tokens)):
        earlier = np.flatnonzero(tokens[:i] == tokens[i])
        # A row without an earlier copy has no target: it says nothing about the head.
        if len(earlier) == 0:
            continue
        target = earlier[-1] + 1
        found.append(weights[i, target])
        # A causal head without a preference gives each of its i + 1 keys the same.
        equal.append(1 / (i + 1))
    return np.mean(found), np.mean(equal)
