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
    m = torch.mean(x, -1, True)
    v = torch.var(x, -1, True, unbiased=False)
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
    p = log_softmax(x, -1)
    return -torch.gather(p, -1, target.unsqueeze(-1)).mean()


def one_hot(x, num_classes=-1):
    n = int(x.max().item()) + 1 if num_classes == -1 else num_classes
    return (x.unsqueeze(-1) == torch.arange(n)).long()


def dropout(x, p=0.5, training=True, inplace=False):
    # Dropout has no effect, because nothing is trained here.
    return x


def pad(x, pad, mode="constant", value=0.0):
    import numpy as np

    widths = [(0, 0)] * x.dim()
    for i in range(len(pad) // 2):
        widths[-1 - i] = (pad[2 * i], pad[2 * i + 1])
    return torch.Tensor(np.pad(x.numpy(), widths, constant_values=value)._h)


def scaled_dot_product_attention(*args, **more):
    raise NotImplementedError("this one is yours to write: softmax(Q Kᵀ / √d) V")


def __getattr__(name):
    raise AttributeError("torch.nn.functional.%s is not in this small part of torch" % name)
