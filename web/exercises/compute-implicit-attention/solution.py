def compute_implicit_attention(Q, K, feature_map):
    scores = feature_map(Q) @ feature_map(K).T
    return scores / (scores.sum(axis=1, keepdims=True) + 1e-6)
