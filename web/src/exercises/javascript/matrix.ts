import { say } from '../run-phrases';
import { refusal } from './refusal';
import { Counter, countingView } from './work-counter';

// Taken before a student's file, which shares them, can put its own in their place.
const { exp, max, min, sqrt } = Math;

/** Two matrices do not fit, or an index lies outside. */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

/** The student's code asked for an array larger than a run may have. */
export class MemoryError extends Error {
  override name = 'MemoryError';
}

/** The settings that all matrices of one run share. */
export interface MatrixWorld {
  readonly counter: Counter;
  /** Writes the product of the row-major matrices a (n×k) and b (k×m) into `out`. */
  readonly multiply: (
    a: Float32Array,
    b: Float32Array,
    out: Float32Array,
    n: number,
    k: number,
    m: number,
  ) => void;
  readonly memoryBytes: number;
  /** Whether accesses to `data` are counted. */
  countEntries: boolean;
}

/** An operand of an operation that works entry by entry: a matrix or a number. */
export type Operand = Matrix | number;

const isSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) >= 0;
const words = (value: unknown): string => {
  if (value instanceof Matrix) return value.shape;
  return typeof value === 'function' ? 'function' : String(value).slice(0, 40);
};

// The settings are not on the class, because a student's file can reach the class and could change the counter.
let world: MatrixWorld = {
  counter: new Counter(),
  multiply: multiplyPlainly,
  memoryBytes: 2 ** 29,
  countEntries: false,
};
let readEntries: (matrix: Matrix) => Float32Array;
let readSizes: (matrix: Matrix) => readonly [rows: number, cols: number];

/** Sets the settings of a run; called before the student's code loads. */
export function enterWorld(entered: MatrixWorld): void {
  world = entered;
}

/** The entries without counting the access, for code of ours that only passes them on. */
export const entriesOf = (matrix: Matrix): Float32Array => readEntries(matrix);

/** The sizes that it was made with. */
export const sizesOf = (matrix: Matrix): readonly [rows: number, cols: number] => readSizes(matrix);

