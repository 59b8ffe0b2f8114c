import { beforeAll, describe, expect, it } from 'vitest';
import { Arrays } from '#client/arrays';
import { courseModules, missingImports } from '../../web/src/exercises/python/course-modules';
import type { Python } from '../../web/src/exercises/python/interpreter';
import { lint, whyRefused } from '../../web/src/exercises/python/lint';
import { adaptGlue } from '../../web/src/exercises/python/micropython-glue';
import { adapt } from '../../web/src/exercises/python/rewrite-for-micropython';
import { maxPrint } from '../../web/src/exercises/runtime';
import type { ArrayValue, ParameterType, Value } from '../../web/src/exercises/types';
import { arraysWasm, openPython } from '../tools/python-parts.mjs';

let make: Awaited<ReturnType<typeof openPython>>['createPython'];

beforeAll(async () => {
  make = (await openPython()).createPython;
}, 60_000);

const matrix = (rows: number, cols: number, data: readonly number[]): ArrayValue => ({
  kind: 'array',
  dtype: 'float64',
  shape: [rows, cols],
  data: Float64Array.from(data),
});

async function loaded(code: string, entry: string, parameters: ParameterType[] = []) {
  const python = await make();
  const result = python.load({ code, entry, parameters });
  expect(result.loadError).toBeUndefined();
  return python;
}

/** Serves the calls of one function each, as the page's interpreter serves our own code. */
let kept: Python | undefined;
/** After one of these errors the interpreter itself may have stopped. */
const mayHaveStopped = /^(?:MemoryError|RuntimeError|RecursionError)$/;

async function once(code: string, entry: string, args: Value[], parameters: ParameterType[] = []) {
  kept ??= await make();
  const { loadError } = kept.load({ code, entry, parameters });
  expect(loadError).toBeUndefined();
  const outcome = kept.call(args);
  if (outcome.error && mayHaveStopped.test(outcome.error.type)) kept = undefined;
  return outcome;
}

