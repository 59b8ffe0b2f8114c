# Builtins and methods as CPython has them, where MicroPython lacks them or answers something else. `_run.py` puts the
# functions into builtins, and rewrite-for-micropython.ts calls the methods. numpy and torch keep MicroPython's own.
import builtins
import _host
from uctypes import bytearray_at as _bytes_at
from _text import _added, _repr, _str, _format, _ordered, _isinstance, _ascii_of, _own, _defines, _ascii

_issubclass = issubclass
_round = round
_pow = pow
_sum = sum
_zip = zip
_sorted = sorted
_divmod = divmod
_hash = hash
_reversed = reversed
_getattr = getattr
_hasattr = hasattr
_len = len
_range = range


def _whole_kind(t):
    # Whether int is among the types: True and False are whole numbers too.
    if t is int:
        return True
    if type(t) is tuple:
        for one in t:
            if _whole_kind(one):
                return True
    return False


def _flat(t):
    out = []
    for one in t:
        out.extend(_flat(one) if type(one) is tuple else (one,))
    return tuple(out)


def isinstance(x, t):
    if _isinstance(x, t):
        return True
    if type(t) is tuple:
        for one in t:
            if type(one) is tuple:
                return isinstance(x, _flat(t))
    if x is True or x is False:
        return _whole_kind(t)
    return False


def issubclass(x, t):
    if type(t) is tuple:
        t = _flat(t)
    return _issubclass(x, t) or (x is bool and _whole_kind(t))


class _Nothing:
    pass


def pow(base, exp, mod=None):
    if mod is None:
        return _power(base, exp)
    for x in (base, exp, mod):
        if type(x) not in (int, bool):
            if _hasattr(x, "__pow__") and not _isinstance(x, float):
                return x.__pow__(exp, mod)
            raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if exp < 0:
        # Euclid's algorithm finds the inverse.
        a, b = base % abs(mod), abs(mod)
        x, y = 1, 0
        while b:
            q = a // b
            a, b = b, a - q * b
            x, y = y, x - q * y
        if a != 1:
            raise ValueError("base is not invertible for the given modulus")
        base, exp = x % abs(mod), -exp
    if exp == 0:
        r = 1 % abs(mod)
        return r + mod if mod < 0 and r else r
    r = _pow(base % abs(mod), exp, abs(mod)) % abs(mod)
    return r + mod if mod < 0 and r else r


def round(number, ndigits=None):
    t = type(number)
    if t is float:
        if ndigits is None:
            if number != number:
                raise ValueError("cannot convert float NaN to integer")
            if number - number != 0:
                raise OverflowError("cannot convert float infinity to integer")
            return int(_host.fixed(number, 0)) * (-1 if number < 0 else 1)
        text = _host.rounded(number, _index(ndigits))
        if text == "":
            raise OverflowError("rounded value too large to represent")
        return float(text)
    if t is int or t is bool:
        number += 0
        if ndigits is None or _index(ndigits) >= 0:
            return number
        unit = 10**-ndigits
        below, rest = _divmod(number, unit)
        if rest * 2 > unit or (rest * 2 == unit and below & 1):
            below += 1
        return below * unit
    if _hasattr(number, "__round__"):
        return number.__round__() if ndigits is None else number.__round__(ndigits)
    if t is str or t is complex or t in (list, tuple, dict, set) or number is None:
        raise TypeError("type %s doesn't define __round__ method" % t.__name__)
    import numpy

    return numpy._round(number, ndigits)


def _index(x):
    if type(x) is not int and not _isinstance(x, int):
        if x is True or x is False:
            return x + 0
        if _hasattr(x, "__index__"):
            return x.__index__()
        raise TypeError("'%s' object cannot be interpreted as an integer" % type(x).__name__)
    return x


def sum(iterable, start=0):
    t = type(start)
    if t is str:
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    return _sum(iterable, start)


def zip(*parts, strict=False):
    return _zip_strict(parts) if strict else _zip(*parts)


