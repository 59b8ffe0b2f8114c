# NumPy's own streams of random numbers: MT19937 behind np.random.seed and RandomState, PCG64 behind default_rng.
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


def _arrays(*xs):
    for x in xs:
        if isinstance(x, (ndarray, list, tuple)):
            return True
    return False


class RandomState:
    _kind = 0

    def __init__(self, seed=None, _number=None):
        self._g = _id(_host.rng(self._kind, *_words(seed))) if _number is None else _number

    def _draw(self, what, a, b, size):
        return _w(_host.rngDraw(self._g, what, a, b, *_size(size)))

    def random(self, size=None, dtype=None):
        r = self._draw("random", 0.0, 1.0, size)
        return r if dtype is None else asarray(r).astype(dtype)

    def standard_normal(self, size=None, dtype=None):
        r = self._draw("normal", 0.0, 1.0, size)
        return r if dtype is None else asarray(r).astype(dtype)

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
            if size is None:
                size = (low + high).shape
            return low + (high - low) * self.random(size)
        return self._draw("uniform", float(_number(low)), float(_number(high)), size)

    def exponential(self, scale=1.0, size=None):
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

    def standard_exponential(self, size=None):
        return self.exponential(1.0, size)

    def permutation(self, x):
        if isinstance(x, (int, float)):
            return _w(_host.rngPermutation(self._g, _toint(x)))
        return _w(_host.rngPermuted(self._g, _h(x)))

    def shuffle(self, x):
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

    def choice(self, a, size=None, replace=True, p=None):
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


class _Legacy(RandomState):
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
        if _number(high) <= _number(low):
            raise ValueError("low >= high")
        return self._draw("integers", float(_number(low)), float(_number(high)), size)

    def get_state(self):
        raise NotImplementedError("get_state is not in this subset; use np.random.seed")

    def multivariate_normal(self, mean, cov, size=None):
        u, s, v = _np.linalg.svd(asarray(cov))
        shape = _size(size) + (len(mean),)
        x = self.standard_normal(shape)
        return asarray(mean) + x @ (_np.sqrt(s)[:, None] * v)


_State = _Legacy


class Generator(RandomState):
    _kind = 1

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        if high is None:
            low, high = 0, low
        high = _number(high) + (1 if endpoint else 0)
        if high <= _number(low):
            raise ValueError("low >= high")
        return self._draw("integers", float(_number(low)), float(high), size)

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


RandomState = _Legacy
_global = _Legacy(None, 0)
for _name in (
    "seed rand randn random random_sample sample ranf standard_normal normal uniform exponential lognormal gumbel "
    "laplace logistic standard_exponential permutation shuffle choice randint get_state multivariate_normal"
).split():
    globals()[_name] = getattr(_global, _name)


def __getattr__(name):
    if name[0] == "_":
        raise AttributeError("module 'numpy.random' has no attribute '%s'" % name)
    raise AttributeError(
        "np.random.%s is not in this subset; there are seed, rand, randn, normal, uniform, randint, permutation, "
        "shuffle, choice, exponential, default_rng and RandomState" % name
    )
