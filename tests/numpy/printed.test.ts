import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  arrayRepr,
  arrayText,
  defaultPrintOptions,
  type PrintOptions,
} from '../../web/src/exercises/python/format';
import type { Dtype } from '../../web/src/exercises/types';

interface Printed {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data: readonly string[];
  readonly options: Partial<PrintOptions>;
  readonly repr: string;
  readonly str: string;
}

const printed = JSON.parse(
  readFileSync(new URL('printed.json', import.meta.url), 'utf8'),
) as Printed[];
const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

it(`prints ${printed.length} random arrays to the character as NumPy does`, () => {
  expect(printed.length).toBeGreaterThanOrEqual(400);
  for (const { dtype, shape, data, options, repr, str } of printed) {
    const values = Float64Array.from(data, (x) => special[x] ?? Number(x));
    const array = { kind: 'array', dtype, shape, data: values } as const;
    const all = { ...defaultPrintOptions, ...options };
    expect(arrayRepr(array, all)).toBe(repr);
    expect(arrayText(array, all)).toBe(str);
  }
});