def _zip_strict(parts):
    walks = [iter(p) for p in parts]
    while walks:
        row = []
        for i, walk in enumerate(walks):
            try:
                row.append(next(walk))
            except StopIteration:
                if i > 0:
                    raise ValueError("zip() argument %d is shorter than argument%s" % (i + 1, " 1" if i == 1 else "s 1-%d" % i))
                for k in _range(1, _len(walks)):
                    try:
                        next(walks[k])
                    except StopIteration:
                        continue
                    raise ValueError("zip() argument %d is longer than argument%s" % (k + 1, " 1" if k == 1 else "s 1-%d" % k))
                return
        yield tuple(row)


_simple = (int, float, str)


def _in_order(keys, items):
    # A stable sort. MicroPython's own is not, so it sorts only what tells equal keys apart by their places.
    n = _len(keys)
    kind = type(keys[0]) if n else None
    same = kind is int or kind is str or kind is float
    if same:
        for k in keys:
            if type(k) is not kind or k != k:
                same = False
                break
    if same and n > 8:
        if keys is items:
            return _sorted(items)
        rows = _sorted([(k, i) for i, k in enumerate(keys)])
        return [items[i] for _, i in rows]
    order = _insertion(keys) if n < 64 else _merged(keys, list(_range(n)))
    return [items[i] for i in order]


def _insertion(keys):
    # CPython's way for short lists, so that what compares strangely, NaN for one, comes out in the same order.
    n = _len(keys)
    if n < 2:
        return list(_range(n))
    run = 2
    if keys[1] < keys[0]:
        while run < n and keys[run] < keys[run - 1]:
            run += 1
        order = list(_range(run - 1, -1, -1))
    else:
        while run < n and not keys[run] < keys[run - 1]:
            run += 1
        order = list(_range(run))
    for i in _range(run, n):
        key = keys[i]
        low, high = 0, i
        while low < high:
            middle = (low + high) >> 1
            if key < keys[order[middle]]:
                high = middle
            else:
                low = middle + 1
        order.insert(low, i)
    return order


def _merged(keys, order):
    n = _len(order)
    width = 1
    while width < n:
        out = []
        for start in _range(0, n, 2 * width):
            a, b = order[start : start + width], order[start + width : start + 2 * width]
            i = k = 0
            while i < _len(a) and k < _len(b):
                if keys[b[k]] < keys[a[i]]:
                    out.append(b[k])
                    k += 1
                else:
                    out.append(a[i])
                    i += 1
            out.extend(a[i:])
            out.extend(b[k:])
        order = out
        width *= 2
    return order


def sorted(iterable, *, key=None, reverse=False):
    return _sort(list(iterable), key, reverse)


def _sort(items, key, reverse):
    if reverse:
        items.reverse()
    keys = items if key is None else [key(x) for x in items] if not reverse else _backwards(items, key)
    out = _in_order(keys, items)
    if reverse:
        out = list(out)
        out.reverse()
    return out


def _backwards(items, key):
    # The keys are asked for from the first on, although the items lie the other way round.
    keys = [key(x) for x in _reversed(items)]
    keys.reverse()
    return keys


def ascii(x):
    return _ascii_of(x)


def vars(*args):
    if not args:
        raise NotImplementedError("vars() without an object is not here")
    if not _hasattr(args[0], "__dict__"):
        raise TypeError("vars() argument must have __dict__ attribute")
    return args[0].__dict__


_fixed_sign = "'%s' object cannot be interpreted as an integer"


def divmod(a, b):
    if type(a) not in (int, float, bool) and _hasattr(a, "__divmod__"):
        return a.__divmod__(b)
    if type(b) not in (int, float, bool) and _hasattr(b, "__rdivmod__"):
        return b.__rdivmod__(a)
    return _divmod(a, b)


def reversed(x):
    if type(x) in (list, tuple, str, range, bytes):
        return _reversed(x)
    if _hasattr(x, "__reversed__"):
        return x.__reversed__()
    if type(x) is dict or type(x).__name__ == "dict_view":
        return iter(list(x)[::-1])
    if type(x) in (set, frozenset) or not (_hasattr(x, "__getitem__") or _hasattr(x, "_h")):
        raise TypeError("'%s' object is not reversible" % type(x).__name__)
    return _reversed(x)


