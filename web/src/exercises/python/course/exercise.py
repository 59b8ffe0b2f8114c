# The module `exercise` that the text of day 42 imports. The text is written for PyTorch, and the small torch runs it
# too. The classes hold matrices and cut batches and heads. What they compute are functions of the exercises, from
# `exercise_parts`: the student's own where they have passed, and ours elsewhere (exercise-parts.ts).
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
import torch
import torch.nn as nn
from exercise_parts import parts

# The functions that were asked for since the module was loaded; the sheet says whose they were.
taken = []


def whose():
    """Each function of this module: "yours", "ours", or the exercise that fills it."""
    return {name: module.split("_")[0] if module else id for name, (module, id) in parts.items()}


def _part(name):
    module, id = parts[name]
    if module is None:
        raise ImportError(
            "%s is not yours yet: the exercise %s fills it (pages/exercises/?id=%s). Pass it in Python, or let the sheet take ours"
            % (name, id, id)
        )
    if name not in taken:
        taken.append(name)
    return getattr(__import__(module), name)


def _ask(name, *args):
    part = _part(name)
    try:
        return part(*args)
    except Exception as error:
        # The sheet can show no line of another file, so the message says where it happened.
        owner = "your" if parts[name][0].startswith("yours") else "our"
        raise RuntimeError("in %s %s: %s: %s" % (owner, name, type(error).__name__, error))


def __getattr__(name):
    if name in parts:
        return _part(name)
    if name.startswith("_"):
        raise AttributeError(name)
    raise ImportError(
        "exercise has no %s, and no exercise fills it. It has AttentionConfig, MultiHeadAttention, SparseAttention, AttentionCache, %s"
        % (name, ", ".join(parts))
    )


@dataclass
class AttentionConfig:
    d_model: int = 512
    num_heads: int = 8
    sparse_pattern: Optional[str] = None
    window_size: int = 256
    # The text does not name these: for "strided" and "random", and for layers that see no later token.
    stride: int = field(default=64, repr=False)
    random_keys: int = field(default=8, repr=False)
    causal: bool = field(default=False, repr=False)


def _numpy(x):
    return x.detach().numpy()


def _tensor(x):
    # Functions that add their masks in float64 return float64.
    return torch.tensor(np.array(x), dtype=torch.float32)


class AttentionCache:
    """Keys and values of the tokens before: kv_cache says what fits, kv_cache_step adds and looks."""

    def __init__(self, max_seq_len, num_heads, head_dim):
        self.max_seq_len = max_seq_len
        self.num_heads = num_heads
        self.head_dim = head_dim
        _part("kv_cache")
        _part("kv_cache_step")
        self.reset()

    def reset(self):
        self._kept = None
        self.seq_len = 0

    def to(self, device):
        return self

    @property
    def keys(self):
        return None if self._kept is None else _tensor([[k for k, _ in row] for row in self._kept])

    @property
    def values(self):
        return None if self._kept is None else _tensor([[v for _, v in row] for row in self._kept])

    def _fits(self, count):
        # What is there may count as one token that takes all of its room: only the end matters.
        there = min(self.seq_len, 1)
        calls = [there, count] if there else [count]
        room = self.max_seq_len - self.seq_len + there
        nothing = np.zeros((there + count, 1))
        _, lengths = _ask("kv_cache", nothing, nothing, nothing, np.array(calls, dtype=np.float64), room)
        return lengths[-1] == there + count

    def step(self, q, k, v):
        """Queries, keys and values [batch, heads, tokens, width] of the tokens that come; their outputs."""
        batch, heads, count, width = q.shape
        if (heads, width) != (self.num_heads, self.head_dim):
            raise ValueError(
                "the cache is for %d heads of width %d, and %d of width %d came" % (self.num_heads, self.head_dim, heads, width)
            )
        if not self._fits(count):
            raise ValueError(
                "Sequence too long for cache: it holds %d of %d tokens, and %d more came" % (self.seq_len, self.max_seq_len, count)
            )
        if self._kept is None:
            nothing = np.zeros((0, width), dtype=np.float32)
            self._kept = [[(nothing, nothing) for _ in range(heads)] for _ in range(batch)]
        if batch != len(self._kept):
            raise ValueError("the cache holds %d sequences, and %d came" % (len(self._kept), batch))
        out = np.zeros((batch, heads, count, width), dtype=np.float32)
        for b in range(batch):
            for h in range(heads):
                keys, values = self._kept[b][h]
                for t in range(count):
                    y, keys, values = _ask("kv_cache_step", q[b, h, t], k[b, h, t], v[b, h, t], keys, values)
                    out[b, h, t] = y
                self._kept[b][h] = (keys, values)
        self.seq_len += count
        return out


