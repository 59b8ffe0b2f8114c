/**
 * Runs one golden case of each topic through the typed client. It tests that the inputs and results of each call
 * arrive under their names, with their shape and order. The inputs of a call are made from its declaration. The
 * mathematics is compared case by case by tests/golden/native/golden_main.cpp, natively and in wasm.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client, Matrix } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import type { Build } from '../../wasm/client/protocol';
import type { RawFull } from '../../wasm/client/raw';
import { close } from '../../web/src/exercises/judge/close';
import { declared, type Field, type Type } from '../wasm/declared';
import { fullWorker } from '../wasm/in_process';
import { type Given, names, remarks, type Topic, type TopicCall, topics } from './client_topics';

export interface Result {
  topic: string;
  name: string;
  build: string;
  status: 'passed' | 'failed';
  detail: string;
}

type Numeric = number | boolean | string | null;
type Tensor = { shape: number[]; data: Numeric[] };
interface GoldenCase {
  name: string;
  params: Record<string, Numeric>;
  inputs: Record<string, Tensor>;
  expected: Record<string, Tensor | Numeric>;
  rtol?: number;
  atol?: number;
}
type FeatureMaps = Record<
  string,
  { id: string; role?: string; parameters?: Record<string, number | string> }
>;

const number = (x: Numeric | undefined): number => {
  if (x === null) return Number.NaN;
  return typeof x === 'string' ? Number(x.replace(/^([+-]?)inf$/i, '$1Infinity')) : Number(x);
};

/** Reads [n, heads, d] as n×(heads·d), and a vector as one row; the numbers and their order are the same. */
function matrixOf({ shape, data }: Tensor, headsFirst = false): Matrix {
  const rows = shape.length > 1 ? (shape[headsFirst && shape.length > 2 ? 1 : 0] as number) : 1;
  return { rows, cols: data.length / rows, data: Float32Array.from(data, number) };
}

/** A list of matrices, or a list of such lists: [heads, n, m], [texts, heads, n, m]; one text has no axis of its own. */
function listOf({ shape, data }: Tensor, of?: Type): unknown[] | undefined {
  if (of?.kind !== 'matrix' && of?.of?.kind !== 'matrix') return undefined;
  const outer = of.kind === 'list' && shape.length === 3 ? [1, ...shape] : shape;
  const [count = 0, ...inner] = outer;
  const each = data.length / count;
  return Array.from({ length: count }, (_, i) => {
    const part = { shape: inner, data: data.slice(i * each, (i + 1) * each) };
    return of.kind === 'list' ? listOf(part, of.of) : matrixOf(part);
  });
}

/** Rows and columns exchanged. */
function turned({ rows, cols, data }: Matrix): Matrix {
  const at = (_: unknown, i: number) => data[(i % rows) * cols + Math.floor(i / rows)] as number;
  return { rows: cols, cols: rows, data: Float32Array.from(data, at) };
}

const isObject = (given: unknown): given is Readonly<Record<string, Given>> =>
  typeof given === 'object' && given !== null;

/** A case while the calls of its topic are made. */
class Run {
  readonly #featureMaps: FeatureMaps;
  readonly #topic: Topic;
  readonly #case: GoldenCase;
  /** The results of the calls so far, by the names of their functions. */
  readonly #made = new Map<string, { value: unknown; type: Type }>();
  /** The parameters and inputs that a call has taken. */
  readonly #taken = new Set<string>();

  constructor(featureMaps: FeatureMaps, topic: Topic, goldenCase: GoldenCase) {
    this.#featureMaps = featureMaps;
    this.#topic = topic;
    this.#case = goldenCase;
  }

