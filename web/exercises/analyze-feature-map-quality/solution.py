import numpy as np


def analyze_feature_map_quality(feature_map, Q, K, V):
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)

    scores = feature_map(Q) @ feature_map(K).T
    sums = scores.sum(axis=1, keepdims=True)
    implicit = scores / (sums + 1e-6)

    wanted = softmax @ V
    output = implicit @ V
    return {
        "output_error": np.linalg.norm(output - wanted) / np.linalg.norm(wanted),
        "output_cosine": (output * wanted).sum() / (np.linalg.norm(output) * np.linalg.norm(wanted)),
        "correlation": np.corrcoef(implicit.ravel(), softmax.ravel())[0, 1],
        "negative_weights": (implicit < 0).mean(),
        "negative_denominators": (sums < 0).mean(),
        "zero_denominators": (sums == 0).mean(),
    }
