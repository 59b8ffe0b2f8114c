/**
 * The public types of the core: what the page, the tests and an embedder see.
 *
 * Shape letters, the same as in the C++ headers: n queries, m keys, d_k (`dK`) the width of queries
 * and keys, d_v (`dV`) the width of values, D the feature dimension.
 */

import type { Build } from './protocol';

/** A row-major float32 matrix: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

/** Queries n×d_k, keys m×d_k and values m×d_v of one head. */
export interface Qkv {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
}

/** Q, K, V made from a sentence; row i of each belongs to `tokens[i]`. */
export interface TextQkv extends Qkv {
  readonly tokens: readonly string[];
}

/** The sign φ can take: `positive` > 0, `nonNegative` ≥ 0 (zeros happen), `any` may be negative. */
export type Positivity = 'positive' | 'nonNegative' | 'any';

/** One numeric parameter of a feature map. */
export interface FeatureMapParameter {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly defaultValue: number;
  readonly min: number;
  readonly max: number;
  /** Whole numbers only. */
  readonly integer: boolean;
}

/** One entry of the core's registry of feature maps. */
export interface FeatureMapInfo {
  /** What a URL and an option name it by, for example `elu_plus_one`. */
  readonly id: string;
  readonly label: string;
  /** TeX of φ(x). */
  readonly tex: string;
  readonly positivity: Positivity;
  /** D as a formula in d, TeX. */
  readonly dimensionTex: string;
  /** What φ(q)·φ(k) is, and when it stands for e^{q·k/√d}. One sentence. */
  readonly kernel: string;
  /** One sentence on what to watch for. */
  readonly note: string;
  /** Draws a random projection from the seed (or takes one as an argument). */
  readonly random: boolean;
  /** φ depends on the position of the token. */
  readonly positional: boolean;
  readonly parameters: readonly FeatureMapParameter[];
  readonly paper: { readonly title: string; readonly url: string; readonly where: string };
}

/** A feature map as chosen: its id, its parameters (defaults where left out), its random seed. */
export interface FeatureMapChoice {
  readonly id: string;
  readonly parameters?: Readonly<Record<string, number>>;
  /** Seed of the random projection, for maps that draw one. Default 0. */
  readonly seed?: number;
  /** Own projection: one row per feature, d_k columns. Replaces the drawn or identity one. */
  readonly projection?: Matrix;
  /** Own bias, one entry per feature (T2R, fla's Hedgehog). */
  readonly bias?: Matrix;
  /** Own layer-norm gain, 1×d_k (ReBased). */
  readonly gain?: Matrix;
  /** Own layer-norm shift, 1×d_k (ReBased). */
  readonly shift?: Matrix;
}

/** Which keys a query may see. `matrix` takes an n×m matrix: zero blocks, all else keeps. */
export type MaskChoice = (
  | { readonly kind: 'full' }
  /** Query i sees keys j ≤ i. */
  | { readonly kind: 'causal' }
  /** Query i sees keys j ≤ i + m − n: the last query sees all keys. */
  | { readonly kind: 'causalBottomRight' }
  | { readonly kind: 'matrix'; readonly keep: Matrix }
) & {
  /** Keys from here on are padding that no query sees. None unless given. */
  readonly validKeys?: number;
};

/**
 * Linear attention's denominator, with z = Σφ(k): `add` φ(q)·z + ε, `clamp` max(φ(q)·z, ε) as in
 * cosFormer, `addToKeySum` φ(q)·(z + ε·1) as in lucidrains' causal Performer.
 */
export type DenominatorRule = 'add' | 'clamp' | 'addToKeySum';

/** What `compareToSoftmax` takes. */
export interface CompareOptions extends Qkv {
  readonly featureMap: FeatureMapChoice;
  /** `full` unless given. */
  readonly mask?: MaskChoice;
  /** Factor on q·k inside the softmax. 1/√d_k unless given; 1 is "no scaling". */
  readonly scale?: number;
  /** Added to the implicit attention's denominator. 1e-6 unless given. */
  readonly epsilon?: number;
  /** What becomes of ε in the denominator. Default `add`. */
  readonly denominator?: DenominatorRule;
}

/** Softmax attention beside the implicit attention of a feature map. Matrices n×m but for the outputs. */
export interface Comparison {
  readonly softmax: Matrix;
  readonly implicit: Matrix;
  /** implicit − softmax */
  readonly difference: Matrix;
  /** n×d_v: softmax·V and implicit·V. */
  readonly softmaxOutput: Matrix;
  readonly implicitOutput: Matrix;
  /** Mean of difference² over the cells the mask keeps. */
  readonly mse: number;
  /** Largest |difference|, and where. */
  readonly maxDifference: number;
  readonly maxDifferenceRow: number;
  readonly maxDifferenceCol: number;
  /** Pearson correlation over the kept cells; NaN where either picture is constant. */
  readonly correlation: number;
  /** ‖implicit·V − softmax·V‖_F / ‖softmax·V‖_F */
  readonly outputError: number;
  /** The MSE a picture of equal weights in every row would have: the line to beat. */
  readonly uniformMse: number;
  /** The largest MSE two row-stochastic pictures can have here (2/m without a mask). */
  readonly mseBound: number;
  /** How many kept implicit weights are negative, and how many are NaN or infinite. */
  readonly negativeWeights: number;
  readonly nonFiniteWeights: number;
  /** How many rows have φ(q)·Σφ(k) ≤ 0, before ε. */
  readonly nonPositiveDenominators: number;
  /** How many cells the mask keeps. */
  readonly keptCells: number;
  /** D of the feature map at this d_k. */
  readonly featureDimension: number;
  /** The factor that was used. */
  readonly scale: number;
  /** Smallest and largest finite entry of each picture: [min, max]. */
  readonly softmaxRange: readonly [number, number];
  readonly implicitRange: readonly [number, number];
  /** Milliseconds the core worked on it. */
  readonly milliseconds: number;
}

