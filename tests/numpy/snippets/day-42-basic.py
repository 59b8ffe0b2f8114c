from exercise import AttentionConfig, MultiHeadAttention

# Create configuration
config = AttentionConfig(d_model=512, num_heads=8)

# Initialize attention
attention = MultiHeadAttention(config)

# Test with sample data
import torch
x = torch.randn(2, 10, 512)  # [batch, seq_len, d_model]
output, weights = attention(x, return_attention=True)

print(f"Input shape: {x.shape}")
print(f"Output shape: {output.shape}")
print(f"Attention weights shape: {weights.shape}")
