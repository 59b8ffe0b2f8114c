from exercise import AttentionCache

# Create cache for inference
cache = AttentionCache(
    max_seq_len=1024,
    num_heads=8,
    head_dim=64
)

# Simulate incremental inference
for i in range(10):
    # Process one token at a time
    token = torch.randn(1, 1, 512)
    output, _ = attention(token, use_cache=True, cache=cache)
    print(f"Step {i+1}: Cache length = {cache.seq_len}")
