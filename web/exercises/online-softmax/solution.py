import numpy as np


def online_softmax_attention(Q, K, V, block_size):
    n, d_k = Q.shape
    running_max = np.full((n, 1), -np.inf)
    running_sum = np.zeros((n, 1))
    total = np.zeros((n, V.shape[1]))
    for start in range(0, K.shape[0], block_size):
        scores = Q @ K[start:start + block_size].T / np.sqrt(d_k)
        new_max = np.maximum(running_max, scores.max(axis=1, keepdims=True))
        weights = np.exp(scores - new_max)
        # What was summed so far was measured from the old maximum: move it to the new one.
        correction = np.exp(running_max - new_max)
        running_sum = running_sum * correction + weights.sum(axis=1, keepdims=True)
        total = total * correction + weights @ V[start:start + block_size]
        running_max = new_max
    logsumexp = running_max + np.log(running_sum)
    return total / running_sum, logsumexp[:, 0]
