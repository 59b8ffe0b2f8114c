import numpy as np


def flash_attention(Q, K, V, query_tile, key_tile, causal=True):
    n, d_k = Q.shape
    m = K.shape[0]
    output = np.zeros((n, V.shape[1]))
    logsumexp = np.zeros(n)
    tiles = 0
    for q0 in range(0, n, query_tile):
        q1 = min(q0 + query_tile, n)
        running_max = np.full((q1 - q0, 1), -np.inf)
        running_sum = np.zeros((q1 - q0, 1))
        total = np.zeros((q1 - q0, V.shape[1]))
        for k0 in range(0, m, key_tile):
            k1 = min(k0 + key_tile, m)
            # This tile, and all to its right, lie above the diagonal.
            if causal and k0 > q1 - 1:
                break
            tiles += 1
            scores = Q[q0:q1] @ K[k0:k1].T / np.sqrt(d_k)
            if causal:
                scores = np.where(np.arange(q0, q1)[:, None] < np.arange(k0, k1), -np.inf, scores)
            new_max = np.maximum(running_max, scores.max(axis=1, keepdims=True))
            weights = np.exp(scores - new_max)
            # What was summed so far was measured from the old maximum: move it to the new one.
            correction = np.exp(running_max - new_max)
            running_sum = running_sum * correction + weights.sum(axis=1, keepdims=True)
            total = total * correction + weights @ V[k0:k1]
            running_max = new_max
        output[q0:q1] = total / running_sum
        logsumexp[q0:q1] = running_max[:, 0] + np.log(running_sum[:, 0])
    return output, logsumexp, tiles
