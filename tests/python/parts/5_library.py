part("itertools")
expressions("""
list(itertools.chain([1], 'ab')), list(itertools.chain.from_iterable([[1], [2]])), list(itertools.islice(range(10), 2, 8, 3)), list(itertools.islice('abc', 2)), list(itertools.islice(itertools.count(5), 3))
list(itertools.islice(itertools.count(1, 0.5), 3)), list(itertools.islice(itertools.cycle('ab'), 5)), list(itertools.repeat(7, 3)), list(itertools.islice(itertools.repeat('x'), 2))
list(itertools.accumulate([1, 2, 3])), list(itertools.accumulate([3, 1, 2], max)), list(itertools.accumulate([1, 2], initial=10)), list(itertools.accumulate([1, 2, 3], lambda a, b: a * b)), list(itertools.accumulate([]))
list(itertools.product('ab', [1, 2])), list(itertools.product([0, 1], repeat=2)), list(itertools.product()), list(itertools.product([], [1]))
list(itertools.permutations('abc')), list(itertools.permutations([1, 2, 3], 2)), list(itertools.permutations([1], 2)), list(itertools.permutations([]))
list(itertools.combinations('abcd', 2)), list(itertools.combinations([1, 2], 3)), list(itertools.combinations([1, 2], 0)), list(itertools.combinations_with_replacement('ab', 2))
list(itertools.zip_longest([1, 2], 'a')), list(itertools.zip_longest([1], [2, 3], fillvalue=0)), list(itertools.zip_longest())
list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.filterfalse(lambda x: x % 2, range(5)))
[(k, list(g)) for k, g in itertools.groupby('aabbca')], [(k, list(g)) for k, g in itertools.groupby([1, 3, 2, 4], key=lambda x: x % 2)], list(itertools.groupby([]))
list(itertools.compress('abcd', [1, 0, 1])), list(itertools.pairwise('abc')), [list(x) for x in itertools.tee([1, 2])]
next(itertools.count()), next(itertools.cycle([1])), sum(1 for _ in itertools.permutations(range(5)))
list(itertools.islice('abc', -1))
list(itertools.islice('abcdef', None, None, 2)), list(itertools.islice('abc', 1, None))
itertools.nosuch
list(itertools.batched('abc', 2))
""")
programs("""
import itertools
a, b = itertools.tee(x for x in range(3))
print(next(a), list(b), list(a))
---
import itertools
def noisy():
    for i in range(5):
        print('make', i)
        yield i
print(list(itertools.islice(noisy(), 2)))
print(next(itertools.chain(noisy(), [9])))
---
from itertools import groupby
words = sorted(['apple', 'bob', 'cat', 'apricot'], key=lambda w: w[0])
for letter, group in groupby(words, key=lambda w: w[0]):
    print(letter, list(group))
---
import itertools
it = iter([1, 2, 3, 4])
print(list(itertools.takewhile(lambda x: x < 2, it)), list(it))
""")

part("functools and operator")
expressions("""
functools.reduce(lambda a, b: a + b, [1, 2, 3]), functools.reduce(lambda a, b: a * b, [], 7), functools.reduce(max, [3, 9, 2])
functools.reduce(lambda a, b: a, [])
functools.partial(int, base=2)('101'), functools.partial(pow, 2)(5), functools.partial(print, 'a').args, functools.partial(max, 5).func(1, 2)
sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a))
operator.add(1, 2), operator.mul(3, 4), operator.itemgetter(1)([5, 6]), operator.itemgetter(0, 2)('abc'), operator.attrgetter('real')(5), operator.neg(5), operator.lt(1, 2), operator.contains([1], 1)
sorted([('a', 2), ('b', 1)], key=operator.itemgetter(1)), functools.reduce(operator.add, [1, 2]), operator.methodcaller('upper')('a'), operator.truediv(1, 4), operator.floordiv(7, 2), operator.mod(7, 3), operator.xor(1, 3)
functools.nosuch
""")
programs("""
import functools
calls = []
@functools.lru_cache(maxsize=None)
def f(x):
    calls.append(x)
    return x * 2
print(f(1), f(1), f(2), calls)
print(f.cache_info().hits)
f.cache_clear()
f(1)
print(calls)
---
import functools
@functools.lru_cache(maxsize=2)
def f(x):
    print('compute', x)
    return x
f(1); f(2); f(1); f(3); f(2)
---
import functools
@functools.lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), fib(50))
---
import functools
@functools.cache
def f(a, b=1): return a + b
print(f(1), f(1, b=2), f(a=3))
f([1])
---
from functools import singledispatch
@singledispatch
def f(x): return 'default'
@f.register
def _(x: int): return 'int'
print(f('a'), f(5))
---
from functools import cached_property
class A:
    @cached_property
    def x(self):
        print('computed')
        return 5
a = A()
print(a.x, a.x)
---
from functools import partial
add = partial(lambda a, b, c=0: a + b + c, 1, c=10)
print(add(2), add(2, c=3), add.keywords)
""")

