import numpy as np


def sparse_attention_gather(Q, K, V, keys):
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        # Only these rows of K and V are read; −1 fills the list up and is no key.
        kept = keys[i][keys[i] >= 0]
        if len(kept) == 0:
            continue
        scores = K[kept] @ Q[i] / np.sqrt(Q.shape[1])
        weights = np.exp(scores - scores.max())
        output[i] = (weights / weights.sum()) @ V[kept]
    return output
