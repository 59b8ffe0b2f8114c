import numpy as _np
from numpy import array, asarray, inf, isnan, ndarray


def _message(arrays, err_msg, header, names, precision):
    out = ["\n" + header]
    if err_msg:
        if "\n" not in err_msg and len(err_msg) < 79 - len(header):
            out = [out[0] + " " + err_msg]
        else:
            out.append(err_msg)
    for name, x in zip(names, arrays):
        if isinstance(x, ndarray):
            with _np.printoptions(precision=precision):
                r = repr(x)
        else:
            r = repr(x)
        lines = r.split("\n")
        if len(lines) > 4:
            r = "\n".join(lines[:3]) + "..."
        out.append(" %s: %s" % (name, r))
    return "\n".join(out)


def _compare(ok, x, y, header, err_msg, equal_nan, equal_inf=True, precision=6):
    a, b = x, y = asarray(x), asarray(y)

    def fail(more):
        raise AssertionError(_message([x, y], err_msg + "\n" + more, header, ("x", "y"), precision))

    if a.shape != b.shape and a.ndim and b.ndim:
        fail("(shapes %s, %s mismatch)" % (a.shape, b.shape))
    flagged = None

    def same_places(f, name):
        i, j = asarray(f(a)), asarray(f(b))
        if not (i == j).all() if (i.ndim or j.ndim) else i.item() != j.item():
            fail("x and y %s location mismatch:" % name)
        return i if i.ndim == 0 else j

    tests = []
    if equal_nan:
        tests.append((isnan, "nan"))
    if equal_inf:
        tests.append((lambda v: v == inf, "+inf"))
        tests.append((lambda v: v == -inf, "-inf"))
    for f, name in tests:
        here = same_places(f, name)
        flagged = here if flagged is None else asarray(flagged | here)
    if flagged is not None:
        if flagged.ndim:
            if flagged.any():
                a, b = a[~flagged], b[~flagged]
                if a.size == 0:
                    return
        elif flagged.item():
            return
    good = asarray(ok(a, b))
    if good.all():
        return
    wrong = good.size - int(good.sum())
    n = flagged.size if flagged is not None and flagged.ndim else good.size
    parts = ["Mismatched elements: %d / %d (%s%%)" % (wrong, n, _g3(100.0 * wrong / n))]
    if a.dtype != bool and b.dtype != bool:
        error = asarray(abs(a - b))
        parts.append("Max absolute difference: " + _np.array2string(asarray(_np.max(error))))
        size = _np.broadcast_to(abs(b), error.shape)
        nonzero = asarray(size != 0)
        if not nonzero.any():
            largest = inf
        elif error.ndim:
            largest = _np.max(error[nonzero] / size[nonzero])
        else:
            largest = error / size
        parts.append("Max relative difference: " + _np.array2string(asarray(largest)))
    fail("\n".join(parts))


def _g3(x):
    return ("{:.3g}").format(x)


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
        True,
        decimal,
    )


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if isinstance(actual, (ndarray, list, tuple)) or isinstance(desired, (ndarray, list, tuple)):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    if actual != actual and desired != desired:
        return
    if actual == desired or abs(desired - actual) < 1.5 * 10.0 ** (-decimal):
        return
    header = "Arrays are not almost equal to %d decimals" % decimal
    raise AssertionError(_message([actual, desired], err_msg, header, ("ACTUAL", "DESIRED"), 8))


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
        names = ("ACTUAL", "DESIRED")
        raise AssertionError(_message([actual, desired], err_msg, "Items are not equal:", names, 8))


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
