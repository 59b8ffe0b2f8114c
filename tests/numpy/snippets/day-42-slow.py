# Solution: Use optimized implementations
# pip install flash-attn  # For 2-4x speedup
