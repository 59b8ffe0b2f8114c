floats = """0.0 -0.0 0.5 1.5 2.5 3.5 -0.5 -1.5 -2.5 0.125 0.375 2.675 1.005 1.115 0.045 0.1 0.2 0.3 1/3 2/3 -1/3 9.995 99.5
99.95 99.995 999.5 0.05 0.005 0.0005 1e-5 1e-7 5e-324 2.2250738585072014e-308 1.7976931348623157e308 1e15 1e16 1e17 1e21
1e22 1e23 123456789.0 123456.789 12345.678 1234.5 1e100 -1e100 6.02214076e23 1.602e-19 3.141592653589793
2.718281828459045 1e-10 0.00001234 100.0 1000000.0 4503599627370496.5 9007199254740993.0 -7.25 0.1+0.2""".split()
specials = ["float('inf')", "float('-inf')", "float('nan')"]
ints = "0 1 -1 2 7 10 -10 42 99 100 255 256 1000 -1234 123456 1234567 -1234567890 2**31 2**53 10**20 -10**25".split()

chance = part("floats as texts")
for x in floats + specials:
    add(x)
    add(f"str({x})")
    if x in floats:
        add(f"f'{{{x}}}'")
    add(f"[{x}, -({x})]")
for _ in range(150):
    x = chance.choice([chance.uniform(-10, 10), chance.lognormvariate(0, 20), chance.randint(-10**6, 10**6) / 10**chance.randint(0, 8)])
    add(repr(x))
    add(f"{x!r} * 1.1")
for code in ["0.1 * 3", "1 / 3 + 1 / 3", "sum([0.1] * 10)", "1e308 * 10", "-1e308 * 10", "1.1 + 2.2", "100 * 1.1", "3 * 0.1 == 0.3"]:
    add(code)

chance = part("format of floats")
specs = """.0f .1f .2f .3f .5f .10f .20f f .0e .1e .2e .3e e .10e E .2E g .1g .2g .3g .4g .6g .10g .17g G .3G % .0% .1% .2% n
10.2f <10.2f >10.2f ^10.2f *^12.3f 010.2f +.2f -.2f +.0f =+8.1f 0=8.1f , ,.2f ,.0f _ _.2f ,.3e 012,.2f 15,.2f #.0f #g #.3g .3 .1 .0 .17
10 <10 ^10 +  10.3 #.0e +.3e z.1f 08.3f >8.3 ,.3g x^20,.2f""".split()
for spec in specs:
    for x in chance.sample(floats, 12):
        if spec.startswith("z"):
            continue
        add(f"format({x}, '{spec}')")
for spec in specs:
    for x in chance.sample(floats, 4) + chance.sample(specials, 1):
        if spec.startswith("z"):
            continue
        x = {"float('inf')": "1e999", "float('-inf')": "-1e999", "float('nan')": "(1e999-1e999)"}.get(x, x)
        add(f"f'{{{x}:{spec}}}'")
        add(f"'{{:{spec}}}'.format({x})")
for x in floats:
    add(f"'%.2f|%.0f|%8.3f|%-8.1f|%+.1e|%g|%G|%08.2f|%e' % (({x},) * 9)")
    add(f"f'{{{x}:.2f}} {{{x}:.0f}} {{{x}:.1f}}'")
add("x = 0.125\nprint(f'{x:.2f}', '{:.2f}'.format(x), '%.2f' % x, format(x, '.2f'), round(x, 2))")

part("round")
for x in floats:
    each("round({})", [x])
    each("round({}, {})", [x], [0, 1, 2, 3, -1])
for x in "5 15 25 35 -15 149 150 151 250 350 12345 10**20+5*10**10".split():
    each("round({}, {})", [x], [-1, -2, -3, 0, 2, None])
expressions("""
round(True)
round(2.5, None)
round('a')
round(float('nan'))
round(float('inf'))
round(float('inf'), 1)
round(float('nan'), 1)
round(1.5, 400)
round(1.5, -400)
round(number=2.567, ndigits=1)
type(round(2.0)), type(round(2.0, 0)), type(round(2, 0))
[round(x / 8, 2) for x in range(20)]
[round(x / 2) for x in range(-7, 8)]
[round(0.1 * k, 1) for k in range(30)]
round(1234.5678, -2)
round(-0.4)
round(-0.04, 1)
""")

chance = part("format of whole numbers and texts")
specs = """d b o x X #b #o #x #X c n 5 05 <8 >8 ^8 *^9 +d , _ ,d _d 012,d _b _x #010x 08b >+8d 20, .2f .1e % ,.1f .0f g e =+6 0=6 x>6 + s""".split()
for spec in specs:
    for x in chance.sample(ints, 7):
        if spec == "c":
            x = chance.choice(["65", "97", "8364", "955"])
        add(f"format({x}, '{spec}')")
        add(f"f'{{{x}:{spec}}}'")
