# A small part of PyTorch on numpy.py, for forward computation only. It has no autograd: the gradients on the page
# come from the core. `torch.manual_seed` starts one of NumPy's streams, so the numbers differ from PyTorch's own.
from _native import *
import math as _math
import _host
import numpy as _np
from numpy import (
    _a,
    _bin,
    _explained,
    _h,
    _hd,
    _lengths,
    _many,
    _red,
    _scalar,
    _un,
    asarray,
    inf,
    nan,
    ndarray,
    pi,
)

__version__ = "2.0 (small part, over NumPy)"


# ---- Errors: the array engine speaks as NumPy does, PyTorch otherwise ----------------------------------------


def _fail(r):
    # Raises what PyTorch would for an error of the engine's.
    if type(r) is not str:
        raise RuntimeError("the array engine answered " + repr(r))
    kind, message = r[1:].split("|", 1)
    message, *explained = message.split("\x02", 1)
    kind, message = _said(kind, message)
    error = (_kinds[kind] if kind in _kinds else RuntimeError)(message)
    raise _explained(error, explained[0]) if explained else error


_kinds = {
    "IndexError": IndexError,
    "TypeError": TypeError,
    "ValueError": ValueError,
    "MemoryError": MemoryError,
    "NotImplementedError": NotImplementedError,
    "OverflowError": OverflowError,
}


def _shapes_in(text):
    # All that looks like NumPy's "(2,3)", as lists.
    out = []
    for part in text.split("(")[1:]:
        part = part.split(")")[0]
        if "n" not in part and "k" not in part:
            out.append([_integer(n) for n in part.split(",") if n])
    return out


def _said(kind, message):
    if kind == "AxisError":
        words = message.split("axis ")[-1].split(" ")
        return "IndexError", _no_dim(_integer(words[0]), _integer(message.split(" ")[-1]))
    if kind == "IndexError":
        if message.startswith("too many indices"):
            n = message.split("array is ")[1].split("-")[0]
            return kind, "too many indices for tensor of dimension " + n
        return kind, message.replace(" for axis ", " for dimension ").replace(
            "arrays used as indices must be of integer (or boolean) type",
            "tensors used as indices must be long, byte or bool tensors",
        )
    if kind == "UFuncTypeError":
        words = message.split("dtype('")
        names = [_names_of[w.split("'")[0]] for w in words[1:]]
        return "RuntimeError", "result type %s can't be cast to the desired output type %s" % tuple(names)
    if kind != "ValueError" and kind != "LinAlgError":
        return kind, message
    shapes = _shapes_in(message)
    if message.startswith("operands could not be broadcast together with shapes"):
        message = _sizes_differ(shapes) or message
    elif message.startswith("operands could not be broadcast together with remapped shapes") and len(shapes) == 2:
        message = _not_expanded(shapes[0], shapes[1])
    elif message.startswith("could not broadcast input array"):
        message = _not_expanded(shapes[0], shapes[1])
    elif message.startswith("shape mismatch: value array"):
        message = "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s" % (
            shapes[0],
            shapes[1],
        )
    elif message.startswith("NumPy boolean array indexing assignment"):
        n = [w for w in message.split(" ") if w.isdigit()]
        message = "shape mismatch: value tensor of shape [%s] cannot be broadcast to indexing result of shape [%s]" % tuple(n)
    elif message.startswith("non-broadcastable output operand"):
        message = "output with shape %s doesn't match the broadcast shape %s" % (shapes[0], shapes[1])
    elif message.startswith("repeated axis in transpose"):
        message = "permute(): duplicate dims are not allowed."
    elif message.startswith("assignment destination is read-only") or message.startswith("output array is read-only"):
        message = _one_place
    return "RuntimeError", message


_names_of = {"bool": "Bool", "int64": "Long", "float32": "Float", "float64": "Double"}
_one_place = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


def _no_dim(d, n):
    n = n or 1
    return "Dimension out of range (expected to be in range of [%d, %d], but got %d)" % (-n, n - 1, d)


def _dim(d, n):
    # An axis of n axes, from 0.
    if not -(n or 1) <= d < (n or 1):
        raise IndexError(_no_dim(d, n))
    return d % (n or 1)


def _sizes_differ(shapes):
    # From the last axis on: the first in which two shapes do not fit.
    a = shapes[0]
    for b in shapes[1:]:
        n = a if len(a) > len(b) else b
        both = []
        for k in range(1, len(n) + 1):
            x = a[-k] if k <= len(a) else 1
            y = b[-k] if k <= len(b) else 1
            if x != y and x != 1 and y != 1:
                return "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d" % (
                    x,
                    y,
                    len(n) - k,
                )
            both.insert(0, y if x == 1 else x)
        a = both
    return None


def _not_expanded(shape, sizes):
    if len(shape) > len(sizes):
        return (
            "expand(torch.FloatTensor{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the "
            "number of dimensions in the tensor (%d)" % (shape, sizes, len(sizes), len(shape))
        )
    for k in range(1, len(shape) + 1):
        if shape[-k] != sizes[-k] and shape[-k] != 1:
            return (
                "The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  "
                "Target sizes: %s.  Tensor sizes: %s" % (sizes[-k], shape[-k], len(sizes) - k, sizes, shape)
            )
    return "the sizes %s do not fit a tensor of shape %s" % (sizes, shape)


def _lists(x):
    return [n for n in x]


class dtype(_np.dtype):
    def __repr__(self):
        return "torch." + _np._names[self._code]

    __str__ = __repr__


def _made(d):
    r = dtype(d)
    _np._codes[str(r)] = r._code
    return r


bool = _made(_np.bool_)
int64 = long = int = _made(_np.int64)
float32 = _made(_np.float32)
float64 = double = _made(_np.float64)
_dtypes = (bool, int64, float32, float64)
_types = (_np.dtype, dtype)