part("collections")
programs("""
from collections import Counter
c = Counter('mississippi')
print(c, c['s'], c['z'], c.most_common(2), c.most_common(), len(c), sum(c.values()), c.total(), sorted(c.elements()))
c.update('ms')
c['new'] += 1
print(c, list(c), 'z' in c)
del c['i']
print(c.get('i'), dict(c))
---
from collections import Counter
a, b = Counter(a=3, b=1), Counter(a=1, b=2)
print(a + b, a - b, a & b, a | b, a == Counter(a=3, b=1), Counter(), Counter({'x': 2}), Counter([1, 1, 2]))
a.subtract(b)
print(a, +a, -a, a.items())
---
from collections import Counter
print(Counter('abc').most_common(1)[0], Counter(w.lower() for w in 'The the a'.split()), max(Counter('aab'), key=Counter('aab').get))
c = Counter('aab')
for k, v in c.items():
    print(k, v)
print(isinstance(c, dict), c.copy(), c.pop('a'), c, bool(Counter()), Counter(a=1) <= Counter(a=2), sorted(c))
---
from collections import defaultdict
d = defaultdict(list)
d['a'].append(1)
d['b'].append(2)
d['a'].append(3)
print(d, dict(d), d['z'], len(d), 'q' in d, d.get('q'), list(d))
n = defaultdict(int)
for c in 'hello':
    n[c] += 1
print(n, sorted(n.items()), n.default_factory)
print(defaultdict(lambda: 5)['x'], isinstance(n, dict), defaultdict(int, {'a': 1}), defaultdict(None, a=1))
---
from collections import defaultdict
d = defaultdict(lambda: defaultdict(int))
d['x']['y'] += 1
print(d['x']['y'], d['x']['z'], len(d), {k: dict(v) for k, v in d.items()})
---
from collections import defaultdict
defaultdict()['a']
---
from collections import defaultdict
defaultdict(5)
---
from collections import deque
d = deque([1, 2, 3])
d.append(4)
d.appendleft(0)
print(d, d.pop(), d.popleft(), d, len(d), d[0], d[-1], list(d), 2 in d)
d.extend([7, 8])
d.extendleft([5, 6])
print(d)
d.rotate(1)
print(d)
d.rotate(-2)
print(d, d.count(7), d.index(8))
d.remove(7)
d.reverse()
print(d, bool(deque()), deque('ab'), deque() == deque(), deque([1]) + deque([2]))
d.clear()
print(d)
---
from collections import deque
d = deque(maxlen=3)
for i in range(5):
    d.append(i)
print(d, d.maxlen, list(d), len(d))
d.appendleft(9)
print(d)
d = deque([1, 2, 3, 4], maxlen=2)
print(d, deque([1]).maxlen, deque(range(5), 3))
---
from collections import deque
deque().pop()
---
from collections import deque
deque().popleft()
---
from collections import deque
d = deque([1, 2, 3])
d[1] = 'x'
d.insert(1, 'y')
del d[0]
print(d, d.copy(), list(reversed(d)), sorted(map(str, d)), [x for x in d])
d += [5]
print(d, d == deque(['y', 'x', 3, 5]))
d[10]
---
from collections import deque
def bfs(graph, start):
    seen, queue, order = {start}, deque([start]), []
    while queue:
        node = queue.popleft()
        order.append(node)
        for n in graph[node]:
            if n not in seen:
                seen.add(n)
                queue.append(n)
    return order
print(bfs({'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}, 'a'))
---
from collections import deque
d = deque([1])
for i in range(3000):
    d.append(i)
print(len(d), sum(d))
---
from collections import namedtuple
P = namedtuple('P', ['x', 'y'])
p = P(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, p == (1, 2), list(p), len(p), isinstance(p, tuple), P._make([3, 4]))
x, y = p
print(x, y, P.__name__, repr(p), f'{p}', sorted([P(2, 1), P(1, 2)]), hash(p) == hash((1, 2)))
---
from collections import namedtuple
P = namedtuple('P', 'x, y z', defaults=[7])
print(P(1, 2), P(1, 2, 3), namedtuple('Q', 'a b')(1, 2), P._field_defaults)
---
from collections import namedtuple
namedtuple('P', 'x y')(1)
---
from collections import namedtuple
p = namedtuple('P', 'x y')(1, 2)
p.x = 5
---
from collections import OrderedDict
d = OrderedDict([('b', 1), ('a', 2)])
d['c'] = 3
d.move_to_end('b')
print(d, list(d), d.popitem(last=False), d, d == {'c': 3, 'b': 1}, isinstance(d, dict))
---
from collections import OrderedDict
print(OrderedDict(a=1, b=2), OrderedDict(), OrderedDict({'x': 1}))
---
from collections import ChainMap
c = ChainMap({'a': 1}, {'a': 2, 'b': 3})
print(c['a'], c['b'])
---
from collections import UserDict
print(UserDict(a=1))
---
from collections.abc import Iterable
print(isinstance([], Iterable))
""")

