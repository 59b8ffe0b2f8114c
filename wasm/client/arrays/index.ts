import { ArrayError } from './errors';
import { type Exports, instantiate, type WasmSource } from './load';
import {
  type BinaryOp,
  binaryOps,
  type Dtype,
  dtypes,
  type Reduction,
  reductions,
  type UnaryOp,
  unaryOps,
} from './names';
import { clampInt, Generator, none, RandomState } from './random';

export { ArrayError } from './errors';
export type { WasmSource } from './load';
export * from './names';
export { Generator, RandomState } from './random';

/** An array, by number. Numbers above 0; one that was freed is an error and not another array. */
export type Handle = number;

/** All entries (left out or null), one axis, or several. */
export type Axis = number | readonly number[] | null | undefined;

/** A part of `x[…]`: an integer, `null` for a new axis, `'...'`, a slice, or an array of integers or booleans. */
export type IndexPart =
  | number
  | null
  | '...'
  | {
      readonly start?: number | null;
      readonly stop?: number | null;
      readonly step?: number | null;
    }
  | { readonly array: Handle };

/**
 * Parts, or the same as text, which is quick to pass through MicroPython: `"3,:,1:-1,::2"`, with `n`
 * for a new axis, `...`, and `#12` for the array with handle 12.
 */
export type IndexList = readonly IndexPart[] | string;

export interface Counts {
  /** One for each product that is summed. */
  multiplyAdds: number;
  /** Entries read and written by operations and element accesses. */
  touched: number;
  /** Of array memory taken, given back or not. */
  bytes: number;
  /** Entries of the largest array made; views are not made. */
  largest: number;
}

export interface Comparison {
  sameShape: boolean;
  /** |actual − expected| ≤ atol + rtol·|expected| everywhere; NaN equals NaN. */
  equal: boolean;
  /** Entries that differ, of how many. */
  wrong: number;
  of: number;
  /** Index of the first that differs. */
  first: number[] | null;
  /** Over entries finite on both sides. */
  maxAbsolute: number;
  maxRelative: number;
  /** Entries that are NaN on one side only. */
  nans: number;
}

export interface Unique {
  values: Handle;
  index: Handle;
  inverse: Handle;
  counts: Handle;
}

/** Byte offsets in the scratch buffer: integers first, then doubles. */
const doublesAt = 512;

/**
 * NumPy's arrays, in C++ behind WebAssembly: float64, float32, int64, bool; strided views,
 * broadcasting, NumPy 1.24's promotion and messages. Arrays are numbers (handles); whatever returns a
 * `Handle` made a new one. Methods throw ArrayError. Synchronous, without a worker of its own.
 */
export class Arrays {
  readonly #x: Exports;
  #ints: Int32Array;
  #doubles: Float64Array;
  #scratch = 0;
  #scratchBytes = 0;

  private constructor(x: Exports) {
    this.#x = x;
    this.#ints = new Int32Array();
    this.#doubles = new Float64Array();
    this.#reserve(4096);
    const names = this.#text(x.names());
    const here = [unaryOps, binaryOps, reductions].map((list) => list.join()).join(';');
    if (names !== here) throw new Error(`arrays.wasm has other operations: ${names}`);
  }

  /** `source`: the bytes of arrays.wasm, or what was compiled from them. */
  static async load(source: WasmSource): Promise<Arrays> {
    return new Arrays(await instantiate(source));
  }

  // ---- Making --------------------------------------------------------------------------------

