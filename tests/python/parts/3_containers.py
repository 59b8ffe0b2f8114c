xs = ["[]", "[1]", "[1, 2, 3]", "[3, 1, 2, 1]", "['b', 'a']", "(1, 2, 3)", "()", "(1,)", "range(5)", "range(2, 10, 3)", "range(5, 0, -2)", "'abcd'"]
chance = part("slices")
bounds = ["", "0", "1", "2", "-1", "-2", "5", "-9"]
for _ in range(170):
    x, a, b, c = chance.choice(xs), chance.choice(bounds), chance.choice(bounds), chance.choice(["", "1", "2", "-1", "-2", "3"])
    add(f"{x}[{a}:{b}:{c}]" if c else f"{x}[{a}:{b}]")
for x in xs:
    each("{}[{}]", [x], ["0", "-1", "2", "-3", "7", "True"])
    for f in "len list tuple sorted sum max min any all reversed enumerate bool repr str".split():
        add(f"{f}({x})" if f not in ("reversed", "enumerate") else f"list({f}({x}))")
    each("{} in {}", ["1", "'a'", "2.0"], [x])
    each("{} * 2", [x])
    each("{} == {}", [x], ["[1, 2, 3]", "(1, 2, 3)"])
    each("{}.index({})", [x], ["1", "9"] if "'" not in x else ["'a'"])
    each("{}.count({})", [x], ["1"] if "'" not in x else ["'a'"])
for _ in range(90):
    a, b, c = chance.choice(bounds), chance.choice(bounds), chance.choice(["", "", "", "2", "-1"])
    at = f"{a}:{b}:{c}" if c else f"{a}:{b}"
    do = chance.choice(["x[{}] = ['p']", "x[{}] = []", "x[{}] = 'pqr'", "x[{}] = (7, 8)", "del x[{}]", "x[{}] = x", "x[{}] = range(2)"])
    add(f"x = [0, 1, 2, 3, 4]\n{do.format(at)}\nprint(x)")

part("lists")
for do in """x.append(4) x.extend([4,5]) x.extend('ab') x.extend(range(2)) x.insert(0,9) x.insert(-1,9) x.insert(99,9) x.pop() x.pop(0) x.pop(-2) x.pop(7)
x.remove(1) x.remove(9) x.clear() x.reverse() x.sort() x.sort(reverse=True) x.sort(key=lambda*v:-v[0]) x.copy() x.index(2) x.index(9) x.index(1,1) x.count(1)
x.__len__() x.__contains__(1) x.append() x.append(1,2) x.extend(5) x.nosuch() x.sort(key=None) x.sort(lambda*v:0) x.pop('a') x.insert('a',1) x.__add__([5]) x.__getitem__(0)
x.__setitem__(0,5) x.__delitem__(0) x.__eq__(x) x.__iadd__([4]) x.index(1,5) x.pop(1.0) x.remove('a') x.__repr__() x.__str__() x.__iter__().__next__() x.__reversed__().__next__()
""".split():
    add(f"x = [3, 1, 2, 1]\ny = x\nr = {do}\nprint(r, x, y is x)")
for do in ["x += [9]", "x *= 2", "x += (8,)", "x += 'ab'", "x += range(2)", "x = x + [9]", "x = x * 2", "x *= 0", "x *= -1", "x += 5", "x -= [1]", "x *= 1.5",
           "x[0] += 5", "x[0] *= 3", "x[-1] -= 1", "x[1:2] += [7]", "x[0] //= 2", "x[0] **= 2", "x[0] /= 2", "x[0] %= 2", "x[0] <<= 3", "x[0] |= 8", "x[0] ^= 1", "x[0] &= 1", "x[0] >>= 1", "x[9] = 1", "del x[9]", "x['a'] = 1", "x[1:] *= 2"]:
    add(f"x = [3, 1, 2]\ny = x\n{do}\nprint(x, y, x is y)")
    add(f"def f(x):\n    {do}\n    return x\ny = [3, 1, 2]\nz = f(y)\nprint(y, z, y is z)")
    add(f"class Box:\n    pass\nb = Box()\nb.x = y = [3, 1, 2]\n{do.replace('x', 'b.x', 1) if not do.startswith(('del', 'x = ')) else do.replace('x', 'b.x').replace('del b.b', 'del b')}\nprint(b.x, y, b.x is y)")
