# Texts as CPython writes them: repr, str, format, %, and the methods of str that MicroPython lacks or has for ASCII
# only. Digits and letters come from text-host.ts.
import builtins
import _host
from uctypes import bytearray_at as _bytes_at

_native_repr = repr
_native_str = str
_isinstance = isinstance
_plain_types = (int, bool)


def _ordered():
    # A dict that remembers the order of its entries. MicroPython has a bit for this in every dict.
    d = {}
    _bytes_at(id(d) + 4, 1)[0] |= 4
    return d


def _ascii(s):
    return len(s.encode()) == len(s)


def _own(x, name):
    # Whether the class of x, or one of its bases in a file, defines a method.
    return _defines(type(x), name)


# Bases that the rewriter gives to classes.
_added = []


def _defines(kind, name):
    if name in kind.__dict__:
        return True
    for base in kind.__bases__:
        if base is not object and base not in _added and _defines(base, name):
            return True
    return False


def _quoted(s, ascii=False):
    if _ascii(s):
        return _native_repr(s)
    if "\0" in s:
        # A text ends at a zero on its way through JavaScript.
        parts = [_host.quoted(p + '"' * ('"' in s) + "'" * ("'" in s), ascii) for p in s.split("\0")]
        cut = 1 + (2 if "'" in s and '"' in s else 1 if '"' in s or "'" in s else 0) + ("'" in s and '"' in s)
        return parts[0][0] + "\\x00".join([p[1:-cut] for p in parts]) + parts[0][0]
    return _host.quoted(s, ascii)


_closed = {list: "[...]", dict: "{...}", tuple: "(...)", set: "set(...)", frozenset: "frozenset(...)"}


def _repr(x, open=()):
    t = type(x)
    if t is str:
        return _quoted(x)
    if t is float:
        return _host.real(x)
    if t is int or t is bool or x is None:
        return _native_repr(x)
    if t in _closed:
        if id(x) in open:
            return _closed[t]
        return _inside(x, t, open + (id(x),))
    if t is complex:
        return _complex(x, _host.real)
    if t is type:
        return _class(x)
    if _own(x, "_attn_repr_in"):
        # Containers of our own library.
        if id(x) in open:
            return x._attn_closed
        return x._attn_repr_in(lambda y: _repr(y, open + (id(x),)))
    if _isinstance(x, BaseException):
        if _own(x, "__repr__"):
            return x.__repr__()
        args = x.args
        return t.__name__ + ("(%s)" % _repr(args[0], open) if len(args) == 1 else _repr(args, open))
    for kind in (list, dict, tuple, set, str, int, float):
        if _isinstance(x, kind):
            if _own(x, "__repr__") or _own(x, "_fields"):
                break
            if kind is int or kind is float:
                return _repr(kind(x))
            if kind is str:
                return _quoted("".join([c for c in x]))
            if id(x) in open:
                return _closed[kind]
            text = _inside(x, kind, open + (id(x),))
            return text if kind is not set else "%s(%s)" % (t.__name__, text)
    if hasattr(x, "_fields") and _isinstance(x, tuple):
        return "%s(%s)" % (t.__name__, ", ".join([n + "=" + _repr(v, open) for n, v in zip(x._fields, x)]))
    name = t.__name__
    if name == "dict_view":
        kind = _native_repr(type(x)) and _view(x)
        return "%s(%s)" % (kind, _inside(list(x), list, open))
    text = x.__repr__() if _own(x, "__repr__") else _native_repr(x)
    if type(text) is not str and not _isinstance(text, str):
        raise TypeError("__repr__ returned non-string (type %s)" % type(text).__name__)
    if text[:1] == "<" and text[-1:] == ">" and name != "function" and hasattr(t, "__dict__") and t.__dict__ and not _own(x, "__repr__"):
        return "<__main__.%s object at 0x%08x>" % (name, id(x))
    return text


def _view(x):
    # An empty view cannot tell from its entries what it is, and MicroPython's text begins with it.
    try:
        return _native_repr(x).split("(")[0]
    except RuntimeError:
        return "dict_values"


def _class(x):
    name = x.__name__
    if getattr(builtins, name, None) is x or name in ("function", "NoneType", "module", "generator"):
        return "<class '%s'>" % name
    return "<class '__main__.%s'>" % name


def _complex(x, text):
    real = x.real
    imag = x.imag
    b = text(imag)
    if b.endswith(".0"):
        b = b[:-2]
    if real == 0 and text(real)[0] != "-":
        return b + "j"
    a = text(real)
    if a.endswith(".0"):
        a = a[:-2]
    return "(" + a + ("" if b[0] in "+-" else "+") + b + "j)"


