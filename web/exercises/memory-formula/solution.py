def memory_formula(batch, heads, d_head, layers, n, window, bytes_per_number):
    pairs = batch * heads  # one n×n matrix for each text and each head
    scores = pairs * n * n * bytes_per_number
    # A token sees w keys, except the first ones, which have fewer before them.
    w = min(window, n)
    local = pairs * (n * w - w * (w - 1) // 2) * bytes_per_number
    # The weight, the weight after dropout, and a byte that says whether it was dropped.
    training = layers * pairs * n * n * (2 * bytes_per_number + 1)
    cache = 2 * layers * pairs * n * d_head * bytes_per_number
    return scores, local, training, cache
