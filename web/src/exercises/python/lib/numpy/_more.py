# NumPy's less common functions, loaded with the first use of one of them.
from _native import *
import ujson as json
import _host
import numpy as _np
from numpy import (
    _a,
    _axes,
    _code,
    _fail,
    _h,
    _into,
    _lengths,
    _many,
    _number,
    _sequence,
    _toint,
    _w,
    arange,
    array,
    asarray,
    concatenate,
    expand_dims,
    float32,
    full,
    inf,
    maximum,
    minimum,
    nan,
    ndarray,
    ones,
    stack,
    where,
    zeros,
    zeros_like,
)


# ---- Reductions with where= and initial=, ufunc methods --------------------------------------------

_neutral = {0: 0, 1: 1, 2: -inf, 3: inf, 7: False, 8: True}


def _reduce_where(op, h, axis, keepdims, dtype, out, ddof, mask, initial):
    a = ndarray(h)
    mask = asarray(mask, bool)
    if op in (4, 5, 6):
        mask = _np.broadcast_to(mask, a.shape)
        n = mask.sum(axis=axis, keepdims=True)
        mean = _np._reduce(0, where(mask, a, 0.0), axis, True) / n
        if op == 4:
            r = mean if keepdims else mean.squeeze(axis) if axis is not None else mean
        else:
            d = where(mask, (a - mean) ** 2, 0.0).sum(axis=axis, keepdims=True) / (n - ddof)
            d = d if op == 5 else _np.sqrt(d)
            r = d if keepdims else d.squeeze(axis) if axis is not None else d
        if not keepdims and axis is None:
            r = asarray(r).item()
        return _into(out, r)
    if op in (2, 3) and initial is None:
        raise ValueError(
            "reduction operation '%s' does not have an identity, so to use a where mask one has to "
            "specify 'initial'" % ("maximum" if op == 2 else "minimum")
        )
    rest = _neutral[op] if initial is None or op in (0, 1) else initial
    if a.dtype == int and rest in (inf, -inf):
        rest = 0
    r = _np._reduce(op, where(mask, a, asarray(rest).astype(a.dtype)), axis, keepdims, dtype)
    if initial is not None:
        r = _fold(op, r, initial)
    return _into(out, r)


def _fold(op, r, initial):
    return (
        r + initial
        if op == 0
        else r * initial
        if op == 1
        else maximum(r, initial)
        if op == 2
        else minimum(r, initial)
    )


def _initial(op, r, h, axis, keepdims, initial):
    if type(r) is str:
        # A reduction of an empty array is the initial value alone.
        a = ndarray(h)
        if a.size:
            _fail(r)
        axes = [k % a.ndim for k in (_axes(axis) or range(a.ndim))]
        shape = [1 if k in axes else n for k, n in enumerate(a.shape) if keepdims or k not in axes]
        return full(tuple(shape), initial, a.dtype)._h
    return _h(_fold(op, ndarray(r), initial))


_reducible = {"add": 0, "multiply": 1, "maximum": 2, "minimum": 3, "logical_or": 7, "logical_and": 8}


def _ufunc_reduce(u, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if u.__name__ in _reducible:
        return _np._reduce(_reducible[u.__name__], a, axis, keepdims, dtype, out, 0, where, initial)
    a = asarray(a)
    parts = [a[i] for i in range(len(a))] if axis == 0 else list(_np.moveaxis(a, axis, 0))
    r = parts[0]
    for p in parts[1:]:
        r = u(r, p)
    return r


def _ufunc_accumulate(u, a, axis=0):
    if u.__name__ == "add":
        return _np.cumsum(a, axis)
    if u.__name__ == "multiply":
        return _np.cumprod(a, axis)
    a = moveaxis(asarray(a), axis, 0).copy()
    for i in range(1, len(a)):
        a[i] = u(a[i - 1], a[i])
    return moveaxis(a, 0, axis)


def _ufunc_outer(u, a, b):
    a, b = asarray(a), asarray(b)
    return u(a.reshape(a.shape + (1,) * b.ndim), b)


def _ufunc_at(u, a, indices, b=None):
    r = _host.applyAt(u._op, a._h, _h(b), *_np._parts(indices))
    if r is not None:
        _fail(r)


# ---- How entries lie in memory ---------------------------------------------------------------------------


class Flags:
    # What `a.flags` is. Results always lie row by row here, where NumPy keeps the order of what they are made from.

    _of = {
        "C": "c_contiguous",
        "C_CONTIGUOUS": "c_contiguous",
        "CONTIGUOUS": "c_contiguous",
        "F": "f_contiguous",
        "F_CONTIGUOUS": "f_contiguous",
        "FORTRAN": "f_contiguous",
        "O": "owndata",
        "OWNDATA": "owndata",
        "W": "writeable",
        "WRITEABLE": "writeable",
        "A": "aligned",
        "ALIGNED": "aligned",
        "X": "writebackifcopy",
        "WRITEBACKIFCOPY": "writebackifcopy",
        "FNC": "fnc",
        "FORC": "forc",
        "B": "behaved",
        "BEHAVED": "behaved",
        "CA": "carray",
        "CARRAY": "carray",
        "FA": "farray",
        "FARRAY": "farray",
    }
    aligned = True
    writebackifcopy = False

    def __init__(self, a):
        self._a = a

    @property
    def c_contiguous(self):
        return _packed(self._a.shape, self._a.strides, self._a.dtype.itemsize)

    contiguous = c_contiguous

    @property
    def f_contiguous(self):
        shape, strides = reversed(self._a.shape), reversed(self._a.strides)
        return _packed(tuple(shape), tuple(strides), self._a.dtype.itemsize)

    @property
    def owndata(self):
        return _host.owns(self._a._h)

    @property
    def writeable(self):
        return _host.writeable(self._a._h)

    @writeable.setter
    def writeable(self, on):
        a = self._a
        if on and not _host.writeable(a._h):
            if not _host.owns(a._h) and not getattr(a, "_locked", False):
                raise ValueError("cannot set WRITEABLE flag to True of this array")
        if not on and _host.writeable(a._h):
            a._locked = True
        _host.setWriteable(a._h, bool(on))

    @property
    def num(self):
        raise AttributeError("flags.num is not in this subset; print(a.flags) shows all of them")

    @property
    def fnc(self):
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self):
        return self.f_contiguous or self.c_contiguous

    @property
    def behaved(self):
        return self.writeable

    @property
    def carray(self):
        return self.writeable and self.c_contiguous

    @property
    def farray(self):
        return self.writeable and self.fnc

    def __getitem__(self, name):
        if name not in self._of:
            raise KeyError("Unknown flag")
        return getattr(self, self._of[name])

    def __setitem__(self, name, on):
        if self._of.get(name) != "writeable":
            raise KeyError("Unknown flag")
        self.writeable = on

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join(["  %s : %s\n" % (name, self[name]) for name in names])

    __str__ = __repr__