class device:
    def __init__(self, name="cpu", index=None):
        self.type = "cpu"

    def __eq__(self, o):
        return str(o) == "cpu"

    def __str__(self):
        return "cpu"

    def __repr__(self):
        return "device(type='cpu')"


_cpu = device()
_no_grad = (
    "there is no autograd here: work out the gradient by hand, or compare with the lesson's gradients"
)


def _code(d, default):
    if d is None:
        return default
    return d._code if isinstance(d, _types) else _np._code(d)


def _t(r):
    if type(r) is _integer:
        return Tensor(r)
    _fail(r)


_integer = type(1)
_real = type(1.0)
_truth = type(True)


def _hh(x):
    return x._h if isinstance(x, ndarray) else _h(x)


def _like(x, h):
    # A plain number takes the dtype of the tensor beside it, unless its own kind is wider.
    if isinstance(x, ndarray):
        return x._h
    return _h(x)


class Size(tuple):
    def __repr__(self):
        return "torch.Size(%s)" % list(self)

    __str__ = __repr__

    def numel(self):
        n = 1
        for k in self:
            n *= k
        return n


class _Pair:
    def __init__(self, name, values, indices):
        self._name = name
        self.values = values
        self.indices = indices

    def __getitem__(self, i):
        return (self.values, self.indices)[i]

    def __iter__(self):
        return iter((self.values, self.indices))

    def __len__(self):
        return 2

    def __repr__(self):
        return "torch.return_types.%s(\nvalues=%r,\nindices=%r)" % (self._name, self.values, self.indices)


def _op(op, h, o, side):
    t = type(o)
    if t is Tensor:
        r = _bin(op, h, o._h)
    elif t is _real or t is _integer and (-1000000000 < o < 1000000000 or h & 2) or t is _truth:
        if h & 60 == 0 or (op == 3 and h & 2 == 0):
            return _op(op, h, Tensor(_scalar(_real(o), 2) if t is _real and h & 3 != 3 else _h(o)), side)
        r = _np._bins(op, h, _real(o), (3 if t is _real or h & 2 else 1 if t is _integer else 0) + side)
        if type(r) is _integer and r & 3 == 3 and h & 2 == 0:
            # In torch, an integer tensor combined with a real number gives float32.
            r = _host.astype(r, 2)
        return _t(r)
    elif o is None or t is str:
        raise TypeError("unsupported operand type(s) for %s: 'Tensor' and '%s'" % (_host.binaryName(op), t.__name__))
    else:
        k = _h(o)
        r = _bin(op, k, h) if side else _bin(op, h, k)
    if type(r) is _integer and op == 3 and r & 3 == 3 and h & 2 == 0:
        r = _host.astype(r, 2)
    return _t(r)


def _dims(dim):
    return () if dim is None else (dim,) if type(dim) is _integer else tuple(dim)


def _pick(dim, axis):
    return axis if dim is None else dim


