# The functions that the rewritten parts of a student's file call (rewrite-for-micropython.ts). They do what
# MicroPython cannot.
import numpy as _np
from uctypes import bytearray_at as _bytes_at

__attn_float = _np._float


def __attn_imul(x, y):
    # `x *= y` for a plain name changes arrays and tensors in place.
    return x.__imul__(y) if hasattr(x, "_h") else x * y


def __attn_itruediv(x, y):
    return x.__itruediv__(y) if hasattr(x, "_h") else x / y


def __attn_ifloordiv(x, y):
    return x.__ifloordiv__(y) if hasattr(x, "_h") else x // y


def __attn_imod(x, y):
    return x.__imod__(y) if hasattr(x, "_h") else x % y


def __attn_ipow(x, y):
    return x.__ipow__(y) if hasattr(x, "_h") else x**y


def __attn_imatmul(x, y):
    return x.__imatmul__(y) if hasattr(x, "_h") else x @ y


def __attn_iand(x, y):
    return x.__iand__(y) if hasattr(x, "_h") else x & y


def __attn_ior(x, y):
    return x.__ior__(y) if hasattr(x, "_h") else x | y


def __attn_ixor(x, y):
    return x.__ixor__(y) if hasattr(x, "_h") else x ^ y


# Comparisons with a number on the left of an array. MicroPython never asks the array, so these functions do.


def __attn_lt(a, b):
    return b > a if hasattr(b, "_h") else a < b


def __attn_le(a, b):
    return b >= a if hasattr(b, "_h") else a <= b


def __attn_gt(a, b):
    return b < a if hasattr(b, "_h") else a > b


def __attn_ge(a, b):
    return b <= a if hasattr(b, "_h") else a >= b


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


def __attn_copy(x, *args, **more):
    return x if type(x) in _numbers else x.copy(*args, **more)


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


def __attn_show(x):
    # Turns a scalar of NumPy or torch into a number for an f-string with a format.
    if type(x) is _np.float32:
        return x._x
    if hasattr(x, "_h") and x._h & 60 == 0:
        return x.item()
    if hasattr(x, "_h"):
        raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
    return x


def __attn_format(s, *args, **more):
    return s.format(*[_plain(x) for x in args], **{k: _plain(v) for k, v in more.items()})


def _plain(x):
    return x._x if type(x) is _np.float32 else x.item() if hasattr(x, "_h") and x._h & 60 == 0 else x


def __attn_percent(s, x):
    return s % (tuple([_plain(v) for v in x]) if isinstance(x, tuple) else _plain(x))


def __attn_list(*parts):
    out = []
    for p in parts:
        out.extend(p)
    return out


def __attn_d(*kv):
    # A dict that remembers the order of its entries. MicroPython has a bit for this in every dict.
    d = {}
    _bytes_at(id(d) + 4, 1)[0] |= 4
    for i in range(0, len(kv), 2):
        d[kv[i]] = kv[i + 1]
    return d


def __attn_dict(*parts, **more):
    d = {}
    _bytes_at(id(d) + 4, 1)[0] |= 4
    for p in parts:
        for k, v in p.items() if hasattr(p, "items") else p:
            d[k] = v
    for k, v in more.items():
        d[k] = v
    return d


def __attn_commas(x, spec):
    x = _plain(x)
    mark = "_" if "_" in spec else ","
    text = ("{:" + spec.replace(mark, "") + "}").format(x)
    start = len(text) - len(text.lstrip(" +-"))
    end = start
    while end < len(text) and text[end].isdigit():
        end += 1
    whole = text[start:end]
    groups = []
    while len(whole) > 3:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    groups.insert(0, whole)
    out = text[:start] + mark.join(groups) + text[end:]
    extra = len(out) - len(text)
    # Commas count as part of the width, so spaces are removed for them.
    while extra > 0 and out[:1] == " ":
        out = out[1:]
        extra -= 1
    return out


def __attn_ljust(s, n, c=" "):
    return s + c * (n - len(s)) if hasattr(s, "encode") else s.ljust(n, c)


def __attn_rjust(s, n, c=" "):
    return c * (n - len(s)) + s if hasattr(s, "encode") else s.rjust(n, c)


def __attn_center(s, n, c=" "):
    if not hasattr(s, "encode"):
        return s.center(n, c)
    k = max(n - len(s), 0)
    left = k // 2 + (k & n & 1)
    return c * left + s + c * (k - left)


def __attn_zfill(s, n):
    if s[:1] in ("-", "+"):
        return s[0] + "0" * (n - len(s)) + s[1:]
    return "0" * (n - len(s)) + s


def __attn_title(s, *args, **more):
    if not hasattr(s, "encode"):
        # plt.title("…") is no method of a text.
        return s.title(*args, **more)
    out = ""
    before = " "
    for c in s:
        out += c.lower() if before.isalpha() else c.upper()
        before = c
    return out


def __attn_capitalize(s):
    return s[:1].upper() + s[1:].lower()


class _Stepped:
    def __init__(self, s):
        self.s = s

    def __getitem__(self, k):
        part = list(self.s)[k]
        return "".join(part) if type(self.s) is str else tuple(part)


def __attn_stepped(x):
    # Prepares x for [a:b:c], which MicroPython's strings and tuples do not support.
    return _Stepped(x) if type(x) is str or type(x) is tuple else x


# In counting runs only: what plain lists hold.
_largest = 0


# Lists grow after they were made, so they are measured later: when the call is over, or when many have come.
_held = {}
_newest = 0
_MOST = 256
_KEPT = 32


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


def counted():
    global _largest
    _measure()
    _held.clear()
    r = str(_largest)
    _largest = 0
    return r


# These names are available in every file.
import builtins

for _name in list(globals()):
    if _name.startswith("__attn_"):
        setattr(builtins, _name, globals()[_name])
