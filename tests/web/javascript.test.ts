import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticked } from '../../web/src/exercises/javascript/count-instrumentation';
import { countingNames } from '../../web/src/exercises/javascript/counting-names';
import { diagnose } from '../../web/src/exercises/javascript/diagnose';
import { Matrix } from '../../web/src/exercises/javascript/matrix';
import type { ParameterType, Value } from '../../web/src/exercises/types';
import { javaScript } from '../judge/javascript';

const array = (shape: number[], data: number[]): Value => ({
  kind: 'array',
  dtype: 'float64',
  shape,
  data: Float64Array.from(data),
});

/** Loads a file and calls its function `f` once. */
function run(
  code: string,
  args: Value[] = [],
  parameters: ParameterType[] = [],
  more: { countEntries?: boolean; memoryBytes?: number } = {},
) {
  const runtime = javaScript({ code, entry: 'f', ...more });
  const loaded = runtime.load({ code, entry: 'f', parameters });
  return loaded.loadError ? { loaded } : { loaded, outcome: runtime.call(args) };
}
const resultOf = (...args: Parameters<typeof run>) => run(...args).outcome?.value;
const errorOf = (...args: Parameters<typeof run>) => run(...args).outcome?.error;

describe('values', () => {
  it('arrive as the types prescribe', () => {
    const code = `function f(m, v, s, n, list, mask, phi, yes, text) {
      return [m instanceof Matrix && m.rows, v.rows, v.cols, s.length, s[1].get(0, 1), n, list, mask,
        phi(m), yes, text];
    }`;
    const given: Value = { kind: 'given', name: 'squared_relu' };
    const args = [
      array([2, 2], [1, -2, 3, 4]),
      array([3], [1, 2, 3]),
      array([2, 1, 2], [1, 2, 3, 4]),
      7,
      array([2], [5, 6]),
      null,
      given,
      true,
      'relu',
    ];
    const types: ParameterType[] = [
      'matrix',
      'vector',
      'stack',
      'integer',
      'numbers',
      'matrix',
      'feature_map',
      'boolean',
      'text',
    ];
    const value = resultOf(code, args, types) as Value[];
    expect(value.slice(0, 6)).toEqual([2, 1, 3, 2, 4, 7]);
    expect(value[6]).toEqual([5, 6]);
    expect(value[7]).toBeNull();
    expect(value[8]).toMatchObject({ shape: [2, 2], data: Float64Array.of(1, 0, 9, 16) });
    expect(value.slice(9)).toEqual([true, 'relu']);
  });

  it('are returned: matrices, stacks, dictionaries, typed arrays, nothing', () => {
    expect(resultOf('function f() { return { mse: 1, w: Matrix.identity(2) }; }')).toEqual({
      kind: 'dict',
      entries: {
        mse: 1,
        w: { kind: 'array', dtype: 'float32', shape: [2, 2], data: Float64Array.of(1, 0, 0, 1) },
      },
    });
    expect(resultOf('const f = () => [Matrix.zeros(1, 2), Matrix.zeros(1, 2)];')).toHaveLength(2);
    expect(resultOf('const f = () => Float32Array.of(1, 2);')).toMatchObject({ shape: [2] });
    expect(resultOf('function f() {}')).toBeNull();
  });

  it('that cannot be compared are errors', () => {
    expect(errorOf('function f() { return f; }')?.message).toMatch(/function/);
    expect(errorOf('async function f() {}')?.message).toMatch(/promise/);
    expect(errorOf('function f() { const a = []; a.push(a); return a; }')?.message).toMatch(
      /holds itself/,
    );
  });

  it('are fresh for each call, so that changing one in place spoils no other case', () => {
    const code = 'function f(m) { m.set(0, 0, m.get(0, 0) + 1); return m.get(0, 0); }';
    const runtime = javaScript({ code, entry: 'f' });
    runtime.load({ code, entry: 'f', parameters: ['matrix'] });
    const args = [array([1, 1], [1])];
    expect([runtime.call(args).value, runtime.call(args).value]).toEqual([2, 2]);
  });
});