class Tensor(ndarray):
    requires_grad = False
    grad = None
    is_cuda = False
    device = _cpu
    __module__ = "torch"

    @property
    def dtype(self):
        return _dtypes[self._h & 3]

    @property
    def T(self):
        return Tensor(_host.transpose(self._h))

    @property
    def mT(self):
        return self.transpose(-2, -1)

    @property
    def shape(self):
        return _shape_of(self)

    @property
    def data(self):
        return self

    def __str__(self):
        return _host.tensorText(self._h)

    __repr__ = __str__

    # Indexing always returns tensors, also of rank 0.

    def __getitem__(self, k):
        if type(k) is _integer:
            return _t(_np._view1(self._h, k))
        return _t(_np._index(self._h, *_np._parts(k)))

    def __setitem__(self, k, v):
        parts = _np._parts(k)
        if _host.overlaps(self._h):
            # Part of an expanded tensor can be written to where no two of its entries are one.
            part = _np._index(self._h, *parts)
            if type(part) is _integer and _host.overlaps(part):
                raise RuntimeError(_one_place)
        r = _np._setindex(self._h, _hh(v), *parts)
        if r is not None:
            _fail(r)

    def __iadd__(self, o):
        return _in_place(0, self, o)

    def __isub__(self, o):
        return _in_place(1, self, o)

    def __imul__(self, o):
        return _in_place(2, self, o)

    def __itruediv__(self, o):
        return _in_place(3, self, o)

    def __ifloordiv__(self, o):
        return _in_place(4, self, o)

    def __imod__(self, o):
        return _in_place(5, self, o)

    def __ipow__(self, o):
        return _in_place(7, self, o)

    def __iand__(self, o):
        return _in_place(25, self, o)

    def __ior__(self, o):
        return _in_place(26, self, o)

    def __ixor__(self, o):
        return _in_place(27, self, o)

    def __len__(self):
        if not self._h & 60:
            raise TypeError("len() of a 0-d tensor")
        return _host.length(self._h, 0)

    def __int__(self):
        return _integer(self._only())

    def _only(self):
        if self._count() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __iter__(self):
        if not self._h & 60:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[i] for i in range(len(self))])

    def item(self):
        if self._count() != 1:
            raise RuntimeError("a Tensor with %d elements cannot be converted to Scalar" % self._count())
        return _np._plain(ndarray(self._h).item())

    def __bool__(self):
        if self._count() != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return True if self.item() else False

    def numel(self):
        return self._count()

    nelement = numel

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[_dim(dim, self.dim())]

    def dim(self):
        return (self._h >> 2) & 15

    ndimension = dim

    # Operators.

    def __add__(self, o):
        return _op(0, self._h, o, 0)

    def __radd__(self, o):
        return _op(0, self._h, o, 4)

    def __sub__(self, o):
        return _op(1, self._h, o, 0)

    def __rsub__(self, o):
        return _op(1, self._h, o, 4)

    def __mul__(self, o):
        return _op(2, self._h, o, 0)

    def __rmul__(self, o):
        return _op(2, self._h, o, 4)

    def __truediv__(self, o):
        return _op(3, self._h, o, 0)

    def __rtruediv__(self, o):
        return _op(3, self._h, o, 4)

    def __floordiv__(self, o):
        return _op(4, self._h, o, 0)

    def __mod__(self, o):
        return _op(5, self._h, o, 0)

    def __pow__(self, o):
        return _op(7, self._h, o, 0)

    def __rpow__(self, o):
        return _op(7, self._h, o, 4)

    def __eq__(self, o):
        return _op(16, self._h, o, 0)

    def __ne__(self, o):
        return _op(17, self._h, o, 0)

    def __lt__(self, o):
        return _op(18, self._h, o, 0)

    def __le__(self, o):
        return _op(19, self._h, o, 0)

    def __gt__(self, o):
        return _op(20, self._h, o, 0)

    def __ge__(self, o):
        return _op(21, self._h, o, 0)

    def __and__(self, o):
        return _op(25, self._h, o, 0)

    def __or__(self, o):
        return _op(26, self._h, o, 0)

    def __xor__(self, o):
        return _op(27, self._h, o, 0)

    def __invert__(self):
        return _t(_un(39, self._h))

    def __neg__(self):
        return _t(_un(0, self._h))

    def __abs__(self):
        return _t(_un(2, self._h))

    def __matmul__(self, o):
        return matmul(self, o)

    def __rmatmul__(self, o):
        return matmul(o, self)

    def __hash__(self):
        return id(self)

    # Shapes.

    def view(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], _types):
            raise NotImplementedError("view with another dtype is not in this part of torch; use .to(dtype)")
        shape = _lengths(shape[0]) if len(shape) == 1 else shape
        r = self.reshape(*shape)
        if not _host.shares(r._h, self._h) and self._count():
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
                "contiguous subspaces). Use .reshape(...) instead."
            )
        return r

    def reshape(self, *shape):
        shape = _lengths(shape[0]) if len(shape) == 1 else shape
        r = _host.reshape(self._h, *shape)
        if type(r) is str:
            if "unknown dimension" in r:
                raise RuntimeError("only one dimension can be inferred")
            for n in shape:
                if n < -1:
                    raise RuntimeError("invalid shape dimension %d" % n)
            raise RuntimeError("shape '%s' is invalid for input of size %d" % (_lists(shape), self._count()))
        return Tensor(r)

    def transpose(self, a, b):
        return _t(_host.swapaxes(self._h, a, b))

    swapaxes = swapdims = transpose

    def t(self):
        if self.dim() > 2:
            raise RuntimeError("t() expects a tensor with <= 2 dimensions, but self is %dD" % self.dim())
        return _t(_host.transpose(self._h))

    def permute(self, *dims):
        dims = tuple(dims[0]) if len(dims) == 1 and type(dims[0]) is not _integer else dims
        if len(dims) != self.dim():
            raise RuntimeError(
                "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
                "ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %d" % (self.dim(), len(dims))
            )
        return _t(_host.transpose(self._h, *dims)) if dims else self

    def contiguous(self):
        return self if self.is_contiguous() else self.clone()

    def is_contiguous(self):
        return ndarray(self._h).flags.c_contiguous

    def unsqueeze(self, dim):
        return _t(_host.expandDims(self._h, _dim(dim, self.dim() + 1)))

    def squeeze(self, dim=None):
        if dim is not None and self._h & 60:
            dim = _dim(dim, self.dim())
            if self.shape[dim] != 1:
                return self
        return _t(_host.squeeze(self._h, *_dims(dim)))

    def expand(self, *sizes):
        sizes = tuple(sizes[0]) if len(sizes) == 1 and type(sizes[0]) is not _integer else sizes
        lead = len(sizes) - self.dim()
        sizes = [self.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(sizes)]
        r = _t(_host.broadcastTo(self._h, *sizes))
        # PyTorch refuses only what would write into one entry twice.
        _host.setWriteable(r._h, _host.writeable(self._h))
        return r

    def expand_as(self, o):
        return self.expand(*o.shape)

    def repeat(self, *times):
        times = tuple(times[0]) if len(times) == 1 and type(times[0]) is not _integer else times
        if len(times) < self.dim():
            raise RuntimeError(
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
            )
        return _t(_host.tile(self._h, *times))

    def repeat_interleave(self, n, dim=None):
        return _wrap(_np.repeat(ndarray(self._h), n, dim))

    def flatten(self, start_dim=0, end_dim=-1):
        s = self.shape
        n = len(s)
        if n == 0:
            return self.reshape(1)
        start, end = _dim(start_dim, n), _dim(end_dim, n)
        if start > end:
            raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
        return self.reshape(s[:start] + (-1,) + s[end + 1 :])

    def clone(self):
        return _t(_host.copy(self._h))

    # Types.

    def to(self, *args, **more):
        for a in list(args) + list(more.values()):
            if isinstance(a, _types):
                return self._as(a._code)
            if isinstance(a, Tensor):
                return self._as(a._h & 3)
            if str(a).startswith("cuda"):
                raise RuntimeError("there is no GPU here; leave the tensor on 'cpu'")
        return self

    def _as(self, d):
        return self if self._h & 3 == d else _t(_host.astype(self._h, d))

    def float(self):
        return self._as(2)

    def double(self):
        return self._as(3)

    def long(self):
        return self._as(1)

    def int(self):
        return self._as(1)

    def bool(self):
        return self._as(0)

    def half(self):
        raise RuntimeError("float16 is not in this part of torch; use .float()")

    def type(self, d=None):
        return "torch.%sTensor" % ("Bool", "Long", "Float", "Double")[self._h & 3] if d is None else self.to(d)

    def type_as(self, o):
        return self._as(o._h & 3)

    def cpu(self):
        return self

    def detach(self):
        return self

    def numpy(self):
        return ndarray(self._h)

    def cuda(self):
        raise RuntimeError("there is no GPU here; leave the tensor on 'cpu'")

    def backward(self, *args, **more):
        raise RuntimeError(_no_grad)

    def requires_grad_(self, on=True):
        raise RuntimeError(_no_grad)

    def retain_grad(self):
        raise RuntimeError(_no_grad)

    # In place.

    def _put(self, r):
        if isinstance(r, ndarray):
            if _host.overlaps(self._h):
                raise RuntimeError(_one_place)
            if r._h & 3 > self._h & 3 and "biff"[r._h & 3] != "biff"[self._h & 3]:
                _fail("!UFuncTypeError|dtype('%s') dtype('%s')" % (_np._names[r._h & 3], _np._names[self._h & 3]))
        r = _np._setindex(self._h, _hh(r), 3)
        if r is not None:
            _fail(r)
        return self

    def fill_(self, x):
        return self._put(x)

    def zero_(self):
        return self._put(0)

    def copy_(self, x):
        # Of any type: it is cast.
        return self._put(_wrap(x)._as(self._h & 3))

    def add_(self, o, alpha=1):
        return _in_place(0, self, o if alpha == 1 else alpha * o)

    def sub_(self, o, alpha=1):
        return _in_place(1, self, o if alpha == 1 else alpha * o)

    def mul_(self, o):
        return _in_place(2, self, o)

    def div_(self, o):
        return _in_place(3, self, o)

    def masked_fill_(self, mask, value):
        self[...] = self.masked_fill(mask, value)
        return self

    def clamp_(self, min=None, max=None):
        return self._put(clamp(self, min, max))

    def normal_(self, mean=0.0, std=1.0):
        return self._put(randn(*self.shape) * std + mean)

    def uniform_(self, a=0.0, b=1.0):
        return self._put(rand(*self.shape) * (b - a) + a)

    def masked_fill(self, mask, value):
        value = value.item() if isinstance(value, ndarray) else value
        h = self._h
        m = _hh(mask)
        if m & 3:
            raise RuntimeError(
                "masked_fill only supports boolean masks, but got mask with dtype %s; write masked_fill(mask == 0, …)"
                % _dtypes[m & 3]
            )
        return _t(_host.where(m, _hd(value, h & 3), h))

    def new_zeros(self, *s):
        return zeros(*s, dtype=self.dtype)

    def new_ones(self, *s):
        return ones(*s, dtype=self.dtype)

    def new_full(self, s, x):
        return full(s, x, dtype=self.dtype)

    def new_tensor(self, x):
        return tensor(x, dtype=self.dtype)

    def __array__(self):
        return ndarray(self._h)

    def __getattr__(self, name):
        n = name[:1] != "_" and _np._meant(name, list(Tensor.__dict__))
        raise AttributeError(
            "'Tensor' object has no attribute '%s' in this small part of torch%s"
            % (name, "; did you mean .%s?" % n if n else "")
        )


