import numpy as np


def prune_heads(heads, W_o, importance, keep, fill_mean):
    count, n, d_head = heads.shape
    # The most important first; of equal ones the earlier head.
    order = np.argsort(-importance, kind="stable")
    kept = np.zeros(count)
    kept[order[:keep]] = 1
    # What stands in the place of a pruned head: nothing, or what it says on average in this text.
    filling = heads.mean(axis=1, keepdims=True) if fill_mean else 0.0
    pruned = np.where(kept[:, None, None] > 0, heads, filling)
    merged = pruned.transpose(1, 0, 2).reshape(n, count * d_head)
    return merged @ W_o, kept
