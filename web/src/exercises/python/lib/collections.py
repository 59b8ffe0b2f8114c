import ucollections
from _text import _ordered, _repr


def _pairs(d):
    return [(k, d[k]) for k in d]


class OrderedDict(ucollections.OrderedDict):
    def __init__(self, *args, **more):
        super().__init__()
        for part in args:
            for k, v in part.items() if hasattr(part, "items") else part:
                self[k] = v
        for k, v in more.items():
            self[k] = v

    def move_to_end(self, key, last=True):
        v = self.pop(key)
        if last:
            self[key] = v
            return
        rest = list(self.items())
        self.clear()
        self[key] = v
        for k, x in rest:
            self[k] = x

    def popitem(self, last=True):
        if not len(self):
            raise KeyError("dictionary is empty")
        k = list(self)[-1 if last else 0]
        return k, self.pop(k)

    def copy(self):
        return type(self)(self)

    def __eq__(self, o):
        if isinstance(o, OrderedDict):
            return list(self.items()) == list(o.items())
        return _same(self, o)

    _attn_closed = "..."

    def _attn_repr_in(self, show):
        return "OrderedDict(%s)" % ("" if not len(self) else show(list(self.items())))

    def __repr__(self):
        return _repr(self)


def _same(a, b):
    if not isinstance(b, dict) or len(a) != len(b):
        return False
    for k in a:
        if k not in b or dict.__getitem__(b, k) != a[k]:
            return False
    return True


def _plain(d):
    p = _ordered()
    for k, v in d.items():
        p[k] = v
    return p


class defaultdict(ucollections.OrderedDict):
    def __init__(self, default_factory=None, *args, **more):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__()
        self.default_factory = default_factory
        for part in args:
            for k, v in part.items() if hasattr(part, "items") else part:
                self[k] = v
        for k, v in more.items():
            self[k] = v

    def __getitem__(self, k):
        try:
            return super().__getitem__(k)
        except KeyError:
            if self.default_factory is None:
                raise
            v = self.default_factory()
            self[k] = v
            return v

    def copy(self):
        return defaultdict(self.default_factory, self)

    def __eq__(self, o):
        return _same(self, o)

    _attn_closed = "defaultdict(...)"

    def _attn_repr_in(self, show):
        return "defaultdict(%s, %s)" % (show(self.default_factory), show(_plain(self)))

    def __repr__(self):
        return _repr(self)

    def _attn_copied(self, each):
        return defaultdict(self.default_factory, [(each(k), each(v)) for k, v in self.items()])


class Counter(ucollections.OrderedDict):
    def __init__(self, iterable=None, **more):
        super().__init__()
        self.update(iterable, **more)

    def __getitem__(self, k):
        return self.get(k, 0)

    def update(self, iterable=None, **more):
        for k, n in _counts(iterable, more):
            self[k] = self.get(k, 0) + n

    def subtract(self, iterable=None, **more):
        for k, n in _counts(iterable, more):
            self[k] = self.get(k, 0) - n

    def most_common(self, n=None):
        # Entries with equal counts keep the order in which they were added.
        rows = sorted(self.items(), key=lambda e: e[1], reverse=True)
        return rows if n is None else rows[: max(n, 0)]

    def total(self):
        return sum(self.values())

    def elements(self):
        for k, n in self.items():
            for _ in range(n):
                yield k

    def copy(self):
        return Counter(self)

    def __delitem__(self, k):
        if k in self:
            self.pop(k)

    def _of(self, rows):
        r = Counter()
        for k, n in rows:
            if n > 0:
                r[k] = n
        return r

    def _both(self, o):
        return list(self) + [k for k in o if k not in self]

    def __add__(self, o):
        return self._of([(k, self[k] + o[k]) for k in self._both(o)])

    def __sub__(self, o):
        return self._of([(k, self[k] - o[k]) for k in self._both(o)])

    def __and__(self, o):
        return self._of([(k, min(self[k], o[k])) for k in self])

    def __or__(self, o):
        return self._of([(k, max(self[k], o[k])) for k in self._both(o)])

    def __pos__(self):
        return self._of(list(self.items()))

    def __neg__(self):
        return self._of([(k, -n) for k, n in self.items()])

    def __eq__(self, o):
        if not isinstance(o, Counter):
            return _same(self, o)
        return all([self[k] == o[k] for k in self._both(o)])

    def __le__(self, o):
        return all([self[k] <= o[k] for k in self._both(o)])

    def __ge__(self, o):
        return all([self[k] >= o[k] for k in self._both(o)])

    def __lt__(self, o):
        return self <= o and not self == o

    def __gt__(self, o):
        return self >= o and not self == o

    def __iadd__(self, o):
        for k, n in o.items():
            self[k] = self[k] + n
        return self._kept()

    def __isub__(self, o):
        for k, n in o.items():
            self[k] = self[k] - n
        return self._kept()

    def _kept(self):
        for k in [k for k, n in self.items() if n <= 0]:
            self.pop(k)
        return self

    _attn_closed = "Counter(...)"

    def _attn_repr_in(self, show):
        if not len(self):
            return "Counter()"
        d = _ordered()
        for k, n in self.most_common():
            d[k] = n
        return "Counter(%s)" % show(d)

    def __repr__(self):
        return _repr(self)

    def _attn_copied(self, each):
        return Counter(self)


def _counts(iterable, more):
    if iterable is None:
        rows = []
    elif hasattr(iterable, "items"):
        rows = list(iterable.items())
    else:
        rows = [(x, 1) for x in iterable]
    return rows + list(more.items())


