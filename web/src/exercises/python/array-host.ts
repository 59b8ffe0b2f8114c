/**
 * The functions that numpy.py calls: they give MicroPython the array engine. A JavaScript exception would pass
 * through the interpreter uncaught, so each function returns an error as text that begins with "!", such as
 * "!ValueError|message". An array is passed as one small integer: bits 0-1 hold its dtype, bits 2-5 its rank, and the
 * other bits its number in `table`. A number is never used for a second array, so that an array kept from an earlier
 * call is refused instead of being mistaken for another.
 */

import {
  ArrayError,
  type Arrays,
  binaryOps,
  dtypes,
  type Generator,
  type Handle,
  type RandomState,
  reductions,
  unaryOps,
} from '#client/arrays';
import type { ArrayValue } from '../types';
import {
  arrayRepr,
  arrayText,
  arrayToString,
  defaultPrintOptions,
  type PrintedArray,
  type PrintOptions,
  scalarText,
  tensorText,
} from './format';

const signs = ['+', '-', '*', '/', '//', '%', 'fmod', '**', '', '', '', '', '', '', '', ''];
const comparisons = ['==', '!=', '<', '<=', '>', '>=', '', '', '', '&', '|', '^', '<<', '>>'];
/** The range of small integers in MicroPython, with one bit to spare. */
const smallest = 2 ** 29;
/** From here on a double does not hold every integer. */
const inexact = 2 ** 53;

type Reply = number | string | boolean | null | undefined;
type Seed = number | readonly number[];

export class Host {
  readonly #arrays: Arrays;
  readonly #table = new Map<number, Handle>();
  readonly #generators: RandomState[] = [];
  #next = 1;
  print: PrintOptions = { ...defaultPrintOptions };
  /** Returns MicroPython's memory. It is looked up each time, because it is replaced when it grows. */
  memory: () => ArrayBuffer = () => new ArrayBuffer(0);

  constructor(arrays: Arrays) {
    this.#arrays = arrays;
    // The stream of np.random before any seed is the same in every run, so that a grade does not depend on chance.
    this.#generators.push(arrays.randomState(0));
  }

  /** Stores an array of the engine and returns the integer by which numpy.py knows it. */
  give(array: Handle): number {
    const arrays = this.#arrays;
    const number = this.#next++;
    this.#table.set(number, array);
    return (number << 6) | (arrays.rank(array) << 2) | dtypes.indexOf(arrays.dtype(array));
  }

  /** Returns the engine's array for an integer of numpy.py. */
  take(h: number): Handle {
    const array = this.#table.get(h >> 6);
    if (array === undefined)
      throw new ArrayError(
        'RuntimeError',
        'this array was made in an earlier call and is gone; make it inside the function',
      );
    return array;
  }

  read(h: number): ArrayValue {
    return this.value(this.take(h));
  }

  value(array: Handle): ArrayValue {
    const arrays = this.#arrays;
    return {
      kind: 'array',
      dtype: arrays.dtype(array),
      shape: arrays.shape(array),
      data: arrays.values(array),
    };
  }

  /** Returns a function that forgets all arrays and generators made since this call. */
  mark(): () => void {
    const engine = this.#arrays.mark();
    const number = this.#next;
    const generators = this.#generators.length;
    return () => {
      for (const key of this.#table.keys()) if (key >= number) this.#table.delete(key);
      this.#generators.length = generators;
      this.#arrays.release(engine);
      if (this.#next > 2 ** 23) this.#next = number;
    };
  }

  /**
   * For printing: an int64 array that a double cannot tell entry by entry brings its integers along. They are not
   * part of every value, because JSON has no place for them.
   */
  #printed(h: number): PrintedArray {
    const value = this.read(h);
    const large = value.dtype === 'int64' && value.data.some((x) => Math.abs(x) >= inexact);
    return large ? { ...value, integers: this.#arrays.integers(this.take(h)) } : value;
  }

  /**
   * An entry as a reply. An integral value too large for a small integer goes as text; see `_value` in numpy.py. `at`
   * makes a view of the entry, which is read where the double does not hold the whole integer.
   */
  #entry(x: number, h: number, at: () => Handle): Reply {
    if ((h & 3) === 0) return x !== 0;
    if ((h & 3) === 1 && Math.abs(x) >= inexact) return String(this.#arrays.integers(at())[0]);
    if (Number.isInteger(x) && (Math.abs(x) >= smallest || Object.is(x, -0)))
      return Object.is(x, -0) ? '-0' : String(x);
    return x;
  }

  #optional(h: number | null): Handle | null {
    return h === null ? null : this.take(h);
  }

  #parts(flat: readonly (number | null)[]) {
    const parts: Parameters<Arrays['index']>[1][number][] = [];
    const list = parts as unknown[];
    for (let i = 0; i < flat.length; ) {
      const kind = flat[i++];
      if (kind === 0) list.push(flat[i++]);
      else if (kind === 1) {
        list.push({ start: flat[i], stop: flat[i + 1], step: flat[i + 2] });
        i += 3;
      } else if (kind === 2) list.push(null);
      else if (kind === 3) list.push('...');
      else list.push({ array: this.take(flat[i++] as number) });
    }
    return list as Exclude<Parameters<Arrays['index']>[1], string>;
  }

