# Use gradient checkpointing for long sequences
with torch.cuda.amp.autocast():  # Mixed precision
    output = attention(x)

# Clear cache when not needed
if hasattr(attention, 'cache'):
    attention.cache.reset()