# Reads the shape as ndarray does, but without a second cache in each tensor.
def _shape_of(x):
    h = x._h
    return Size([_host.length(h, i) for i in range((h & 60) >> 2)])


def _in_place(op, x, o):
    h = x._h
    if _host.overlaps(h):
        raise RuntimeError(_one_place)
    t = type(o)
    if t is _real or t is _integer and h & 2:
        r = _np._inps(op, h, _real(o), 3)
    elif t is _integer and -1000000000 < o < 1000000000:
        r = _np._inps(op, h, o, 1)
    else:
        r = _np._inp(op, h, _hh(o))
    if r is not None:
        _fail(r)
    return x


def _wrap(x):
    return Tensor(x._h if isinstance(x, ndarray) else _h(x))


def _along(name, op, ddof=0):
    def f(x, dim=None, keepdim=False, axis=None, keepdims=False, dtype=None, unbiased=None, correction=None):
        h = _hh(x)
        if type(dim) is _truth:
            dim, unbiased = None, dim
        dim = _pick(dim, axis)
        if op in (4, 5, 6) and h & 2 == 0:
            if dtype is None:
                if op > 4:
                    raise RuntimeError("std and var only support floating point and complex dtypes")
                raise RuntimeError(
                    "%s(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                    "Got: %s" % (name, "Bool" if h & 3 == 0 else "Long")
                )
        if dtype is not None:
            h = _hd(ndarray(h), _code(dtype, 2))
        d = ddof if unbiased is None else (1 if unbiased else 0)
        if isinstance(dim, (list, tuple)):
            seen = []
            for k in dim:
                k = _dim(k, (h & 60) >> 2)
                if k in seen:
                    raise RuntimeError("dim %d appears multiple times in the list of dims" % k)
                seen.append(k)
        return _t(_red(op, h, keepdim or keepdims, d if correction is None else correction, *_dims(dim)))

    return f


sum = _along("sum", 0)
prod = _along("prod", 1)
amax = _along("amax", 2)
amin = _along("amin", 3)
mean = _along("mean", 4)
var = _along("var", 5, 1)
std = _along("std", 6, 1)
any = _along("any", 7)
all = _along("all", 8)
count_nonzero = _along("count_nonzero", 9)
nansum = _along("nansum", 10)
nanmean = _along("nanmean", 13)


_no_numbers = "%s(): Expected reduction dim to be specified for input.numel() == 0."


def _extreme(name, op, arg, two):
    def f(x, dim=None, keepdim=False, axis=None):
        h = _hh(x)
        if isinstance(dim, ndarray):
            return _t(_bin(two, h, dim._h))
        dim = _pick(dim, axis)
        if dim is None:
            if not ndarray(h).size:
                raise RuntimeError(_no_numbers % name + " Specify the reduction dim with the 'dim' argument.")
            return _t(_red(op, h, False, 0))
        return _Pair(name, _t(_red(op, h, keepdim, 0, dim)), _t(arg(h, dim, keepdim)))

    return f


