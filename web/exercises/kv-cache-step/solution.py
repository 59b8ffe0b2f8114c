import numpy as np


def kv_cache_step(q, k, v, K_cache, V_cache):
    # First into the cache, then attend: a token sees itself too.
    keys = np.concatenate([K_cache, k[None, :]])
    values = np.concatenate([V_cache, v[None, :]])
    scores = keys @ q / np.sqrt(q.shape[0])
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ values, keys, values
