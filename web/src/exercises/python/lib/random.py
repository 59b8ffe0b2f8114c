# The module random, with CPython's own stream: MT19937, seeded as there. Before any seed it begins at seed 0, as
# np.random does, so that a grade does not depend on chance.
import math
from _python import bit_length

_state = []
_at = 624
_next_gauss = None


def _fill(n):
    global _at
    mt = _state
    mt[:] = [n]
    for i in range(1, 624):
        n = (1812433253 * (n ^ (n >> 30)) + i) & 0xFFFFFFFF
        mt.append(n)
    _at = 624


def seed(a=0, version=2):
    global _at, _next_gauss
    _next_gauss = None
    if a is None:
        a = 0
    if type(a) is bool:
        a += 0
    if type(a) is not int:
        raise NotImplementedError("random.seed takes a whole number here")
    a = abs(a)
    key = []
    while a or not key:
        key.append(a & 0xFFFFFFFF)
        a >>= 32
    _fill(19650218)
    mt = _state
    i, j = 1, 0
    for _ in range(max(624, len(key))):
        mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xFFFFFFFF
        i += 1
        j += 1
        if i >= 624:
            mt[0] = mt[623]
            i = 1
        if j >= len(key):
            j = 0
    for _ in range(623):
        mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941)) - i) & 0xFFFFFFFF
        i += 1
        if i >= 624:
            mt[0] = mt[623]
            i = 1
    mt[0] = 0x80000000
    _at = 624


def _word():
    global _at
    if not _state:
        seed(0)
    mt = _state
    if _at >= 624:
        for k in range(624):
            y = (mt[k] & 0x80000000) | (mt[(k + 1) % 624] & 0x7FFFFFFF)
            mt[k] = mt[(k + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
        _at = 0
    y = mt[_at]
    _at += 1
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


def random():
    a = _word() >> 5
    b = _word() >> 6
    return (a * 67108864.0 + b) / 9007199254740992.0


def getrandbits(k):
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k == 0:
        return 0
    r = shift = 0
    while k > 0:
        w = _word()
        if k < 32:
            w >>= 32 - k
        r |= w << shift
        shift += 32
        k -= 32
    return r


def _below(n):
    k = bit_length(n)
    r = getrandbits(k)
    while r >= n:
        r = getrandbits(k)
    return r


def randrange(start, stop=None, step=1):
    for x in (start, step) if stop is None else (start, stop, step):
        if type(x) not in (int, bool):
            raise TypeError("'%s' object cannot be interpreted as an integer" % type(x).__name__)
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return _below(start)
    width = stop - start
    if step == 0:
        raise ValueError("zero step for randrange()")
    n = width if step == 1 else (width + step - 1) // step if step > 0 else (width + step + 1) // step
    if n <= 0:
        raise ValueError("empty range for randrange() (%d, %d, %d)" % (start, stop, width))
    return start + step * _below(n)


def randint(a, b):
    return randrange(a, b + 1)


def choice(seq):
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(len(seq))]


def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        j = _below(i + 1)
        x[i], x[j] = x[j], x[i]


def sample(population, k, *, counts=None):
    if counts is not None:
        raise NotImplementedError("sample with counts is not here")
    if isinstance(population, (set, frozenset, dict)):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    n = len(population)
    if not 0 <= k <= n:
        raise ValueError("Sample larger than population or is negative")
    out = []
    small = 21
    if k > 5:
        small += 4 ** math.ceil(math.log(k * 3) / math.log(4))
    if n <= small:
        pool = list(population)
        for i in range(k):
            j = _below(n - i)
            out.append(pool[j])
            pool[j] = pool[n - i - 1]
    else:
        taken = set()
        for i in range(k):
            j = _below(n)
            while j in taken:
                j = _below(n)
            taken.add(j)
            out.append(population[j])
    return out


def choices(population, weights=None, *, cum_weights=None, k=1):
    n = len(population)
    if cum_weights is None:
        if weights is None:
            return [population[math.floor(random() * (n + 0.0))] for _ in range(k)]
        cum_weights = []
        total = 0
        for w in weights:
            total += w
            cum_weights.append(total)
    if len(cum_weights) != n:
        raise ValueError("The number of weights does not match the population")
    total = cum_weights[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    from bisect import bisect

    return [population[bisect(cum_weights, random() * total, 0, n - 1)] for _ in range(k)]


def uniform(a, b):
    return a + (b - a) * random()


def triangular(low=0.0, high=1.0, mode=None):
    u = random()
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        u, c = 1.0 - u, 1.0 - c
        low, high = high, low
    return low + (high - low) * math.sqrt(u * c)


def gauss(mu=0.0, sigma=1.0):
    global _next_gauss
    z = _next_gauss
    _next_gauss = None
    if z is None:
        angle = random() * 2.0 * math.pi
        far = math.sqrt(-2.0 * math.log(1.0 - random()))
        z = math.cos(angle) * far
        _next_gauss = math.sin(angle) * far
    return mu + z * sigma


def normalvariate(mu=0.0, sigma=1.0):
    magic = 4 * math.exp(-0.5) / math.sqrt(2.0)
    while True:
        u = random()
        v = 1.0 - random()
        z = magic * (u - 0.5) / v
        if z * z / 4.0 <= -math.log(v):
            return mu + z * sigma


def lognormvariate(mu, sigma):
    return math.exp(normalvariate(mu, sigma))


def expovariate(lambd):
    return -math.log(1.0 - random()) / lambd


def getstate():
    return (3, tuple(_state) + (_at,), _next_gauss)


def setstate(state):
    global _at, _next_gauss
    _state[:] = list(state[1][:-1])
    _at = state[1][-1]
    _next_gauss = state[2]