/** Row-major float32, as the students' JavaScript knows it. A vector is a matrix with one row. */
export class Matrix {
  static {
    readEntries = (matrix) => matrix.#data;
    readSizes = (matrix) => [matrix.#rows, matrix.#cols];
  }

  // A student's file may give an instance other sizes; what is computed and counted goes by these.
  readonly #rows: number;
  readonly #cols: number;
  readonly #data: Float32Array;
  #view: Float32Array | undefined;

  constructor(rows: number, cols: number, data?: ArrayLike<number>) {
    if (!isSize(rows) || !isSize(cols)) {
      throw refusal(ShapeError, say('m_sizes', { rows: words(rows), columns: words(cols) }));
    }
    const { counter, memoryBytes } = world;
    if (rows * cols * 4 > memoryBytes) {
      const needs = Math.round((rows * cols * 4) / 2 ** 20);
      const most = Math.round(memoryBytes / 2 ** 20);
      throw refusal(MemoryError, say('m_memory', { rows, columns: cols, needs, most }));
    }
    if (data && data.length !== rows * cols) {
      const sizes = { rows, columns: cols, n: rows * cols, given: data.length };
      throw refusal(ShapeError, say('m_numbers', sizes));
    }
    this.#rows = rows;
    this.#cols = cols;
    this.#data = data ? Float32Array.from(data) : new Float32Array(rows * cols);
    counter.made(rows * cols);
  }

  get rows(): number {
    return this.#rows;
  }

  get cols(): number {
    return this.#cols;
  }

  static zeros(rows: number, cols: number): Matrix {
    return new Matrix(rows, cols);
  }

  static full(rows: number, cols: number, value: number): Matrix {
    const made = new Matrix(rows, cols);
    made.#data.fill(value);
    world.counter.touched(made.#data.length);
    return made;
  }

  /** Makes a matrix from rows: `Matrix.from([[1, 2], [3, 4]])`. A list of numbers becomes one row. */
  static from(rows: ArrayLike<ArrayLike<number>> | ArrayLike<number>): Matrix {
    const list = Array.from(rows as ArrayLike<ArrayLike<number> | number>);
    const lines = list.every((row) => typeof row === 'number')
      ? [list as number[]]
      : list.map((row) => Array.from(row as ArrayLike<number>));
    const cols = lines[0]?.length ?? 0;
    const odd = lines.findIndex((row) => row.length !== cols);
    if (odd >= 0) {
      const given = lines[odd]?.length ?? 0;
      throw refusal(ShapeError, say('m_uneven', { n: cols, row: odd, given }));
    }
    const made = new Matrix(lines.length, cols, lines.flat());
    world.counter.touched(lines.length * cols);
    return made;
  }

  static identity(size: number): Matrix {
    return new Matrix(size, size).map((_, i, j) => (i === j ? 1 : 0));
  }

  /** The entries, row by row. Writing to this array changes the matrix. */
  get data(): Float32Array {
    const { countEntries, counter } = world;
    if (!countEntries) return this.#data;
    this.#view ??= countingView(this.#data, counter);
    return this.#view;
  }

  /** The shape as text, such as "4×8". */
  get shape(): string {
    return `${this.#rows}×${this.#cols}`;
  }

  get(i: number, j: number): number {
    return this.#data[this.#place('get', i, j)] as number;
  }

  set(i: number, j: number, value: number): void {
    this.#data[this.#place('set', i, j)] = value;
  }

  /** A copy of row i, 1×cols. */
  row(i: number): Matrix {
    if (!Number.isInteger(i) || i < 0 || i >= this.#rows) {
      throw refusal(ShapeError, say('m_no_row', { row: words(i), shape: this.shape }));
    }
    return this.slice(i, i + 1);
  }

  transpose(): Matrix {
    const rows = this.#rows;
    const cols = this.#cols;
    const made = new Matrix(cols, rows);
    for (let i = 0; i < rows; ++i) {
      for (let j = 0; j < cols; ++j) made.#data[j * rows + i] = this.#data[i * cols + j] as number;
    }
    world.counter.touched(2 * rows * cols);
    return made;
  }

  /** The matrix product. */
  times(other: Matrix): Matrix {
    if (!(other instanceof Matrix)) {
      throw refusal(TypeError, say('m_times_takes', { given: words(other) }));
    }
    if (this.#cols !== other.#rows) {
      throw refusal(ShapeError, say('m_times', { left: this.shape, right: other.shape }));
    }
    const { counter, multiply } = world;
    const made = new Matrix(this.#rows, other.#cols);
    multiply(this.#data, other.#data, made.#data, this.#rows, this.#cols, other.#cols);
    counter.multiplied(this.#rows * this.#cols * other.#cols);
    counter.touched(this.#data.length + other.#data.length + made.#data.length);
    return made;
  }

  plus(other: Operand): Matrix {
    return this.#combine('plus', other, (a, b) => a + b);
  }

  minus(other: Operand): Matrix {
    return this.#combine('minus', other, (a, b) => a - b);
  }

  /** The product entry by entry. */
  mul(other: Operand): Matrix {
    return this.#combine('mul', other, (a, b) => a * b);
  }

  /** The quotient entry by entry. */
  div(other: Operand): Matrix {
    return this.#combine('div', other, (a, b) => a / b);
  }

  /** The larger of each pair of entries. */
  maximum(other: Operand): Matrix {
    return this.#combine('maximum', other, max);
  }

  map(f: (value: number, i: number, j: number) => number): Matrix {
    if (typeof f !== 'function') throw refusal(TypeError, say('m_map', { given: words(f) }));
    const rows = this.#rows;
    const cols = this.#cols;
    const made = new Matrix(rows, cols);
    for (let i = 0, at = 0; i < rows; ++i) {
      for (let j = 0; j < cols; ++j, ++at) made.#data[at] = f(this.#data[at] as number, i, j);
    }
    world.counter.touched(2 * rows * cols);
    return made;
  }

  exp(): Matrix {
    return this.map(exp);
  }

  sqrt(): Matrix {
    return this.map(sqrt);
  }

  /** rows×1: the sum of each row. */
  sumRows(): Matrix {
    return this.#foldRows((a, b) => a + b, 0);
  }

  /** rows×1: the largest of each row. */
  maxRows(): Matrix {
    this.#needsEntries('maxRows');
    return this.#foldRows(max, Number.NEGATIVE_INFINITY);
  }

  /** 1×cols: the sum of each column. */
  sumCols(): Matrix {
    return this.transpose().sumRows().transpose();
  }

  sum(): number {
    return this.#fold((a, b) => a + b, 0);
  }

  max(): number {
    this.#needsEntries('max');
    return this.#fold(max, Number.NEGATIVE_INFINITY);
  }

  min(): number {
    this.#needsEntries('min');
    return this.#fold(min, Number.POSITIVE_INFINITY);
  }

  /** A copy of rows r0 … r1−1 and columns c0 … c1−1. */
  slice(r0: number, r1: number, c0 = 0, c1 = this.#cols): Matrix {
    for (const [from, to, size, what] of [
      [r0, r1, this.#rows, 'm_slice_rows'],
      [c0, c1, this.#cols, 'm_slice_columns'],
    ] as const) {
      if (!isSize(from) || !isSize(to) || from > to || to > size) {
        const ends = { from: words(from), to: words(to), shape: this.shape };
        throw refusal(ShapeError, say(what, ends));
      }
    }
    const width = c1 - c0;
    const made = new Matrix(r1 - r0, width);
    for (let i = r0; i < r1; ++i) {
      const at = i * this.#cols;
      made.#data.set(this.#data.subarray(at + c0, at + c1), (i - r0) * width);
    }
    world.counter.touched(2 * made.#data.length);
    return made;
  }

  /** Puts this matrix above the other. */
  concatRows(other: Matrix): Matrix {
    this.#needsMatrix('concatRows', other);
    if (this.#cols !== other.#cols) {
      throw refusal(ShapeError, say('m_above', { one: this.shape, other: other.shape }));
    }
    const made = new Matrix(this.#rows + other.#rows, this.#cols);
    made.#data.set(this.#data);
    made.#data.set(other.#data, this.#data.length);
    world.counter.touched(2 * made.#data.length);
    return made;
  }

  /** Puts this matrix to the left of the other. */
  concatCols(other: Matrix): Matrix {
    this.#needsMatrix('concatCols', other);
    if (this.#rows !== other.#rows) {
      throw refusal(ShapeError, say('m_beside', { one: this.shape, other: other.shape }));
    }
    const made = new Matrix(this.#rows, this.#cols + other.#cols);
    for (let i = 0; i < this.#rows; ++i) {
      const at = i * made.#cols;
      made.#data.set(this.#data.subarray(i * this.#cols, (i + 1) * this.#cols), at);
      made.#data.set(other.#data.subarray(i * other.#cols, (i + 1) * other.#cols), at + this.#cols);
    }
    world.counter.touched(2 * made.#data.length);
    return made;
  }

  clone(): Matrix {
    return this.slice(0, this.#rows);
  }

  /** The matrix as a list of rows. */
  toArray(): number[][] {
    world.counter.touched(this.#data.length);
    return Array.from({ length: this.#rows }, (_, i) =>
      Array.from(this.#data.subarray(i * this.#cols, (i + 1) * this.#cols)),
    );
  }

  /** The text that console.log prints. */
  toString(): string {
    const lines = this.toArray()
      .slice(0, 16)
      .map((row) => `  [${row.slice(0, 16).map(short).join(', ')}${row.length > 16 ? ', …' : ''}]`);
    if (this.#rows > 16) lines.push('  …');
    return `Matrix ${this.shape} [\n${lines.join('\n')}\n]`;
  }

  /** Signs such as + and * would make a text or NaN of a matrix, and the next line would be blamed. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString();
    throw refusal(TypeError, say('m_signs'));
  }

  /** `m[i][j]` would be an error about undefined, and `m[0] = x` would be lost: whoever writes so begins at a small index. */
  static {
    const refuse = (): never => {
      throw refusal(TypeError, say('m_brackets'));
    };
    for (let i = 0; i < 64; i++) {
      Object.defineProperty(Matrix.prototype, i, { get: refuse, set: refuse });
    }
  }

  #place(name: string, i: number, j: number): number {
    const rows = this.#rows;
    const cols = this.#cols;
    if (!(Number.isInteger(i) && i >= 0 && i < rows && Number.isInteger(j) && j >= 0 && j < cols)) {
      const at = { row: words(i), column: words(j), shape: this.shape };
      throw refusal(ShapeError, say('m_no_entry', { name, ...at }));
    }
    world.counter.touched(1);
    return i * cols + j;
  }

  #needsMatrix(name: string, other: unknown): void {
    if (!(other instanceof Matrix)) {
      throw refusal(TypeError, say('m_takes', { name, given: words(other) }));
    }
  }

  #needsEntries(name: string): void {
    if (this.#data.length === 0) {
      throw refusal(ShapeError, say('m_empty', { name, shape: this.shape }));
    }
  }

  #combine(name: string, other: Operand, f: (a: number, b: number) => number): Matrix {
    const { counter } = world;
    if (typeof other === 'number') {
      const made = new Matrix(this.#rows, this.#cols);
      const { length } = made.#data;
      for (let i = 0; i < length; ++i) made.#data[i] = f(this.#data[i] as number, other);
      counter.touched(2 * length);
      return made;
    }
    if (!(other instanceof Matrix)) {
      throw refusal(TypeError, say('m_takes_either', { name, given: words(other) }));
    }
    const fits = (a: number, b: number): boolean => a === b || a === 1 || b === 1;
    if (!fits(this.#rows, other.#rows) || !fits(this.#cols, other.#cols)) {
      const shapes = { name, one: this.shape, other: other.shape };
      throw refusal(ShapeError, say('m_shapes', shapes));
    }
    const size = (a: number, b: number): number => (a === 1 ? b : a);
    const made = new Matrix(size(this.#rows, other.#rows), size(this.#cols, other.#cols));
    const [aRow, aCol] = this.#steps();
    const [bRow, bCol] = other.#steps();
    for (let i = 0, at = 0; i < made.#rows; ++i) {
      for (let j = 0; j < made.#cols; ++j, ++at) {
        const a = this.#data[i * aRow + j * aCol] as number;
        made.#data[at] = f(a, other.#data[i * bRow + j * bCol] as number);
      }
    }
    counter.touched(this.#data.length + other.#data.length + made.#data.length);
    return made;
  }

  /** The distances to the next row and to the next column; 0 where a row or column is repeated. */
  #steps(): readonly [number, number] {
    return [this.#rows === 1 ? 0 : this.#cols, this.#cols === 1 ? 0 : 1];
  }

  #foldRows(f: (a: number, b: number) => number, start: number): Matrix {
    const rows = this.#rows;
    const cols = this.#cols;
    const made = new Matrix(rows, 1);
    for (let i = 0; i < rows; ++i) {
      let folded = start;
      for (let j = 0; j < cols; ++j) folded = f(folded, this.#data[i * cols + j] as number);
      made.#data[i] = folded;
    }
    world.counter.touched(rows * cols + rows);
    return made;
  }

  #fold(f: (a: number, b: number) => number, start: number): number {
    let folded = start;
    for (let i = 0; i < this.#data.length; ++i) folded = f(folded, this.#data[i] as number);
    world.counter.touched(this.#data.length);
    return folded;
  }
}

const short = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(5)));

/** Multiplies with plain loops: walks the rows of b in order and sums in double precision. */
export function multiplyPlainly(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  n: number,
  k: number,
  m: number,
): void {
  const sums = new Float64Array(m);
  for (let i = 0; i < n; ++i) {
    sums.fill(0);
    for (let l = 0; l < k; ++l) {
      const factor = a[i * k + l] as number;
      const at = l * m;
      for (let j = 0; j < m; ++j) sums[j] = (sums[j] as number) + factor * (b[at + j] as number);
    }
    out.set(sums, i * m);
  }
}
