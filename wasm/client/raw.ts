import type {
  AssociativityReport,
  AttentionOptions,
  AttentionResult,
  CellExplanation,
  CompareOptions,
  Comparison,
  CoreClient,
  FeatureMapInfo,
  LinearAttentionOptions,
  LinearAttentionResult,
  Matrix,
  Qkv,
  TextQkv,
} from './types';

/** A comparison under way, living in wasm memory until `delete()`. */
export interface RawComparison {
  /** Works on that many more rows; true when done. */
  step(rows: number): boolean;
  progress(): number;
  result(): Omit<Comparison, 'milliseconds'>;
  delete(): void;
}

type Input<Name extends keyof CoreClient> = CoreClient[Name] extends (
  input: infer I,
  ...rest: never[]
) => unknown
  ? I
  : never;

/** The Embind module as the glue exports it: synchronous, one function a line of the binding tables. */
export interface RawCore {
  featureMaps(): FeatureMapInfo[];
  applyFeatureMap(input: Input<'applyFeatureMap'>): Matrix;
  gaussianQkv(input: Input<'gaussianQkv'>): Qkv;
  textQkv(input: Input<'textQkv'>): TextQkv;
  makeComparison(input: CompareOptions): RawComparison;
  explainCell(input: Input<'explainCell'>): CellExplanation;
  attention(input: AttentionOptions): AttentionResult;
  standardAttentionOrder(input: Qkv): { output: Matrix; weights: Matrix };
  linearAttention(input: LinearAttentionOptions): LinearAttentionResult;
  linearAttentionBackward(input: Input<'linearAttentionBackward'>): Qkv;
  linearAttentionOrder(input: Input<'linearAttentionOrder'>): Matrix;
  computeImplicitAttention(input: Input<'computeImplicitAttention'>): Matrix;
  verifyAssociativity(input: Input<'verifyAssociativity'>): AssociativityReport;
}

/** What the glue's factory takes. */
export interface FactoryOptions {
  /** The bytes, where there is nothing to fetch from (Node). */
  wasmBinary?: Uint8Array;
  locateFile?: (name: string) => string;
}

export type CoreFactory = (options?: FactoryOptions) => Promise<RawCore>;