for spec in "10 <10 >10 ^10 *^11 s 10s .2 .2s 8.3 ^8.2s -<6 =5 d .0 05 + , x".split():
    for s in ["'ab'", "''", "'hello'", "'héλ'"]:
        add(f"format({s}, '{spec}')")
        add(f"f'{{{s}:{spec}}}'" if "'" not in s else f'f"{{{s}:{spec}}}"')
for spec in ["", "5", "d", "x", "s", ">7", "05d", ".1f"]:
    for b in ["True", "False"]:
        add(f"f'{{{b}:{spec}}}'" if spec else f"f'{{{b}}}'")
for value in ["None", "[1]", "(1, 2)", "{'a': 1}", "object"]:
    for spec in ["10", "d", "s", ""]:
        add(f"format({value}, '{spec}')" if value != "object" or spec else "format(int, '')")
expressions("""
'{} {}'.format(1, 'a')
'{1} {0} {1}'.format('x', 'y')
'{a} {b!r}'.format(a=1, b='z')
'{0[1]} {0[0]}'.format([5, 6])
'{0[k]}'.format({'k': 7})
'{x.real} {x.imag}'.format(x=3)
'{:{}}|{:>{w}.{p}f}'.format('a', 4, 3.14159, w=8, p=2)
'{{}} {{{}}}'.format(1)
'{!r:>6}|{!s:<4}|'.format('a', 'b')
'{} {}'.format(1)
'{0} {}'.format(1, 2)
'{a}'.format()
'{'.format(1)
'}'.format(1)
'{:d}'.format('a')
'{:d}'.format(1.5)
'{:s}'.format(1)
'{:.2d}'.format(1)
'{:q}'.format(1)
'{:,}'.format('a')
'{!x}'.format(1)
'{:c}'.format(65)
'{0:08.3f}|{0:+e}|{1:#x}'.format(3.14159, 255)
'{:>{}}'.format('x', 5)
'{a:{b}}'.format(a=1, b='03d')
'{!a}'.format('é')
'{:%Y}'.format(5)
'{0.__class__.__name__}'.format(5)
'{:10}|{:10}|{:10}'.format('a', 1, 1.5)
'{:10}|{:<10}'.format(True, False)
'{:}'.format(1.0)
'{:.3}'.format('abcdef')
'{:5}'.format(None)
'{:e}'.format(10**30)
'{:,}'.format(10**30)
'{:,.2f}'.format(1234567)
'{:_}'.format(1234567.891)
format(12345.678, ',')
format(-1234, '010,')
format(1234567, '>+15,')
format(3, '.2f')
format(3, '')
format(True, 'd')
format('a', '\\u00e9^5')
format(1+2j, '.1f')
format(0, ',.2%')
format(12, '08b')
format(-12, '#010b')
format(-255, 'x')
format(255, '#X')
format(2.0, 'd')
format('a', 'd')
format(None)
'{}'.format([1.0, 'a', None])
'{:.1f} {:.1f}'.format(0.25, 0.35)
'{:.3f}'.format(1e-4)
'{0!r}'.format({'a': 0.1})
'{:*^{width}}'.format('mid', width=9)
'{.real:.1f}'.format(2.55)
""")

part("percent formatting")
for x in ints:
    add(f"'%d|%5d|%-5d|%05d|%+d|% d|%x|%X|%o|%#x|%i|%s|%r' % (({x},) * 13)")
expressions("""
'%s' % 'a'
'%s %s' % ('a', 1)
'%r' % 'a'
'%5s|%-5s|' % ('ab', 'cd')
'%.2s' % 'abc'
'%%' % ()
'100%% %d' % 5
'%c%c' % ('a', 98)
'%(a)d %(b)s' % {'a': 1, 'b': 'x'}
'%(a).2f' % {'a': 0.125}
'%d' % 3.99
'%d' % -3.99
'%d' % 'a'
'%f' % 'a'
'%s %s' % ('a',)
'%s' % ('a', 'b')
'%s' % ((1, 2),)
'%s' % [1, 2]
'%s' % None
'%s' % 1.0
'%s' % True
'%d' % True
'%*d' % (5, 42)
'%.*f' % (2, 3.14159)
'%5.1f%%' % 12.25
'%a' % 'é'
'%x' % 255.0
'%q' % 1
'%' % 1
'%s' % {'a': 1}
'%e' % 12345.678
'%G' % 1e-10
'%.3g|%.10g|%g' % (1234.5, 1/3, 1e6)
'%g %g %g' % (100000, 1000000, 0.0001)
'%i' % 7.9
'%u' % 7
'%#o' % 8
'%.0f %.0f %.0f %.0f' % (0.5, 1.5, 2.5, 3.5)
'%.2f' % 2.675
'%.1f' % 0.25
'%.3d' % 5
'%+5d|%-+5d|' % (3, 4)
'% 5d|%05.1f|%-8.2e|' % (3, 2.25, 12345.6789)
'%s and %r' % ('it\\'s', "it's")
'abc' % ()
'abc' % 1
'%s %d %.1f' % ('a', 2, 3)
'%5s' % None
'%10.4s|' % 'abcdefgh'
'%d items' % len([1, 2])
'%s' % (5,)
'%d%%' % 50
'%f' % 1
'%f' % float('nan')
'%5.1f' % float('inf')
'%d' % float('nan')
""")

