def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(xs):
    kept = list(xs)
    while kept:
        for x in kept:
            yield x


def repeat(x, times=None):
    if times is None:
        while True:
            yield x
    for _ in range(times):
        yield x


def chain(*parts):
    for p in parts:
        for x in p:
            yield x


def _from_iterable(parts):
    for p in parts:
        for x in p:
            yield x


class _Chain:
    def __call__(self, *parts):
        return _from_iterable(parts)

    def from_iterable(self, parts):
        return _from_iterable(parts)


chain = _Chain()


def islice(xs, start, *rest):
    stop, step = (rest + (1,))[:2] if rest else (start, 1)
    start = 0 if not rest or start is None else start
    step = 1 if step is None else step
    for n in (start, stop):
        if n is not None and (type(n) is not int or n < 0):
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(xs), start, stop, step)


def _islice(it, start, stop, step):
    # No more is taken than is given.
    i = 0
    at = start
    while stop is None or i < stop:
        if stop is not None and at >= stop:
            # What lies before the end is passed over.
            for _ in range(stop - i):
                next(it, None)
            return
        try:
            x = next(it)
        except StopIteration:
            return
        if i == at:
            yield x
            at += step
        i += 1


def accumulate(xs, f=None, initial=None):
    total = initial
    first = initial is None
    if not first:
        yield total
    for x in xs:
        if first:
            total = x
            first = False
        else:
            total = f(total, x) if f else total + x
        yield total


def product(*parts, repeat=1):
    pools = [tuple(p) for p in parts] * repeat
    rows = [()]
    for pool in pools:
        rows = [r + (x,) for r in rows for x in pool]
    return iter(rows)


def permutations(xs, r=None):
    pool = list(xs)
    r = len(pool) if r is None else r

    def walk(left, k):
        if k == 0:
            yield ()
            return
        for i in range(len(left)):
            for rest in walk(left[:i] + left[i + 1 :], k - 1):
                yield (left[i],) + rest

    return walk(pool, r)


def combinations(xs, r):
    pool = list(xs)

    def walk(start, k):
        if k == 0:
            yield ()
            return
        for i in range(start, len(pool) - k + 1):
            for rest in walk(i + 1, k - 1):
                yield (pool[i],) + rest

    return walk(0, r)


def combinations_with_replacement(xs, r):
    pool = list(xs)

    def walk(start, k):
        if k == 0:
            yield ()
            return
        for i in range(start, len(pool)):
            for rest in walk(i, k - 1):
                yield (pool[i],) + rest

    return walk(0, r)


def zip_longest(*parts, fillvalue=None):
    parts = [list(p) for p in parts]
    for i in range(max([len(p) for p in parts]) if parts else 0):
        yield tuple([p[i] if i < len(p) else fillvalue for p in parts])


def starmap(f, xs):
    for x in xs:
        yield f(*x)


def takewhile(f, xs):
    for x in xs:
        if not f(x):
            return
        yield x


def dropwhile(f, xs):
    go = False
    for x in xs:
        if go or not f(x):
            go = True
            yield x


def filterfalse(f, xs):
    for x in xs:
        if not (f(x) if f else x):
            yield x


def pairwise(xs):
    before = None
    first = True
    for x in xs:
        if not first:
            yield before, x
        before, first = x, False


def groupby(xs, key=None):
    group = []
    name = None
    for x in xs:
        k = key(x) if key else x
        if group and k != name:
            yield name, iter(group)
            group = []
        name = k
        group.append(x)
    if group:
        yield name, iter(group)


def compress(xs, keep):
    for x, k in zip(xs, keep):
        if k:
            yield x


def tee(xs, n=2):
    kept = list(xs)
    return tuple([iter(kept) for _ in range(n)])
