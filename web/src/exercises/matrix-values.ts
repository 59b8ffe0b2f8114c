/** Converts between the values of exercises and the core's float32 matrices. Specifications share these functions. */
import type { FeatureMapChoice, Matrix } from '#client';
import type { ArrayValue, DictValue, Input, Value } from './types';
import { isArray, isGiven } from './value-kinds';

/** The n×n identity matrix. Given as the values V, it makes the output of attention equal to its weights. */
export const identity = (n: number): Input => ({
  make: 'values',
  shape: [n, n],
  data: Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
});

export function arrayOf(value: Value | undefined): ArrayValue {
  if (isArray(value)) return value;
  throw new TypeError(`An array is wanted here, not ${JSON.stringify(value)}.`);
}

export function numberOf(value: Value | undefined): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`A number is wanted here, not ${JSON.stringify(value)}.`);
}

/** The core's feature map for one of `given.*`, which have the same ids as the core's registry. */
export function featureMapOf(value: Value | undefined): FeatureMapChoice {
  if (isGiven(value)) return { id: value.name };
  throw new TypeError(`A given feature map is wanted here, not ${JSON.stringify(value)}.`);
}

/** The logarithm of what a gate leaves, for the core, which wants it finite: e^−1000 is 0, also in float64. */
export const logDecayOf = (left: number): number => Math.max(Math.log(left), -1000);

/** Returns a matrix unchanged, and a vector as one row. */
export function matrixOf(value: Value | undefined): Matrix {
  const { shape, data } = arrayOf(value);
  const [rows, cols] = shape.length === 1 ? [1, shape[0]] : shape;
  if (rows === undefined || cols === undefined || shape.length > 2) {
    throw new TypeError(`A matrix is wanted here, not shape [${shape.join(', ')}].`);
  }
  return { rows, cols, data: Float32Array.from(data) };
}

/** The matrices of a stack (rank 3). */
export function matricesOf(value: Value | undefined): Matrix[] {
  const { shape, data } = arrayOf(value);
  const [count, rows, cols] = shape;
  if (count === undefined || rows === undefined || cols === undefined || shape.length !== 3) {
    throw new TypeError(`A stack is wanted here, not shape [${shape.join(', ')}].`);
  }
  const size = rows * cols;
  return Array.from({ length: count }, (_, at) => ({
    rows,
    cols,
    data: Float32Array.from(data.subarray(at * size, (at + 1) * size)),
  }));
}

export const array = (shape: readonly number[], data: Iterable<number>): ArrayValue => ({
  kind: 'array',
  dtype: 'float64',
  shape,
  data: Float64Array.from(data),
});

export const dict = (entries: Readonly<Record<string, Value>>): DictValue => ({
  kind: 'dict',
  entries,
});

export const fromMatrix = ({ rows, cols, data }: Matrix): ArrayValue => array([rows, cols], data);

/** All entries in one dimension. Python represents one row or one column in this way. */
export const fromVector = ({ data }: Matrix): ArrayValue => array([data.length], data);

/** Stacks matrices of one shape into an array of rank 3. */
export const fromMatrices = (parts: readonly Matrix[]): ArrayValue =>
  array(
    [parts.length, parts[0]?.rows ?? 0, parts[0]?.cols ?? 0],
    parts.flatMap(({ data }) => [...data]),
  );

/** Joins matrices with equal numbers of rows side by side. */
export function beside(parts: readonly Matrix[]): Matrix {
  const rows = parts[0]?.rows ?? 0;
  const cols = parts.reduce((sum, part) => sum + part.cols, 0);
  const data = new Float32Array(rows * cols);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (const part of parts) {
      data.set(part.data.subarray(row * part.cols, (row + 1) * part.cols), at);
      at += part.cols;
    }
  }
  return { rows, cols, data };
}

/** The columns `from` (included) to `to` (not included). */
export function columns(x: Matrix, from: number, to: number): Matrix {
  const data = new Float32Array(x.rows * (to - from));
  for (let row = 0; row < x.rows; row++) {
    data.set(x.data.subarray(row * x.cols + from, row * x.cols + to), row * (to - from));
  }
  return { rows: x.rows, cols: to - from, data };
}

/** Rows become columns: the core's layers hold outputs×inputs, those of exercises inputs×outputs. */
export function transposed({ rows, cols, data }: Matrix): Matrix {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      turned[col * rows + row] = data[row * cols + col] as number;
    }
  }
  return { rows: cols, cols: rows, data: turned };
}