def _packed(shape, strides, item):
    if 0 in shape:
        return True
    for n, step in zip(reversed(shape), reversed(strides)):
        if n != 1 and step != item:
            return False
        item *= n
    return True


def _ordered(r, order, like=None):
    # r, which lies row by row, in the order that is asked for.
    if order in ("A", "K"):
        order = "F" if isinstance(like, ndarray) and like.flags.fnc else "C"
    if order == "F":
        return r.T.copy().T if r.ndim > 1 else r
    if order != "C":
        raise ValueError("order must be one of 'C', 'F', 'A', or 'K' (got '%s')" % order)
    return r


def _as_ordered(x, order):
    if order in ("A", "K") or (x.flags.f_contiguous if order == "F" else x.flags.c_contiguous):
        return x
    return _ordered(x.copy(), order)


def asfortranarray(a, dtype=None):
    return _as_ordered(_np.atleast_1d(asarray(a, dtype)), "F")


def isfortran(a):
    return a.flags.fnc


# ---- Joining, splitting, moving -----------------------------------------------------------------------


def dstack(arrays):
    return concatenate([atleast_3d(a) for a in _sequence(arrays)], 2)


def column_stack(arrays):
    parts = [asarray(a) for a in _sequence(arrays)]
    return concatenate([p[:, None] if p.ndim == 1 else p for p in parts], 1)


def atleast_3d(a):
    a = asarray(a)
    if a.ndim == 0:
        return a.reshape(1, 1, 1)
    if a.ndim == 1:
        return a[None, :, None]
    return a[:, :, None] if a.ndim == 2 else a


def block(arrays):
    def join(x, depth):
        if not isinstance(x, list):
            return asarray(x)
        return concatenate(_widen([join(p, depth - 1) for p in x], depth), -depth)

    def _widen(parts, depth):
        return [p.reshape((1,) * (depth - p.ndim) + p.shape) if p.ndim < depth else p for p in parts]

    depth = 0
    x = arrays
    while isinstance(x, list):
        depth += 1
        x = x[0]
    return join(arrays, depth)


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([asarray(arr).ravel(), asarray(values).ravel()])
    return concatenate([asarray(arr), asarray(values)], axis)


def insert(arr, obj, values, axis=None):
    a = asarray(arr)
    if axis is None:
        a = a.ravel()
        axis = 0
    if isinstance(obj, (list, tuple, ndarray)) and not isinstance(obj, int):
        raise TypeError("np.insert at several places is not in this subset; insert them one by one")
    i = _toint(obj)
    if not -a.shape[axis] <= i <= a.shape[axis]:
        raise IndexError("index %d is out of bounds for axis %d with size %d" % (i, axis, a.shape[axis]))
    i = i + a.shape[axis] if i < 0 else i
    a = moveaxis(a, axis, 0)
    v = asarray(values).astype(a.dtype)
    v = _np.broadcast_to(v, ((v.shape[0] if v.ndim == a.ndim else 1,) + a.shape[1:])) if a.ndim > 1 else v.ravel()
    return moveaxis(concatenate([a[:i], v, a[i:]]), 0, axis)


def delete(arr, obj, axis=None):
    a = asarray(arr)
    if axis is None:
        a = a.ravel()
        axis = 0
    keep = ones(a.shape[axis], bool)
    keep[obj] = False
    return _np.take(a, _np.nonzero(keep)[0], axis)


def array_split(ary, indices_or_sections, axis=0):
    a = asarray(ary)
    n = a.shape[axis]
    if isinstance(indices_or_sections, (list, tuple, ndarray)):
        cuts = [0] + [int(i) for i in indices_or_sections] + [n]
    else:
        k = _toint(indices_or_sections)
        if k <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(n, k)
        cuts = [0]
        for i in range(k):
            cuts.append(cuts[-1] + each + (1 if i < extra else 0))
    before = (slice_all,) * (axis % a.ndim)
    return [a[before + (_slice(lo, hi),)] for lo, hi in zip(cuts[:-1], cuts[1:])]


class _Slices:
    def __getitem__(self, k):
        return k


class _Slice_tuples:
    def __getitem__(self, k):
        return k if type(k) is tuple else (k,)


s_ = _Slices()
index_exp = _Slice_tuples()
slice_all = s_[:]


def _slice(lo, hi):
    return s_[lo:hi]


def split(ary, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, (list, tuple, ndarray)):
        n = asarray(ary).shape[axis]
        if n % _toint(indices_or_sections):
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, n):
    return split(ary, n, 0)


def hsplit(ary, n):
    return split(ary, n, 0 if asarray(ary).ndim == 1 else 1)


def tile(A, reps):
    return _a(_host.tile(_h(A), *_lengths(reps)))


def roll(a, shift, axis=None):
    if isinstance(shift, (tuple, list)):
        for s, k in zip(shift, axis if isinstance(axis, (tuple, list)) else [axis] * len(shift)):
            a = roll(a, s, k)
        return a
    return _a(_host.roll(_h(a), _toint(shift), axis))


