# MicroPython forgets annotations, so the names of the fields come from `__attn_fields`, which
# rewrite-for-micropython.ts writes into the class.


class _Missing:
    pass


MISSING = _Missing()


class Field:
    def __init__(self, default, default_factory):
        self.default = default
        self.default_factory = default_factory


def field(default=MISSING, default_factory=MISSING, **more):
    return Field(default, default_factory)


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
                setattr(self, n, given.pop(n))
            elif n in defaults:
                d = defaults[n]
                if isinstance(d, Field):
                    if d.default_factory is not MISSING:
                        setattr(self, n, d.default_factory())
                        continue
                    d = d.default
                if d is MISSING:
                    raise TypeError("%s needs a value for '%s'" % (cls.__name__, n))
                setattr(self, n, d)
            else:
                raise TypeError("%s needs a value for '%s'" % (cls.__name__, n))
        if given:
            raise TypeError("%s has no field '%s'" % (cls.__name__, list(given)[0]))
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def __repr__(self):
        return "%s(%s)" % (
            cls.__name__,
            ", ".join(["%s=%r" % (n, getattr(self, n)) for n in names]),
        )

    def __eq__(self, o):
        return type(o) is type(self) and astuple(self) == astuple(o)

    if init:
        cls.__init__ = __init__
    if repr and not hasattr(cls, "_attn_repr"):
        cls.__repr__ = __repr__
    if eq:
        cls.__eq__ = __eq__
        cls.__hash__ = lambda self: hash(astuple(self))
    return cls


def fields(x):
    return [_Name(n) for n in x._attn_all_fields]


class _Name:
    def __init__(self, name):
        self.name = name


def asdict(x):
    return {n: _inner(getattr(x, n), asdict) for n in x._attn_all_fields}


def astuple(x):
    return tuple([_inner(getattr(x, n), astuple) for n in x._attn_all_fields])


def _inner(v, f):
    return f(v) if hasattr(v, "_attn_all_fields") else v


def replace(x, **more):
    given = asdict(x)
    given.update(more)
    return type(x)(**given)


def is_dataclass(x):
    return hasattr(x, "_attn_all_fields")
