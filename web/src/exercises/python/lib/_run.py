# Runs a student's file. An exception in it never reaches JavaScript: it is returned as text.
import sys
import io
import builtins
import _host
import _native
from _text import _str

_print_exception = sys.print_exception
_write = _host.write


def print(*args, sep=" ", end="\n", file=None, flush=False):
    for part in (sep, end):
        if part is not None and type(part) is not str:
            raise TypeError("sep and end must be None or a string, not " + type(part).__name__)
    text = (" " if sep is None else sep).join([_str(a) for a in args]) + ("\n" if end is None else end)
    if file is None or file is sys.stdout or file is sys.stderr:
        _write(text)
    else:
        file.write(text)


builtins.print = print


def _input(*args):
    raise RuntimeError("input() is not here: nobody can answer; give the value a name instead")


def _open(*args, **more):
    raise RuntimeError("files are not here; this code has no disk")


import numpy

_own_dir = dir


def _dir(*args):
    # MicroPython's own dir() asks __getattr__ for every name that it has ever seen.
    if not args:
        return sorted(_globals)
    x = args[0]
    if type(x) is type(sys):
        names = list(x.__dict__)
        if x is numpy:
            names += list(numpy._rest().__dict__) + ["linalg", "random", "testing"]
        ours = _native.__dict__
        return sorted(set([n for n in names if n[0] != "_" and (n not in ours or x.__dict__.get(n) is not ours[n])]))
    return _own_dir(type(x) if hasattr(x, "_h") else x)


builtins.dir = _dir
builtins.max = numpy._python_max
builtins.min = numpy._python_min
builtins.input = _input
builtins.open = _open
__import__("_python").install()
sys.modules["math"] = __import__("_math")
sys.modules["time"] = __import__("_time")


def _tell(error):
    out = io.StringIO()
    _print_exception(error, out)
    if isinstance(error, SystemExit):
        return "exit"
    names = []
    kind = type(error)
    while kind is not object and len(names) < 8:
        names.append(kind.__name__)
        bases = kind.__bases__
        if not bases:
            break
        kind = bases[0]
    raised, said = numpy._last_explained
    return "\x01".join([",".join(names), str(error), out.getvalue(), said if raised is error else ""])


_globals = {}
_entry = None


def prepare(name):
    # A fresh set of globals.
    global _globals
    import _adapt

    _adapt.forget()
    # A note that one file has caused may be printed again for the next file.
    numpy._narrow = 0
    _forget_drawings()
    _globals = {"__name__": name, "__file__": "student.py"}
    given = __import__("given")
    for key, value in given.__dict__.items():
        if key[0] != "_" and type(value) is not type(sys):
            _globals[key] = value


def load(code):
    try:
        exec(compile(code, "student.py", "exec"), _globals)
    except BaseException as error:
        return _tell(error)
    return ""


def find(name):
    # Returns "" when the entry is ready, and otherwise what is wrong with it.
    global _entry
    _entry = _globals.get(name)
    if _entry is None:
        return "missing"
    return "" if callable(_entry) else "not callable"


def _forget_drawings():
    plot = sys.modules.get("matplotlib.pyplot")
    if plot is not None:
        plot._forget()


def _drawings():
    plot = sys.modules.get("matplotlib.pyplot")
    return [] if plot is None else plot._told()


def drawings():
    # What the file has drawn, encoded; "" where nothing was drawn.
    told = _drawings()
    if not told:
        return ""
    out = []
    _encode(told, out, 0)
    return "".join(out)


def taken():
    # The functions of the course's module `exercise` that the file took.
    exercise = sys.modules.get("exercise")
    return " ".join(getattr(exercise, "taken", ()))


def _array(h):
    # A file that imports torch receives tensors.
    torch = sys.modules.get("torch")
    return numpy.ndarray(h) if torch is None else torch.Tensor(h)


def _given(name):
    return getattr(__import__("given"), name)


_inf = float("inf")
_nan = float("nan")
_names = {"A": _array, "G": _given, "inf": _inf, "nan": _nan}


def call(args):
    try:
        result = _entry(*eval(args, _names))
    except BaseException as error:
        return "!" + _tell(error)
    try:
        out = []
        _encode(result, out, 0)
        return "".join(out)
    except BaseException as error:
        return "!" + _tell(error)


def draw(args):
    # What the function draws counts, not what it returns.
    _forget_drawings()
    try:
        _entry(*eval(args, _names))
    except BaseException as error:
        return "!" + _tell(error)
    try:
        figures = _drawings()
        pictures = [axes for figure in figures for axes in figure["axes"] if "image" in axes]
        out = []
        _encode({"figures": len(figures), "pictures": pictures, "drawn": figures}, out, 0)
        return "".join(out)
    except BaseException as error:
        return "!" + _tell(error)


def loaded():
    import _adapt

    _adapt.loaded()


def counted():
    import _adapt

    return _adapt.counted()


def _text(s):
    out = ['"']
    for c in s:
        if c == '"' or c == "\\":
            out.append("\\" + c)
        elif ord(c) < 32:
            out.append("\\u%04x" % ord(c))
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def _encode(v, out, depth):
    t = type(v)
    if v is None:
        out.append("null")
    elif t is bool:
        out.append("true" if v else "false")
    elif t is int:
        out.append(str(v))
    elif t is float:
        if v != v or v == _inf or v == -_inf:
            out.append('{"x":"%s"}' % ("nan" if v != v else "inf" if v > 0 else "-inf"))
        else:
            out.append(repr(v))
    elif t is str:
        out.append(_text(v))
    elif isinstance(v, (list, tuple)):
        if depth > 8:
            raise TypeError("the result is nested too deeply")
        out.append("[")
        for i, x in enumerate(v):
            if i:
                out.append(",")
            _encode(x, out, depth + 1)
        out.append("]")
    elif isinstance(v, dict):
        out.append('{"d":{')
        first = True
        for k, x in v.items():
            if not first:
                out.append(",")
            first = False
            out.append(_text(str(k)))
            out.append(":")
            _encode(x, out, depth + 1)
        out.append("}}")
    elif hasattr(v, "_h"):
        out.append('{"a":%d}' % v._h)
    elif hasattr(v, "_x"):
        _encode(float(v), out, depth)
    elif hasattr(v, "_asdict"):
        _encode(v._asdict(), out, depth)
    elif hasattr(v, "numpy"):
        _encode(v.numpy(), out, depth)
    else:
        name = getattr(v, "__name__", None)
        if name is not None:
            raise TypeError("your function returned the function or class '%s' itself; call it: %s(…)" % (name, name))
        if hasattr(v, "__next__"):
            raise TypeError("your function returned a generator; make a list or an array of it")
        raise TypeError("your function returned a '%s'; return an array or a number" % t.__name__)
