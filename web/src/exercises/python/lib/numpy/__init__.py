# NumPy's names on the C++ array engine. An ndarray holds a handle, one integer: bits 0-1 are its dtype (bool, int64,
# float32, float64), bits 2-5 its rank, and the other bits its number. The host answers with a handle, with a plain
# value, or with text that begins with "!". Such text is an error: a JavaScript exception would pass through
# MicroPython uncaught. Functions that are rarely used are in _more.py, which is loaded with their first use.
from _native import *
import _host
import math as _math
from array import array as _buffer
from uctypes import addressof as _address

# Python's own functions, kept before NumPy's functions take their names.
_builtin_round = round
_builtin_max = max
_builtin_min = min

_un = _host.un
_bin = _host.bin
_bins = _host.bins
_inp = _host.inp
_inps = _host.inps
_red = _host.red
_jsitem = _host.item
_get1 = _host.get1
_get2 = _host.get2
_view1 = _host.view1
_set1 = _host.set1
_set2 = _host.set2
_index = _host.index
_setindex = _host.setIndex
_scalar = _host.scalar
_make = _host.make
_shape = _host.shape
_astype = _host.astype

__version__ = "1.24.2"
pi = 3.141592653589793
e = 2.718281828459045
inf = Inf = Infinity = PINF = float("inf")
NINF = -inf
nan = NaN = NAN = float("nan")
newaxis = None
euler_gamma = 0.5772156649015329

_exceptions = {
    "ValueError": ValueError,
    "TypeError": TypeError,
    "IndexError": IndexError,
    "MemoryError": MemoryError,
    "ZeroDivisionError": ZeroDivisionError,
    "NotImplementedError": NotImplementedError,
    "OverflowError": OverflowError,
    "RuntimeError": RuntimeError,
}


class AxisError(ValueError):
    pass


class UFuncTypeError(TypeError):
    pass


_exceptions["AxisError"] = AxisError
_exceptions["UFuncTypeError"] = UFuncTypeError


def _fail(r):
    if type(r) is not str:
        raise RuntimeError("the array engine answered " + repr(r))
    kind, message = r[1:].split("|", 1)
    if kind == "LinAlgError":
        from numpy.linalg import LinAlgError

        raise LinAlgError(message)
    message, *explained = message.split("\x02", 1)
    error = _exceptions.get(kind, RuntimeError)(message)
    raise _explained(error, explained[0]) if explained else error


# The last error that the page explains in its own words, as an id and parts of the message with \x1f between them.
# The pair is kept here because MicroPython's exceptions take no attributes.
_last_explained = (None, "")


def _explained(error, said):
    global _last_explained
    _last_explained = (error, said)
    return error


# ---- Scalars and dtypes -----------------------------------------------------------------------


