/** The kernel trick on actual numbers: two orders of the same products, and the recurrent view. */
import type {
  CallOptions,
  DenominatorRule,
  FeatureMapChoice,
  Matrix,
  Qkv,
  SmallClient,
} from '../types';

/** One matrix product: rows×inner times inner×cols. */
export interface OrderProduct {
  readonly rows: number;
  readonly inner: number;
  readonly cols: number;
  /** rows·inner·cols */
  readonly multiplyAdds: number;
}

/** One order of the two products, without mask and normaliser. */
export interface OrderPath {
  /** First and second product. */
  readonly products: readonly [OrderProduct, OrderProduct];
  /** What the first product makes and the second one reads: QKᵀ n×m, or φ(K)ᵀV D×d_v. float32. */
  readonly intermediate: {
    readonly rows: number;
    readonly cols: number;
    readonly numbers: number;
    readonly bytes: number;
  };
  /** What the normaliser adds: n row sums, or z = Σφ(k) of D numbers. */
  readonly normalizer: { readonly numbers: number; readonly multiplyAdds: number };
}

/** Multiply-adds of both orders. */
export interface OrderCount {
  readonly standard: number;
  readonly linear: number;
  /** standard : linear */
  readonly ratio: number;
  /** n*: the n = m at which both are equal; the linear order is less above it. */
  readonly crossover: number;
}

/** What (QKᵀ)V and Q(KᵀV) cost. Counts are exact below 2⁵³. */
export interface OrderCosts {
  readonly standard: OrderPath;
  readonly linear: OrderPath;
  /** The two products alone. */
  readonly plain: OrderCount;
  /** With the sums that each row is divided by. */
  readonly normalized: OrderCount;
  /** Only cells j ≤ i, against the recurrent form. Missing where m ≠ n. */
  readonly causal?: OrderCount;
  readonly causalNormalized?: OrderCount;
}

/** `standard` (QKᵀ)V, `linear` Q(KᵀV). */
export type ProductOrder = 'standard' | 'linear';

/** Both products after so many multiply-adds, one after another: row by row, cell by cell. */
export interface AssociativityTrace {
  /** QKᵀ n×m or KᵀV d_k×d_v. NaN: not begun; the cell worked on holds its sum so far. */
  readonly product: Matrix;
  /** n×d_v, likewise. */
  readonly output: Matrix;
  /** Which product the last multiply-add was part of; `product` before the first. */
  readonly stage: 'product' | 'output';
  /** Its cell. */
  readonly row: number;
  readonly col: number;
  /** How many terms that cell has, and those that are done: sum is the sum so far. float32. */
  readonly inner: number;
  readonly terms: readonly {
    readonly a: number;
    readonly b: number;
    readonly product: number;
    readonly sum: number;
  }[];
  /** Done so far, after the first product, and in all. */
  readonly multiplyAdds: number;
  readonly productTotal: number;
  readonly total: number;
}

/** Causal linear attention token by token, everything kept. */
export interface RecurrentTrace {
  /** D */
  readonly featureDimension: number;
  /** φ(q_t) and φ(k_t), n×D. */
  readonly phiQ: Matrix;
  readonly phiK: Matrix;
  /** n·D×d_v: rows t·D … t·D + D − 1 are S_t = Σ_{j ≤ t} φ(k_j)v_jᵀ. */
  readonly s: Matrix;
  /** n×D: z_t = Σ_{j ≤ t} φ(k_j). */
  readonly z: Matrix;
  /** n×d_v: φ(q_t)ᵀS_t. */
  readonly numerator: Matrix;
  /** n×1: φ(q_t)·z_t, before ε; and what the numerator is divided by. */
  readonly sum: Matrix;
  readonly denominator: Matrix;
  /** n×d_v: numerator/denominator, and the same through the n×n matrix of φ(q_i)·φ(k_j), j ≤ i. */
  readonly output: Matrix;
  readonly parallel: Matrix;
  /** Largest |output − parallel|; NaN where an output is not finite. */
  readonly maxDifference: number;
}

export interface KernelTrickCalls {
  /**
   * Shapes, multiply-adds and memory of both orders. Sizes 1 … 2²⁰; m is n and D is d_k unless
   * given. Linear: φ(Q), φ(K) have D columns and are there already.
   */
  orderCosts(
    input: {
      readonly n: number;
      readonly m?: number;
      readonly dK: number;
      readonly dV: number;
      readonly D?: number;
    },
    options?: CallOptions,
  ): Promise<OrderCosts>;
  /**
   * One order after `step` multiply-adds, 0 … total. Every size at most 16.
   * For moving pictures: a call costs as much as its steps.
   */
  associativityTrace(
    input: Qkv & { readonly order: ProductOrder; readonly step: number },
    options?: CallOptions,
  ): Promise<AssociativityTrace>;
  /** n = m ≤ 64, and n·D·d_v ≤ 2²². A map that looks at all keys at once (stabilised) sees all n. */
  recurrentTrace(
    input: Qkv & {
      readonly featureMap: FeatureMapChoice;
      /** Default 1e-6. */
      readonly epsilon?: number;
      readonly denominator?: DenominatorRule;
    },
    options?: CallOptions,
  ): Promise<RecurrentTrace>;
}

/** What a page that opens with the kernel trick starts with. */
export interface TrickClient extends SmallClient, KernelTrickCalls {}
