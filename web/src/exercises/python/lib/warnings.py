def warn(message, category=None, stacklevel=1, **more):
    print("%s: %s" % ("UserWarning" if category is None else category.__name__, message))


def filterwarnings(*args, **more):
    pass


simplefilter = resetwarnings = filterwarnings


class catch_warnings:
    def __init__(self, record=False, **more):
        self._record = record

    def __enter__(self):
        return [] if self._record else self

    def __exit__(self, *args):
        return False
