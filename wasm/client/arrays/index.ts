import { ArrayCalls, type Dtype } from '../../../build/wasm/client/arrays';
import { type Axis, Boundary, clampInt, type Handle } from './boundary';
import { ArrayError } from './errors';
import { instantiate, type WasmSource } from './load';
import { Generator, RandomState } from './random';

export {
  type BinaryOp,
  binaryOps,
  type Dtype,
  dtypes,
  type Reduction,
  reductions,
  type UnaryOp,
  unaryOps,
} from '../../../build/wasm/client/arrays';
export type { Axis, Handle, IndexList, IndexPart } from './boundary';
export { ArrayError } from './errors';
export type { WasmSource } from './load';
export { Generator, RandomState } from './random';

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

/**
 * NumPy's arrays, in C++ behind WebAssembly: float64, float32, int64, bool; strided views,
 * broadcasting, NumPy 1.24's promotion and messages. Arrays are numbers (handles); whatever returns a
 * `Handle` made a new one. Methods throw ArrayError. Synchronous, without a worker of its own.
 */
export class Arrays extends ArrayCalls {
  /** `source`: the bytes of arrays.wasm, or what was compiled from them. */
  static async load(source: WasmSource): Promise<Arrays> {
    return new Arrays(new Boundary(await instantiate(source)));
  }

  // ---- Making --------------------------------------------------------------------------------