  full(shape: readonly number[], value: number, dtype: Dtype = 'float64'): Handle {
    this.#putInts(shape);
    return this.#made(this.#x.full(shape.length, value, dtypes.indexOf(dtype)));
  }
  zeros(shape: readonly number[], dtype: Dtype = 'float64'): Handle {
    return this.full(shape, 0, dtype);
  }
  ones(shape: readonly number[], dtype: Dtype = 'float64'): Handle {
    return this.full(shape, 1, dtype);
  }
  /** Ones on the k-th diagonal of an n×m matrix. */
  eye(n: number, m = n, k = 0, dtype: Dtype = 'float64'): Handle {
    return this.#made(this.#x.eye(clampInt(n), clampInt(m), clampInt(k), dtypes.indexOf(dtype)));
  }
  /** start, start + step, … below stop. */
  arange(start: number, stop: number, step = 1, dtype: Dtype = 'float64'): Handle {
    return this.#made(this.#x.arange(start, stop, step, dtypes.indexOf(dtype)));
  }
  linspace(start: number, stop: number, count = 50, endpoint = true): Handle {
    return this.#made(this.#x.linspace(start, stop, clampInt(count), Number(endpoint)));
  }
  /** Rows r, columns c with c ≤ r + k are 1. */
  tri(n: number, m = n, k = 0, dtype: Dtype = 'float64'): Handle {
    return this.#made(this.#x.tri(clampInt(n), clampInt(m), clampInt(k), dtypes.indexOf(dtype)));
  }
  /** Row-major entries under a shape. Copied. */
  from(values: ArrayLike<number>, shape: readonly number[], dtype: Dtype = 'float64'): Handle {
    const size = shape.reduce((product, length) => product * length, 1);
    if (size !== values.length) {
      throw new ArrayError(
        'ValueError',
        `cannot reshape array of size ${values.length} into shape (${shape.join(',')}${shape.length === 1 ? ',' : ''})`,
      );
    }
    const made = this.full(shape, 0, dtype);
    const at = this.#x.data(made);
    const { buffer } = this.#x.memory;
    if (dtype === 'float64') new Float64Array(buffer, at, size).set(values);
    else if (dtype === 'float32') new Float32Array(buffer, at, size).set(values);
    else if (dtype === 'bool') {
      const to = new Uint8Array(buffer, at, size);
      for (let i = 0; i < size; i++) to[i] = values[i] ? 1 : 0;
    } else {
      const to = new BigInt64Array(buffer, at, size);
      for (let i = 0; i < size; i++) {
        const value = values[i] as number;
        to[i] = Number.isFinite(value) ? BigInt(Math.trunc(value)) : -(2n ** 63n);
      }
    }
    return made;
  }
  /** An array of rank 0. */
  scalar(value: number, dtype: Dtype = 'float64'): Handle {
    return this.full([], value, dtype);
  }

  // ---- Looking -------------------------------------------------------------------------------