def flip(m, axis=None):
    return _a(_host.flip(_h(m), *_axes(axis)))


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    a, b = axes
    k %= 4
    if k == 0:
        return asarray(m).copy()
    if k == 2:
        return flip(flip(m, a), b)
    if k == 1:
        return flip(m, b).swapaxes(a, b)
    return flip(asarray(m).swapaxes(a, b), b)


def moveaxis(a, source, destination):
    a = asarray(a)
    n = a.ndim
    for name, axes in (("source", source), ("destination", destination)):
        for k in _axes(axes):
            if not -n <= k < n:
                raise _np.AxisError("%s: axis %d is out of bounds for array of dimension %d" % (name, k, n))
    src = [k % n for k in _axes(source)]
    dst = [k % n for k in _axes(destination)]
    if len(src) != len(dst):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [k for k in range(n) if k not in src]
    for d, s in sorted(zip(dst, src)):
        order.insert(d, s)
    return a.transpose(*order)


def rollaxis(a, axis, start=0):
    n = asarray(a).ndim
    axis %= n
    start = start + n if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


def pad(array, pad_width, mode="constant", constant_values=0, **more):
    if more.get("reflect_type") == "even":
        more.pop("reflect_type")
    _np._no_more("np.pad", more)
    a = asarray(array)
    w = asarray(pad_width)
    if w.dtype != int:
        raise TypeError("`pad_width` must be of integral type.")
    if _np.any(w < 0):
        raise ValueError("index can't contain negative values")
    n = a.ndim
    if w.ndim == 0 or w.size == 1:
        widths = [(int(w.item()), int(w.item()))] * n
    elif w.ndim == 1:
        widths = [(int(w[0]), int(w[1]))] * n
    elif w.shape[0] == 1:
        widths = [(int(w[0, 0]), int(w[0, 1]))] * n
    else:
        widths = [(int(w[i, 0]), int(w[i, 1])) for i in range(n)]
    if mode == "constant":
        c = asarray(constant_values)
        values = _np.broadcast_to(c, (n, 2)) if c.ndim else full((n, 2), c)
        for k in range(n):
            lo, hi = widths[k]
            shape = list(a.shape)
            parts = []
            if lo:
                shape[k] = lo
                parts.append(full(tuple(shape), values[k, 0], a.dtype))
            parts.append(a)
            if hi:
                shape[k] = hi
                parts.append(full(tuple(shape), values[k, 1], a.dtype))
            a = concatenate(parts, k) if len(parts) > 1 else a
        return a.copy() if a is array else a
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise ValueError(
            "mode '%s' is not in this subset; use 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'" % mode
        )
    for k in range(n):
        lo, hi = widths[k]
        m = a.shape[k]
        at = []
        for i in range(-lo, m + hi):
            if mode == "edge":
                i = 0 if i < 0 else m - 1 if i >= m else i
            elif mode == "wrap":
                i %= m
            elif mode == "reflect":
                p = 2 * (m - 1) if m > 1 else 1
                i = abs(i) % p
                i = p - i if i >= m else i
            else:
                i %= 2 * m
                i = 2 * m - 1 - i if i >= m else i
            at.append(i)
        a = take(a, at, k)
    return a


def resize(a, new_shape):
    a = asarray(a).ravel()
    shape = _lengths(new_shape)
    n = 1
    for k in shape:
        n *= k
    return tile(a, -(-n // a.size))[:n].reshape(shape)


def trim_zeros(filt, trim="fb"):
    x = list(filt)
    while x and "f" in trim and x[0] == 0:
        x.pop(0)
    while x and "b" in trim and x[-1] == 0:
        x.pop()
    return x if isinstance(filt, list) else asarray(x)


def broadcast_arrays(*arrays):
    shape = broadcast_shapes(*[asarray(a).shape for a in arrays])
    return [_np.broadcast_to(a, shape) for a in arrays]


def broadcast_shapes(*shapes):
    parts = [zeros(1)[:0].reshape(s) if 0 in _lengths(s) else _np.broadcast_to(0.0, s) for s in shapes]
    r = _host.broadcastShapes(*[p._h for p in parts])
    if r[:1] == "!":
        _fail(r)
    return tuple([int(n) for n in r.split(",") if n])


def diagonal(a, offset=0, axis1=0, axis2=1):
    r = _w(_host.diagonal(_h(a), offset, axis1, axis2))
    _host.setWriteable(r._h, False)
    return r


def diagflat(v, k=0):
    return _np.diag(asarray(v).ravel(), k)


def fill_diagonal(a, val, wrap=False):
    if wrap:
        _np._no_more("np.fill_diagonal", ("wrap",))
    n = min(a.shape)
    i = arange(n)
    a[(i,) * a.ndim] = val if not isinstance(val, (list, ndarray)) else asarray(val).ravel()[:n]


def tril_indices(n, k=0, m=None):
    return _np.nonzero(_np.tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    return _np.nonzero(~_np.tri(n, m, k - 1, bool))


def tril_indices_from(a, k=0):
    return tril_indices(a.shape[0], k, a.shape[1])


def triu_indices_from(a, k=0):
    return triu_indices(a.shape[0], k, a.shape[1])


def diag_indices(n, ndim=2):
    return (arange(n),) * ndim


def diag_indices_from(a):
    return diag_indices(a.shape[0], a.ndim)


def vander(x, N=None, increasing=False):
    x = asarray(x)
    p = arange(len(x) if N is None else N)
    return x[:, None] ** (p if increasing else p[::-1])


# ---- Making ----------------------------------------------------------------------------------------


def meshgrid(*xs, indexing="xy", sparse=False, copy=True):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    xs = [asarray(x).ravel() for x in xs]
    n = len(xs)
    out = []
    for i, x in enumerate(xs):
        shape = [1] * n
        shape[i] = x.size
        out.append(x.reshape(tuple(shape)))
    if indexing == "xy" and n > 1:
        out = [o.swapaxes(0, 1) for o in out]
    if sparse:
        return out
    return [o.copy() for o in broadcast_arrays(*out)]


def indices(dimensions, dtype=int, sparse=False):
    grids = meshgrid(*[arange(n, dtype=dtype) for n in dimensions], indexing="ij", sparse=sparse)
    return tuple(grids) if sparse else stack(grids)


def fromfunction(function, shape, dtype=float, **more):
    return function(*indices(shape, dtype), **more)


def fromiter(iterable, dtype, count=-1):
    return array(list(iterable), dtype)


def frombuffer(*args, **more):
    raise NotImplementedError("bytes are not in this subset; use np.array(list)")


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None):
    r = base ** _np.linspace(start, stop, num, endpoint)
    return r if dtype is None else r.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True):
    if start * stop <= 0:
        raise ValueError("Geometric sequence cannot include zero, and one of mixed signs is not in this subset")
    if start < 0:
        return -geomspace(-start, -stop, num, endpoint)
    r = 10.0 ** _np.linspace(_np.log10(start), _np.log10(stop), num, endpoint)
    if num:
        r[0] = start
        if endpoint and num > 1:
            r[-1] = stop
    return r


class _Grid:
    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, k):
        if type(k) is not tuple:
            return self._one(k)
        axes = [self._one(s) for s in k]
        g = meshgrid(*axes, indexing="ij", sparse=self._sparse)
        return g if self._sparse else stack(g)

    def _one(self, s):
        step = 1 if s.step is None else s.step
        start = 0 if s.start is None else s.start
        if type(step) is complex:
            return _np.linspace(start, s.stop, int(abs(step)))
        return arange(start, s.stop, step)