max = _extreme("max", 2, _host.argmax, 8)
min = _extreme("min", 3, _host.argmin, 9)


def argmax(x, dim=None, keepdim=False):
    if dim is None and not ndarray(_hh(x)).size:
        raise IndexError(_no_numbers % "argmax")
    return _t(_host.argmax(_hh(x), dim, keepdim))


def argmin(x, dim=None, keepdim=False):
    if dim is None and not ndarray(_hh(x)).size:
        raise IndexError(_no_numbers % "argmin")
    return _t(_host.argmin(_hh(x), dim, keepdim))


def cumsum(x, dim):
    return _t(_host.cumsum(_hh(x), dim))


def cumprod(x, dim):
    return _t(_host.cumprod(_hh(x), dim))


def median(x):
    return _wrap(_np.sort(ndarray(_hh(x)).ravel())[(ndarray(_hh(x)).size - 1) // 2])


def logsumexp(x, dim, keepdim=False):
    m = amax(x, dim, True)
    r = m + log(sum(exp(x - m), dim, True))
    return r if keepdim else r.squeeze(dim)


def norm(x, p="fro", dim=None, keepdim=False):
    h = _hh(x)
    if dim is None:
        h = _host.reshape(h, -1)
    return _t(_host.norm(h, None if p == "fro" else p, keepdim, *_dims(dim)))


# Entry by entry.


def _one(op):
    def f(x, out=None):
        h = _hh(x)
        r = _un(op, h)
        if type(r) is _integer and r & 3 == 3 and h & 2 == 0:
            r = _host.astype(r, 2)
        return _t(r)

    return f


for _i, _n in (
    (0, "neg negative"),
    (2, "abs absolute"),
    (3, "sign"),
    (4, "square"),
    (5, "sqrt"),
    (7, "reciprocal"),
    (8, "exp"),
    (9, "exp2"),
    (10, "expm1"),
    (11, "log"),
    (12, "log2"),
    (13, "log10"),
    (14, "log1p"),
    (15, "sin"),
    (16, "cos"),
    (17, "tan"),
    (20, "atan"),
    (23, "tanh"),
    (27, "erf"),
    (28, "floor"),
    (29, "ceil"),
    (30, "trunc"),
    (31, "round"),
    (34, "isnan"),
    (35, "isinf"),
    (36, "isfinite"),
    (38, "logical_not"),
):
    for _m in _n.split():
        globals()[_m] = _one(_i)


def rsqrt(x):
    return 1.0 / sqrt(x)


def sigmoid(x):
    return 1.0 / (1.0 + exp(-_wrap(x)))


def relu(x):
    return clamp(x, min=0)


def _two(op):
    return lambda x, y: _op(op, _hh(x), y if isinstance(y, (Tensor, _real, _integer)) else _wrap(y), 0)


for _i, _n in (
    (2, "mul multiply"),
    (3, "div divide true_divide"),
    (4, "floor_divide"),
    (5, "remainder"),
    (7, "pow"),
    (8, "maximum"),
    (9, "minimum"),
    (16, "eq"),
    (17, "ne not_equal"),
    (18, "lt less"),
    (19, "le"),
    (20, "gt greater"),
    (21, "ge"),
    (22, "logical_and"),
    (23, "logical_or"),
    (24, "logical_xor"),
):
    for _m in _n.split():
        globals()[_m] = _two(_i)


def add(x, y, alpha=1):
    return _wrap(x) + (y if alpha == 1 else alpha * y)


def sub(x, y, alpha=1):
    return _wrap(x) - (y if alpha == 1 else alpha * y)


subtract = sub


def where(c, x=None, y=None):
    if x is None:
        return tuple([Tensor(a._h) for a in _many(_host.nonzero(_hh(c)))])
    a, b = _hh(x), _hh(y)
    # A plain number takes the dtype of the tensor beside it.
    if not isinstance(x, ndarray) and isinstance(y, ndarray) and (b & 2 or type(x) is not _real):
        a = _hd(x, b & 3)
    if not isinstance(y, ndarray) and isinstance(x, ndarray) and (a & 2 or type(y) is not _real):
        b = _hd(y, a & 3)
    return _t(_host.where(_hh(c), a, b))


def clamp(x, min=None, max=None):
    h = _hh(x)
    d = h & 3
    lo = None if min is None else _hd(min, d) if not isinstance(min, ndarray) else min._h
    hi = None if max is None else _hd(max, d) if not isinstance(max, ndarray) else max._h
    return _t(_host.clip(h, lo, hi))


clip = clamp


def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    return _wrap(_np.nan_to_num(ndarray(_hh(x)), True, nan, posinf, neginf))


def softmax(x, dim=None, dtype=None):
    if dim is None:
        raise TypeError("softmax() needs dim=: along which axis the weights sum to 1")
    x = _wrap(x)
    e = exp(x - amax(x, dim, True))
    return e / sum(e, dim, True)


def log_softmax(x, dim, dtype=None):
    x = _wrap(x)
    x = x - amax(x, dim, True)
    return x - log(sum(exp(x), dim, True))


# Products.


def matmul(x, y):
    a, b = _hh(x), _hh(y)
    if a & 3 != b & 3:
        raise RuntimeError("expected m1 and m2 to have the same dtype, but got: %s != %s" % (_dtypes[a & 3], _dtypes[b & 3]))
    r = _host.matmul(a, b)
    if type(r) is str and r[1:11] == "ValueError":
        message, *explained = r.split("\x02", 1)
        error = RuntimeError(_no_product(_lists(ndarray(a).shape), _lists(ndarray(b).shape)))
        raise _explained(error, explained[0]) if explained else error
    return _t(r)


def _no_product(x, y):
    # Why tensors of these shapes are not multiplied, as PyTorch says it.
    if not x or not y:
        return "both arguments to matmul need to be at least 1D, but they are %dD and %dD" % (len(x), len(y))
    if len(y) == 1:
        if len(x) == 1:
            return (
                "inconsistent tensor size, expected tensor [%d] and src [%d] to have the same number of elements, but got "
                "%d and %d elements respectively" % (x[0], y[0], x[0], y[0])
            )
        rows = 1
        for n in x[:-1]:
            rows *= n
        return "size mismatch, got %d, %dx%d,%d" % (rows, rows, x[-1], y[0])
    if len(x) == 1:
        x = [1] + x
    if len(y) == 2:
        rows = 1
        for n in x[:-1]:
            rows *= n
        return "mat1 and mat2 shapes cannot be multiplied (%dx%d and %dx%d)" % (rows, x[-1], y[0], y[1])
    stacks = _sizes_differ([x[:-2], y[:-2]])
    if stacks:
        return stacks
    n = 1
    for k in (x if len(x) > len(y) else y)[:-2]:
        n *= k
    return "Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d]." % (
        n,
        x[-1],
        n,
        y[-2],
    )


def mm(x, y):
    if _hh(x) & 60 != 8 or _hh(y) & 60 != 8:
        raise RuntimeError("mm takes two matrices; use matmul for stacks of them")
    return matmul(x, y)


def bmm(x, y):
    if _hh(x) & 60 != 12 or _hh(y) & 60 != 12:
        raise RuntimeError("batch1 and batch2 must be 3D tensors: [batch, n, d] and [batch, d, m]")
    s, r = _wrap(x).shape, _wrap(y).shape
    if s[0] != r[0] or s[2] != r[1]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d]."
            % (s[0], s[2], r[0], r[1])
        )
    return matmul(x, y)


