"""PyTorch's side of the trainings of `npm run bench:native`: one request a line, one answer a line.

First line out: {"about": …} or {"error": …}. {"begin": {"batch", "model", "how", "parameters",
"batches"}} trains on the batches from the parameters; answer {"form": {"losses", "norms",
"parameters"}, …}. {"seconds": s}: {"form": milliseconds of a step, …}, CPU time on one thread.

The model is the one that attn/models/language_model.hpp describes, written as users of PyTorch
write it, with its own differentiation and AdamW.
"""

import json
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError as error:
    print(json.dumps({"error": str(error)}), flush=True)
    sys.exit()

LINEAR_EPSILON, IGNORED = 1e-6, -100


class Attention(nn.Module):
    """Softmax attention, or linear attention with the second-order Taylor map.

    That map's kernel is a polynomial of q·k. At this length its n×n weights are less work than its
    features, as in the core and in the form that tfjs is given.
    """

    def __init__(self, mixer, d, n):
        super().__init__()
        self.heads = mixer.get("heads", 1)
        self.d_v = d // self.heads
        self.d_k = mixer.get("dK", self.d_v)
        self.linear = mixer.get("id") == "linear"
        assert not self.linear or mixer["featureMap"] == "taylor"
        self.in_proj_weight = nn.Parameter(torch.empty(2 * self.heads * self.d_k + d, d))
        self.out_proj = nn.Linear(d, d, bias=False)
        seen = torch.ones(n, n).tril()
        mask = seen if self.linear else torch.zeros(n, n).masked_fill(seen == 0, -torch.inf)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        batch, n, d = x.shape
        width = self.heads * self.d_k
        q, k, v = F.linear(x, self.in_proj_weight).split([width, width, d], dim=2)
        q, k = (a.view(batch, n, self.heads, self.d_k).transpose(1, 2) for a in (q, k))
        v = v.view(batch, n, self.heads, self.d_v).transpose(1, 2)
        scores = (q * self.d_k**-0.5) @ k.transpose(2, 3)
        if self.linear:
            weights = (1 + scores + scores * scores / 2) * self.mask
            out = (weights @ v) / (weights.sum(dim=3, keepdim=True) + LINEAR_EPSILON)
        else:
            out = torch.softmax(scores + self.mask, dim=3) @ v
        return self.out_proj(out.transpose(1, 2).reshape(batch, n, d))


class ShortConvolution(nn.Module):
    """(taps * x) ∘ (x·W + b) + x."""

    def __init__(self, mixer, d, taps, sliced):
        super().__init__()
        assert mixer["parameters"]["add_input"] == 1
        self.conv = nn.Conv1d(d, d, taps, groups=d, padding=taps - 1)
        self.projection = nn.Linear(d, d)
        self.sliced = sliced

    def forward(self, x):
        n = x.shape[1]
        if self.sliced:
            taps = self.conv.weight[:, 0].T
            padded = F.pad(x, (0, 0, len(taps) - 1, 0))
            convolved = self.conv.bias + sum(padded[:, j : j + n] * t for j, t in enumerate(taps))
        else:
            convolved = self.conv(x.transpose(1, 2))[:, :, :n].transpose(1, 2)
        return convolved * self.projection(x) + x


class Block(nn.Module):
    def __init__(self, model, mixer, taps, sliced):
        super().__init__()
        d, inner = model["dModel"], model.get("feedForward", 0)
        self.ln1 = nn.LayerNorm(d)
        if mixer.get("id") == "short_conv":
            self.attn = ShortConvolution(mixer, d, taps, sliced)
        else:
            self.attn = Attention(mixer, d, model["length"])
        self.inner = inner
        if inner:
            self.ln2 = nn.LayerNorm(d)
            self.fc1 = nn.Linear(d, inner)
            self.fc2 = nn.Linear(inner, d)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.fc2(F.gelu(self.fc1(self.ln2(x)))) if self.inner else x


