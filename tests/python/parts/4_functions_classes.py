part("isinstance and issubclass")
values = ["True", "1", "1.0", "'a'", "None", "[]", "()", "{}", "set()", "1j", "b'a'", "range(3)", "int", "len", "(lambda: 0)", "frozenset()", "ValueError()", "bytearray()"]
kinds = "bool int float str list tuple dict set complex bytes object type frozenset range Exception ValueError (int,float) (str,(list,int)) int|str BaseException".split()
for kind in kinds:
    for value in values:
        add(f"isinstance({value}, {kind})")
for kind in "bool int float str object list Exception ValueError KeyError LookupError IndexError OSError ZeroDivisionError ArithmeticError OverflowError RecursionError RuntimeError NotImplementedError UnicodeError StopIteration SyntaxError IndentationError".split():
    each("issubclass(" + kind + ", {})", ["int", "object", "Exception", "LookupError", "ArithmeticError", "(int, ValueError)", "RuntimeError"])
expressions("""
isinstance(1, 'int')
isinstance(1)
isinstance(1, 5)
isinstance(1, ())
isinstance(1, (int, 'a'))
issubclass(1, int)
issubclass(int, 5)
callable(len), callable(int), callable(5), callable(lambda: 0)
type(True) is bool, type(1) == int, type('a') is str, type([]) is list, type(None).__name__, type(int) is type
type(1)('5'), type('a')(5), type([])('ab')
bool.__bases__, int.__mro__, bool.__mro__
int.__name__, str.__name__, list.__name__, ValueError.__name__, type.__name__, len.__name__
type(lambda: 0).__name__, type(x for x in []).__name__, type(range(3)).__name__, type(zip()).__name__
hasattr('a', 'upper'), hasattr('a', 'nosuch'), hasattr(5, 'real'), hasattr([], 'append'), hasattr(5, 'bit_length'), hasattr('a', 'removeprefix')
getattr('a', 'upper')(), getattr('a', 'nosuch', 'default'), getattr(5, 'bit_length')(), getattr([3, 1], 'sort')()
getattr('a', 'nosuch')
eval('1 + 2 * 3'), eval('[x for x in range(3)]'), eval('"a" + "b"'), eval('x + 1', {'x': 4})
eval('1 +')
exec('y = 5')
__name__
sorted(vars().keys())[:0]
(lambda x, y=2, *a, **k: (x, y, a, k))(1, 3, 4, z=5)
(lambda: None)() is None
abs.__name__, print.__name__
NotImplemented, Ellipsis, ...
""")