def _inside(x, t, open):
    if t is list:
        return "[" + ", ".join([_repr(y, open) for y in x]) + "]"
    if t is dict:
        return "{" + ", ".join([_repr(k, open) + ": " + _repr(v, open) for k, v in x.items()]) + "}"
    if t is tuple:
        if len(x) == 1:
            return "(" + _repr(x[0], open) + ",)"
        return "(" + ", ".join([_repr(y, open) for y in x]) + ")"
    if not x:
        return t.__name__ + "()"
    text = "{" + ", ".join([_repr(y, open) for y in x]) + "}"
    return text if t is set else "frozenset(" + text + ")"


# What MicroPython says, and what CPython says: programs print the errors that they catch.
_said = (
    ("divide by zero", "division by zero"),
    ("pop from empty list", "pop from empty list"),
    ("index out of range", "index out of range"),
    ("list index out of range", "list index out of range"),
    ("object not in sequence", "list.remove(x): x not in list"),
    ("math domain error", "math domain error"),
    ("substring not found", "substring not found"),
    ("arg is an empty sequence", "max() arg is an empty sequence"),
    ("maximum recursion depth exceeded", "maximum recursion depth exceeded"),
    ("exceptions must derive from BaseException", "exceptions must derive from BaseException"),
    ("chr() arg not in range(0x110000)", "chr() arg not in range(0x110000)"),
    ("empty separator", "empty separator"),
    ("zero step", "range() arg 3 must not be zero"),
    ("can't convert None to int", "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"),
)
_said = dict(_said)
_signs = {
    "__add__": "+",
    "__sub__": "-",
    "__mul__": "*",
    "__truediv__": "/",
    "__floordiv__": "//",
    "__mod__": "%",
    "__pow__": "** or pow()",
    "__matmul__": "@",
    "__lt__": "<",
    "__le__": "<=",
    "__gt__": ">",
    "__ge__": ">=",
    "__and__": "&",
    "__or__": "|",
    "__xor__": "^",
    "__lshift__": "<<",
    "__rshift__": ">>",
    "__iadd__": "+=",
    "__isub__": "-=",
}
_unary = {"__neg__": "unary -", "__pos__": "unary +", "__invert__": "unary ~", "__abs__": "abs()"}


def _message(text):
    # The message of an error of MicroPython in CPython's words.
    if text in _said:
        return _said[text]
    if text.startswith("name '") and text.endswith("' isn't defined"):
        return text[:-15] + "' is not defined"
    if text.startswith("no module named "):
        return "No module named " + text[16:]
    if text.startswith("unsupported types for "):
        sign, kinds = text[22:].split(": ", 1)
        a, b = kinds.replace("'", "").split(", ")
        if sign in ("__lt__", "__le__", "__gt__", "__ge__"):
            return "'%s' not supported between instances of '%s' and '%s'" % (_signs[sign], a, b)
        if sign in ("__add__", "__iadd__") and a in ("str", "list", "tuple"):
            return 'can only concatenate %s (not "%s") to %s' % (a, b, a)
        return "unsupported operand type(s) for %s: '%s' and '%s'" % (_signs.get(sign, sign), a, b)
    if text.startswith("unsupported type for "):
        sign, kind = text[21:].split(": ", 1)
        if sign == "__hash__":
            return "unhashable type: " + kind
        if sign == "__getitem__":
            return kind + " object is not subscriptable"
        if sign in _unary:
            return "bad operand type for %s: %s" % (_unary[sign], kind)
    if text.startswith("can't convert ") and text.endswith(" to int"):
        return "int() argument must be a string, a bytes-like object or a real number, not '%s'" % text[14:-7]
    if text.startswith("object of type ") and text.endswith(" has no len()"):
        return text
    if text.startswith("need more than ") and text.endswith(" values to unpack"):
        return text
    if " object isn't " in text:
        return text.replace(" object isn't ", " object is not ")
    if text.endswith(" indices must be integers, not str") or text.endswith(" indices must be integers, not float"):
        return text.replace("integers", "integers or slices")
    return text


def _str(x="", *args, **more):
    # str(…) in a student's file.
    if args or more:
        if not args and "object" in more:
            return _str(more.pop("object"), **more)
        return _native_str(x, *args, **more)
    t = type(x)
    if t is str:
        return x
    if t is float:
        return _host.real(x)
    if t is int:
        return _native_str(x)
    if _isinstance(x, BaseException):
        if _own(x, "__str__"):
            return x.__str__()
        return _exception(x)
    if t in _closed or t is complex or t is type:
        return _repr(x)
    if _isinstance(x, str):
        return _native_str(x) if _own(x, "__str__") else "".join([c for c in x])
    if _own(x, "_attn_repr_in"):
        return _repr(x)
    if t.__dict__ and t.__name__ not in ("ndarray",) and not _own(x, "__str__"):
        return _repr(x)
    text = _native_str(x)
    return text if t.__name__ != "dict_view" else _repr(x)