describe('a function of the student', () => {
  it('takes arrays, numbers and None, and gives back arrays', async () => {
    const { value, error } = await once(
      'import numpy as np\ndef f(A, scale, k, mask):\n    return A @ A.T * scale, k + 1, mask is None',
      'f',
      [matrix(2, 2, [1, 2, 3, 4]), 2, 3, null],
      ['matrix', 'number', 'integer', 'matrix'],
    );
    expect(error).toBeUndefined();
    expect(value).toEqual([matrix(2, 2, [10, 22, 22, 50]), 4, true]);
  });

  it('gets a float where a number is declared, and an int where an integer is', async () => {
    const { value } = await once(
      'def f(a, b, c): return [type(x).__name__ for x in (a, b, c[0])]',
      'f',
      [2, 2, [16]],
      ['number', 'integer', 'numbers'],
    );
    expect(value).toEqual(['float', 'int', 'int']);
  });

  it('returns dicts in the order in which they were filled, NaN and infinities', async () => {
    const { value } = await once(
      'def f(): return {"zeta": float("nan"), "alpha": -float("inf"), "mid": 1.5}',
      'f',
      [],
    );
    expect(value).toEqual({
      kind: 'dict',
      entries: { zeta: Number.NaN, alpha: Number.NEGATIVE_INFINITY, mid: 1.5 },
    });
    expect(Object.keys((value as { entries: object }).entries)).toEqual(['zeta', 'alpha', 'mid']);
  });

  it('calls functions that it receives as arguments', async () => {
    const { value, error } = await once('def f(phi, x): return phi(x)', 'f', [
      { kind: 'given', name: 'relu' },
      matrix(1, 3, [-1, 0, 2]),
    ]);
    expect(error).toBeUndefined();
    expect(value).toEqual(matrix(1, 3, [0, 0, 2]));
  });

  it('does not find np without an import', async () => {
    const { error } = await once('def f():\n    return np.pi', 'f', []);
    expect(error).toMatchObject({ type: 'NameError', line: 2 });
    expect(error?.message).toContain('`np`');
  });

  it('receives tensors when its file imports torch', async () => {
    const { value, error } = await once(
      'import torch\ndef f(x): return x.transpose(-2, -1).max(dim=-1, keepdim=True)[0]',
      'f',
      [matrix(2, 3, [1, 2, 3, 4, 5, 6])],
      ['matrix'],
    );
    expect(error).toBeUndefined();
    expect(value).toEqual(matrix(3, 1, [4, 5, 6]));
  });

  it('prints separately for each call, up to the limit', async () => {
    const python = await loaded(
      'print("top")\ndef f(n):\n    for i in range(n): print("x" * 99)',
      'f',
      ['integer'],
    );
    expect(python.call([2]).prints).toBe(`${'x'.repeat(99)}\n`.repeat(2));
    const { prints } = python.call([1000]);
    expect(prints.length).toBeLessThan(maxPrint + 40);
    expect(prints).toContain('more was printed');
    expect(python.call([0]).prints).toBe('');
  });

  it('passes printed text to a hook at once', async () => {
    const said: string[] = [];
    const python = await make({ hooks: { onPrint: (text) => said.push(text) } });
    python.runScript('print(1, 2, sep="-", end="!")\nprint("φ", flush=True)');
    expect(said.join('')).toBe('1-2!φ\n');
  });

  it('is counted by the work of its arrays', async () => {
    const code = 'def f(A, B): return A @ B';
    const ones = (r: number, c: number) => matrix(r, c, Array(r * c).fill(1));
    const { counts } = await once(code, 'f', [ones(3, 4), ones(4, 5)], ['matrix', 'matrix']);
    expect(counts.multiplyAdds).toBe(3 * 4 * 5);
    expect(counts.touched).toBe(3 * 4 + 4 * 5 + 3 * 5);
  });

  it('counts what the interpreter does, when asked, and nothing in Python reaches the counter', async () => {
    const python = await make();
    const work = (body: string, before = '', countEntries = true) => {
      const code = `${before}\ndef f(n):\n${body}\n    return 0`;
      python.load({ code, entry: 'f', parameters: ['integer'], countEntries } as Parameters<
        Python['load']
      >[0]);
      return [200, 2000].map((n) => {
        const { error, counts } = python.call([n]);
        expect(error, body).toBeUndefined();
        return counts.touched;
      }) as [number, number];
    };
    expect(work('    for i in range(n): pass', '', false)).toEqual([0, 0]);
    for (const [body, before = ''] of [
      ['    for i in range(n): pass'],
      ['    i = 0\n    while i < n: i += 1'],
      ['    [i * i for i in range(n)]'],
      ['    sum(i for i in range(n))'],
      ['    sum(map(lambda i: i, range(n)))'],
      ['    def g(x=[i * i for i in range(n)]): pass'],
      ['    exec("for i in range(%d): pass" % n)'],
      ['    eval("sum(i for i in range(%d))" % n)'],
      ['    for i in range(n // 50): g(50)', 'def g(n): return n and g(n - 1)'],
      ['    kept(n)', 'kept = (lambda: lambda n: [0 for _ in range(n)])()'],
      ['    sorted([i * 7919 % n for i in range(n)], key=lambda i: i)'],
      ['    list(zip(range(n), range(n)))'],
      ['    sum(range(n))'],
      ['    max(range(n))'],
      ['    list(filter(None, range(n)))'],
      [
        '    for i in range(n): pass',
        'import _adapt\n_adapt.counted = lambda: "0"\n_adapt._largest = 0',
      ],
      [
        '    for i in range(n): pass',
        'import builtins\nfor k in dir(builtins):\n    if k.startswith("__attn"): setattr(builtins, k, lambda *a: a[0])',
      ],
      ['    for i in range(n): pass\n    import _run\n    _run.counted = lambda: "0"'],
      ['    import _host\n    for i in range(n): pass\n    _host.write = None'],
    ] as const) {
      const [few, many] = work(body, before);
      expect(many, `${before}\n${body}`).toBeGreaterThan(250);
      expect(many / few, `${before}\n${body}`).toBeGreaterThan(4);
    }
  });

  it('is counted by what lists hold, however they grew', async () => {
    const python = await make();
    const largest = (body: string, before = '') => {
      const code = `import numpy as np\n${before}def f(n):\n    x = np.ones(n)\n${body}`;
      python.load({
        code,
        entry: 'f',
        parameters: ['integer'],
        countEntries: true,
        countLists: true,
      } as Parameters<Python['load']>[0]);
      const { counts, error } = python.call([40]);
      expect(error, body).toBeUndefined();
      return counts.largest;
    };
    for (const quadratic of [
      '    rows = []\n    for i in range(n): rows.append(x * i)\n    return len(rows)',
      '    rows = [None] * n\n    for i in range(n): rows[i] = x * i\n    return len(rows)',
      '    rows = [x * i for i in range(n)]\n    return len(rows)',
      '    rows = list()\n    for i in range(n): rows += [x * i]\n    return len(rows)',
      '    rows = ()\n    for i in range(n): rows = rows + (x * i,)\n    return len(rows)',
      '    rows = {}\n    for i in range(n): rows[i] = x * i\n    return len(rows)',
      `    rows = []
    for i in range(n):
        row = []
        rows.append(row)
        for j in range(n): row.append(i * j)
    return len(rows)`,
    ]) {
      expect(largest(quadratic), quadratic).toBe(40 * 40);
    }
    for (const linear of [
      '    rows = []\n    for i in range(n): rows.append(float(x[i]))\n    return len(rows)',
      '    rows = [x for _ in range(n)]\n    return len(rows)',
      '    for i in range(n): row = [i * j for j in range(n)]\n    return len(row)',
    ]) {
      expect(largest(linear), linear).toBe(40);
    }
    // There are more lists than are held on, and the growing one is among those that are.
    const many = `    rows = []
    for i in range(n):
        block = [[i * j for j in range(3)] for k in range(n)]
        rows.append([sum(three) for three in block])
    return len(rows)`;
    expect(largest(many)).toBe(40 * 40);
  });

  it('leaves no arrays behind', async () => {
    const arrays = await Arrays.load(arraysWasm());
    const python = await make({ arrays });
    python.load({
      code: 'import numpy as np\ndef f(n):\n    return [np.ones((n, n)) for _ in range(10)][0].sum()',
      entry: 'f',
      parameters: ['integer'],
    });
    python.call([10]);
    const { live, liveBytes } = arrays;
    for (let i = 0; i < 20; i++) expect(python.call([100]).value).toBe(10_000);
    expect(arrays.live).toBe(live);
    expect(arrays.liveBytes).toBe(liveBytes);
  });

  it('gets an error when it uses an array of an earlier call', async () => {
    const python = await loaded(
      'import numpy as np\nkept = []\ndef f():\n    kept.append(np.ones(3))\n    return kept[0].sum()',
      'f',
    );
    expect(python.call([]).value).toBe(3);
    expect(python.call([]).error?.message).toContain('earlier call');
  });

  it('keeps arrays that its top level made', async () => {
    const python = await loaded('import numpy as np\nW = np.eye(2)\ndef f(): return W.sum()', 'f');
    for (let i = 0; i < 3; i++) expect(python.call([]).value).toBe(2);
  });
});

