def standard_attention_order(Q, K, V):
    scores = Q @ K.T  # n×m: one number for every query and key
    return scores @ V, scores