  #call(core: string) {
    const found = declared.calls.find((call) => call.core === core);
    if (!found) throw new Error(`no call is declared as ${core}`);
    return found;
  }

  /** The members of a struct, including those of its flat members. */
  #fields(name: string | undefined): readonly Field[] {
    return this.#flattened(declared.structs[name ?? ''] ?? []);
  }

  #flattened(fields: readonly Field[]): readonly Field[] {
    return fields.flatMap((field) => (field.flat ? this.#fields(field.flat.name) : [field]));
  }

  /** The case's name for the name `core` of the declarations. */
  #nameOf(core: string): string {
    return this.#topic.names?.[core] ?? names[core] ?? core;
  }

  #tensor(input: Tensor, name: string, kind: string, of?: Type): unknown {
    if (kind === 'integers') return Int32Array.from(input.data, number);
    // [heads, n, d] is what the heads of one batch entry have.
    if (kind === 'stack') {
      const [heads = 1, rows = 1, cols = 1] = input.shape;
      return { batch: 1, heads, rows, cols, data: Float32Array.from(input.data, number) };
    }
    if (kind === 'list') return listOf(input, of);
    if (!['matrix', 'vector', 'mask'].includes(kind)) return undefined;
    const matrix = matrixOf(input, this.#topic.headsFirst);
    return this.#topic.turned?.includes(name) ? turned(matrix) : matrix;
  }

  /** Converts a parameter or input of the case into the declared type; undefined where the case has none. */
  #fromCase(name: string, kind: string, of?: Type): unknown {
    const param = this.#case.params[name];
    const input = this.#case.inputs[name];
    const value = (input && this.#tensor(input, name, kind, of)) ?? param;
    if (value === undefined) return undefined;
    this.#taken.add(name);
    if (kind === 'mask') {
      return isObject(value)
        ? { kind: 'matrix', keep: value }
        : { kind: value ? 'causal' : 'full' };
    }
    if (kind === 'boolean') return value === true;
    if (kind === 'number' || kind === 'handle') return number(value as Numeric);
    return kind === 'numbers' && !Array.isArray(value) ? [number(value as Numeric)] : value;
  }

  /** Evaluates `given`, looking up `$name` and `$call.path`, where the argument has this type. */
  #given(given: Given, kind: string): unknown {
    if (isObject(given)) {
      const inside = Object.entries(given);
      const number = kind === 'byHand' ? kind : 'number';
      return Object.fromEntries(inside.map(([name, one]) => [name, this.#given(one, number)]));
    }
    if (typeof given !== 'string' || !given.startsWith('$')) return given;
    const [name = '', ...path] = given.slice(1).split('.');
    const made = this.#made.get(name);
    if (made) return this.#at(made.value, made.type, path).value;
    const value = this.#fromCase(name, kind === 'byHand' ? 'number' : kind);
    if (value === undefined) throw new Error(`the case has no ${name}`);
    return value;
  }

  /** The value of an argument or member; undefined where neither the table nor the case has one. */
  #value(field: Field, given: Given | undefined): unknown {
    const type = field.type.kind === 'optional' ? (field.type.of as Type) : field.type;
    if (type.kind === 'struct' && (given === undefined || isObject(given))) {
      const map = type.name === 'FeatureMapChoice' && this.#featureMap();
      const members = this.#members(this.#fields(type.name), given ?? (map || {}));
      return Object.keys(members).length > 0 ? members : undefined;
    }
    if (given !== undefined) return this.#given(given, type.kind);
    if (type.kind === 'list') return this.#list(field, type.of as Type);
    const own = this.#fromCase(this.#nameOf(field.core), type.kind, type.of);
    // The case gives a mask as a matrix, or by the parameter `causal`.
    return own === undefined && type.kind === 'mask' ? this.#fromCase('causal', 'mask') : own;
  }

  /** A list as the case has it; of structs, each is written there as a list of its members in their order. */
  #list(field: Field, of: Type): unknown {
    const listed = this.#fromCase(this.#nameOf(field.core), 'list', of);
    if (!Array.isArray(listed) || of.kind !== 'struct') return listed;
    const members = this.#fields(of.name);
    return listed.map((one: readonly unknown[]) =>
      Object.fromEntries(one.map((value, i) => [members[i]?.name, value])),
    );
  }

  #members(fields: readonly Field[], given: Readonly<Record<string, Given>>) {
    const all = fields.map((field) => [field.name, this.#value(field, given[field.core])]);
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }

  /** The feature map for the word that the vectors use. */
  #featureMap() {
    const { map } = this.#case.params;
    if (map === undefined) return undefined;
    this.#taken.add('map');
    const { id = 'unknown', parameters = {} } = this.#featureMaps[String(map)] ?? {};
    return { id, parameters };
  }

  /** A part of a result, found by the names of C++. */
  #at(value: unknown, type: Type, path: readonly string[]): { value: unknown; type: Type } {
    const [first, ...rest] = path;
    if (first === undefined || first === '') return { value, type };
    const inner = (type.kind === 'optional' ? type.of : type) as Type;
    if (inner.kind === 'list' && first === '*') {
      const each = (one: unknown) => this.#at(one, inner.of as Type, rest).value;
      return { value: (value as readonly unknown[]).map(each), type: inner };
    }
    if (inner.kind === 'list') {
      const one = (value as readonly unknown[])[Number(first)];
      return this.#at(one, inner.of as Type, rest);
    }
    const field = this.#fields(inner.name).find(({ core }) => core === first);
    if (!field) throw new Error(`${inner.name ?? inner.kind} declares no ${first}`);
    return this.#at((value as Record<string, unknown>)[field.name], field.type, rest);
  }

  /**
   * The places of the expected values of a call: those of the table, or those with the same name, outer structs
   * first.
   */
  #places({ results }: TopicCall, result: Type): Map<string, string> {
    if (results) return new Map(Object.entries(results));
    const found = new Map<string, string>();
    const search = (type: Type, path: string): void => {
      const fields = this.#fields(type.name);
      for (const { core } of fields) {
        const key = this.#nameOf(core);
        if (key in this.#case.expected && !found.has(key)) found.set(key, path + core);
      }
      for (const { core, type } of fields) {
        if (type.kind === 'struct') search(type, `${path}${core}.`);
      }
    };
    search(result, '');
    return found;
  }

  /** The parameters and inputs that no call has taken. */
  #unused(): string[] {
    const { params, inputs } = this.#case;
    const { where = {}, ignored = [] } = this.#topic;
    const known = new Set([...this.#taken, ...remarks, ...Object.keys(where), ...ignored]);
    return [...Object.keys(params), ...Object.keys(inputs)].filter((name) => !known.has(name));
  }

  /** Makes every call; returns the first mismatch as text, or '' when there is none. */
  async compare(core: Client): Promise<string> {
    const missing = new Set(Object.keys(this.#case.expected));
    for (const key of this.#topic.native ?? []) missing.delete(key);
    for (const call of this.#topic.calls) {
      const { name, arguments: takes, result } = this.#call(call.call);
      const method = core[name as keyof Client] as (input: unknown) => Promise<unknown>;
      const value = await method(this.#members(this.#flattened(takes), call.give ?? {}));
      this.#made.set(call.call, { value, type: result });
      for (const [key, path] of this.#places(call, result)) {
        missing.delete(key);
        const found = this.#at(value, result, path.split('.')).value;
        const got = this.#topic.turned?.includes(key) ? turned(found as Matrix) : found;
        const wrong = mismatch(got, key, this.#case);
        if (wrong) return wrong;
      }
    }
    const unused = this.#unused();
    if (unused.length > 0) return `no call took ${unused.join(', ')}`;
    return missing.size > 0 ? `no call gave ${[...missing].join(', ')}` : '';
  }
}

/** The numbers of a result; those of a list of matrices follow each other. */
function numbersOf(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersOf);
  if (value instanceof Float64Array || value instanceof Int32Array) return [...value];
  return isObject(value) ? [...(value as unknown as Matrix).data] : [Number(value)];
}

function mismatch(got: unknown, key: string, { expected, rtol = 0, atol = 0 }: GoldenCase): string {
  const wanted = expected[key];
  if (wanted === undefined) return `${key} is not expected`;
  const seen = numbersOf(got);
  const want = (typeof wanted === 'object' && wanted ? wanted.data : [wanted]).map(number);
  if (seen.length !== want.length) return `${key}: ${seen.length} numbers, not ${want.length}`;
  const at = want.findIndex((value, i) => !close(seen[i] as number, value, rtol, atol));
  return at < 0 ? '' : `${key}[${at}]: ${seen[at]} instead of ${want[at]}`;
}

/** Runs the first case that fits, of each topic in `folder` that has a call. */
export async function runGolden(
  folder: string,
  tables: string,
  load: { full: (build: Build) => Promise<RawFull> },
): Promise<Result[]> {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const featureMaps: FeatureMaps = read(join(tables, 'feature_maps.json'));
  const client = createClient({
    module: 'full',
    build: 'simd',
    makeWorker: () => fullWorker(load.full),
  });
  await client.ready();
  const results: Result[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const content = read(join(folder, file));
    const topic: string = content.topic ?? basename(file, '.json');
    const known = topics[topic];
    if (!known) continue;
    const one = (content.cases as GoldenCase[]).find(({ params }) =>
      Object.entries(known.where ?? {}).every(([name, value]) => params[name] === value),
    );
    let detail = 'no case fits';
    if (one) {
      const run = new Run(featureMaps, known, one);
      detail = await run.compare(client).catch(String);
    }
    const status = detail === '' ? 'passed' : 'failed';
    results.push({ topic, name: one?.name ?? '(none)', build: 'client', status, detail });
  }
  client.dispose();
  return results;
}