describe('several interpreters', () => {
  it('work side by side', async () => {
    const a = await loaded('n = 0\ndef f():\n    global n\n    n += 1\n    return n', 'f');
    const b = await loaded('n = 10\ndef f():\n    global n\n    n += 1\n    return n', 'f');
    expect([a.call([]), b.call([]), a.call([]), b.call([])].map(({ value }) => value)).toEqual([
      1, 11, 2, 12,
    ]);
  });

  it('forget a file when another is loaded', async () => {
    const python = await loaded('def f(): return 1\nx = 5', 'f');
    python.load({ code: 'def f(): return x', entry: 'f', parameters: [] });
    expect(python.call([]).error?.type).toBe('NameError');
  });
});

describe('errors', () => {
  const load = async (code: string, entry = 'f') => {
    kept ??= await make();
    return kept.load({ code, entry, parameters: [] }).loadError;
  };

  it.each([
    ['def f(:\n    pass', 1, 'bracket'],
    ['def f()\n    return 1', 1, 'colon'],
    ['x = (1, 2\ndef f(): pass', 1, 'bracket'],
    ['def f():\nreturn 1', 1, 'indented'],
    ['def f():\n    print("a)\n', 2, 'quote'],
    ['def f():\n    if x = 3:\n        pass', 2, '=='],
    ['def f():\n    x = 1 +\n', 2, 'missing'],
    ['def f():\n    print "a"', 2, 'brackets'],
    ['def f(): pass\n  x = 1', 2, 'indented'],
    ['def f():\n    match 1:\n        case 1: pass', 2, '`match`'],
    ['def f():\n    return *[1], 2', 2, 'brackets'],
    ['return 1', 1, 'outside'],
  ])('before it runs: %j', async (code, line, word) => {
    const error = await load(code);
    expect(error?.type).toMatch(/^(SyntaxError|IndentationError)$/);
    expect(error?.message).toContain(word);
    if (error?.line !== undefined) expect(error.line).toBe(line);
  });

  const before = 'import numpy as np\n\n\ndef f(Q, K):\n    S = Q.T @ K\n';
  it.each([
    ['    return g(Q) @ S)\n', 6, 20, 'There is no open bracket for this `)`.'],
    ['    return (g(Q) @ S', 6, 12, '`(` that opens here is never closed'],
    ['    return Q[0\n', 6, 13, '`[` that opens here is never closed'],
    ['    return {"a": 1\n', 6, 12, '`{` that opens here is never closed'],
    ['    return Q[0;]\n', 6, 13, '`[` that opens here is never closed'],
    ['    x = np.sum(Q\n    return x\n', 6, 15, '`(` that opens here is never closed'],
    ['    return np.array([1, 2}\n', 6, 26, 'Write `]`'],
    ['    retrun Q @ S\n', 6, 5, 'Did you mean `return`?'],
    ['    Return Q', 6, 5, 'Did you mean `return`?'],
    ['    return S = 3\n', 6, 14, '`return` gives a value back'],
    ["    return 'abc", 6, 12, 'quote that opens here is never closed'],
    ['    return """abc\n', 6, 12, 'quote that opens here is never closed'],
    ['    if S is None\n        return Q\n', 6, 16, 'A colon `:` is missing'],
    ['    while True\n        return Q', 6, 14, 'A colon `:` is missing'],
    ['    if S is None:\n        return Q\n    else\n        return S\n', 8, 8, 'A colon'],
    ['    if S is None:\n    return S\n', 6, 17, 'comes an indented line'],
    ['      return S\n', 6, 7, 'indented by mistake'],
    ['  return S\n', 6, 3, 'indented like none'],
    ['    return S K\n', 6, 14, '`S` and `K` stand side by side'],
    ['    return 3S\n', 6, 13, '`3` and `S` stand side by side'],
    ['    return S @ @ Q\n', 6, 14, 'missing after this sign'],
    ['    return S +\n', 6, 14, 'missing after this sign'],
    ['    return .T\n', 6, 12, 'missing before this sign'],
    ['    return S if Q\n', 6, 17, 'also needs an `else`'],
    ['    return lambda x\n', 6, 19, 'colon is missing'],
    ['    return Q && S\n', 6, 14, 'Write `and`'],
    ['    return Q – S\n', 6, 14, 'Write `-`'],
    ['    lambda = 3\n    return Q', 6, 5, '`lambda` is a word of Python itself'],
    ['    elif S:\n        return S\n', 6, 5, '`elif` belongs to nothing'],
    ['    return return S\n', 6, 12, '`return` begins a statement of its own'],
    ['\n\ndfe g(Q):\n    return Q\n', 8, 1, 'Did you mean `def`?'],
    ['\n\nfucntion g(Q):\n    return Q\n', 8, 1, 'Did you mean `def`?'],
    ['\n\nform math import sqrt\n', 8, 1, 'Did you mean `from`?'],
    ['\n\nimport math a m\n', 8, 8, 'An import is written'],
  ])('of syntax say what is wrong, and where: %j', async (end, line, column, words) => {
    const error = await load(before + end);
    expect(error).toMatchObject({ line, column });
    expect(error?.type).toMatch(/^(SyntaxError|IndentationError)$/);
    expect(error?.message).toContain(words);
    expect(error?.said?.id).toMatch(/^run\./);
  });

  it('name the function that is missing from the file', async () => {
    expect((await load('def g(): pass'))?.message).toContain('`f`');
    expect((await load('f = 3'))?.message).toContain('no function');
  });

  it.each([
    ['return undefined_name', 'NameError', '`undefined_name`'],
    ['return [1, 2][5]', 'IndexError', 'begins at 0'],
    ['return {"a": 1}["b"]', 'KeyError', '`b`'],
    ['return None + 1', 'TypeError', 'None'],
    ['return "a" + 1', 'TypeError', '`+`'],
    ['return [1, 2].shape', 'AttributeError', 'np.array'],
    ['return np.ones((2, 3)) @ np.ones((2, 3))', 'ValueError', 'transpose'],
    ['return np.ones((2, 3)) + np.ones((3, 3))', 'ValueError', '(2,3) (3,3)'],
    ['return np.ones(3)[7]', 'IndexError', 'size 3'],
    ['return np.fft.fft(np.ones(3))', 'AttributeError', 'np.fft'],
    ['return np.ones(3).unsqueeze(0)', 'AttributeError', 'expand_dims'],
    ['import matplotlib.animation', 'ModuleNotFoundError', 'only matplotlib.pyplot'],
    ['import pandas', 'ModuleNotFoundError', 'pandas'],
    ['return 1 / 0', 'ZeroDivisionError', 'zero'],
    ['return f()', 'RecursionError', 'itself'],
    ['return [0] * 10**9', 'MemoryError', 'memory'],
    ['return np.zeros((100000, 100000))', 'MemoryError', 'memory'],
    ['raise ValueError("my own words")', 'ValueError', 'my own words'],
    ['raise NotImplementedError("not written yet")', 'NotImplementedError', 'not written yet'],
    ['if np.ones(3) > 0: pass', 'ValueError', 'np.where'],
    ['return open("x")', 'RuntimeError', 'disk'],
    ['return np.ones(2).sum', 'TypeError', 'call it'],
    ['assert 1 == 2, "one is not two"', 'AssertionError', 'one is not two'],
  ])('while it runs: %s', async (line, type, words) => {
    const { error } = await once(`import numpy as np\ndef f():\n    ${line}`, 'f', []);
    expect(error?.type).toBe(type);
    expect(error?.message).toContain(words);
    if (!line.endsWith('.sum')) expect(error?.line).toBe(3);
  });

  it('leave the interpreter working', async () => {
    const python = await loaded('def f(x): return 10 // x', 'f', ['integer']);
    expect(python.call([0]).error?.type).toBe('ZeroDivisionError');
    expect(python.call([5]).value).toBe(2);
  });

  it('of memory and of recursion depth leave the interpreter working', async () => {
    const python = await loaded(
      'import numpy as np\ndef f(x):\n    if x == 1: return f(x)\n    if x == 2: return np.zeros(10**9)\n    return x',
      'f',
      ['integer'],
    );
    expect(python.call([1]).error).toMatchObject({
      type: 'RecursionError',
      message: expect.stringContaining('about 150 calls deep'),
    });
    expect(python.call([2]).error?.type).toBe('MemoryError');
    expect(python.call([3]).value).toBe(3);
  });

  it('of recursion depth occur at the depth that the messages state', async () => {
    const python = await make();
    const { error } = python.runScript('import sys\nsys.setrecursionlimit(5000)');
    expect(error?.message).toContain('fixed here, at about 150 calls');
    // The messages state this depth.
    const deep = 'def f(n):\n    return n if n == 0 else 1 + f(n - 1)\nprint(f(150))';
    expect(python.runScript(deep)).toMatchObject({ prints: '150\n' });
  });

  it('the note that int32 is int64 is printed once, where the difference can be seen', async () => {
    const python = await make();
    const said = /^Note: int32 is int64 here\.[^\n]*\n/;
    const { prints, error } = python.runScript(`import numpy as np
a = np.array([2**31 - 1], dtype=np.int32)
print((a + 1)[0], a.astype("int32").dtype, np.zeros(2, "i4").itemsize)`);
    expect(error).toBeUndefined();
    expect(prints).toMatch(said);
    expect(prints.replace(said, '')).toBe('2147483648 int64 8\n');
    for (const [quiet, printed] of [
      ['np.zeros(2, int).dtype', 'int64\n'],
      ['np.arange(3)[np.array([2, 0], np.int32)]', '[2 0]\n'],
    ]) {
      // The next file in the same interpreter gets no note that the last file caused.
      expect(python.runScript(`import numpy as np\nprint(${quiet})`).prints).toBe(printed);
    }
  });

  it('are not reported for a script that calls exit', async () => {
    const python = await make();
    const { error, prints } = python.runScript('import sys\nprint(1)\nsys.exit()\nprint(2)');
    expect(error).toBeUndefined();
    expect(prints).toBe('1\n');
  });

  it('have a traceback with the lines of the file and none of ours', async () => {
    const python = await make();
    const { traceback, error } = python.runScript(
      'import numpy as np\ndef g(x):\n    return x.reshape(7)\n\ng(np.ones(3))',
    );
    expect(error?.line).toBe(3);
    expect(traceback).toContain('File "student.py", line 5');
    expect(traceback).toContain('File "student.py", line 3, in g');
    expect(traceback).not.toContain('_run.py');
  });
});

