def copy(x):
    t = type(x)
    if t in (list, dict, set, bytearray):
        return __attn_copy(x)
    if x is None or t in (int, float, bool, str, tuple, complex, bytes, frozenset, range, type) or callable(x) and not hasattr(x, "__dict__"):
        return x
    if hasattr(x, "__copy__"):
        return x.__copy__()
    if hasattr(x, "copy"):
        return x.copy()
    return _made(x, lambda v: v)


def deepcopy(x, memo=None):
    if memo is None:
        memo = {}
    t = type(x)
    if x is None or t in (int, float, bool, str, complex, bytes, range, type):
        return x
    if id(x) in memo:
        return memo[id(x)]
    if t is list:
        y = memo[id(x)] = []
        for v in x:
            y.append(deepcopy(v, memo))
        return y
    if t is dict:
        y = memo[id(x)] = __attn_d()
        for k, v in x.items():
            y[deepcopy(k, memo)] = deepcopy(v, memo)
        return y
    if t is tuple:
        y = tuple([deepcopy(v, memo) for v in x])
        return x if all([a is b for a, b in zip(x, y)]) else y
    if t in (set, frozenset):
        return t([deepcopy(v, memo) for v in x])
    if hasattr(x, "__deepcopy__"):
        return x.__deepcopy__(memo)
    if hasattr(x, "_attn_copied"):
        return x._attn_copied(lambda v: deepcopy(v, memo))
    if hasattr(x, "_h") or hasattr(x, "_x"):
        return x.copy()
    if isinstance(x, (list, dict, tuple, set)):
        raise NotImplementedError("deepcopy of a class made from %s is not here" % t.__name__)
    if not hasattr(x, "__dict__") or t.__name__ in ("function", "closure", "generator", "bound_method", "module"):
        return x
    return _made(x, lambda v: deepcopy(v, memo), memo)


def _made(x, each, memo=None):
    y = object.__new__(type(x))
    if memo is not None:
        memo[id(x)] = y
    for name, value in x.__dict__.items():
        setattr(y, name, each(value))
    return y
