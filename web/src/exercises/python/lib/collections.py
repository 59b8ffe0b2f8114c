from ucollections import OrderedDict, deque, namedtuple


class defaultdict(OrderedDict):
    def __init__(self, factory=None, *args, **more):
        super().__init__(*args, **more)
        self.default_factory = factory

    def __getitem__(self, k):
        try:
            return super().__getitem__(k)
        except KeyError:
            if self.default_factory is None:
                raise
            v = self.default_factory()
            self[k] = v
            return v

    def __repr__(self):
        return "defaultdict(%r, %r)" % (self.default_factory, dict(self))


class Counter(OrderedDict):
    def __init__(self, xs=(), **more):
        super().__init__()
        self.update(xs, **more)

    def __getitem__(self, k):
        return self.get(k, 0)

    def update(self, xs=(), **more):
        for k, n in xs.items() if hasattr(xs, "items") else [(x, 1) for x in xs]:
            self[k] = self.get(k, 0) + n
        for k, n in more.items():
            self[k] = self.get(k, 0) + n

    def most_common(self, n=None):
        # Entries with equal counts keep the order in which they were added.
        order = sorted(enumerate(self.items()), key=lambda e: (-e[1][1], e[0]))
        rows = [e[1] for e in order]
        return rows if n is None else rows[:n]

    def total(self):
        return sum(self.values())

    def elements(self):
        for k, n in self.items():
            for _ in range(n):
                yield k

    def __repr__(self):
        return "Counter({%s})" % ", ".join(["%r: %r" % e for e in self.most_common()])
