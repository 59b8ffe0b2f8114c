# Solution: Check sequence length before caching
assert seq_len <= cache.max_seq_len, "Sequence too long for cache"
