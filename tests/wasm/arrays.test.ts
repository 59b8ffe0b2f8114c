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
/** What NumPy gave: see arrays_data.py. */
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
  // A transposed operand is one here too, so that strides are tried.
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

/** Names become arrays; numbers too, where the method takes arrays only. */
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
  // The axes of these stay numbers.
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
  // float32 functions of two C libraries differ by a last place or two.
  const single = plain.dtype === 'float32';
  const report = a.compare(x, expected, single ? 1e-6 : 1e-12, single ? 1e-7 : 1e-13);
  if (!report.equal) {
    expect.fail(`${a.text(x)} in place of ${a.text(expected)}: ${JSON.stringify(report)}`);
  }
}

describe('NumPy agrees', () => {
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
