import numpy as np


def pattern_reach(mask, layers):
    n = len(mask)
    reach = np.eye(n)  # reach[i, j]: news of j is at i
    hops = np.eye(n) - 1
    share = np.zeros(layers)
    for layer in range(layers):
        # What the tokens have that it sees, and what it has already.
        reached = (mask @ reach + reach > 0).astype(float)
        hops[reached > reach] = layer + 1
        reach = reached
        share[layer] = reach.sum() / (n * (n + 1) / 2)
    return share, hops