mgrid = _Grid(False)
ogrid = _Grid(True)


class _Row:
    def __init__(self, columns):
        self._columns = columns

    def __getitem__(self, k):
        parts = []
        for p in k if type(k) is tuple else (k,):
            if isinstance(p, slice):
                p = ogrid[p]
            parts.append(_np.atleast_1d(p))
        return column_stack(parts) if self._columns else concatenate(parts)


r_ = _Row(False)
c_ = _Row(True)


def ix_(*args):
    out = []
    n = len(args)
    for i, x in enumerate(args):
        x = asarray(x)
        if x.dtype == bool:
            x = _np.nonzero(x)[0]
        shape = [1] * n
        shape[i] = x.size
        out.append(x.reshape(tuple(shape)))
    return tuple(out)


def ndindex(*shape):
    if len(shape) == 1 and type(shape[0]) is not int:
        shape = tuple(shape[0])

    def walk(at, k):
        if k == len(shape):
            yield at
            return
        for i in range(shape[k]):
            for x in walk(at + (i,), k + 1):
                yield x

    return walk((), 0)


def ndenumerate(a):
    a = asarray(a)
    for at in ndindex(*a.shape):
        yield at, a[at]


def unravel_index(i, shape):
    if isinstance(i, ndarray) or isinstance(i, list):
        i = asarray(i)
    n = 1
    for k in _lengths(shape):
        n *= k
    for k in i.ravel().tolist() if isinstance(i, ndarray) else (i,):
        if not 0 <= k < n:
            raise ValueError("index %d is out of bounds for array with size %d" % (k, n))
    out = []
    for n in reversed(_lengths(shape)):
        out.append(i % n)
        i = i // n
    return tuple(reversed(out))


def ravel_multi_index(multi, dims):
    r = 0
    for i, n in zip(multi, dims):
        if _np.any(asarray(i) < 0) or _np.any(asarray(i) >= n):
            raise ValueError("invalid entry in coordinates array")
        r = r * n + (asarray(i) if isinstance(i, list) else i)
    return r


# ---- Products ----------------------------------------------------------------------------------------


def inner(a, b):
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim == 1 and b.ndim == 1:
        return _np.dot(a, b)
    return tensordot(a, b, ((-1,), (-1,)))


def vdot(a, b):
    return _np.dot(asarray(a).ravel(), asarray(b).ravel())


def tensordot(a, b, axes=2):
    a, b = asarray(a), asarray(b)
    if type(axes) is int:
        left = list(range(a.ndim - axes, a.ndim))
        right = list(range(axes))
    else:
        left, right = [list(_axes(x)) for x in axes]
    left = [k % a.ndim for k in left]
    right = [k % b.ndim for k in right]
    if len(left) != len(right) or [a.shape[k] for k in left] != [b.shape[k] for k in right]:
        raise ValueError("shape-mismatch for sum")
    rest = [k for k in range(a.ndim) if k not in left]
    other = [k for k in range(b.ndim) if k not in right]
    n = 1
    for k in left:
        n *= a.shape[k]
    x = a.transpose(*(rest + left)).reshape(-1, n)
    y = b.transpose(*(right + other)).reshape(n, -1)
    r = (x @ y).reshape(tuple([a.shape[k] for k in rest] + [b.shape[k] for k in other]))
    return r


def kron(a, b):
    a, b = asarray(a), asarray(b)
    n = max(a.ndim, b.ndim)
    a = a.reshape((1,) * (n - a.ndim) + a.shape)
    b = b.reshape((1,) * (n - b.ndim) + b.shape)
    x = a.reshape(tuple([k for m in a.shape for k in (m, 1)]))
    y = b.reshape(tuple([k for m in b.shape for k in (1, m)]))
    return (x * y).reshape(tuple([p * q for p, q in zip(a.shape, b.shape)]))


def cross(a, b, axis=-1):
    a, b = moveaxis(asarray(a), axis, -1), moveaxis(asarray(b), axis, -1)
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return moveaxis(stack([x, y, z], -1), -1, axis)


def trace(a, offset=0, axis1=0, axis2=1):
    return diagonal(a, offset, axis1, axis2).sum(axis=-1)