_walked_over = (list, tuple, str, dict, set, frozenset, range, bytes, bytearray)


def hasattr(x, name):
    if _hasattr(x, name) or _table(x, name) is not None:
        return True
    if name in ("__iter__", "__len__", "__contains__"):
        return type(x) in _walked_over
    return name == "__getitem__" and type(x) in _walked_over and type(x) not in (set, frozenset)


_iter = iter


def iter(x, *sentinel):
    return _until(x, sentinel[0]) if sentinel else _iter(x)


def _until(call, sentinel):
    while True:
        x = call()
        if x == sentinel:
            return
        yield x


def getattr(x, name, *default):
    if _hasattr(x, name):
        return _getattr(x, name)
    call = _table(x, name)
    if call is None:
        return _getattr(x, name, *default)
    if name in _values:
        return call(x)
    return lambda *args, **more: call(x, *args, **more)


def _table(x, name):
    # The method of that name that is here for the type of x and not in MicroPython.
    t = type(x)
    methods = _methods.get(bool if t is bool else t)
    return methods.get(name) if methods else None


# int and float


def _int(x=0, base=None, *more):
    # int(…) in a student's file.
    if base is None:
        t = type(x)
        if t is float:
            if x - x != 0:
                if x != x:
                    raise ValueError("cannot convert float NaN to integer")
                raise OverflowError("cannot convert float infinity to integer")
            return int(x)
        if t is int:
            return x
        if t is not str:
            if _hasattr(x, "__int__") or not _hasattr(x, "__index__"):
                return int(x)
            return x.__index__()
        base = 10
    else:
        if more:
            return int(x, base, *more)
        base = _index(base)
        if not _isinstance(x, (str, bytes)):
            raise TypeError("int() can't convert non-string with explicit base")
        if base != 0 and not 2 <= base <= 36:
            raise ValueError("int() base must be >= 2 and <= 36, or 0")
    text = x
    if type(text) is str:
        if not _ascii(text):
            text = _host.text("digits", _host.text("strip", text))
        core = text.strip().lstrip("+-")
        if "_" in core and (core[0] == "_" or core[-1] == "_" or "__" in core):
            core = ""
        if core[:1] in "+-" or text.count("-") + text.count("+") > 1:
            core = ""
        if core:
            try:
                return int(text, base)
            except ValueError:
                pass
        raise ValueError("invalid literal for int() with base %d: %s" % (base, _repr(x)))
    return int(text, base)


def _float(x=0.0, *more):
    # float(…) of anything but a literal in a student's file.
    t = type(x)
    if t is float and not more:
        return x
    if more:
        return float(x, *more)
    if t is int:
        y = float(x)
        if y - y != 0:
            raise OverflowError("int too large to convert to float")
        return y
    if t is str:
        core = x.strip()
        if not _ascii(core):
            core = _host.text("digits", _host.text("strip", core))
        if core and not core.startswith("_") and not core.endswith("_") and "__" not in core and "x" not in core.lower():
            try:
                return float(core.replace("_", "") if "_" in core else core)
            except ValueError:
                pass
        raise ValueError("could not convert string to float: " + _repr(x))
    if _hasattr(x, "_h"):
        import numpy

        return numpy._float(x)
    if not _hasattr(x, "__float__") and _hasattr(x, "__index__"):
        return float(x.__index__())
    return float(x)


def _is_number(x):
    return type(x) in (int, bool)


def _other(x, name, args, more):
    return _getattr(x, name)(*args, **more)


def bit_length(x, *args, **more):
    if not _isinstance(x, int) and type(x) is not bool:
        return _other(x, "bit_length", args, more)
    x = abs(x + 0)
    return _len(bin(x)) - 2 if x else 0


def bit_count(x, *args, **more):
    if not _isinstance(x, int) and type(x) is not bool:
        return _other(x, "bit_count", args, more)
    return bin(abs(x + 0)).count("1")


