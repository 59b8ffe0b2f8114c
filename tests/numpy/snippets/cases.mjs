// Runs the course texts' own snippets, which are word for word in the .py files here. `before` makes the variables
// that a snippet expects, and `after` prints the variables that it made. Both run around the snippet, in real Python
// and in ours.

const draw = `import numpy as np, torch, math
import torch.nn.functional as F
r = np.random.RandomState(0)
def some(*shape): return torch.tensor(r.randn(*shape), dtype=torch.float32)
def show(x): print(x.shape[0], np.round(np.array(x.numpy(), dtype=np.float64), 4).tolist())
`;
const masked = `${draw}
scores = some(4, 4)
mask = torch.tril(torch.ones(4, 4))
`;
const day = `${draw}
from exercise import AttentionConfig, MultiHeadAttention, SparseAttention, AttentionCache
config = AttentionConfig(d_model=16, num_heads=2)
attention = MultiHeadAttention(config)
for i, layer in enumerate((attention.query, attention.key, attention.value, attention.out)):
    layer.weight = torch.nn.Parameter(some(16, 16) / 4)
    layer.bias = torch.nn.Parameter(some(16) * 0)
x = some(1, 5, 16)
`;
const off = 'torch.set_grad_enabled(False)\n';

export const cases = {
  'lab-02-expected-behavior': {
    before: `import numpy as np
from kernel_trick import *
np.random.seed(0)
`,
    after: 'print(out1[:2, :3], out2.shape, out1.dtype)',
  },
  'lab-03-expected-behavior': { before: 'import numpy as np\nnp.random.seed(42)\n', after: '' },
  'project-04-numerical-stability': {
    before: `${draw}logits = some(2, 3) * 50\n`,
    after: 'show(scores)',
  },
  'project-04-masking': { before: masked, after: 'show(attention_weights)' },
  'project-04-nan': {
    before: `${masked}attention_weights = F.softmax(scores.masked_fill(torch.tensor([[1], [0], [1], [0]]) == 0, float('-inf')), dim=-1)\nprint(torch.isnan(attention_weights).sum().item())\n`,
    after: 'show(attention_weights)',
  },
  'project-04-attention': {
    before: `${draw}from typing import Optional, Tuple\n`,
    after: 'print(attention(1, 2, 3))',
  },
  'project-04-heatmap': {
    before: `${draw}from typing import List\n`,
    after: 'print(plot_attention_heatmap(1, []))',
  },
  'project-04-multihead': {
    before: `${draw}from typing import List\n`,
    after: 'print(plot_multihead_attention(1, [], 2))',
  },
  'project-04-patterns': {
    before: `${draw}from typing import Dict\n`,
    after: 'print(analyze_attention_patterns(1))',
  },
  'project-04-scaling': { before: '', after: 'print(experiment_scaling_factor())' },
  'project-04-masks': {
    before: draw,
    after: 'print(create_causal_mask(3), create_reverse_mask(3))',
  },
  'project-04-compare-masking': { before: '', after: 'print(compare_masking())' },
  'day-42-basic': { before: '', after: '' },
  'day-42-sparse': { before: '', first: 'day-42-basic', after: '' },
  'day-42-cache': { before: '', first: 'day-42-basic', after: '' },
  'day-42-numerical-stability': {
    before: `${draw}head_dim = 4
scores = some(3, 3)
attention_weights = torch.tensor([[0.5, 0.5], [float('nan'), float('nan')]])
`,
    after: 'show(scores); show(attention_weights)',
  },
  'day-42-memory': { before: day, after: 'print(output[0].shape)' },
  'day-42-device': {
    before: `${masked}x = scores\ncache = scores\n`,
    after: 'print(device, mask.device); show(mask)',
  },
  'day-42-out-of-memory': {
    before: `${day}import torch.utils.checkpoint\nattention_layer = lambda x: attention(x)[0]\n`,
    after: 'print(attention_layer(x).shape)',
  },
  'day-42-nan': { before: masked, after: 'show(F.softmax(scores, dim=-1))' },
  'day-42-slow': { before: '', after: '' },
  'day-42-overflow': {
    before: `${day}cache = AttentionCache(8, 2, 8)\nattention(x, use_cache=True, cache=cache)\nseq_len = 8\n`,
    after: 'print(cache.seq_len, cache.max_seq_len)',
  },
  // Numbers are sent through the whole module of day 42.
  'attention-module': {
    code: `y, w = attention(x, return_attention=True)
show(y[0]); show(w[0, 1])
s = SparseAttention(AttentionConfig(d_model=16, num_heads=2, window_size=1))
s.query, s.key, s.value, s.out = attention.query, attention.key, attention.value, attention.out
y, w = s(x, return_attention=True)
show(w[0, 0])
c = AttentionCache(8, 2, 8)
for i in range(3):
    y, _ = attention(x[:, i:i + 1], use_cache=True, cache=c)
show(y[0])
print(config)
`,
    before: day,
    after: '',
  },
};

/** The whole script of a case. `read` returns the text of a snippet. */
export function script(name, read, real) {
  const { before, first, code, after } = cases[name];
  const needs = /torch/.test(before + (first ?? '') + name) ? off : '';
  return {
    before: `${real && needs ? `import torch\n${needs}` : ''}${before}${first ? read(first) : ''}`,
    code: `${code ?? read(name)}\n${after}\n`,
  };
}
