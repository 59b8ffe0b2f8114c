# The functions that the rewritten parts of a student's file call (rewrite-for-micropython.ts). They do what
# MicroPython cannot.
from _native import *
import numpy as _np

from _python import (
    Ordered as __attn_Ordered,
    Plain as __attn_Plain,
    _and as __attn_and,
    _base_repr as __attn_base_repr,
    _base_str as __attn_base_str,
    _complex as __attn_complex,
    _name as __attn___name__,
    _or as __attn_or,
    _ordered_words as __attn_words,
    _power as __attn_power,
    _quotient as __attn_quotient,
    _xor as __attn_xor,
    _assigned as __attn_assigned,
    _caught as __attn_caught,
    _float as __attn_float,
    _iand as __attn_iand,
    _imul as __attn_imul,
    _inplace,
    _int as __attn_int,
    _ior as __attn_ior,
    _isub as __attn_isub,
    _ixor as __attn_ixor,
    _key,
    _method as __attn_method,
    _only_recursion as __attn_only_recursion,
    _walk as __attn_walk,
    every as _every,
    from_bytes as __attn_from_bytes,
    fromhex as __attn_fromhex,
    fromkeys as __attn_fromkeys,
)
from _text import (
    _ascii_of as __attn_ascii,
    _maketrans as __attn_maketrans,
    _ordered,
    _percent as __attn_percent,
    _repr as __attn_repr,
    _format as __attn_text,
    _shown as __attn_show,
    _str as __attn_str,
)