expressions("""
[1, 2] + [3], [0] * 3, [[]] * 2, [[0] * 2 for _ in range(2)]
[1, [2, [3, [4]]]], [(1, 'a'), {'k': None}], [1.0, True, None, 'x', b'y']
list(range(10))[2:8:3], list(range(3, 0, -1)), list(range(0)), list(range(-3))
range(5), range(1, 5), range(1, 5, 2), len(range(0, 10, 3)), range(5)[1:3], range(10)[::-1], 3 in range(5), range(5).index(3), range(0, 10, 2).stop
range(5)[7]
range(1.0)
range(0, 5, 0)
range(5).start, range(5).step, range(2, 5).count(3), list(reversed(range(4)))
sorted([3, 1, 2], reverse=True), sorted(['bb', 'a'], key=len), sorted([(1, 'b'), (1, 'a'), (0, 'c')]), sorted({'b': 1, 'a': 2}), sorted(x for x in [3, 1])
sorted([3, 'a'])
sorted([1, 2], key=lambda: 0)
sorted(5)
sorted([1], None)
sorted([[2, 1], [1, 5], [1, 2]], key=lambda p: p[0])
sorted('banana', key='nab'.index)
sorted([1, -2, 3], key=abs, reverse=True)
sorted([('a', 2), ('b', 1), ('c', 2)], key=lambda p: p[1], reverse=True)
max([1, 5, 3]), max(1, 5, 3), max('a', 'b'), max([], default=0), max(['aa', 'b'], key=len), max({'a': 1, 'b': 0}), max((1, 2), (1, 3)), max(1, 2, key=lambda x: -x)
min([1, 5, 3]), min(1, 5, 3), min([], default=None), min([3, -4], key=abs), min(x for x in (3, 2)), min([1], default=5)
max([])
max()
max(5)
max(1, 'a')
max([1, 2], [1, 3], [0])
max([(1, 'b'), (1, 'a')], key=lambda p: p[0]), min([(1, 'b'), (1, 'a')], key=lambda p: p[0])
sum([1, 2, 3]), sum([1, 2], 10), sum([], 5), sum([[1], [2]], []), sum((x for x in range(4))), sum([1.5, 2]), sum([1], start=2), sum(range(101))
sum(['a', 'b'])
sum(['a', 'b'], '')
sum(5)
any([0, 1]), any([]), all([1, 0]), all([]), any(x > 2 for x in [1, 2, 3]), all(x > 0 for x in [1, 2])
any(5)
list(zip([1, 2], 'ab')), list(zip([1, 2, 3], [4, 5])), list(zip()), list(zip([1])), list(zip([1], [2], [3])), dict(zip('ab', [1, 2])), list(zip(*[(1, 2), (3, 4)]))
list(zip([1, 2], [3, 4], strict=True))
list(zip([1, 2], [3], strict=True))
list(zip([1], [3, 4], strict=True))
list(zip([1], [2], strict=False))
zip(5)
list(zip([1], nosuch=2))
list(enumerate('abc')), list(enumerate('abc', 1)), list(enumerate('ab', start=5)), dict(enumerate('ab'))
list(map(lambda x: x * 2, [1, 2])), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])), list(map(int, ['1', '2'])), list(map(str, [1, 2.5])), list(map(float, ['1', '2']))
list(map(None, [1]))
map(5)
list(filter(None, [0, 1, '', 'a'])), list(filter(lambda x: x > 1, [1, 2, 3])), list(filter(str.isdigit, 'a1b2'))
list(reversed([1, 2, 3])), list(reversed('abc')), list(reversed((1, 2)))
reversed(5)
reversed({1})
next(iter([1])), next(iter([]), 'none'), list(iter('ab'))
next(iter([]))
next([1])
iter(5)
len(5)
len()
len([1], [2])
list(5)
list(None)
list(), tuple(), dict(), set(), str(), int(), float(), bool(), list(()), tuple([])
[x for x in range(5) if x % 2], [x * y for x in range(3) for y in range(2)], [[j for j in range(i)] for i in range(3)], [x if x else 'z' for x in (0, 1)]
{x: x ** 2 for x in range(3)}, sorted({x % 3 for x in range(10)}), list(x for x in 'ab'), {k: v for v, k in enumerate('ab')}
[(i, j) for i in range(3) for j in range(i)], [c for w in ['ab', 'c'] for c in w], [y for x in [1, 2] if (y := x * 2) > 2]
[*range(3), *'ab'], (*[1], 2), {**{'a': 1}, 'b': 2}, sorted({*[1, 2], 3}), [*{}, *()]
[*5]
[1, 2, 3] == [1, 2, 3], [1] != [1], [1] is [1], [] == [], [1, 2] > [1], [[1]] == [[1]], [1] == [1.0] == [True]
(1, 2) + (3,), (1,) * 3, (1, 2)[0], (1, 2)[-1:], (1, 2) == (1, 2), (1, 2) < (1, 3), (), (1,), ((1, 2), (3,)), tuple(range(3)), tuple('ab')
(1, 2).index(2), (1, 2, 1).count(1), hash((1, 2)) == hash((1, 2)), 1 in (1, 2)
(1, 2).append(3)
(1, 2)[5]
(1, 2, 3).index(9)
hash([1])
hash({})
hash((1, [2]))
{[1]: 2}
{[1]}
{(1, [2]): 1}
{1: 'a'}[2]
{'a': 1}['b']
[1, 2][5]
[1, 2][-3]
[1, 2]['a']
[1][None]
[1][1.0]
[1, 2, 3][True]
[].pop()
[1][0][0]
None[0]
5[0]
None.x
(5)()
[1, 2](0)
len(x for x in [1])
[1, 2, 3].index(4)
'abc'.count()
""")
part("programs with lists")
programs("""
x = [1]
x.append(x)
print(x, len(x), x[1] is x)
print(repr(x), str(x), f'{x}', '%s' % x, '{}'.format(x))
---
d = {'a': 1}
d['self'] = d
print(d)
---
x = []
y = [x]
x.append(y)
print(x, y)
---
x = [1, 2]
d = {'x': x}
x.append(d)
print(x)
print(d)
---
t = ([],)
t[0].append(t)
print(t)
---
x = [1, 2]
print([x, x], {'a': x, 'b': x})
---
x = [3, 1, 2]
calls = []
print(sorted([5], key=lambda v: calls.append(v)), calls)
y = [5]
y.sort(key=lambda v: calls.append(v))
print(y, calls)
print(sorted([], key=lambda v: calls.append(v)), calls)
---
def key(v):
    print('key', v)
    return -v
print(sorted([1, 3, 2], key=key))
print(max([4], key=key), min([4], key=key))
---
sorted(['a'], key=int)
---
words = ['banana', 'fig', 'apple', 'kiwi', 'date']
words.sort(key=len)
print(words)
words.sort(key=len, reverse=True)
print(words)
words.sort(key=lambda w: (len(w), w))
print(words)
---
pairs = [(i % 3, i) for i in range(12)]
pairs.sort(key=lambda p: p[0])
print(pairs)
print(sorted(pairs, key=lambda p: p[0], reverse=True))
---
a, b = 1, 2
a, b = b, a
print(a, b)
(c, d), e = (1, 2), 3
first, *rest = [1, 2, 3]
*init, last = 'abc'
x, *_, y = range(5)
[p, q] = (8, 9)
print(c, d, e, first, rest, init, last, x, y, _, p, q)
---
a, b = 1, 2, 3
---
a, b = [1]
---
a, *b, c = [1]
---
a, b = 5
---
a = b = []
a.append(1)
print(a, b)
---
i = 0
x = [0, 0]
i, x[i] = 1, 5
print(i, x)
---
m = [[0] * 3] * 2
m[0][0] = 1
print(m)
m = [[0] * 3 for _ in range(2)]
m[0][0] = 1
print(m)
---
x = [1, 2, 3, 4]
for v in x:
    if v % 2 == 0:
        x.remove(v)
print(x)
---
x = [1, 2, 3]
for i, v in enumerate(x):
    x[i] = v * 2
print(x)
del x[0], x[-1]
print(x)
---
x = list(range(10))
x[2:5] = 'ab'
print(x)
x[::2] = [0] * len(x[::2])
print(x)
del x[::3]
print(x)
x[1:1] = [7, 7]
x[len(x):] = [8]
print(x)
---
x = list(range(5))
x[::2] = [1]
---
x = list(range(5))
x[1:3] = 5
---
x = (1, 2)
x[0] = 5
---
x = (1, [2])
x[1].append(3)
print(x)
x += (4,)
print(x)
---
x = (1, [2])
try:
    x[1] += [3]
except TypeError:
    print('TypeError', x)
""")