class float32:
    # A number of 32 bits. float64 and int64 are Python's own float and int.
    _attn_number = True

    def __new__(cls, x=0.0):
        if isinstance(x, (list, tuple, ndarray)) and not (isinstance(x, ndarray) and x.ndim == 0):
            return asarray(x, float32)
        return super().__new__(cls)

    def __init__(self, x=0.0):
        # The host sends an integral result as text; see `_value`.
        self._x = float(_host.fround(x if type(x) is float else float(_number(x))))

    def __float__(self):
        return self._x

    def __int__(self):
        return int(self._x)

    def __str__(self):
        return _host.scalarText(self._x)

    __repr__ = __str__

    def _with(self, o, f):
        if type(o) is float32:
            return float32(f(self._x, o._x))
        if isinstance(o, (int, float)):
            return f(self._x, o)
        if isinstance(o, ndarray):
            return f(asarray(self), o)
        raise TypeError("unsupported operand types: 'float32' and '%s'" % type(o).__name__)

    def __add__(self, o):
        return self._with(o, lambda a, b: a + b)

    def __sub__(self, o):
        return self._with(o, lambda a, b: a - b)

    def __mul__(self, o):
        return self._with(o, lambda a, b: a * b)

    def __truediv__(self, o):
        return self._with(o, _divide)

    def __floordiv__(self, o):
        return self._with(o, lambda a, b: a // b)

    def __mod__(self, o):
        return self._with(o, lambda a, b: a % b)

    def __pow__(self, o):
        return self._with(o, lambda a, b: a**b)

    def __radd__(self, o):
        return self._with(o, lambda a, b: b + a)

    def __rsub__(self, o):
        return self._with(o, lambda a, b: b - a)

    def __rmul__(self, o):
        return self._with(o, lambda a, b: b * a)

    def __rtruediv__(self, o):
        return self._with(o, lambda a, b: _divide(b, a))

    def __rpow__(self, o):
        return self._with(o, lambda a, b: b**a)

    def __neg__(self):
        return float32(-self._x)

    def __pos__(self):
        return self

    def __abs__(self):
        return float32(abs(self._x))

    def __bool__(self):
        return self._x != 0

    def __hash__(self):
        return hash(self._x)

    def _than(self, o, f):
        if isinstance(o, ndarray):
            return f(asarray(self), o)
        if isinstance(o, (int, float)):
            return f(self._x, o)
        return f(self._x, o._x) if type(o) is float32 else False

    def __eq__(self, o):
        return self._than(o, lambda a, b: a == b)

    def __ne__(self, o):
        return self._than(o, lambda a, b: a != b)

    def __lt__(self, o):
        return self._than(o, lambda a, b: a < b)

    def __le__(self, o):
        return self._than(o, lambda a, b: a <= b)

    def __gt__(self, o):
        return self._than(o, lambda a, b: a > b)

    def __ge__(self, o):
        return self._than(o, lambda a, b: a >= b)

    def __getattr__(self, name):
        # A scalar offers what an array of rank 0 offers: x.item(), x.dtype, x.mean(), …
        if name[0] == "_":
            raise AttributeError("'float32' object has no attribute '%s'" % name)
        return getattr(asarray(self), name)


float64 = float_ = double = floating = float
int64 = int_ = intp = integer = int
bool_ = bool
number = (int, float, float32)
generic = (int, float, bool, float32)
single = float32


def _divide(a, b):
    if b == 0:
        return nan if a == 0 or a != a else inf if (a > 0) == (_math.copysign(1.0, b) > 0) else -inf
    return a / b


_names = ("bool", "int64", "float32", "float64")


_made_dtypes = {}


class dtype:
    def __new__(cls, d):
        # There is one of each, so that `a.dtype is b.dtype` says the right thing.
        if cls is not dtype:
            return super().__new__(cls)
        c = _code(d)
        if c not in _made_dtypes:
            _made_dtypes[c] = super().__new__(cls)
        return _made_dtypes[c]

    def __init__(self, d):
        self._code = _code(d)

    def __eq__(self, o):
        try:
            return self._code == _code(o)
        except TypeError:
            return False

    def __ne__(self, o):
        return not self == o

    def __hash__(self):
        return self._code

    def __str__(self):
        return _names[_told(self._code)]

    def __repr__(self):
        return "dtype('%s')" % _names[_told(self._code)]

    @property
    def name(self):
        return _names[_told(self._code)]

    @property
    def kind(self):
        return "biff"[self._code]

    @property
    def itemsize(self):
        return (1, 8, 4, 8)[_told(self._code)]

    @property
    def type(self):
        return (bool, int, float32, float)[self._code]

    @property
    def char(self):
        return "?lfd"[self._code]

    def __call__(self, x):
        return (bool, int, float32, float)[self._code](x)

    def __getattr__(self, name):
        raise AttributeError("dtype.%s is not in this subset; there are name, kind, char, type and itemsize" % name)


_codes = {
    bool: 0,
    int: 1,
    float32: 2,
    float: 3,
    "bool": 0,
    "bool_": 0,
    "?": 0,
    "int": 1,
    "int64": 1,
    "i8": 1,
    "l": 1,
    "float32": 2,
    "single": 2,
    "f": 2,
    "f4": 2,
    "<f4": 2,
    "float": 3,
    "float64": 3,
    "double": 3,
    "d": 3,
    "f8": 3,
    "<f8": 3,
}


_narrow = 0


def _int32():
    # int32 is accepted and becomes int64, which serves equally well as an index or a mask. `_told` prints a note
    # where the difference can be seen.
    global _narrow
    _narrow = _narrow or 1
    return int


def _told(code):
    global _narrow
    if code == 1 and _narrow == 1:
        _narrow = 2
        print("Note: int32 is int64 here. It has 8 bytes, and does not overflow at 2**31.")
    return code


def _code(d):
    if type(d) is dtype:
        return d._code
    try:
        return _codes[d]
    except (KeyError, TypeError):
        pass
    if d is None:
        return 3
    if d in ("int32", "i", "i4", "<i4"):
        return _codes[_int32()]
    name = d if type(d) is str else getattr(d, "__name__", str(d))
    raise TypeError(
        "data type '%s' is not in this subset; use float64, float32, int64 or bool" % name
    )


def _dt(d):
    # The code -1 says that no dtype was asked for.
    return -1 if d is None else _code(d)


_dtypes = tuple(dtype(i) for i in (bool, int, float32, float))


# ---- From and to the host -----------------------------------------------------------------------


def _w(r):
    # Turns a reply into an array, or into a number where its rank is 0.
    if type(r) is int:
        if r & 60:
            return ndarray(r)
        return _value(_jsitem(r), r)
    _fail(r)


def _a(r):
    # Turns a reply into an array, also where its rank is 0.
    if type(r) is int:
        return ndarray(r)
    _fail(r)


def _value(v, h):
    # Reads an entry of an array with handle h from the host's reply: an integral double arrives as an int, and a
    # large one as text.
    t = type(v)
    if t is float:
        return v if h & 1 else float32(v)
    if t is bool:
        return v
    if t is str:
        if v[0] == "!":
            _fail(v)
        return int(v) if h & 3 == 1 else float(v) if h & 1 else float32(float(v))
    d = h & 3
    return v if d == 1 else float(v) if d == 3 else float32(float(v))


def _many(r):
    # Reads several results, whose handles arrive as text.
    if r[0] == "!":
        _fail(r)
    return [ndarray(int(h)) for h in r.split(",")] if r else []


def _number(x):
    t = type(x)
    if t is float or t is int or t is bool:
        return x
    if t is float32:
        return x._x
    if isinstance(x, ndarray):
        return x.item()
    return float(x)


def _float(x=0.0):
    # Does what `float(x)` does in a student's file: MicroPython's own float takes no arrays.
    if isinstance(x, ndarray):
        if x._count() != 1:
            if hasattr(x, "_only"):
                # A tensor has words of its own.
                x._only()
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return float(x.item())
    return float(x)


def _round(x, n=None):
    if isinstance(x, ndarray):
        return x.round(n or 0)
    if type(x) is float32:
        return float32(_builtin_round(x._x, n)) if n is not None else _builtin_round(x._x)
    return _builtin_round(x) if n is None else _builtin_round(x, n)


def _orderable(args):
    # MicroPython's max and min do not ask an array of several comparisons for its truth, and would go on
    # as if it were False.
    items = args[0] if len(args) == 1 else args
    if isinstance(items, ndarray):
        several = items.ndim > 1 and len(items) > 1
    else:
        several = False
        for x in items if type(items) in (list, tuple) else ():
            if isinstance(x, ndarray):
                several = several or x._count() > 1
            elif type(x) in (float, int):
                break
    if several:
        bool(zeros(2))


def _python_max(*args, **more):
    if not more.get("key"):
        _orderable(args)
    return _builtin_max(*args, **more)


def _python_min(*args, **more):
    if not more.get("key"):
        _orderable(args)
    return _builtin_min(*args, **more)


_big = 1 << 30
# What a double holds: all integers up to here.
_exact = 1 << 53


def _wide(x):
    # The handle of a whole number of any size.
    r = _scalar(float(x), 1) if -_exact < x < _exact else _host.integer(str(x))
    return r if type(r) is int else _fail(r)


def _h(x):
    # Returns the handle of an array, or of anything that can become one.
    t = type(x)
    if t is ndarray:
        return x._h
    if t is float:
        return _scalar(x, 3)
    if t is int:
        return _scalar(x, 1) if -_big < x < _big else _wide(x)
    if t is bool:
        return _scalar(1 if x else 0, 0)
    if t is float32:
        return _scalar(x._x, 2)
    return _from(x, -1)


def _hd(x, d):
    # Returns the handle of x with dtype d; -1 keeps the dtype of x.
    h = _h(x)
    if d >= 0 and h & 3 != d:
        h = _astype(h, d)
        if type(h) is str:
            _fail(h)
    return h


def _from(x, d):
    if isinstance(x, ndarray):
        return x._h
    if hasattr(x, "__array__"):
        return _h(x.__array__())
    if isinstance(x, (list, tuple, range)):
        x = list(x)
    elif hasattr(x, "__next__") or isinstance(x, (set, dict)):
        raise TypeError("an array is made from a list, not from a '%s'; write list(…)" % type(x).__name__)
    elif hasattr(x, "__iter__") and not isinstance(x, (str, bytes)):
        x = list(x)
    elif type(x) is complex:
        raise TypeError("complex numbers are not in this subset")
    else:
        return _fail("!TypeError|a '%s' cannot become an array" % type(x).__name__)
    shape = []
    y = x
    while isinstance(y, (list, tuple, range)):
        shape.append(len(y))
        if not y:
            break
        y = y[0]
    if isinstance(y, ndarray):
        # The list holds rows that are arrays.
        r = _host.stack(0, *[_from_part(p, d) for p in x]) if x else 0
        if type(r) is str:
            _fail(r)
        return r
    flat = x
    for n in shape[1:]:
        inner = []
        for row in flat:
            if not isinstance(row, (list, tuple, range)) or len(row) != n:
                raise ValueError(
                    "setting an array element with a sequence. The rows of the list have different "
                    "lengths: all must have %d" % n
                )
            inner.extend(row)
        flat = inner
    kind = -1
    for v in flat:
        t = type(v)
        k = _kinds.get(t, -2)
        if k == -2:
            if isinstance(v, (list, tuple)):
                raise ValueError(
                    "setting an array element with a sequence. The rows of the list have different lengths"
                )
            if isinstance(v, ndarray) and v._count() == 1:
                k = v._h & 3
            elif v is None:
                raise TypeError("float() argument must be a string or a real number, not 'NoneType'")
            elif t is str:
                raise ValueError(
                    "could not convert string to float: %r. Arrays of text are not in this subset; use a list" % v
                )
            elif t is complex:
                raise TypeError("complex numbers are not in this subset")
            else:
                raise TypeError("a '%s' cannot be an entry of an array in this subset; use a list" % t.__name__)
        if k > kind:
            kind = k
    if kind < 0:
        kind = 3
    given = flat
    try:
        flat = _buffer("d", flat)
    except TypeError:
        flat = _buffer("d", [float(_number(v)) for v in flat])
    r = _make(kind if d < 0 else d, _address(flat), len(flat), *shape)
    if r is None:
        flat = _buffer("q", [_whole(v) for v in given])
        r = _host.makeIntegers(_address(flat), len(flat), *shape)
    if type(r) is str:
        _fail(r)
    return r


def _whole(v):
    # An entry of an int64 array.
    v = _number(v)
    if type(v) is float:
        if v - v != 0:
            _no_integer(v)
        v = int(v)
    if not -_exact < v < _exact:
        # The host refuses what has more than 64 bits.
        _wide(v)
    return v


def _no_integer(v):
    if v != v:
        raise ValueError("cannot convert float NaN to integer")
    raise OverflowError("cannot convert float infinity to integer")


def _from_part(x, d):
    return _h(x) if d < 0 else _hd(x, d)


_kinds = {bool: 0, int: 1, float32: 2, float: 3}


def _axes(axis):
    # Returns the axes as the last arguments of a call; no arguments mean all axes.
    if axis is None:
        return ()
    if type(axis) is int:
        return (axis,)
    if isinstance(axis, (tuple, list)):
        return tuple(axis)
    try:
        return (_toint(axis),)
    except TypeError:
        raise TypeError("an axis is a whole number, not a '%s'" % type(axis).__name__)


def _toint(x):
    if type(x) is int:
        return x
    if isinstance(x, ndarray) and x._h & 3 <= 1 and x._count() == 1:
        return int(x.item())
    if type(x) is bool:
        return int(x)
    if isinstance(x, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    raise TypeError("'%s' object cannot be interpreted as an integer" % type(x).__name__)


def _lengths(shape):
    if type(shape) is int:
        if not -_big < shape < _big:
            _too_long(shape)
        return (shape,)
    if isinstance(shape, (tuple, list)):
        for n in shape:
            if type(n) is not int:
                return tuple([_toint(n) for n in shape])
            if not -_big < n < _big:
                _too_long(n)
        return tuple(shape)
    if isinstance(shape, ndarray):
        return tuple(shape.tolist())
    return (_toint(shape),)


def _too_long(n):
    raise MemoryError("an array with an axis of %d entries is more than this machine can count" % n)


def _one_of(what, given, allowed):
    # A word that is not known must not pass for the usual one.
    if given not in allowed:
        raise ValueError("%s must be one of %s (got %r)" % (what, ", ".join([repr(a) for a in allowed]), given))


def _no_more(name, more, why=""):
    # Arguments that are not known must not be passed over.
    for k in more:
        raise TypeError("%s() has no argument %s= in this subset%s" % (name, k, why))


# ---- Indexing ---------------------------------------------------------------------------------


def _part(flat, k):
    t = type(k)
    if t is int:
        if not -_big < k < _big:
            _outside(k)
        flat.append(0)
        flat.append(k)
    elif t is slice:
        flat.append(1)
        flat.append(None if k.start is None else _cut(_toint(k.start)))
        flat.append(None if k.stop is None else _cut(_toint(k.stop)))
        flat.append(1 if k.step is None else _cut(_toint(k.step)))
    elif k is None:
        flat.append(2)
    elif k is Ellipsis:
        flat.append(3)
    elif t is bool:
        flat.append(4)
        flat.append(_h(k))
    elif isinstance(k, ndarray) or isinstance(k, (list, tuple, range)):
        h = k._h if isinstance(k, ndarray) else _from(k, -1 if len(k) else 1)
        if h & 2:
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        if h & 60 == 0 and h & 3 == 1:
            flat.append(0)
            flat.append(_jsitem(h))
        else:
            flat.append(4)
            flat.append(h)
    else:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            "boolean arrays are valid indices"
        )


def _outside(k):
    # The host would see the lowest 32 bits only.
    raise IndexError("index %d is out of bounds: no axis has that many entries" % k)


def _cut(k):
    # No axis is as long, so that a slice means the same.
    return k if -_big < k < _big else _big if k > 0 else -_big


def _parts(k):
    flat = []
    if type(k) is tuple:
        for p in k:
            _part(flat, p)
    else:
        _part(flat, k)
    return flat


_SCALARS = (float, int, bool)


class ndarray:
    _attn_number = True

    def __init__(self, h, dtype=None):
        if type(h) is not int:
            h = _host.full(_code(dtype), 0, *_lengths(h))
        self._h = h

    # Shape and type.

    @property
    def shape(self):
        try:
            return self._shape
        except AttributeError:
            h = self._h
            n = h & 60
            if n == 4:
                s = (_host.length(h, 0),)
            elif n == 8:
                s = (_host.length(h, 0), _host.length(h, 1))
            else:
                s = tuple([_host.length(h, i) for i in range(n >> 2)])
            self._shape = s
            return s

    @shape.setter
    def shape(self, s):
        self._h = _a(_host.reshape(self._h, *_lengths(s)))._h
        self._shape = None
        del self._shape

    @property
    def ndim(self):
        return (self._h >> 2) & 15

    def _count(self):
        n = 1
        for k in self.shape:
            n *= k
        return n

    size = property(_count)

    @property
    def dtype(self):
        return _dtypes[self._h & 3]

    @dtype.setter
    def dtype(self, d):
        raise AttributeError("an array's dtype cannot be set in this subset; use a.astype(dtype)")

    @property
    def itemsize(self):
        return (1, 8, 4, 8)[_told(self._h & 3)]

    @property
    def nbytes(self):
        return self._count() * self.itemsize

    @property
    def strides(self):
        return tuple([int(s) for s in _host.strides(self._h).split(",") if s])

    @property
    def T(self):
        h = self._h
        return ndarray(_host.transpose(h)) if h & 56 else self

    @property
    def mT(self):
        return swapaxes(self, -1, -2)

    @property
    def flat(self):
        return self.ravel()

    @property
    def real(self):
        return self

    @property
    def base(self):
        if _host.owns(self._h):
            return None
        raise AttributeError(
            "the .base of a view is not in this subset; np.shares_memory(a, b) says whether two arrays share entries"
        )

    @property
    def flags(self):
        return _rest().Flags(self)

    def setflags(self, write=None, align=None, uic=None):
        if write is not None:
            self.flags.writeable = write

    def __len__(self):
        h = self._h
        if not h & 60:
            raise TypeError("len() of unsized object")
        return _host.length(h, 0)

    def __iter__(self):
        h = self._h
        n = h & 60
        if n == 4:
            return iter(self.tolist()) if h & 3 != 2 else iter([float32(x) for x in self.tolist()])
        if n == 0:
            raise TypeError("iteration over a 0-d array")
        return iter([ndarray(_view1(h, i)) for i in range(_host.length(h, 0))])

    # Entries.

    def __getitem__(self, k):
        h = self._h
        t = type(k)
        if t is int:
            if not -_big < k < _big:
                _outside(k)
            if h & 60 == 4:
                v = _get1(h, k)
                return v if type(v) is float and h & 3 == 3 else _value(v, h)
            r = _view1(h, k)
            if type(r) is int:
                return ndarray(r)
            _fail(r)
        if t is tuple and len(k) == 2 and h & 60 == 8:
            i, j = k
            if type(i) is int and type(j) is int and -_big < i < _big and -_big < j < _big:
                v = _get2(h, i, j)
                return v if type(v) is float and h & 3 == 3 else _value(v, h)
        r = _index(h, *_parts(k))
        if type(r) is int:
            if r & 60:
                return ndarray(r)
            # A result of rank 0 stays an array only where the index contains an Ellipsis.
            if k is Ellipsis or (t is tuple and Ellipsis in [p for p in k if p is Ellipsis]):
                return ndarray(r)
            return _value(_jsitem(r), r)
        _fail(r)

    def __setitem__(self, k, v):
        h = self._h
        if type(k) is int and h & 60 == 4 and -_big < k < _big:
            if type(v) is float and h & 3 != 1 or type(v) is int and -_big < v < _big:
                r = _set1(h, k, v)
                if r is not None:
                    _fail(r)
                return
        elif type(k) is tuple and h & 60 == 8 and len(k) == 2:
            i, j = k
            if type(i) is int and type(j) is int and -_big < i < _big and -_big < j < _big:
                if type(v) is float and h & 3 != 1 or type(v) is int and -_big < v < _big:
                    r = _set2(h, i, j, v)
                    if r is not None:
                        _fail(r)
                    return
        if h & 3 == 1 and type(v) is float and v - v != 0:
            _no_integer(v)
        r = _setindex(h, _h(v), *_parts(k))
        if r is not None:
            _fail(r)

    def __contains__(self, x):
        return bool((self == x).any())

    def item(self, *at):
        h = self._h
        if at:
            if len(at) == 1 and type(at[0]) is not tuple:
                return _plain(self.ravel()[at[0]])
            return _plain(self[at[0] if len(at) == 1 else at])
        v = _jsitem(h)
        if type(v) is float:
            return v
        return _plain(_value(v, h))

    def tolist(self):
        h = self._h
        if not h & 60:
            return self.item()
        return _tolist(h, self.shape)

    def __bool__(self):
        if self._count() == 1:
            return bool(self.item())
        if self._count() == 0:
            return False
        message = (
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
        )
        raise _explained(ValueError(message), "array_truth")

    def __int__(self):
        if self._count() != 1:
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return int(self.item())

    def __index__(self):
        if self._h & 3 != 1 or self._count() != 1:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.item()

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __str__(self):
        return _host.str(self._h)

    def __repr__(self):
        return _host.repr(self._h)

    # Operators. The numbers are those of the engine's `Binary` and `Unary`.

    def __add__(self, o):
        return _binary(0, self._h, o, 0)

    def __radd__(self, o):
        return _binary(0, self._h, o, 4)

    def __sub__(self, o):
        return _binary(1, self._h, o, 0)

    def __rsub__(self, o):
        return _binary(1, self._h, o, 4)

    def __mul__(self, o):
        return _binary(2, self._h, o, 0)

    def __rmul__(self, o):
        return _binary(2, self._h, o, 4)

    def __truediv__(self, o):
        return _binary(3, self._h, o, 0)

    def __rtruediv__(self, o):
        return _binary(3, self._h, o, 4)

    def __floordiv__(self, o):
        return _binary(4, self._h, o, 0)

    def __rfloordiv__(self, o):
        return _binary(4, self._h, o, 4)

    def __mod__(self, o):
        return _binary(5, self._h, o, 0)

    def __rmod__(self, o):
        return _binary(5, self._h, o, 4)

    def __divmod__(self, o):
        return self // o, self % o

    def __pow__(self, o):
        if type(o) is int and o == 2:
            return _w(_un(4, self._h))
        return _binary(7, self._h, o, 0)

    def __rpow__(self, o):
        return _binary(7, self._h, o, 4)

    def __eq__(self, o):
        if o is None or type(o) is str:
            return zeros_like(self, bool)
        if hasattr(o, "_approx"):
            return o == self
        return _binary(16, self._h, o, 0)

    def __ne__(self, o):
        if o is None or type(o) is str:
            return ones_like(self, bool)
        return _binary(17, self._h, o, 0)

    def __lt__(self, o):
        return _binary(18, self._h, o, 0)

    def __le__(self, o):
        return _binary(19, self._h, o, 0)

    def __gt__(self, o):
        return _binary(20, self._h, o, 0)

    def __ge__(self, o):
        return _binary(21, self._h, o, 0)

    def __and__(self, o):
        return _binary(25, self._h, o, 0)

    __rand__ = __and__

    def __or__(self, o):
        return _binary(26, self._h, o, 0)

    __ror__ = __or__

    def __xor__(self, o):
        return _binary(27, self._h, o, 0)

    __rxor__ = __xor__

    def __lshift__(self, o):
        return _binary(28, self._h, o, 0)

    def __rshift__(self, o):
        return _binary(29, self._h, o, 0)

    def __invert__(self):
        return _w(_un(39, self._h))

    def __neg__(self):
        return _w(_un(0, self._h))

    def __pos__(self):
        return self.copy()

    def __abs__(self):
        return _w(_un(2, self._h))

    def __matmul__(self, o):
        h = o._h if type(o) is ndarray else _operand(o)
        r = _host.matmul(self._h, h)
        if type(r) is int and r & 60:
            return ndarray(r)
        return _w(r)

    def __rmatmul__(self, o):
        return _w(_host.matmul(_operand(o), self._h))

    def __iadd__(self, o):
        return _inplace(0, self, o)

    def __isub__(self, o):
        return _inplace(1, self, o)

    # MicroPython never calls the following methods. A student's file is rewritten so that they are called
    # (rewrite-for-micropython.ts).

    def __imul__(self, o):
        return _inplace(2, self, o)

    def __itruediv__(self, o):
        return _inplace(3, self, o)

    def __ifloordiv__(self, o):
        return _inplace(4, self, o)

    def __imod__(self, o):
        return _inplace(5, self, o)

    def __ipow__(self, o):
        return _inplace(7, self, o)

    def __iand__(self, o):
        return _inplace(25, self, o)

    def __ior__(self, o):
        return _inplace(26, self, o)

    def __ixor__(self, o):
        return _inplace(27, self, o)

    # Shapes.

    def reshape(self, *shape, order="C"):
        if len(shape) == 1:
            shape = _lengths(shape[0])
        if order != "C":
            _one_of("order", order, ("C", "F", "A"))
        if order == "F" or order == "A" and self.flags.fnc:
            return _a(_host.reshape(_host.transpose(self._h), *reversed(_lengths(shape)))).T
        return _a(_host.reshape(self._h, *_lengths(shape)))

    def ravel(self, order="C"):
        if order != "C":
            _one_of("order", order, ("C", "F", "A", "K"))
            if order == "F" or self.flags.fnc:
                return _a(_host.reshape(self.T._h, -1))
        return _a(_host.reshape(self._h, -1))

    def flatten(self, order="C"):
        return self.ravel(order).copy()

    def transpose(self, *axes):
        if len(axes) == 1 and type(axes[0]) is not int:
            axes = axes[0] or ()
        return _a(_host.transpose(self._h, *axes))

    def swapaxes(self, a, b):
        return _a(_host.swapaxes(self._h, a, b))

    def squeeze(self, axis=None):
        return _a(_host.squeeze(self._h, *_axes(axis)))

    def copy(self, order="C"):
        r = _a(_host.copy(self._h))
        return r if order == "C" else _rest()._ordered(r, order, self)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def astype(self, dtype, order="C", casting="unsafe", copy=True):
        d = _code(dtype)
        if casting != "unsafe" and not _rest().can_cast(self._h & 3, d, casting):
            raise TypeError(
                "Cannot cast array data from dtype('%s') to dtype('%s') according to the rule '%s'"
                % (_names[self._h & 3], _names[d], casting)
            )
        if not copy and d == self._h & 3:
            return self
        r = _a(_host.astype(self._h, d))
        return r if order == "C" else _rest()._ordered(r, order, self)

    def view(self, dtype=None):
        if dtype is not None:
            raise NotImplementedError("view with another dtype is not in this subset; use astype")
        return _a(_host.alias(self._h))

    def fill(self, x):
        self[...] = x

    # Along axes.

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, **more):
        return _reduce(0, self, axis, keepdims, dtype, out, **more)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, **more):
        return _reduce(1, self, axis, keepdims, dtype, out, **more)

    def max(self, axis=None, out=None, keepdims=False, **more):
        return _reduce(2, self, axis, keepdims, None, out, **more)

    def min(self, axis=None, out=None, keepdims=False, **more):
        return _reduce(3, self, axis, keepdims, None, out, **more)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, **more):
        return _reduce(4, self, axis, keepdims, dtype, out, **more)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **more):
        return _reduce(5, self, axis, keepdims, dtype, out, ddof, **more)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **more):
        return _reduce(6, self, axis, keepdims, dtype, out, ddof, **more)

    def any(self, axis=None, out=None, keepdims=False):
        return _reduce(7, self, axis, keepdims, None, out)

    def all(self, axis=None, out=None, keepdims=False):
        return _reduce(8, self, axis, keepdims, None, out)

    def argmax(self, axis=None, out=None, keepdims=False):
        return _w(_host.argmax(self._h, axis, keepdims))

    def argmin(self, axis=None, out=None, keepdims=False):
        return _w(_host.argmin(self._h, axis, keepdims))

    def cumsum(self, axis=None, dtype=None):
        return _w(_host.cumsum(_hd(self, _dt(dtype)), axis))

    def cumprod(self, axis=None, dtype=None):
        return _w(_host.cumprod(_hd(self, _dt(dtype)), axis))

    def clip(self, min=None, max=None, out=None):
        return clip(self, min, max, out)

    def round(self, decimals=0, out=None):
        return _w(_host.round(self._h, decimals))

    def dot(self, o):
        return dot(self, o)

    def sort(self, axis=-1, kind=None, order=None):
        _known_sort(kind, order)
        if not _host.writeable(self._h):
            raise ValueError("sort array is read-only")
        r = _setindex(self._h, _host.sort(self._h, axis), 3)
        if r is not None:
            _fail(r)

    def argsort(self, axis=-1, kind=None, order=None):
        _known_sort(kind, order)
        return _w(_host.argsort(self._h, axis))

    def diagonal(self, offset=0, axis1=0, axis2=1):
        return _rest().diagonal(self, offset, axis1, axis2)

    def repeat(self, repeats, axis=None):
        return repeat(self, repeats, axis)

    def nonzero(self):
        return tuple(_many(_host.nonzero(self._h)))

    def conj(self):
        return self

    def __array__(self):
        return self

    def __getattr__(self, name):
        # The other methods are functions of the module that take the array first.
        if name == "compress":
            return lambda condition, axis=None: _rest().compress(condition, self, axis)
        if name in _methods:
            f = _load(name)
            return lambda *args, **more: f(self, *args, **more)
        say = _unsupported.get("ndarray." + name)
        if say is None:
            say = "'numpy.ndarray' object has no attribute '%s'" % name
            n = name[:1] != "_" and _meant(name, list(ndarray.__dict__))
            say += "; did you mean .%s?" % n if n else ""
        raise AttributeError(say)


