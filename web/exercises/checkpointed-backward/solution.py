import numpy as np


def checkpointed_backward(x, W, d_out, layers, segment):
    inputs = []  # what each segment began with
    h = x
    for layer in range(layers):
        if layer % segment == 0:
            inputs.append(h)
        h = np.tanh(h @ W)
    g, d_W, peak = d_out, np.zeros(W.shape), 0
    while inputs:
        first = (len(inputs) - 1) * segment
        last = min(first + segment, layers)
        # The segment once more, and this time all of it is kept.
        kept = [inputs[-1]]
        for layer in range(first, last):
            kept.append(np.tanh(kept[-1] @ W))
        peak = max(peak, len(inputs) + last - first)
        for layer in range(last - first - 1, -1, -1):
            h = g * (1 - kept[layer + 1] ** 2)
            d_W = d_W + kept[layer].T @ h
            g = h @ W.T
        inputs.pop()
    return g, d_W, peak
