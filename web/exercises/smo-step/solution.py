import numpy as np


def smo(X, y, gamma, C, steps):
    gaps = X[:, None, :] - X[None, :, :]
    K = np.exp(-gamma * (gaps**2).sum(axis=2))
    alpha = np.zeros(len(y))
    for _ in range(steps):
        scores = y - K @ (alpha * y)
        can_rise = np.where(y > 0, alpha < C, alpha > 0)
        can_fall = np.where(y > 0, alpha > 0, alpha < C)
        i = np.argmax(np.where(can_rise, scores, -np.inf))
        ahead = scores[i] - scores
        bend = K[i, i] + np.diag(K) - 2 * K[i]
        gains = np.where(can_fall & (ahead > 0), ahead**2 / np.maximum(bend, 1e-12), -np.inf)
        j = np.argmax(gains)
        room_i = C - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else C - alpha[j]
        length = min(ahead[j] / bend[j], room_i, room_j)
        alpha[i] += y[i] * length
        alpha[j] -= y[j] * length
    return alpha