_methods = (
    "put",
    "trace",
    "take",
    "ptp",
    "searchsorted",
    "argpartition",
    "choose",
)


def _plain(x):
    return x._x if type(x) is float32 else x


def _tolist(h, shape):
    n = 1
    for k in shape:
        n *= k
    d = h & 3
    if n == 0:
        flat = []
    elif d == 1:
        flat = _buffer("q", bytes(8 * n))
        r = _host.fill(h, _address(flat), 1)
        if r is not None:
            _fail(r)
        flat = list(flat)
    else:
        flat = _buffer("d", bytes(8 * n))
        r = _host.fill(h, _address(flat), 3)
        if r is not None:
            _fail(r)
        flat = [x != 0 for x in flat] if d == 0 else list(flat)
    for k in reversed(shape[1:]):
        flat = [flat[i : i + k] for i in range(0, len(flat), k)] if k else [[]] * shape[0]
    return flat


def _operand(o):
    t = type(o)
    if t in _SCALARS or t is float32:
        raise ValueError(
            "matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    return _h(o)


def _binary(op, h, o, side):
    # `side` is 4 when the array stands on the right.
    t = type(o)
    if t is ndarray:
        r = _bin(op, h, o._h)
    elif t is float:
        r = _bins(op, h, o, 3 + side)
    elif t is int:
        if -_big < o < _big:
            r = _bins(op, h, o, 1 + side)
        elif h & 2:
            r = _bins(op, h, float(o), (1 if -_exact < o < _exact else 3) + side)
        else:
            k = _wide(o)
            r = _bin(op, k, h) if side else _bin(op, h, k)
    elif t is bool:
        r = _bins(op, h, 1 if o else 0, side)
    else:
        if t is float32 or isinstance(o, (ndarray, list, tuple, range)):
            k = _h(o)
        elif o is None or t is str or t is dict:
            raise TypeError(
                "unsupported operand type(s) for %s: 'ndarray' and '%s'" % (_host.binaryName(op), t.__name__)
            )
        else:
            k = _h(o)
        r = _bin(op, k, h) if side else _bin(op, h, k)
    if type(r) is int and r & 60:
        return ndarray(r)
    return _w(r)


def _inplace(op, self, o):
    t = type(o)
    if t is ndarray:
        r = _inp(op, self._h, o._h)
    elif t is float:
        r = _inps(op, self._h, o, 3)
    elif t is int and -_big < o < _big:
        r = _inps(op, self._h, o, 1)
    else:
        r = _inp(op, self._h, _h(o))
    if r is not None:
        _fail(r)
    return self


def _into(out, r, name=None, exact=False):
    # Stores a result in the array given as `out=`. With the name of a ufunc, real numbers are not stored in an
    # array of whole numbers. With `exact`, the array must have the result's shape.
    if out is None:
        return r
    if type(out) is tuple:
        out = out[0]
    if not isinstance(out, ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if not _host.writeable(out._h):
        raise ValueError("output array is read-only")
    h = _h(r)
    if name and h & 3 > out._h & 3 and _kind_of[h & 3] != _kind_of[out._h & 3]:
        raise UFuncTypeError(
            "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'"
            % (name, _names[h & 3], _names[out._h & 3])
        )
    if exact and shape(r) != out.shape:
        raise ValueError("output array has wrong dimensions: the result has shape %s, out= has %s" % (shape(r), out.shape))
    out[...] = r
    return out


_kind_of = "biff"


def _reduce(op, a, axis, keepdims, dtype=None, out=None, ddof=0, where=None, initial=None):
    h = a._h if type(a) is ndarray else _h(a)
    if where is not None and where is not True:
        return _rest()._reduce_where(op, h, axis, keepdims, dtype, out, ddof, where, initial)
    if dtype is not None:
        h = _hd(ndarray(h), _code(dtype))
    if axis is None:
        r = _red(op, h, keepdims, ddof)
    elif type(axis) is int and -64 < axis < 64:
        r = _red(op, h, keepdims, ddof, axis)
    elif type(axis) is int:
        raise AxisError("axis %d is out of bounds for array of dimension %d" % (axis, (h & 60) >> 2))
    elif axis == ():
        r = h
    else:
        r = _red(op, h, keepdims, ddof, *_axes(axis))
    if initial is not None:
        r = _rest()._initial(op, r, h, axis, keepdims, initial)
    if out is None:
        if type(r) is int and r & 60:
            return ndarray(r)
        return _w(r)
    return _into(out, _w(r), None, True)


# ---- Functions entry by entry -------------------------------------------------------------------


_identities = {
    "add": 0,
    "multiply": 1,
    "logical_and": True,
    "logical_or": False,
    "logical_xor": False,
    "bitwise_and": -1,
    "bitwise_or": 0,
    "bitwise_xor": 0,
    "logaddexp": -inf,
    "hypot": 0,
}


class ufunc:
    def __init__(self, name, op, two):
        self.__name__ = name
        self._op = op
        self._two = two
        self.nin = 2 if two else 1
        self.identity = _identities.get(name)

    def __call__(self, x, y=None, out=None, where=None, dtype=None, **more):
        for k in more:
            if k not in ("casting", "order", "subok"):
                _no_more("np." + self.__name__, (k,))
        if not self._two:
            if y is not None:
                out = y
            h = x._h if type(x) is ndarray else _h(x)
            if dtype is not None:
                h = _hd(ndarray(h), _code(dtype))
            r = _un(self._op, h)
            if out is None and where is None:
                if type(r) is int and r & 60:
                    return ndarray(r)
                return _w(r)
        else:
            if y is None:
                raise TypeError("%s() takes 2 arrays, 1 was given" % self.__name__)
            h = x._h if type(x) is ndarray else _h(x)
            k = y._h if type(y) is ndarray else _h(y)
            if dtype is not None:
                h = _hd(ndarray(h), _code(dtype))
                k = _hd(ndarray(k), _code(dtype))
            r = _bin(self._op, h, k)
            if out is None and where is None:
                if type(r) is int and r & 60:
                    return ndarray(r)
                return _w(r)
        r = _w(r)
        if where is not None and where is not True:
            if out is None:
                out = zeros_like(r)
            out = out[0] if type(out) is tuple else out
            return _into(out, _w(_host.where(_h(where), _h(r), out._h)), self.__name__)
        return _into(out, r, self.__name__)

    def __repr__(self):
        return "<ufunc '%s'>" % self.__name__

    def __getattr__(self, name):
        if name in ("reduce", "accumulate", "outer", "at"):
            f = getattr(_rest(), "_ufunc_" + name)
            return lambda *args, **kw: f(self, *args, **kw)
        raise AttributeError(
            "np.%s.%s is not in this subset; there are reduce, accumulate, outer and at" % (self.__name__, name)
        )


for _i, _n in enumerate(
    "negative positive absolute sign square sqrt cbrt reciprocal exp exp2 expm1 log log2 log10 log1p "
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh _erf floor ceil trunc rint "
    "degrees radians isnan isinf isfinite signbit logical_not invert".split()
):
    globals()[_n] = ufunc(_n, _i, False)
for _i, _n in enumerate(
    "add subtract multiply divide floor_divide remainder fmod power maximum minimum fmax fmin arctan2 "
    "hypot logaddexp copysign equal not_equal less less_equal greater greater_equal logical_and "
    "logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()
):
    globals()[_n] = ufunc(_n, _i, True)
abs = absolute
true_divide = divide
mod = remainder
bitwise_not = invert
fabs = absolute
deg2rad = radians
rad2deg = degrees
conj = conjugate = positive


def where(condition, x=None, y=None):
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return _w(_host.where(_h(condition), _h(x), _h(y)))


_not_given = object()


def clip(a, a_min=_not_given, a_max=_not_given, out=None, **more):
    for name, x in (("a_min", a_min), ("a_max", a_max)):
        if x is _not_given:
            raise TypeError("clip() missing 1 required positional argument: '%s'; give None for no bound" % name)
    for k in more:
        if k not in ("casting", "order", "subok", "dtype", "where") or more[k] is not None and k in ("dtype", "where"):
            _no_more("np.clip", (k,))
    return _into(
        out,
        _w(
            _host.clip(
                _h(a), None if a_min is None else _h(a_min), None if a_max is None else _h(a_max)
            )
        ),
    )


def round(a, decimals=0, out=None):
    return _into(out, _w(_host.round(_h(a), decimals)), "rint")


round_ = around = round


# ---- Making -----------------------------------------------------------------------------------


def array(x, dtype=None, copy=True, ndmin=0, order=None):
    d = _dt(dtype)
    if isinstance(x, ndarray):
        if not copy and (d < 0 or d == x._h & 3) and x.ndim >= ndmin:
            return x if order is None else _rest()._as_ordered(x, order)
        r = _host.astype(x._h, d) if d >= 0 else _host.copy(x._h)
    else:
        t = type(x)
        r = _hd(x, d) if t in _SCALARS or t is float32 else _hd(ndarray(_from(x, d)), d)
    r = _a(r)
    while r.ndim < ndmin:
        r = r[None]
    return r if order is None or order == "C" else _rest()._ordered(r, order, x)


def asarray(x, dtype=None, order=None):
    if isinstance(x, ndarray) and (dtype is None or x._h & 3 == _code(dtype)):
        return x if order is None else _rest()._as_ordered(x, order)
    return array(x, dtype, order=order)


asanyarray = asarray


def ascontiguousarray(a, dtype=None):
    return _rest()._as_ordered(atleast_1d(asarray(a, dtype)), "C")


def zeros(shape, dtype=float, order="C"):
    if order == "F":
        return zeros(tuple(reversed(_lengths(shape))), dtype).T
    return _a(_host.full(_code(dtype), 0, *_lengths(shape)))


def ones(shape, dtype=float, order="C"):
    if order == "F":
        return ones(tuple(reversed(_lengths(shape))), dtype).T
    return _a(_host.full(_code(dtype), 1, *_lengths(shape)))


def empty(shape, dtype=float, order="C"):
    return zeros(shape, dtype, order)


def full(shape, fill_value, dtype=None, order="C"):
    if order == "F":
        return _rest()._ordered(full(shape, fill_value, dtype), order)
    if isinstance(fill_value, (ndarray, list, tuple)):
        v = asarray(fill_value)
        r = zeros(shape, v.dtype if dtype is None else dtype)
        r[...] = v
        return r
    d = _kinds.get(type(fill_value), 3) if dtype is None else _code(dtype)
    if d == 1:
        v = _whole(fill_value)
        if not -_exact < v < _exact:
            r = zeros(shape, int)
            r[...] = v
            return r
    v = float(_number(fill_value))
    return _a(_host.full(d, v, *_lengths(shape)))


def zeros_like(a, dtype=None, shape=None):
    a = asarray(a)
    return zeros(a.shape if shape is None else shape, a.dtype if dtype is None else dtype)


def ones_like(a, dtype=None, shape=None):
    a = asarray(a)
    return ones(a.shape if shape is None else shape, a.dtype if dtype is None else dtype)


empty_like = zeros_like


def full_like(a, fill_value, dtype=None, shape=None):
    a = asarray(a)
    return full(
        a.shape if shape is None else shape, fill_value, a.dtype if dtype is None else dtype
    )


def eye(N, M=None, k=0, dtype=float):
    return _a(_host.eye(N, N if M is None else M, k, _code(dtype)))


def identity(n, dtype=float):
    return eye(n, dtype=dtype)


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    start, stop, step = _number(start), _number(stop), _number(step)
    if dtype is None:
        d = 1
        for x in (start, stop, step):
            if isinstance(x, float):
                d = 3
    else:
        d = _code(dtype)
        if d == 0 and stop - start > 2 * step:
            raise TypeError("arange() is only supported for booleans when the result has at most length 2.")
    if d == 1 and type(start) is int and type(stop) is int and type(step) is int and step:
        for x in (start, stop, step):
            if not -_exact < x < _exact:
                n = _builtin_max(-((start - stop) // step), 0)
                return _a(_host.arange(0.0, float(n), 1.0, 1)) * step + start
    return _a(_host.arange(float(start), float(stop), float(step), d))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    if isinstance(start, (ndarray, list)) or isinstance(stop, (ndarray, list)):
        start, stop = asarray(start) * 1.0, asarray(stop) * 1.0
        k = arange(num).reshape((-1,) + (1,) * _builtin_max(start.ndim, stop.ndim))
        return start + k * ((stop - start) / (num - 1 if endpoint else num))
    start, stop = float(_number(start)), float(_number(stop))
    num = _toint(num)
    r = _a(_host.linspace(start, stop, num, endpoint))
    if dtype is not None:
        r = r.astype(dtype)
    if retstep:
        n = num - 1 if endpoint else num
        return r, (stop - start) / n if n else nan
    return r


# ---- Along axes -------------------------------------------------------------------------------


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if hasattr(a, "__next__"):
        a = list(a)
    return _reduce(0, a, axis, keepdims, dtype, out, 0, where, initial)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return _reduce(1, a, axis, keepdims, dtype, out, 0, where, initial)


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _reduce(2, a, axis, keepdims, None, out, 0, where, initial)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _reduce(3, a, axis, keepdims, None, out, 0, where, initial)


amax = max
amin = min


def mean(a, axis=None, dtype=None, out=None, keepdims=False, where=None):
    return _reduce(4, a, axis, keepdims, dtype, out, 0, where)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None):
    return _reduce(5, a, axis, keepdims, dtype, out, ddof, where)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None):
    return _reduce(6, a, axis, keepdims, dtype, out, ddof, where)


def any(a, axis=None, out=None, keepdims=False, where=None):
    return _reduce(7, a, axis, keepdims, None, out, 0, where)


def all(a, axis=None, out=None, keepdims=False, where=None):
    return _reduce(8, a, axis, keepdims, None, out, 0, where)


def count_nonzero(a, axis=None, keepdims=False):
    return _reduce(9, a, axis, keepdims)


def argmax(a, axis=None, out=None, keepdims=False):
    return _w(_host.argmax(_h(a), axis, keepdims))


def argmin(a, axis=None, out=None, keepdims=False):
    return _w(_host.argmin(_h(a), axis, keepdims))


def cumsum(a, axis=None, dtype=None, out=None):
    return _into(out, asarray(a).cumsum(axis, dtype), None, True)


def cumprod(a, axis=None, dtype=None, out=None):
    return _into(out, asarray(a).cumprod(axis, dtype), None, True)


# ---- Products ---------------------------------------------------------------------------------


def matmul(a, b, out=None):
    return _into(out, asarray(a) @ (b if isinstance(b, ndarray) else asarray(b)), "matmul", True)


def dot(a, b, out=None):
    return _into(out, _w(_host.dot(_h(a), _h(b))), "dot", True)


def outer(a, b, out=None):
    return _into(out, _w(_host.outer(_h(a), _h(b))), "outer", True)


def einsum(subscripts, *operands, optimize=None, out=None, dtype=None):
    if dtype is not None:
        _no_more("np.einsum", ("dtype",), "; use .astype on an operand")
    if type(subscripts) is not str:
        raise TypeError('einsum takes its subscripts as text: np.einsum("ij,jk->ik", A, B)')
    return _into(out, _w(_host.einsum(subscripts, *[_h(x) for x in operands])), "einsum", True)


# ---- Shapes -----------------------------------------------------------------------------------


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a, axis=None):
    a = asarray(a)
    return a.size if axis is None else a.shape[axis]


def reshape(a, newshape, order="C"):
    return asarray(a).reshape(newshape, order=order)


def ravel(a, order="C"):
    return asarray(a).ravel(order)


def transpose(a, axes=None):
    return _a(_host.transpose(_h(a), *_axes(axes)))


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def expand_dims(a, axis):
    a = asarray(a)
    axes = _axes(axis)
    n = a.ndim + len(axes)
    for k in sorted([k + n if k < 0 else k for k in axes]):
        if not 0 <= k < n:
            raise AxisError("axis %d is out of bounds for array of dimension %d" % (k, n))
        a = _a(_host.expandDims(a._h, k))
    return a


def _sequence(arrays):
    if isinstance(arrays, ndarray):
        return [arrays[i] for i in range(len(arrays))]
    if not isinstance(arrays, (list, tuple)):
        if hasattr(arrays, "__next__"):
            raise TypeError("arrays to stack must be passed as a list or tuple, not as a generator")
        raise TypeError("the arrays to join go into one list or tuple: np.concatenate([a, b])")
    return arrays


def concatenate(arrays, axis=0, out=None, dtype=None):
    hs = [_h(a) for a in _sequence(arrays)]
    if not hs:
        raise ValueError("need at least one array to concatenate")
    r = _w(_host.concatenate(axis, *hs))
    return _into(out, r if dtype is None else r.astype(dtype), "concatenate", True)


def stack(arrays, axis=0, out=None):
    hs = [_h(a) for a in _sequence(arrays)]
    if not hs:
        raise ValueError("need at least one array to stack")
    return _into(out, _w(_host.stack(axis, *hs)))


def vstack(arrays):
    return concatenate([atleast_2d(a) for a in _sequence(arrays)], 0)


row_stack = vstack


def hstack(arrays):
    parts = [atleast_1d(a) for a in _sequence(arrays)]
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1)


