import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ArrayError, Arrays, type Dtype, type Handle } from '#client/arrays';

interface Plain {
  dtype: Dtype;
  shape: number[];
  values: (number | string)[];
}
interface NumpyCase {
  numpy: string;
  method: string;
  args: unknown[];
  expected?: Plain | Plain[];
  error?: [type: string, message: string];
}
/** The results of NumPy; arrays_data.py writes this file. */
const data: { operands: Record<string, Plain>; cases: NumpyCase[] } = JSON.parse(
  readFileSync(new URL('arrays_data.json', import.meta.url), 'utf8'),
);
const wasmOf = (build: string) =>
  readFileSync(new URL(`../../build/wasm/${build}/arrays.wasm`, import.meta.url));

let a: Arrays;
beforeAll(async () => {
  a = await Arrays.load(wasmOf('simd'));
});

const numbers: Record<string, number> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};
const numberOf = (value: number | string) =>
  typeof value === 'number' ? value : (numbers[value] as number);

const made = (plain: Plain): Handle => a.from(plain.values.map(numberOf), plain.shape, plain.dtype);

function operand(name: string): Handle {
  const found = data.operands[name];
  if (!found) throw new Error(`no operand ${name}`);
  // A transposed operand is transposed here too, so that strides are tested.
  if (name.endsWith('.T')) return a.transpose(operand(name.slice(0, -2)));
  return made(found);
}

/** Splits an index at the commas outside brackets. */
function splitIndex(text: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const c of text) {
    if ('[('.includes(c)) depth++;
    if ('])'.includes(c)) depth--;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts;
}

const takesHandles = ['where', 'clip', 'percentile', 'quantile', 'applyAt'];

/** Turns names into arrays, and numbers too where the method takes arrays only. */
function argument(arg: unknown, method: string): unknown {
  if (Array.isArray(arg)) return arg.map((item) => argument(item, method));
  if (typeof arg === 'number' && takesHandles.includes(method)) return a.scalar(arg);
  if (typeof arg !== 'string') return arg;
  if (arg in numbers) return numbers[arg];
  if (arg.startsWith('$')) return operand(arg.slice(1));
  if (!arg.includes('#')) return arg;
  return splitIndex(arg)
    .map((part) => (part.startsWith('#') ? `#${operand(part.slice(1))}` : part))
    .join();
}

function call({ method, args }: NumpyCase): unknown {
  const given = args.map((arg) => argument(arg, method));
  // The axes of these methods stay numbers.
  for (const [place, arg] of args.entries()) {
    if (place >= 2 && typeof arg === 'number' && ['percentile', 'quantile'].includes(method)) {
      given[place] = arg;
    }
  }
  const run = (a as unknown as Record<string, (...args: unknown[]) => unknown>)[method];
  if (!run) throw new Error(`no method ${method}`);
  const result = run.apply(a, given);
  const inPlace = ['setIndex', 'applyAt', 'inPlace'].includes(method);
  return inPlace ? given[method === 'applyAt' || method === 'inPlace' ? 1 : 0] : result;
}

function compareWith(plain: Plain, x: Handle): void {
  expect(a.shape(x), 'shape').toEqual(plain.shape);
  expect(a.dtype(x), 'dtype').toBe(plain.dtype);
  const expected = made(plain);
  // The float32 functions of two C libraries may differ in the last digit or two.
  const single = plain.dtype === 'float32';
  const report = a.compare(x, expected, single ? 1e-6 : 1e-12, single ? 1e-7 : 1e-13);
  if (!report.equal) {
    expect.fail(`${a.text(x)} in place of ${a.text(expected)}: ${JSON.stringify(report)}`);
  }
}