part("functions")
programs("""
def f(a, b=2, *args, c, d=4, **more):
    return a, b, args, c, d, more
print(f(1, c=3), f(1, 2, 3, 4, c=5, e=6), f(*[1, 2], **{'c': 3}), f(c=1, a=0))
---
def f(a, b): pass
f(1)
---
def f(a, b): pass
f(1, 2, 3)
---
def f(a, b): pass
f(1, c=2)
---
def f(a, b): pass
f(1, a=2)
---
def f(a, *, b): pass
f(1, 2)
---
def f(a, *, b): pass
f(1)
---
def f(a, b, /): return a - b
print(f(5, 3))
---
def f(x, seen=[]):
    seen.append(x)
    return seen
print(f(1), f(2), f(3, []))
---
def f():
    '''The doc.'''
    x: int = 5
    return x
print(f(), f.__name__)
---
def f():
    '''The doc.'''
print(f.__doc__)
---
def f(): pass
f.count = 5
print(f.count)
---
def f(a: int, b: str = 'x') -> bool: pass
print(f.__annotations__)
---
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    return inner
a, b = outer(), outer()
print(a(), a(), b())
---
x = 1
def f():
    global x
    x += 1
f(); f()
print(x)
---
x = 1
def f():
    print(x)
    x = 2
f()
---
x = 1
def f():
    x = 2
    def g():
        return x
    return g()
print(f(), x)
---
def make(n):
    return lambda x: x + n
print([make(i)(10) for i in range(3)], (lambda *a: sum(a))(1, 2, 3))
---
fs = []
for i in range(3):
    fs.append(lambda i=i: i)
print([f() for f in fs])
---
def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
print(fact(5), fact(20), fact(30), fact(100))
---
def fib(n, memo={}):
    if n < 2:
        return n
    if n not in memo:
        memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
print([fib(i) for i in range(15)], fib(60))
---
def f(n):
    return f(n + 1)
try:
    f(0)
except RecursionError as e:
    print('caught', type(e).__name__, isinstance(e, RuntimeError))
print('after')
---
def f(n):
    return f(n + 1)
f(0)
---
class A:
    def __getattr__(self, name):
        return self.x
try:
    A().y
except RecursionError:
    print('RecursionError')
---
def f():
    raise RecursionError('mine')
try:
    f()
except RuntimeError as e:
    print(type(e).__name__, e, e.args)
---
def deep(n):
    return [] if n == 0 else [deep(n - 1)]
print(deep(20))
---
def hanoi(n, a, b, c):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
print(hanoi(6, 'a', 'b', 'c'))
---
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
print(gcd(48, 18), gcd(-48, 18), gcd(48, -18))
---
def primes(n):
    return [p for p in range(2, n) if all(p % q for q in range(2, int(p ** 0.5) + 1))]
print(primes(50), len(primes(500)))
---
def twice(f):
    def g(*args, **more):
        return f(f(*args, **more))
    return g
@twice
def inc(x):
    return x + 1
print(inc(5))
---
def repeat(n):
    def wrap(f):
        def g(x):
            return [f(x)] * n
        return g
    return wrap
@repeat(3)
def sq(x):
    return x * x
print(sq(4))
---
import functools
def log(f):
    @functools.wraps(f)
    def g(*args):
        '''wrapper'''
        return f(*args)
    return g
@log
def add(a, b):
    return a + b
print(add(1, 2), add.__name__)
---
def f(*args, **kwargs):
    return len(args), sorted(kwargs.items())
print(f(1, *[2, 3], x=1, **{'y': 2}), f(*'ab', *range(2)), f(**{'a': 1}, **{'b': 2}))
---
def f(**k): pass
f(**{'a': 1}, **{'a': 2})
---
def f(a): pass
f(**{1: 2})
---
f(1)
---
def f(): return
print(f(), f() is None)
---
def f(): return 1, 2
a, b = f()
print(a, b, f())
---
assert True
assert 1 == 1, 'fine'
assert 0, 'bad'
---
assert []
---
x = [1, 2, 3]
assert len(x) == 2, f'{x} has {len(x)}'
---
print((lambda n: (lambda f: f(f, n))(lambda f, n: 1 if n == 0 else n * f(f, n - 1)))(5))
---
def compose(*fs):
    def g(x):
        for f in reversed(fs):
            x = f(x)
        return x
    return g
print(compose(str, abs, lambda x: x - 10)(3))
---
def f(x):
    if x > 0:
        return 'pos'
    elif x < 0:
        return 'neg'
    return 'zero'
print(list(map(f, (1, -1, 0))))
---
def describe(x):
    match x:
        case 0: return 'zero'
        case [a, b]: return a + b
        case _: return 'other'
print(describe(0), describe([1, 2]), describe('x'))
---
def f(x, /, y, *, z): return x, y, z
print(f(1, y=2, z=3))
---
def f(a, b=1, *c, d=2): return a, b, c, d
print(f.__defaults__)
---
import sys
print(sys.maxsize > 0)
---
print(f'{(lambda x: x + 1)(2)}')
""")

