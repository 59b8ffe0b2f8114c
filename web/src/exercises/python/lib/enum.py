# Members are what is assigned in the class.


class Enum:
    pass


class IntEnum:
    pass


class Flag:
    pass


def auto():
    global _next
    _next += 1
    return _next


_next = 0


def unique(c):
    return c
