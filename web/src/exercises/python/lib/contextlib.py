class _Context:
    def __init__(self, g):
        self._g = g

    def __enter__(self):
        return next(self._g)

    def __exit__(self, kind, value, trace):
        if kind is None:
            try:
                next(self._g)
            except StopIteration:
                pass
            return False
        try:
            self._g.throw(value)
        except StopIteration:
            return True
        return False


def contextmanager(f):
    return lambda *args, **more: _Context(f(*args, **more))


class suppress:
    def __init__(self, *kinds):
        self._kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, self._kinds)


class nullcontext:
    def __init__(self, x=None):
        self._x = x

    def __enter__(self):
        return self._x

    def __exit__(self, *args):
        return False