def convolve(a, v, mode="full"):
    _np._one_of("mode", mode, ("valid", "same", "full"))
    a, v = asarray(a) , asarray(v)
    if v.size > a.size:
        a, v = v, a
    n, m = a.size, v.size
    r = zeros(n + m - 1, (a[:1] * v[:1]).dtype)
    for i in range(m):
        r[i : i + n] += a * v[i]
    if mode == "same":
        lo = (m - 1) // 2
        return r[lo : lo + n]
    return r[m - 1 : n] if mode == "valid" else r


def correlate(a, v, mode="valid"):
    return convolve(a, asarray(v)[::-1], mode)


def interp(x, xp, fp, left=None, right=None):
    x, xp, fp = asarray(x) * 1.0, asarray(xp) * 1.0, asarray(fp) * 1.0
    i = _np.clip(searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
    t = (x - xp[i]) / (xp[i + 1] - xp[i])
    r = fp[i] + t * (fp[i + 1] - fp[i])
    r = where(x < xp[0], fp[0] if left is None else left, r)
    r = where(x > xp[-1], fp[-1] if right is None else right, r)
    return r


def polyval(p, x):
    y = zeros_like(asarray(x)) if not isinstance(x, (int, float)) else 0
    for c in asarray(p):
        y = y * x + c
    return y


def polyfit(x, y, deg):
    V = vander(asarray(x) * 1.0, deg + 1)
    scale = _np.sqrt((V * V).sum(axis=0))
    from numpy import linalg

    return (linalg.lstsq(V / scale, asarray(y) * 1.0)[0].T / scale).T


def trapz(y, x=None, dx=1.0, axis=-1):
    y = moveaxis(asarray(y), axis, -1)
    d = dx if x is None else diff(x)
    return (d * (y[..., 1:] + y[..., :-1]) / 2.0).sum(axis=-1)


def gradient(f, *varargs, axis=None):
    f = asarray(f) * 1.0
    axes = range(f.ndim) if axis is None else _axes(axis)
    if len(varargs) > 1 and len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    out = []
    for i, k in enumerate(axes):
        g = moveaxis(f, k, 0)
        if len(g) < 2:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
            )
        h = varargs[i if len(varargs) > 1 else 0] if varargs else 1.0
        if asarray(h).ndim:
            raise TypeError("np.gradient with coordinates is not in this subset; give the distance, one number an axis")
        r = zeros_like(g)
        r[1:-1] = (g[2:] - g[:-2]) / (2.0 * h)
        r[0] = (g[1] - g[0]) / h
        r[-1] = (g[-1] - g[-2]) / h
        out.append(moveaxis(r, 0, k))
    return out[0] if len(out) == 1 else out


# ---- Order ------------------------------------------------------------------------------------------


def take(a, indices, axis=None, mode="raise", out=None):
    _np._one_of("mode", mode, ("raise", "clip", "wrap"))
    if mode != "raise":
        n = asarray(a).size if axis is None else asarray(a).shape[axis]
        indices = _np.clip(indices, 0, n - 1) if mode == "clip" else asarray(indices) % n
    return _into(out, _w(_host.take(_h(a), _np._hd(indices, 1) if isinstance(indices, (list, tuple)) else _h(indices), axis)))


def take_along_axis(arr, indices, axis):
    if axis is None:
        arr, axis = asarray(arr).ravel(), 0
    return _a(_host.takeAlongAxis(_h(arr), _h(indices), axis))


def put_along_axis(arr, indices, values, axis):
    r = _host.putAlongAxis(arr._h, _h(indices), _h(values), axis)
    if r is not None:
        _fail(r)


def put(a, ind, v):
    flat = a.ravel()
    flat[ind] = v
    if a._h != flat._h:
        a[...] = flat.reshape(a.shape)


def place(arr, mask, vals):
    mask = asarray(mask)
    n = int(mask.sum())
    arr[mask] = resize(vals, n)


def putmask(a, mask, values):
    # Unlike place: each entry takes the value at its own position.
    mask = asarray(mask, bool)
    a[mask] = resize(values, a.shape)[mask]


def copyto(dst, src, casting="same_kind", where=None):
    src = asarray(src)
    if not can_cast(src if src.ndim else src.dtype, dst.dtype, casting):
        raise TypeError(
            "Cannot cast array data from dtype('%s') to dtype('%s') according to the rule '%s'"
            % (src.dtype, dst.dtype, casting)
        )
    dst[...] = src if where is None else _np.where(where, src, dst)


def choose(a, choices):
    if _np.any(asarray(a) < 0) or _np.any(asarray(a) >= len(choices)):
        raise ValueError("invalid entry in choice array")
    r = asarray(choices[0])
    for i in range(1, len(choices)):
        r = where(asarray(a) == i, choices[i], r)
    return r


def compress(condition, a, axis=None):
    return take(a, _np.nonzero(condition)[0], axis)


def extract(condition, arr):
    return asarray(arr).ravel()[asarray(condition, bool).ravel()]


def select(condlist, choicelist, default=0):
    r = asarray(default)
    for c, x in zip(reversed(condlist), reversed(choicelist)):
        r = where(c, x, r)
    return r


def piecewise(x, condlist, funclist):
    x = asarray(x)
    r = zeros_like(x)
    conds = list(condlist)
    if len(funclist) == len(conds) + 1:
        rest = ~conds[0]
        for c in conds[1:]:
            rest = rest & ~c
        conds.append(rest)
    for c, f in zip(conds, funclist):
        r[c] = f(x[c]) if callable(f) else f
    return r


def argwhere(a):
    a = asarray(a)
    return stack(_np.nonzero(a), -1) if a.ndim else zeros((1 if a.item() else 0, 0), int)


def flatnonzero(a):
    return _np.nonzero(asarray(a).ravel())[0]