mv = matmul


def dot(x, y):
    if _hh(x) & 60 != 4 or _hh(y) & 60 != 4:
        raise RuntimeError("1D tensors expected, but got %dD and %dD tensors" % (_wrap(x).dim(), _wrap(y).dim()))
    return matmul(x, y)


def inner(x, y):
    return _wrap(_np.inner(ndarray(_hh(x)), ndarray(_hh(y))))


def outer(x, y):
    for name, a in (("self", x), ("vec2", y)):
        if _hh(a) & 60 != 4:
            raise RuntimeError("outer: Expected 1-D argument %s, but got %d-D" % (name, _wrap(a).dim()))
    return _t(_host.outer(_hh(x), _hh(y)))


ger = outer


def einsum(text, *xs):
    if len(xs) == 1 and isinstance(xs[0], (list, tuple)):
        xs = xs[0]
    r = _host.einsum(text, *[_hh(x) for x in xs])
    if type(r) is str and r[1:11] == "ValueError":
        raise RuntimeError("einsum(): " + _no_einsum(text, xs, r.split("|", 1)[1].split("\x02")[0]))
    return _t(r)


def _no_einsum(text, xs, otherwise):
    text = text.replace(" ", "")
    inputs = text.split("->")[0].split(",")
    if len(inputs) != len(xs):
        few = "fewer" if len(inputs) > len(xs) else "more"
        return "%s operands were provided than specified in the equation" % few
    sizes = {}
    for i, (letters, x) in enumerate(zip(inputs, xs)):
        n = x.dim()
        if "." in letters:
            return otherwise
        if len(letters) != n:
            return (
                "the number of subscripts in the equation (%d) does not match the number of dimensions (%d) for operand %d "
                "and no ellipsis was given" % (len(letters), n, i)
            )
        for c, k in zip(letters, x.shape):
            if sizes.setdefault(c, k) != k and k != 1:
                if sizes[c] != 1:
                    return (
                        "subscript %s has size %d for operand %d which does not broadcast with previously seen size %d"
                        % (c, k, i, sizes[c])
                    )
                sizes[c] = k
    if "->" in text:
        for c in text.split("->")[1]:
            if c not in sizes:
                return "output subscript %s does not appear in the equation for any input operand" % c
    return otherwise


# Making.


def tensor(data, dtype=None, device=None, requires_grad=False):
    if requires_grad:
        raise RuntimeError(_no_grad)
    if isinstance(data, ndarray):
        h = _host.copy(data._h)
        return _t(h) if dtype is None else _t(_hd(ndarray(h), _code(dtype, 2)))
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], Tensor):
        data = [x.tolist() for x in data]
    a = asarray(data)
    h = a._h if isinstance(a, ndarray) else _h(a)
    d = _code(dtype, 2 if h & 3 == 3 else h & 3)
    return _t(_hd(ndarray(h), d))


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, ndarray) and dtype is None:
        return Tensor(data._h)
    return tensor(data, dtype)


def from_numpy(a):
    return Tensor(a._h)


def FloatTensor(x):
    return tensor(x, float32)


def LongTensor(x):
    return tensor(x, int64)


def BoolTensor(x):
    return tensor(x, bool)


def _sizes(s):
    return tuple(s[0]) if len(s) == 1 and type(s[0]) is not _integer else s


def _grad(more):
    if more.get("requires_grad"):
        raise RuntimeError(_no_grad)


def _filled(d, x, s):
    for n in s:
        if type(n) is _integer and n < 0:
            raise RuntimeError("Trying to create tensor with negative dimension %d: %s" % (n, _lists(s)))
    if type(x) is _integer and d == 1:
        return _wrap(_np.full(s, x, _np.int64))
    return _t(_host.full(d, _real(x), *s))


def zeros(*s, dtype=None, device=None, **more):
    _grad(more)
    return _filled(_code(dtype, 2), 0, _sizes(s))


