def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def matmul(a, b):
    return a @ b


def neg(a):
    return -a


def pos(a):
    return +a


def invert(a):
    return ~a


inv = invert


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def contains(a, b):
    return b in a


def concat(a, b):
    return a + b


def getitem(a, k):
    return a[k]


def setitem(a, k, v):
    a[k] = v


def delitem(a, k):
    del a[k]


def countOf(a, b):
    return sum([1 for x in a if x is b or x == b])


def indexOf(a, b):
    for i, x in enumerate(a):
        if x is b or x == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def index(a):
    return a if isinstance(a, int) else a.__index__()


def iadd(a, b):
    a += b
    return a


def pow(a, b):
    return a**b


def abs(a):
    return a if a >= 0 else -a


def itemgetter(k, *more):
    if not more:
        return lambda x: x[k]
    return lambda x: tuple([x[key] for key in (k,) + more])


def _reach(x, path):
    for name in path.split("."):
        x = getattr(x, name)
    return x


def attrgetter(name, *more):
    if not more:
        return lambda x: _reach(x, name)
    return lambda x: tuple([_reach(x, n) for n in (name,) + more])


def methodcaller(name, *args, **more):
    return lambda x: getattr(x, name)(*args, **more)
