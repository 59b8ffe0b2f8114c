# MicroPython forgets annotations, so the names of the fields come from `__attn_fields`, which
# rewrite-for-micropython.ts writes into the class.


class _Missing:
    pass


MISSING = _Missing()


class Field:
    def __init__(self, default, default_factory, repr):
        self.default = default
        self.default_factory = default_factory
        self.repr = repr


def field(default=MISSING, default_factory=MISSING, repr=True, **more):
    return Field(default, default_factory, repr)


def _set(x, name, value):
    object.__setattr__(x, name, value)


def _names(cls):
    out = []
    for base in cls.__bases__:
        if hasattr(base, "_attn_all_fields"):
            out.extend(base._attn_all_fields)
    for n in getattr(cls, "__attn_fields", ()):
        if n not in out:
            out.append(n)
    return tuple(out)


def dataclass(cls=None, frozen=False, eq=True, order=False, repr=True, init=True, **more):
    if cls is None:
        return lambda c: dataclass(c, frozen, eq, order, repr, init)
    names = _names(cls)
    cls._attn_all_fields = names
    defaults = {}
    for n in names:
        d = getattr(cls, n, MISSING)
        if d is not MISSING:
            defaults[n] = d

    def __init__(self, *args, **given):
        if len(args) > len(names):
            raise TypeError(
                "%s takes %d values, and it was given %d" % (cls.__name__, len(names), len(args))
            )
        for n, x in zip(names, args):
            if n in given:
                raise TypeError("%s got two values for '%s'" % (cls.__name__, n))
            given[n] = x
        for n in names:
            if n in given:
                _set(self, n, given.pop(n))
            elif n in defaults:
                d = defaults[n]
                if isinstance(d, Field):
                    if d.default_factory is not MISSING:
                        _set(self, n, d.default_factory())
                        continue
                    d = d.default
                if d is MISSING:
                    raise TypeError("%s needs a value for '%s'" % (cls.__name__, n))
                _set(self, n, d)
            else:
                raise TypeError("%s needs a value for '%s'" % (cls.__name__, n))
        if given:
            raise TypeError("%s has no field '%s'" % (cls.__name__, list(given)[0]))
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def __repr__(self):
        return "%s(%s)" % (
            cls.__name__,
            ", ".join(["%s=%r" % (n, getattr(self, n)) for n in names if getattr(defaults.get(n), "repr", True)]),
        )

    def __eq__(self, o):
        return type(o) is type(self) and _row(self) == _row(o)

    def constant(self, name, value):
        raise FrozenInstanceError("cannot assign to field '%s'" % name)

    if order:
        for name, ask in _orders.items():
            setattr(cls, name, ask)
    if frozen:
        # What __init__ sets goes past it.
        cls.__setattr__ = constant
    if init:
        cls.__init__ = __init__
    if repr and not hasattr(cls, "_attn_repr"):
        cls.__repr__ = __repr__
    if eq:
        cls.__eq__ = __eq__
        # What can be changed has no hash.
        cls.__hash__ = (lambda self: hash(_row(self))) if frozen else _no_hash
    return cls


def _no_hash(self):
    raise TypeError("unhashable type: '%s'" % type(self).__name__)


class FrozenInstanceError(AttributeError):
    pass


def _row(x):
    return tuple([getattr(x, n) for n in x._attn_all_fields])


def _order(compare):
    def ask(self, o):
        if type(o) is not type(self):
            raise TypeError("not supported between instances of '%s' and '%s'" % (type(self).__name__, type(o).__name__))
        return compare(_row(self), _row(o))

    return ask


_orders = {
    "__lt__": _order(lambda a, b: a < b),
    "__le__": _order(lambda a, b: a <= b),
    "__gt__": _order(lambda a, b: a > b),
    "__ge__": _order(lambda a, b: a >= b),
}


def fields(x):
    return [_Name(n) for n in x._attn_all_fields]


class _Name:
    def __init__(self, name):
        self.name = name


def asdict(x):
    return __attn_dict([(n, _inner(getattr(x, n), asdict)) for n in x._attn_all_fields])


def astuple(x):
    return tuple([_inner(getattr(x, n), astuple) for n in x._attn_all_fields])


def _inner(v, f):
    if type(v) in (list, tuple):
        return type(v)([_inner(x, f) for x in v])
    if type(v) is dict:
        return __attn_dict([(k, _inner(x, f)) for k, x in v.items()])
    return f(v) if hasattr(v, "_attn_all_fields") else v


def replace(_x, **more):
    given = {n: getattr(_x, n) for n in _x._attn_all_fields}
    given.update(more)
    row = [given.pop(n) for n in _x._attn_all_fields]
    if given:
        raise TypeError("%s has no field '%s'" % (type(_x).__name__, list(given)[0]))
    return type(_x)(*row)


def is_dataclass(x):
    return hasattr(x, "_attn_all_fields")
