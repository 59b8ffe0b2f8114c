import numpy as np


def masked_softmax(scores, mask):
    scores = np.where(mask == 0, -np.inf, scores)
    largest = scores.max(axis=1, keepdims=True)
    # In an empty row exp(-inf - 0) is 0, where -inf - (-inf) would be NaN.
    largest = np.where(np.isinf(largest), 0.0, largest)
    weights = np.exp(scores - largest)
    total = weights.sum(axis=1, keepdims=True)
    return weights / np.where(total == 0, 1.0, total)
