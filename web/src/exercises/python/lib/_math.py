# The module math, with the functions that MicroPython's own math lacks.
from math import *

_gcd2 = None


def prod(xs, start=1):
    for x in xs:
        start = start * x
    return start


def comb(n, k):
    if k < 0 or k > n:
        return 0
    r = 1
    for i in range(min(k, n - k)):
        r = r * (n - i) // (i + 1)
    return r


def perm(n, k=None):
    r = 1
    for i in range(n if k is None else k):
        r *= n - i
    return r


def gcd(*xs):
    r = 0
    for x in xs:
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
    return sqrt(sum([x * x for x in xs]))


def dist(p, q):
    return sqrt(sum([(a - b) * (a - b) for a, b in zip(p, q)]))


def isqrt(n):
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
    return x - y * round(x / y)


def exp2(x):
    return 2.0**x