def to_bytes(x, *args, **more):
    if type(x) not in (int, bool):
        return _other(x, "to_bytes", args, more)
    return _to_bytes(x + 0, *args, **more)


def _to_bytes(x, length=1, byteorder="big", *, signed=False):
    if byteorder not in ("big", "little"):
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if x < 0:
        if not signed:
            raise OverflowError("can't convert negative int to unsigned")
        if x < -(1 << (8 * length - 1)):
            raise OverflowError("int too big to convert")
        x += 1 << (8 * length)
    elif x >= 1 << (8 * length - (1 if signed else 0)):
        raise OverflowError("int too big to convert")
    out = []
    for _ in _range(length):
        out.append(x & 255)
        x >>= 8
    if byteorder == "big":
        out.reverse()
    return bytes(out)


def from_bytes(b, byteorder="big", *, signed=False):
    # int.from_bytes
    r = 0
    row = list(b)
    if byteorder == "little":
        row.reverse()
    for k in row:
        r = (r << 8) | k
    if signed and row and row[0] & 128:
        r -= 1 << (8 * _len(row))
    return r


def _bits(x):
    # A float as m · 2^e, exactly.
    import math

    m, e = math.frexp(x)
    m = int(m * 9007199254740992.0)
    return m, e - 53


def as_integer_ratio(x, *args, **more):
    if type(x) in (int, bool):
        return (x + 0, 1)
    if type(x) is not float:
        return _other(x, "as_integer_ratio", args, more)
    if x != x:
        raise ValueError("cannot convert NaN to integer ratio")
    if x - x != 0:
        raise OverflowError("cannot convert Infinity to integer ratio")
    if x == 0:
        return (0, 1)
    m, e = _exact(x)
    while m & 1 == 0 and e < 0:
        m >>= 1
        e += 1
    return (m << e, 1) if e >= 0 else (m, 1 << -e)


def _exact(x):
    import struct

    word = int.from_bytes(struct.pack(">d", x), "big")
    sign = -1 if word >> 63 else 1
    e = (word >> 52) & 2047
    f = word & ((1 << 52) - 1)
    return (sign * f, -1074) if e == 0 else (sign * (f | (1 << 52)), e - 1075)


def is_integer(x, *args, **more):
    if type(x) is int or type(x) is bool:
        raise AttributeError("'int' object has no attribute 'is_integer'")
    if type(x) is not float:
        return _other(x, "is_integer", args, more)
    return x - x == 0 and x % 1 == 0


def hex_(x, *args, **more):
    if type(x) is not float:
        return _other(x, "hex", args, more)
    if x != x or x - x != 0:
        return _host.real(x)
    m, e = _exact(x)
    sign = "-" if _host.real(x)[0] == "-" else ""
    m = abs(m)
    if m == 0:
        return sign + "0x0.0p+0"
    lead = m >> 52
    rest = "%013x" % (m & ((1 << 52) - 1))
    return "%s0x%d.%sp%s%d" % (sign, lead, rest, "-" if e + 52 < 0 else "+", abs(e + 52))


def fromhex(text):
    # float.fromhex
    s = text.strip().lower()
    sign = -1.0 if s[:1] == "-" else 1.0
    s = s.lstrip("+-")
    if s in ("inf", "infinity", "nan"):
        return sign * float(s)
    if s[:2] == "0x":
        s = s[2:]
    digits, _, power = s.partition("p")
    whole, _, rest = digits.partition(".")
    try:
        m = int((whole + rest), 16)
        e = (int(power) if power else 0) - 4 * _len(rest)
    except ValueError:
        raise ValueError("invalid hexadecimal floating-point string")
    return sign * (float(m << e) if e >= 0 else m / (1 << -e))


def conjugate(x, *args, **more):
    t = type(x)
    if t is int or t is float or t is bool:
        return x + 0
    if t is complex:
        return -complex(-x.real, x.imag)
    return _other(x, "conjugate", args, more)


def real(x):
    return x + 0 if type(x) in (int, float, bool) else x.real


def imag(x):
    t = type(x)
    return 0.0 if t is float else 0 if t is int or t is bool else x.imag


