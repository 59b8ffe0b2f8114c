# The module re on JavaScript's regular expressions (text-host.ts). A pattern is translated sign by sign; what has no
# counterpart raises an error that names it.
import _host
from _text import _repr

A = ASCII = 256
I = IGNORECASE = 2
M = MULTILINE = 8
S = DOTALL = 16
X = VERBOSE = 64
U = UNICODE = 32
NOFLAG = 0


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        super().__init__(msg)
        self.msg = msg
        self.pattern = pattern
        self.pos = pos


class _Translation:
    def __init__(self, text, flags):
        self.text = text
        self.at = 0
        self.flags = flags
        self.names = {}
        self.groups = 0
        self.nested = False

    def peek(self, n=1):
        return self.text[self.at : self.at + n]

    def wrong(self, message):
        raise error("%s at position %d" % (message, self.at), self.text, self.at)

    def missing(self, what):
        raise NotImplementedError("%s in a regular expression is not here" % what)

    def run(self):
        self.leading()
        out = []
        depth = 0
        s = self.text
        while self.at < len(s):
            c = s[self.at]
            if self.flags & X and (c in " \t\n\r\f\v" or c == "#"):
                if c == "#":
                    while self.at < len(s) and s[self.at] != "\n":
                        self.at += 1
                else:
                    self.at += 1
                continue
            self.at += 1
            if c == "\\":
                out.append(self.escape(False))
            elif c == "[":
                out.append(self.choice())
            elif c == "(":
                group = self.group()
                if group is not None:
                    depth += 1
                    out.append(group)
            elif c == ")":
                if depth == 0:
                    self.at -= 1
                    self.wrong("unbalanced parenthesis")
                depth -= 1
                out.append(")")
            elif c == ".":
                out.append("[\\s\\S]" if self.flags & S else "[^\\n]")
            elif c == "^":
                out.append("(?<![^\\n])" if self.flags & M else "(?<![\\s\\S])")
            elif c == "$":
                out.append("(?=\\n|(?![\\s\\S]))" if self.flags & M else "(?=\\n?(?![\\s\\S]))")
            elif c in "*+?":
                if not out or out[-1] in ("(", "|", "(?:") or out[-1] == "^":
                    self.at -= 1
                    self.wrong("nothing to repeat")
                out.append(c + self.lazy())
            elif c == "{":
                out.append(self.times())
            elif c in "}]/":
                out.append("\\" + c)
            else:
                out.append(c)
        if depth:
            self.wrong("missing ), unterminated subpattern")
        return "".join(out)

    def leading(self):
        # (?i) and others at the beginning.
        while self.peek(2) == "(?":
            k = self.text.find(")", self.at)
            letters = self.text[self.at + 2 : k]
            if k < 0 or not letters or letters.strip("aiLmsux"):
                return
            for c in letters:
                self.flags |= {"a": A, "i": I, "m": M, "s": S, "u": 0, "x": X, "L": 0}[c]
            self.at = k + 1

    def lazy(self):
        if self.peek() == "?":
            self.at += 1
            return "?"
        if self.peek() == "+":
            self.missing("a possessive repetition such as `a++`")
        if self.peek() and self.peek() in "*":
            self.wrong("multiple repeat")
        return ""

    def times(self):
        k = self.text.find("}", self.at)
        body = self.text[self.at : k] if k > 0 else ""
        low, comma, high = body.partition(",")
        if k < 0 or not (low.isdigit() or (not low and comma)) or (high and not high.isdigit()) or not body.strip(","):
            return "\\{"
        if high and low and int(low) > int(high):
            self.wrong("min repeat greater than max repeat")
        self.at = k + 1
        return "{%s%s%s}%s" % (low or "0", comma, high, self.lazy())

    def group(self):
        # What stands behind an opening bracket.
        if self.peek() != "?":
            self.groups += 1
            return "("
        self.at += 1
        two = self.peek(2)
        if two[:1] in (":", "=", "!"):
            self.at += 1
            return "(?" + two[0]
        if two in ("<=", "<!"):
            self.at += 2
            return "(?" + two
        if two == "P<":
            self.at += 2
            k = self.text.find(">", self.at)
            name = self.text[self.at : k]
            if k < 0 or not name or not (name[0].isalpha() or name[0] == "_"):
                self.wrong("bad character in group name %s" % _repr(name))
            if name in self.names:
                self.wrong("redefinition of group name %s" % _repr(name))
            self.at = k + 1
            self.groups += 1
            self.names[name] = self.groups
            return "("
        if two == "P=":
            k = self.text.find(")", self.at)
            name = self.text[self.at + 2 : k]
            if name not in self.names:
                self.wrong("unknown group name %s" % _repr(name))
            # Its bracket is kept.
            self.at = k
            return "(?:\\%d" % self.names[name]
        if two[:1] == "#":
            k = self.text.find(")", self.at)
            if k < 0:
                self.wrong("missing ), unterminated comment")
            self.at = k + 1
            return None
        if two[:1] == ">":
            self.missing("an atomic group `(?>…)`")
        if two[:1] == "(":
            self.missing("a conditional group `(?(1)…)`")
        if two[:1] in "aiLmsux-":
            self.missing("a flag inside of the pattern, such as `(?i:…)`,")
        self.wrong("unknown extension ?" + two[:1])

    def letters(self, c):
        # \d, \w and \s as parts of a class in square brackets.
        if self.flags & A:
            return {"d": "0-9", "w": "a-zA-Z0-9_", "s": " \\t\\n\\r\\f\\v"}[c]
        return {"d": "\\p{Nd}", "w": "\\p{L}\\p{N}_", "s": "\\s\\x1c-\\x1f\\x85"}[c]

    def escape(self, inside):
        c = self.peek()
        if not c:
            self.wrong("bad escape (end of pattern)")
        self.at += 1
        if c in "dws":
            return self.letters(c) if inside else "[" + self.letters(c) + "]"
        if c in "DWS":
            if inside:
                if self.flags & A:
                    self.missing("`\\%s` in square brackets with re.ASCII" % c)
                if c == "W":
                    # A class in a class.
                    self.nested = True
                return {"D": "\\P{Nd}", "S": "\\S"}.get(c) or "[^\\p{L}\\p{N}_]"
            return "[^" + self.letters(c.lower()) + "]"
        if c in "nrtfv":
            return "\\" + c
        if c == "a":
            return "\\x07"
        if c in "xuU":
            n = {"x": 2, "u": 4, "U": 8}[c]
            digits = self.peek(n)
            if len(digits) < n:
                self.wrong("incomplete escape \\" + c + digits)
            self.at += n
            return "\\u{%s}" % digits
        if c == "0":
            return "\\x00"
        if not inside:
            if c == "b" or c == "B":
                w = "[" + self.letters("w") + "]"
                if c == "b":
                    return "(?:(?<=%s)(?!%s)|(?<!%s)(?=%s))" % (w, w, w, w)
                return "(?:(?<=%s)(?=%s)|(?<!%s)(?!%s))" % (w, w, w, w)
            if c == "A":
                return "(?<![\\s\\S])"
            if c == "Z":
                return "(?![\\s\\S])"
            if c.isdigit():
                if self.peek() and self.peek().isdigit():
                    c += self.peek()
                    self.at += 1
                if int(c) > self.groups:
                    self.wrong("invalid group reference " + c)
                return "(?:\\%s)" % c
        elif c == "b":
            return "\\x08"
        if "a" <= c.lower() <= "z":
            self.at -= 1
            self.wrong("bad escape \\" + c)
        return ("\\" + c) if c in "^$\\.*+?()[]{}|/-" else "\\u{%x}" % ord(c)

    def choice(self):
        out = ["["]
        if self.peek() == "^":
            out.append("^")
            self.at += 1
        first = True
        while True:
            c = self.peek()
            if not c:
                self.wrong("unterminated character set")
            self.at += 1
            if c == "]" and not first:
                out.append("]")
                return "".join(out)
            first = False
            if c == "\\":
                out.append(self.escape(True))
            elif c == "-":
                out.append("-" if self.range(out) else "\\-")
            elif c in "[]^&|/(){}.*+?$!#%,:;<=>@`~":
                out.append("\\x%02x" % ord(c))
            else:
                out.append(c)

    def range(self, out):
        # Whether a hyphen is between two signs.
        return out[-1] not in ("[", "^") and self.peek() != "]" and self.peek() != "" and out[-1][:2] not in ("\\p", "\\s")