describe('errors', () => {
  it.each([
    ['Q[i][c]', 'let sum = 0;\n  for (let i = 0; i < 2; i++) sum += Q[i][0];\n  return sum;', 3],
    ['w[i] = x', 'const w = Matrix.zeros(2, 2);\n  w[0] = 1;\n  return w;', 3],
  ])('say what to write in place of brackets behind a matrix: %s', (_, body, line) => {
    expect(
      errorOf(`function f(Q) {\n  ${body}\n}`, [array([2, 2], [1, 2, 3, 4])], ['matrix']),
    ).toMatchObject({ type: 'TypeError', said: { id: 'run.m_brackets' }, line });
  });

  it('of shape state both shapes in words', () => {
    const code = 'function f(q, k) {\n  return q.times(k);\n}';
    const shapes = [array([4, 8], Array(32).fill(0)), array([4, 8], Array(32).fill(0))];
    expect(errorOf(code, shapes, ['matrix', 'matrix'])).toMatchObject({
      type: 'ShapeError',
      message:
        '`times` needs as many columns on the left as rows on the right: 4×8 and 4×8. Is a `transpose()` missing?',
      said: { id: 'run.m_times', params: { left: '4×8', right: '4×8' } },
      line: 2,
      column: 12,
    });
    expect(errorOf('const f = () => Matrix.zeros(2, 3).plus(Matrix.zeros(2, 2));')?.message).toBe(
      '`plus` goes entry by entry, and 2×3 and 2×2 do not fit. Rows and columns must be equal, or 1, which is repeated.',
    );
    expect(errorOf('const f = () => Matrix.zeros(2, 3).get(2, 0);')?.message).toBe(
      '`get(2, 0)` lies outside: the matrix is 2×3, and counting begins at 0.',
    );
  });

  it('name the student’s line and not one of ours', () => {
    const code =
      '// first\nfunction g(m) {\n  return m.get(9, 9);\n}\nfunction f() {\n  return g(Matrix.zeros(1, 1));\n}';
    expect(errorOf(code)).toMatchObject({ line: 3 });
  });

  it('of syntax name their line', () => {
    const { loadError } = run('function f() {\n  return 1 +;\n}').loaded;
    expect(loadError).toMatchObject({ type: 'SyntaxError', line: 2 });
  });

  it.each([
    ['  return g(Q).times(S));\n}', 3, 23, 'There is no open bracket for this `)`.'],
    ['  return (Q.times(S);\n}', 3, 10, '`(` that opens here is never closed'],
    ['  return Q.map((x) => x * 2;\n}', 3, 15, '`(` that opens here is never closed'],
    ['  return [Q, S;\n}', 3, 10, '`[` that opens here is never closed'],
    ['  return Q;\n', 1, 15, '`{` that opens here is never closed'],
    ['  if (Q > 3 {\n    return Q;\n  }\n}', 3, 6, '`(` that opens here'],
    ['  retrun Q.times(V);\n}', 3, 3, 'Did you mean `return`?'],
    ['  cosnt x = 3;\n  return x;\n}', 3, 3, 'Did you mean `const`?'],
    ['  return 3 = S;\n}', 3, undefined, 'Nothing can be assigned'],
    ['  const S = 3;\n  return S;\n}', 3, undefined, '`S` is declared here a second time'],
    ['  const x;\n  return x;\n}', 3, undefined, '`const` needs a value'],
    ["  return 'abc;\n}", 3, 10, 'quote that opens here is never closed'],
    ['  return `abc;\n}', 3, 10, 'quote that opens here is never closed'],
    ['  return Q K;\n}', 3, 12, '`Q` and `K` stand side by side'],
    ['  return Q +\n}', 3, 12, 'missing after this sign'],
    ['  return Q @ K;\n}', 3, 12, '`Q.times(…)`'],
    ['  return Q and K;\n}', 3, 12, 'Write `&&`'],
    ['  # note\n  return Q;\n}', 3, 3, 'Write `//`'],
    ['  return Q – K;\n}', 3, 12, 'Write `-`'],
    ['  if Q > 3 {\n    return Q;\n  }\n}', 3, 6, '`if` stands in round brackets'],
    ['  elif (Q) { return 3; }\n}', 3, 3, 'Did you mean `else if`?'],
    ['  else {\n    return Q;\n  }\n}', 3, undefined, 'JavaScript does not understand this line'],
  ])('of syntax say what is wrong, and where: %j', (end, line, column, words) => {
    const code = `function f(Q) {\n  const S = Q.transpose();\n${end}`;
    const { loadError } = run(code).loaded;
    expect(loadError).toMatchObject({ type: 'SyntaxError', line });
    expect(loadError?.column).toBe(column);
    expect(loadError?.message).toContain(words);
    expect(loadError?.said?.id).toMatch(/^run\./);
  });

  it('of syntax are seen in no solution', () => {
    const files = import.meta.glob<string>('../../web/exercises/*/solution.js', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    expect(Object.keys(files).length).toBeGreaterThan(25);
    for (const [path, text] of Object.entries(files))
      expect([path, diagnose(text)]).toEqual([path, undefined]);
  });

  it('of a missing function, an export, an import, too deep a recursion and too much memory are in plain words', () => {
    expect(run('function g() {}').loaded.loadError?.message).toMatch(/no function `f`/);
    expect(run('export function f() {}').loaded.loadError?.message).toMatch(/Leave out `export`/);
    expect(run("import x from 'y';").loaded.loadError?.message).toMatch(/Leave out `import`/);
    expect(errorOf('function f() { return f() + 1; }')?.message).toMatch(/calls itself/);
    expect(errorOf('const f = () => Matrix.zeros(40000, 40000);')).toMatchObject({
      type: 'MemoryError',
      message: expect.stringContaining('takes 6104 MiB, and a run has 512 MiB'),
    });
  });

  it('of the top level are load errors, whatever value is thrown', () => {
    expect(run('const f = () => 1;\nthrow new TypeError("no");').loaded.loadError).toMatchObject({
      type: 'TypeError',
      message: 'no',
      line: 2,
    });
    expect(errorOf('function f() { throw "plain"; }')).toMatchObject({ message: 'plain' });
    expect(errorOf('function f() { throw null; }')).toMatchObject({ message: 'null' });
  });

  it('an entry that is not a name cannot close the function around the code', () => {
    const code = '';
    const runtime = javaScript({ code, entry: 'f;});(' });
    expect(runtime.load({ code, entry: 'f;});(', parameters: [] }).loadError?.type).toBe(
      'NameError',
    );
  });
});

describe('prints', () => {
  it('belong to the case that printed, and are cut when they are long', () => {
    const code = `console.log('top', [1, 2]);
      function f(n) { for (let i = 0; i < n; ++i) console.log('x', Matrix.identity(1)); }`;
    const runtime = javaScript({ code, entry: 'f' });
    expect(runtime.load({ code, entry: 'f', parameters: [] }).prints).toBe('top [1, 2]\n');
    expect(runtime.call([1]).prints).toBe('x Matrix 1×1 [\n  [1]\n]\n');
    expect(runtime.call([5000]).prints).toHaveLength(10_000);
    expect(runtime.call([0]).prints).toBe('');
  });
});

describe('Matrix', () => {
  const size = fc.integer({ min: 1, max: 6 });
  const entry = fc.float({ min: -8, max: 8, noNaN: true });
  const matrix = (rows: number, cols: number) =>
    fc
      .array(entry, { minLength: rows * cols, maxLength: rows * cols })
      .map((data) => new Matrix(rows, cols, data));

  it('multiplies as the definition says', () => {
    const pairs = fc
      .tuple(size, size, size)
      .chain(([n, k, m]) => fc.tuple(matrix(n, k), matrix(k, m)));
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const made = a.times(b);
        for (let i = 0; i < a.rows; ++i) {
          for (let j = 0; j < b.cols; ++j) {
            let sum = 0;
            for (let l = 0; l < a.cols; ++l) sum += a.get(i, l) * b.get(l, j);
            expect(made.get(i, j)).toBeCloseTo(sum, 3);
          }
        }
      }),
    );
  });

  it('repeats rows, columns and single entries as NumPy does', () => {
    const shapes = fc
      .tuple(size, size, fc.boolean(), fc.boolean())
      .chain(([n, m, oneRow, oneCol]) =>
        fc.tuple(matrix(n, m), matrix(oneRow ? 1 : n, oneCol ? 1 : m)),
      );
    fc.assert(
      fc.property(shapes, ([a, b]) => {
        for (const [left, right] of [
          [a, b],
          [b, a],
        ] as const) {
          const made = left.minus(right);
          expect([made.rows, made.cols]).toEqual([a.rows, a.cols]);
          const at = (x: Matrix, i: number, j: number) =>
            x.get(x.rows === 1 ? 0 : i, x.cols === 1 ? 0 : j);
          for (let i = 0; i < a.rows; ++i) {
            for (let j = 0; j < a.cols; ++j) {
              expect(made.get(i, j)).toBe(Math.fround(at(left, i, j) - at(right, i, j)));
            }
          }
        }
      }),
    );
  });

  it('slices and joins to the same matrix, and is its own double transpose', () => {
    const cut = fc
      .tuple(size, size)
      .chain(([n, m]) =>
        fc.tuple(matrix(n, m), fc.integer({ min: 0, max: n }), fc.integer({ min: 0, max: m })),
      );
    fc.assert(
      fc.property(cut, ([a, row, col]) => {
        const rows = a.slice(0, row).concatRows(a.slice(row, a.rows));
        const cols = a.slice(0, a.rows, 0, col).concatCols(a.slice(0, a.rows, col));
        for (const same of [rows, cols, a.transpose().transpose(), a.clone()]) {
          expect(same.toArray()).toEqual(a.toArray());
        }
      }),
    );
  });

  it('sums and maximises over rows, columns and all entries', () => {
    const a = Matrix.from([
      [1, 5, 3],
      [-4, 0, 2],
    ]);
    expect(a.sumRows().toArray()).toEqual([[9], [-2]]);
    expect(a.maxRows().toArray()).toEqual([[5], [2]]);
    expect(a.sumCols().toArray()).toEqual([[-3, 5, 5]]);
    expect([a.sum(), a.max(), a.min()]).toEqual([7, 5, -4]);
    expect(a.row(1).toArray()).toEqual([[-4, 0, 2]]);
    expect(a.maximum(1).toArray()).toEqual([
      [1, 5, 3],
      [1, 1, 2],
    ]);
  });
});