/** How cell (query, key) came about, number by number. */
export interface CellExplanation {
  readonly query: number;
  readonly key: number;
  /** The mask blocks this cell: both weights are 0. */
  readonly masked: boolean;
  /** q·k */
  readonly dot: number;
  readonly scale: number;
  /** scale·q·k */
  readonly logit: number;
  /** Largest logit of the row, and ln Σ exp(logit) over the keys the row sees. */
  readonly rowMax: number;
  readonly logSumExp: number;
  readonly softmaxWeight: number;
  /** φ(q)·φ(k) */
  readonly featureDot: number;
  /** φ(q)·Σφ(k) + ε over the keys the row sees, or as `denominator` has it. */
  readonly denominator: number;
  readonly implicitWeight: number;
  readonly difference: number;
  /** 1 = largest softmax weight of its row. */
  readonly softmaxRank: number;
  readonly implicitRank: number;
  /** How many keys this query sees. */
  readonly visibleKeys: number;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * A newer call with the same key makes this one end with `SupersededError`, if it still waits or
   * if it has run for long and is not half done.
   */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /**
   * Hand the input's arrays to the worker instead of copying them. They are empty afterwards, as is
   * whatever else lies in their buffers.
   */
  readonly transfer?: boolean;
  /** Called with 0…1 while a long call works (not for calls that end within about 50 ms). */
  readonly onProgress?: (fraction: number) => void;
}

export interface AttentionOptions extends Qkv {
  readonly mask?: MaskChoice;
  readonly scale?: number;
  /** n×m, added to the scaled scores. */
  readonly bias?: Matrix;
}

export interface AttentionResult {
  /** n×d_v */
  readonly output: Matrix;
  /** n×m */
  readonly weights: Matrix;
  /** n×1: ln Σ exp(score) of each row; −∞ for a row that sees no key. */
  readonly logSumExp: Matrix;
}

/** The state of causal linear attention after some tokens: S = Σ φ(k)vᵀ (D×d_v), z = Σ φ(k) (1×D). */
export interface LinearState {
  readonly s: Matrix;
  readonly z: Matrix;
}

export interface LinearAttentionOptions extends Qkv {
  readonly featureMap: FeatureMapChoice;
  readonly causal?: boolean;
  /** Divide by φ(q)·Σφ(k) + ε. Default true. */
  readonly normalize?: boolean;
  readonly epsilon?: number;
  /** What becomes of ε in the denominator. Default `add`. */
  readonly denominator?: DenominatorRule;
  /** Only the first `validKeys` keys count (padding). All unless given. */
  readonly validKeys?: number;
  /** Causal only: tokens per chunk; 1 is the recurrent form. Default 1. */
  readonly chunk?: number;
  /** Causal only: continue from this state. */
  readonly state?: LinearState;
  /** Position of row 0 and the length of the whole sequence, for maps that use them (cosFormer). */
  readonly offset?: number;
  readonly length?: number;
}

export interface LinearAttentionResult {
  readonly output: Matrix;
  /** The state after the last key. */
  readonly state: LinearState;
}

export interface AssociativityReport {
  /** (QKᵀ)V and Q(KᵀV), both n×d_v. */
  readonly standard: Matrix;
  readonly linear: Matrix;
  /** KᵀV, d_k×d_v */
  readonly kTv: Matrix;
  readonly maxDifference: number;
  readonly maxRelativeDifference: number;
  /** |standard − linear| ≤ atol + rtol·|linear| everywhere, as NumPy's `allclose`. */
  readonly equal: boolean;
}

/** What every client has beside its calls. */
export interface Client {
  /** Which binary runs. Certain after the first answer. */
  readonly build: Build | undefined;
  /** Resolves when the core is ready; rejects with the reason when it cannot start. */
  ready(): Promise<void>;
  /** Stops the worker. Calls still running end with `CancelledError`. */
  dispose(): void;
}

/** The names of a client's calls. */
export type Call<Of extends Client> = Exclude<keyof Of, keyof Client> & string;

/** What every module has. All results are fresh arrays that belong to the caller. */
export interface SmallClient extends Client {
  featureMaps(input?: undefined, options?: CallOptions): Promise<readonly FeatureMapInfo[]>;
  /** Q, K, V with independent N(0, 1) entries, the same bits on every machine. */
  gaussianQkv(
    input: { n: number; dK: number; dV: number; seed: number },
    options?: CallOptions,
  ): Promise<Qkv>;
  /**
   * Splits text into words, gives each a seeded random embedding and a position code, and projects
   * them with seeded random matrices. Nothing here is trained: equal words attract, no more.
   */
  textQkv(
    input: { text: string; dK: number; dV: number; seed: number; maxTokens: number },
    options?: CallOptions,
  ): Promise<TextQkv>;
  /** φ(x), rows(x)×D. `role` and `offset` matter to maps that treat queries and keys apart or use positions. */
  applyFeatureMap(
    input: {
      x: Matrix;
      featureMap: FeatureMapChoice;
      role?: 'query' | 'key';
      /** Position of row 0 and the length M of the whole sequence (cosFormer). */
      offset?: number;
      length?: number;
    },
    options?: CallOptions,
  ): Promise<Matrix>;
}

/** What the labs on feature maps start with. */
export interface CoreClient extends SmallClient {
  compareToSoftmax(input: CompareOptions, options?: CallOptions): Promise<Comparison>;
  explainCell(
    input: CompareOptions & { query: number; key: number },
    options?: CallOptions,
  ): Promise<CellExplanation>;
  attention(input: AttentionOptions, options?: CallOptions): Promise<AttentionResult>;
}