def _kth(a, kth, axis):
    n = asarray(a).size if axis is None else asarray(a).shape[axis]
    for k in _axes(kth):
        if not -n <= k < n:
            raise ValueError("kth(=%d) out of bounds (%d)" % (k, n))


def partition(a, kth, axis=-1):
    # Sorted through, which is one of the orders that a partition may have.
    _kth(a, kth, axis)
    return _np.sort(a, axis)


def argpartition(a, kth, axis=-1):
    _kth(a, kth, axis)
    return _np.argsort(a, axis)


def lexsort(keys, axis=-1):
    keys = list(keys)
    order = arange(len(keys[0]))
    for k in keys:
        order = order[_np.argsort(asarray(k)[order])]
    return order


def searchsorted(a, v, side="left", sorter=None):
    if side not in ("left", "right"):
        raise ValueError("search side must be 'left' or 'right' (got %r)" % side)
    if sorter is not None:
        a = asarray(a)[sorter]
    return _w(_host.searchsorted(_h(a), _h(v), side == "right"))


def digitize(x, bins, right=False):
    bins = asarray(bins)
    if len(bins) > 1 and bins[0] > bins[-1]:
        return len(bins) - searchsorted(bins[::-1], x, "right" if right else "left")
    return searchsorted(bins, x, "left" if right else "right")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True):
    if not equal_nan:
        _np._no_more("np.unique", ("equal_nan",), "; NaNs are one value")
    if axis is not None:
        a = moveaxis(asarray(ar), axis, 0)
        rows = {}
        for i, row in enumerate(a.reshape(len(a), -1).tolist()):
            rows.setdefault(tuple(row), []).append(i)
        keys = sorted(rows.keys())
        first = [rows[k][0] for k in keys]
        out = [moveaxis(a[first], 0, axis)]
        if return_index:
            out.append(array(first))
        if return_inverse:
            inverse = [0] * len(a)
            for j, k in enumerate(keys):
                for i in rows[k]:
                    inverse[i] = j
            out.append(array(inverse))
        if return_counts:
            out.append(array([len(rows[k]) for k in keys]))
        return out[0] if len(out) == 1 else tuple(out)
    values, index, inverse, counts = _many(_host.unique(_h(ar)))
    out = [values]
    if return_index:
        out.append(index)
    if return_inverse:
        out.append(inverse)
    if return_counts:
        out.append(counts)
    return out[0] if len(out) == 1 else tuple(out)


def isin(element, test_elements, invert=False):
    a = asarray(element)
    b = asarray(test_elements).ravel()
    r = (a.reshape(a.shape + (1,)) == b).any(axis=-1) if b.size else zeros(a.shape, bool)
    return ~r if invert else r


in1d = isin


def intersect1d(a, b):
    a, b = unique(a), unique(b)
    return a[isin(a, b)]


def union1d(a, b):
    return unique(append(a, b))


def setdiff1d(a, b):
    a = unique(a)
    return a[~isin(a, b)]


def setxor1d(a, b):
    return union1d(setdiff1d(a, b), setdiff1d(b, a))


# ---- Statistics ----------------------------------------------------------------------------------------


def ptp(a, axis=None, keepdims=False):
    return _np.max(a, axis, None, keepdims) - _np.min(a, axis, None, keepdims)


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    a = asarray(a)
    if weights is None:
        r = a.mean(axis, keepdims=keepdims)
        n = asarray(a.size / asarray(r).size)
    else:
        w = asarray(weights)
        if w.shape != a.shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            w = w.reshape(tuple([-1 if k == axis % a.ndim else 1 for k in range(a.ndim)]))
            w = _np.broadcast_to(w, a.shape)
        n = (w * 1.0).sum(axis, keepdims=keepdims)
        if _np.any(asarray(n) == 0):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        r = (a * w).sum(axis, keepdims=keepdims) / n
    return (r, n) if returned else r


def median(a, axis=None, out=None, keepdims=False):
    return _into(out, _w(_host.median(_h(a), keepdims, *_axes(axis))))


_quantile_methods = ("linear", "lower", "higher", "nearest", "midpoint")


def quantile(a, q, axis=None, out=None, keepdims=False, method="linear", interpolation=None):
    method = interpolation or method
    if method == "linear":
        return _into(out, _w(_host.quantile(_h(a), _h(q), keepdims, *_axes(axis))))
    if method not in _quantile_methods:
        raise ValueError("method '%s' is not in this subset; use one of %s" % (method, ", ".join(_quantile_methods)))
    s = _np.sort(a, axis)
    k = -1 if axis is None else axis
    n = s.shape[k]

    def one(p):
        at = float(p) * (n - 1)
        lo, hi = int(_np.floor(at)), int(_np.ceil(at))
        if method == "lower":
            return take(s, lo, k)
        if method == "higher":
            return take(s, hi, k)
        if method == "midpoint":
            return (take(s, lo, k) + take(s, hi, k)) / 2
        return take(s, int(_np.rint(at)), k)

    if keepdims:
        _np._no_more("np.quantile", ("keepdims",), " beside method=")
    return one(q) if isinstance(q, (int, float)) else stack([asarray(one(p)) for p in asarray(q)])


def percentile(a, q, axis=None, out=None, keepdims=False, method="linear", interpolation=None):
    return quantile(a, asarray(q) / 100.0, axis, out, keepdims, method, interpolation)


def _nan(op):
    def f(a, axis=None, out=None, keepdims=False, dtype=None, ddof=0, **more):
        _np._no_more("a function that passes over NaN", more, "; use a mask: a[~np.isnan(a)]")
        return _np._reduce(op, a, axis, keepdims, dtype, out, ddof)

    return f


nansum = _nan(10)
nanmax = _nan(11)
nanmin = _nan(12)
nanmean = _nan(13)
nanvar = _nan(14)
nanstd = _nan(15)
nanprod = _nan(16)


