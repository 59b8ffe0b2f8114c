class _Abstract:
    def __init__(self, f):
        self._f = f


def abstractmethod(f):
    return _Abstract(f)


abstractproperty = abstractmethod


def _left(kind, name):
    # What a class finds under a name: its own, or that of its bases.
    return getattr(kind, name, None)


class ABC:
    def __new__(cls, *args, **more):
        missing = sorted([n for n in dir(cls) if isinstance(_left(cls, n), _Abstract)])
        if missing:
            raise TypeError(
                "Can't instantiate abstract class %s with abstract method%s %s"
                % (cls.__name__, "s" if len(missing) > 1 else "", ", ".join(missing))
            )
        return object.__new__(cls)


class ABCMeta:
    pass
