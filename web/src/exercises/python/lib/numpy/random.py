# NumPy's own streams of random numbers: MT19937 behind np.random.seed and RandomState, PCG64 behind default_rng.
from _native import *
import _host
import numpy as _np
from numpy import _fail, _h, _lengths, _number, _toint, _w, asarray, ndarray


def _size(size):
    return () if size is None else _lengths(size)


def _id(r):
    if type(r) is int:
        return r
    _fail(r)


def _words(seed):
    if seed is None:
        return ()
    if isinstance(seed, (list, tuple, ndarray)):
        return tuple([float(x) for x in seed]) if len(seed) != 1 else (float(seed[0]),)
    if isinstance(seed, float):
        raise TypeError("Cannot cast scalar from dtype('float64') to dtype('int64') according to the rule 'safe'")
    seed = _toint(seed)
    if seed < 0:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return (float(seed),)


def _entropy(seed):
    # Of a Generator: whole numbers of any size. What a double does not hold goes in words of 32 bits, as
    # SeedSequence takes it apart.
    if seed is None:
        return ()
    words = []
    for x in seed if isinstance(seed, (list, tuple, ndarray)) else (seed,):
        if type(x) is not int:
            raise TypeError("SeedSequence expects int or sequence of ints for entropy not %s" % (x,))
        if x < 0:
            raise ValueError("expected non-negative integer")
        if x < 1 << 53:
            words.append(float(x))
            continue
        while x:
            words.append(float(x & 0xFFFFFFFF))
            x >>= 32
    return tuple(words)


_least, _most = -0x8000000000000000, 0x7FFFFFFFFFFFFFFF


def _missing(what, name, there):
    raise AttributeError("%s.%s is not in this subset; there are %s" % (what, name, there))


def _arrays(*xs):
    for x in xs:
        if isinstance(x, (ndarray, list, tuple)):
            return True
    return False


