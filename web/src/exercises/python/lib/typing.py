# Annotations are ignored; these names only have to exist.


class _Any:
    def __init__(self, name):
        self._name = name

    def __getitem__(self, k):
        return self

    def __call__(self, *args, **more):
        return args[0] if args else self

    def __or__(self, o):
        return self

    __ror__ = __or__

    def __repr__(self):
        return "typing." + self._name


for _n in (
    "Any Optional Union Tuple List Dict Set FrozenSet Callable Iterable Iterator Sequence Mapping MutableMapping Generator "
    "Type Literal Final ClassVar Annotated NoReturn Hashable Sized Collection Concatenate ParamSpec Self TypeAlias "
    "Deque DefaultDict Counter OrderedDict SupportsFloat SupportsInt Text Required NotRequired Awaitable Coroutine"
).split():
    globals()[_n] = _Any(_n)

TYPE_CHECKING = False


class Generic:
    pass


class Protocol:
    pass


class TypedDict(dict):
    pass


def TypeVar(name, *args, **more):
    return _Any(name)


def NewType(name, t):
    return t


def cast(t, x):
    return x


def overload(f):
    return f


def final(f):
    return f


def runtime_checkable(c):
    return c


def get_type_hints(x):
    return {}


def NamedTuple(name, fields):
    from collections import namedtuple

    return namedtuple(name, [f[0] for f in fields])