describe('ticks', () => {
  it('are in every loop and every function, and change nothing else', () => {
    const code = `function f() {
  let n = 0;
  for (let i = 0; i < 3; ++i) for (const j of [1, 2]) n += j
  while (n > 10) n -= 1;
  do n += 2; while (n < 20)
  const g = (x) => x => ({ a: x + n }).a
  if (n) for (;;) break; else n = 7;
  return [1, 2, 3].map((x) => x * 2).reduce(function (a, b) { return a + b }, n) + g(1)(1) // end
}`;
    const plain = new Function(`${code}; return f();`)();
    let ticks = 0;
    const names = countingNames();
    const counting = ticked(code, names);
    expect(counting.split('\n')).toHaveLength(code.split('\n').length);
    expect(
      new Function(names.tick, names.made, `${counting}; return f();`)(
        () => ++ticks,
        <T>(list: T) => list,
      ),
    ).toBe(plain);
    // Ticks: f, 3 outer and 6 inner passes, the do loop, one of for (;;), map, reduce, g and the function that g
    // returns.
    expect(ticks).toBeGreaterThan(1 + 3 + 6 + 1 + 1 + 3 + 3 + 2 - 1);
  });
});

describe('await', () => {
  it('is a name outside of async functions, and what follows it is an entry of it', () => {
    const names = countingNames();
    const entry = 'const f = (await) => await [1];';
    expect(ticked(entry, names)).toContain('await [1]');
    expect(new Function(names.tick, `${ticked(entry, names)}; return f([5, 6]);`)(() => 1)).toBe(6);
    const chain = 'const f = (await) => await [1].map((x) => x).map((x) => x);';
    expect(ticked(chain, names)).toContain('await [1].map');
    const waits = 'const f = async (x) => await x.map(g);';
    expect(ticked(waits, names)).toContain(`await ${names.made}(x.map(g))`);
  });
});