chance = part("whole numbers")
some = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 17, -17, 100, 255, -256, 1000, 2**31, -2**31, 2**63 + 1, 10**18]
for _ in range(160):
    a, b = chance.choice(some), chance.choice(some)
    op = chance.choice(["//", "%", "+", "-", "*", "/", "&", "|", "^"])
    add(f"({a}) {op} ({b})")
for _ in range(50):
    a, b = chance.choice(some), chance.choice(some)
    add(f"divmod({a}, {b})")
for _ in range(30):
    a, b = chance.choice(some), chance.randint(-3, 70)
    add(f"({a}) {chance.choice(['<<', '>>'])} ({b})")
for _ in range(40):
    a, b = chance.choice([0, 1, -1, 2, -2, 3, -7, 10]), chance.randint(-5, 40)
    add(f"({a}) ** ({b})")
for _ in range(60):
    add(f"pow({chance.choice([3, 2, 7, -4, 10, 123456789, 5])}, {chance.choice([-1, 0, 1, 2, 5, 65, 10**9 + 6, -3])}, {chance.choice([7, 11, 1, -7, 13, 10**9 + 7, 12])})")
for x in ["0", "1", "-1", "5", "255", "256", "-255", "2**64", "True"]:
    for m in ["bit_length()", "bit_count()", "conjugate()", "real", "imag", "numerator", "denominator", "as_integer_ratio()",
              "to_bytes(9, 'big')", "to_bytes(9, 'little')", "__add__(3)", "__class__"]:
        add(f"({x}).{m}")
