# The module `exercise` that the text of day 42 imports. The text is written for PyTorch, and the small torch runs it
# too.
import math
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class AttentionConfig:
    d_model: int = 512
    num_heads: int = 8
    sparse_pattern: Optional[str] = None
    window_size: int = 256


class AttentionCache:
    """Keys and values of the tokens before, for one sequence at a time."""

    def __init__(self, max_seq_len, num_heads, head_dim):
        self.max_seq_len = max_seq_len
        self.num_heads = num_heads
        self.head_dim = head_dim
        self.reset()

    def reset(self):
        self.keys = None
        self.values = None

    @property
    def seq_len(self):
        return 0 if self.keys is None else self.keys.shape[2]

    def append(self, k, v):
        if self.seq_len + k.shape[2] > self.max_seq_len:
            raise ValueError("Sequence too long for cache")
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys = torch.cat([self.keys, k], dim=2)
            self.values = torch.cat([self.values, v], dim=2)
        return self.keys, self.values

    def to(self, device):
        return self


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.head_dim = config.d_model // config.num_heads
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.out = nn.Linear(config.d_model, config.d_model)

    def split(self, x):
        batch, n, _ = x.shape
        return x.view(batch, n, self.config.num_heads, self.head_dim).transpose(1, 2)

    def allowed(self, n, m):
        return None

    def forward(self, x, return_attention=False, use_cache=False, cache=None):
        batch, n, d = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        if use_cache:
            k, v = cache.append(k, v)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        mask = self.allowed(n, k.shape[2])
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        y = torch.matmul(weights, v).transpose(1, 2).contiguous().view(batch, n, d)
        return self.out(y), weights if return_attention else None


class SparseAttention(MultiHeadAttention):
    """Every token sees those at most `window_size` away."""

    def allowed(self, n, m):
        i = torch.arange(n).unsqueeze(1)
        j = torch.arange(m).unsqueeze(0)
        return torch.abs(i - j) <= self.config.window_size
