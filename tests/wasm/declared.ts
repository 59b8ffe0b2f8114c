/**
 * The declarations from which the client is generated, as the tests read them, and an input for every call that the
 * core accepts.
 */
import { readFileSync } from 'node:fs';

export interface Type {
  readonly kind: string;
  readonly of?: Type;
  readonly name?: string;
  /** Of a handle: what a call that takes it does with the object. */
  readonly does?: 'makes' | 'uses' | 'ends';
}
export interface Field {
  readonly flat?: Type;
  readonly name: string;
  /** What the field is called in C++. */
  readonly core: string;
  readonly type: Type;
  readonly maybe?: boolean;
}
export interface Declared {
  readonly calls: readonly {
    readonly name: string;
    readonly core: string;
    readonly module: string;
    readonly arguments: readonly Field[];
    readonly result: Type;
  }[];
  readonly structs: Readonly<Record<string, readonly Field[]>>;
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

export const declared = JSON.parse(
  readFileSync(new URL('../../build/wasm/client/declarations.json', import.meta.url), 'utf8'),
) as Declared;

/** The name of the call that makes, or ends, an object of a kind. */
export const callThat = (does: Type['does'], kind: string): string => {
  const found = declared.calls.find(({ arguments: [first] }) => {
    const { type } = first ?? {};
    return type?.does === does && type?.name === kind;
  });
  if (!found) throw new Error(`no call ${does} a ${kind}`);
  return found.name;
};
/** The kind of object that a call makes; '' where it makes none. */
export const kindMadeBy = (name: string): string => {
  const { type } = declared.calls.find((call) => call.name === name)?.arguments[0] ?? {};
  return type?.does === 'makes' ? (type.name ?? '') : '';
};

/** The fields of a struct, by what a type calls it. */
export const fieldsOf = (struct: Type): readonly Field[] =>
  declared.structs[struct.name ?? ''] ?? [];

export const matrix = (rows = 2, cols = 2) => ({
  rows,
  cols,
  data: new Float32Array(rows * cols),
});

const goodValues: Readonly<Record<string, () => unknown>> = {
  number: () => 2,
  boolean: () => true,
  string: () => 'x',
  matrix: () => matrix(),
  vector: () => matrix(1, 2),
  stack: () => ({ ...matrix(), batch: 1, heads: 1 }),
  numbers: () => [1, 2],
  integers: () => [1, 2],
  bytes: () => new Uint8Array(),
  flags: () => [true],
  parameters: () => ({}),
  mask: () => ({ kind: 'full' }),
  byHand: () => ({ id: 'causal' }),
  handle: () => 1,
};

/** A value of this type that the core accepts, made anew each time. */
export function good(type: Type): unknown {
  if (type.kind === 'optional') return good(type.of as Type);
  if (type.kind === 'list') return [good(type.of as Type)];
  if (type.kind === 'choice') return declared.choices[type.name ?? '']?.[0];
  if (type.kind === 'struct') return goodFields(fieldsOf(type));
  return goodValues[type.kind]?.();
}

/** An object with these fields that the core accepts; what may be left out is left out. */
export function goodFields(fields: readonly Field[]): Record<string, unknown> {
  const all = fields.flatMap(({ flat, name, type, maybe }) => {
    if (flat) return Object.entries(goodFields(fieldsOf(flat)));
    return maybe || type.kind === 'optional' || type.name === '' ? [] : [[name, good(type)]];
  });
  return Object.fromEntries(all);
}

/** The inputs that make an object which lives in the worker, by its kind. */
export const made: Readonly<Record<string, object>> = {
  ExportedAttention: {
    arrays: [{ name: 'a', shape: [1, 1], numbers: matrix(1, 1) }],
    anySum: true,
  },
  KvCache: { capacity: 4, kvHeads: 1, dK: 2, dV: 2 },
  LanguageModel: {},
  LinearDecoder: { featureMap: { id: 'relu' }, dK: 2, dV: 2 },
  MixerStream: { mixer: {}, seed: 1 },
  PagedCache: { blocks: 4, blockSize: 2, kvHeads: 1, dK: 2, dV: 2 },
  PositionCache: { heads: 2, kvHeads: 1, dK: 2, dV: 2 },
  TextReader: { mechanism: 'linear', sections: ['some words'], dK: 2, dV: 2 },
  Tokenizer: { text: 'some words' },
  trial: { mechanism: 'fused', n: 2 },
};
