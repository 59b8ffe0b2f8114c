import numpy as np


def kv_cache(Q, K, V, calls, capacity):
    output = np.zeros(V.shape)
    lengths = []
    keys, values = K[:0], V[:0]
    first = 0  # the next row of Q, K and V
    for count in calls.astype(int):
        if count == 0:
            keys, values = K[:0], V[:0]  # a reset
        if len(keys) + count > capacity:
            first += count
            lengths.append(len(keys))
            continue
        keys = np.concatenate([keys, K[first:first + count]])
        values = np.concatenate([values, V[first:first + count]])
        for t in range(count):
            # Everything before the call, and the call up to this token.
            seen = len(keys) - count + t + 1
            scores = keys[:seen] @ Q[first + t] / np.sqrt(K.shape[1])
            weights = np.exp(scores - scores.max())
            output[first + t] = weights @ values[:seen] / weights.sum()
        first += count
        lengths.append(len(keys))
    return output, np.array(lengths)
