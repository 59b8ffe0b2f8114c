import numpy as np


def ring_buffer(keys, values, seen, q, k, v):
    keys, values = keys.copy(), values.copy()
    w = len(keys)
    slot = seen % w
    keys[slot] = k
    values[slot] = v
    # Until the ring is full its tokens lie in the first slots.
    count = min(seen + 1, w)
    scores = keys[:count] @ q / np.sqrt(len(q))
    weights = np.exp(scores - scores.max())
    # In a full ring the oldest token lies where the next one will be written.
    first = (seen + 1) % w if count == w else 0
    order = (first + np.arange(count)) % w
    return weights @ values[:count] / weights.sum(), keys, values, order