def _some_number(a, axis):
    if _np.all(_np.isnan(a), axis).any() if axis is not None else bool(_np.all(_np.isnan(a))):
        raise ValueError("All-NaN slice encountered")


def nanargmax(a, axis=None):
    a = asarray(a)
    _some_number(a, axis)
    return where(_np.isnan(a), -inf, a).argmax(axis)


def nanargmin(a, axis=None):
    a = asarray(a)
    _some_number(a, axis)
    return where(_np.isnan(a), inf, a).argmin(axis)


def nanmedian(a, axis=None, keepdims=False):
    a = asarray(a)
    if axis is None:
        return median(a.ravel()[~_np.isnan(a.ravel())])
    return apply_along_axis(lambda v: median(v[~_np.isnan(v)]), axis, a)


def nanpercentile(a, q, axis=None):
    a = asarray(a)
    if axis is None:
        return percentile(a.ravel()[~_np.isnan(a.ravel())], q)
    return apply_along_axis(lambda v: percentile(v[~_np.isnan(v)], q), axis, a)


def nanquantile(a, q, axis=None):
    return nanpercentile(a, asarray(q) * 100.0, axis)


def nancumsum(a, axis=None):
    a = asarray(a)
    return where(_np.isnan(a), 0.0, a).cumsum(axis)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    r = _w(_host.nanToNum(_h(x), float(nan), None if posinf is None else float(posinf), None if neginf is None else float(neginf)))
    if not copy:
        x[...] = r
        return x
    return r


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    m = asarray(m)
    m = m if rowvar or m.ndim < 2 else m.T
    return _w(_host.cov(m._h, None if y is None else _h(y), float((0 if bias else 1) if ddof is None else ddof)))


def histogram(a, bins=10, range=None, weights=None, density=None):
    if type(bins) is str:
        raise TypeError("bins=%r is not in this subset; give the number of bins or their edges" % bins)
    a = asarray(a).ravel() * 1.0
    if isinstance(bins, (list, ndarray, tuple)):
        edges = asarray(bins)
    else:
        lo, hi = range if range is not None else ((a.min(), a.max()) if a.size else (0.0, 1.0))
        if lo == hi:
            lo, hi = lo - 0.5, hi + 0.5
        edges = _np.linspace(lo, hi, bins + 1)
    at = searchsorted(edges, a, "right") - 1
    n = len(edges) - 1
    at = where(a == edges[-1], n - 1, at)
    keep = (at >= 0) & (at < n)
    counts = bincount(at[keep], None if weights is None else asarray(weights)[keep], n)
    if weights is not None and asarray(weights).dtype == int:
        counts = counts.astype(int)
    if density:
        counts = counts / (diff(edges) * counts.sum())
    return counts, edges


def histogram_bin_edges(a, bins=10, range=None):
    return histogram(a, bins, range)[1]


def bincount(x, weights=None, minlength=0):
    return _w(_host.bincount(_np._hd(x, -1), None if weights is None else _h(weights), minlength))


def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = asarray(a)
    parts = []
    for p in (prepend, append):
        if p is not None and not isinstance(p, ndarray):
            shape = list(a.shape)
            shape[axis] = 1
            p = full(tuple(shape), p, a.dtype) if isinstance(p, (int, float)) else asarray(p)
        parts.append(p)
    if parts != [None, None]:
        a = concatenate([p for p in (parts[0], a, parts[1]) if p is not None], axis)
    return _w(_host.diff(a._h, n, axis))


def ediff1d(a):
    return diff(asarray(a).ravel())


# ---- Functions --------------------------------------------------------------------------------------------


def apply_along_axis(func1d, axis, arr, *args, **more):
    a = moveaxis(asarray(arr), axis, -1)
    lead = a.shape[:-1]
    rows = a.reshape(-1, a.shape[-1])
    out = [asarray(func1d(rows[i], *args, **more)) for i in range(len(rows))]
    r = stack(out).reshape(lead + out[0].shape)
    return moveaxis(r, -1, axis) if out[0].ndim else r


def apply_over_axes(func, a, axes):
    for k in _axes(axes):
        r = func(a, k)
        a = r if asarray(r).ndim == asarray(a).ndim else expand_dims(r, k)
    return a


class vectorize:
    def __init__(self, pyfunc, otypes=None, **more):
        if more.get("signature"):
            raise NotImplementedError("np.vectorize with a signature is not in this subset; write a loop")
        self._f = pyfunc
        self._types = otypes

    def __call__(self, *args, **more):
        arrays = broadcast_arrays(*args)
        shape = arrays[0].shape
        flat = [a.ravel().tolist() for a in arrays]
        out = [self._f(*each, **more) for each in zip(*flat)]
        if not shape:
            return out[0]
        return array(out, self._types[0] if self._types else None).reshape(shape)


def frompyfunc(f, nin, nout):
    return vectorize(f)


def sinc(x):
    x = asarray(x) * _np.pi
    y = where(x == 0, 1.0e-20, x)
    return _np.sin(y) / y


def heaviside(x, h0):
    x = asarray(x)
    return where(_np.isnan(x), nan, where(x < 0, 0.0, where(x > 0, 1.0, h0)))


def float_power(x, y):
    return _np.power(asarray(x).astype(float), y)


def fix(x):
    return _np.trunc(x)


def modf(x):
    i = _np.trunc(x)
    return x - i, i


def divmod(x, y):
    return _np.floor_divide(x, y), _np.remainder(x, y)


def logaddexp2(x, y):
    return _np.logaddexp(asarray(x) * _np.log(2.0), asarray(y) * _np.log(2.0)) / _np.log(2.0)


def gcd(a, b):
    def one(x, y):
        while y:
            x, y = y, x % y
        return abs(x)

    return vectorize(one)(a, b)


