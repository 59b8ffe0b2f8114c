def crossover(d, d_v, D):
    # n²·(d + d_v) = 2·n·D·d_v, solved for n
    return 2 * D * d_v / (d + d_v)