def numerator(x):
    return x + 0 if type(x) in (int, bool) else x.numerator


def denominator(x):
    return 1 if type(x) in (int, bool) else x.denominator


# list, range, dict and set


def sort(x, *args, **more):
    if type(x) is not list and not _isinstance(x, list):
        return x.sort(*args, **more)
    if args:
        raise TypeError("sort() takes no positional arguments")
    key = more.pop("key", None)
    reverse = more.pop("reverse", False)
    if more:
        raise TypeError("'%s' is an invalid keyword argument for sort()" % list(more)[0])
    x[:] = _sort(list(x), key, reverse)


def extend(x, *args):
    if type(x) is list and _len(args) == 1 and args[0] is x:
        args = (list(x),)
    return x.extend(*args)


def index(x, *args, **more):
    if type(x) is range and _len(args) == 1:
        value = args[0]
        if value in x:
            return (value - x.start) // x.step
        raise ValueError("%s is not in range" % _repr(value))
    if type(x) is list and _len(args) == 1:
        try:
            return x.index(args[0])
        except ValueError:
            raise ValueError("%s is not in list" % _repr(args[0]))
    return x.index(*args, **more)


def insert(x, *args):
    if type(x) is list and args and type(args[0]) is not int:
        args = (_index(args[0]),) + args[1:]
    return x.insert(*args)


def count(x, *args, **more):
    if type(x) is range and _len(args) == 1:
        return 1 if args[0] in x else 0
    if type(x) is str and args and not args[0] and _len(args) == 1:
        return _len(x) + 1
    return x.count(*args, **more)


def _many(name):
    def call(x, *others):
        if type(x) not in (set, frozenset) or _len(others) == 1:
            return _getattr(x, name)(*others)
        x = x.copy()
        for other in others:
            x = _getattr(x, name)(other)
        return x

    return call


union = _many("union")
intersection = _many("intersection")
difference = _many("difference")


def update(x, *args, **more):
    if type(x) is set and _len(args) > 1:
        for other in args:
            x.update(other)
        return None
    return x.update(*args, **more)


def fromkeys(keys, value=None):
    d = _ordered()
    for k in keys:
        d[k] = value
    return d


def copy(x, *args, **more):
    if type(x) in (float, int, bool):
        return x
    if type(x) is dict:
        d = _ordered()
        for k, v in x.items():
            d[k] = v
        return d
    return x.copy(*args, **more)


import _text as _t

_of_text = {
    "upper": _t._upper,
    "lower": _t._lower,
    "split": _t._split,
    "rsplit": _t._rsplit,
    "splitlines": _t._splitlines,
    "replace": _t._replace,
    "ljust": _t._ljust,
    "rjust": _t._rjust,
    "center": _t._center,
    "zfill": _t._zfill,
    "removeprefix": _t._removeprefix,
    "removesuffix": _t._removesuffix,
    "expandtabs": _t._expandtabs,
    "translate": _t._translate,
    "encode": _t._encode,
    "isascii": _t._isascii,
    "format": _t._str_format,
    "strip": _t._strip,
    "count": count,
}
for _n in (
    "title capitalize swapcase casefold isalpha isdigit isdecimal isnumeric isalnum isspace isupper islower istitle isidentifier "
    "isprintable"
).split():
    _of_text[_n] = _t._lettered(_n)

_of_int = {
    "bit_length": bit_length,
    "bit_count": bit_count,
    "to_bytes": to_bytes,
    "as_integer_ratio": as_integer_ratio,
    "conjugate": conjugate,
    "real": real,
    "imag": imag,
    "numerator": numerator,
    "denominator": denominator,
}
_of_float = {
    "is_integer": is_integer,
    "as_integer_ratio": as_integer_ratio,
    "hex": hex_,
    "conjugate": conjugate,
    "real": real,
    "imag": imag,
}
_values = ("real", "imag", "numerator", "denominator")
_of_list = {"sort": sort, "index": index, "insert": insert, "extend": extend}
_of_set = {"union": union, "intersection": intersection, "difference": difference, "update": update}
_methods = {
    str: _of_text,
    int: _of_int,
    bool: _of_int,
    float: _of_float,
    list: _of_list,
    range: {"index": index, "count": count},
    set: _of_set,
    frozenset: _of_set,
    dict: {"copy": copy},
    bytes: {"decode": _t._decode},
    bytearray: {"decode": _t._decode},
    complex: {"conjugate": conjugate},
}
# By name, for the rewriter. One of several types decides itself.
every = {"decode": _t._decode, "copy": copy}
for _methods_of in (_of_text, _of_int, _of_float, _of_list, _of_set):
    for _n, _f in _methods_of.items():
        every[_n] = _f
