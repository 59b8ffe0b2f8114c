import type { Exports } from './load';

/** Stands for an integer that is left out. */
export const none = -0x80000000;

/** WebAssembly would cut an integer to 32 bits; what does not fit them fits no array either. */
export function clampInt(value: number): number {
  return value === none ? value : Math.max(-0x7fffffff, Math.min(0x7fffffff, Math.trunc(value)));
}

/** What the generators need of `Arrays`. */
export interface RandomAccess {
  readonly x: Exports;
  made(handle: number): number;
  real(value: number): number;
  done(status: number): number;
  putInts(values: readonly number[]): void;
}

type Size = readonly number[];

/**
 * NumPy's legacy generator, the one behind `np.random.seed`: MT19937, the same numbers in the same
 * order as NumPy 1.24. Sizes are shapes; `[]` makes an array of rank 0. Results are handles.
 */
export class RandomState {
  constructor(
    readonly access: RandomAccess,
    readonly id: number,
  ) {}

  /** Begins anew, as `np.random.seed`. */
  seed(seed: number): void {
    this.access.done(this.access.x.random_seed(this.id, seed));
  }
  /** Uniform in [0, 1): `rand`, `random_sample`, `random`. */
  random(size: Size): number {
    return this.#draw(0, size, 0, 1);
  }
  randn(size: Size): number {
    return this.#draw(1, size, 0, 1);
  }
  normal(mean: number, deviation: number, size: Size): number {
    return this.#draw(1, size, mean, deviation);
  }
  uniform(low: number, high: number, size: Size): number {
    return this.#draw(2, size, low, high);
  }
  exponential(scale: number, size: Size): number {
    return this.#draw(3, size, scale, 0);
  }
  /** Integers, low ≤ i < high. */
  randint(low: number, high: number, size: Size): number {
    this.access.putInts(size);
    return this.access.made(this.access.x.random_integers(this.id, size.length, low, high));
  }
  /** The numbers 0 … n − 1, or the rows of an array, in another order. */
  permutation(n: number): number {
    return this.access.made(this.access.x.random_permutation(this.id, clampInt(n)));
  }
  permuted(x: number): number {
    return this.access.made(this.access.x.random_permuted(this.id, x));
  }
  /** Rows change places. */
  shuffle(x: number): void {
    this.access.done(this.access.x.random_shuffle(this.id, x));
  }
  /** Indices below n; `p`: an array of probabilities. */
  choice(n: number, size: Size, replace = true, p: number | null = null): number {
    this.access.putInts(size);
    return this.access.made(
      this.access.x.random_choice(this.id, clampInt(n), size.length, Number(replace), p ?? 0),
    );
  }

  #draw(kind: number, size: Size, a: number, b: number): number {
    this.access.putInts(size);
    return this.access.made(this.access.x.random_draw(this.id, kind, size.length, a, b));
  }
}

/** NumPy's `default_rng(seed)`: PCG64, the same numbers in the same order as NumPy 1.24. */
export class Generator extends RandomState {
  /** Integers, low ≤ i < high. */
  integers(low: number, high: number, size: Size): number {
    return this.randint(low, high, size);
  }
  /** `standard_normal`. */
  standardNormal(size: Size): number {
    return this.randn(size);
  }
}
