/**
 * The snippets of the text on attention mechanisms, word for word between the lines of ours: what they take for granted
 * is put before them by the sheet, and what follows looks at what came out. tests/numpy/snippets compares them with the
 * text.
 */

/** Begins what we add below a snippet. */
const after = '# ---- The text ends here. What came out:';

export const day42 = {
  verify: `import torch
import matplotlib.pyplot as plt
import seaborn as sns
print(f'PyTorch version: {torch.__version__}')
print(f'CUDA available: {torch.cuda.is_available()}')
if torch.cuda.is_available():
    print(f'CUDA device: {torch.cuda.get_device_name(0)}')
print('✅ All dependencies installed successfully!')
`,
  basic: `from exercise import AttentionConfig, MultiHeadAttention

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

${after}
print("Rows that do not sum to 1:", ((weights.sum(dim=-1) - 1).abs() > 1e-5).sum().item())
`,
  sparse: `from exercise import SparseAttention

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

${after}
seen = sparse_attention.allowed(512)
print("Keys that a token in the middle sees:", int(seen[256].sum()))
print(f"Share of all cells: {seen.mean():.3f}")
`,
  cache: `from exercise import AttentionCache

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

${after} the last token sees all ten, as a causal layer over the ten would let it.
print("Keys:", tuple(cache.keys.shape))
`,
  causal: `n = 4
scores = torch.zeros(n, n)

# The text's lines are no Python: i and j stand for every cell, and -∞ is no number of Python's.
#   mask[i,j] = 0 if j > i else 1
#   scores = scores.masked_fill(mask == 0, -∞)
mask = torch.tril(torch.ones(n, n))
scores = scores.masked_fill(mask == 0, float('-inf'))

print(mask)
print(F.softmax(scores, dim=-1))
`,
  stability: `scores = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
hidden = torch.full((1, 3), float('-inf'))  # A query that may see nothing.
attention_weights = F.softmax(torch.cat([scores, hidden]), dim=-1)
print(attention_weights)

# Prevent overflow in attention scores
scores = scores / math.sqrt(head_dim)

# Handle NaN values from masked softmax
attention_weights = torch.where(
    torch.isnan(attention_weights),
    torch.zeros_like(attention_weights),
    attention_weights
)

${after} the row that saw nothing is 0.
print(attention_weights)
# Dividing prevents no overflow: a score of 1000 is still far more than exp can take. Softmax without its largest is NaN.
large = torch.tensor([1000.0, 0.0]) / math.sqrt(head_dim)
print(torch.exp(large) / torch.exp(large).sum())
`,
  minus: `scores = torch.zeros(2, 4)
mask = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0]])

# Solution: Check for -inf in masked positions
scores = scores.masked_fill(mask == 0, -1e9)  # Use -1e9 instead of -inf

${after} the query that may see nothing sees everything.
print(F.softmax(scores, dim=-1))
`,
  memory: `# Use gradient checkpointing for long sequences
with torch.cuda.amp.autocast():  # Mixed precision
    output = attention(x)

# Clear cache when not needed
if hasattr(attention, 'cache'):
    attention.cache.reset()

${after} mixed precision is no checkpointing, and the layer returns two things.
print(type(output), output[0].shape, output[0].dtype)
print("Has the layer a cache of its own?", hasattr(attention, 'cache'))
`,
  device: `# Ensure tensors are on same device
device = x.device
mask = mask.to(device)
cache = cache.to(device)

${after}
print(device, mask.device, cache.seq_len)
`,
  checkpoint: `# Solution: Use gradient checkpointing or smaller batch size
torch.utils.checkpoint.checkpoint(attention_layer, x)

${after} the layer has run. It saves memory in a backward pass, and this torch has none.
print(torch.utils.checkpoint.checkpoint(attention_layer, x)[0].shape)
`,
  overflow: `cache = AttentionCache(max_seq_len=8, num_heads=8, head_dim=64)
attention(torch.randn(1, 5, 512), use_cache=True, cache=cache)
seq_len = 4
print(f"In the cache: {cache.seq_len} of {cache.max_seq_len}; to come: {seq_len}")

# Solution: Check sequence length before caching
assert seq_len <= cache.max_seq_len, "Sequence too long for cache"

${after} the check has passed, and the tokens do not fit.
attention(torch.randn(1, seq_len, 512), use_cache=True, cache=cache)
`,
} as const;

export type Day42 = keyof typeof day42;
