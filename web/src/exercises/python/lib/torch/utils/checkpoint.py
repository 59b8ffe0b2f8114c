def checkpoint(f, *args, **more):
    # Nothing is kept for a backward pass here anyway.
    more.pop("use_reentrant", None)
    return f(*args, **more)