def atleast_1d(a):
    a = asarray(a)
    return a.reshape(1) if a.ndim == 0 else a


def atleast_2d(a):
    a = asarray(a)
    return a.reshape(1, 1) if a.ndim == 0 else a[None] if a.ndim == 1 else a


def repeat(a, repeats, axis=None):
    if type(repeats) is int:
        return _w(_host.repeat(_h(a), repeats, axis))
    times = _h(repeats)
    if times & 3 > 1:
        message = (
            "Cannot cast array data from dtype('%s') to dtype('int64') according to the rule 'safe'"
            % _names[times & 3]
        )
        raise _explained(TypeError(message), "repeat_times")
    return _w(_host.repeats(_h(a), times, axis))


def tril(m, k=0):
    return _w(_host.tril(_h(m), k))


def triu(m, k=0):
    return _w(_host.triu(_h(m), k))


def tri(N, M=None, k=0, dtype=float):
    return _a(_host.tri(N, N if M is None else M, k, _code(dtype)))


def diag(v, k=0):
    r = _w(_host.diag(_h(v), k))
    if asarray(v).ndim == 2:
        _host.setWriteable(r._h, False)
    return r


def broadcast_to(a, shape):
    return _a(_host.broadcastTo(_h(a), *_lengths(shape)))


def copy(a, order=None):
    return array(a, order=order)


