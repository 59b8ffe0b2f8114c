import numpy as np


def name_a_head(scores, baselines, held_scores, held_baselines, least_gain):
    # What a head does beyond the strongest of its baselines.
    gains = scores - baselines.max(axis=0)
    held_gains = held_scores - held_baselines.max(axis=0)
    names = np.full(len(scores), -1.0)
    held = np.zeros(len(scores))
    for h in range(len(scores)):
        # The first texts choose one candidate, the others only decide about that one.
        candidate = int(np.argmax(gains[h]))
        held[h] = held_gains[h, candidate]
        if gains[h, candidate] >= least_gain and held[h] >= least_gain:
            names[h] = candidate
    return names, held
