from _python import rename
from collections import OrderedDict, namedtuple


class partial:
    def __init__(self, func, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        self.func = func
        self.args = args
        self.keywords = __attn_dict(keywords)

    def __call__(self, *args, **more):
        if not self.keywords:
            return self.func(*(self.args + args), **more)
        return self.func(*(self.args + args), **__attn_dict(self.keywords, more))


class _Nothing:
    pass


def reduce(f, xs, start=_Nothing):
    it = iter(xs)
    if start is _Nothing:
        try:
            start = next(it)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value")
    for x in it:
        start = f(start, x)
    return start


CacheInfo = namedtuple("CacheInfo", ("hits", "misses", "maxsize", "currsize"))
_apart = (object(),)


class _Cached:
    def __init__(self, f, maxsize, typed):
        self._f = f
        self._known = {}
        self._most = maxsize
        self._typed = typed
        self._hits = self._misses = 0
        self.__wrapped__ = f
        self.__name__ = getattr(f, "__name__", "")

    def __call__(self, *args, **more):
        # MicroPython keeps the order of no dict by itself; the order of use is kept where the size is limited.
        key = args
        if more:
            key = args + _apart + tuple([e for e in more.items()])
        if self._typed:
            key = key + _apart + tuple([type(x) for x in args])
        hash(key)
        known = self._known
        if key in known:
            self._hits += 1
            x = known[key]
            if self._most is not None:
                self._used.remove(key)
                self._used.append(key)
            return x
        self._misses += 1
        x = self._f(*args, **more)
        if self._most == 0:
            return x
        if self._most is not None:
            if key in known:
                return x
            if len(known) >= self._most:
                del known[self._used.pop(0)]
            self._used.append(key)
        known[key] = x
        return x

    _used = None

    def cache_info(self):
        return CacheInfo(self._hits, self._misses, self._most, len(self._known))

    def cache_clear(self):
        self._known.clear()
        self._hits = self._misses = 0
        self._used = []

    def cache_parameters(self):
        return {"maxsize": self._most, "typed": self._typed}


def _cached(f, maxsize, typed=False):
    c = _Cached(f, maxsize, typed)
    c._used = []
    return c


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128)
    return lambda f: _cached(f, maxsize, typed)


def cache(f):
    return _cached(f, None)


def wraps(f, *args, **more):
    def rename_to(g):
        rename(g, f)
        return g

    return rename_to


def update_wrapper(g, f, *args, **more):
    rename(g, f)
    return g


def cmp_to_key(f):
    class K:
        def __init__(self, x):
            self.obj = x

        def __lt__(self, o):
            return f(self.obj, o.obj) < 0

        def __gt__(self, o):
            return f(self.obj, o.obj) > 0

        def __eq__(self, o):
            return f(self.obj, o.obj) == 0

        def __le__(self, o):
            return f(self.obj, o.obj) <= 0

        def __ge__(self, o):
            return f(self.obj, o.obj) >= 0

        __hash__ = None

    return K


def total_ordering(c):
    has = [n for n in ("__lt__", "__le__", "__gt__", "__ge__") if n in c.__dict__]
    if not has:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    if "__lt__" in has:
        less = lambda a, b: a < b
    elif "__gt__" in has:
        less = lambda a, b: b > a
    elif "__le__" in has:
        less = lambda a, b: a <= b and not a == b
    else:
        less = lambda a, b: b >= a and not a == b
    if "__lt__" not in has:
        c.__lt__ = less
    if "__gt__" not in has:
        c.__gt__ = lambda a, b: not less(a, b) and not a == b
    if "__le__" not in has:
        c.__le__ = lambda a, b: less(a, b) or a == b
    if "__ge__" not in has:
        c.__ge__ = lambda a, b: not less(a, b)
    return c


def cached_property(f):
    known = []

    def get(self):
        for x, value in known:
            if x is self:
                return value
        value = f(self)
        known.append((self, value))
        return value

    return property(get)


def singledispatch(f):
    raise NotImplementedError("functools.singledispatch is not here; ask isinstance")


def singledispatchmethod(f):
    raise NotImplementedError("functools.singledispatchmethod is not here; ask isinstance")


def partialmethod(f, *args, **more):
    raise NotImplementedError("functools.partialmethod is not here")