  #several(handles: readonly Handle[]): string {
    return handles.map((handle) => this.give(handle)).join();
  }

  #generator(id: number): RandomState {
    const generator = this.#generators[id];
    if (!generator)
      throw new ArrayError(
        'RuntimeError',
        'this generator was made in an earlier call and is gone',
      );
    return generator;
  }

  /** The functions of the module `_host`. */
  functions(): Record<string, (...args: never[]) => Reply> {
    const a = this.#arrays;
    const take = (h: number) => this.take(h);
    const give = (array: Handle) => this.give(array);
    const axis = (axes: readonly number[]) => (axes.length === 0 ? null : axes);
    const dtype = (code: number) => dtypes[code] ?? 'float64';
    const kind = (code: number) => (['bool', 'int64', 'float64', 'float64'] as const)[code & 3];
    const optional = (h: number | null) => this.#optional(h);

    const functions = {
      // Making arrays.
      scalar: (x: number, d: number) => give(a.scalar(x, dtype(d))),
      integer: (text: string) => give(a.integer(...halves(text))),
      full: (d: number, x: number, ...shape: number[]) => give(a.full(checked(shape), x, dtype(d))),
      // Nothing where doubles do not hold the integers, or are none: numpy.py makes them with makeIntegers.
      make: (d: number, at: number, count: number, ...shape: number[]) => {
        const values = new Float64Array(this.memory(), at, count);
        if (d === 1 && !values.every((x) => Math.abs(x) < inexact)) return null;
        return give(a.from(values, shape, dtype(d)));
      },
      makeIntegers: (at: number, count: number, ...shape: number[]) =>
        give(a.from(new BigInt64Array(this.memory(), at, count), shape)),
      eye: (n: number, m: number, k: number, d: number) => give(a.eye(n, m, k, dtype(d))),
      tri: (n: number, m: number, k: number, d: number) => give(a.tri(n, m, k, dtype(d))),
      arange: (start: number, stop: number, step: number, d: number) =>
        give(a.arange(start, stop, step, dtype(d))),
      linspace: (start: number, stop: number, count: number, endpoint: boolean) =>
        give(a.linspace(start, stop, count, Boolean(endpoint))),

      // Reading arrays.
      length: (h: number, i: number) => a.shape(take(h))[i],
      strides: (h: number) => a.strides(take(h)).join(),
      shape: (h: number) => a.shape(take(h)).join(),
      shares: (h: number, k: number) => a.sharesMemory(take(h), take(k)),
      overlaps: (h: number) => {
        const shape = a.shape(take(h));
        return a.strides(take(h)).some((step, i) => step === 0 && (shape[i] ?? 0) > 1);
      },
      owns: (h: number) => a.ownsData(take(h)),
      writeable: (h: number) => a.writeable(take(h)),
      setWriteable: (h: number, on: boolean) => a.setWriteable(take(h), Boolean(on)),
      item: (h: number) => this.#entry(a.item(take(h)), h, () => take(h)),
      get1: (h: number, i: number) =>
        this.#entry(a.get(take(h), i), h, () => a.index(take(h), [i])),
      get2: (h: number, i: number, j: number) =>
        this.#entry(a.get(take(h), i, j), h, () => a.index(take(h), [i, j])),
      view1: (h: number, i: number) => give(a.index(take(h), [i])),
      set1: (h: number, i: number, x: number) => a.set(take(h), [i], x),
      set2: (h: number, i: number, j: number, x: number) => a.set(take(h), [i, j], x),
      index: (h: number, ...parts: (number | null)[]) => give(a.index(take(h), this.#parts(parts))),
      setIndex: (h: number, value: number, ...parts: (number | null)[]) =>
        a.setIndex(take(h), this.#parts(parts), take(value)),
      applyAt: (op: number, h: number, value: number, ...parts: (number | null)[]) =>
        a.applyAt(binary(op), take(h), this.#parts(parts), take(value)),
      fill: (h: number, at: number, d: number) => {
        const values = d === 1 ? a.integers(take(h)) : a.values(take(h));
        // A list of the entries reads all of them.
        a.addCounts(0, values.length);
        if (values instanceof BigInt64Array)
          new BigInt64Array(this.memory(), at, values.length).set(values);
        else new Float64Array(this.memory(), at, values.length).set(values);
      },
      str: (h: number) => arrayText(this.#printed(h), this.print),
      repr: (h: number) => arrayRepr(this.#printed(h), this.print),
      tensorText: (h: number) => tensorText(this.#printed(h)),
      reprAs: (h: number, name: string) => arrayRepr(this.#printed(h), this.print, name),
      array2string: (h: number, separator: string, prefix: string, suffix: string, json: string) =>
        arrayToString(
          this.#printed(h),
          { ...this.print, ...JSON.parse(json) },
          separator,
          prefix,
          suffix,
        ),
      setPrint: (json: string) => {
        this.print = { ...this.print, ...JSON.parse(json) };
      },
      getPrint: () => JSON.stringify(this.print),
      scalarText: (x: number) => scalarText(x, 'float32'),
      fround: (x: number) => {
        const y = Math.fround(x);
        return Number.isInteger(y) ? `${y}` : y;
      },
      number: (text: string) => Number(text),
      binaryName: (op: number) => (op < 16 ? signs[op] : comparisons[op - 16]) || binaryOps[op],

      // Entry by entry.
      un: (op: number, h: number) => give(a.unary(unaryOps[op] ?? 'negative', take(h))),
      bin: (op: number, h: number, k: number) => give(a.binary(binary(op), take(h), take(k))),
      bins: (op: number, h: number, x: number, code: number) =>
        give(a.binaryScalar(binary(op), take(h), x, kind(code), code >= 4)),
      inp: (op: number, h: number, k: number) => a.inPlace(binary(op), take(h), take(k)),
      inps: (op: number, h: number, x: number, code: number) =>
        a.inPlaceScalar(binary(op), take(h), x, kind(code)),
      where: (c: number, x: number, y: number) => give(a.where(take(c), take(x), take(y))),
      clip: (h: number, low: number | null, high: number | null) =>
        give(a.clip(take(h), optional(low), optional(high))),
      round: (h: number, decimals: number) => give(a.round(take(h), decimals)),
      nanToNum: (h: number, nan: number, plus: number | null, minus: number | null) =>
        give(a.nanToNum(take(h), nan, plus ?? undefined, minus ?? undefined)),
      astype: (h: number, d: number) => give(a.astype(take(h), dtype(d))),
      copy: (h: number) => give(a.copy(take(h))),
      alias: (h: number) => give(a.alias(take(h))),
      resultType: (h: number, k: number) => dtypes.indexOf(a.resultType(take(h), take(k))),

      // Along axes.
      red: (op: number, h: number, keepdims: boolean, ddof: number, ...axes: number[]) =>
        give(a.reduce(reductions[op] ?? 'sum', take(h), axis(axes), Boolean(keepdims), ddof)),
      argmax: (h: number, i: number | null, keepdims: boolean) =>
        give(a.argmax(take(h), i, Boolean(keepdims))),
      argmin: (h: number, i: number | null, keepdims: boolean) =>
        give(a.argmin(take(h), i, Boolean(keepdims))),
      cumsum: (h: number, i: number | null) => give(a.cumsum(take(h), i)),
      cumprod: (h: number, i: number | null) => give(a.cumprod(take(h), i)),
      diff: (h: number, n: number, i: number) => give(a.diff(take(h), n, i)),

      // Products.
      matmul: (h: number, k: number) => {
        const [x, y] = [take(h), take(k)];
        try {
          return give(a.matmul(x, y));
        } catch (error) {
          throw withRank(error, Math.max(a.shape(x).length, a.shape(y).length));
        }
      },
      dot: (h: number, k: number) => give(a.dot(take(h), take(k))),
      outer: (h: number, k: number) => give(a.outer(take(h), take(k))),
      einsum: (text: string, ...hs: number[]) => give(a.einsum(text, ...hs.map(take))),

      // Shapes.
      transpose: (h: number, ...axes: number[]) => give(a.transpose(take(h), axis(axes))),
      swapaxes: (h: number, i: number, j: number) => give(a.swapaxes(take(h), i, j)),
      reshape: (h: number, ...shape: number[]) => give(a.reshape(take(h), shape)),
      broadcastTo: (h: number, ...shape: number[]) => give(a.broadcastTo(take(h), shape)),
      broadcastShapes: (...hs: number[]) => a.broadcastShapes(...hs.map(take)).join(),
      expandDims: (h: number, i: number) => give(a.expandDims(take(h), i)),
      squeeze: (h: number, ...axes: number[]) => give(a.squeeze(take(h), axis(axes))),
      concatenate: (i: number | null, ...hs: number[]) => give(a.concatenate(hs.map(take), i)),
      stack: (i: number, ...hs: number[]) => give(a.stack(hs.map(take), i)),
      repeat: (h: number, times: number, i: number | null) => give(a.repeat(take(h), times, i)),
      repeats: (h: number, times: number, i: number | null) =>
        give(a.repeatEach(take(h), take(times), i)),
      tile: (h: number, ...times: number[]) => give(a.tile(take(h), times)),
      roll: (h: number, shift: number, i: number | null) => give(a.roll(take(h), shift, i)),
      flip: (h: number, ...axes: number[]) => give(a.flip(take(h), axis(axes))),
      tril: (h: number, k: number) => give(a.tril(take(h), k)),
      triu: (h: number, k: number) => give(a.triu(take(h), k)),
      diagonal: (h: number, k: number, i: number, j: number) => give(a.diagonal(take(h), k, i, j)),
      diag: (h: number, k: number) => give(a.diag(take(h), k)),

      // Picking entries and ordering them.
      take: (h: number, indices: number, i: number | null) =>
        give(a.take(take(h), take(indices), i)),
      takeAlongAxis: (h: number, indices: number, i: number) =>
        give(a.takeAlongAxis(take(h), take(indices), i)),
      putAlongAxis: (h: number, indices: number, values: number, i: number) =>
        a.putAlongAxis(take(h), take(indices), take(values), i),
      nonzero: (h: number) => this.#several(a.nonzero(take(h))),
      sort: (h: number, i: number | null) => give(a.sort(take(h), i)),
      argsort: (h: number, i: number | null) => give(a.argsort(take(h), i)),
      unique: (h: number) => {
        const { values, index, inverse, counts } = a.unique(take(h));
        return this.#several([values, index, inverse, counts]);
      },
      searchsorted: (h: number, values: number, right: boolean) =>
        give(a.searchsorted(take(h), take(values), right ? 'right' : 'left')),
      quantile: (h: number, q: number, keepdims: boolean, ...axes: number[]) =>
        give(a.quantile(take(h), take(q), axis(axes), Boolean(keepdims))),
      median: (h: number, keepdims: boolean, ...axes: number[]) =>
        give(a.median(take(h), axis(axes), Boolean(keepdims))),
      bincount: (h: number, weights: number | null, least: number) =>
        give(a.bincount(take(h), optional(weights), least)),

      // Statistics and linear algebra.
      cov: (h: number, k: number | null, ddof: number) => give(a.cov(take(h), optional(k), ddof)),
      corrcoef: (h: number, k: number | null) => give(a.corrcoef(take(h), optional(k))),
      norm: (
        h: number,
        order: number | 'fro' | 'nuc' | null,
        keepdims: boolean,
        ...axes: number[]
      ) => give(a.norm(take(h), order, axis(axes), Boolean(keepdims))),
      eigvalsh: (h: number) => give(a.eigvalsh(take(h))),
      eigh: (h: number) => this.#several(a.eigh(take(h))),
      svd: (h: number, full: boolean) => this.#several(a.svd(take(h), Boolean(full))),
      singularValues: (h: number) => give(a.singularValues(take(h))),
      solve: (h: number, k: number) => give(a.solve(take(h), take(k))),
      inv: (h: number) => give(a.inv(take(h))),
      det: (h: number) => give(a.det(take(h))),
      slogdet: (h: number) => this.#several(a.slogdet(take(h))),
      qr: (h: number) => this.#several(a.qr(take(h))),
      cholesky: (h: number) => give(a.cholesky(take(h))),
      pinv: (h: number, rcond: number) => give(a.pinv(take(h), rcond)),
      matrixRank: (h: number, tolerance: number | null) =>
        give(a.matrixRank(take(h), tolerance ?? undefined)),
      lstsq: (h: number, k: number) => give(a.lstsq(take(h), take(k))),
      trace: (h: number) => give(a.trace(take(h))),

      // Comparing.
      isclose: (h: number, k: number, rtol: number, atol: number, nan: boolean) =>
        give(a.isclose(take(h), take(k), rtol, atol, Boolean(nan))),
      allclose: (h: number, k: number, rtol: number, atol: number, nan: boolean) =>
        a.allclose(take(h), take(k), rtol, atol, Boolean(nan)),
      arrayEqual: (h: number, k: number, nan: boolean) =>
        a.arrayEqual(take(h), take(k), Boolean(nan)),

      // Random numbers. `kind` is 0 for RandomState and 1 for Generator; a negative seed asks for any stream.
      rng: (generator: number, ...seed: number[]) => {
        const words: Seed = seed.length === 1 && (seed[0] ?? 0) >= 0 ? (seed[0] as number) : seed;
        const start = seed.length === 0 ? Math.floor(Math.random() * 2 ** 32) : words;
        this.#generators.push(generator ? a.generator(start) : a.randomState(start));
        return this.#generators.length - 1;
      },
      rngSeed: (id: number, seed: number) => this.#generator(id).seed(seed),
      rngDraw: (id: number, what: string, low: number, high: number, ...size: number[]) => {
        const g = this.#generator(id);
        checked(size);
        if (what === 'random') return give(g.random(size));
        if (what === 'normal') return give(g.normal(low, high, size));
        if (what === 'uniform') return give(g.uniform(low, high, size));
        if (what === 'exponential') return give(g.exponential(low, size));
        return give(g.randint(low, high, size));
      },
      rngIntegers: (id: number, low: string, last: string, ...size: number[]) =>
        give(this.#generator(id).randintThrough(...halves(low), ...halves(last), checked(size))),
      rngPermutation: (id: number, n: number) => give(this.#generator(id).permutation(n)),
      rngPermuted: (id: number, h: number) => give(this.#generator(id).permuted(take(h))),
      rngShuffle: (id: number, h: number) => this.#generator(id).shuffle(take(h)),
      rngChoice: (id: number, n: number, replace: boolean, p: number | null, ...size: number[]) =>
        give(this.#generator(id).choice(n, size, Boolean(replace), optional(p))),
    };

    const safe: Record<string, (...args: never[]) => Reply> = {};
    for (const [name, run] of Object.entries(functions)) {
      const call = run as (...args: unknown[]) => Reply | undefined;
      safe[name] = (...args: unknown[]) => {
        try {
          const reply = call(...args);
          // `undefined` would arrive in Python as an object, so null is returned.
          return reply === undefined ? null : reply;
        } catch (error) {
          return failure(error);
        }
      };
    }
    return safe;
  }
}

const binary = (op: number) => binaryOps[op] ?? 'add';

/** The upper and lower 32 bits of an integer that is written out. */
function halves(text: string): [high: number, low: number] {
  const x = BigInt(text);
  if (BigInt.asIntN(64, x) !== x)
    throw new ArrayError(
      'OverflowError',
      'Python int too large to convert to C long: an int64 array holds -2**63 to 2**63 - 1; use floats beyond',
    );
  return [Number(x >> 32n), Number(x & 0xffffffffn)];
}

function checked(shape: readonly number[]): readonly number[] {
  if (shape.some((n) => n < 0))
    throw new ArrayError('ValueError', 'negative dimensions are not allowed');
  return shape;
}

/** Sizes that do not fit in a product are explained otherwise where an operand is a stack of matrices. */
const withRank = (error: unknown, rank: number): unknown =>
  error instanceof ArrayError && error.explained.startsWith('matmul_sizes')
    ? new ArrayError(error.type, error.message, `${error.explained}\x1f${rank}`)
    : error;

/** An exception as text. */
export function failure(error: unknown): string {
  if (error instanceof ArrayError)
    return `!${error.type}|${error.message}${error.explained && `\x02${error.explained}`}`;
  if (error instanceof RangeError) return `!MemoryError|${error.message}`;
  return `!RuntimeError|${error instanceof Error ? error.message : String(error)}`;
}

export type { Generator };
