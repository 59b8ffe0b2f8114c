import numpy as np


def random_sparse(random, keys, neighbour):
    n = len(random)
    mask = np.eye(n)
    for i in range(n):
        if neighbour:
            mask[i, (i - 1) % n] = 1
        rest = [j for j in range(n) if mask[i, j] == 0]
        for j in sorted(rest, key=lambda j: -random[i, j])[:keys]:
            mask[i, j] = 1
    # What a token has after one more layer: all that the tokens have that it sees.
    reach = mask > 0
    for _ in range(n):
        reach = reach @ mask > 0
    connected = bool(reach.all())
    return mask, connected