every["count"] = count
every["index"] = index


def _method(x, name):
    # x.name, where the file has classes with a method of that name too.
    t = type(x)
    methods = _methods.get(t)
    if methods and name in methods:
        call = methods[name]
        return lambda *args, **more: call(x, *args, **more)
    return _getattr(x, name)


# Operators.

_view = type({}.keys())


def _and(x, y):
    t = type(x)
    if t is int:
        return x & y
    if t is bool and type(y) is bool:
        return x and y
    if t is _view:
        return set(x) & set(y)
    return x & y


def _or(x, y):
    t = type(x)
    if t is int:
        return x | y
    if t is bool and type(y) is bool:
        return x or y
    if t is _view:
        return set(x) | set(y)
    if (type(x) is type or type(x) is tuple or x is None) and (type(y) is type or y is None):
        # int | str, which isinstance takes.
        return (x if type(x) is tuple else (x if x is not None else type(None),)) + (y if y is not None else type(None),)
    return x | y


def _xor(x, y):
    t = type(x)
    if t is int:
        return x ^ y
    if t is bool and type(y) is bool:
        return x is not y
    if t is _view:
        return set(x) ^ set(y)
    return x ^ y


def _power(x, y):
    s = type(x)
    t = type(y)
    if s is int and t is int:
        return x**y
    if s is float and t is float and x >= 0:
        r = x**y
        if r - r == 0:
            return r
    if s is float or t is float:
        if s in _reals and t in _reals:
            r = x**y
            if type(r) is complex:
                return _complex_power(complex(x), complex(y))
            if r - r != 0 and x - x == 0 and y - y == 0:
                raise OverflowError(34, "Numerical result out of range")
            return r
    if (s is complex or t is complex) and (s in _reals or s is complex) and (t in _reals or t is complex):
        return _complex_power(complex(x), complex(y))
    return x**y


_reals = (float, int, bool)


def _complex_power(x, y):
    # CPython's own steps, so that the last digits are the same.
    import math

    n = y.real
    if y.imag == 0 and n == math.floor(n) and abs(n) <= 100:
        n = int(n)
        r, p, mask = complex(1, 0), x, 1
        k = abs(n)
        while mask <= k:
            if k & mask:
                r = r * p
            mask <<= 1
            p = p * p
        if n < 0:
            return _quotient(complex(1, 0), r)
        return r
    if x == 0:
        if y.imag != 0 or y.real < 0:
            raise ZeroDivisionError("0.0 to a negative or complex power")
        return complex(0, 0)
    size = math.hypot(x.real, x.imag)
    length = math.pow(size, y.real)
    at = math.atan2(x.imag, x.real)
    phase = at * y.real
    if y.imag != 0:
        length /= math.exp(at * y.imag)
        phase += y.imag * math.log(size)
    return complex(length * math.cos(phase), length * math.sin(phase))


def _quotient(x, y):
    # x / y where one of them is complex; other values as they are.
    if type(x) is not complex and type(y) is not complex:
        return x / y
    if type(x) not in (int, float, bool, complex) or type(y) not in (int, float, bool, complex):
        return x / y
    a, b = (x.real, x.imag) if type(x) is complex else (float(x), 0.0)
    c, d = (y.real, y.imag) if type(y) is complex else (float(y), 0.0)
    if abs(c) >= abs(d):
        if c == 0:
            raise ZeroDivisionError("complex division by zero")
        ratio = d / c
        over = c + d * ratio
        return _complex_of((a + b * ratio) / over, (b - a * ratio) / over)
    ratio = c / d
    over = c * ratio + d
    return _complex_of((a * ratio + b) / over, (b * ratio - a) / over)