def lcm(a, b):
    g = gcd(a, b)
    return abs(a * b // g) if isinstance(g, int) else abs(asarray(a) * asarray(b) // g)


def isreal(x):
    return _np.ones_like(asarray(x), bool)


def iscomplexobj(x):
    return False


def real(x):
    return asarray(x)


def isposinf(x):
    return asarray(x) == inf


def isneginf(x):
    return asarray(x) == -inf


def iterable(x):
    return hasattr(x, "__iter__")


def array_equiv(a, b):
    try:
        a, b = broadcast_arrays(a, b)
    except ValueError:
        return False
    return bool((a == b).all())


def shares_memory(a, b):
    return bool(_host.shares(a._h, b._h))


may_share_memory = shares_memory


def result_type(*xs):
    parts = []
    for x in xs:
        if isinstance(x, (type, str, _np.dtype)):
            x = zeros(1, x)
        x = asarray(x)
        parts.append(zeros(1, x.dtype) if x.ndim else x)
    r = parts[0]
    for x in parts[1:]:
        r = asarray(r + x) if x.dtype != r.dtype else r
    return r.dtype


promote_types = result_type


def can_cast(a, b, casting="safe"):
    # By code: bool, int64, float32, float64.
    a = a._h & 3 if isinstance(a, ndarray) else a if type(a) is int else _code(a)
    b = b if type(b) is int else _code(b)
    if casting == "unsafe":
        return True
    if casting in ("no", "equiv"):
        return a == b
    if casting == "same_kind":
        return a <= b or a >= 2 and b >= 2
    if casting != "safe":
        raise ValueError("casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got %r)" % casting)
    return a <= b and not (a == 1 and b == 2)


def issubdtype(a, b):
    a = _code(a)
    if b is _np.integer or b is int:
        return a == 1
    if b is _np.floating:
        return a >= 2
    if b is _np.number:
        return a >= 1
    return a == _code(b)


def astype(x, dtype):
    return asarray(x).astype(dtype)


def require(a, dtype=None, requirements=None):
    a = asarray(a, dtype)
    for each in requirements or ():
        each = Flags._of.get(each.upper())
        if each in ("c_contiguous", "f_contiguous"):
            a = _as_ordered(a, each[0].upper())
        elif each in ("owndata", "writeable") and not getattr(a.flags, each):
            a = a.copy()
    return a


def save_text(*args):
    raise NotImplementedError("files are not in this subset; this code has no disk")


# ---- Limits, errors, printing ------------------------------------------------------------------------------


class finfo:
    def __init__(self, d=float):
        if isinstance(d, (float, float32)):
            d = type(d)
        d = d.dtype if isinstance(d, ndarray) else d
        single = _code(d) == 2
        if _code(d) < 2:
            raise ValueError("data type %r not inexact" % d)
        self.dtype = _np.dtype(float32 if single else float)
        wrap = float32 if single else float
        self.bits = 32 if single else 64
        self.eps = wrap(2.0**-23 if single else 2.0**-52)
        self.epsneg = wrap(2.0**-24 if single else 2.0**-53)
        self.max = wrap(3.4028234663852886e38 if single else 1.7976931348623157e308)
        self.min = wrap(-3.4028234663852886e38 if single else -1.7976931348623157e308)
        self.tiny = self.smallest_normal = wrap(2.0**-126 if single else 2.2250738585072014e-308)
        self.smallest_subnormal = wrap(2.0**-149 if single else 5e-324)
        self.resolution = wrap(1e-6 if single else 1e-15)
        self.precision = 6 if single else 15


class iinfo:
    def __init__(self, d=int):
        if d in ("int32", "i4", "int16", "int8", "uint8", "uint16", "uint32", "uint64"):
            raise TypeError("np.iinfo(%r) is not in this subset: integers are int64 here" % d)
        if not isinstance(d, int) and _code(d) != 1:
            raise ValueError("Invalid integer data type %r." % d)
        self.bits = 64
        self.max = 9223372036854775807
        self.min = -9223372036854775808
        self.dtype = _np.dtype(int)


class errstate:
    # NumPy never warns here, so there is nothing to switch off: infinities and NaNs arise without a message.
    def __init__(self, **more):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, f):
        return f


def seterr(**more):
    return {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


geterr = seterr

_options = ("precision", "threshold", "edgeitems", "linewidth", "suppress", "floatmode")


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, floatmode=None, **more):
    given = {}
    for name, x in zip(_options, (precision, threshold, edgeitems, linewidth, suppress, floatmode)):
        if x is not None:
            given[name] = 1e9 if x == inf else x
    if more.get("formatter"):
        raise NotImplementedError("formatter= is not in this subset; use precision and suppress")
    r = _host.setPrint(json.dumps(given))
    if r is not None:
        _fail(r)


def get_printoptions():
    return json.loads(_host.getPrint())


class printoptions:
    def __init__(self, **more):
        self._new = more

    def __enter__(self):
        self._old = get_printoptions()
        set_printoptions(**self._new)
        return self

    def __exit__(self, *args):
        _host.setPrint(json.dumps(self._old))
        return False


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", threshold=None, edgeitems=None, floatmode=None, suffix="", **more):
    if more.get("formatter"):
        raise NotImplementedError("formatter= is not in this subset; use precision= and suppress_small=")
    given = {}
    for name, x in (("linewidth", max_line_width), ("precision", precision), ("suppress", suppress_small), ("threshold", threshold), ("edgeitems", edgeitems), ("floatmode", floatmode)):
        if x is not None:
            given[name] = x
    return _host.array2string(_h(a), separator, prefix, suffix, json.dumps(given))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return array2string(a, max_line_width, precision, suppress_small)


def array_repr(a):
    return repr(a)


def format_float_positional(x, precision=None, unique=True, trim="k"):
    s = repr(float(x)) if precision is None else "%.*f" % (precision, float(x))
    if precision is not None and trim == "k" and unique:
        s = s.rstrip("0")
    return s


def format_float_scientific(x, precision=None, **more):
    return "%.*e" % (8 if precision is None else precision, float(x))


def show_config():
    print("numpy over the array engine of Attention Labs")
