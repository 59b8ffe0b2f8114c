/** Turns the input descriptions of a specification into values, the same ones in the page and in Node. */

import type { Arrays } from '#client/arrays';
import type { ArrayValue, Input, Value } from '../types';

/** The streams of NumPy's legacy `RandomState`, which the array engine provides. */
export interface RandomSource {
  /** Equals `RandomState(seed).standard_normal(count)`. */
  normals(seed: number, count: number): Float64Array;
  /** Equals `RandomState(seed).random_sample(count)`. */
  uniforms(seed: number, count: number): Float64Array;
}

export function randomOf(arrays: Arrays): RandomSource {
  const draw = (seed: number, make: (state: ReturnType<Arrays['randomState']>) => number) => {
    const mark = arrays.mark();
    try {
      return arrays.values(make(arrays.randomState(seed)));
    } finally {
      arrays.release(mark);
    }
  };
  return {
    normals: (seed, count) => draw(seed, (state) => state.randn([count])),
    uniforms: (seed, count) => draw(seed, (state) => state.random([count])),
  };
}

type Made = Extract<Input, { make: string }>;

const isMade = (input: Input): input is Made =>
  typeof input === 'object' && input !== null && 'make' in input;

/** The arguments of a case. Entries are rounded to float32, so that the core sees the same numbers. */
export const makeArgs = (inputs: readonly Input[], random: RandomSource): Value[] =>
  inputs.map((input) => makeValue(input, random));

export function makeValue(input: Input, random: RandomSource): Value {
  if (Array.isArray(input)) return input.map((item: Input) => makeValue(item, random));
  return isMade(input)
    ? makeArray(input, random)
    : (input as Exclude<Input, Made | readonly Input[]>);
}

function makeArray(made: Made, random: RandomSource): ArrayValue {
  const { shape, set = [] } = made;
  const count = shape.reduce((product, length) => product * length, 1);
  const data = entriesOf(made, count, random);
  if (data.length !== count) {
    throw new Error(`shape [${shape}] holds ${count} numbers, not ${data.length}`);
  }
  for (const [at, value] of set) {
    if (!(at >= 0 && at < count)) throw new Error(`shape [${shape}] has no entry ${at} to set`);
    data[at] = value;
  }
  const { dtype = 'float64' } = made;
  const whole = dtype === 'int64' || dtype === 'bool';
  return { kind: 'array', dtype, shape, data: whole ? data : data.map(Math.fround) };
}

function entriesOf(made: Made, count: number, random: RandomSource): Float64Array {
  switch (made.make) {
    case 'normal': {
      const { seed, scale = 1, shift = 0 } = made;
      return random.normals(seed, count).map((value) => scale * value + shift);
    }
    case 'uniform': {
      const { seed, low = 0, high = 1 } = made;
      return random.uniforms(seed, count).map((value) => low + (high - low) * value);
    }
    case 'full':
      return new Float64Array(count).fill(made.value);
    case 'range': {
      const { start = 0, step = 1 } = made;
      return Float64Array.from({ length: count }, (_, at) => start + step * at);
    }
    case 'values':
      return Float64Array.from(made.data);
    case 'mask':
      return maskOf(made, count, random);
  }
}

function maskOf(made: Made & { make: 'mask' }, count: number, random: RandomSource): Float64Array {
  const { of, shape, seed = 0, keep = 0.6, emptyRows = [] } = made;
  const cols = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const drawn = of === 'random' ? random.uniforms(seed, count) : undefined;
  return Float64Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / cols) % rows;
    const col = at % cols;
    if (emptyRows.includes(row)) return 0;
    if (drawn) return (drawn[at] as number) < keep ? 1 : 0;
    return (of === 'causal' ? col <= row : col >= row) ? 1 : 0;
  });
}
