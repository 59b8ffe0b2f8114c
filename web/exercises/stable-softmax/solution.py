import numpy as np


def stable_softmax(logits):
    # The largest exp of each row is exp(0) = 1.
    largest = logits.max(axis=1, keepdims=True)
    weights = np.exp(logits - largest)
    return weights / weights.sum(axis=1, keepdims=True)