part("statistics")
for data in ["[1, 2, 3, 4]", "[1.5, 2.5, 2.5, 2.75, 3.25, 4.75]", "[3]", "[2, 2, 3, 3]", "[0.1] * 10", "[-5, 10, 0.5, 7]", "[]", "(1, 2)", "range(10)", "[1e16, 1, -1e16]", "['a', 'b', 'a']", "[True, False, True]"]:
    for f in "mean median mode stdev variance pstdev pvariance median_low median_high fmean multimode harmonic_mean geometric_mean".split():
        if f in ("geometric_mean",):
            add(f"format(statistics.{f}({data}), '.12g')")
        else:
            add(f"statistics.{f}({data})")
expressions("""
statistics.quantiles([1, 2, 3, 4, 5]), statistics.quantiles([1, 2, 3], n=2), statistics.median_grouped([1, 2, 2, 3])
statistics.correlation([1, 2, 3], [2, 4, 7])
statistics.linear_regression([1, 2, 3], [2, 4, 6])
statistics.covariance([1, 2, 3], [2, 4, 7])
statistics.mean(x for x in [1, 2])
statistics.NormalDist(0, 1).cdf(0)
statistics.fmean([1, 2], weights=[1, 3])
statistics.stdev([1, 2], xbar=1.5)
""")