part("generators and iterators")
programs("""
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
print(list(count(4)), sum(count(5)), [x for x in count(3)], max(count(3)), list(zip(count(2), count(3))), tuple(count(0)))
---
def g():
    x = yield 1
    print('got', x)
    y = yield x * 2
    print('got', y)
    return 'end'
it = g()
print(next(it), it.send(5))
try:
    it.send(7)
except StopIteration as e:
    print(e.value)
---
def g():
    yield from [1, 2]
    r = yield from h()
    print('r', r)
    yield from 'ab'
def h():
    yield 9
    return 'done'
print(list(g()))
---
def g():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
it = g()
next(it)
it.close()
print(list(it))
---
def g():
    try:
        yield 1
    except ValueError as e:
        print('caught', e)
        yield 'recovered'
it = g()
next(it)
print(it.throw(ValueError('x')))
---
def g():
    yield 1
it = g()
print(next(it), next(it, 'default'))
next(it)
---
def g():
    raise StopIteration
    yield
list(g())
---
gen = (x * x for x in range(4))
print(next(gen), list(gen), list(gen), sum(x for x in (1, 2)))
---
class Count:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        self.i = 0
        return self
    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i
print(list(Count(3)), [x for x in Count(2)], sum(Count(4)), 2 in Count(3), 9 in Count(3), max(Count(5)), sorted(Count(3), reverse=True), tuple(Count(2)), list(enumerate(Count(2))))
a, b = Count(2)
print(a, b, *Count(3))
---
class Seq:
    def __getitem__(self, i):
        if i > 3:
            raise IndexError
        return i * 10
print([x for x in Seq()], list(Seq()), 20 in Seq(), Seq()[2])
---
class Seq:
    def __len__(self): return 3
    def __getitem__(self, i):
        if not 0 <= i < 3: raise IndexError(i)
        return i
print(list(reversed(Seq())), len(Seq()), bool(Seq()))
---
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
it = fib()
print([next(it) for _ in range(10)])
---
def flatten(x):
    for y in x:
        if isinstance(y, list):
            yield from flatten(y)
        else:
            yield y
print(list(flatten([1, [2, [3, [4]], 5]])))
---
it = iter([1, 2, 3])
print(next(it), list(it), next(it, None))
it = iter('ab')
for x in it:
    print(x, next(it))
---
print(list(iter(lambda c=[0]: c.append(1) or len(c), 5)))
---
m = map(lambda x: x + 1, [1, 2])
print(next(m), list(m), list(m))
z = zip([1], [2])
print(next(z), next(z, None))
f = filter(None, [0, 1])
print(next(f))
e = enumerate('ab')
print(next(e), list(e))
r = reversed([1, 2])
print(next(r), list(r))
---
def g():
    try:
        yield
    except GeneratorExit:
        print('exit')
        raise
it = g()
next(it)
it.close()
---
def walk(tree):
    if tree:
        left, value, right = tree
        yield from walk(left)
        yield value
        yield from walk(right)
print(list(walk(((None, 1, None), 2, (None, 3, None)))))
---
def pairs(xs):
    it = iter(xs)
    return zip(it, it)
print(list(pairs([1, 2, 3, 4, 5])))
---
print([*map(str, range(3))], {*map(len, ['a', 'b'])}, dict(map(lambda x: (x, x * x), range(3))))
---
def g(): yield 1
print(iter(g()) is not None, hasattr(g(), '__next__'), hasattr([], '__iter__'))
---
x = (i for i in range(3))
print(1 in x, list(x))
---
def f():
    yield
print(list(f()))
---
def g():
    yield 1
    return 5
def h():
    print((yield from g()))
list(h())
""")

part("exceptions")
kinds = ["ValueError('bad')", "KeyError('k')", "IndexError()", "TypeError('a', 1)", "RuntimeError('x')", "StopIteration(3)", "Exception()", "ZeroDivisionError('z')",
         "AttributeError('at')", "NotImplementedError('n')", "AssertionError('as')", "OverflowError('o')", "NameError('n')", "LookupError('l')", "ArithmeticError('ar')", "OSError('os')", "FileNotFoundError('f')", "PermissionError('p')", "UnicodeError('u')", "EOFError('e')", "ImportError('i')", "ModuleNotFoundError('m')", "TimeoutError('t')", "RecursionError('r')", "MemoryError('m')", "BufferError('b')", "ConnectionError('c')", "UserWarning('w')", "DeprecationWarning('d')", "Warning('w')", "KeyboardInterrupt('k')", "SystemError('s')", "FloatingPointError('f')", "StopAsyncIteration('s')", "UnboundLocalError('u')"]
for kind in kinds:
    add(f"repr({kind}), str({kind}), {kind}.args")
    add(f"raise {kind}")
    add(f"try:\n    raise {kind}\nexcept Exception as e:\n    print(type(e).__name__, e, repr(e), e.args, isinstance(e, LookupError), isinstance(e, ArithmeticError), isinstance(e, OSError))")