def nonzero(a):
    return tuple(_many(_host.nonzero(_h(a))))


def _known_sort(kind, order):
    _one_of("sort kind", kind, (None, "quicksort", "heapsort", "mergesort", "stable"))
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


def sort(a, axis=-1, kind=None, order=None):
    _known_sort(kind, order)
    return _w(_host.sort(_h(a), axis))


def argsort(a, axis=-1, kind=None, order=None):
    _known_sort(kind, order)
    return _w(_host.argsort(_h(a), axis))


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    r = _host.allclose(_h(a), _h(b), float(rtol), float(atol), equal_nan)
    return r if type(r) is bool else _fail(r)


def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _w(_host.isclose(_h(a), _h(b), float(rtol), float(atol), equal_nan))


def array_equal(a, b, equal_nan=False):
    r = _host.arrayEqual(_h(a), _h(b), equal_nan)
    return r if type(r) is bool else _fail(r)


def corrcoef(x, y=None, rowvar=True):
    x = asarray(x)
    return _w(_host.corrcoef((x if rowvar else x.T)._h, None if y is None else _h(y)))


def isscalar(x):
    return isinstance(x, (int, float, bool, float32, str))


# ---- Functions loaded with their first use ------------------------------------------------------------

_loaded = None


def _rest():
    global _loaded
    if _loaded is None:
        import numpy._more

        _loaded = numpy._more
    return _loaded