describe('the arrays agree with NumPy', () => {
  it.each(data.cases)('$numpy', (entry) => {
    const mark = a.mark();
    try {
      if (entry.error) {
        const [type, message] = entry.error;
        let thrown: unknown;
        try {
          call(entry);
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(ArrayError);
        expect(thrown).toMatchObject({ type, message });
        return;
      }
      const results = call(entry);
      const expected = [entry.expected as Plain | Plain[]].flat();
      const several = Array.isArray(results) ? results : [results];
      expect(several).toHaveLength(expected.length);
      for (const [k, plain] of expected.entries()) compareWith(plain, several[k]);
    } finally {
      a.release(mark);
    }
  });
});

describe('a module without glue', () => {
  it('loads from bytes and from a compiled module', async () => {
    const bytes = wasmOf('simd');
    const fromModule = await Arrays.load(await WebAssembly.compile(bytes));
    for (const arrays of [await Arrays.load(bytes), fromModule]) {
      const x = arrays.from([1, 2, 3, 4], [2, 2]);
      expect([...arrays.values(arrays.matmul(x, x))]).toEqual([7, 10, 15, 22]);
    }
  });

  it('refuses a module with other operations than the client knows', async () => {
    // An empty module has none of the exports.
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(Arrays.load(empty)).rejects.toThrow();
  });

  it('works after its memory has grown, because every view is made again', () => {
    const mark = a.mark();
    const x = a.from([1, 2, 3], [3]);
    const big = a.full([6_000_000], 0.5);
    const more = a.zeros([6_000_000]);
    expect(a.shape(more)).toEqual([6_000_000]);
    expect([...a.values(x)]).toEqual([1, 2, 3]);
    expect(a.reduceAll('sum', big)).toBe(3_000_000);
    expect(a.counts().largest).toBeGreaterThanOrEqual(6_000_000);
    a.release(mark);
  });
});

describe('handles', () => {
  it('are freed one by one, and are never used for another array', () => {
    const before = a.live;
    const x = a.zeros([3]);
    const view = a.index(x, '1:');
    a.free(x);
    expect([...a.values(view)]).toEqual([0, 0]);
    const next = a.ones([3]);
    expect(next).not.toBe(x);
    expect(() => a.shape(x)).toThrow(/this array is gone/);
    expect(() => a.free(x)).toThrow(ArrayError);
    a.free(view);
    a.free(next);
    expect(a.live).toBe(before);
  });

  it('made since a mark are freed together', () => {
    const kept = a.ones([2]);
    const [live, bytes] = [a.live, a.liveBytes];
    const mark = a.mark();
    const random = a.randomState(1);
    for (let i = 0; i < 100; i++) a.binary('add', kept, random.randn([2]));
    expect(a.live).toBe(live + 200);
    a.release(mark);
    expect(a.live).toBe(live);
    expect(a.liveBytes).toBe(bytes);
    expect(() => random.randn([1])).toThrow(/generator is gone/);
    expect([...a.values(kept)]).toEqual([1, 1]);
    a.free(kept);
  });

  it('are refused with a MemoryError, not a crash, when memory is full', () => {
    expect(() => a.zeros([1e9])).toThrow(
      'an array of shape (1000000000,) asked for 8 GB; a run may have 512 MB',
    );
    const limit = a.memoryLimit;
    const mark = a.mark();
    a.memoryLimit = a.liveBytes + 100_000;
    let type = '';
    try {
      for (;;) a.zeros([1000]);
    } catch (error) {
      type = (error as ArrayError).type;
    }
    a.memoryLimit = limit;
    a.release(mark);
    expect(type).toBe('MemoryError');
    a.free(a.zeros([1000]));
  });
});

describe('counts and entries', () => {
  it('count products, entries and bytes', () => {
    const mark = a.mark();
    const x = a.ones([3, 4]);
    const y = a.ones([4, 5]);
    a.resetCounts();
    a.matmul(x, y);
    expect(a.counts()).toEqual({ multiplyAdds: 60, touched: 47, bytes: 120, largest: 15 });
    a.resetCounts();
    a.transpose(x);
    a.values(x);
    expect(a.counts()).toEqual({ multiplyAdds: 0, touched: 0, bytes: 0, largest: 0 });
    a.get(x, 1, 2);
    a.set(x, [0, 0], 7);
    a.addCounts(5, 10);
    expect(a.counts()).toMatchObject({ multiplyAdds: 5, touched: 12 });
    expect(a.get(x, 0, 0)).toBe(7);
    a.release(mark);
  });

  it('distinguish a NaN from a failure', () => {
    const x = a.from([Number.NaN], [1]);
    expect(a.get(x, 0)).toBeNaN();
    expect(a.item(x)).toBeNaN();
    expect(() => a.get(x, 1)).toThrow('index 1 is out of bounds for axis 0 with size 1');
    expect(() => a.get(x, 0, 0)).toThrow(/too many indices/);
    a.free(x);
  });

  it('bring integers of 64 bits there and back', () => {
    const mark = a.mark();
    const values = BigInt64Array.from([2n ** 61n + 1n, -(2n ** 63n), 2n ** 63n - 1n]);
    const x = a.from(values, [3]);
    expect(a.dtype(x)).toBe('int64');
    expect(a.integers(x)).toEqual(values);
    expect(a.integers(a.index(x, [{ step: -1 }]))).toEqual(values.slice().reverse());
    expect(a.integers(a.integer(-(2 ** 31), 0))).toEqual(values.slice(1, 2));
    expect(a.integers(a.from([1, 0], [2], 'bool'))).toEqual(BigInt64Array.from([1n, 0n]));
    expect(() => a.integers(a.from([0.5], [1]))).toThrow('no integers');
    expect(() => a.from(values, [3], 'float64')).toThrow('int64');
    a.release(mark);
  });

  it('are read-only where they say so, and own their entries where nobody shared them', () => {
    const mark = a.mark();
    const x = a.zeros([3]);
    const wide = a.broadcastTo(x, [2, 3]);
    expect([a.writeable(x), a.writeable(wide), a.writeable(a.copy(wide))]).toEqual([
      true,
      false,
      true,
    ]);
    expect([a.ownsData(x), a.ownsData(wide), a.ownsData(a.copy(wide))]).toEqual([
      true,
      false,
      true,
    ]);
    a.setWriteable(x, false);
    expect(() => a.set(x, [0], 1)).toThrow('assignment destination is read-only');
    a.setWriteable(x, true);
    a.set(x, [0], 1);
    expect([...a.values(wide)]).toEqual([1, 0, 0, 1, 0, 0]);
    a.release(mark);
  });

  it('keep whole numbers exact', () => {
    const x = a.from([2 ** 53, -3, 1e300], [3], 'int64');
    expect([...a.values(x)].slice(0, 2)).toEqual([2 ** 53, -3]);
    expect(a.resultType(x, a.scalar(0.5))).toBe('float64');
    a.free(x);
  });
});

describe('random numbers', () => {
  it('are those of np.random.seed(42) and default_rng(42)', () => {
    const mark = a.mark();
    const state = a.randomState(42);
    expect(a.values(state.randn([2]))[0]).toBeCloseTo(0.4967141530112327, 15);
    state.seed(42);
    expect(a.values(state.randint(0, 100, [3]))).toEqual(Float64Array.from([51, 92, 14]));
    const generator = a.generator(42);
    expect(a.values(generator.standardNormal([1]))[0]).toBeCloseTo(0.30471707975443135, 15);
    expect(() => a.randomState(-1)).toThrow('Seed must be between 0 and 2**32 - 1');
    a.release(mark);
  });
});

describe('lengths beyond 32 bits', () => {
  const tooLong: [string, () => unknown][] = [
    ['zeros', () => a.zeros([2 ** 32 + 3])],
    ['a shape of two', () => a.zeros([2 ** 20, 2 ** 20])],
    ['reshape', () => a.reshape(a.zeros([4]), [2 ** 30 + 1, 4])],
    ['reshape to a square', () => a.reshape(a.zeros([65536]), [65536, 65537])],
    ['reshape with an open axis', () => a.reshape(a.zeros([6]), [2 ** 32 + 6, -1])],
    ['broadcasting', () => a.broadcastTo(a.zeros([1]), [2 ** 20, 2 ** 20])],
    ['broadcasting two', () => a.binary('add', a.zeros([30_000, 1]), a.zeros([1, 30_000]))],
    ['an index', () => a.index(a.zeros([4]), [2 ** 32])],
    ['an entry', () => a.get(a.zeros([4]), 2 ** 32)],
    ['indices in an array', () => a.take(a.zeros([4]), a.from([2 ** 32], [1], 'int64'))],
    ['bincount', () => a.bincount(a.from([2 ** 31], [1], 'int64'))],
    ['tile', () => a.tile(a.zeros([3, 3]), [10 ** 9])],
    ['repeat', () => a.repeat(a.zeros([3]), 2 ** 32 + 1)],
    [
      'repeatEach',
      () => a.repeatEach(a.zeros([3]), a.from([2 ** 31 - 1, 2 ** 31 - 1, 6], [3], 'int64')),
    ],
    ['eye', () => a.eye(2 ** 32 + 2)],
    ['linspace', () => a.linspace(0, 1, 2 ** 32 + 2)],
    ['arange', () => a.arange(0, 2 ** 33)],
    ['diag', () => a.diag(a.zeros([3]), 2 ** 31 - 1)],
    ['permutation', () => a.randomState(1).permutation(2 ** 32 + 2)],
    ['an outer product', () => a.outer(a.zeros([50_000]), a.zeros([50_000]))],
    ['a product', () => a.matmul(a.zeros([50_000, 1]), a.zeros([1, 50_000]))],
  ];
  it.each(tooLong)('are refused: %s', (_, call) => {
    const mark = a.mark();
    const guard = a.ones([1000]);
    expect(call).toThrow(ArrayError);
    expect(a.reduceAll('sum', guard)).toBe(1000);
    a.release(mark);
  });

  it('are accepted where they only stand for "beyond the end"', () => {
    const mark = a.mark();
    const x = a.ones([3, 3]);
    for (const far of [2 ** 31 - 1, 2 ** 40]) {
      expect(a.reduceAll('sum', a.tril(x, far))).toBe(9);
      expect(a.reduceAll('sum', a.triu(x, far))).toBe(0);
      expect(a.reduceAll('sum', a.tril(x, -far))).toBe(0);
      expect(a.size(a.diagonal(x, far))).toBe(0);
      expect(a.reduceAll('sum', a.eye(3, 3, far))).toBe(0);
      expect(a.shape(a.index(x, [{ start: -far, stop: far }]))).toEqual([3, 3]);
      expect(a.shape(a.index(x, [{ step: far }]))).toEqual([1, 3]);
    }
    a.release(mark);
  });
});