describe('Python that MicroPython lacks', () => {
  it.each([
    ['[*a, 0]', [1, 2, 0]],
    ['sum((*a, *a))', 6],
    ['{**{"x": 1}, "y": 2}["y"]', 2],
    ['positional(5, q=3)', 2],
    ['"abc"[::-1]', 'cba'],
    ['list((1, 2, 3)[::-1])', [3, 2, 1]],
    ['"ab".ljust(4) + "|" + "7".zfill(3)', 'ab  |007'],
    ['"hello world".title()', 'Hello World'],
    ['f"{1234567.891:,.2f}|{np.float32(1.5):.1f}|{a[0]:03d}"', '1,234,567.89|1.5|001'],
    ['"%.2f %s" % (np.float32(0.5), "x")', '0.50 x'],
    ['list({"z": 1, "a": 2, "m": 3})', ['z', 'a', 'm']],
    ['list({k: 1 for k in "zam"})', ['z', 'a', 'm']],
    ['list(dict(z=1, a=2))', ['z', 'a']],
    ['(0 < np.arange(3)).tolist()', [false, true, true]],
    ['float(np.array([2.5]))', 2.5],
    ['np.arange(3).sum().item()', 3],
    ['np.mean([1.0, 2.0]).dtype.name', 'float64'],
    ['[x for x, y in zip(a, a) if (n := x) > 1]', [2]],
  ])('%s', async (expression, value) => {
    const { value: result, error } = await once(
      `import numpy as np\ndef positional(p, /, q): return p - q\ndef f():\n    a = [1, 2]\n    return ${expression}`,
      'f',
      [],
    );
    expect(error?.message).toBeUndefined();
    expect(result).toEqual(value);
  });

  it.each(['*=', '/=', '//=', '%=', '**=', '+=', '-='])(
    '%s changes an array in place',
    async (sign) => {
      const code = `import numpy as np
def change(x):
    x ${sign} 2
class Box: pass
def f():
    a = np.array([4.0, 6.0]); b = a; change(a)
    box = Box(); box.x = np.array([4.0, 6.0]); c = box.x; box.x ${sign} 2
    d = {"x": np.array([4.0, 6.0])}; e = d["x"]; d["x"] ${sign} 2
    return b.tolist() == c.tolist() == e.tolist() != [4.0, 6.0]`;
      expect((await once(code, 'f', [])).value).toBe(true);
    },
  );

  it('leaves a format alone that unpacks', () => {
    expect(adapt('y = f"{*x:>8}"\n').code).toBe('y = f"{*x:>8}"\n');
  });

  it('closes what was opened last first, where one part is wrapped twice', () => {
    const counted = adapt('x = [*a, {"b": 0}]\n', { count: true }).code;
    expect(counted).toContain('[__attn_made(__attn_d("b", 0))]');
    expect(adapt('f"{2 < x:,.2f}"\n').code).toBe('f"{__attn_show(__attn_lt(2 , x), ",.2f")}"\n');
  });

  it('is rewritten nowhere in a cause that is taken out', () => {
    expect(adapt('raise A() from [b, c]\n', { count: true }).code).not.toContain(')\n');
  });

  it('is rewritten without moving a line', () => {
    const code = 'x = [*a,\n     0]\ny *= {\n  "a": 1,\n  **b,\n}["a"]\nraise A(\n  1\n) from b\n';
    expect(adapt(code).code.split('\n').length).toBe(code.split('\n').length);
  });

  it.each([
    ['y = (x\n  .reshape(2)\n  .shape)\n', '__attn_shape(__attn_reshape(x'],
    ['y = a in(b)[::2]\n', 'in __attn_stepped((b))'],
    ['y = not(0 < a)\n', 'not(__attn_lt('],
    ['y = f"{yield x:w}"\n', '__attn_show((yield x), "w")'],
    ['y *= yield x\n', '(yield x))'],
  ])('keeps lines and words apart: %j', (code, part) => {
    const adapted = adapt(code).code;
    expect(adapted.split('\n').length).toBe(code.split('\n').length);
    expect(adapted).toContain(part);
  });

  it('is rewritten only where that is necessary', () => {
    const code = 'def f(Q, K):\n    S = Q @ K.T\n    S[0, 1] += 2\n    return S.sum(axis=1)\n';
    expect(adapt(code).code).toBe(code);
  });
});

