# The module json. Floats and texts are written as CPython writes them.
import _host
from _text import _ordered


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc="", pos=0):
        line = doc.count("\n", 0, pos) + 1 if doc else 1
        column = pos - doc.rfind("\n", 0, pos) if doc else pos + 1
        super().__init__("%s: line %d column %d (char %d)" % (msg, line, column, pos))
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, line, column


_escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x08": "\\b", "\x0c": "\\f"}


def _text(s, ascii):
    out = ['"']
    for c in s:
        k = ord(c)
        if c in _escapes:
            out.append(_escapes[c])
        elif k < 32 or (ascii and 127 < k < 65536):
            out.append("\\u%04x" % k)
        elif ascii and k >= 65536:
            k -= 65536
            out.append("\\u%04x\\u%04x" % (0xD800 + (k >> 10), 0xDC00 + (k & 1023)))
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def _number(x, allow):
    if x - x != 0:
        if not allow:
            raise ValueError("Out of range float values are not JSON compliant")
        return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"
    return _host.real(x)


class _Writer:
    def __init__(self, ascii, allow, indent, separators, default, order, skip):
        self.ascii, self.allow, self.default, self.order, self.skip = ascii, allow, default, order, skip
        self.indent = " " * indent if type(indent) is int else indent
        self.item, self.colon = separators or ("," if indent is not None else ", ", ": ")

    def key(self, k):
        if isinstance(k, str):
            return k
        if k is None or k is True or k is False:
            return {None: "null", True: "true", False: "false"}[k]
        if type(k) is int:
            return str(k)
        if type(k) is float:
            return _number(k, self.allow)
        if self.skip:
            return None
        raise TypeError("keys must be str, int, float, bool or None, not " + type(k).__name__)

    def write(self, x, depth, open):
        t = type(x)
        if x is None:
            return "null"
        if t is bool:
            return "true" if x else "false"
        if t is int:
            return str(x)
        if t is float:
            return _number(x, self.allow)
        if isinstance(x, str):
            return _text(x, self.ascii)
        if id(x) in open:
            raise ValueError("Circular reference detected")
        open = open + (id(x),)
        pad = "" if self.indent is None else "\n" + self.indent * (depth + 1)
        end = "" if self.indent is None else "\n" + self.indent * depth
        if isinstance(x, (list, tuple)):
            if not x:
                return "[]"
            return "[" + pad + (self.item + pad).join([self.write(v, depth + 1, open) for v in x]) + end + "]"
        if isinstance(x, dict):
            rows = [(self.key(k), v) for k, v in (sorted(x.items()) if self.order else x.items())]
            rows = [(k, v) for k, v in rows if k is not None]
            if not rows:
                return "{}"
            return (
                "{"
                + pad
                + (self.item + pad).join([_text(k, self.ascii) + self.colon + self.write(v, depth + 1, open) for k, v in rows])
                + end
                + "}"
            )
        if self.default is None:
            raise TypeError("Object of type %s is not JSON serializable" % t.__name__)
        return self.write(self.default(x), depth, open)


def dumps(
    obj, *, skipkeys=False, ensure_ascii=True, allow_nan=True, indent=None, separators=None, default=None, sort_keys=False
):
    return _Writer(ensure_ascii, allow_nan, indent, separators, default, sort_keys, skipkeys).write(obj, 0, ())


def dump(obj, fp, **more):
    fp.write(dumps(obj, **more))


def loads(s):
    if not isinstance(s, str):
        s = s.decode()
    x, i = _value(s, _blank(s, 0))
    i = _blank(s, i)
    if i < len(s):
        raise JSONDecodeError("Extra data", s, i)
    return x


def load(fp):
    return loads(fp.read())


def _blank(s, i):
    while i < len(s) and s[i] in " \t\n\r":
        i += 1
    return i


_words = {"null": None, "true": True, "false": False, "NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_back = {"n": "\n", "t": "\t", "r": "\r", "b": "\x08", "f": "\x0c", "/": "/", "\\": "\\", '"': '"'}


def _string(s, i):
    start = i
    out = []
    i += 1
    while True:
        k = i
        while k < len(s) and s[k] not in '"\\' and s[k] >= " ":
            k += 1
        out.append(s[i:k])
        if k >= len(s):
            raise JSONDecodeError("Unterminated string starting at", s, start)
        c = s[k]
        if c == '"':
            return "".join(out), k + 1
        if c != "\\":
            raise JSONDecodeError("Invalid control character at", s, k)
        e = s[k + 1 : k + 2]
        i = k + 2
        if e == "u":
            code = _four(s, i)
            i += 4
            if 0xD800 <= code < 0xDC00 and s[i : i + 2] == "\\u":
                low = _four(s, i + 2)
                if 0xDC00 <= low < 0xE000:
                    code = 65536 + ((code - 0xD800) << 10) + low - 0xDC00
                    i += 6
            out.append(chr(code))
        elif e in _back and e:
            out.append(_back[e])
        else:
            raise JSONDecodeError("Invalid \\escape", s, k)


def _four(s, i):
    try:
        return int(s[i : i + 4], 16)
    except ValueError:
        raise JSONDecodeError("Invalid \\uXXXX escape", s, i)


def _value(s, i):
    c = s[i : i + 1]
    if c == '"':
        return _string(s, i)
    if c == "{":
        d = _ordered()
        i = _blank(s, i + 1)
        if s[i : i + 1] == "}":
            return d, i + 1
        while True:
            if s[i : i + 1] != '"':
                raise JSONDecodeError("Expecting property name enclosed in double quotes", s, i)
            k, i = _string(s, i)
            i = _blank(s, i)
            if s[i : i + 1] != ":":
                raise JSONDecodeError("Expecting ':' delimiter", s, i)
            d[k], i = _value(s, _blank(s, i + 1))
            i = _blank(s, i)
            if s[i : i + 1] == "}":
                return d, i + 1
            if s[i : i + 1] != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i = _blank(s, i + 1)
    if c == "[":
        xs = []
        i = _blank(s, i + 1)
        if s[i : i + 1] == "]":
            return xs, i + 1
        while True:
            x, i = _value(s, i)
            xs.append(x)
            i = _blank(s, i)
            if s[i : i + 1] == "]":
                return xs, i + 1
            if s[i : i + 1] != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i = _blank(s, i + 1)
    for word in _words:
        if s[i : i + len(word)] == word:
            return _words[word], i + len(word)
    k = i
    while k < len(s) and s[k] in "+-0123456789.eE":
        k += 1
    text = s[i:k]
    body = text[1:] if text[:1] == "-" else text
    if body and body[0].isdigit() and not (body[0] == "0" and body[1:2].isdigit()):
        try:
            return (float(text) if any([c in text for c in ".eE"]) else int(text)), k
        except ValueError:
            pass
    raise JSONDecodeError("Expecting value", s, i)
