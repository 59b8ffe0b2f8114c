import numpy as np


def head_importance(outputs, gradients, num_heads):
    examples, n, width = outputs.shape
    products = (outputs * gradients).reshape(examples, n, num_heads, width // num_heads)
    # What the loss does when the gate of a head moves: one number for each example and head.
    gates = products.sum(axis=(1, 3))
    # The size first, then the mean: examples that pull in opposite directions must not cancel.
    importance = np.abs(gates).mean(axis=0)
    norm = np.sqrt((importance**2).sum())
    return importance / norm if norm > 0 else importance
