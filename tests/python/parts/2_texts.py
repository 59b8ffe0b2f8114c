texts = ["''", "'a'", "'abc'", "'Hello World'", "'  two  words '", "'a,b,,c'", "'héλlo'", "'123'", "'-4.5'", "'aAbB1'", "'\\tx\\n'",
         "'they\\'re 2nd'", "'ßıİ'", "'ÀÉÎ'", "'x=1;y=2'"]

part("methods of texts without arguments")
for m in """upper lower title capitalize swapcase casefold strip lstrip rstrip split splitlines isalpha isdigit isalnum
isspace isupper islower istitle isnumeric isdecimal isidentifier isascii isprintable encode __len__ expandtabs""".split():
    each("{}." + m + "()", texts)

part("methods of texts")
for call in """split(',') split('a') split(' ') split(',',1) split(None,1) split(sep=',',maxsplit=1) rsplit(',',1) rsplit(None,1) rsplit()
partition(',') rpartition(',') find('a') find('z') rfind('a') find('a',2) find('',1) index('a') rindex('a') count('a') count('')
count('a',1,3) replace('a','X') replace('','-') replace('a','X',1) startswith('a') startswith(('x','a')) endswith('c') endswith(('d','c'))
startswith('b',1) strip('a') lstrip('abc') rstrip('c ') center(9) center(10,'*') ljust(9) ljust(9,'.') rjust(9) rjust(9,'.') zfill(8) zfill(2)
join(['x','y']) join('xyz') join([]) removeprefix('a') removesuffix('c') removeprefix('Hello ') splitlines(True) expandtabs(4)
__contains__('a') __add__('z') encode('utf-8') isdigit() translate({97:'Z',98:None})""".split():
    for text in texts[1:12]:
        add(f"{text}.{call}")