class LanguageModel(nn.Module):
    def __init__(self, model, taps, sliced):
        super().__init__()
        d, n, vocabulary = model["dModel"], model["length"], model["vocabulary"]
        self.tok = nn.Embedding(vocabulary, d)
        self.pos = nn.Embedding(n, d) if model.get("positions", True) else None
        mixers = model["mixers"]
        if len(mixers) == 1:
            mixers = mixers * model["layers"]
        self.blocks = nn.Sequential(*(Block(model, mixer, taps, sliced) for mixer in mixers))
        self.lnf = nn.LayerNorm(d)
        self.head = None if model.get("tied") else nn.Linear(d, vocabulary, bias=False)

    def loss(self, tokens, targets, counted):
        """`counted`: whether logits are made only where a target counts."""
        x = self.tok(tokens)
        if self.pos is not None:
            x = x + self.pos.weight
        x, targets = self.blocks(x).flatten(0, 1), targets.flatten()
        if counted:
            where = (targets != IGNORED).nonzero()[:, 0]
            x, targets = x[where], targets[where]
        logits = F.linear(self.lnf(x), self.tok.weight if self.head is None else self.head.weight)
        return F.cross_entropy(logits, targets, ignore_index=IGNORED)


class Form:
    """A model with its optimiser.

    `tuned` is what a user finds who looks for speed: logits only where a target counts, and taps as
    sums of slices. `foreach` is the form of AdamW that updates all parameters in one call.
    """

    def __init__(self, given, tuned, foreach):
        start = {
            name: torch.tensor(p["data"]).view(p["rows"] if p["vector"] else (p["rows"], p["cols"]))
            for name, p in given["parameters"].items()
        }
        taps = next((p.shape[1] for name, p in start.items() if name.endswith("conv.weight")), 0)
        self.model = LanguageModel(given["model"], taps, tuned)
        own = dict(self.model.named_parameters())
        assert own.keys() == start.keys(), own.keys() ^ start.keys()
        with torch.no_grad():
            for name, p in own.items():
                p.copy_(start[name].view_as(p))
        decay, rate = given["how"]["weightDecay"], given["how"]["learningRate"]
        decaying = {name for name, p in given["parameters"].items() if p["decays"]}
        groups = [
            {"params": [own[name] for name in names], "weight_decay": by}
            for names, by in ((decaying, decay), (own.keys() - decaying, 0.0))
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=rate, foreach=foreach)
        n = given["model"]["length"]
        self.batches = [
            [torch.tensor(one[key]).view(-1, n) for key in ("tokens", "targets")]
            for one in given["batches"]
        ]
        partly = any((targets == IGNORED).any() for _, targets in self.batches)
        self.counted = bool(tuned and partly)
        self.next = 0

    def step(self):
        tokens, targets = self.batches[self.next % len(self.batches)]
        self.next += 1
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.model.loss(tokens, targets, self.counted)
        loss.backward()
        self.optimizer.step()
        return loss

    def agreement(self):
        losses = [self.step().item()]
        own = dict(self.model.named_parameters())
        norms = {name: p.grad.norm().item() for name, p in own.items()}
        losses += [self.step().item() for _ in self.batches[1:]]
        count = sum(p.numel() for p in own.values())
        return {"losses": losses, "norms": norms, "parameters": count}

    def milliseconds(self, seconds):
        steps, start = 0, time.process_time()
        while True:
            self.step()
            steps += 1
            took = time.process_time() - start
            if took >= seconds:
                return 1000 * took / steps


def main():
    torch.set_num_threads(1)
    print(json.dumps({"about": f"PyTorch {torch.__version__}"}), flush=True)
    forms = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "begin" in request:
            given = request["begin"]
            forms = {
                "as written": Form(given, tuned=False, foreach=False),
                "tuned": Form(given, tuned=True, foreach=False),
                "tuned, foreach": Form(given, tuned=True, foreach=True),
            }
            answer = {name: form.agreement() for name, form in forms.items()}
        else:
            answer = {name: form.milliseconds(request["seconds"]) for name, form in forms.items()}
        print(json.dumps(answer), flush=True)


main()
