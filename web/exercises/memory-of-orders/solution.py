def memory_of_orders(n, d, d_v, bytes_per_number):
    standard = n * n * bytes_per_number  # one score for every pair of tokens
    linear = d * d_v * bytes_per_number  # the tokens are summed over
    return standard, linear