describe('lint', () => {
  it('finds nothing in the solutions of the exercises', () => {
    const files = import.meta.glob<string>('../../web/exercises/*/solution.py', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    expect(Object.keys(files).length).toBeGreaterThan(25);
    for (const [path, text] of Object.entries(files))
      expect([path, lint(text)]).toEqual([path, []]);
  });

  it('gives no reason against files that Python takes', () => {
    const files = import.meta.glob<string>(
      ['../../web/exercises/*/*.py', '../numpy/**/*.py', '../../web/src/exercises/python/**/*.py'],
      { query: '?raw', import: 'default', eager: true },
    );
    expect(Object.keys(files).length).toBeGreaterThan(60);
    for (const [path, text] of Object.entries(files))
      expect([path, whyRefused(text)]).toEqual([path, undefined]);
  });

  it.each([
    ['match x:\n    case 1: pass', 'limit'],
    ['type X = int', 'limit'],
    ['def f[T](x): pass', 'limit'],
    ['try:\n    pass\nexcept* ValueError:\n    pass', 'limit'],
    ['x = *a, 0', 'limit'],
    ['x = "\\N{BULLET}"', 'limit'],
    ['class A(metaclass=B): pass', 'limit'],
    ['f"{(lambda: 1)()}"', 'limit'],
    ['x = (1, 2', 'syntax'],
    ['else: pass', 'syntax'],
    ['x = -∞', 'limit'],
    ['x = q @ k / √d', 'limit'],
  ])('%j is a %s', (code, kind) => {
    expect(lint(code)[0]?.kind).toBe(kind);
  });

  it.each([
    'a, *b = [1, 2]',
    'async def f(): pass',
    'def f(a, /, b, *, c): pass',
    'größe = λ_1 = ℝ = 数 = 3',
    'x: int = 3',
    'print(*[1], sep="")',
    'with a as b, c as d: pass',
    'f"{x:>{w}}"',
    'def g():\n    yield from h()',
  ])('has nothing against %j', (code) => {
    expect(lint(code)).toEqual([]);
    expect(whyRefused(code)).toBeUndefined();
  });
});

describe('the course', () => {
  it('lists the names that a snippet uses without importing them, and no others', () => {
    expect(missingImports('Q, K, V = random_tensors(4, 2)\nnp.ones(3)').names).toEqual([
      'np',
      'random_tensors',
    ]);
    expect(missingImports('import numpy as np\nfrom math import pi\nnp.ones(3)').names).toEqual([]);
    expect(missingImports('def f(np): return np').names).toEqual([]);
    expect(missingImports('print(head_dim)').before).toBe('from quick_start import head_dim\n');
    expect(missingImports('print(sep="", head_dim=3, end=head_dim)').names).toEqual(['head_dim']);
    expect(missingImports('dict(np=1, math=2)').names).toEqual([]);
  });

  it('cannot be imported by functions that are graded', async () => {
    const python = await make({ scriptModules: courseModules({}) });
    expect(python.runScript('from kernel_trick import identity').error).toBeUndefined();
    const fresh = await make({ scriptModules: courseModules({}) });
    const { loadError } = fresh.load({
      code: 'from kernel_trick import identity\ndef f(): pass',
      entry: 'f',
      parameters: [],
    });
    expect(loadError?.type).toBe('ModuleNotFoundError');
  });
});

describe('JavaScript behind Python', () => {
  it.each([
    'import js\nprint(js.process)',
    'import sys\nsys.modules.pop("js", None)\nimport js\nprint(js.globalThis)',
    'import _host\nprint(_host.un.constructor)',
    'import _host\nprint(_host.constructor)',
    'import jsffi\nprint(jsffi.to_js([1]).constructor)',
    'import jsffi\nprint(jsffi.create_proxy(lambda: 1).constructor)',
  ])('is out of reach: %j', async (code) => {
    const { error, prints } = (await make()).runScript(code);
    expect(prints).toBe('');
    expect(error?.type).toBe('AttributeError');
  });

  it('cannot be reached by index either', async () => {
    const { prints } = (await make()).runScript(
      'import jsffi\nprint(callable(jsffi.to_js([1])["constructor"]), callable(jsffi.to_js({"a": 1})["__proto__"]))',
    );
    expect(prints).not.toContain('True');
  });
});

it('refuses glue of another version', () => {
  expect(() => adaptGlue('export function loadMicroPython() {}')).toThrow('pinned version');
});

it('is one interpreter for many calls', async () => {
  const python: Python = await loaded('def f(n): return n * 2', 'f', ['integer']);
  for (let n = 0; n < 200; n++) expect(python.call([n]).value).toBe(2 * n);
});