for code in ["1 / 0", "1 // 0", "1 % 0", "1.0 / 0", "[][0]", "[1][5]", "(1,)[3]", "{}['a']", "{}[1]", "'a'[5]", "int('x')", "int('')", "int('1.5')", "float('x')", "1 + 'a'", "'a' + 1", "[] + ()", "nosuch", "None.foo",
             "(5).foo", "'a'.foo", "[].foo", "{}.foo", "len(5)", "5()", "None()", "[1, 2](0)", "iter(5)", "next(iter([]))", "max([])", "min([])", "int(None)", "int([])", "float(None)", "float([])",
             "[].pop()", "[1].remove(2)", "[1].index(2)", "{}.pop('x')", "{1}.remove(2)", "'a'.index('b')", "a, b = [1]", "a, b = [1, 2, 3]", "a, b = 5", "for x in 5: pass", "import nosuchmodule",
             "from math import nosuch", "range(1.5)", "[1][1.5]", "[1]['a']", "hash([])", "-'a'", "abs('a')", "1 < 'a'", "None < 1", "[1] < 5", "sum(['a'])", "sorted([1, 'a'])", "chr(-1)", "ord('ab')", "round('a')",
             "'%d' % 'a'", "'{}'.format()", "' '.join([1])", "'a' * 1.5", "[1] * 'a'", "2 ** 'a'", "1 & 1.5", "~1.5", "math.sqrt(-1)", "math.log(0)", "math.factorial(-1)", "(-1) ** 0.5 < 1", "2.0 ** 5000", "math.exp(1000)",
             "del nosuch", "x = 1; del x; x", "lambda: (yield)", "print(undefined_name)", "raise ValueError", "raise 'text'", "raise ValueError from KeyError", "assert False", "assert False, 'why'", "[].append(1, 2)", "'a'.upper(1)", "list(1)", "dict(1)", "tuple(None)", "set(5)", "zip(1)", "enumerate(1)", "map(1)", "isinstance(1, 1)",
             "bytes([300])", "bytes('a')", "(1).to_bytes(0, 'big')", "1 << -1", "pow(2, -1, 4)", "[1, 2, 3][::0]", "range(1, 2, 0)", "'abc'.split('')", "str.nosuch", "object().x", "object().x = 1", "(1, 2).x", "len.x", "type('a', 1)", "globals()['nosuch']", "__import__('nosuch')"]:
    if code == "x = 1; del x; x" or "=" in code and ";" in code:
        body = code.replace("; ", "\n    ")
    else:
        body = code
    add(f"try:\n    {body}\nexcept Exception as e:\n    print(type(e).__name__)")
    if code in ["1 / 0", "[][0]", "{}['a']", "int('x')", "float('x')", "nosuch", "[1].remove(2)", "[1].index(2)", "[].pop()", "a, b = [1, 2, 3]", "1 + 'a'", "'a' + 1", "None.foo", "len(5)", "max([])", "math.sqrt(-1)", "import nosuchmodule", "{}.pop('x')", "5()", "'a'[5]", "int('')", "iter(5)", "for x in 5: pass", "int(None)", "[] + ()", "1 < 'a'", "(5).foo", "'a'.foo", "[].foo", "chr(-1)", "hash([])", "{}[1]", "(1,)[3]", "[1]['a']", "sorted([1, 'a'])", "'abc'.split('')", "2.0 ** 5000", "range(1, 2, 0)", "'a'.index('b')", "{1}.remove(2)", "raise ValueError", "raise 'text'", "assert False", "float('')", "None()", "sum(['a'])", "-'a'"]:
        add(f"try:\n    {body}\nexcept Exception as e:\n    print(e)")
