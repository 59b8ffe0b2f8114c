from _native import *
import _host
import numpy as _np
from numpy import _axes, _fail, _h, _many, _w, asarray, inf, ndarray


class LinAlgError(ValueError):
    pass


def _f(x):
    # Integer arrays are computed in float64.
    h = _h(x)
    return h if h & 2 else _np._hd(x, 3)


def _pair(r):
    return tuple([_np._w(a._h) for a in _many(r)])


def norm(x, ord=None, axis=None, keepdims=False):
    if type(ord) is str:
        axes = asarray(x).ndim if axis is None else len(_axes(axis))
        if ord not in ("fro", "nuc") or axes == 1:
            raise ValueError(
                "Invalid norm order for matrices." if axes != 1 else "Invalid norm order '%s' for vectors" % ord
            )
    if axis is None and ord is not None and asarray(x).ndim > 2:
        raise ValueError("Improper number of dimensions to norm.")
    if ord is not None and type(ord) is not str:
        ord = float(ord)
        if -inf < ord < inf and ord == int(ord):
            ord = int(ord)
    return _w(_host.norm(_f(x), ord, keepdims, *_axes(axis)))


def eigvalsh(a, UPLO="L"):
    return _w(_host.eigvalsh(_f(a if UPLO == "L" else asarray(a).mT)))


def eigh(a, UPLO="L"):
    return tuple(_many(_host.eigh(_f(a if UPLO == "L" else asarray(a).mT))))


def eigvals(a):
    return _symmetric(a, "eigvals") and eigvalsh(a)


def eig(a):
    return _symmetric(a, "eig") and eigh(a)


def _symmetric(a, name):
    a = asarray(a)
    if not _np.allclose(a, a.swapaxes(-1, -2)):
        raise NotImplementedError(
            "np.linalg.%s of a matrix that is not symmetric is not in this subset; "
            "symmetric ones work, or use np.linalg.svd" % name
        )
    return True


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if hermitian:
        raise NotImplementedError("svd has no hermitian=True in this subset; leave it out, or use np.linalg.eigh")
    if not compute_uv:
        return _w(_host.singularValues(_f(a)))
    return tuple(_many(_host.svd(_f(a), full_matrices)))


def svdvals(a):
    return svd(a, compute_uv=False)


def solve(a, b):
    return _w(_host.solve(_f(a), _f(b)))


def inv(a):
    return _w(_host.inv(_f(a)))


def det(a):
    return _w(_host.det(_f(a)))


def slogdet(a):
    return _pair(_host.slogdet(_f(a)))


def qr(a, mode="reduced"):
    if mode not in ("reduced", "r") and (mode != "complete" or asarray(a).shape[-2] > asarray(a).shape[-1]):
        raise NotImplementedError("np.linalg.qr has mode='reduced' and mode='r' in this subset")
    q, r = _many(_host.qr(_f(a)))
    return r if mode == "r" else (q, r)


def cholesky(a):
    return _w(_host.cholesky(_f(a)))


def pinv(a, rcond=1e-15, hermitian=False):
    return _w(_host.pinv(_f(a), float(rcond)))


def matrix_rank(A, tol=None, hermitian=False):
    return _w(_host.matrixRank(_f(A), None if tol is None else float(tol)))


def cond(x, p=None):
    if p is None or p == 2 or p == -2:
        s = svd(x, compute_uv=False)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return norm(x, p) * norm(inv(x), p)


def lstsq(a, b, rcond=None):
    a, b = asarray(a), asarray(b)
    x = _w(_host.lstsq(_f(a), _f(b)))
    s = svd(a, compute_uv=False)
    eps = 2.220446049250313e-16 * max(a.shape)
    rank = int((s > s[0] * eps).sum()) if s.size else 0
    r = a @ x - b
    square = _np.sum(r * r, axis=0)
    if rank < a.shape[1] or a.shape[0] <= a.shape[1]:
        residuals = _np.zeros(0)
    else:
        residuals = _np.atleast_1d(square)
    return x, residuals, rank, s


def matrix_power(a, n):
    a = asarray(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if n < 0:
        a, n = inv(a), -n
    r = _np.eye(a.shape[-1], dtype=a.dtype)
    while n:
        if n & 1:
            r = r @ a
        a = a @ a
        n >>= 1
    return r


def multi_dot(arrays):
    r = asarray(arrays[0])
    for a in arrays[1:]:
        r = r @ asarray(a)
    return r


def __getattr__(name):
    if name[0] == "_":
        raise AttributeError("module 'numpy.linalg' has no attribute '%s'" % name)
    raise AttributeError(
        "np.linalg.%s is not in this subset; there are norm, eigh, eigvalsh, svd, solve, inv, pinv, det, "
        "slogdet, qr, cholesky, matrix_rank, cond, lstsq, matrix_power" % name
    )
