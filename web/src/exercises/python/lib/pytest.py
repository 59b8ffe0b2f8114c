# The parts of pytest that course tests use: parametrize, raises, approx and fixture. `main()` runs the tests of the
# file.
import sys


class _Raised:
    def __init__(self, kind, match=None):
        self._kind = kind
        self._match = match
        self.value = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        name = getattr(self._kind, "__name__", str(self._kind))
        if kind is None:
            raise AssertionError("DID NOT RAISE " + name)
        if not issubclass(kind, self._kind):
            return False
        self.value = value
        if self._match is not None:
            import re

            if not re.search(self._match, str(value)):
                raise AssertionError("%s was raised, but %r does not match %r" % (name, str(value), self._match))
        return True


def raises(kind, f=None, *args, match=None, **more):
    context = _Raised(kind, match)
    if f is None:
        return context
    with context:
        f(*args, **more)
    return context


class approx:
    _approx = True

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self._expected = expected
        self._rel = 1e-6 if rel is None else rel
        self._abs = 1e-12 if abs is None else abs
        if rel is None and abs is not None:
            self._rel = 0.0
        self._nan = nan_ok

    def _near(self, a, b):
        if a == b:
            return True
        if a != a and b != b:
            return self._nan
        d = a - b if a > b else b - a
        size = b if b > 0 else -b
        return d <= max(self._abs, self._rel * size)

    def __eq__(self, actual):
        e = self._expected
        if hasattr(e, "_h") or hasattr(actual, "_h"):
            import numpy as np

            return np.allclose(actual, e, self._rel, self._abs, self._nan)
        if isinstance(e, dict):
            return set(e) == set(actual) and all([self._near(actual[k], e[k]) for k in e])
        if isinstance(e, (list, tuple)):
            return len(e) == len(actual) and all([self._near(a, b) for a, b in zip(actual, e)])
        return self._near(actual, e)

    def __ne__(self, actual):
        return not self == actual

    def __repr__(self):
        return "approx(%r)" % (self._expected,)


class _Mark:
    def parametrize(self, names, values, ids=None):
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)

        def mark(f):
            _cases.setdefault(f, []).append((names, list(values)))
            return f

        return mark

    def skip(self, *args, **more):
        def mark(f):
            _skipped.append(f)
            return f

        if args and callable(args[0]):
            return mark(args[0])
        return mark

    def skipif(self, condition, reason=""):
        return self.skip() if condition else lambda f: f

    def xfail(self, *args, **more):
        return (lambda f: f) if not (args and callable(args[0])) else args[0]

    def __getattr__(self, name):
        return lambda *args, **more: args[0] if args and callable(args[0]) else (lambda f: f)


mark = _Mark()
_cases = {}
_skipped = []
_fixtures = {}


def fixture(f=None, **more):
    def keep(f):
        _fixtures[f.__name__] = f
        return f

    return keep(f) if f else keep


class Skipped(Exception):
    pass


class Failed(AssertionError):
    pass


def skip(reason=""):
    raise Skipped(reason)


def fail(reason=""):
    raise Failed(reason)


def param(*values, **more):
    return values[0] if len(values) == 1 else values


def _combinations(f):
    rows = [{}]
    for names, values in _cases.get(f, []):
        more = []
        for row in rows:
            for v in values:
                new = dict(row)
                if len(names) == 1:
                    new[names[0]] = v
                else:
                    for n, x in zip(names, v):
                        new[n] = x
                more.append(new)
        rows = more
    return rows


def main(args=None):
    # Runs the test_… functions and Test… classes of the file; returns 0 if all pass.
    space = sys.modules["_run"]._globals
    passed = failed = 0
    todo = []
    for name, value in list(space.items()):
        if name.startswith("test") and callable(value):
            todo.append((name, value, None))
        elif name.startswith("Test") and isinstance(value, type):
            for n in dir(value):
                if n.startswith("test"):
                    todo.append((name + "::" + n, getattr(value, n), value))
    for name, f, owner in todo:
        if f in _skipped:
            continue
        for row in _combinations(f):
            try:
                if owner is None:
                    f(**row)
                else:
                    it = owner()
                    if hasattr(it, "setup_method"):
                        it.setup_method()
                    f(it, **row)
                passed += 1
            except Skipped:
                pass
            except Exception as e:
                failed += 1
                print("FAILED %s%s: %s: %s" % (name, row or "", type(e).__name__, e))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0
