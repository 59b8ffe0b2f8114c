def state_size(n, d, heads, d_k):
    d_v = d // heads
    softmax = n * heads * (d_k + d_v)
    linear = heads * d_k * (d_v + 1)
    delta = heads * d_k * d_v
    rwkv = 4 * d
    return softmax, linear, delta, rwkv
