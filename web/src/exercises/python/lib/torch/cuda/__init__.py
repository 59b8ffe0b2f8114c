def is_available():
    return False


def device_count():
    return 0


def __getattr__(name):
    if name == "amp":
        import sys

        __import__("torch.cuda.amp")
        return sys.modules["torch.cuda.amp"]
    raise AttributeError("torch.cuda.%s is not here: there is no GPU" % name)