expressions("""
(1000).to_bytes(2, 'big')
(1000).to_bytes(1, 'big')
(-1).to_bytes(2, 'big')
(-2).to_bytes(2, 'big', signed=True)
(1000).to_bytes(length=4, byteorder='little')
int.from_bytes(b'\\x03\\xe8', 'big')
int.from_bytes(b'\\xff\\xfe', 'big', signed=True)
int.from_bytes([1, 2], 'little')
int('42')
int(' 42 ')
int('-7')
int('+7')
int('1_000')
int('ff', 16)
int('0xff', 16)
int('0xff', 0)
int('0b101', 0)
int('0o17', 0)
int('101', 2)
int('z', 36)
int('12', 3)
int('')
int('a')
int('1.5')
int('12', 2)
int(3.9)
int(-3.9)
int(True)
int(1e20)
int(float('nan'))
int(float('inf'))
int(None)
int([1])
int()
int('9' * 30)
int(b'12')
int('1', base=10)
int(2.5, 10)
int('10', 37)
int('_1')
int('1__0')
int('٣')
float('1.5')
float(' 1e3 ')
float('inf')
float('-Infinity')
float('nan')
float('1_000.5')
float('')
float('a')
float('1,5')
float(3)
float(True)
float('1e')
float(None)
float()
float([1])
float('.5')
float('5.')
float('0x1p3')
float(10**400)
complex('1+2j')
bool([]), bool([0]), bool(''), bool('0'), bool(0.0), bool(None), bool({}), bool(())
hex(255), oct(8), bin(5), hex(-255), bin(-5), oct(-8)
hex(1.5)
abs(-5), abs(5.5), abs(-0.0), abs(True)
abs('a')
1_000_000
0xff, 0o17, 0b11, 1e3, 1E-3, .5, 5.
7 // 2, -7 // 2, 7 // -2, -7 // -2
7 % 3, -7 % 3, 7 % -3, -7 % -3
7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 7.5 % -2
divmod(7.5, 2), divmod(-7.5, 2), divmod(7, -2.5)
divmod(-1e-20, 3)
-1e-20 % 3
5.0 // 0.1, 5.0 % 0.1
1 // 0
1 % 0
1 / 0
1.0 / 0
1.0 // 0
1.0 % 0
0 ** -1
0.0 ** -1
0 ** 0, 0.0 ** 0
2 ** -1, 2 ** 0.5, (-8) ** (1 / 3)
(-2) ** 2, -2 ** 2
2 ** 3 ** 2
2.0 ** 10000
pow(2, 3), pow(2, -1), pow(2.0, 3), pow(2, 0.5)
pow(3, -1, 7)
pow(2, -1, 4)
pow(2, 3, 0)
pow(2.0, 3, 5)
pow(2, 3.0, 5)
pow(base=2, exp=5, mod=3)
pow(True, 2)
1 << -1
1 << 100, (1 << 100) >> 98
~5, ~-1, ~True
True + True, True * 3, -True, sum([True, False, True])
True & False, True | False, True ^ True, True & 1, True + 1.5
not 5, not 0, not ''
5 & 3.0
1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == True
1 == True, 0 == False, 2 == True, 'a' == 1, None == 0, [] == ()
1 is 1, None is None
1 < 'a'
None < 1
[1] < [2], [1, 2] < [1, 3], [1] < [1, 0], (1, 2) < (1, 2, 3), 'a' < 'b', 'Z' < 'a', 'abc' < 'abd'
[1] < ['a']
[1] < (1,)
1 + '1'
'1' + 1
'a' * 3, 3 * 'a', 'a' * 0, 'a' * -1, [1] * 2, (1,) * 2
'a' * 2.0
[1] + (2,)
[1] + [2], (1,) + (2,)
-'a'
+True, -False, +(-3)
10**20 // 3, 10**20 % 7, -(10**20) // 3, -(10**20) % 7
2**100, -2**100, 2**100 - 1, 2**64 * 2**64
(2**100) / 3, (2**100) // 2**98, float(2**100)
hash(1) == hash(1.0) == hash(True)
len({1, 1.0, True})
{1: 'a', True: 'b', 1.0: 'c'}
123456789 * 987654321
int(1e15), int(123456789.987), int(-1e15), int(1e18)
int('1' * 40) % 97
max(1, 2.0), max(2, 2.0), min(True, 1), max(True, 1)
chr(97), chr(8364), ord('a'), ord('€')
chr(-1)
chr(0x110000)
ord('ab')
ord('')
(5).__class__.__name__, type(5).__name__, type(5.0).__name__, type(True).__name__, type(None).__name__, type(1j).__name__
isinstance(5, float), isinstance(5.0, int)
5 .real, 5.0.real, (5).imag, (2.5).imag, (2.5).conjugate()
""")

chance = part("floats")
for x in floats:
    for m in ["is_integer()", "as_integer_ratio()", "hex()"]:
        add(f"({x}).{m}")
    add(f"int({x})")
    add(f"math.floor({x}), math.ceil({x}), math.trunc({x})")
    add(f"divmod({x}, 0.3)")
    add(f"({x}) // 0.7, ({x}) % -0.7")
    add(f"-({x}), abs({x}), ({x}) == ({x}), ({x}) < 1, bool({x})")
expressions("""
float.fromhex('0x1.8p+1')
float.fromhex('-0x1p-2')
float('inf').is_integer()
float('nan').is_integer()
float('inf').as_integer_ratio()
float('nan').as_integer_ratio()
float('inf').hex()
float('nan') == float('nan')
float('nan') != float('nan')
float('inf') - float('inf')
float('inf') * 0
[float('nan')] == [float('nan')]
1e308 + 1e308
0.1 + 0.2 == 0.3
0.1 + 0.2
-0.0
0.0 == -0.0
str(-0.0)
math.copysign(1, -0.0)
1.0.is_integer()
(0.5).as_integer_ratio()
3.0 == 3
type(3 / 1)
7 / 2
6 / 2
1e16 + 1
0.1 + 0.7
1 - 0.9
4.35 * 100
1.1 * 1.1
sum([0.1, 0.2, 0.3])
sum([0.1] * 3)
min(0.0, -0.0)
max(float('nan'), 1)
max(1, float('nan'))
sorted([3.5, -1, 2, 0.5])
float('1e-400'), float('1e400')
1e-323 / 10
float(1) // 1
3.7 // 1, -3.7 // 1, 3.7 % 1, -3.7 % 1
float('1' * 30)
2.5.__round__()
(2.5).__int__()
(7.0).__floordiv__(2)
""")