def _exception(x):
    args = x.args
    if not args:
        return ""
    if len(args) > 1:
        return _repr(args)
    first = args[0]
    if _isinstance(x, KeyError):
        return _repr(first)
    return _message(first) if type(first) is str and type(x).__name__ in _spoken else _str(first)


_spoken = (
    "ZeroDivisionError IndexError NameError ImportError TypeError AttributeError ValueError OverflowError "
    "ModuleNotFoundError"
).split()


def _ascii_of(x):
    text = _repr(x)
    return text if _ascii(text) else "".join([c if ord(c) < 128 else _host.quoted(c, True)[1:-1] for c in text])


# Format specifications.


# What specifications mean, and the places of those that are like ".2f": they come again and again.
_specs = {}
_places = {".%df" % n: n for n in range(10)}


def _spec(spec):
    known = _specs.get(spec)
    if known is None:
        if len(_specs) > 200:
            _specs.clear()
        known = _specs[spec] = _read_spec(spec)
    return known


def _read_spec(spec):
    # [[fill]align][sign][z][#][0][width][grouping][.precision][type]
    n = len(spec)
    fill = align = None
    i = 0
    if n > 1 and spec[1] in "<>=^":
        fill, align = spec[0], spec[1]
        i = 2
    elif n > 0 and spec[0] in "<>=^":
        align = spec[0]
        i = 1
    sign = "-"
    if i < n and spec[i] in "+- ":
        sign = spec[i]
        i += 1
    signed = i > 0 and spec[i - 1] in "+- " and sign == spec[i - 1] and (align is None or i > (2 if fill else 1))
    whole = False
    if i < n and spec[i] == "z":
        raise ValueError("the option z of a format is not here")
    if i < n and spec[i] == "#":
        whole = True
        i += 1
    zero = False
    if i < n and spec[i] == "0":
        zero = True
        i += 1
    k = i
    while i < n and spec[i].isdigit():
        i += 1
    width = int(spec[k:i]) if i > k else 0
    group = ""
    if i < n and spec[i] in ",_":
        group = spec[i]
        i += 1
        if i < n and spec[i] in ",_":
            raise ValueError("Cannot specify both ',' and '_'." if spec[i] != group else "Cannot specify '%s' with '%s'." % (group, group))
    precision = None
    if i < n and spec[i] == ".":
        i += 1
        k = i
        while i < n and spec[i].isdigit():
            i += 1
        if i == k:
            raise ValueError("Format specifier missing precision")
        precision = int(spec[k:i])
    kind = spec[i:]
    if len(kind) > 1:
        raise ValueError("Invalid format specifier")
    return fill, align, sign, signed, whole, zero, width, group, precision, kind