part("dicts and sets")
programs("""
d = {'b': 1, 'a': 2}
d['c'] = 3
d['b'] = 9
print(d, list(d), list(d.keys()), list(d.values()), list(d.items()), len(d), 'a' in d, 2 in d, d.get('z'), d.get('z', 0), d.get('a'))
del d['a']
d['a'] = 0
print(d, d.pop('b'), d, d.pop('zz', None), d.popitem(), d)
print(d.setdefault('q', []), d.setdefault('c', 7), d)
d.update({'x': 1}, y=2)
d.update([('z', 3)])
print(d)
d.clear()
print(d, bool(d))
---
d = {}
for w in ['x', 'y', 'x']:
    d[w] = d.get(w, 0) + 1
    d.setdefault('all', []).append(w)
print(d)
---
{}.popitem()
---
{}.pop('a')
---
d = {'a': 1}
del d['b']
---
d = {'a': 1, 'b': 2}
for k in d:
    d[k + 'x'] = 1
---
d = {'a': 1, 'b': 2}
for k in list(d):
    del d[k]
print(d)
---
print({'a': 1} | {'b': 2}, {'a': 1, 'b': 0} | {'b': 2})
d = e = {'a': 1}
d |= {'c': 3}
print(d, e is d)
---
print(dict(a=1, b=2), dict([('x', 1)]), dict({'y': 2}, z=3), dict(zip('ab', range(2))), dict.fromkeys('ab'), dict.fromkeys([1, 2], 0))
---
dict([1, 2])
---
dict(5)
---
d = {1: 'one', 'two': 2, (3, 4): [5], None: 0, 2.5: 'f', True: 'x'}
print(d, d[1], d[3, 4], d[None], d[1.0])
---
d = {'a': 1, 'b': 2}
print({v: k for k, v in d.items()}, sorted(d, key=d.get, reverse=True), max(d, key=d.get), d == {'b': 2, 'a': 1}, d != {}, sum(d.values()), min(d.values()))
print(d.keys() & {'a', 'z'}, d.keys() == {'a', 'b'}, ('a', 1) in d.items(), 2 in d.values(), len(d.keys()))
---
d = {'a': 1}
print(d.keys(), d.values(), d.items())
---
d = {'a': {'b': {'c': 1}}}
d['a']['b']['d'] = 2
e = d.copy()
e['x'] = 1
e['a']['n'] = 5
print(d, e)
---
d = {i: i * i for i in range(20)}
for i in range(0, 20, 3):
    del d[i]
d[0] = 'back'
print(d)
print(list(reversed(d)), list(reversed(d.items())))
---
k = {'x': 1}
def f(**more):
    more['y'] = 2
    return more
print(f(**k, z=3), k)
---
def f(**more):
    return more
print(f(z=1, y=2, x=3, w=4, v=5), list(f(b=1, a=2, q=3)))
---
s = {3, 1, 2, 3}
print(sorted(s), len(s), 2 in s)
s.add(4)
s.discard(9)
s.remove(1)
s.update([7, 8], {9})
print(sorted(s), sorted(s | {1}), sorted(s & {2, 3}), sorted(s - {2}), sorted(s ^ {2, 100}))
print(sorted(s.union([1], [2])), sorted(s.intersection([2, 3])), sorted(s.difference([2])), sorted(s.symmetric_difference([2, 55])))
print({1, 2} <= {1, 2, 3}, {1, 2} < {1, 2}, {1}.issubset([1, 2]), {1, 2}.issuperset({1}), {1}.isdisjoint({2}), {1, 2} == {2, 1}, {1} >= set())
---
s = {1}
print(s, {'a'}, set(), frozenset([1]), frozenset(), {(1, 2)}, {None})
---
s = t = {1, 2}
s |= {3}
s &= {2, 3, 4}
s -= {2}
print(s, t is s)
s ^= {3, 4}
print(s, t is s)
---
{1}.remove(2)
---
set().pop()
---
{1, 2} + {3}
---
{1}[0]
---
{1, 2} | [3]
---
frozenset([1]).add(2)
---
print(hash(frozenset([1, 2])) == hash(frozenset([2, 1])), {frozenset([1]): 'x'}, frozenset([1]) == {1}, sorted(frozenset('ab') | {'c'}))
---
print(sorted(set('hello')), set([1, 1]), len(set(range(100))), sorted(map(str, {1, 'a'})), {1, True, 1.0})
---
s = {5}
print(s.pop(), s, s.copy(), bool(s))
s.clear()
print(s)
""")