class deque:
    # A list whose first entries may be free; they are given back when they are the larger half.
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self._xs = []
        self._from = 0
        self._most = maxlen
        self.extend(iterable)

    @property
    def maxlen(self):
        return self._most

    def _row(self):
        return self._xs[self._from :]

    def _set(self, row):
        self._xs = row
        self._from = 0

    def append(self, x):
        self._xs.append(x)
        if self._most is not None and len(self) > self._most:
            self.popleft()

    def appendleft(self, x):
        if self._from == 0:
            free = len(self._xs) + 8
            self._xs = [None] * free + self._xs
            self._from = free
        self._from -= 1
        self._xs[self._from] = x
        if self._most is not None and len(self) > self._most:
            self._xs.pop()

    def pop(self):
        if len(self._xs) == self._from:
            raise IndexError("pop from an empty deque")
        return self._xs.pop()

    def popleft(self):
        k = self._from
        if len(self._xs) == k:
            raise IndexError("pop from an empty deque")
        x = self._xs[k]
        self._xs[k] = None
        self._from = k + 1
        if k > 32 and 2 * k > len(self._xs):
            self._set(self._row())
        return x

    def extend(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def clear(self):
        self._set([])

    def copy(self):
        return deque(self._row(), self._most)

    def count(self, x):
        return self._row().count(x)

    def index(self, x, *places):
        row = self._row()
        if x not in row:
            raise ValueError("%s is not in deque" % _repr(x))
        return row.index(x, *places)

    def insert(self, i, x):
        if self._most is not None and len(self) >= self._most:
            raise IndexError("deque already at its maximum size")
        row = self._row()
        row.insert(i, x)
        self._set(row)

    def remove(self, x):
        row = self._row()
        if x not in row:
            raise ValueError("deque.remove(x): x not in deque")
        row.remove(x)
        self._set(row)

    def reverse(self):
        row = self._row()
        row.reverse()
        self._set(row)

    def rotate(self, n=1):
        row = self._row()
        if row:
            n %= len(row)
            self._set(row[-n:] + row[:-n] if n else row)

    def _place(self, i):
        if type(i) is not int:
            raise TypeError("sequence index must be integer, not '%s'" % type(i).__name__)
        n = len(self)
        if not -n <= i < n:
            raise IndexError("deque index out of range")
        return self._from + (i if i >= 0 else i + n)

    def __getitem__(self, i):
        return self._xs[self._place(i)]

    def __setitem__(self, i, x):
        self._xs[self._place(i)] = x

    def __delitem__(self, i):
        row = self._row()
        self._place(i)
        del row[i]
        self._set(row)

    def __len__(self):
        return len(self._xs) - self._from

    def __bool__(self):
        return len(self._xs) > self._from

    def __iter__(self):
        n = len(self)
        for i in range(n):
            if len(self) != n:
                raise RuntimeError("deque mutated during iteration")
            yield self._xs[self._from + i]

    def __reversed__(self):
        return iter(self._row()[::-1])

    def __contains__(self, x):
        return x in self._row()

    def __add__(self, o):
        return deque(self._row() + list(o), self._most)

    def __iadd__(self, o):
        self.extend(o)
        return self

    def __mul__(self, n):
        return deque(self._row() * n, self._most)

    def __eq__(self, o):
        return type(o) is deque and self._row() == o._row()

    def __lt__(self, o):
        return self._row() < o._row()

    __hash__ = None
    _attn_closed = "[...]"

    def _attn_repr_in(self, show):
        return "deque(%s%s)" % (show(self._row()), "" if self._most is None else ", maxlen=%d" % self._most)

    def __repr__(self):
        return _repr(self)

    def _attn_copied(self, each):
        return deque([each(x) for x in self._row()], self._most)


def namedtuple(typename, field_names, *, rename=False, defaults=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(field_names)
    for n in names:
        if rename:
            raise NotImplementedError("namedtuple(rename=True) is not here")
        if n[:1] == "_" or not n[:1].isalpha():
            raise ValueError("Field names cannot start with an underscore or a number: %s" % _repr(n))
    if len(set(names)) < len(names):
        raise ValueError("Encountered duplicate field name")
    given = tuple(defaults or ())
    if len(given) > len(names):
        raise TypeError("Got more default values than field names")
    places = _ordered()
    for n, v in zip(names[len(names) - len(given) :], given):
        places[n] = v
    return _made(typename, names, places)


def _getter(i):
    return property(lambda self: self[i])


def _made(typename, names, places):
    def changed(self, **more):
        row = [more.pop(n) if n in more else self[i] for i, n in enumerate(names)]
        if more:
            raise ValueError("Got unexpected field names: %s" % _repr(list(more)))
        return type(self)(*row)

    def as_dict(self):
        d = _ordered()
        for i, n in enumerate(names):
            d[n] = self[i]
        return d

    def constant(self, name, value):
        if name in names:
            raise AttributeError("can't set attribute")
        object.__setattr__(self, name, value)

    body = {
        "__setattr__": constant,
        "_fields": names,
        "_field_defaults": places,
        "_replace": changed,
        "_asdict": as_dict,
        "_make": classmethod(lambda cls, row: cls(*row)),
    }
    for i, n in enumerate(names):
        body[n] = _getter(i)
    made = type(typename, (ucollections.namedtuple(typename, names),), body)
    return _WithDefaults(made, names, places) if places else made


class _WithDefaults:
    # Calls a namedtuple with the values that are left out.
    def __init__(self, made, names, places):
        self._made = made
        self._fields = names
        self._field_defaults = places
        self._make = made._make
        self.__name__ = made.__name__

    def __call__(self, *args, **more):
        for n in self._fields[len(args) :]:
            if n not in more and n in self._field_defaults:
                more[n] = self._field_defaults[n]
        return self._made(*args, **more)