class MultiHeadAttention(nn.Module):
    """The layer of multi_head_attention for a batch, with four matrices and without biases."""

    def __init__(self, config):
        super().__init__()
        if config.d_model % config.num_heads:
            raise ValueError("d_model %d is no multiple of %d heads" % (config.d_model, config.num_heads))
        self.config = config
        self.head_dim = config.d_model // config.num_heads
        self.query = nn.Linear(config.d_model, config.d_model, bias=False)
        self.key = nn.Linear(config.d_model, config.d_model, bias=False)
        self.value = nn.Linear(config.d_model, config.d_model, bias=False)
        self.out = nn.Linear(config.d_model, config.d_model, bias=False)
        self.prepare()

    def prepare(self):
        _part("multi_head_attention")

    def forward(self, x, return_attention=False, use_cache=False, cache=None, mask=None):
        if use_cache:
            if return_attention or mask is not None:
                raise ValueError("with a cache there are no weights to return and no mask: a token sees what came before")
            y = cache.step(*[self._heads(layer, x) for layer in (self.query, self.key, self.value)])
            return self._merged(y), None
        y, weights = self._attend(x) if mask is None else self._masked(x, _numpy(mask))
        return y, weights if return_attention else None

    def _attend(self, x):
        matrices = [_numpy(layer.weight.T) for layer in (self.query, self.key, self.value, self.out)]
        more = (self.config.num_heads, self.config.causal)
        answers = [_ask("multi_head_attention", _numpy(tokens), *matrices, *more) for tokens in x]
        return _tensor([y for y, _ in answers]), _tensor([w for _, w in answers])

    def _heads(self, layer, x):
        batch, n, _ = x.shape
        return _numpy(layer(x)).reshape(batch, n, self.config.num_heads, self.head_dim).transpose(0, 2, 1, 3)

    def _merged(self, y):
        batch, _, n, _ = y.shape
        return self.out(_tensor(y.transpose(0, 2, 1, 3).reshape(batch, n, self.config.d_model)))

    def _masked(self, x, mask):
        q, k, v = [self._heads(layer, x) for layer in (self.query, self.key, self.value)]
        weights = []
        for b in range(q.shape[0]):
            for h in range(q.shape[1]):
                scores = q[b, h] @ k[b, h].T / np.sqrt(self.head_dim)
                weights.append(_ask("masked_softmax", scores, mask))
        weights = np.array(weights, dtype=np.float32).reshape(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
        return self._merged(weights @ v), _tensor(weights)


class SparseAttention(MultiHeadAttention):
    """The same layer with the mask of its pattern: "local", "strided" or "random"."""

    def prepare(self):
        names = {"local": "local_mask", "strided": "strided_mask", "random": "random_sparse"}
        # The text's own default is no pattern; a sparse layer without one is a local one.
        self.pattern = names.get(self.config.sparse_pattern or "local")
        if self.pattern is None:
            raise ValueError(
                'sparse_pattern is "local", "strided" or "random", not %r' % (self.config.sparse_pattern,)
            )
        _part(self.pattern)
        _part("masked_softmax")

    def allowed(self, n):
        """1 where a token sees another one."""
        config = self.config
        if self.pattern == "local_mask":
            return _ask("local_mask", n, config.window_size, config.causal)[0]
        if self.pattern == "strided_mask":
            return _ask("strided_mask", n, config.window_size, config.stride)[0]
        return _ask("random_sparse", np.random.rand(n, n), config.random_keys, True)[0]

    def forward(self, x, return_attention=False, use_cache=False, cache=None, mask=None):
        if use_cache:
            raise ValueError("this cache keeps every key; a sparse layer with one that forgets is the exercise ring-buffer")
        allowed = self.allowed(x.shape[1])
        if mask is not None:
            allowed = allowed * (_numpy(mask) != 0)
        y, weights = self._masked(x, allowed)
        return y, weights if return_attention else None
