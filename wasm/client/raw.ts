/** The Embind modules as their glues export them. */
import type * as written from '../../build/wasm/client/calls';

/** Long work under way, living in wasm memory until `delete()`. */
export interface RawWork<Result> {
  /** Works on that many more rows, draws or whatever it counts; true when done. */
  step(amount: number): boolean;
  progress(): number;
  result(): Result;
  delete(): void;
}

type InputOf<Call> = Call extends (input: infer Input, ...rest: never[]) => unknown ? Input : never;
type ResultOf<Call> = Call extends (...input: never[]) => Promise<infer Result> ? Result : never;

/** The calls of a client as a module has them: synchronous, without call options. */
type Raw<Calls> = {
  [Name in keyof Calls]: undefined extends InputOf<Calls[Name]>
    ? () => ResultOf<Calls[Name]>
    : (input: InputOf<Calls[Name]>) => ResultOf<Calls[Name]>;
} & {
  [Name in keyof Calls & keyof typeof written.firstSteps as `make${Capitalize<Name>}`]: (
    input: InputOf<Calls[Name]>,
  ) => RawWork<Omit<ResultOf<Calls[Name]>, 'milliseconds'>>;
};

export type RawCore = Raw<written.StartCalls>;
export type RawFull = Raw<written.FullCalls>;

/** What the glue's factory takes. */
export interface FactoryOptions {
  /** The bytes, where there is nothing to fetch from (Node). */
  wasmBinary?: Uint8Array;
  /** Instantiates the binary in its own way, hands the instance to `done` and returns its exports. */
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}

export type Factory<Raw> = (options?: FactoryOptions) => Promise<Raw>;