_unsupported = {
    "fft": "np.fft is not in this subset; write the sums out, or use the lesson's feature maps",
    "polynomial": "np.polynomial is not in this subset; use np.polyval",
    "ma": "masked arrays are not in this subset; use a boolean mask and np.where",
    "matrix": "np.matrix is not in this subset; use np.array and @",
    "mat": "np.mat is not in this subset; use np.array and @",
    "float16": "float16 is not in this subset; use np.float32",
    "complex64": "complex numbers are not in this subset",
    "complex128": "complex numbers are not in this subset",
    "complex_": "complex numbers are not in this subset",
    "uint8": "uint8 is not in this subset; use np.int64",
    "int8": "int8 is not in this subset; use np.int64",
    "int16": "int16 is not in this subset; use np.int64",
    "uint32": "uint32 is not in this subset; use np.int64",
    "uint64": "uint64 is not in this subset; use np.int64",
    "object_": "arrays of objects are not in this subset; use a list",
    "str_": "arrays of text are not in this subset; use a list",
    "char": "arrays of text are not in this subset; use a list",
    "load": "files are not in this subset; this code has no disk",
    "save": "files are not in this subset; this code has no disk",
    "savez": "files are not in this subset; this code has no disk",
    "loadtxt": "files are not in this subset; this code has no disk",
    "savetxt": "files are not in this subset; this code has no disk",
    "genfromtxt": "files are not in this subset; this code has no disk",
    "memmap": "files are not in this subset; this code has no disk",
    "datetime64": "dates are not in this subset",
    "timedelta64": "dates are not in this subset",
    "rec": "arrays with fields are not in this subset; use one array for each field",
    "recarray": "arrays with fields are not in this subset; use one array for each field",
    "imag": "complex numbers are not in this subset",
    "angle": "complex numbers are not in this subset",
    "iscomplex": "complex numbers are not in this subset",
    "longdouble": "longdouble is not in this subset; use np.float64",
    "lib": "np.lib is not in this subset; write the windows with slices, a[i : i + n]",
    "packbits": "bytes are not in this subset",
    "fromstring": "np.fromstring is not in this subset; use np.array([float(w) for w in text.split()])",
    "int": "np.int was removed from NumPy 1.24; use int",
    "float": "np.float was removed from NumPy 1.24; use float",
    "bool": "np.bool was removed from NumPy 1.24; use bool",
    "object": "np.object was removed from NumPy 1.24; arrays of objects are not in this subset",
    "product": "np.product is old; use np.prod",
    "nditer": "np.nditer is not in this subset; use for loops or np.ndenumerate",
    "einsum_path": "np.einsum_path is not in this subset; use np.einsum",
    "ndarray.tobytes": "bytes are not in this subset; use tolist()",
    "ndarray.__reversed__": "an array is reversed as a[::-1]; reversed(a) is not in this subset",
    "ndarray.resize": "a.resize is not in this subset; use np.resize(a, shape) or np.concatenate",
    "ndarray.itemset": "a.itemset is not in this subset; write a[i] = x",
    "ndarray.partition": "a.partition is not in this subset; use a.sort(), or np.partition(a, k)",
    "ndarray.conjugate": "complex numbers are not in this subset",
    "ndarray.tostring": "bytes are not in this subset; use tolist()",
    "ndarray.tofile": "files are not in this subset; this code has no disk",
    "ndarray.dump": "files are not in this subset; this code has no disk",
    "ndarray.data": "a.data is not in this subset; np.shares_memory(a, b) says whether two arrays share entries",
    "ndarray.ctypes": "a.ctypes is not in this subset; np.shares_memory(a, b) says whether two arrays share entries",
    "ndarray.byteswap": "the bytes of entries are not in this subset",
    "ndarray.newbyteorder": "the bytes of entries are not in this subset",
    "ndarray.getfield": "arrays with fields are not in this subset; use one array for each field",
    "ndarray.setfield": "arrays with fields are not in this subset; use one array for each field",
    "ndarray.imag": "complex numbers are not in this subset",
    "ndarray.numpy": "this is a NumPy array already; .numpy() is for torch tensors",
    "ndarray.dim": "NumPy arrays have .ndim; .dim() is for torch tensors",
    "ndarray.unsqueeze": "NumPy has np.expand_dims(a, axis) or a[:, None]; .unsqueeze() is for torch tensors",
    "ndarray.permute": "NumPy has a.transpose(0, 2, 1); .permute() is for torch tensors",
    "ndarray.masked_fill": "NumPy has np.where(mask, value, a); .masked_fill() is for torch tensors",
    "ndarray.float": "NumPy has a.astype(np.float32); .float() is for torch tensors",
    "ndarray.exp": "NumPy has np.exp(a); .exp() is for torch tensors",
    "ndarray.sqrt": "NumPy has np.sqrt(a); .sqrt() is for torch tensors",
    "ndarray.abs": "NumPy has np.abs(a); .abs() is for torch tensors",
    "ndarray.log": "NumPy has np.log(a); .log() is for torch tensors",
    "ndarray.t": "NumPy has a.T; .t() is for torch tensors",
    "ndarray.append": "a NumPy array does not grow; use np.concatenate or collect rows in a list",
}