part("further modules")
expressions("""
json.dumps({'a': [1, 2.5, None, True, 'x"y']}), json.loads('{"a": [1, 2.5, null, true, "x"]}'), json.dumps([]), json.dumps('é'), json.loads('"\\\\u00e9"')
json.dumps({'b': 1, 'a': 2}, sort_keys=True), json.dumps([1, 2], indent=2), json.dumps({'a': 1}, separators=(',', ':')), json.dumps({1: 2, None: 3, True: 4}), json.dumps((1, 2)), json.dumps(float('inf'))
json.dumps('é', ensure_ascii=False)
json.dumps({'a': {'b': [1]}}, indent=2)
json.loads('{bad}')
json.loads('')
json.dumps(object)
json.dumps({1, 2})
bisect.bisect([1, 3, 5], 3), bisect.bisect_left([1, 3, 5], 3), bisect.bisect_right([1, 3], 0)
heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, [4, 1, 3])
copy.copy([1]), copy.deepcopy({'a': [1]}), copy.deepcopy((1, [2]))
fractions.Fraction(1, 3) + fractions.Fraction(1, 6)
decimal.Decimal('0.1') + decimal.Decimal('0.2')
datetime.date(2024, 1, 31).isoformat()
random.nosuch()
enum.Enum
textwrap.shorten('hello world', 8)
""")
programs("""
import bisect
x = [1, 3]
bisect.insort(x, 2)
print(x)
---
import heapq
h = [5, 1, 4]
heapq.heapify(h)
heapq.heappush(h, 0)
print([heapq.heappop(h) for _ in range(4)], heapq.heappushpop([2, 3], 1))
---
import heapq
h = []
for p in [(2, 'b'), (1, 'z'), (1, 'a')]:
    heapq.heappush(h, p)
print(heapq.heappop(h), heapq.heappop(h), heapq.heapreplace(h, (0, 'q')), list(heapq.merge([1, 4], [2, 3])))
---
import random
random.seed(1)
x = random.random()
print(0 <= x < 1, 1 <= random.randint(1, 3) <= 3, random.choice([7]), sorted(random.sample(range(5), 5)), random.choice('a'))
x = [1, 2, 3]
random.shuffle(x)
print(sorted(x), 0 <= random.uniform(0, 1) <= 1, random.randrange(5) < 5, len(random.choices([1, 2], k=3)))
---
import random
random.seed(42)
print(random.random(), random.randint(1, 100))
---
import random
random.seed(0)
print(random.choice(range(100)), f'{random.gauss(0, 1):.12g} {random.normalvariate(2, 3):.12g} {random.expovariate(2):.12g}', random.sample(range(100), 7), random.choices('abc', [1, 2, 3], k=5), random.getrandbits(70), random.randrange(3, 30, 4), random.triangular())
x = list(range(10))
random.shuffle(x)
print(x, random.uniform(2, 5), random.sample(range(1000), 3))
---
import time
t = time.time()
print(t > 0, time.perf_counter() >= 0)
---
import datetime
print(datetime.datetime(2020, 1, 1).year)
---
import os
print(os.path.join('a', 'b'))
---
import io
f = io.StringIO('a\\nb\\n')
print(f.read(), f.getvalue())
---
import io
f = io.StringIO()
f.write('abc')
print('x', 2, file=f)
print(repr(f.getvalue()))
---
import io
for line in io.StringIO('a\\nb\\n'):
    print(repr(line))
---
import copy
class A:
    def __init__(self): self.x = [1]
a = A()
b, c = copy.copy(a), copy.deepcopy(a)
a.x.append(2)
print(b.x, c.x)
---
import sys
print('x', file=sys.stdout)
sys.stdout.write('y\\n')
---
import typing
from typing import List, Optional
def f(x: List[int], y: Optional[str] = None) -> 'int': return len(x)
print(f([1, 2]))
---
from __future__ import annotations
def f(x: Nope) -> list[int]: return x
print(f(3))
---
from math import sqrt, pi as PI
import math as m
print(sqrt(4), PI, m.floor(2.5))
---
from math import *
print(sqrt(9), floor(2.7), pi)
---
import math, itertools as it
print(math.tau > 6, list(it.repeat(1, 2)))
---
import struct
print(struct.pack('<if', 5, 1.5), struct.unpack('<h', b'\\x01\\x00'))
---
import array
a = array.array('i', [1, 2])
a.append(3)
print(a, list(a))
---
import hashlib
print(hashlib.sha256(b'a').hexdigest()[:8])
---
import uuid
---
import subprocess
---
import urllib.request
---
import threading
---
import asyncio
async def f(): return 5
print(asyncio.run(f()))
---
open('x')
---
import secrets, calendar
---
import operator
x = [{'n': 2}, {'n': 1}]
x.sort(key=operator.itemgetter('n'))
print(x)
""")
