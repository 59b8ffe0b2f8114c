# Prevent overflow in attention scores
scores = scores / math.sqrt(head_dim)

# Handle NaN values from masked softmax
attention_weights = torch.where(
    torch.isnan(attention_weights),
    torch.zeros_like(attention_weights),
    attention_weights
)