  zeros(shape: readonly number[], dtype: Dtype = 'float64'): Handle {
    return this.full(shape, 0, dtype);
  }
  ones(shape: readonly number[], dtype: Dtype = 'float64'): Handle {
    return this.full(shape, 1, dtype);
  }
  /** Row-major entries under a shape. Copied. */
  from(
    values: ArrayLike<number> | BigInt64Array,
    shape: readonly number[],
    dtype: Dtype = values instanceof BigInt64Array ? 'int64' : 'float64',
  ): Handle {
    const size = shape.reduce((product, length) => product * length, 1);
    if (size !== values.length) {
      throw new ArrayError(
        'ValueError',
        `cannot reshape array of size ${values.length} into shape (${shape.join(',')}${shape.length === 1 ? ',' : ''})`,
      );
    }
    const made = this.full(shape, 0, dtype);
    const at = this.wire.x.data(made);
    const { buffer } = this.wire.x.memory;
    if (values instanceof BigInt64Array) {
      if (dtype !== 'int64')
        throw new ArrayError('TypeError', 'a BigInt64Array makes an int64 array');
      new BigInt64Array(buffer, at, size).set(values);
    } else if (dtype === 'float64') new Float64Array(buffer, at, size).set(values);
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

  /** Every entry, row by row, as doubles (an int64 above 2⁵³ is rounded). A copy; not counted. */
  values(x: Handle): Float64Array {
    const at = this.wire.number(this.wire.x.read(x));
    const size = this.wire.x.read_size();
    return new Float64Array(this.wire.x.memory.buffer, at, size).slice();
  }
  /** Every entry of an int64 or bool array, row by row, exact. A copy; not counted. */
  integers(x: Handle): BigInt64Array {
    const at = this.wire.number(this.wire.x.read_integers(x));
    const size = this.wire.x.read_size();
    return new BigInt64Array(this.wire.x.memory.buffer, at, size).slice();
  }
  /** Whether no other array shared its entries when it was made. */
  ownsData(x: Handle): boolean {
    return this.wire.number(this.wire.x.owns_data(x)) === 1;
  }
  /** Makes an array (not what it is a view of) read-only, or gives that up. */
  setWriteable(x: Handle, writeable: boolean): void {
    this.wire.number(this.wire.x.set_writeable(x, Number(writeable)));
  }
  /** One entry; one index for each axis. Counted. */
  get(x: Handle, i?: number, j?: number, ...more: number[]): number {
    if (j === undefined) {
      if (i === undefined) return this.item(x);
      return this.wire.real(this.wire.x.get1(x, clampInt(i)));
    }
    if (more.length === 0)
      return this.wire.real(this.wire.x.get2(x, clampInt(i as number), clampInt(j)));
    this.wire.putInts([i as number, j, ...more]);
    return this.wire.real(this.wire.x.get_n(x, 2 + more.length));
  }

  // ---- Calls whose arguments or results are special --------------------------------------------

  /** `einsum('nd,ne->de', k, v)`. */
  einsum(subscripts: string, ...operands: readonly Handle[]): Handle {
    const count = this.wire.putInts(operands);
    const length = this.wire.putText(subscripts, 4 * count);
    return this.wire.made(this.wire.x.einsum(count, 4 * count, length));
  }
  /** The common shape of several. */
  broadcastShapes(...operands: readonly Handle[]): number[] {
    return this.wire.integers(this.wire.x.broadcast_shapes(this.wire.putInts(operands)));
  }
  unique(x: Handle): Unique {
    const [values, index, inverse, counts] = this.wire.integers(this.wire.x.unique(x));
    return { values, index, inverse, counts } as Unique;
  }
  searchsorted(x: Handle, values: Handle, side: 'left' | 'right' = 'left'): Handle {
    return this.wire.made(this.wire.x.searchsorted(x, values, Number(side === 'right')));
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
    return this.wire.made(
      this.wire.x.norm(x, code, usual, this.wire.putAxes(axis), Number(keepdims)),
    );
  }
  compare(actual: Handle, expected: Handle, rtol = 1e-5, atol = 1e-8): Comparison {
    const rank = this.wire.number(this.wire.x.compare(actual, expected, rtol, atol));
    const ints = this.wire.view();
    const [wrong = 0, of = 0, maxAbsolute = 0, maxRelative = 0, nans = 0] = this.wire.doubles(5);
    return {
      sameShape: ints[0] === 1,
      equal: ints[1] === 1,
      wrong,
      of,
      first: ints[2] === 1 ? Array.from(ints.subarray(3, 3 + rank)) : null,
      maxAbsolute,
      maxRelative,
      nans,
    };
  }

  // ---- Random numbers ----------------------------------------------------------------------------

  /** NumPy's `RandomState(seed)`: the stream of `np.random.seed`. */
  randomState(seed: number | readonly number[] = 0): RandomState {
    const isList = typeof seed !== 'number';
    const count = this.wire.putDoubles(isList ? seed : [seed]);
    const id = this.wire.number(this.wire.x.random_state(count, Number(isList)));
    return new RandomState(this.wire, id);
  }
  /** NumPy's `default_rng(seed)`. */
  generator(seed: number | readonly number[] = 0): Generator {
    const count = this.wire.putDoubles(typeof seed === 'number' ? [seed] : seed);
    return new Generator(this.wire, this.wire.number(this.wire.x.generator(count)));
  }

  // ---- Cost and memory ---------------------------------------------------------------------------

  counts(): Counts {
    this.wire.x.counts();
    const [multiplyAdds = 0, touched = 0, bytes = 0, largest = 0] = this.wire.doubles(4);
    return { multiplyAdds, touched, bytes, largest };
  }
  /** Array memory now held, and the most since `resetPeak`. */
  get liveBytes(): number {
    return this.wire.x.live_bytes();
  }
  get peakBytes(): number {
    return this.wire.x.peak_bytes();
  }
  /** Beyond it, whatever makes an array throws a MemoryError. 512 MB unless told. */
  set memoryLimit(bytes: number) {
    this.wire.x.set_memory_limit(bytes);
  }
  get memoryLimit(): number {
    return this.wire.x.memory_limit();
  }
  /** One array; the entries live on while views of them do. */
  free(x: Handle): void {
    this.wire.number(this.wire.x.free_array(x));
  }
  /** How many handles there are. */
  get live(): number {
    return this.wire.x.live_handles();
  }
}