  shape(x: Handle): number[] {
    const rank = this.#number(this.#x.info(x));
    return Array.from(this.#view().subarray(4, 4 + rank));
  }
  rank(x: Handle): number {
    return this.#number(this.#x.info(x));
  }
  dtype(x: Handle): Dtype {
    this.#number(this.#x.info(x));
    return dtypes[this.#view()[1] as number] as Dtype;
  }
  size(x: Handle): number {
    this.#number(this.#x.info(x));
    return this.#view()[2] as number;
  }
  /** In bytes, one for each axis. */
  strides(x: Handle): number[] {
    const rank = this.#number(this.#x.info(x));
    return Array.from(this.#view().subarray(4 + rank, 4 + 2 * rank));
  }
  /** Row-major, without holes. */
  isContiguous(x: Handle): boolean {
    this.#number(this.#x.info(x));
    return this.#view()[3] === 1;
  }
  /** Whether both are views into the same memory. */
  sharesMemory(x: Handle, y: Handle): boolean {
    return this.#number(this.#x.shares_memory(x, y)) === 1;
  }
  /** Every entry, row by row, as doubles (an int64 above 2⁵³ is rounded). A copy; not counted. */
  values(x: Handle): Float64Array {
    const at = this.#number(this.#x.read(x));
    const size = this.#x.read_size();
    return new Float64Array(this.#x.memory.buffer, at, size).slice();
  }
  /** The only entry of an array that has one. */
  item(x: Handle): number {
    return this.#real(this.#x.item(x));
  }
  /** One entry; one index for each axis. Counted. */
  get(x: Handle, i?: number, j?: number, ...more: number[]): number {
    if (j === undefined) {
      if (i === undefined) return this.item(x);
      return this.#real(this.#x.get1(x, clampInt(i)));
    }
    if (more.length === 0) return this.#real(this.#x.get2(x, clampInt(i as number), clampInt(j)));
    this.#putInts([i as number, j, ...more]);
    return this.#real(this.#x.get_n(x, 2 + more.length));
  }
  /** Writes one entry. Counted. */
  set(x: Handle, indices: readonly number[], value: number): void {
    this.#putInts(indices);
    this.#number(this.#x.set_n(x, indices.length, value));
  }
  /** As NumPy prints it, shortened. */
  text(x: Handle): string {
    return this.#text(this.#number(this.#x.array_text(x)));
  }

  // ---- Entry by entry --------------------------------------------------------------------------

  unary(op: UnaryOp, x: Handle): Handle {
    return this.#made(this.#x.unary(unaryOps.indexOf(op), x));
  }
  binary(op: BinaryOp, x: Handle, y: Handle): Handle {
    return this.#made(this.#x.binary(binaryOps.indexOf(op), x, y));
  }
  /**
   * x op value, or value op x where `swapped`. `kind` is that of the number in Python: it does not
   * make a float32 array float64.
   */
  binaryScalar(
    op: BinaryOp,
    x: Handle,
    value: number,
    kind: 'bool' | 'int64' | 'float64' = 'float64',
    swapped = false,
  ): Handle {
    return this.#made(
      this.#x.binary_scalar(binaryOps.indexOf(op), x, value, dtypes.indexOf(kind), Number(swapped)),
    );
  }
  /** x op= y: x keeps its dtype, or TypeError where NumPy refuses. */
  inPlace(op: BinaryOp, x: Handle, y: Handle): void {
    this.#number(this.#x.in_place(binaryOps.indexOf(op), x, y));
  }
  inPlaceScalar(
    op: BinaryOp,
    x: Handle,
    value: number,
    kind: 'bool' | 'int64' | 'float64' = 'float64',
  ): void {
    this.#number(this.#x.in_place_scalar(binaryOps.indexOf(op), x, value, dtypes.indexOf(kind)));
  }
  /** The dtype of x op y. */
  resultType(x: Handle, y: Handle): Dtype {
    return dtypes[this.#number(this.#x.result_type(x, y))] as Dtype;
  }
  where(condition: Handle, x: Handle, y: Handle): Handle {
    return this.#made(this.#x.where(condition, x, y));
  }
  /** Bounds are arrays (a scalar for one number) or null. */
  clip(x: Handle, low: Handle | null, high: Handle | null): Handle {
    return this.#made(this.#x.clip(x, low ?? 0, high ?? 0));
  }
  round(x: Handle, decimals = 0): Handle {
    return this.#made(this.#x.round(x, clampInt(decimals)));
  }
  /** Replaces NaN and infinities; without a number for an infinity, by the largest of the dtype. */
  nanToNum(x: Handle, nan = 0, positive?: number, negative?: number): Handle {
    return this.#made(this.#x.nan_to_num(x, nan, positive ?? Number.NaN, negative ?? Number.NaN));
  }

  // ---- Along axes ------------------------------------------------------------------------------

  reduce(op: Reduction, x: Handle, axis?: Axis, keepdims = false, ddof = 0): Handle {
    const axes = this.#axes(axis);
    return this.#made(this.#x.reduce(reductions.indexOf(op), x, axes, Number(keepdims), ddof));
  }
  /** Over all entries, as a number. */
  reduceAll(op: Reduction, x: Handle, ddof = 0): number {
    return this.#real(this.#x.reduce_all(reductions.indexOf(op), x, ddof));
  }
  argmax(x: Handle, axis?: number | null, keepdims = false): Handle {
    return this.#made(this.#x.arg_reduce(1, x, axisOf(axis), Number(keepdims)));
  }
  argmin(x: Handle, axis?: number | null, keepdims = false): Handle {
    return this.#made(this.#x.arg_reduce(0, x, axisOf(axis), Number(keepdims)));
  }
  cumsum(x: Handle, axis?: number | null): Handle {
    return this.#made(this.#x.cumulative(0, x, axisOf(axis)));
  }
  cumprod(x: Handle, axis?: number | null): Handle {
    return this.#made(this.#x.cumulative(1, x, axisOf(axis)));
  }
  diff(x: Handle, n = 1, axis = -1): Handle {
    return this.#made(this.#x.diff(x, clampInt(n), clampInt(axis)));
  }

  // ---- Products --------------------------------------------------------------------------------

  /** NumPy's `@`. */
  matmul(x: Handle, y: Handle): Handle {
    return this.#made(this.#x.matmul(x, y));
  }
  dot(x: Handle, y: Handle): Handle {
    return this.#made(this.#x.dot(x, y));
  }
  outer(x: Handle, y: Handle): Handle {
    return this.#made(this.#x.outer(x, y));
  }
  /** `einsum('nd,ne->de', k, v)`. */
  einsum(subscripts: string, ...operands: readonly Handle[]): Handle {
    this.#putInts(operands);
    const at = 4 * operands.length;
    const length = this.#putText(subscripts, at);
    return this.#made(this.#x.einsum(operands.length, at, length));
  }

  // ---- Shapes ----------------------------------------------------------------------------------

  /** Axes reversed, or in the given order. A view. */
  transpose(x: Handle, axes?: readonly number[] | null): Handle {
    if (!axes) return this.#made(this.#x.transpose(x, -1));
    this.#putInts(axes);
    return this.#made(this.#x.transpose(x, axes.length));
  }
  swapaxes(x: Handle, a: number, b: number): Handle {
    return this.#made(this.#x.swapaxes(x, clampInt(a), clampInt(b)));
  }
  /** One length may be −1. A view where strides allow it. */
  reshape(x: Handle, shape: readonly number[]): Handle {
    this.#putInts(shape);
    return this.#made(this.#x.reshape(x, shape.length));
  }
  /** A view in which stretched axes have stride 0. */
  broadcastTo(x: Handle, shape: readonly number[]): Handle {
    this.#putInts(shape);
    return this.#made(this.#x.broadcast_to(x, shape.length));
  }
  /** The common shape of several. */
  broadcastShapes(...operands: readonly Handle[]): number[] {
    this.#putInts(operands);
    const rank = this.#number(this.#x.broadcast_shapes(operands.length));
    return Array.from(this.#view().subarray(0, rank));
  }
  expandDims(x: Handle, axis: number): Handle {
    return this.#made(this.#x.expand_dims(x, clampInt(axis)));
  }
  squeeze(x: Handle, axis?: Axis): Handle {
    return this.#made(this.#x.squeeze(x, this.#axes(axis)));
  }
  /** A copy with other entries' type. */
  astype(x: Handle, dtype: Dtype): Handle {
    return this.#made(this.#x.astype(x, dtypes.indexOf(dtype)));
  }
  copy(x: Handle): Handle {
    return this.#made(this.#x.copy(x));
  }
  /** Another handle for the same view. */
  alias(x: Handle): Handle {
    return this.#made(this.#x.alias(x));
  }
  /** Along an axis; null flattens. */
  concatenate(parts: readonly Handle[], axis: number | null = 0): Handle {
    this.#putInts(parts);
    return this.#made(this.#x.concatenate(parts.length, axisOf(axis)));
  }
  /** Along a new axis. */
  stack(parts: readonly Handle[], axis = 0): Handle {
    this.#putInts(parts);
    return this.#made(this.#x.stack(parts.length, clampInt(axis)));
  }
  repeat(x: Handle, times: number, axis?: number | null): Handle {
    return this.#made(this.#x.repeat(x, clampInt(times), axisOf(axis)));
  }
  /** Every entry along the axis as often as `times` says. */
  repeatEach(x: Handle, times: Handle, axis?: number | null): Handle {
    return this.#made(this.#x.repeat_each(x, times, axisOf(axis)));
  }
  tile(x: Handle, times: readonly number[]): Handle {
    this.#putInts(times);
    return this.#made(this.#x.tile(x, times.length));
  }
  roll(x: Handle, shift: number, axis?: number | null): Handle {
    return this.#made(this.#x.roll(x, clampInt(shift), axisOf(axis)));
  }
  flip(x: Handle, axis?: Axis): Handle {
    return this.#made(this.#x.flip(x, this.#axes(axis)));
  }
  tril(x: Handle, k = 0): Handle {
    return this.#made(this.#x.tril(x, clampInt(k)));
  }
  triu(x: Handle, k = 0): Handle {
    return this.#made(this.#x.triu(x, clampInt(k)));
  }
  diagonal(x: Handle, k = 0, axis1 = 0, axis2 = 1): Handle {
    return this.#made(this.#x.diagonal(x, clampInt(k), clampInt(axis1), clampInt(axis2)));
  }
  diag(x: Handle, k = 0): Handle {
    return this.#made(this.#x.diag(x, clampInt(k)));
  }

  // ---- Indexing --------------------------------------------------------------------------------

  /** `x[…]`: a view without arrays among the parts, a copy with them. */
  index(x: Handle, parts: IndexList): Handle {
    return this.#made(this.#x.index(x, this.#parts(parts)));
  }
  /** `x[…] = value`, broadcast. */
  setIndex(x: Handle, parts: IndexList, value: Handle): void {
    this.#number(this.#x.set_index(x, this.#parts(parts), value));
  }
  setIndexScalar(x: Handle, parts: IndexList, value: number): void {
    this.#number(this.#x.set_index_scalar(x, this.#parts(parts), value));
  }
  /** `np.add.at(x, parts, value)`. */
  applyAt(op: BinaryOp, x: Handle, parts: IndexList, value: Handle): void {
    this.#number(this.#x.apply_at(binaryOps.indexOf(op), x, this.#parts(parts), value));
  }
  take(x: Handle, indices: Handle, axis?: number | null): Handle {
    return this.#made(this.#x.take(x, indices, axisOf(axis)));
  }
  takeAlongAxis(x: Handle, indices: Handle, axis: number): Handle {
    return this.#made(this.#x.take_along_axis(x, indices, clampInt(axis)));
  }
  putAlongAxis(x: Handle, indices: Handle, values: Handle, axis: number): void {
    this.#number(this.#x.put_along_axis(x, indices, values, clampInt(axis)));
  }
  /** One array of indices for each axis. */
  nonzero(x: Handle): Handle[] {
    return this.#several(this.#x.nonzero(x));
  }

  // ---- Order -----------------------------------------------------------------------------------

  /** NaNs last; null flattens. */
  sort(x: Handle, axis: number | null = -1): Handle {
    return this.#made(this.#x.sort(x, axisOf(axis)));
  }
  argsort(x: Handle, axis: number | null = -1): Handle {
    return this.#made(this.#x.argsort(x, axisOf(axis)));
  }
  unique(x: Handle): Unique {
    const [values, index, inverse, counts] = this.#several(this.#x.unique(x));
    return { values, index, inverse, counts } as Unique;
  }
  searchsorted(x: Handle, values: Handle, side: 'left' | 'right' = 'left'): Handle {
    return this.#made(this.#x.searchsorted(x, values, Number(side === 'right')));
  }
  /** q between 0 and 1; q's axes come first in the result. */
  quantile(x: Handle, q: Handle, axis?: Axis, keepdims = false): Handle {
    return this.#made(this.#x.quantile(x, q, this.#axes(axis), Number(keepdims)));
  }
  /** q between 0 and 100. */
  percentile(x: Handle, q: Handle, axis?: Axis, keepdims = false): Handle {
    return this.#made(this.#x.percentile(x, q, this.#axes(axis), Number(keepdims)));
  }
  median(x: Handle, axis?: Axis, keepdims = false): Handle {
    return this.#made(this.#x.median(x, this.#axes(axis), Number(keepdims)));
  }
  bincount(x: Handle, weights: Handle | null = null, atLeast = 0): Handle {
    return this.#made(this.#x.bincount(x, weights ?? 0, clampInt(atLeast)));
  }

  // ---- Statistics and linear algebra -------------------------------------------------------------

  /** Rows are variables. */
  cov(x: Handle, y: Handle | null = null, ddof = 1): Handle {
    return this.#made(this.#x.cov(x, y ?? 0, ddof));
  }
  corrcoef(x: Handle, y: Handle | null = null): Handle {
    return this.#made(this.#x.corrcoef(x, y ?? 0));
  }
  /** `order`: null for the usual one, a number, ±Infinity, 'fro' or 'nuc'. */
  norm(
    x: Handle,
    order: number | 'fro' | 'nuc' | null = null,
    axis?: Axis,
    keepdims = false,
  ): Handle {
    const usual = Number(order === null);
    const code = typeof order === 'number' ? order : order === 'fro' ? 1e301 : 1e300;
    return this.#made(this.#x.norm(x, code, usual, this.#axes(axis), Number(keepdims)));
  }
  /** Of symmetric matrices, ascending. */
  eigvalsh(x: Handle): Handle {
    return this.#made(this.#x.eigvalsh(x));
  }
  eigh(x: Handle): [values: Handle, vectors: Handle] {
    return this.#several(this.#x.eigh(x)) as [Handle, Handle];
  }
  svd(x: Handle, fullMatrices = true): [u: Handle, s: Handle, vh: Handle] {
    return this.#several(this.#x.svd(x, Number(fullMatrices))) as [Handle, Handle, Handle];
  }
  singularValues(x: Handle): Handle {
    return this.#made(this.#x.singular_values(x));
  }
  solve(a: Handle, b: Handle): Handle {
    return this.#made(this.#x.solve(a, b));
  }
  inv(x: Handle): Handle {
    return this.#made(this.#x.inv(x));
  }
  det(x: Handle): Handle {
    return this.#made(this.#x.det(x));
  }
  slogdet(x: Handle): [sign: Handle, logarithm: Handle] {
    return this.#several(this.#x.slogdet(x)) as [Handle, Handle];
  }
  qr(x: Handle): [q: Handle, r: Handle] {
    return this.#several(this.#x.qr(x)) as [Handle, Handle];
  }
  cholesky(x: Handle): Handle {
    return this.#made(this.#x.cholesky(x));
  }
  pinv(x: Handle, rcond = 1e-15): Handle {
    return this.#made(this.#x.pinv(x, rcond));
  }
  matrixRank(x: Handle, tolerance?: number): Handle {
    return this.#made(this.#x.matrix_rank(x, tolerance ?? Number.NaN));
  }
  /** The solution only. */
  lstsq(a: Handle, b: Handle): Handle {
    return this.#made(this.#x.lstsq(a, b));
  }
  trace(x: Handle): Handle {
    return this.#made(this.#x.trace(x));
  }

  // ---- Comparing ---------------------------------------------------------------------------------

  compare(actual: Handle, expected: Handle, rtol = 1e-5, atol = 1e-8): Comparison {
    const rank = this.#number(this.#x.compare(actual, expected, rtol, atol));
    const ints = this.#view();
    const doubles = this.#doubles;
    const at = doublesAt / 8;
    return {
      sameShape: ints[0] === 1,
      equal: ints[1] === 1,
      wrong: doubles[at] as number,
      of: doubles[at + 1] as number,
      first: ints[2] === 1 ? Array.from(ints.subarray(3, 3 + rank)) : null,
      maxAbsolute: doubles[at + 2] as number,
      maxRelative: doubles[at + 3] as number,
      nans: doubles[at + 4] as number,
    };
  }
  isclose(x: Handle, y: Handle, rtol = 1e-5, atol = 1e-8, equalNan = false): Handle {
    return this.#made(this.#x.isclose(x, y, rtol, atol, Number(equalNan)));
  }
  allclose(x: Handle, y: Handle, rtol = 1e-5, atol = 1e-8, equalNan = false): boolean {
    return this.#number(this.#x.allclose(x, y, rtol, atol, Number(equalNan))) === 1;
  }
  arrayEqual(x: Handle, y: Handle, equalNan = false): boolean {
    return this.#number(this.#x.array_equal(x, y, Number(equalNan))) === 1;
  }

  // ---- Random numbers ----------------------------------------------------------------------------

  /** NumPy's `RandomState(seed)`: the stream of `np.random.seed`. */
  randomState(seed: number | readonly number[] = 0): RandomState {
    const words = typeof seed === 'number' ? [seed] : seed;
    this.#putDoubles(words);
    const id = this.#number(this.#x.random_state(words.length, Number(typeof seed !== 'number')));
    return new RandomState(this.#randomAccess(), id);
  }
  /** NumPy's `default_rng(seed)`. */
  generator(seed: number | readonly number[] = 0): Generator {
    const words = typeof seed === 'number' ? [seed] : seed;
    this.#putDoubles(words);
    const id = this.#number(this.#x.generator(words.length));
    return new Generator(this.#randomAccess(), id);
  }

  // ---- Cost and memory ---------------------------------------------------------------------------

  counts(): Counts {
    this.#x.counts();
    this.#view();
    const at = doublesAt / 8;
    const list = this.#doubles.subarray(at, at + 4);
    const [multiplyAdds = 0, touched = 0, bytes = 0, largest = 0] = list;
    return { multiplyAdds, touched, bytes, largest };
  }
  resetCounts(): void {
    this.#x.reset_counts();
  }
  /** For work on entries that the engine does not see. */
  addCounts(multiplyAdds: number, touched: number): void {
    this.#x.add_counts(multiplyAdds, touched);
  }
  /** Array memory now held, and the most since `resetPeak`. */
  get liveBytes(): number {
    return this.#x.live_bytes();
  }
  get peakBytes(): number {
    return this.#x.peak_bytes();
  }
  resetPeak(): void {
    this.#x.reset_peak();
  }
  /** Beyond it, whatever makes an array throws a MemoryError. 512 MB unless told. */
  set memoryLimit(bytes: number) {
    this.#x.set_memory_limit(bytes);
  }
  get memoryLimit(): number {
    return this.#x.memory_limit();
  }
  /** `release(mark())` frees every array and generator that was made in between. */
  mark(): number {
    return this.#x.mark();
  }
  release(mark: number): void {
    this.#x.release(mark);
  }
  /** One array; the entries live on while views of them do. */
  free(x: Handle): void {
    this.#number(this.#x.free_array(x));
  }
  /** How many handles there are. */
  get live(): number {
    return this.#x.live_handles();
  }

  // ---- The boundary ------------------------------------------------------------------------------

  #randomAccess() {
    return {
      x: this.#x,
      made: (handle: number) => this.#made(handle),
      real: (value: number) => this.#real(value),
      done: (status: number) => this.#number(status),
      putInts: (values: readonly number[]) => this.#putInts(values),
    };
  }

  #made(handle: number): Handle {
    if (handle > 0) return handle;
    throw this.#error();
  }
  #number(value: number): number {
    if (value >= 0) return value;
    throw this.#error();
  }
  /** Failures are NaN; a NaN need not be one. */
  #real(value: number): number {
    if (Number.isNaN(value) && this.#x.failed() === 1) throw this.#error();
    return value;
  }
  #error(): ArrayError {
    return new ArrayError(this.#text(this.#x.error_type()), this.#text(this.#x.error_message()));
  }
  #several(count: number): Handle[] {
    this.#number(count);
    return Array.from(this.#view().subarray(0, count));
  }
  #text(at: number): string {
    const bytes = new Uint8Array(this.#x.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** The scratch buffer as integers; memory that grew took the old view away. */
  #view(): Int32Array {
    if (this.#ints.length === 0) this.#look();
    return this.#ints;
  }
  #look(): void {
    const { buffer } = this.#x.memory;
    this.#ints = new Int32Array(buffer, this.#scratch, this.#scratchBytes / 4);
    this.#doubles = new Float64Array(buffer, this.#scratch, this.#scratchBytes / 8);
  }
  #reserve(bytes: number): void {
    if (bytes > this.#scratchBytes) {
      this.#scratchBytes = (bytes + 4095) & ~4095;
      this.#scratch = this.#number(this.#x.scratch(this.#scratchBytes));
      this.#look();
    }
  }
  #putInts(values: readonly number[]): void {
    if (values.length > 128) this.#reserve(4 * values.length);
    const ints = this.#view();
    for (let i = 0; i < values.length; i++) ints[i] = clampInt(values[i] as number);
  }
  #putDoubles(values: readonly number[]): void {
    if (values.length > 128) this.#reserve(8 * values.length + doublesAt);
    this.#view();
    for (let i = 0; i < values.length; i++) this.#doubles[doublesAt / 8 + i] = values[i] as number;
  }
  /** Returns the number of bytes. */
  #putText(text: string, at: number): number {
    const bytes = new TextEncoder().encode(text);
    this.#reserve(at + bytes.length);
    new Uint8Array(this.#x.memory.buffer, this.#scratch + at).set(bytes);
    return bytes.length;
  }
  /** How many axes were put; −1 for all. */
  #axes(axis: Axis): number {
    if (axis === undefined || axis === null) return -1;
    if (typeof axis === 'number') {
      this.#view()[0] = clampInt(axis);
      return 1;
    }
    this.#putInts(axis);
    return axis.length;
  }
  /** Four integers for each part: its kind and what it says. */
  #parts(list: IndexList): number {
    const parts = typeof list === 'string' ? parseParts(list) : list;
    const codes: number[] = [];
    for (const part of parts) {
      if (typeof part === 'number') codes.push(0, part, 0, 0);
      else if (part === null) codes.push(2, 0, 0, 0);
      else if (part === '...') codes.push(3, 0, 0, 0);
      else if ('array' in part) codes.push(4, part.array, 0, 0);
      else {
        if (part.step === 0) throw new ArrayError('ValueError', 'slice step cannot be zero');
        codes.push(1, part.start ?? none, part.stop ?? none, part.step ?? 1);
      }
    }
    this.#putInts(codes);
    return parts.length;
  }
}

const axisOf = (axis: number | null | undefined) => (axis == null ? none : clampInt(axis));

function parseParts(text: string): IndexPart[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    if (part === 'n') return null;
    if (part === '...') return '...';
    if (part.startsWith('#')) return { array: Number(part.slice(1)) };
    if (!part.includes(':')) return Number(part);
    const [start, stop, step] = part.split(':').map((word) => (word === '' ? null : Number(word)));
    return { start, stop, step } as IndexPart;
  });
}
