/** The course texts' own snippets, with the few lines that each needs before it. */

import { type Day42, day42 } from './day-42.ts';

const few = {
  blank: `import numpy as np

np.random.seed(0)
Q = np.random.randn(4, 3)
K = np.random.randn(4, 3)
scores = Q @ K.T / np.sqrt(3)
weights = np.exp(scores - scores.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
print(weights.round(3))
print(weights.sum(axis=1))
`,
  kernelTrick: `import numpy as np
from kernel_trick import *

np.random.seed(42)

# These should be mathematically equivalent (no feature map)
Q, K, V = random_tensors(seq_len=100, d_model=64)

# Standard order - forms (n,n) matrix
out1, attn_matrix = standard_attention_order(Q, K, V)
print(attn_matrix.shape)  # (100, 100)

# Linear order - never forms (n,n) matrix
out2 = linear_attention_order(Q, K, V, feature_map=identity)

# With identity feature map and no normalization, these should match
np.testing.assert_allclose(out1, out2, rtol=1e-5)
`,
  featureMaps: `import numpy as np
from feature_maps import *

np.random.seed(42)

Q = np.random.randn(100, 64).astype(np.float32)
K = np.random.randn(100, 64).astype(np.float32)
V = np.random.randn(100, 64).astype(np.float32)

# Compare different feature maps
for fm_name, fm in [('ELU+1', elu_plus_one),
                     ('ReLU', relu_feature_map),
                     ('Squared ReLU', squared_relu_feature_map)]:
    metrics = compare_to_softmax(Q, K, fm)
    print(f"{fm_name}: MSE={metrics['mse']:.4f}, corr={metrics['correlation']:.3f}")
`,
  stability: `import torch

logits = torch.tensor([[1000.0, 999.0, 0.0], [1.0, 2.0, 3.0]])

# Bad: Can cause overflow
scores = torch.exp(logits)
print(scores)

# Good: Subtract max before exp
logits_max = logits.max(dim=-1, keepdim=True)[0]
scores = torch.exp(logits - logits_max)
print(scores)
`,
  masking: `import torch
import torch.nn.functional as F

scores = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
mask = torch.tensor([[1, 0, 0], [1, 1, 0], [0, 0, 0]])

# Apply mask BEFORE softmax
scores = scores.masked_fill(mask == 0, float('-inf'))
attention_weights = F.softmax(scores, dim=-1)
print(attention_weights)

# If entire row is masked, softmax produces NaN
# Replace NaN with 0
attention_weights = attention_weights.masked_fill(torch.isnan(attention_weights), 0.0)
print(attention_weights)
`,
  heads: `import matplotlib.pyplot as plt
import numpy as np

tokens = ['the', 'cat', 'sat', 'down', '.']
n = len(tokens)
np.random.seed(0)

fig, axes = plt.subplots(2, 2)
for head, ax in enumerate(axes.flat):
    # The scores grow from head to head, and the weights get sharper.
    scores = head * np.random.randn(n, n)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    image = ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(n), labels=tokens)
    ax.set_yticks(range(n), labels=tokens)
    ax.set_title(f'Head {head + 1}')
fig.colorbar(image, ax=axes)
plt.tight_layout()
plt.show()
`,
} as const;

/** The names of both kinds of presets, in the order of the list. */
export const others = Object.keys(few) as readonly (keyof typeof few)[];
export const ofDay42 = Object.keys(day42) as readonly Day42[];

export type Preset = keyof typeof few | `day42${Day42}`;

/** By the names that a link has, `?sheet=day42basic`. */
export const presets = {
  ...few,
  ...Object.fromEntries(ofDay42.map((name) => [`day42${name}`, day42[name]])),
} as Readonly<Record<Preset, string>>;

export const isPreset = (name: string): name is Preset => Object.hasOwn(presets, name);