class Pattern:
    def __init__(self, pattern, flags):
        if type(pattern) is bytes:
            raise NotImplementedError("regular expressions over bytes are not here; decode them first")
        if type(pattern) is not str:
            raise TypeError("first argument must be string or compiled pattern")
        made = _Translation(pattern, flags)
        source = made.run()
        number = _host.pattern(source, ("i" if made.flags & I else "") + ("v" if made.nested else "u"))
        if type(number) is str:
            raise error(number, pattern)
        self._number = number
        self.pattern = pattern
        self.flags = made.flags | U
        self.groups = made.groups
        self.groupindex = made.names

    def __repr__(self):
        names = [n for n, f in (("re.IGNORECASE", I), ("re.MULTILINE", M), ("re.DOTALL", S), ("re.VERBOSE", X)) if self.flags & f]
        return "re.compile(%s%s)" % (_repr(self.pattern), ", " + "|".join(names) if names else "")

    def __eq__(self, o):
        return type(o) is Pattern and (o.pattern, o.flags) == (self.pattern, self.flags)

    def __hash__(self):
        return hash(self.pattern)

    def _find(self, text, at, search, end=None):
        if not isinstance(text, str):
            raise TypeError("expected string or bytes-like object, got '%s'" % type(text).__name__)
        if "\0" in text:
            raise NotImplementedError("regular expressions over texts with \\0 are not here")
        part = text if end is None else text[:end]
        if at > len(part):
            return None
        told = _host.matched(self._number, part, at, search)
        return Match(self, text, told, at) if told else None

    def match(self, string, pos=0, endpos=None):
        return self._find(string, max(pos, 0), False, endpos)

    def search(self, string, pos=0, endpos=None):
        return self._find(string, max(pos, 0), True, endpos)

    def fullmatch(self, string, pos=0, endpos=None):
        if not hasattr(self, "_full"):
            self._full = Pattern("(?:%s)\\Z" % self.pattern if not self.pattern.startswith("(?") else self._whole(), self.flags)
        m = self._full._find(string, pos, False, endpos)
        if m:
            m.re = self
        return m

    def _whole(self):
        # Flags stand first.
        made = _Translation(self.pattern, 0)
        made.leading()
        return "(?:%s)\\Z" % self.pattern[made.at :]

    def finditer(self, string, pos=0, endpos=None):
        at = pos
        while True:
            m = self._find(string, at, True, endpos)
            if m is None:
                return
            yield m
            # An empty match may follow a match, but not at the same place twice.
            if m.end() == m.start():
                at = m.end() + 1
            else:
                at = m.end()

    def findall(self, string, pos=0, endpos=None):
        return [m._row() for m in self.finditer(string, pos, endpos)]

    def split(self, string, maxsplit=0):
        out = []
        last = 0
        for m in self.finditer(string):
            if maxsplit and len(out) and (len(out) // (self.groups + 1)) >= maxsplit:
                break
            out.append(string[last : m.start()])
            out.extend(m.groups())
            last = m.end()
        out.append(string[last:])
        return out

    def subn(self, repl, string, count=0):
        out = []
        last = 0
        n = 0
        parts = None if callable(repl) else self._template(repl)
        for m in self.finditer(string):
            if count and n >= count:
                break
            out.append(string[last : m.start()])
            out.append(repl(m) if parts is None else m._filled(parts))
            last = m.end()
            n += 1
        out.append(string[last:])
        return "".join(out), n

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def _template(self, text):
        # Splits a replacement into texts and numbers of groups.
        parts = []
        i = 0
        while i < len(text):
            k = text.find("\\", i)
            if k < 0:
                parts.append(text[i:])
                break
            parts.append(text[i:k])
            c = text[k + 1 : k + 2]
            i = k + 2
            if c == "g":
                end = text.find(">", i)
                name = text[i + 1 : end]
                if text[i : i + 1] != "<" or end < 0:
                    raise error("missing <", text, i)
                if name.isdigit():
                    parts.append(self._group(int(name)))
                elif name in self.groupindex:
                    parts.append(self.groupindex[name])
                else:
                    raise IndexError("unknown group name %s" % _repr(name))
                i = end + 1
            elif c == "0":
                parts.append("\0")
            elif c and c.isdigit():
                if text[i : i + 1].isdigit():
                    c += text[i]
                    i += 1
                parts.append(self._group(int(c)))
            elif c in ("n", "t", "r", "a", "f", "v"):
                parts.append({"n": "\n", "t": "\t", "r": "\r", "a": "\x07", "f": "\x0c", "v": "\x0b"}[c])
            elif c == "\\":
                parts.append("\\")
            elif c and ("a" <= c <= "z" or "A" <= c <= "Z"):
                raise error("bad escape \\%s at position %d" % (c, k), text, k)
            else:
                parts.append("\\" + c)
        return parts

    def _group(self, n):
        if n > self.groups:
            raise error("invalid group reference %d" % n)
        return n


class Match:
    def __init__(self, pattern, string, told, pos):
        numbers = [int(n) for n in told.split(" ")]
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = len(string)
        self._spans = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]

    def _at(self, g):
        if type(g) is str:
            if g not in self.re.groupindex:
                raise IndexError("no such group")
            return self.re.groupindex[g]
        if not 0 <= g < len(self._spans):
            raise IndexError("no such group")
        return g

    def _text(self, g, default=None):
        a, b = self._spans[self._at(g)]
        return default if a < 0 else self.string[a:b]

    def group(self, *gs):
        if not gs:
            return self._text(0)
        if len(gs) == 1:
            return self._text(gs[0])
        return tuple([self._text(g) for g in gs])

    def __getitem__(self, g):
        return self._text(g)

    def groups(self, default=None):
        return tuple([self._text(g, default) for g in range(1, len(self._spans))])

    def groupdict(self, default=None):
        d = __attn_d()
        for name, g in sorted(self.re.groupindex.items(), key=lambda e: e[1]):
            d[name] = self._text(g, default)
        return d

    def span(self, g=0):
        return self._spans[self._at(g)]

    def start(self, g=0):
        return self._spans[self._at(g)][0]

    def end(self, g=0):
        return self._spans[self._at(g)][1]

    @property
    def lastindex(self):
        most = [g for g in range(1, len(self._spans)) if self._spans[g][0] >= 0]
        return most[-1] if most else None

    def expand(self, template):
        return self._filled(self.re._template(template))

    def _row(self):
        groups = self.groups("")
        return self._text(0) if not groups else groups[0] if len(groups) == 1 else groups

    def _filled(self, parts):
        return "".join([p if type(p) is str else self._text(p, "") for p in parts])

    def __repr__(self):
        return "<re.Match object; span=%s, match=%s>" % (_repr(self.span()), _repr(self._text(0)))


_known = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    key = (pattern, flags)
    if key not in _known:
        _known[key] = Pattern(pattern, flags)
    return _known[key]


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    return "".join(["\\" + c if c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else c for c in pattern])


def purge():
    _known.clear()