describe('counting', () => {
  const n = 10;
  const square = array([n, n], Array(n * n).fill(1));
  const counts = (code: string, countEntries = true) =>
    run(code, [square], ['matrix'], { countEntries }).outcome?.counts;

  it('counts each product once, and the entries that it reads and writes', () => {
    expect(counts('const f = (m) => m.times(m);')).toMatchObject({
      multiplyAdds: n ** 3,
      touched: 3 * n * n + 1,
      bytes: 4 * n * n,
      largest: n * n,
    });
  });

  it('counts loops over data and get', () => {
    const loop = (access: string) => `function f(m) {
      let sum = 0;
      for (let i = 0; i < ${n * n}; ++i) sum += ${access};
      return sum;
    }`;
    expect(counts(loop('m.data[i]'))?.touched).toBe(2 * n * n + 1);
    expect(counts(loop(`m.get(0, i % ${n})`))?.touched).toBe(2 * n * n + 1);
    expect(counts(loop('m.data[i]'), false)?.touched).toBe(0);
  });

  it('sees plain arrays that are made, lists of rows included', () => {
    const largest = (body: string) => counts(`function f(m) {\n${body}\n}`)?.largest;
    expect(largest(`return new Float64Array(${n * n})`)).toBe(n * n);
    expect(
      largest(`const rows = Array.from({ length: ${n} }, () => new Float32Array(${n}))
      return rows.length`),
    ).toBe(n * n);
    expect(largest('const list = new Array(7).fill(0); return list.length')).toBe(7);
    expect(largest('return m.rows')).toBe(0);
  });

  it('sees what lists hold, however they grew', () => {
    const largest = (body: string) => counts(`function f(m) {\n${body}\n}`)?.largest;
    const loop = (step: string) => `for (let i = 0; i < ${n}; ++i) { ${step} }`;
    for (const quadratic of [
      `const rows = []; ${loop(`rows.push(new Float32Array(${n}))`)} return rows.length`,
      `let rows = []; ${loop(`rows = [...rows, Matrix.zeros(1, ${n})]`)} return rows.length`,
      `let rows = []; ${loop(`rows = rows.concat([Matrix.zeros(1, ${n})])`)} return rows.length`,
      `const rows = {}; ${loop(`rows[i] = Array(${n}).fill(i)`)} return 1`,
      `const rows = new Map(); ${loop(`rows.set(i, Matrix.zeros(1, ${n}))`)} return 1`,
      `const rows = []; ${loop(`const row = []; rows.push(row); for (let j = 0; j < ${n}; ++j) row.push(j)`)} return 1`,
    ]) {
      expect(largest(quadratic), quadratic).toBe(n * n);
    }
    for (const linear of [
      `const list = []; ${loop('list.push(m.get(i, 0))')} return list.length`,
      `const row = Matrix.zeros(1, ${n}), list = []; ${loop('list.push(row)')} return list.length`,
      `let row; ${loop(`row = Array.from({ length: ${n} }, (_, j) => i * j)`)} return row.length`,
    ]) {
      expect(largest(linear), linear).toBe(n);
    }
    // Destructuring patterns look like lists.
    expect(
      largest(
        'let a = 1, b = 2; [a, b] = [b, a]; const [c = []] = [], { d = [] } = {}; return a + b',
      ),
    ).toBe(2);
  });

  it('leaves `data` a typed array in every way', () => {
    const code = `function f(m) {
      const d = m.data;
      d.set([5, 6], 2);
      d.subarray(4, 6).fill(9);
      const copy = Float32Array.from(d);
      const half = d.map((x) => x / 2);
      return [d.length, copy[2], d[4], half[3], Math.max(...d), d.slice(0, 3), d.reduce((a, b) => a + b),
        new Matrix(2, 1, d.subarray(0, 2)), [...d.entries()].length, d.constructor === Float32Array];
    }`;
    const value = run(code, [square], ['matrix'], { countEntries: true }).outcome?.value as Value[];
    expect(value.slice(0, 5)).toEqual([100, 5, 9, 3, 9]);
    expect(value[5]).toMatchObject({ data: Float64Array.of(1, 1, 5) });
    expect(value[6]).toBe(100 + 4 + 5 + 16);
    expect(value[7]).toMatchObject({ shape: [2, 1] });
    expect(value.slice(8)).toEqual([100, true]);
  });
});