def _complex_of(a, b):
    # MicroPython's complex() loses the sign of a zero.
    return -complex(-a, 0.0) if b == 0 and _host.real(b)[0] == "-" else complex(a, b)


def _complex(*args, **more):
    if _len(args) == 2 and type(args[0]) in _reals and type(args[1]) in _reals:
        return _complex_of(float(args[0]), float(args[1]))
    return complex(*args, **more)


class Ordered:
    # The last base of a class that defines some of its comparisons: the others ask the other side.
    def __lt__(self, o):
        return _asked(self, o, "__gt__", "<")

    def __le__(self, o):
        return _asked(self, o, "__ge__", "<=")

    def __gt__(self, o):
        return _asked(self, o, "__lt__", ">")

    def __ge__(self, o):
        return _asked(self, o, "__le__", ">=")


def _asked(x, o, name, sign):
    if _own(o, name):
        r = _getattr(o, name)(x)
        if r is not NotImplemented:
            return r
    raise TypeError(
        "'%s' not supported between instances of '%s' and '%s'" % (sign, type(x).__name__, type(o).__name__)
    )


class Plain:
    # The base of a class without any and without __init__: it takes no arguments.
    def __init__(self):
        pass


def _ordered_words(d, names):
    # The keywords of a call, which MicroPython gives in no order, in that in which the file writes them.
    if type(d) is not dict or _bytes_at(id(d) + 4, 1)[0] & 4:
        return d
    names = names.split()
    rows = [(names.index(k) if k in names else _len(names), k, v) for k, v in d.items()]
    d.clear()
    _bytes_at(id(d) + 4, 1)[0] |= 4
    for _, k, v in _sorted(rows, key=lambda row: row[0]):
        d[k] = v
    return d


def _base_str(x):
    # super().__str__()
    import _text

    return _text._exception(x) if _isinstance(x, BaseException) else _repr(x)


def _base_repr(x):
    # super().__repr__()
    t = type(x)
    if _isinstance(x, BaseException):
        return t.__name__ + ("(%s)" % _repr(x.args[0]) if _len(x.args) == 1 else _repr(x.args))
    for kind in (list, dict, set, tuple, str):
        if _isinstance(x, kind):
            return _repr(_ordered_copy(x) if kind is dict else kind([y for y in x]) if kind is not str else "".join([c for c in x]))
    return "<__main__.%s object at 0x%08x>" % (t.__name__, id(x))


def _ordered_copy(x):
    d = _ordered()
    for k, v in x.items():
        d[k] = v
    return d


_renamed = {}


def _name(x):
    # x.__name__; functools.wraps gives a function the name of another one.
    return _renamed.get(id(x)) or x.__name__


def rename(g, f):
    name = _renamed.get(id(f)) or _getattr(f, "__name__", None)
    if name is not None:
        _renamed[id(g)] = name
        _held.append(g)


_held = []

# Operators that change their left side.


def _inplace(name, op):
    def call(x, y):
        t = type(x)
        if t is int or t is float:
            return op(x, y)
        if _hasattr(x, name):
            r = _getattr(x, name)(y)
            if r is not NotImplemented:
                return r
        return op(x, y)

    return call


def _imul(x, y):
    t = type(x)
    if t is list and type(y) in (int, bool):
        x[:] = x * (y + 0)
        return x
    if t is int or t is float or not _hasattr(x, "__imul__"):
        return x * y
    return x.__imul__(y)


def _ior(x, y):
    t = type(x)
    if t is set and type(y) in (set, frozenset):
        x.update(y)
        return x
    if t is dict and _hasattr(y, "keys"):
        x.update(y)
        return x
    if t is int or not _hasattr(x, "__ior__"):
        return x | y
    return x.__ior__(y)


def _iand(x, y):
    if type(x) is set and type(y) in (set, frozenset):
        x.intersection_update(y)
        return x
    if type(x) is int or not _hasattr(x, "__iand__"):
        return x & y
    return x.__iand__(y)