class _Random:
    _kind = 0

    def __init__(self, seed=None, _number=None):
        words = _entropy if self._kind else _words
        self._g = _id(_host.rng(self._kind, *words(seed))) if _number is None else _number

    def _draw(self, what, a, b, size):
        return _w(_host.rngDraw(self._g, what, a, b, *_size(size)))

    def _integers(self, low, high, size, dtype, last=False):
        # `last`: high is the largest, and not above it.
        if _arrays(low, high):
            raise TypeError(
                "bounds that are arrays are not in this subset; draw once for each bound, or scale rng.random(size)"
            )
        if dtype is not int and _np._code(dtype) != 1:
            raise TypeError("random integers are int64 in this subset; write .astype(%s) after drawing" % _np.dtype(dtype))
        low, high = _number(low), _number(high)
        low, high = int(low), int(high) - (0 if last else 1)
        if low < _least:
            raise ValueError("low is out of bounds for int64")
        if high > _most:
            raise ValueError("high is out of bounds for int64")
        if low > high:
            raise ValueError("low > high" if last else "low >= high")
        if -(1 << 53) < low and high < 1 << 53:
            return self._draw("integers", float(low), float(high + 1), size)
        return _w(_host.rngIntegers(self._g, str(low), str(high), *_size(size)))

    def random(self, size=None, dtype=None, out=None):
        _double(dtype, out)
        return self._draw("random", 0.0, 1.0, size)

    def standard_normal(self, size=None, dtype=None, out=None):
        _double(dtype, out)
        return self._draw("normal", 0.0, 1.0, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        if _arrays(loc, scale):
            loc, scale = asarray(loc), asarray(scale)
            if size is None:
                size = (loc + scale).shape
            return loc + scale * self.standard_normal(size)
        if scale < 0:
            raise ValueError("scale < 0")
        return self._draw("normal", float(_number(loc)), float(_number(scale)), size)

    def uniform(self, low=0.0, high=1.0, size=None):
        if _arrays(low, high):
            low, high = asarray(low), asarray(high)
            if self._kind and (high < low).any():
                raise ValueError("high - low < 0")
            if size is None:
                size = (low + high).shape
            return low + (high - low) * self.random(size)
        if self._kind and _number(high) < _number(low):
            raise ValueError("high - low < 0")
        return self._draw("uniform", float(_number(low)), float(_number(high)), size)

    def exponential(self, scale=1.0, size=None):
        if _arrays(scale):
            scale = asarray(scale)
            if (scale < 0).any():
                raise ValueError("scale < 0")
            return scale * self.exponential(1.0, scale.shape if size is None else size)
        return self._draw("exponential", float(_number(scale)), 0.0, size)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _np.exp(self.normal(mean, sigma, size))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        u = 1.0 - self.random(size)
        return loc - scale * _np.log(-_np.log(u))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        u = self.random(size)
        return _np.where(
            u >= 0.5, loc - scale * _np.log(2.0 - u - u), loc + scale * _np.log(u + u)
        )

    def logistic(self, loc=0.0, scale=1.0, size=None):
        u = self.random(size)
        return loc + scale * _np.log(u / (1.0 - u))

    def standard_exponential(self, size=None, dtype=None, method="zig", out=None):
        _double(dtype, out)
        if method != "zig":
            raise NotImplementedError("standard_exponential has method='zig' only in this subset")
        return self.exponential(1.0, size)

    def permutation(self, x, axis=0):
        if axis:
            x = asarray(x)
            return _np.take(x, self.permutation(x.shape[axis]), axis)
        if isinstance(x, (int, float)):
            return _w(_host.rngPermutation(self._g, _toint(x)))
        return _w(_host.rngPermuted(self._g, _h(x)))

    def shuffle(self, x, axis=0):
        if axis:
            return self.shuffle(_np.moveaxis(x, axis, 0))
        if isinstance(x, ndarray):
            r = _host.rngShuffle(self._g, x._h)
            if r is not None:
                _fail(r)
            return
        order = self._shuffled(len(x))
        x[:] = [x[i] for i in order]

    def _shuffled(self, n):
        a = _np.arange(n)
        r = _host.rngShuffle(self._g, a._h)
        if r is not None:
            _fail(r)
        return a.tolist()

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if not shuffle:
            raise NotImplementedError("choice with shuffle=False is not in this subset; leave it out")
        if axis:
            a = asarray(a)
            return _np.take(a, self.choice(a.shape[axis], size, replace, p), axis)
        pool = None
        if not isinstance(a, int):
            pool = a
            a = len(a)
            if a == 0:
                raise ValueError("'a' cannot be empty unless no samples are taken")
        if p is not None:
            p = asarray(p)
            if len(p) != a:
                raise ValueError("'a' and 'p' must have same size")
        i = _w(_host.rngChoice(self._g, a, replace, None if p is None else p._h, *_size(size)))
        if pool is None:
            return i
        if isinstance(pool, ndarray):
            return pool[i]
        if isinstance(i, int):
            return pool[i]
        if pool and type(pool[0]) is str:
            # Arrays of strings are not in this subset, so the choice is returned as a list.
            return [pool[k] for k in i.tolist()]
        return asarray(pool)[i]


def _double(dtype, out):
    if dtype is not None and _np._code(dtype) != 3:
        raise TypeError(
            "dtype=%s draws from another stream, which is not in this subset; write .astype(%s) after drawing"
            % (_np.dtype(dtype), _np.dtype(dtype))
        )
    if out is not None:
        raise TypeError("out= of random numbers is not in this subset; write x[...] = rng.random(x.shape)")


class RandomState(_Random):
    def __getattr__(self, name):
        _missing("RandomState", name, _legacy_names.replace(" ", ", "))

    def seed(self, seed=None):
        w = _words(seed)
        if len(w) == 1:
            r = _host.rngSeed(self._g, w[0])
            if r is not None:
                _fail(r)
        else:
            self._g = _id(_host.rng(0, *w))

    def rand(self, *size):
        return self._draw("random", 0.0, 1.0, size)

    def randn(self, *size):
        return self._draw("normal", 0.0, 1.0, size)

    def random_sample(self, size=None):
        return self.random(size)

    sample = ranf = random_sample

    def randint(self, low, high=None, size=None, dtype=int):
        if high is None:
            low, high = 0, low
        return self._integers(low, high, size, dtype)

    def get_state(self):
        raise NotImplementedError("get_state is not in this subset; use np.random.seed")

    def multivariate_normal(self, mean, cov, size=None):
        u, s, v = _np.linalg.svd(asarray(cov))
        shape = _size(size) + (len(mean),)
        x = self.standard_normal(shape)
        return asarray(mean) + x @ (_np.sqrt(s)[:, None] * v)


class Generator(_Random):
    _kind = 1

    def __getattr__(self, name):
        _missing(
            "Generator",
            name,
            "random, normal, standard_normal, uniform, exponential, integers, choice, permutation, shuffle, lognormal, "
            "gumbel, laplace, logistic",
        )

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        if high is None:
            low, high = 0, low
        return self._integers(low, high, size, dtype, endpoint)

    def permuted(self, x, axis=None):
        x = asarray(x)
        if axis is None:
            return self.permutation(x.ravel()).reshape(x.shape)
        raise NotImplementedError("permuted along an axis is not in this subset; use permutation")

    def rand(self, *a):
        raise AttributeError("'numpy.random._generator.Generator' object has no attribute 'rand'; use rng.random(size)")

    def randn(self, *a):
        raise AttributeError(
            "'numpy.random._generator.Generator' object has no attribute 'randn'; use rng.standard_normal(size)"
        )

    def randint(self, *a, **k):
        raise AttributeError(
            "'numpy.random._generator.Generator' object has no attribute 'randint'; use rng.integers(low, high)"
        )


def default_rng(seed=None):
    return seed if isinstance(seed, Generator) else Generator(seed)


_legacy_names = (
    "seed rand randn random random_sample sample ranf standard_normal normal uniform exponential lognormal gumbel "
    "laplace logistic standard_exponential permutation shuffle choice randint get_state multivariate_normal"
)
_global = RandomState(None, 0)
for _name in _legacy_names.split():
    globals()[_name] = getattr(_global, _name)


def __getattr__(name):
    if name[0] == "_":
        raise AttributeError("module 'numpy.random' has no attribute '%s'" % name)
    raise AttributeError(
        "np.random.%s is not in this subset; there are seed, rand, randn, normal, uniform, randint, permutation, "
        "shuffle, choice, exponential, default_rng and RandomState" % name
    )
