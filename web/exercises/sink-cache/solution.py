import numpy as np


def sink_cache(Q, K, V, sinks, window, slope):
    output = np.zeros(V.shape)
    kept = []  # places in the text, oldest first
    for t in range(len(Q)):
        kept.append(t)
        if len(kept) > sinks + window:
            del kept[sinks]  # the oldest token that is no sink
        # The distance is counted in the cache: what was evicted leaves no gap.
        distance = len(kept) - 1 - np.arange(len(kept))
        scores = K[kept] @ Q[t] / np.sqrt(Q.shape[1]) - slope * distance
        weights = np.exp(scores - scores.max())
        output[t] = weights @ V[kept] / weights.sum()
    return output, np.array(kept, dtype=float)
