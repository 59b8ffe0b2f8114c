import numpy as _np
from numpy import array, asarray, inf, isnan, ndarray


def _text(x, name):
    r = repr(x if isinstance(x, ndarray) else array(x) if isinstance(x, (list, tuple)) else x)
    if isinstance(x, (int, float)):
        r = "array(%s)" % r
    lines = r.split("\n")
    if len(lines) > 3:
        lines = lines[:3] + ["..."]
    return " %s: %s" % (name, "\n".join(lines))


def _message(x, y, header, parts, names=("x", "y"), err_msg=""):
    out = ["\n" + header]
    if err_msg:
        if "\n" not in err_msg and len(err_msg) < 79 - len(header):
            out = [out[0] + " " + err_msg]
        else:
            out.append(err_msg)
    out.extend(parts)
    with _np.printoptions(threshold=1000):
        out.append(_text(x, names[0]))
        out.append(_text(y, names[1]))
    return "\n".join(out)


def _compare(ok, x, y, header, err_msg, equal_nan, equal_inf=True):
    a, b = asarray(x), asarray(y)
    if a.shape != b.shape and a.ndim and b.ndim:
        raise AssertionError(
            _message(x, y, header, ["(shapes %s, %s mismatch)" % (a.shape, b.shape)], ("x", "y"), err_msg)
        )
    if equal_nan and a.dtype != bool and b.dtype != bool:
        n, m = asarray(isnan(a)), asarray(isnan(b))
        both = asarray(n | m).shape
        if not _np.array_equal(_np.broadcast_to(n, both), _np.broadcast_to(m, both)):
            raise AssertionError(_message(x, y, header, ["x and y nan location mismatch:"], ("x", "y"), err_msg))
        keep = ~n if n.ndim else None
        i, j = asarray(a == inf), asarray(b == inf)
        if equal_inf and i.shape == j.shape:
            if not _np.array_equal(i, j):
                raise AssertionError(_message(x, y, header, ["x and y +inf location mismatch:"], ("x", "y"), err_msg))
            i2, j2 = asarray(a == -inf), asarray(b == -inf)
            if not _np.array_equal(i2, j2):
                raise AssertionError(_message(x, y, header, ["x and y -inf location mismatch:"], ("x", "y"), err_msg))
            if a.ndim and b.ndim:
                keep = keep & ~i & ~i2
        if keep is not None and a.ndim and b.ndim and not keep.all():
            a, b = a[keep], b[keep]
    good = asarray(ok(a, b))
    if good.all():
        return
    n = good.size
    wrong = n - int(good.sum())
    parts = ["Mismatched elements: %d / %d (%.3g%%)" % (wrong, n, 100.0 * wrong / n)]
    if a.dtype != bool and b.dtype != bool:
        error = abs(a - b)
        parts.append("Max absolute difference: " + _number(_np.max(error)))
        b = _np.broadcast_to(b, asarray(error).shape)
        nonzero = b != 0
        if not _np.any(nonzero):
            parts.append("Max relative difference: inf")
        else:
            e = asarray(error)
            if e.ndim:
                parts.append("Max relative difference: " + _number(_np.max(e[nonzero] / abs(b[nonzero]))))
            else:
                parts.append("Max relative difference: " + _number(e / abs(b)))
    raise AssertionError(_message(x, y, header, parts, ("x", "y"), err_msg))


def _number(x):
    # As "{:.8g}"-free str of NumPy's scalars writes it.
    with _np.printoptions(precision=8):
        return str(x)


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    header = "Not equal to tolerance rtol=%s, atol=%s" % (_g(rtol), _g(atol))
    rtol, atol = float(rtol), float(atol)
    _compare(
        lambda a, b: _np.isclose(a, b, rtol, atol, equal_nan), actual, desired, header, err_msg, equal_nan
    )


def _g(x):
    return "%g" % x


def assert_array_equal(x, y, err_msg="", verbose=True, strict=False):
    _compare(lambda a, b: a == b, x, y, "Arrays are not equal", err_msg, True, False)


def assert_array_almost_equal(x, y, decimal=6, err_msg="", verbose=True):
    _compare(
        lambda a, b: abs(a - b) < 1.5 * 10.0 ** (-decimal),
        x,
        y,
        "Arrays are not almost equal to %d decimals" % decimal,
        err_msg,
        True,
    )


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if isinstance(actual, (ndarray, list, tuple)) or isinstance(desired, (ndarray, list, tuple)):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    if actual != actual and desired != desired:
        return
    if actual == desired or abs(desired - actual) < 1.5 * 10.0 ** (-decimal):
        return
    raise AssertionError(
        "\nArrays are not almost equal to %d decimals%s\n ACTUAL: %r\n DESIRED: %r"
        % (decimal, (" " + err_msg) if err_msg else "", actual, desired)
    )


def assert_equal(actual, desired, err_msg="", verbose=True):
    if isinstance(desired, dict):
        if not isinstance(actual, dict):
            raise AssertionError(repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg)
        for k in desired:
            if k not in actual:
                raise AssertionError(repr(k))
            assert_equal(actual[k], desired[k], "key=%r\n%s" % (k, err_msg))
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for k in range(len(desired)):
            assert_equal(actual[k], desired[k], "item=%r\n%s" % (k, err_msg))
        return
    if isinstance(actual, ndarray) or isinstance(desired, ndarray):
        return assert_array_equal(actual, desired, err_msg)
    if actual != actual and desired != desired:
        return
    if not actual == desired:
        raise AssertionError(
            "\nItems are not equal:%s\n ACTUAL: %r\n DESIRED: %r" % ((" " + err_msg) if err_msg else "", actual, desired)
        )


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg)


def assert_array_less(x, y, err_msg="", verbose=True):
    _compare(lambda a, b: a < b, x, y, "Arrays are not less-ordered", err_msg, True, False)


class _Raises:
    def __init__(self, kind):
        self._kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            name = self._kind.__name__ if hasattr(self._kind, "__name__") else str(self._kind)
            raise AssertionError("%s not raised" % name)
        self.exception = value
        return issubclass(kind, self._kind)


def assert_raises(kind, function=None, *args, **more):
    context = _Raises(kind)
    if function is None:
        return context
    with context:
        function(*args, **more)


def assert_no_warnings(f=None, *args, **more):
    return f(*args, **more) if f else _np.errstate()


def suppress_warnings(*args, **more):
    return _np.errstate()
