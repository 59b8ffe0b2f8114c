def count_operations(n, d, d_v):
    # (n×d)·(d×n), then (n×n)·(n×d_v)
    standard = n * n * d + n * n * d_v
    # (d×n)·(n×d_v), then (n×d)·(d×d_v)
    linear = d * n * d_v + n * d * d_v
    return standard, linear