part("statements on containers")
programs("""
x = [1, 2, 3]
y = x[:]
z = list(x)
y[0] = 9
z.append(4)
print(x, y, z, x.copy() is x)
---
import copy
x = [1, [2, 3]]
y = copy.copy(x)
z = copy.deepcopy(x)
x[1].append(4)
print(y, z)
---
stack = []
stack.append(1); stack.append(2)
print(stack.pop(), stack, stack[-1])
queue = [1, 2, 3]
print(queue.pop(0), queue)
---
m = [[1, 2, 3], [4, 5, 6]]
print([list(r) for r in zip(*m)], [[r[i] for r in m] for i in range(3)], sum(map(sum, m)), [x for r in m for x in r], max(max(r) for r in m))
---
x = [1, 2, 3]
print(x[-1], x[len(x) - 1], x[0:2], x[:], x[::-1], x[1:][0], x[::2])
print(*x, *'ab', sep='')
---
del x
---
x = 5
del x
print(x)
---
x = [0] * 5
x[1], x[3] = 'a', 'b'
print(x, x.index('b'), x.count(0))
---
nested = {'list': [1, {'t': (1,)}], 'set': {1}, 'none': None, 'f': 0.1, 's': "it's"}
print(nested)
---
for i in range(3):
    for j in range(3):
        if j == 1:
            continue
        if i == 2:
            break
        print(i, j, end=' ')
    else:
        print('done', end=' ')
else:
    print('all')
---
n = 0
while True:
    n += 1
    if n > 3:
        break
else:
    print('never')
while n < 6:
    n += 1
else:
    print('else', n)
---
for x in []:
    pass
else:
    print('empty')
---
i = 'before'
print([i for i in range(3)], i)
---
x = [lambda: i for i in range(3)]
print([f() for f in x])
---
if (n := len('abc')) > 2:
    print(n)
print([y := 1, y ** 2])
---
print([1, 2, 3].__class__, type([]), type({}), type(()), type(''), type(1), type(None), list, int, type)
---
print(print, len)
""".replace("\n---\nprint(print, len)", ""))
