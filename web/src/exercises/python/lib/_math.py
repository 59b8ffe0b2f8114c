# The module math, with the functions that MicroPython's own math lacks.
from math import *

import math as _own


def _whole(x):
    if type(x) is not int:
        if type(x) is bool:
            return x + 0
        if hasattr(x, "__index__"):
            return x.__index__()
        raise TypeError("'%s' object cannot be interpreted as an integer" % type(x).__name__)
    return x


def exp(x):
    try:
        return _own.exp(x)
    except ValueError:
        raise OverflowError("math range error")


def log(x, base=None):
    if type(x) is int and x > 1 << 1000:
        # log(m · 2^e)
        e = len(bin(x)) - 62
        r = _own.log(x >> e) + e * _own.log(2)
    else:
        r = _own.log(x)
    return r if base is None else r / _own.log(base)


def log1p(x):
    # Kahan's way: what is lost when 1 is added is made good again.
    u = 1.0 + x
    if u == 1.0 or u - u != 0:
        return x + 0.0
    return _own.log(u) * (x / (u - 1.0))


def prod(xs, start=1):
    for x in xs:
        start = start * x
    return start


def comb(n, k):
    n, k = _whole(n), _whole(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    r = 1
    for i in range(min(k, n - k)):
        r = r * (n - i) // (i + 1)
    return r


def perm(n, k=None):
    n, k = _whole(n), None if k is None else _whole(k)
    if n < 0 or (k is not None and k < 0):
        raise ValueError("%s must be a non-negative integer" % ("n" if n < 0 else "k"))
    r = 1
    for i in range(n if k is None else k):
        r *= n - i
    return r


def gcd(*xs):
    r = 0
    for x in xs:
        x = _whole(x)
        while x:
            r, x = x, r % x
    return abs(r)


def lcm(*xs):
    r = 1
    for x in xs:
        if x == 0:
            return 0
        r = abs(r * x) // gcd(r, x)
    return r


def hypot(*xs):
    most = max([abs(x) for x in xs], default=0.0)
    if most == 0 or 1e-140 < most < 1e140 or most - most != 0:
        return sqrt(sum([x * x for x in xs]))
    # Squares that are too large or too small are made smaller or larger first.
    return most * sqrt(sum([(x / most) * (x / most) for x in xs]))


def dist(p, q):
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return sqrt(sum([(a - b) * (a - b) for a, b in zip(p, q)]))


def isqrt(n):
    n = _whole(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    x = int(n)
    if x == 0:
        return 0
    y = 1 << ((len(bin(x)) - 1) // 2)
    while True:
        z = (y + x // y) // 2
        if z >= y and y * y <= x < (y + 1) * (y + 1):
            return y
        y = z


def cbrt(x):
    return -((-x) ** (1 / 3)) if x < 0 else x ** (1 / 3)


def fsum(xs):
    # Neumaier's compensated sum.
    s = 0.0
    c = 0.0
    for x in xs:
        t = s + x
        c += (s - t) + x if abs(s) >= abs(x) else (x - t) + s
        s = t
    return s + c


def sumprod(p, q):
    return sum([a * b for a, b in zip(p, q)])


def remainder(x, y):
    return x - y * float(round(x / y))


def exp2(x):
    return 2.0**x