def ones(*s, dtype=None, device=None, **more):
    _grad(more)
    return _filled(_code(dtype, 2), 1, _sizes(s))


empty = zeros


def full(s, x, dtype=None, device=None, **more):
    d = 0 if type(x) is _truth else 1 if type(x) is _integer else 2
    return _filled(_code(dtype, d), x, _lengths(s))


def zeros_like(x, dtype=None, device=None):
    return _t(_host.full(_code(dtype, _hh(x) & 3), 0, *x.shape))


def ones_like(x, dtype=None, device=None):
    return _t(_host.full(_code(dtype, _hh(x) & 3), 1, *x.shape))


empty_like = zeros_like


def full_like(x, v, dtype=None, device=None):
    return _filled(_code(dtype, _hh(x) & 3), v, x.shape)


def arange(start, end=None, step=1, dtype=None, device=None):
    if end is None:
        start, end = 0, start
    d = 2 if _real in (type(start), type(end), type(step)) else 1
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and larger bound inconsistent with step sign")
    return _wrap(_np.arange(start, end, step, _np._dtypes[_code(dtype, d)]))


def linspace(start, end, steps=100, dtype=None, device=None):
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    return _t(_host.linspace(_real(start), _real(end), steps, True))._as(_code(dtype, 2))


def eye(n, m=None, dtype=None, device=None):
    if n < 0:
        raise RuntimeError("n must be greater or equal to 0, got %d" % n)
    return _t(_host.eye(n, n if m is None else m, 0, _code(dtype, 2)))


def _matrices(x, name):
    h = _hh(x)
    if (h & 60) < 8:
        raise RuntimeError("%s: input tensor must have at least 2 dimensions" % name)
    return h


def tril(x, diagonal=0):
    return _t(_host.tril(_matrices(x, "tril"), diagonal))


def triu(x, diagonal=0):
    return _t(_host.triu(_matrices(x, "triu"), diagonal))


def diag(x, diagonal=0):
    if _hh(x) & 60 not in (4, 8):
        raise RuntimeError("diag(): Supports 1D or 2D tensors. Got %dD" % _wrap(x).dim())
    return _t(_host.diag(_hh(x), diagonal))


def diagonal(x, offset=0, dim1=0, dim2=1):
    return _t(_host.diagonal(_hh(x), offset, dim1, dim2))


def trace(x):
    return diagonal(x).sum()


def meshgrid(*xs, indexing="ij"):
    return tuple([Tensor(a._h) for a in _np.meshgrid(*xs, indexing=indexing)])


_stream = None


def _random():
    global _stream
    if _stream is None:
        from numpy.random import RandomState

        _stream = RandomState(0)
    return _stream


def manual_seed(seed):
    _random().seed(seed)


seed = manual_seed


def _drawn(r, dtype):
    return _wrap(r)._as(_code(dtype, 2))


def randn(*s, dtype=None, device=None, generator=None, **more):
    _grad(more)
    return _drawn(_random().standard_normal(_sizes(s)), dtype)


def rand(*s, dtype=None, device=None, generator=None, **more):
    _grad(more)
    return _drawn(_random().random(_sizes(s)), dtype)


def randn_like(x):
    return randn(*x.shape, dtype=x.dtype)


def rand_like(x):
    return rand(*x.shape, dtype=x.dtype)


def randint(low, high=None, size=None, dtype=None, device=None, **more):
    if size is None:
        low, high, size = 0, low, high
    return _wrap(_random().randint(low, high, tuple(size)))


def randperm(n):
    return _wrap(_random().permutation(n))


def normal(mean, std, size):
    return randn(*size) * std + mean


def multinomial(*args, **more):
    raise NotImplementedError("torch.multinomial is not in this small part of torch; use np.random.choice")


# Shapes.


def cat(xs, dim=0, axis=None):
    dim = _pick(axis, dim)
    xs = [_wrap(x) for x in xs]
    if not xs:
        raise RuntimeError("torch.cat(): expected a non-empty list of Tensors")
    n = xs[0].dim()
    if n == 0:
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    at = _dim(dim, n)
    for i, x in enumerate(xs):
        if x.dim() != n:
            raise RuntimeError("Tensors must have same number of dimensions: got %d and %d" % (n, x.dim()))
        for k in range(n):
            if k != at and x.shape[k] != xs[0].shape[k]:
                raise RuntimeError(
                    "Sizes of tensors must match except in dimension %d. Expected size %d but got size %d for tensor number "
                    "%d in the list." % (at, xs[0].shape[k], x.shape[k], i)
                )
    return _t(_host.concatenate(at, *[x._h for x in xs]))


concat = concatenate = cat


def stack(xs, dim=0):
    xs = [_wrap(x) for x in xs]
    if not xs:
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, x in enumerate(xs):
        if x.shape != xs[0].shape:
            raise RuntimeError(
                "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d"
                % (_lists(xs[0].shape), _lists(x.shape), i)
            )
    return _t(_host.stack(dim, *[_hh(x) for x in xs]))