__attn_itruediv = _inplace("__itruediv__", lambda x, y: x / y)
__attn_ifloordiv = _inplace("__ifloordiv__", lambda x, y: x // y)
__attn_imod = _inplace("__imod__", lambda x, y: __attn_percent(x, y) if type(x) is str else x % y)
__attn_ipow = _inplace("__ipow__", __attn_power)
__attn_imatmul = _inplace("__imatmul__", lambda x, y: x @ y)


# Comparisons with a number on the left of an array. MicroPython never asks the array, so these functions do.


def __attn_lt(a, b):
    return b > a if type(b) not in _numbers and hasattr(b, "__gt__") else a < b


def __attn_le(a, b):
    return b >= a if type(b) not in _numbers and hasattr(b, "__ge__") else a <= b


def __attn_gt(a, b):
    return b < a if type(b) not in _numbers and hasattr(b, "__lt__") else a > b


def __attn_ge(a, b):
    return b <= a if type(b) not in _numbers and hasattr(b, "__le__") else a >= b


# NumPy's scalars have the methods of arrays. Here scalars are Python's numbers, which lack these methods.

_numbers = (float, int, bool)


def __attn_item(x, *at):
    return x if type(x) in _numbers else x.item(*at)


def __attn_tolist(x):
    return x if type(x) in _numbers else x.tolist()


def __attn_astype(x, *args, **more):
    if type(x) in _numbers:
        return _np.asarray(x).astype(*args, **more)[()]
    return x.astype(*args, **more)


def __attn_round(x, *args, **more):
    return _np.round(x, *args, **more) if type(x) in _numbers else x.round(*args, **more)


def __attn_reshape(x, *args, **more):
    return (_np.asarray(x) if type(x) in _numbers else x).reshape(*args, **more)


def __attn_dtype(x):
    return _np.asarray(x).dtype if type(x) in _numbers else x.dtype


def __attn_shape(x):
    return () if type(x) in _numbers else x.shape


def __attn_ndim(x):
    return 0 if type(x) in _numbers else x.ndim


def __attn_size(x):
    return 1 if type(x) in _numbers else x.size


def __attn_T(x):
    return x if type(x) in _numbers else x.T


def __attn_list(*parts):
    out = []
    for p in parts:
        out.extend(p)
    return out


def __attn_d(*kv):
    d = _ordered()
    for i in range(0, len(kv), 2):
        d[_key(kv[i])] = kv[i + 1]
    return d


def __attn_dict(*parts, **more):
    d = _ordered()
    for p in parts:
        if hasattr(p, "keys"):
            for k in p.keys():
                d[k] = p[k]
            continue
        for row in p:
            try:
                k, v = row
            except TypeError:
                raise TypeError("cannot convert dictionary update sequence element #%d to a sequence" % len(d))
            d[_key(k)] = v
    for k, v in more.items():
        d[k] = v
    return d


class _Stepped:
    def __init__(self, s):
        self.s = s

    def __getitem__(self, k):
        part = list(self.s)[k]
        return "".join(part) if type(self.s) is str else tuple(part)


def __attn_stepped(x):
    # Prepares x for [a:b:c], which MicroPython's strings and tuples do not support.
    return _Stepped(x) if type(x) is str or type(x) is tuple else x


class _SteppedTo:
    def __init__(self, xs):
        self.xs = xs

    def _places(self, k):
        n = len(self.xs)
        step = 1 if k.step is None else k.step
        if step == 0:
            raise ValueError("slice step cannot be zero")
        low, high = (0, n) if step > 0 else (-1, n - 1)
        ends = []
        for at, none in ((k.start, low if step > 0 else high), (k.stop, high if step > 0 else low)):
            if at is None:
                at = none
            else:
                at = at + n if at < 0 else at
                at = low if at < low else high if at > high else at
            ends.append(at)
        return range(ends[0], ends[1], step), ends[0], ends[1], step

    def __setitem__(self, k, values):
        places, start, stop, step = self._places(k)
        values = list(values)
        if step == 1:
            self.xs[start : max(start, stop)] = values
            return
        if len(values) != len(places):
            raise ValueError(
                "attempt to assign sequence of size %d to extended slice of size %d" % (len(values), len(places))
            )
        for i, x in zip(places, values):
            self.xs[i] = x

    def __delitem__(self, k):
        gone = set(self._places(k)[0])
        self.xs[:] = [x for i, x in enumerate(self.xs) if i not in gone]


def __attn_stepped_to(x):
    # Prepares a list for x[a:b:c] = … and del x[a:b:c].
    return _SteppedTo(x) if type(x) is list else x


# In counting runs only: what plain lists hold.
_largest = 0


# Lists grow after they were made, so they are measured later: when the call is over, or when many have come.
_held = {}
_newest = 0
_MOST = 256
_KEPT = 32
# Lists that the file made while it loaded, default arguments among them: every call can fill them.
_standing = []


def __attn_made(xs):
    global _newest
    if type(xs) is tuple:
        _see(_entries(xs, {}))
    elif type(xs) in (list, dict):
        _newest += 1
        _held.setdefault(id(xs), (_newest, xs))
        if len(_held) >= _MOST:
            _measure()
    return xs


def _see(n):
    global _largest
    if n > _largest:
        _largest = n


def _entries(x, seen):
    # Counts the numbers in x and in everything it holds. An array that occurs twice counts once.
    t = type(x)
    array = hasattr(x, "_h")
    if not array and t not in (list, tuple, dict):
        return 1
    if id(x) in seen:
        return 0
    seen[id(x)] = True
    n = 0
    if array:
        n = 1
        for k in x.shape:
            n *= k
    else:
        for y in x.values() if t is dict else x:
            n += 1 if type(y) in _numbers else _entries(y, seen)
    return n


def _measure():
    # The oldest and the largest lists are held on, because they are the most likely to grow further. The others are
    # released, so that their memory can be freed.
    sizes = [(_entries(x, {}), age, key) for key, (age, x) in _held.items()]
    for n, _, _ in sizes:
        _see(n)
    stay = sorted(sizes, key=lambda one: one[1])[:_KEPT] + sorted(sizes)[-_KEPT:]
    keys = [key for _, _, key in stay]
    for key in list(_held):
        if key not in keys:
            del _held[key]


def __attn_full(xs):
    # A list that is emptied is measured as it was.
    if type(xs) in (list, dict):
        _see(_entries(xs, {}))
    return xs


def forget():
    global _standing
    _held.clear()
    _standing = []


def loaded():
    global _standing, _largest
    _standing = [xs for _, xs in _held.values()]
    _held.clear()
    _largest = 0


def counted():
    global _largest
    _measure()
    for xs in _standing:
        _see(_entries(xs, {}))
    _held.clear()
    r = str(_largest)
    _largest = 0
    return r


# These names are available in every file.
import builtins

for _name in _every:
    if "__attn_" + _name not in globals():
        globals()["__attn_" + _name] = _every[_name]
for _name in list(globals()):
    if _name.startswith("__attn_"):
        setattr(builtins, _name, globals()[_name])
