import numpy as np


def mqar_generator(keys, values, gaps, n):
    pairs = keys.size
    tokens = np.zeros(n)
    targets = np.full(n, -100.0)
    for p in range(pairs):
        tokens[2 * p] = keys[p]
        tokens[2 * p + 1] = values[p]
        place = 2 * pairs + 2 * int(gaps[p])
        tokens[place] = keys[p]
        targets[place] = values[p]
    return tokens, targets