def chunk(x, n, dim=0):
    k = -(-x.shape[_dim(dim, x.dim())] // n)
    return split(x, k, dim)


def split(x, size, dim=0):
    dim = _dim(dim, x.dim())
    total = x.shape[dim]
    if type(size) is _integer:
        cuts = list(range(size, total, size))
    else:
        whole = 0
        for k in size:
            whole += k
        if whole != total:
            raise RuntimeError(
                "split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at dimension %d), but got "
                "split_sizes=%s" % (total, dim, _lists(size))
            )
        cuts = []
        at = 0
        for k in size[:-1]:
            at += k
            cuts.append(at)
    return tuple([Tensor(a._h) for a in _np.array_split(ndarray(_hh(x)), cuts, dim)])


def unbind(x, dim=0):
    dim = _dim(dim, x.dim())
    return tuple([Tensor(a._h) for a in [_np.moveaxis(ndarray(_hh(x)), dim, 0)[i : i + 1].squeeze(0) for i in range(x.shape[dim])]])


def flip(x, dims):
    return _t(_host.flip(_hh(x), *_dims(dims)))


def roll(x, shifts, dims=None):
    return _t(_host.roll(_hh(x), shifts, dims))


def tile(x, dims):
    return _t(_host.tile(_hh(x), *dims))


def broadcast_to(x, shape):
    return _wrap(x).expand(*shape)


# Order and picking.


def sort(x, dim=-1, descending=False):
    i = argsort(x, dim, descending)
    return _Pair("sort", gather(x, dim, i), i)


def argsort(x, dim=-1, descending=False):
    h = _hh(x)
    return _t(_host.argsort(_un(0, h) if descending else h, dim))


def topk(x, k, dim=-1, largest=True, sorted=True):
    x = _wrap(x)
    dim = _dim(dim, x.dim())
    if not 0 <= k <= x.shape[dim]:
        raise RuntimeError("selected index k out of range: k is %d, the axis has %d entries" % (k, x.shape[dim]))
    i = argsort(x, dim, largest)
    n = x.dim()
    i = i[(_np.s_[:],) * (dim % n) + (_np.s_[:k],)]
    return _Pair("topk", gather(x, dim, i), i)


def gather(x, dim, index):
    if _wrap(x).dim() != _wrap(index).dim():
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    return _t(_host.takeAlongAxis(_hh(x), _hh(index), dim))


def index_select(x, dim, index):
    return _t(_host.take(_hh(x), _hh(index), dim))


def scatter(x, dim, index, src):
    r = _wrap(x).clone()
    s = src if isinstance(src, ndarray) else full(index.shape, src, dtype=r.dtype)
    q = _host.putAlongAxis(r._h, _hh(index), s._h, dim)
    if q is not None:
        _fail(q)
    return r


def masked_fill(x, mask, value):
    return _wrap(x).masked_fill(mask, value)


def masked_select(x, mask):
    return _wrap(x)[mask]


def nonzero(x, as_tuple=False):
    return where(x) if as_tuple else _wrap(_np.argwhere(ndarray(_hh(x))))


def unique(x):
    return _wrap(_np.unique(ndarray(_hh(x))))


def isclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _t(_host.isclose(_hh(x), _hh(y), rtol, atol, equal_nan))


def allclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    r = _host.allclose(_hh(x), _hh(y), rtol, atol, equal_nan)
    return _fail(r) if type(r) is str else r


def equal(x, y):
    return _np.array_equal(ndarray(_hh(x)), ndarray(_hh(y)))


def numel(x):
    return x.numel()


def is_tensor(x):
    return isinstance(x, Tensor)


def _method(name):
    return lambda x, *args, **more: getattr(_wrap(x) if not isinstance(x, Tensor) else x, name)(*args, **more)


for _n in "transpose swapaxes t permute reshape unsqueeze squeeze flatten clone repeat_interleave".split():
    globals()[_n] = _method(_n)

_functions = {
    _n: globals()[_n]
    for _n in (
        "sum prod amax amin mean var std any all count_nonzero nansum nanmean max min argmax argmin cumsum cumprod median "
        "logsumexp norm neg abs sign square sqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan atan tanh erf "
        "floor ceil trunc round isnan isinf isfinite logical_not rsqrt sigmoid relu mul div floor_divide remainder pow "
        "maximum minimum eq ne lt le gt ge logical_and logical_or logical_xor add sub clamp clip nan_to_num softmax "
        "log_softmax matmul mm bmm mv dot inner outer tril triu diag diagonal trace chunk split unbind flip roll tile "
        "broadcast_to sort argsort topk gather index_select scatter masked_select nonzero unique isclose allclose equal"
    ).split()
    if _n in globals()
}


# Every function whose first argument is the tensor is a method as well.
for _n, _f in _functions.items():
    setattr(Tensor, _n, _f)


class no_grad:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, f=None):
        return self if f is None else f


inference_mode = no_grad


def set_grad_enabled(on):
    pass


class _Linalg:
    def norm(self, x, ord=None, dim=None, keepdim=False):
        return norm(x, "fro" if ord is None else ord, dim, keepdim)

    def svd(self, x, full_matrices=True):
        return tuple([Tensor(a._h) for a in _many(_host.svd(_hh(x), full_matrices))])

    def svdvals(self, x):
        return _t(_host.singularValues(_hh(x)))

    def matrix_rank(self, x):
        return _t(_host.matrixRank(_hh(x), None))


linalg = _Linalg()


def set_printoptions(**more):
    pass


def set_default_dtype(d):
    pass


def is_floating_point(x):
    return x._h & 2 == 2


def get_default_dtype():
    return float32


_unsupported = {
    "autograd": _no_grad,
    "optim": "torch.optim is not in this small part of torch; there is no autograd here",
    "compile": "torch.compile is not in this small part of torch",
    "float16": "float16 is not in this small part of torch; use torch.float32",
    "half": "float16 is not in this small part of torch; use torch.float32",
    "bfloat16": "bfloat16 is not in this small part of torch; use torch.float32",
    "save": "files are not in this small part of torch",
    "load": "files are not in this small part of torch",
}


def __getattr__(name):
    if name == "autocast":
        return __getattr__("amp").autocast
    if name in ("nn", "utils", "amp", "cuda"):
        import sys

        __import__("torch." + name)
        return sys.modules["torch." + name]
    if name == "int32":
        _np._int32()
        return int64
    if name[0] == "_":
        raise AttributeError("module 'torch' has no attribute '%s'" % name)
    raise AttributeError(
        _unsupported.get(name)
        or "torch.%s is not in this small part of torch; the same may be there in numpy" % name
    )
