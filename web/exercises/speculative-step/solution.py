import numpy as np


def draw(probabilities, r):
    token = int(np.sum(np.cumsum(probabilities) <= r))
    return min(token, len(probabilities) - 1)


def speculative_step(p, q, drafts, u, r):
    alpha = np.minimum(p[:-1], q).sum(axis=1)
    tokens = np.full(len(drafts) + 1, -1.0)
    accepted = 0
    for i in range(len(drafts)):
        x = int(drafts[i])
        if u[i] * q[i, x] < p[i, x]:
            tokens[accepted] = x
            accepted += 1
        else:
            # What the drafts do not give already: so that both ways together give p.
            rest = np.maximum(p[i] - q[i], 0)
            tokens[accepted] = draw(rest / rest.sum(), r)
            return tokens, accepted, alpha
    tokens[accepted] = draw(p[len(drafts)], r)
    return tokens, accepted, alpha