part("complex numbers")
zs = ["1+2j", "-1j", "0j", "3-4j", "1.5+0.5j", "2j"]
for z in zs:
    each("({}) {} ({})", [z], ["+", "-", "*", "/"], chance.sample(zs, 2) + ["2", "0.5"])
    each("({}){}", [z], [".real", ".imag", ".conjugate()"])
    add(f"abs({z})")
    add(f"str({z})")
    add(f"bool({z})")
    add(f"-({z})")
expressions("""
complex(1, 2)
complex(1)
complex('1+2j')
complex('j')
complex()
complex(1.5, -0.0)
(1+2j) ** 2
(1+2j) == (1+2j)
1j * 1j
1j < 2j
int(1j)
float(1+0j)
(1+2j) // 2
abs(3+4j)
1+0j == 1
[1j, 2+3j]
f'{1+2j}'
round(1j)
(-1) ** 0.5
isinstance(1j, complex)
1 / 0j
sum([1j, 2])
hash(1+0j) == hash(1)
""")

part("math")
for f in "sqrt exp log log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh degrees radians expm1 log1p erf erfc gamma lgamma fabs floor ceil trunc isnan isinf isfinite frexp modf".split():
    for x in "0 1 0.5 -0.5 2 10 1e-5 float('inf') float('nan') -1".split():
        # The last digit of these is the C library's own.
        if f in "sqrt fabs floor ceil trunc isnan isinf isfinite frexp modf".split():
            add(f"math.{f}({x})")
        else:
            add(f"format(math.{f}({x}), '.12g')")
for a, b in [(12, 18), (0, 5), (-4, 6), (7, 13), (2**40, 2**20 * 3), (0, 0)]:
    add(f"math.gcd({a}, {b}), math.lcm({a}, {b})")
for f in ["comb", "perm"]:
    each("math." + f + "({}, {})", [0, 1, 5, 10, 30], [0, 1, 3, 5])
for n in [0, 1, 5, 10, 20, 30]:
    add(f"math.factorial({n})")
for n in [0, 1, 2, 3, 15, 16, 17, 10**6, 10**20, 10**30 + 1]:
    add(f"math.isqrt({n})")
expressions("""
math.factorial(-1)
math.factorial(2.5)
math.isqrt(-1)
math.comb(-1, 2)
math.comb(5, 2.0)
math.perm(5)
math.gcd()
math.gcd(1.5, 2)
math.gcd(12, 18, 27)
math.lcm(2, 3, 4)
math.sqrt(-1)
math.log(0)
math.log(-1)
math.log(8, 2)
math.log(100, 10)
math.log2(8), math.log10(1000)
math.log(10**400)
math.exp(1000)
math.pow(2, 3), math.pow(2, 0.5)
math.pow(-1, 0.5)
math.hypot(3, 4), math.hypot(1, 2, 2)
math.dist([0, 0], [3, 4])
math.dist([0], [3, 4])
math.prod([1, 2, 3]), math.prod([], start=5), math.prod([1.5, 2])
math.fsum([0.1] * 10)
math.fsum([1e16, 1, -1e16])
math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3)
math.remainder(5, 3), math.remainder(7, 2), math.remainder(-5, 3), math.remainder(5, 2)
math.copysign(3, -1)
math.isclose(0.1 + 0.2, 0.3), math.isclose(1, 1.1), math.isclose(1, 1.1, rel_tol=0.2), math.isclose(0, 1e-10), math.isclose(0, 1e-10, abs_tol=1e-9)
math.pi, math.e, math.tau, math.inf, math.nan
math.ldexp(0.5, 3)
math.exp2(3), math.exp2(0.5)
math.atan2(1, 1), math.atan2(-1, -1)
math.floor(2.7), math.floor(-2.7), math.ceil(2.1), math.ceil(-2.1), math.trunc(-2.7), math.floor(5), math.ceil(5)
math.floor(1e20), math.ceil(-1e20), math.trunc(1e17)
math.floor(float('nan'))
math.floor(float('inf'))
math.floor('a')
math.nextafter(1, 2)
math.ulp(1.0)
math.sqrt('a')
math.sqrt(True)
math.sqrt(10**30)
math.degrees(math.pi), math.radians(180)
math.modf(3.25), math.modf(-3.25)
math.frexp(10)
math.fabs(-3)
math.isnan(float('nan')), math.isinf(float('-inf')), math.isfinite(1)
math.nosuch(1)
math.acos(2)
math.gamma(5), math.gamma(0.5)
math.gamma(0)
math.erf(0.5)
math.hypot(), math.hypot(-3), f'{math.hypot(1e200, 1e200):.12g} {math.cbrt(-8):.12g}'
type(math.floor(2.5)), type(math.sqrt(4)), type(math.pow(2, 2))
""")
