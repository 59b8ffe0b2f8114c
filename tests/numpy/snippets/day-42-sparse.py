from exercise import SparseAttention

# Create sparse attention with local pattern
sparse_config = AttentionConfig(
    d_model=512, 
    num_heads=8, 
    sparse_pattern="local", 
    window_size=64
)
sparse_attention = SparseAttention(sparse_config)

# Test with longer sequence
long_seq = torch.randn(1, 512, 512)
output, _ = sparse_attention(long_seq)
print(f"Sparse attention output: {output.shape}")