def _meant(name, names):
    # Returns " Did you mean …?" when a name is nearly one of these.
    best, least = None, 3 if len(name) > 4 else 2
    for n in names:
        if n[0] == "_" or n[0] != name[0] or not -3 < len(n) - len(name) < 3:
            continue
        row = list(range(len(n) + 1))
        for i, c in enumerate(name):
            before, row[0] = row[0], i + 1
            for j, e in enumerate(n):
                now = before if c == e else 1 + _builtin_min(before, row[j], row[j + 1])
                before, row[j + 1] = row[j + 1], now
        if row[-1] < least:
            best, least = n, row[-1]
    return best


def _load(name):
    f = getattr(_rest(), name, None)
    if f is None:
        import sys

        say = _unsupported.get(name)
        if say is None:
            # The names are not taken from dir(), because MicroPython's dir() asks __getattr__ for every name that it
            # has ever seen.
            n = _meant(name, list(sys.modules["numpy"].__dict__) + list(_rest().__dict__))
            say = "np.%s is not in this subset of NumPy; " % name
            say += "did you mean np.%s?" % n if n else "`dir(np)` lists what is"
        raise AttributeError(say)
    return f


def __getattr__(name):
    if name in ("linalg", "random", "testing"):
        __import__("numpy." + name)
        import sys

        return sys.modules["numpy." + name]
    if name == "int32":
        return _int32()
    if name[0] == "_":
        raise AttributeError("module 'numpy' has no attribute '%s'" % name)
    return _load(name)