programs("""
try:
    int('x')
except (TypeError, ValueError) as e:
    print('caught', type(e).__name__)
else:
    print('else')
finally:
    print('finally')
---
try:
    pass
except Exception:
    print('no')
else:
    print('else')
finally:
    print('finally')
---
def f():
    try:
        return 'try'
    finally:
        print('finally')
print(f())
---
def f():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                break
            print(i)
        finally:
            print('f', i)
    return 'end'
print(f())
---
def f():
    try:
        raise ValueError('a')
    except ValueError:
        return 1
    finally:
        return 2
print(f())
---
class MyError(Exception):
    pass
try:
    raise MyError('mine', 5)
except MyError as e:
    print(e, e.args, repr(e), isinstance(e, Exception))
---
class MyError(ValueError):
    def __init__(self, code, message='default'):
        super().__init__(message)
        self.code = code
    def __str__(self):
        return f'[{self.code}] {super().__str__()}'
try:
    raise MyError(7)
except ValueError as e:
    print(e, e.code, repr(e), e.args)
---
class MyError(Exception):
    def __init__(self, x):
        self.x = x
try:
    raise MyError(3)
except MyError as e:
    print(e.x, e.args, str(e))
---
class MyError(Exception): pass
raise MyError('gone')
---
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError('new') from e
except ValueError as e:
    print(e, type(e.__cause__).__name__)
---
try:
    try:
        1 / 0
    finally:
        print('inner')
except ZeroDivisionError:
    print('outer')
---
try:
    raise KeyError('x')
except KeyError as e:
    print(e, str(e), e.args[0])
try:
    e
except NameError:
    print('gone')
---
try:
    try:
        raise ValueError(1)
    except ValueError:
        raise
except ValueError as e:
    print('again', e)
---
raise
---
for f in (lambda: 1 / 0, lambda: [][1], lambda: {}['k'], lambda: int('z'), lambda: None.x):
    try:
        f()
    except (ZeroDivisionError, IndexError) as e:
        print('A', type(e).__name__)
    except LookupError as e:
        print('B', type(e).__name__)
    except Exception as e:
        print('C', type(e).__name__)
---
class M:
    def __enter__(self):
        print('enter')
        return 5
    def __exit__(self, kind, value, trace):
        print('exit', kind.__name__ if kind else None, value)
        return True
with M() as x:
    print(x)
with M():
    raise ValueError('in')
with M() as a, M() as b:
    print(a + b)
---
import contextlib
@contextlib.contextmanager
def c():
    print('before')
    try:
        yield 'v'
    finally:
        print('after')
with c() as v:
    print(v)
with contextlib.suppress(ZeroDivisionError):
    1 / 0
print('end')
---
e = ValueError('a')
print(e == ValueError('a'), e == e, bool(e), str(e) + '!', f'{e}', f'{e!r}', '%s' % e)
---
print([str(x('m')) for x in (ValueError, KeyError, IndexError)], repr(KeyError("it's")))
---
try:
    raise ValueError
except ValueError as e:
    print(repr(e), str(e), e.args)
---
try:
    raise Exception('a', 'b')
except Exception as e:
    x, y = e.args
    print(x, y, e)
---
import sys
sys.exit(0)
---
raise SystemExit
---
try:
    exec('x = = 1')
except SyntaxError as e:
    print('SyntaxError')
---
def check(age):
    if not isinstance(age, int):
        raise TypeError('age must be an int')
    if age < 0:
        raise ValueError(f'age must be positive, not {age}')
    return age
for x in (5, -1, 'a', True):
    try:
        print(check(x))
    except (TypeError, ValueError) as e:
        print(type(e).__name__ + ':', e)
---
import traceback
try:
    1 / 0
except ZeroDivisionError:
    print(len(traceback.format_exc()) > 0)
---
try:
    raise ExceptionGroup('g', [ValueError(1)])
except ExceptionGroup as e:
    print(e)
---
e = ValueError('x')
e.add_note('n')
print(e.__notes__)
""")

