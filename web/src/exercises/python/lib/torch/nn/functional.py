from _native import *
import torch
from torch import log_softmax, relu, sigmoid, softmax, tanh


def elu(x, alpha=1.0):
    return torch.where(x > 0, x, alpha * torch.expm1(torch.clamp(x, max=0.0)))


def leaky_relu(x, slope=0.01):
    return torch.where(x > 0, x, slope * x)


def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + torch.erf(x * 0.7071067811865476))


def silu(x):
    return x * torch.sigmoid(x)


def softplus(x):
    return torch.log1p(torch.exp(-torch.abs(x))) + torch.clamp(x, min=0.0)


def normalize(x, p=2.0, dim=1, eps=1e-12):
    return x / torch.clamp(torch.norm(x, p, dim, True), min=eps)


def cosine_similarity(x, y, dim=1, eps=1e-8):
    n = torch.norm(x, 2, dim) * torch.norm(y, 2, dim)
    return torch.sum(x * y, dim) / torch.clamp(n, min=eps)


def layer_norm(x, shape, weight=None, bias=None, eps=1e-5):
    shape = [n for n in shape]
    sizes = [n for n in x.shape]
    if sizes[-len(shape) :] != shape:
        raise RuntimeError(
            "Given normalized_shape=%s, expected input with shape [*, %s], but got input of size%s"
            % (shape, ", ".join([str(n) for n in shape]), sizes)
        )
    axes = tuple([-1 - k for k in range(len(shape))])
    m = torch.mean(x, axes, True)
    v = torch.var(x, axes, True, unbiased=False)
    y = (x - m) / torch.sqrt(v + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def linear(x, weight, bias=None):
    y = x @ weight.T
    return y if bias is None else y + bias


def mse_loss(x, y, reduction="mean"):
    d = (x - y) ** 2
    return d.mean() if reduction == "mean" else d.sum() if reduction == "sum" else d


def cross_entropy(x, target):
    if x.dim() != 2 or target.dim() != 1:
        raise NotImplementedError(
            "cross_entropy takes scores [n, classes] and n class numbers in this small part of torch"
        )
    for t in target.tolist():
        if not 0 <= t < x.shape[-1]:
            raise IndexError("Target %d is out of bounds." % t)
    p = log_softmax(x, -1)
    return -torch.gather(p, -1, target.unsqueeze(-1)).mean()


def one_hot(x, num_classes=-1):
    n = int(x.max().item()) + 1 if num_classes == -1 else num_classes
    if x.numel() and int(x.max().item()) >= n:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (x.unsqueeze(-1) == torch.arange(n)).long()


def dropout(x, p=0.5, training=True, inplace=False):
    # Of a module (nn.Dropout) there is no training here, so it drops nothing. This one says what it does.
    if not 0 <= p <= 1:
        raise ValueError("dropout probability has to be between 0 and 1, but got %s" % p)
    if not training or p == 0:
        return x
    kept = torch.rand(*x.shape) >= p
    return x * kept / (1.0 - p) if p < 1 else x * 0.0


def pad(x, pad, mode="constant", value=0.0):
    import numpy as np

    if mode != "constant":
        raise NotImplementedError("F.pad has mode='constant' only in this small part of torch; np.pad has more")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > x.dim():
        raise RuntimeError("Padding length too large")
    widths = [(0, 0)] * x.dim()
    for i in range(len(pad) // 2):
        widths[-1 - i] = (pad[2 * i], pad[2 * i + 1])
    return torch.Tensor(np.pad(x.numpy(), widths, constant_values=value)._h)


def scaled_dot_product_attention(*args, **more):
    raise NotImplementedError("this one is yours to write: softmax(Q Kᵀ / √d) V")


def __getattr__(name):
    raise AttributeError("torch.nn.functional.%s is not in this small part of torch" % name)
