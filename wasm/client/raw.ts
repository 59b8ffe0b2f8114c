import type {
  AttentionOptions,
  AttentionResult,
  CellExplanation,
  CompareOptions,
  Comparison,
  CoreClient,
  FeatureMapInfo,
  Matrix,
  Qkv,
  TextQkv,
} from './types';

/** Long work under way, living in wasm memory until `delete()`. */
export interface RawWork<Result> {
  /** Works on that many more rows, draws or whatever it counts; true when done. */
  step(amount: number): boolean;
  progress(): number;
  result(): Result;
  delete(): void;
}

export type RawComparison = RawWork<Omit<Comparison, 'milliseconds'>>;

type Input<Name extends keyof CoreClient> = InputOf<CoreClient, Name>;

/** What a call of a client takes. */
export type InputOf<Client, Name extends keyof Client> = Client[Name] extends (
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
}

/** What the glue's factory takes. */
export interface FactoryOptions {
  /** The bytes, where there is nothing to fetch from (Node). */
  wasmBinary?: Uint8Array;
  locateFile?: (name: string) => string;
}

export type Factory<Raw> = (options?: FactoryOptions) => Promise<Raw>;
export type CoreFactory = Factory<RawCore>;