part("texts")
expressions(r"""
'abc'.index('z')
'abc'.rindex('z')
'abc'.split('')
'abc'.join([1, 2])
'a-b'.join('xy')
'abc'.replace('b', 'x', -1)
'abc'.nosuch()
'abc'.center(8, 'xy')
'+5'.zfill(4), '-5'.zfill(4), 'ab'.zfill(4)
'a\nb\r\nc\n'.splitlines()
'a\nb\r\nc\n'.splitlines(keepends=True)
'line one\nline two'.split('\n')
str.maketrans('abc', 'xyz')
'aabbcc'.translate(str.maketrans('abc', 'xyz'))
'aabbcc'.translate(str.maketrans('ab', 'xy', 'c'))
'aabbcc'.translate(str.maketrans({'a': '1', 'b': None}))
'a\tb'.expandtabs()
'é'.encode()
'é'.encode('utf-8')
'é'.encode('ascii')
'é'.encode('ascii', 'ignore')
'é'.encode('latin-1')
b'abc'.decode()
b'\xc3\xa9'.decode('utf-8')
b'\xff'.decode('utf-8')
'abc' 'def'
'abc'[0], 'abc'[-1], 'abc'[1:], 'abc'[::-1], 'abcdef'[1:5:2], 'abcdef'[-3:-1], 'abc'[5:]
'abc'[3]
'abc'['a']
'abc'[1.0]
'a' in 'abc', 'bc' in 'abc', 'x' in 'abc', '' in 'abc', 'x' not in 'abc'
1 in 'abc'
'abc' + 'def', 'ab' * 3
len('héλ'), len(''), len('a\n')
'abc' == 'abc', 'abc' != 'abd', 'abc' < 'abd', 'a' < 'B', 'abc' >= 'ab'
min('hello'), max('hello'), sorted('hello'), list('abc'), tuple('abc'), ''.join(reversed('abc'))
list(enumerate('ab')), list(zip('ab', 'cd'))
'"', "'", "it's", 'say "hi"', 'both \' and "'
'\n', '\t', '\\', '\r', '\0', '\x07', '\x1b', '\x7f'
'é', 'λ', '€', '😀', '\u200b', '\xa0', '\ud7ff', '\xad'
'\u00e9' == 'é', '\x41', '\101', '\N{BULLET}'
r'\n', b'a', rb'\n', b'\x00\xff', b"it's", f'{1}', u'a'
ascii('é'), ascii('a'), ascii(['λ'])
repr('a'), str('a'), repr("it's"), repr('"'), str(1), str(1.0), str(None), str([1, 'a']), str(True)
str(b'abc')
str(b'abc', 'utf-8')
str()
str(object=5)
'%s' % 'é', '{}'.format('é'), f"{'é'!r}", f"{'é'!a}"
'hello world'.title(), "they're bill's".title(), 'x1y2'.title(), 'HELLO'.capitalize(), 'hELLO wORLD'.swapcase()
'abc'.islower(), 'ABC'.isupper(), 'aBc'.islower(), '1a'.islower(), ''.islower(), '1'.isupper()
'²'.isdigit(), '½'.isnumeric(), '٣'.isdecimal(), '٣'.isdigit(), 'Ⅷ'.isnumeric()
'a b\tc\nd'.split(), ' a  b '.split(), ' a  b '.split(' '), ''.split(), ''.split(',')
'a.b.c'.rsplit('.', 1), 'a.b.c'.split('.', -1), 'abc'.split('b')
'1,2,3'.split(','), [int(x) for x in '1 2 3'.split()], sum(map(int, '1 2 3'.split()))
'a=b=c'.partition('='), 'abc'.partition('='), 'a=b=c'.rpartition('=')
'abc'.partition('')
','.join(str(x) for x in range(5)), ', '.join(map(str, [1, 2.5, None])), ''.join(['a', 'b'])
'-'.join({'a': 1, 'b': 2})
'Mississippi'.count('ss'), 'aaaa'.count('aa'), 'aaaa'.replace('aa', 'b'), 'aaaa'.find('aa', 1)
'abcabc'.find('c', 3), 'abcabc'.rfind('c', 0, 5), 'abc'.find('c', -1), 'abcabc'.index('b', 2)
'xxabcxx'.strip('x'), 'www.example.com'.strip('cmowz.'), '   spacious   '.lstrip(), 'mississippi'.rstrip('ipz')
'TestHook'.removeprefix('Test'), 'TestHook'.removesuffix('Hook'), 'a'.removeprefix('ab')
ord('a') - ord('A'), chr(ord('a') + 1), [chr(c) for c in range(97, 102)]
'ab' < 'abc' < 'b', sorted(['b', 'A', 'a', 'B']), sorted(['b', 'A'], key=str.lower), max(['aa', 'b'], key=len)
list(map(str.upper, ['a', 'b'])), list(map(len, ['a', 'bb'])), sorted('bca', reverse=True), list(map(str.strip, [' a ', 'b ']))
str.upper('abc'), str.join('-', ['a', 'b']), str.split('a b'), str.replace('aa', 'a', 'b'), str.title('ab cd'), str.isdigit('5')
'abc'.__len__(), 'abc'.__class__.__name__, 'abc'.__eq__('abc'), 'abc'.__getitem__(1), 'abc'.__contains__('b')
'a'.isalpha() and not '1'.isalpha(), 'é'.isalpha(), 'a1'.isalnum(), ' '.isspace(), '\n'.isspace(), 'Ab'.istitle()
''.isalpha(), ''.isdigit(), ''.isalnum(), ''.isspace(), ''.isascii(), ''.isprintable()
'É'.lower(), 'é'.upper(), 'ß'.upper(), 'Straße'.casefold(), 'ΣΑΣ'.lower(), 'ǆ'.title()
'a\x00b', '\x80', '\u0100', '\uffff', '\U0001F600', '\U000e0001'
'tab\there', "new\nline", 'back\\slash'
'a' if 'a' else 'b', '' or 'default', 'x' and 'y', not 'x'
'abc'.startswith(''), ''.startswith('a'), 'abc'.endswith('', 3), 'abc'.startswith('bc', 1, 3)
'abc'.startswith(['a'])
'abc'.startswith(1)
'one two three'.split(maxsplit=1), 'one two three'.rsplit(maxsplit=1)
'a' + 1
'a' - 'b'
'abc'.upper
""".replace("'abc'.upper\n", ""))
programs(r"""
s = 'abc'
s[0] = 'x'
---
s = 'abc'
del s[0]
---
s = 'abc'
s += 'def'
print(s)
s *= 2
print(s)
---
name, age = 'Ann', 30
print(f'{name} is {age}', f'{name!r:>8}', f'{age:5d}|', f'{age / 7:.3f}', f'{name:*^9}', f'{age + 1=}', f'{name=}', f'{age=:05d}', f'{ age = }')
---
w, p, x = 10, 3, 3.14159
print(f'{x:{w}.{p}f}|{x:<{w}}|{x:>+{w}.1e}|{"a":{"*"}^{w}}')
---
d = {'k': [1, 2, {'z': 3}]}
print(f"{d['k'][2]['z']} {d['k'][:2]} {len(d)} {d}")
---
print(f'{1 + 1} {{literal}} {"nested"!r} {[i for i in range(3)]} {(lambda x: x * 2)(4)}')
---
x = 5
print(f'{x if x > 3 else 0} {x > 3} {x == 5 and "yes"} {x!s} {x!r} {x!a}')
---
x = 1234567.891
print(f'{x:,.2f} {x:.2e} {x:,} {int(x):,} {x:_.1f} {x:>15,.1f}| {x:<15,.1f}| {-x:,.0f}')
---
x = None
print(f'{x} {x!r} {x=}')
print(f'{x:10}')
---
print(f'''multi
{1
 + 2} line''')
---
print('a', 'b', sep='-', end='!\n')
print()
print(1, 2.0, None, True, [1], 'x', sep='|')
print(*[1, 2, 3], sep=', ')
print('a\tb\\n')
print('no end', end='')
print('', end='')
print(sep='x')
---
print('a', sep=None, end=None)
---
print('a', sep=1)
---
print('x', nosuch=1)
---
for word in 'the quick brown fox'.split():
    print(word.capitalize(), word[::-1], len(word), word.ljust(6, '.'), word.center(7, '-'))
---
import string
print(string.ascii_lowercase, string.ascii_uppercase, string.ascii_letters, string.digits, string.hexdigits, string.octdigits)
print(string.punctuation)
print(repr(string.whitespace))
print(string.capwords('hello  world'))
---
import string
print(string.Template('$a and ${b} $$').substitute(a=1, b='x'))
---
print(len(string.printable))
import string
---
import string
print(len(string.printable), string.printable[:10])
---
text = '''one
two'''
for i, line in enumerate(text.splitlines(), start=1):
    print(f'{i:>3}: {line}')
---
import textwrap
print(textwrap.dedent('''
    a
      b
    ''').strip())
---
import textwrap
print(textwrap.fill('the quick brown fox jumps', 10))
---
caesar = ''.join(chr((ord(c) - 97 + 3) % 26 + 97) if c.isalpha() else c for c in 'xyz abc')
print(caesar)
---
def is_palindrome(s):
    s = ''.join(c.lower() for c in s if c.isalnum())
    return s == s[::-1]
print(is_palindrome('A man, a plan, a canal: Panama'), is_palindrome('no'))
---
counts = {}
for c in 'mississippi':
    counts[c] = counts.get(c, 0) + 1
print(counts, sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))
---
print("%-10s|%5d|%8.3f" % ("name", 42, 3.14159))
print("%s" % (1, ))
print("{:<10}|{:>5}|{:^8.2f}".format("name", 42, 3.14159))
---
a = 'x'
b = a
a += 'y'
print(a, b, a is b)
---
print(bytes([1, 2, 255]), bytes(3), bytes('é', 'utf-8'), bytes(b'ab'), list(b'ab'), b'ab'[0], b'ab'[0:1], b'a' + b'b', b'a' * 2)
---
print(bytearray(b'abc'), bytearray(2))
b = bytearray(b'abc')
b[0] = 65
b.append(100)
b += b'x'
print(b, len(b), b[1], bytes(b))
---
print(b'abc'.hex(), bytes.fromhex('616263'), b'a,b'.split(b','), b' a '.strip(), b'abc'.upper(), b'abc'.find(b'c'), b'abc'.startswith(b'a'))
---
print(b'abc' == 'abc', b'abc' == b'abc', 97 in b'abc', b'b' in b'abc')
---
print('a' b'c')
---
s = 'naïve café'
print(len(s), s.upper(), s.title(), s[::-1], s.encode('utf-8'), len(s.encode()))
---
print('abc'.isidentifier(), '1a'.isidentifier(), 'class'.isidentifier())
---
import re
print(re.findall(r'\d+', 'a1b22c333'), re.findall(r'(\w)(\d)', 'a1b2'), re.findall(r'[aeiou]', 'education'))
---
import re
print(re.sub(r'\s+', ' ', 'a   b \t c'), re.sub(r'(\w+) (\w+)', r'\2 \1', 'hello world'), re.sub('a', lambda m: m.group().upper(), 'banana', count=2))
---
import re
m = re.match(r'(\w+)@(\w+)\.com', 'user@host.com')
print(m.group(), m.group(0), m.group(1), m.groups(), m.start(), m.end(2), m.span(), m.group(1, 2), m[2], bool(m))
---
import re
m = re.search(r'(?P<year>\d{4})-(?P<month>\d\d)', 'on 2024-05-06')
print(m.group('year'), m.groupdict(), m['month'], m.start('month'))
---
import re
print(re.match('b', 'abc'), re.search('z', 'abc'), re.fullmatch('a+', 'aaa') is not None, re.fullmatch('a', 'ab'))
---
import re
print(re.split(r'[,;]\s*', 'a, b;c,d'), re.split(r'(-)', 'a-b-c'), re.split(',', 'a,b,c', maxsplit=1))
---
import re
p = re.compile(r'\b[a-z]+\b', re.IGNORECASE)
print(p.findall('Hello big World 42'), p.pattern, [m.start() for m in p.finditer('ab cd')])
---
import re
print(re.findall(r'^\w', 'ab\ncd', re.MULTILINE), re.findall('a.c', 'a\nc', re.S), re.escape('a.b*c'))
---
import re
print(re.findall(r'a{2,3}', 'aaaaa'), re.findall(r'a+?', 'aaa'), re.findall(r'(?:ab)+', 'ababab'), re.findall(r'x*', 'axb'))
---
import re
print(re.sub(r'(?<=a)b', 'X', 'ab cb'), re.findall(r'\w+(?=!)', 'hi! there!'), re.findall(r'(?i)abc', 'ABC abc'))
---
import re
print(re.subn('a', 'b', 'banana'), re.findall(r'(a)|(b)', 'ab'), re.match('(a)?b', 'b').groups())
---
import re
print(re.match('a', 'abc'))
---
import re
re.compile('(')
---
import re
print(re.findall(r'[^\W\d_]+', 'ab1_cd'), re.findall(r'\bfoo\b', 'foo foobar foo'), re.sub('^', '> ', 'a\nb', flags=re.M))
---
import re
print(re.findall(r'(\d+)-\1', '12-12 3-4'), re.match(r'[\w.]+', 'a.b c').group(), re.findall('[a-c]|z', 'abz'))
""")