part("classes")
programs("""
class P:
    count = 0
    def __init__(self, x, y=2):
        self.x, self.y = x, y
        P.count += 1
    def __repr__(self):
        return f'P({self.x!r}, {self.y!r})'
    def __eq__(self, o):
        return isinstance(o, P) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self):
        return hash((self.x, self.y))
    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)
    def __mul__(self, k):
        return P(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self):
        return P(-self.x, -self.y)
    def __getitem__(self, i):
        return (self.x, self.y)[i]
    def __len__(self):
        return 2
    def __iter__(self):
        return iter((self.x, self.y))
    def __contains__(self, v):
        return v in (self.x, self.y)
    def __bool__(self):
        return bool(self.x or self.y)
    def __lt__(self, o):
        return self.x < o.x
    def __call__(self, k):
        return self.x + k
    def __abs__(self):
        return abs(self.x)
    def __str__(self):
        return f'<{self.x}, {self.y}>'
a, b = P(1), P(3, 4)
print(a, repr(a), [a, b], a + b, a * 2, 2 * a, -a, a[0], len(a), list(a), 3 in b, bool(P(0, 0)), a < b, a(10), abs(P(-5)), P.count)
print(a == P(1), a != b, a == 5, {a: 'k'}[P(1)], len({a, P(1)}), sorted([b, a]), max(a, b), f'{a} {b!r}', '%s' % a, str([a]), {'k': a}, (a,))
x, y = b
print(x, y, sum(b), min(b), b.x, P.__name__, type(a) is P, isinstance(a, P), a.__class__.__name__, hasattr(a, 'z'), getattr(a, 'z', 'no'))
setattr(a, 'z', 9)
del a.y
print(a.z, hasattr(a, 'y'), a.__dict__)
---
class A:
    def __init__(self): self.x = 1
    def hi(self): return 'A.hi'
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def add(a, b): return a + b
    @property
    def double(self): return self.x * 2
    @double.setter
    def double(self, v): self.x = v / 2
class B(A):
    def __init__(self):
        super().__init__()
        self.y = 2
    def hi(self): return 'B.' + super().hi()
b = B.make()
print(b.hi(), b.x, b.y, A.add(1, 2), b.add(3, 4), b.double, type(b).__name__, isinstance(b, A), issubclass(B, A), B.__bases__[0].__name__)
b.double = 10
print(b.x, B.hi(b), A.hi(b))
---
class A:
    @property
    def x(self): return 5
a = A()
a.x = 6
---
class A: pass
a = A()
a.nosuch
---
class A:
    def f(self): pass
A().f(1)
---
class A:
    def __init__(self, x): pass
A()
---
class A: pass
A(1)
---
class A:
    def f(self): return 'A'
class B(A):
    def f(self): return 'B' + super().f()
class C(A):
    def f(self): return 'C' + super().f()
class D(B, C):
    def f(self): return 'D' + super().f()
print(D().f())
---
class A:
    def f(self): return 'A'
class B(A): pass
class C(A):
    def f(self): return 'C'
class D(B, C): pass
print(D().f())
---
class A: pass
class B(A): pass
print([c.__name__ for c in B.__mro__])
---
class A:
    def __init__(self): print('A')
class B(A):
    def __init__(self):
        print('B')
        super().__init__()
class M:
    def hello(self): return 'hello'
class C(B, M): pass
print(C().hello())
---
class V:
    def __init__(self, x): self.x = x
    def __radd__(self, o): return ('radd', o)
    def __rsub__(self, o): return ('rsub', o)
    def __rmul__(self, o): return ('rmul', o)
    def __rtruediv__(self, o): return ('rtruediv', o)
    def __rpow__(self, o): return ('rpow', o)
    def __rmod__(self, o): return ('rmod', o)
    def __rfloordiv__(self, o): return ('rfloordiv', o)
v = V(1)
print(1 + v, 2 - v, 3 * v, 4 / v, 5 ** v, 6 % v, 7 // v)
---
class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
print(V(1) == V(1))
V(1) + 2
---
class V:
    def __init__(self, x): self.x = x
    def __iadd__(self, o):
        self.x += o
        return self
    def __imul__(self, o):
        self.x *= o
        return self
    def __isub__(self, o):
        self.x -= o
        return self
    def __itruediv__(self, o):
        self.x /= o
        return self
    def __ior__(self, o):
        self.x = o
        return self
v = w = V(5)
v += 1
print(w.x, v is w)
v *= 2
print(w.x, v is w)
v -= 2
v /= 4
print(w.x, v is w)
v |= 'z'
print(w.x)
---
class V:
    def __init__(self, x): self.x = x
    def __lt__(self, o): return self.x < o.x
    def __le__(self, o): return self.x <= o.x
    def __eq__(self, o): return self.x == o.x
a, b = V(1), V(2)
print(a < b, a > b, a <= b, a >= b, a == b, a != b, min(b, a).x, sorted([b, a])[0].x)
---
class V:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
{V(1): 2}
---
class V:
    def __init__(self, x): self.x = x
    def __gt__(self, o): return self.x > o
print(5 < V(7), V(7) > 5)
---
class V: pass
V() < V()
---
class V: pass
V() + 1
---
class V: pass
len(V())
---
class V: pass
V()[0]
---
class V: pass
for x in V(): pass
---
class V: pass
V()()
---
class Stack:
    def __init__(self): self._items = []
    def push(self, x): self._items.append(x)
    def pop(self): return self._items.pop()
    def __len__(self): return len(self._items)
    def __bool__(self): return len(self._items) > 0
    def insert(self, i, x): self._items.insert(i, x)
    def split(self, n): return self._items[:n], self._items[n:]
    def index(self, x): return self._items.index(x)
    def upper(self): return [str(x).upper() for x in self._items]
    def sort(self, reverse=False): self._items.sort(reverse=reverse)
    def count(self): return len(self._items)
    def copy(self): return 'copied'
    def update(self, **k): return k
    def format(self, *a): return a
s = Stack()
s.push(2); s.push('a'); s.insert(0, 'b')
print(len(s), s.split(1), s.index('a'), s.upper(), s.pop(), s.count(), s.copy(), s.update(a=1), s.format(1, 2), bool(s))
---
class Node:
    def __init__(self, v): self.v, self.left, self.right = v, None, None
    def insert(self, v):
        side = 'left' if v < self.v else 'right'
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(v))
        else:
            child.insert(v)
    def walk(self):
        if self.left: yield from self.left.walk()
        yield self.v
        if self.right: yield from self.right.walk()
root = Node(50)
for v in [30, 70, 20, 40, 60, 80, 10, 90]:
    root.insert(v)
print(list(root.walk()))
for v in range(100, 140):
    root.insert(v)
print(len(list(root.walk())))
---
class A:
    def __getattr__(self, name): return 'got ' + name
    def __setattr__(self, name, value): object.__setattr__(self, name, value * 2)
a = A()
a.x = 5
print(a.x, a.y)
---
class A:
    def __getitem__(self, k): return k
    def __setitem__(self, k, v): print('set', k, v)
    def __delitem__(self, k): print('del', k)
a = A()
print(a[1], a['x'], a[1:2], a[1, 2], a[::2], a[...])
a[3] = 4
a['k'] += 'z'
del a[5]
---
class A:
    x = []
    def add(self, v): self.x.append(v)
a, b = A(), A()
a.add(1); b.add(2)
print(A.x, a.x is b.x)
a.x = 'own'
print(a.x, b.x)
---
class A:
    def __init__(self): self.__secret = 5
    def get(self): return self.__secret
print(A().get())
---
class A:
    def __init__(self): self.__secret = 5
A().__secret
---
class A:
    __slots__ = ('x',)
a = A()
a.x = 1
a.y = 2
---
class A:
    def __format__(self, spec): return f'<{spec}>'
print(f'{A():abc}', format(A(), 'q'), '{:z}'.format(A()), f'{A()}')
---
class A:
    def __int__(self): return 5
    def __float__(self): return 2.5
    def __index__(self): return 3
    def __round__(self, n=0): return ('round', n)
    def __len__(self): return 7
    def __hash__(self): return 11
    def __reversed__(self): return iter('cba')
    def __bytes__(self): return b'by'
    def __complex__(self): return 1j
    def __divmod__(self, o): return ('divmod', o)
    def __floor__(self): return 'floor'
    def __invert__(self): return 'inv'
    def __pos__(self): return 'pos'
a = A()
print(int(a), float(a), [0, 1, 2, 3, 4][a], round(a), round(a, 2), len(a), hash(a), list(reversed(a)), ~a, +a)
---
class A:
    def __index__(self): return 3
print(range(10)[A()], hex(A()), [1] * A())
---
class A:
    def __divmod__(self, o): return ('divmod', o)
print(divmod(A(), 3))
---
class A:
    def __missing__(self, k): return 1
class D(dict):
    def __missing__(self, k): return k * 2
d = D(a=1)
print(d['a'], d['zz'], 'zz' in d, len(d))
---
class L(list):
    def first(self): return self[0]
    def append(self, x): super().append(x * 2)
l = L([1, 2])
l.append(5)
print(l, l.first(), len(l), isinstance(l, list), l + [1], sorted(l), l[-1], sum(l), type(l).__name__, l == [1, 2, 10])
---
class S(str):
    def shout(self): return self.upper() + '!'
s = S('abc')
print(s, s.shout(), len(s), s + 'd', s[0], isinstance(s, str), s == 'abc')
---
class I(int):
    def double(self): return self * 2
i = I(5)
print(i, i.double(), i + 1, isinstance(i, int), i == 5)
---
class D(dict):
    def __setitem__(self, k, v): super().__setitem__(k, str(v))
    def __getattr__(self, k): return self[k]
d = D()
d['x'] = 5
print(d, d.x, d['x'], list(d), isinstance(d, dict), len(d))
---
class T(tuple):
    pass
t = T((1, 2))
print(t, t[0], len(t), isinstance(t, tuple), t + (3,), sum(t))
---
class A:
    def __new__(cls, *args):
        print('new', args)
        return super().__new__(cls)
    def __init__(self, *args):
        print('init', args)
A(1, 2)
---
class One:
    _it = None
    def __new__(cls):
        if cls._it is None:
            cls._it = super().__new__(cls)
        return cls._it
print(One() is One())
---
class A:
    def __init_subclass__(cls, **k):
        print('sub', cls.__name__)
class B(A): pass
---
class Meta(type):
    def __new__(m, name, bases, d):
        return super().__new__(m, name, bases, d)
class A(metaclass=Meta): pass
print(type(A).__name__)
---
class Desc:
    def __get__(self, o, t): return 'got'
    def __set__(self, o, v): print('set', v)
class A:
    d = Desc()
a = A()
print(a.d)
a.d = 5
---
class Desc:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, t): return self.name
class A:
    field = Desc()
print(A().field)
---
class A:
    x: int = 5
    y: str
print(A.x, hasattr(A, 'y'), A.__annotations__)
---
class A:
    '''Doc of A.'''
print(A.__doc__)
---
class A:
    class B:
        z = 1
    b = B()
print(A.B.z, A().b.z, A.B.__name__)
---
class A:
    n = 3
    xs = [i * 2 for i in range(n)]
print(A.xs)
---
class A:
    def f(self): return 1
    g = f
a = A()
h = a.f
print(a.g(), h(), A.f(a))
A.f = lambda self: 2
print(a.f(), h())
a.k = lambda: 'no self'
print(a.k())
---
A = type('A', (), {'x': 5, 'f': lambda self: self.x})
print(A().f(), A.__name__)
---
from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    y: float = 2.5
    tags: list = field(default_factory=list)
p, q = P(1), P(1)
p.tags.append('a')
print(p, q, p == q, P(1, 2) == P(1, 2), p.x, P(x=3, y=4))
---
from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    cache: dict = field(default_factory=dict, repr=False)
    y: int = field(default=3, repr=False)
    z: int = field(default=4)
print(P(1), P(1, {}, 5), P(1).y, P(1) == P(1, {}, 5), P(1) == P(1, {}, 3))
---
from dataclasses import dataclass
@dataclass(order=True)
class P:
    x: int
    y: int = 0
print(P(1) < P(2), sorted([P(2), P(1, 5), P(1)]), P(1) >= P(1), max(P(1), P(3)))
---
from dataclasses import dataclass
@dataclass(frozen=True)
class P:
    x: int
p = P(1)
print({p: 'a'}[P(1)], hash(p) == hash(P(1)))
p.x = 5
---
from dataclasses import dataclass, asdict, astuple, replace, fields
@dataclass
class P:
    x: int
    y: list
p = P(1, [2])
print(asdict(p), astuple(p), replace(p, x=9), [f.name for f in fields(p)])
---
from dataclasses import dataclass
@dataclass
class P:
    x: int
P()
---
from dataclasses import dataclass
@dataclass
class P:
    x: int
P(1, 2)
---
from dataclasses import dataclass
@dataclass
class P:
    x: int
{P(1): 2}
---
from dataclasses import dataclass
@dataclass
class Base:
    a: int
@dataclass
class Sub(Base):
    b: int = 5
    def total(self): return self.a + self.b
    def __post_init__(self): self.c = self.a * 10
s = Sub(1)
print(s, s.total(), s.c)
---
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def f(self): pass
class B(A):
    def f(self): return 'B'
print(B().f())
A()
---
from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
print(Color.RED, Color.RED.name, Color.RED.value, list(Color), Color(2), Color['RED'])
---
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 5
p = P(1)
print(p, p.x, p[1], p == (1, 5), p._replace(x=3))
---
import functools
@functools.total_ordering
class V:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
    def __lt__(self, o): return self.x < o.x
print(V(1) <= V(2), V(1) >= V(2), V(2) > V(1), V(1) <= V(1))
---
class Matrix:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, o):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __repr__(self): return f'Matrix({self.rows})'
print(Matrix([[1, 2], [3, 4]]) @ Matrix([[0, 1], [1, 0]]))
---
class Acc:
    def __init__(self): self.total = 0
    def add(self, n):
        self.total += n
        return self
print(Acc().add(1).add(2).total)
---
class A:
    def __eq__(self, o): return True
    __hash__ = None
print(A() == 5, A() != 5)
hash(A())
---
class A:
    def __del__(self): pass
    def __sizeof__(self): return 5
a = A()
b = a
print(a is b, a == b, a != A(), a in [a], [a].index(b))
---
class Temp:
    def __init__(self, c): self._c = c
    @property
    def f(self): return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v): self._c = (v - 32) * 5 / 9
    @f.deleter
    def f(self): self._c = None
t = Temp(100)
print(t.f)
t.f = 32
print(t._c)
del t.f
print(t._c)
---
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError('Insufficient funds')
        self.balance -= amount
        return self.balance
a = Account('Ann', 100)
print(a.withdraw(30), a.balance, vars(a))
try:
    a.withdraw(500)
except ValueError as e:
    print('Error:', e)
---
class A:
    def __repr__(self): return 'A()'
class B(A): pass
print(A(), [A()], (B(),), {'a': B()}, {A()}, str(A()), f'{A()!s} {A()!r}')
---
class A:
    def __str__(self): return 'text'
    def __repr__(self): return 'repr'
print(A(), [A()], {1: A()}, f'{A()} {[A()]}', '%s %r' % (A(), A()), '{} {!r}'.format(A(), A()))
---
class A:
    def __repr__(self): return 5
repr(A())
---
print(issubclass(bool, int), isinstance(True, int), True + 1, isinstance(1, bool), type(True), [x for x in (1, True, 'a', 2.0) if isinstance(x, int)])
""")
