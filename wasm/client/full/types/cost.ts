/** What mechanisms cost: by formula, counted in a run, and fitted to what was measured. */
import type { CallOptions } from '../../types';

/** The sizes a cost depends on; a mechanism reads those that its entry names. */
export interface CostShape {
  /** Default 512, and as many keys. */
  readonly n?: number;
  readonly m?: number;
  /** Widths of one head. Default 64. */
  readonly dK?: number;
  readonly dV?: number;
  /** Any id of `featureMaps`. Default `elu_plus_one`. */
  readonly featureMap?: string;
  /** Features of a map with a random projection; its default unless given. */
  readonly D?: number;
  /** Defaults 64, 16, 1, 32. */
  readonly window?: number;
  readonly block?: number;
  readonly summary?: number;
  readonly k?: number;
  /** Default 64. */
  readonly chunk?: number;
  readonly queryTile?: number;
  readonly keyTile?: number;
  /** Defaults 8, 2. */
  readonly heads?: number;
  readonly kvHeads?: number;
  /** heads·d_k unless given. */
  readonly dModel?: number;
}

/** One call. Counts above 2⁵³ lose their last digits. */
export interface Cost {
  readonly multiplyAdds: number;
  readonly exps: number;
  /** Every pass of a kernel counts each matrix it reads or writes once. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** The most held at once, inputs aside; and without the answer. */
  readonly peakBytes: number;
  readonly workspaceBytes: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** The index lists of a pattern. */
  readonly indexBytes: number;
  /** What decoding keeps of the tokens; 0 where nothing is decoded. */
  readonly stateBytes: number;
}

export interface MechanismInfo {
  readonly id: string;
  readonly label: string;
  /** TeX of the multiply-adds, and of the numbers that dominate the peak. */
  readonly multiplyAddsTex: string;
  readonly memoryTex: string;
  /** Sizes it reads beside n, dK and dV, by their name in `CostShape`. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** What a unit of work takes, in nanoseconds, measured by whoever asks. 0 unless given. */
export interface Rates {
  readonly multiplyAdd?: number;
  readonly exp?: number;
  readonly byte?: number;
  readonly call?: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** ln y = intercept + slope·ln x by least squares. */
export interface SlopeFit {
  readonly slope: number;
  readonly intercept: number;
  readonly slopeError: number;
  readonly interceptError: number;
  /** slope ± t·slopeError */
  readonly slopeInterval: Interval;
  readonly confidence: number;
  /** The quantile of Student's t it used. */
  readonly t: number;
  readonly rSquared: number;
  /** ln y − fit, one a point. */
  readonly residuals: Float64Array;
  /** The line at the `at` that was asked for (or at x), and its confidence band, in y. */
  readonly line: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Score matrices of all heads at one sequence length, in bytes. */
export interface MemoryRow {
  readonly n: number;
  readonly standard: number;
  /** A causal window of w keys: n rows of min(w, n) places, and the cells there really are. */
  readonly local: number;
  readonly localKept: number;
  /** A window of w keys on either side. */
  readonly symmetric: number;
  readonly symmetricKept: number;
  /** What the course text says: a claim, to be compared with. */
  readonly claimedStandard: number;
  readonly claimedLocal: number;
}

export interface CostCalls {
  /** All mechanisms that have a cost. */
  mechanisms(input?: undefined, options?: CallOptions): Promise<readonly MechanismInfo[]>;
  /** By formula. */
  costOf(
    input: {
      readonly mechanism: string;
      readonly shape?: CostShape;
      readonly scalarBytes?: number;
    },
    options?: CallOptions,
  ): Promise<Cost>;
  /**
   * By running it on N(0, 1) inputs and counting, in one go: nothing else runs meanwhile. At most
   * 2³⁶ multiply-adds and 1 GiB.
   */
  countedCost(
    input: { readonly mechanism: string; readonly shape?: CostShape; readonly seed?: number },
    options?: CallOptions,
  ): Promise<Cost>;
  /** (n + m)·D·d_v, and (n + m)·D more with the normaliser (default). m = n unless given. */
  linearMultiplyAdds(
    input: {
      readonly n: number;
      readonly m?: number;
      readonly D: number;
      readonly dV: number;
      readonly normalize?: boolean;
    },
    options?: CallOptions,
  ): Promise<number>;
  /** n* = 2·D·d_v/(d_k + d_v). */
  linearCrossover(
    input: { readonly D: number; readonly dK: number; readonly dV: number },
    options?: CallOptions,
  ): Promise<number>;
  /** Cells with |i − j| ≤ w of n×n. */
  bandCells(
    input: { readonly n: number; readonly w: number },
    options?: CallOptions,
  ): Promise<number>;
  /** Features of the Taylor map; compact (default) keeps each mixed product once. */
  taylorDimension(
    input: { readonly d: number; readonly compact?: boolean },
    options?: CallOptions,
  ): Promise<number>;
  /** Numbers that a layer carries from token to token. */
  stateFloats(
    input: {
      readonly kind: 'attention' | 'slidingWindow' | 'linear' | 'mamba' | 'hyena' | 'shortConv';
      readonly dModel?: number;
      readonly length?: number;
      readonly window?: number;
      readonly heads?: number;
      readonly D?: number;
      readonly dV?: number;
      readonly dState?: number;
      readonly kernel?: number;
    },
    options?: CallOptions,
  ): Promise<number>;
  predictedNanoseconds(
    input: { readonly mechanism: string; readonly shape?: CostShape; readonly rates: Rates },
    options?: CallOptions,
  ): Promise<number>;
  /** The least n = m ≤ limit (2²⁰) at which `b` does fewer multiply-adds than `a`; null for none. */
  crossover(
    input: {
      readonly a: string;
      readonly b: string;
      readonly shape?: CostShape;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Promise<number | null>;
  /** The same in predicted time. */
  crossoverTime(
    input: {
      readonly a: string;
      readonly ratesA: Rates;
      readonly b: string;
      readonly ratesB: Rates;
      readonly shape?: CostShape;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Promise<number | null>;
  /** The memory table of the deep-dive text, recomputed. Defaults 8, 1, 256, 4. */
  memoryTable(
    input: {
      readonly heads?: number;
      readonly batch?: number;
      readonly window?: number;
      readonly scalarBytes?: number;
    },
    options?: CallOptions,
  ): Promise<{
    readonly batch: number;
    readonly heads: number;
    readonly window: number;
    readonly scalarBytes: number;
    readonly rows: readonly MemoryRow[];
    readonly claimSource: string;
  }>;
  /** Fits y = e^intercept·x^slope to at least three positive points. */
  fitSlope(
    input: {
      readonly x: readonly number[] | Float64Array;
      readonly y: readonly number[] | Float64Array;
      /** Default 0.95. */
      readonly confidence?: number;
      /** Where to evaluate the line and its band; x unless given. */
      readonly at?: readonly number[] | Float64Array;
    },
    options?: CallOptions,
  ): Promise<SlopeFit>;
}