def _ixor(x, y):
    if type(x) is set and type(y) in (set, frozenset):
        x.symmetric_difference_update(y)
        return x
    if type(x) is int or not _hasattr(x, "__ixor__"):
        return x ^ y
    return x.__ixor__(y)


def _isub(x, y):
    if type(x) is set and type(y) in (set, frozenset):
        x.difference_update(y)
        return x
    x -= y
    return x


def _assigned(x, value):
    # The right side of x[a:b] = value, for lists: MicroPython takes lists and tuples only.
    if type(x) is not list or type(value) is list or type(value) is tuple:
        return value
    return list(value)


def _walk(view, d):
    # A loop over a dict in whose body the dict is changed.
    return _walked(view, d) if type(d) is dict else view


def _walked(view, d):
    n = _len(d)
    for k in view:
        yield k
        if _len(d) != n:
            raise RuntimeError("dictionary changed size during iteration")


def _key(k):
    # Dicts that remember their order do not ask a key for its hash.
    t = type(k)
    if t is not str and t is not int:
        _hash(k)
    return k


# Exceptions that MicroPython does not have. It raises their bases instead; `_caught` gives them their class.


class RecursionError(RuntimeError):
    pass


class UnboundLocalError(NameError):
    pass


class ModuleNotFoundError(ImportError):
    pass


class FloatingPointError(ArithmeticError):
    pass


class BufferError(Exception):
    pass


class SystemError(Exception):
    pass


class Warning(Exception):
    pass


class UserWarning(Warning):
    pass


class DeprecationWarning(Warning):
    pass


class RuntimeWarning(Warning):
    pass


class FutureWarning(Warning):
    pass


class FileNotFoundError(OSError):
    pass


class PermissionError(OSError):
    pass


class FileExistsError(OSError):
    pass


class ConnectionError(OSError):
    pass


class TimeoutError(OSError):
    pass


_names = (
    "iter isinstance issubclass pow round sum zip sorted ascii vars divmod reversed hasattr getattr RecursionError UnboundLocalError "
    "ModuleNotFoundError FloatingPointError BufferError SystemError Warning UserWarning DeprecationWarning RuntimeWarning "
    "FutureWarning FileNotFoundError PermissionError FileExistsError ConnectionError TimeoutError"
).split()


def _is_recursion(e):
    return _isinstance(e, RecursionError) or (
        type(e) is RuntimeError and e.args and type(e.args[0]) is str and ("recursion" in e.args[0] or "pystack" in e.args[0])
    )


def _caught(e):
    # What `except … as e` gives to a file: the class and the words that CPython has for an error of MicroPython.
    t = type(e)
    if t is RuntimeError and _is_recursion(e):
        return RecursionError("maximum recursion depth exceeded")
    if t is NameError and e.args and e.args[0] == "local variable referenced before assignment":
        return UnboundLocalError(e.args[0])
    return e


def _only_recursion(e):
    if not _is_recursion(e):
        raise e


# Modules of which MicroPython has a small part that works otherwise.
_apart = ("hashlib", "asyncio", "socket", "ssl", "select", "cryptolib", "machine", "platform", "requests")
_import = builtins.__import__


def _import_named(name, *args):
    if name in _apart:
        raise ModuleNotFoundError("no module named '%s'" % name)
    try:
        return _import(name, *args)
    except ImportError as e:
        if type(e) is ImportError and e.args and type(e.args[0]) is str and e.args[0].startswith("no module named"):
            raise ModuleNotFoundError(e.args[0])
        raise


def install():
    import _text

    for name in _names:
        setattr(builtins, name, globals()[name])
    builtins.repr = _repr
    builtins.format = _text._format
    builtins.UnicodeEncodeError = _text.UnicodeEncodeError
    builtins.UnicodeDecodeError = _text.UnicodeDecodeError
    builtins.EnvironmentError = builtins.IOError = OSError
    builtins.__import__ = _import_named


_added.extend((Ordered, Plain))
