/**
 * A run of `npm run bench:peers` as `--record` writes it, to web/src/speed/recorded/peers.json.
 * Statistics only: the samples are not kept. Numbers have four significant digits.
 *
 * Columns (`median`, `share`, …) are parallel to `sizes` of their case; null is a size at which the
 * contender failed, was wrong or was not asked.
 */
export interface PeersRecord {
  readonly about: About;
  /** What the machine can do at most: the fastest of all rounds of the run. */
  readonly peaks: readonly Peak[];
  readonly cases: readonly CaseRecord[];
  readonly crossovers: readonly Crossover[];
}

export interface About {
  readonly machine: {
    /** As the system names it: `Intel(R) Xeon(R) Processor @ 2.80GHz`. */
    readonly cpu: string;
    readonly cores: number;
    readonly platform: string;
    /** Processes that wanted a core, on average over a minute. */
    readonly load: { readonly before: number; readonly after: number };
  };
  /** `Chromium 156.0.0.0` */
  readonly browser: string;
  /** `2026-11-21` */
  readonly date: string;
  /** What to type to do it again. */
  readonly command: string;
  /** Of our sources; ends in `+` where files differed from it. */
  readonly commit: string;
  /** Package name → version. Empty for a run without them. */
  readonly peers: Readonly<Record<string, string>>;
  /** Interleaved rounds: one sample of every contender in each. */
  readonly rounds: number;
  /** One sentence on how it was measured. */
  readonly method: string;
}

export type PeakName = 'mul+add' | 'FMA';

export interface Peak {
  readonly name: PeakName;
  /** 10⁹ floating-point operations a second; a multiply-add is two. */
  readonly gigaflops: number;
}

/** Builds of ours that are compared with others; `ours scalar` is a contender only. */
export type Build = 'simd' | 'relaxed';

/**
 * `plain JS`: careful loops over typed arrays; `blocked JS`: with products in register blocks.
 * `…, chunked`: causal linear attention in chunks, which is not what the goals compare with.
 */
export type PeerName =
  | 'ours simd'
  | 'ours relaxed'
  | 'ours scalar'
  | 'onnxruntime-web'
  | 'onnxruntime-web, chunked'
  | 'tfjs'
  | 'tfjs, chunked'
  | 'plain JS'
  | 'blocked JS';

export interface CaseRecord {
  /** `gemm`, `softmax`, `attention`, `attention_weights`, … : see cases.mjs. */
  readonly name: string;
  /** In words: `attention with weights`. */
  readonly title: string;
  /** n, ascending. */
  readonly sizes: readonly number[];
  /** Of the best known form; null where products are not what takes the time. */
  readonly multiplyAdds: Column;
  readonly contenders: readonly Contender[];
  readonly ratios: readonly Ratio[];
  /** What plain loops in float32 arithmetic miss of float64, at the size where each is largest. */
  readonly float32Loop: Errors | null;
  /** What issue 4 asks of this case, met or not; in the order of n. */
  readonly goals: readonly Goal[];
}

type Column = readonly (number | null)[];

/** Largest error of any entry, and root mean square. */
export interface Errors {
  readonly max: number;
  readonly rms: number;
}

export interface Contender {
  readonly peer: PeerName;
  /** The forms that were fastest at some size: `MatMul and Softmax, Kᵀ given`. */
  readonly variants: readonly string[];
  /** Which of them at each size, from 0; null: none ran. */
  readonly variant: Column;
  /** Milliseconds a call. */
  readonly median: Column;
  readonly min: Column;
  /** Against float64, at the size where each is largest; null: it never gave a result. */
  readonly error: Errors | null;
  /** Of our builds: the part of the peak that was reached, fastest to fastest; 0.95 is 95 %. */
  readonly share?: Readonly<Partial<Record<PeakName, Column>>>;
}

/**
 * Time of the peer divided by time of our build, paired: of the rounds in which both ran, and of the
 * peer's form that does best against ours. 2 means ours is twice as fast. Three significant digits.
 */
export interface Ratio {
  readonly build: Build;
  readonly peer: PeerName;
  readonly median: Column;
  /** Lower and upper quartile of the rounds. */
  readonly q1: Column;
  readonly q3: Column;
}

export interface Goal {
  /** null: over all sizes. */
  readonly n: number | null;
  readonly build: Build;
  /**
   * What `seen` is: `onnxruntime-web and tfjs` or another peer: the smaller ratio to them;
   * `mul+add` or `FMA`: share of that peak; `Q × 1`: time of sharp logits over that of ordinary
   * ones; `round sizes`: time a multiply-add at odd sizes over that at round ones; `float32 loop,
   * max` and `float32 loop, rms`: our error over that of the loop.
   */
  readonly against: string;
  readonly bound: 'at least' | 'at most';
  readonly wanted: number;
  readonly seen: number;
  readonly met: boolean;
}

/** Where linear attention begins to take less time than softmax attention. */
export interface Crossover {
  readonly build: Build;
  /** `linear_elu`, `linear_elu_causal` or `linear_performer` against `attention(_causal)`. */
  readonly linear: string;
  readonly softmax: string;
  /** The least n, between the measured sizes by interpolation of log time; null: not in `range`. */
  readonly measured: number | null;
  /** By the cost model and the rates measured at the largest and smallest n; null: none. */
  readonly predicted: number | null;
  /** The smallest and largest n that were measured. */
  readonly range: readonly [number, number];
}