def _padded(text, fill, align, width):
    n = width - len(text)
    if n <= 0:
        return text
    if align == "<":
        return text + fill * n
    if align == "^":
        return fill * (n // 2) + text + fill * (n - n // 2)
    return fill * n + text


def _grouped(digits, mark, size):
    out = []
    while len(digits) > size:
        out.append(digits[-size:])
        digits = digits[:-size]
    out.append(digits)
    out.reverse()
    return mark.join(out)


def _number(negative, sign, prefix, digits, rest, fill, align, zero, width, group, size=3):
    # Puts a number together: its sign, a prefix like 0x, the digits before the point, and the rest.
    head = ("-" if negative else "" if sign == "-" else sign) + prefix
    if zero and fill is None:
        fill = "0"
        if align is None:
            align = "="
    if fill is None:
        fill = " "
    if align is None:
        align = ">"
    if group:
        if fill == "0" and align == "=":
            # The zeros are grouped too.
            room = width - len(head) - len(rest)
            while len(_grouped(digits, group, size)) < room:
                digits = "0" + digits
        digits = _grouped(digits, group, size)
    text = digits + rest
    if align == "=":
        return head + fill * (width - len(head) - len(text)) + text
    return _padded(head + text, fill, align, width)


def _digits_of(x, kind, precision, whole):
    # The digits before the point, and the rest, of |x|.
    low = kind.lower()
    if low == "f" or kind == "%":
        text = _host.fixed(x, 6 if precision is None else precision)
    elif low == "e":
        text = _exponential(x, 6 if precision is None else precision, whole)
    else:
        if kind == "" and precision is None:
            text = _host.real(x)
            if text[0] == "-":
                text = text[1:]
        else:
            p = 6 if precision is None else precision
            if p == 0:
                p = 1
            digits, e = _host.scientific(x, p - 1).split(",")
            e = int(e)
            most = p if kind else p - 1
            if -4 <= e < most:
                if e >= 0:
                    text = digits[: e + 1] + "." + digits[e + 1 :]
                else:
                    text = "0." + "0" * (-e - 1) + digits
                if not whole:
                    text = text.rstrip("0")
                    if text.endswith("."):
                        text = text[:-1] if kind else text + "0"
            else:
                rest = digits[1:] if whole else digits[1:].rstrip("0")
                text = digits[0] + ("." if rest or whole else "") + rest + "e%s%02d" % ("-" if e < 0 else "+", abs(e))
    if whole and "." not in text and "e" not in text:
        text += "."
    if kind in ("F", "E", "G"):
        text = text.upper()
    if kind == "%":
        text += "%"
    i = 0
    while i < len(text) and text[i].isdigit():
        i += 1
    return text[:i], text[i:]


def _exponential(x, places, whole):
    digits, e = _host.scientific(x, places).split(",")
    e = int(e)
    point = "." if places > 0 or whole else ""
    return digits[0] + point + digits[1:] + "e%s%02d" % ("-" if e < 0 else "+", abs(e))


def _negative(x):
    return x < 0 or (x == 0 and _host.real(x)[0] == "-")


def _format_float(x, spec):
    if spec in _places and x - x == 0:
        text = _host.fixed(x, _places[spec])
        return "-" + text if x < 0 or (x == 0 and _negative(x)) else text
    fill, align, sign, _, whole, zero, width, group, precision, kind = _spec(spec)
    if kind not in ("", "e", "E", "f", "F", "g", "G", "n", "%"):
        raise ValueError("Unknown format code '%s' for object of type 'float'" % kind)
    if kind == "n":
        if group:
            raise ValueError("Cannot specify '%s' with 'n'." % group)
        kind = "g"
    if x != x or x - x != 0:
        text = "nan" if x != x else "inf"
        if kind in ("F", "E", "G"):
            text = text.upper()
        return _number(x < 0, sign, "", "", text + ("%" if kind == "%" else ""), fill, align, zero, width, "")
    negative = _negative(x)
    if kind == "%":
        x = x * 100
        if x - x != 0:
            return _number(negative, sign, "", "", "inf%", fill, align, zero, width, "")
    digits, rest = _digits_of(x, kind, precision, whole)
    return _number(negative, sign, "", digits, rest, fill, align, zero, width, group)


def _format_int(x, spec, name="int"):
    fill, align, sign, signed, whole, zero, width, group, precision, kind = _spec(spec)
    if kind in ("e", "E", "f", "F", "g", "G", "%"):
        return _format_float(_to_float(x), spec)
    if kind not in ("", "d", "b", "o", "x", "X", "c", "n"):
        raise ValueError("Unknown format code '%s' for object of type '%s'" % (kind, name))
    if precision is not None:
        raise ValueError("Precision not allowed in integer format specifier")
    if kind == "c":
        if signed:
            raise ValueError("Sign not allowed with integer format specifier 'c'")
        if group:
            raise ValueError("Cannot specify '%s' with 'c'." % group)
        if whole:
            raise ValueError("Alternate form (#) not allowed with integer format specifier 'c'")
        if not 0 <= x < 0x110000:
            raise OverflowError("%c arg not in range(0x110000)")
        return _number(False, "-", "", "", chr(x), fill, align or "<", zero, width, "")
    negative = x < 0
    if negative:
        x = -x
    prefix = ""
    size = 3
    if kind in ("b", "o", "x", "X"):
        if group == ",":
            raise ValueError("Cannot specify ',' with '%s'." % kind)
        text = (bin if kind == "b" else oct if kind == "o" else hex)(x)
        prefix, digits = text[:2], text[2:]
        if kind == "X":
            prefix, digits = "0X", digits.upper()
        if not whole:
            prefix = ""
        size = 4
    else:
        if kind == "n" and group:
            raise ValueError("Cannot specify '%s' with 'n'." % group)
        digits = _native_str(x)
    return _number(negative, sign, prefix, digits, "", fill, align, zero, width, group, size)


def _to_float(x):
    y = float(x)
    if y - y != 0:
        raise OverflowError("int too large to convert to float")
    return y


def _format_str(s, spec):
    fill, align, sign, signed, whole, zero, width, group, precision, kind = _spec(spec)
    if kind not in ("", "s"):
        raise ValueError("Unknown format code '%s' for object of type 'str'" % kind)
    if signed:
        raise ValueError("Sign not allowed in string format specifier")
    if whole:
        raise ValueError("Alternate form (#) not allowed in string format specifier")
    if group:
        raise ValueError("Cannot specify '%s' with 's'." % group)
    if align == "=":
        raise ValueError("'=' alignment not allowed in string format specifier")
    if precision is not None:
        s = s[:precision]
    if zero and fill is None:
        fill = "0"
    return _padded(s, fill or " ", align or "<", width)


def _format_complex(x, spec):
    fill, align, sign, _, whole, zero, width, group, precision, kind = _spec(spec)
    if zero:
        raise ValueError("Zero padding is not allowed in complex format specifier")
    if align == "=":
        raise ValueError("'=' alignment flag is not allowed in complex format specifier")
    part = ("#" if whole else "") + group + ("" if precision is None else ".%d" % precision) + kind
    if not kind:
        raise ValueError("the format of a complex number needs a letter here, as in '.2f'")
    a = _format_float(x.real, ("" if sign == "-" else sign) + part)
    b = _format_float(x.imag, "+" + part)
    return _padded(a + b + "j", fill or " ", align or ">", width)


def _format(x, spec=""):
    # format(x, spec), and what an f-string and str.format do.
    t = type(x)
    if t is float:
        return _format_float(x, spec) if spec else _host.real(x)
    if t is int:
        return _format_int(x, spec) if spec else _native_str(x)
    if t is str:
        return _format_str(x, spec) if spec else x
    if type(spec) is not str:
        raise TypeError("format() argument 2 must be str, not " + type(spec).__name__)
    if _own(x, "_attn_number"):
        # Arrays, and NumPy's scalars.
        plain = _plain(x)
        if plain is not x:
            return _format(plain, spec) if spec else _native_str(x)
    elif _own(x, "__format__"):
        text = x.__format__(spec)
        if not _isinstance(text, str):
            raise TypeError("__format__ must return a str, not " + type(text).__name__)
        return text
    if not spec:
        return _str(x)
    if t is bool:
        return _format_int(x + 0, spec, "bool") if spec[-1:] in "bcdeEfFgGnoxX%" else _format_bool(x, spec)
    if t is complex:
        return _format_complex(x, spec)
    for kind, form in ((str, _format_str), (int, _format_int), (float, _format_float)):
        if _isinstance(x, kind):
            return form(kind(x), spec)
    name = "numpy.ndarray" if _own(x, "_attn_number") else t.__name__
    raise TypeError("unsupported format string passed to %s.__format__" % name)


def _plain(x):
    # The number of an array of no dimension and of a scalar; anything else as it is.
    if not _own(x, "_attn_number"):
        return x
    return x._x if hasattr(x, "_x") else x.item() if x._h & 60 == 0 else x


def _format_bool(x, spec):
    return _format_int(x + 0, spec, "bool")


def _shown(x, *parts):
    # {x:…} of an f-string. The specification comes in parts where it has values in it.
    if type(x) is float and parts[0] in _places and len(parts) == 1:
        return _format_float(x, parts[0])
    return _format(x, parts[0] if len(parts) == 1 else "".join([_str(p) for p in parts]))


# str.format


def _str_format(s, *args, **more):
    if not _isinstance(s, str):
        return s.format(*args, **more)
    return _fields(s, args, more, [0], 2)


def _fields(s, args, more, count, deep):
    if deep < 0:
        raise ValueError("Max string recursion exceeded")
    out = []
    i = 0
    n = len(s)
    while i < n:
        c = s[i]
        if c == "{":
            if s[i + 1 : i + 2] == "{":
                out.append("{")
                i += 2
                continue
            if i + 1 == n:
                raise ValueError("Single '{' encountered in format string")
            depth = 1
            k = i + 1
            while k < n:
                if s[k] == "{":
                    depth += 1
                elif s[k] == "}":
                    depth -= 1
                    if depth == 0:
                        break
                k += 1
            if depth:
                raise ValueError("expected '}' before end of string")
            out.append(_field(s[i + 1 : k], args, more, count, deep))
            i = k + 1
        elif c == "}":
            if s[i + 1 : i + 2] != "}":
                raise ValueError("Single '}' encountered in format string")
            out.append("}")
            i += 2
        else:
            k = i
            while k < n and s[k] not in "{}":
                k += 1
            out.append(s[i:k])
            i = k
    return "".join(out)


def _field(text, args, more, count, deep):
    i = 0
    n = len(text)
    while i < n and text[i] not in "!:":
        if text[i] == "[":
            i = text.find("]", i)
            if i < 0:
                raise ValueError("expected '}' before end of string")
        i += 1
    name = text[:i]
    conversion = spec = ""
    if i < n and text[i] == "!":
        conversion = text[i + 1 : i + 2]
        if not conversion or (i + 2 < n and text[i + 2] != ":"):
            raise ValueError("expected ':' after conversion specifier")
        i += 2
    if i < n:
        spec = text[i + 1 :]
    k = 0
    while k < len(name) and name[k] not in ".[":
        k += 1
    first = name[:k]
    if first == "":
        if count[0] is None:
            raise ValueError("cannot switch from manual field specification to automatic field numbering")
        first = count[0]
        count[0] += 1
    elif first.isdigit():
        if count[0]:
            raise ValueError("cannot switch from automatic field numbering to manual field specification")
        count[0] = None
        first = int(first)
    if type(first) is int:
        if first >= len(args):
            raise IndexError("Replacement index %d out of range for positional args tuple" % first)
        x = args[first]
    else:
        if first not in more:
            raise KeyError(first)
        x = more[first]
    while k < len(name):
        if name[k] == ".":
            end = k + 1
            while end < len(name) and name[end] not in ".[":
                end += 1
            attribute = name[k + 1 : end]
            if not attribute:
                raise ValueError("Empty attribute in format string")
            x = _attribute(x, attribute)
            k = end
        else:
            end = name.find("]", k)
            key = name[k + 1 : end]
            if not key:
                raise ValueError("Empty attribute in format string")
            x = x[int(key) if key.isdigit() else key]
            k = end + 1
            if k < len(name) and name[k] not in ".[":
                raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
    if "{" in spec or "}" in spec:
        spec = _fields(spec, args, more, count, deep - 1)
    if conversion:
        if conversion == "r":
            x = _repr(x)
        elif conversion == "s":
            x = _str(x)
        elif conversion == "a":
            x = _ascii_of(x)
        else:
            raise ValueError("Unknown conversion specifier '%s'" % conversion)
    return _format(x, spec)


def _attribute(x, name):
    if type(x) in (int, bool, float) and name in ("real", "imag"):
        return x + 0 if name == "real" else type(x)(0)
    return getattr(x, name)


# s % x


def _percent(s, x):
    if not _isinstance(s, str):
        return s % x
    args = x if _isinstance(x, tuple) else (x,)
    named = not _isinstance(x, (tuple, str)) and hasattr(x, "__getitem__") or type(x) is dict
    at = 0
    out = []
    i = 0
    n = len(s)
    used = False
    while i < n:
        k = s.find("%", i)
        if k < 0:
            out.append(s[i:])
            break
        out.append(s[i:k])
        i = k + 1
        key = None
        if s[i : i + 1] == "(":
            end = s.find(")", i)
            if end < 0:
                raise ValueError("incomplete format key")
            if not named:
                raise TypeError("format requires a mapping")
            key = s[i + 1 : end]
            i = end + 1
            used = True
        left = plus = blank = whole = zero = False
        while i < n and s[i] in "-+ #0":
            c = s[i]
            left = left or c == "-"
            plus = plus or c == "+"
            blank = blank or c == " "
            whole = whole or c == "#"
            zero = zero or c == "0"
            i += 1
        width = 0
        if s[i : i + 1] == "*":
            width = _argument(args, at)
            at += 1
            i += 1
            if type(width) is not int:
                raise TypeError("* wants int")
            if width < 0:
                left, width = True, -width
        else:
            k = i
            while i < n and s[i].isdigit():
                i += 1
            width = int(s[k:i]) if i > k else 0
        precision = None
        if s[i : i + 1] == ".":
            i += 1
            if s[i : i + 1] == "*":
                precision = _argument(args, at)
                at += 1
                i += 1
            else:
                k = i
                while i < n and s[i].isdigit():
                    i += 1
                precision = int(s[k:i]) if i > k else 0
        while i < n and s[i] in "hlL":
            i += 1
        if i >= n:
            raise ValueError("incomplete format")
        kind = s[i]
        i += 1
        if kind == "%":
            out.append("%")
            continue
        if key is not None:
            value = x[key]
        else:
            value = _argument(args, at)
            at += 1
        if kind not in "sra" and type(value) not in (int, float, str):
            value = _plain(value)
        if kind in "sra":
            text = _str(value) if kind == "s" else _repr(value) if kind == "r" else _ascii_of(value)
            if precision is not None:
                text = text[:precision]
            sign = ""
        elif kind in "diouxX":
            sign, text = _whole(value, kind, precision, whole)
        elif kind in "eEfFgG":
            if type(value) not in (int, float, bool) and not hasattr(value, "__float__"):
                raise TypeError("must be real number, not " + type(value).__name__)
            value = _to_float(value) if type(value) is int else float(value)
            sign = "-" if _negative(value) else ""
            if value != value or value - value != 0:
                text = "nan" if value != value else "inf"
                zero = False
            else:
                text = "".join(_digits_of(value, kind, 6 if precision is None else precision, whole))
        elif kind == "c":
            if _isinstance(value, str):
                if len(value) != 1:
                    raise TypeError("%c requires int or char")
                text = value
            else:
                text = chr(value)
            sign = ""
        else:
            raise ValueError("unsupported format character '%s' (0x%x) at index %d" % (kind, ord(kind), i - 1))
        if kind in "diouxXeEfFgG":
            if not sign and (plus or blank):
                sign = "+" if plus else " "
            prefix = ""
            if whole and kind in "oxX":
                prefix = "0" + kind
            if zero and not left:
                text = "0" * (width - len(sign) - len(prefix) - len(text)) + text
            text = sign + prefix + text
        out.append(_padded(text, " ", "<" if left else ">", width))
    if not named and at < len(args) and not (used and named):
        raise TypeError("not all arguments converted during string formatting")
    return "".join(out)


def _argument(args, at):
    if at >= len(args):
        raise TypeError("not enough arguments for format string")
    return args[at]


def _whole(value, kind, precision, whole):
    if kind in "diu":
        if type(value) not in (int, bool, float) and not hasattr(value, "__int__") and not hasattr(value, "__index__"):
            raise TypeError("%%%s format: a real number is required, not %s" % (kind, type(value).__name__))
        if type(value) is float and value - value != 0:
            if value != value:
                raise ValueError("cannot convert float NaN to integer")
            raise OverflowError("cannot convert float infinity to integer")
        value = int(value)
    elif type(value) not in (int, bool):
        raise TypeError("%%%s format: an integer is required, not %s" % (kind, type(value).__name__))
    sign = "-" if value < 0 else ""
    value = abs(value + 0)
    if kind in "xX":
        text = hex(value)[2:]
        if kind == "X":
            text = text.upper()
    elif kind == "o":
        text = oct(value)[2:]
    else:
        text = _native_str(value)
    if precision is not None:
        text = "0" * (precision - len(text)) + text
    return sign, text


# Methods of str. The first argument may be anything that has a method of that name.


def _lettered(name):
    def call(s, *args, **more):
        if not _isinstance(s, str):
            return getattr(s, name)(*args, **more)
        if args or more:
            raise TypeError("str.%s() takes no arguments (%d given)" % (name, len(args) + len(more)))
        return _host.text(name, s)

    return call


def _upper(s, *args, **more):
    if not _isinstance(s, str) or args or more or _ascii(s):
        return s.upper(*args, **more)
    return _host.text("upper", s)


def _lower(s, *args, **more):
    if not _isinstance(s, str) or args or more or _ascii(s):
        return s.lower(*args, **more)
    return _host.text("lower", s)


def _strip(s, *args, **more):
    if not _isinstance(s, str) or args or more or _ascii(s):
        return s.strip(*args, **more)
    return _host.text("strip", s)


def _split(s, sep=None, maxsplit=-1, *more, **named):
    if not _isinstance(s, str):
        if named or more:
            return s.split(sep, maxsplit, *more, **named)
        return s.split() if sep is None and maxsplit == -1 else s.split(sep) if maxsplit == -1 else s.split(sep, maxsplit)
    if more or named:
        raise TypeError("split() takes at most 2 arguments")
    if sep is None and not _ascii(s):
        s = "".join([" " if ord(c) > 127 and c.isspace() else c for c in s])
    return s.split(sep, maxsplit) if sep is not None or maxsplit >= 0 else s.split()


def _rsplit(s, sep=None, maxsplit=-1):
    if not _isinstance(s, str):
        return s.rsplit(sep, maxsplit)
    if sep is not None:
        return s.rsplit(sep, maxsplit)
    words = s.split()
    if maxsplit < 0 or len(words) <= maxsplit:
        return words
    s = s.rstrip()
    out = []
    while maxsplit > 0 and s:
        k = len(s)
        while k > 0 and not s[k - 1].isspace():
            k -= 1
        out.append(s[k:])
        s = s[:k].rstrip()
        maxsplit -= 1
    if s:
        out.append(s)
    out.reverse()
    return out


def _splitlines(s, keepends=False):
    if not _isinstance(s, str):
        return s.splitlines(keepends)
    out = []
    start = i = 0
    n = len(s)
    while i < n:
        c = s[i]
        if c in "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029":
            end = i
            i += 2 if c == "\r" and s[i + 1 : i + 2] == "\n" else 1
            out.append(s[start : i if keepends else end])
            start = i
        else:
            i += 1
    if start < n:
        out.append(s[start:])
    return out


def _replace(s, *args, **more):
    if not _isinstance(s, str) or len(args) < 2 or args[0] != "" or _ascii(s):
        return s.replace(*args, **more)
    new = args[1]
    count = args[2] if len(args) > 2 else -1
    letters = [c for c in s]
    most = len(letters) + 1 if count < 0 else count
    out = []
    for i, c in enumerate(letters):
        if i < most:
            out.append(new)
        out.append(c)
    if len(letters) < most:
        out.append(new)
    return "".join(out)


def _sized(s, n, c, name):
    if not _isinstance(c, str) or len(c) != 1:
        raise TypeError("The fill character must be exactly one character long")
    return n - len(s)


def _ljust(s, n, c=" "):
    return s + c * _sized(s, n, c, "ljust") if hasattr(s, "encode") else s.ljust(n, c)


def _rjust(s, n, c=" "):
    return c * _sized(s, n, c, "rjust") + s if hasattr(s, "encode") else s.rjust(n, c)


def _center(s, n, c=" "):
    if not hasattr(s, "encode"):
        return s.center(n, c)
    k = max(_sized(s, n, c, "center"), 0)
    left = k // 2 + (k & n & 1)
    return c * left + s + c * (k - left)


def _zfill(s, n):
    if not _isinstance(s, str):
        return s.zfill(n)
    if s[:1] in ("-", "+"):
        return s[0] + "0" * (n - len(s)) + s[1:]
    return "0" * (n - len(s)) + s


def _removeprefix(s, prefix):
    if not _isinstance(s, str):
        return s.removeprefix(prefix)
    return s[len(prefix) :] if s.startswith(prefix) else s[:]


def _removesuffix(s, suffix):
    if not _isinstance(s, str):
        return s.removesuffix(suffix)
    return s[: len(s) - len(suffix)] if suffix and s.endswith(suffix) else s[:]


def _expandtabs(s, tabsize=8):
    if not _isinstance(s, str):
        return s.expandtabs(tabsize)
    out = []
    column = 0
    for c in s:
        if c == "\t":
            k = tabsize - column % tabsize if tabsize > 0 else 0
            out.append(" " * k)
            column += k
        else:
            out.append(c)
            column = 0 if c in "\n\r" else column + 1
    return "".join(out)


def _translate(s, table):
    if not _isinstance(s, str):
        return s.translate(table)
    out = []
    for c in s:
        try:
            to = table[ord(c)]
        except LookupError:
            to = c
        if to is not None:
            out.append(chr(to) if type(to) is int else to)
    return "".join(out)


def _maketrans(x, y=None, z=None):
    if y is None:
        return {ord(k) if type(k) is str else k: v for k, v in x.items()}
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    table = _ordered()
    for a, b in zip(x, y):
        table[ord(a)] = ord(b)
    for c in z or "":
        table[ord(c)] = None
    return table


_codecs = {"utf-8": None, "utf8": None, "ascii": 128, "us-ascii": 128, "latin-1": 256, "latin1": 256, "iso-8859-1": 256}


def _codec(name):
    name = name.lower().replace("_", "-")
    if name not in _codecs:
        raise LookupError("the encoding %s is not here; there are utf-8, ascii and latin-1" % name)
    return _codecs[name]


def _encode(s, encoding="utf-8", errors="strict"):
    if not _isinstance(s, str):
        return s.encode(encoding, errors)
    most = _codec(encoding)
    if most is None:
        return s.encode()
    out = []
    for c in s:
        k = ord(c)
        if k < most:
            out.append(k)
        elif errors == "replace":
            out.append(63)
        elif errors != "ignore":
            raise UnicodeEncodeError(
                "'%s' codec can't encode character %s: ordinal not in range(%d)" % (encoding, _quoted(c, True), most)
            )
    return bytes(out)


def _decode(b, encoding="utf-8", errors="strict"):
    if not _isinstance(b, (bytes, bytearray)):
        return b.decode(encoding, errors)
    most = _codec(encoding)
    if most is None:
        try:
            return b.decode()
        except UnicodeError:
            if errors != "strict":
                raise NotImplementedError("errors=%r of decode is not here" % errors)
            raise UnicodeDecodeError("'utf-8' codec can't decode the bytes")
    for k in b:
        if k >= most:
            raise UnicodeDecodeError("'%s' codec can't decode byte 0x%02x" % (encoding, k))
    return "".join([chr(k) for k in b])


class UnicodeEncodeError(UnicodeError):
    pass


class UnicodeDecodeError(UnicodeError):
    pass


def _isascii(s):
    return _ascii(s) if _isinstance(s, str) else s.isascii()


def _partition(s, sep):
    return s.partition(sep)

