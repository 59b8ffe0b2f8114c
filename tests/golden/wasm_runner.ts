/**
 * Runs the golden cases through the wasm client. The twin of tests/golden/native/golden_main.cpp;
 * both read the names of the feature maps from tests/golden/tables/.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createClient } from '../../wasm/client/client';
import {
  createFullClient,
  type FullClient,
  type MultiHeadInput,
  type PatternChoice,
} from '../../wasm/client/full';
import type { RawFull } from '../../wasm/client/full/raw';
import type { Build } from '../../wasm/client/protocol';
import type { RawCore } from '../../wasm/client/raw';
import type { CoreClient, FeatureMapChoice, MaskChoice, Matrix } from '../../wasm/client/types';
import { coreWorker, fullWorker } from '../wasm/in_process';

export interface Result {
  topic: string;
  name: string;
  build: string;
  status: 'passed' | 'failed' | 'not implemented';
  detail: string;
}

type Numeric = number | boolean | string | null;
type Tensor = { shape: number[]; data: Numeric[] };
interface Given {
  name: string;
  params: Record<string, Numeric>;
  inputs: Record<string, Tensor>;
  expected: Record<string, Tensor | Numeric>;
  rtol?: number;
  atol?: number;
}
interface MapEntry {
  id: string;
  role?: 'query' | 'key';
  parameters?: Record<string, number | string>;
}
type Table = Record<string, MapEntry>;

class NotImplemented extends Error {}

const number = (x: Numeric): number => {
  if (x === null) return Number.NaN;
  return typeof x === 'string' ? Number(x.replace(/^([+-]?)inf$/i, '$1Infinity')) : Number(x);
};
const numbers = (x: Tensor | Numeric): number[] =>
  typeof x === 'object' && x !== null ? x.data.map(number) : [number(x)];

const matrix = (rows: number, cols: number, data: Iterable<number>): Matrix => ({
  rows,
  cols,
  data: Float32Array.from(data),
});
const rowsOf = (x: Matrix, from: number, to: number): Matrix =>
  matrix(to - from, x.cols, x.data.subarray(from * x.cols, to * x.cols));
const times = (x: Matrix, factor: number): Matrix =>
  matrix(
    x.rows,
    x.cols,
    x.data.map((value) => value * factor),
  );
/** Without the keys whose value is undefined, as `exactOptionalPropertyTypes` wants it. */
const given = <T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

/** One case: what it gives, and what has been checked of it so far. */
class Case {
  readonly #given: Given;
  readonly #checked = new Set<string>();
  failure = '';

  constructor(given: Given) {
    this.#given = given;
  }

  get params(): Record<string, Numeric> {
    return this.#given.params;
  }

  param(name: string): number | undefined {
    const value = this.params[name];
    return value === undefined ? undefined : number(value);
  }

  input(name: string): Tensor {
    const found = this.#given.inputs[name];
    if (!found) throw new Error(`the case has no input ${name}`);
    return found;
  }

  expects(key: string): boolean {
    return key in this.#given.expected;
  }

  expected(key: string): number[] {
    return numbers(this.#given.expected[key] as Tensor | Numeric);
  }

  /** A parameter or an input that nobody here knows could change the meaning of the case. */
  requireKnown(parameters: readonly string[], inputs: readonly string[]): void {
    for (const key of Object.keys(this.params)) {
      if (!parameters.includes(key)) throw new NotImplemented(`parameter ${key}`);
    }
    for (const key of Object.keys(this.#given.inputs)) {
      if (!inputs.includes(key)) throw new NotImplemented(`input ${key}`);
    }
  }

  /** A matrix, or a vector as one row; undefined when the case has no such input. */
  matrix(name: string): Matrix | undefined {
    const found = this.#given.inputs[name];
    if (!found) return undefined;
    if (found.shape.length > 2) throw new NotImplemented(`${name} has more than two axes`);
    const cols = found.shape.at(-1) ?? 1;
    return matrix(found.data.length / Math.max(cols, 1), cols, found.data.map(number));
  }

  /** Compares with what is expected under `key`, if anything is. */
  check(key: string, got: ArrayLike<number>): void {
    if (!this.expects(key)) return;
    this.#checked.add(key);
    const want = this.expected(key);
    if (want.length !== got.length) {
      this.fail(`${key}: ${got.length} numbers instead of ${want.length}`);
      return;
    }
    const { rtol = 0, atol = 0 } = this.#given;
    for (const [i, wanted] of want.entries()) {
      const seen = got[i] as number;
      const same =
        Object.is(seen, wanted) ||
        seen === wanted ||
        Math.abs(seen - wanted) <= atol + rtol * Math.abs(wanted);
      if (!same) {
        this.fail(`${key}[${i}]: ${seen} instead of ${wanted}`);
        return;
      }
    }
  }

  /** One number of a distribution: compared within what chance allows. */
  checkWithin(key: string, got: number, tolerance: number): void {
    if (!this.expects(key)) return;
    this.#checked.add(key);
    const want = this.expected(key)[0] as number;
    const { rtol = 0, atol = 0 } = this.#given;
    const allowed = Math.min(tolerance, atol + rtol * Math.abs(want));
    if (Math.abs(got - want) <= allowed) return;
    this.fail(`${key}: ${got} is not within ${allowed} of ${want}`);
  }

  /** Keys that are no result but tell how to read one. */
  noteRead(key: string): void {
    if (this.expects(key)) this.#checked.add(key);
  }

  fail(why: string): void {
    this.failure ||= why;
  }

  unchecked(): string[] {
    return Object.keys(this.#given.expected).filter((key) => !this.#checked.has(key));
  }
}

const mapParameters = ['temp', 'eps', 'nu', 'ln_eps', 'kernel_epsilon'];
const learned = ['W', 'b', 'gamma', 'beta'];

function mapEntry(table: Table, c: Case): MapEntry {
  const entry = table[String(c.params.map)];
  if (!entry) throw new NotImplemented(`feature map ${c.params.map}`);
  return entry;
}

function featureMap(table: Table, c: Case): FeatureMapChoice {
  const entry = mapEntry(table, c);
  const parameters: Record<string, number> = {};
  for (const [name, value] of Object.entries(entry.parameters ?? {})) {
    const resolved = typeof value === 'string' ? c.param(value.slice(1)) : value;
    if (resolved !== undefined) parameters[name] = resolved;
  }
  return given({
    id: entry.id,
    parameters,
    projection: c.matrix('W'),
    bias: c.matrix('b'),
    gain: c.matrix('gamma'),
    shift: c.matrix('beta'),
  });
}

async function runFeatureMaps(c: Case, core: CoreClient, table: Table): Promise<void> {
  const described = ['map', 'n', 'd', 'D', 'layout', 'normalize', 'stabilizer', 'ratio'];
  c.requireKnown([...described, ...mapParameters], ['x', ...learned]);
  const x = c.matrix('x') as Matrix;
  const { role = 'query' } = mapEntry(table, c);
  const phi = await core.applyFeatureMap({ x, featureMap: featureMap(table, c), role });
  const width = c.param('D');
  if (width !== undefined && phi.cols !== width) c.fail(`D: ${phi.cols} instead of ${width}`);
  c.check('phi', phi.data);
}

/**
 * Cuts tensors with a head axis into one matrix a head and puts results together again, in the
 * layout of the case: [n, heads, d] unless it says [heads, n, d]; none for plain matrices.
 */
class Heads {
  readonly count: number;
  readonly #case: Case;
  readonly #plain: boolean;
  readonly #first: boolean;

  constructor(c: Case) {
    const { shape } = c.input('Q');
    this.#case = c;
    this.#plain = shape.length === 2;
    if (!this.#plain && shape.length !== 3) throw new NotImplemented('Q has a batch axis');
    this.#first = c.params.layout !== undefined;
    if (this.#first && c.params.layout !== '[heads,n,d]') {
      throw new NotImplemented(`layout ${c.params.layout}`);
    }
    this.count = this.#plain ? 1 : (shape[this.#first ? 0 : 1] as number);
  }

  cut(name: string, head: number): Matrix {
    if (this.#plain) return this.#case.matrix(name) as Matrix;
    const { shape, data } = this.#case.input(name);
    const [rows, heads] = this.#first ? [shape[1], shape[0]] : [shape[0], shape[1]];
    if (shape.length !== 3 || heads !== this.count) {
      throw new NotImplemented(`${name} has heads of its own`);
    }
    const made = matrix(rows as number, shape[2] as number, []);
    const cells = Array.from({ length: made.rows * made.cols }, (_, cell) =>
      number(data[this.#offset(head, cell, made)] as Numeric),
    );
    return matrix(made.rows, made.cols, cells);
  }

  join(heads: readonly Matrix[]): number[] {
    const all: number[] = [];
    heads.forEach((one, head) => {
      one.data.forEach((value, cell) => {
        all[this.#offset(head, cell, one)] = value;
      });
    });
    return all;
  }

  /** Runs `make` for every head and turns the list of results into lists by name. */
  async each<T extends Record<string, Matrix>>(
    make: (head: number) => Promise<T>,
  ): Promise<{ [K in keyof T]: Matrix[] }> {
    const results: T[] = [];
    for (let head = 0; head < this.count; head++) results.push(await make(head));
    const names = Object.keys(results[0] ?? {}) as (keyof T)[];
    return Object.fromEntries(
      names.map((name) => [name, results.map((result) => result[name])]),
    ) as never;
  }

  #offset(head: number, cell: number, { rows, cols }: Matrix): number {
    const i = Math.floor(cell / cols);
    const row = this.#first ? head * rows + i : i * this.count + head;
    return row * cols + (cell % cols);
  }
}

/** States and weights always have the head axis in front, whatever the layout. */
const stacked = (heads: readonly Matrix[]): number[] => heads.flatMap((one) => [...one.data]);

async function runLinearAttention(c: Case, core: FullClient, table: Table): Promise<void> {
  const described = ['map', 'causal', 'n', 'm', 'heads', 'd_k', 'd_v', 'eps', 'valid_keys'];
  const more = ['suggested_chunk', 'layout', 'scale', 'normalised'];
  c.requireKnown([...described, ...more], ['Q', 'K', 'V', 'dO', ...learned]);
  const heads = new Heads(c);
  const { rows: n, cols: dK } = heads.cut('Q', 0);
  const { cols: dV } = heads.cut('V', 0);
  const causal = c.params.causal === true;
  const normalize = c.params.normalised !== false;
  const validKeys = c.param('valid_keys');
  const epsilon = c.param('eps');
  const map = featureMap(table, c);
  const options = given({ featureMap: map, causal, normalize, epsilon, validKeys });
  // The registry's maps of q·k carry 1/√d; another factor goes into the queries.
  const factor = (c.param('scale') ?? 1 / Math.sqrt(dK)) * Math.sqrt(dK);
  const rescaled = Math.abs(factor - 1) > 1e-9;
  const qkv = (head: number) => {
    const q = heads.cut('Q', head);
    return {
      q: rescaled ? times(q, factor) : q,
      k: heads.cut('K', head),
      v: heads.cut('V', head),
    };
  };

  const run = async (how: typeof options & { chunk?: number }, key: string): Promise<void> => {
    const { output, s, z } = await heads.each(async (head) => {
      const made = await core.linearAttention({ ...qkv(head), ...how });
      return { output: made.output, s: made.state.s, z: made.state.z };
    });
    c.check(key, heads.join(output));
    c.check('state_S_final', stacked(s));
    c.check('state_z_final', stacked(z));
    c.check('KtV', stacked(s));
  };
  await run(options, 'out');
  if (c.expects('out_unnormalised')) {
    await run({ ...options, normalize: false }, 'out_unnormalised');
  }

  if (causal) {
    // Every chunk size computes the same thing.
    for (const chunk of [c.param('suggested_chunk') ?? 3, 2, 64]) {
      await run({ ...options, chunk }, 'out');
    }
    // So does stopping after a token and going on from the state.
    const streamable = map.id !== 'cosformer' && map.parameters?.stabilize !== 1;
    if (streamable && validKeys === undefined && n > 1) {
      const first = (c.expects('mid_index') ? (c.expected('mid_index')[0] as number) : 0) + 1;
      c.noteRead('mid_index');
      const { output, s } = await heads.each(async (head) => {
        const { q, k, v } = qkv(head);
        const part = (from: number, to: number) => ({
          q: rowsOf(q, from, to),
          k: rowsOf(k, from, to),
          v: rowsOf(v, from, to),
          ...options,
        });
        const before = await core.linearAttention(part(0, first));
        const parts = [...before.output.data];
        if (first < n) {
          const after = await core.linearAttention({ ...part(first, n), state: before.state });
          parts.push(...after.output.data);
        }
        return { output: matrix(n, dV, parts), s: before.state.s };
      });
      c.check('state_S_mid', stacked(s));
      c.check('out', heads.join(output));
    }
  }

  if (c.expects('implicit_weights')) {
    const kind = causal ? 'causal' : 'full';
    const mask: MaskChoice = { kind, ...given({ validKeys }) };
    const { weights } = await heads.each(async (head) => {
      const { q, k } = qkv(head);
      const asked = given({ q, k, featureMap: map, mask, epsilon });
      return { weights: await core.computeImplicitAttention(asked) };
    });
    c.check('implicit_weights', stacked(weights));
  }

  if (c.expects('dQ') || c.expects('dK') || c.expects('dV')) {
    const gradients = await heads.each(async (head) => {
      const dO = heads.cut('dO', head);
      const made = await core.linearAttentionBackward({ ...qkv(head), ...options, dO });
      return { q: rescaled ? times(made.q, factor) : made.q, k: made.k, v: made.v };
    });
    c.check('dQ', heads.join(gradients.q));
    c.check('dK', heads.join(gradients.k));
    c.check('dV', heads.join(gradients.v));
  }

  for (const [key, id] of [
    ['state_floats_full', 'taylor'],
    ['state_floats_compact', 'taylor_compact'],
  ] as const) {
    if (map.id !== 'taylor' || !c.expects(key)) continue;
    const made = await core.linearAttention({ ...qkv(0), featureMap: { id }, causal: true });
    c.check(key, [heads.count * (made.state.s.data.length + made.state.z.data.length)]);
  }

  // Without φ and normaliser both orders of the product are functions of their own.
  if (map.id === 'identity' && !normalize && !causal && !rescaled) {
    const orders = await heads.each(async (head) => {
      const report = await core.verifyAssociativity(qkv(head));
      return {
        kTv: report.kTv,
        standard: report.standard,
        linear: report.linear,
        order: await core.linearAttentionOrder({ ...qkv(head), featureMap: map }),
        standardOrder: (await core.standardAttentionOrder(qkv(head))).output,
      };
    });
    const { kTv, ...outputs } = orders;
    for (const output of Object.values(outputs)) c.check('out', heads.join(output));
    c.check('KtV', stacked(kTv));
  }
}

async function runSoftmaxAttention(c: Case, core: CoreClient): Promise<void> {
  c.requireKnown(
    ['n', 'm', 'd_k', 'd_v', 'scale', 'scaled_by_default'],
    ['Q', 'K', 'V', 'mask', 'bias'],
  );
  const [q, k, v] = [c.matrix('Q'), c.matrix('K'), c.matrix('V')] as [Matrix, Matrix, Matrix];
  const byDefault = c.params.scaled_by_default === true;
  if (byDefault && Math.abs((c.param('scale') as number) - 1 / Math.sqrt(q.cols)) > 1e-12) {
    c.fail('default scale is not the one of the case');
  }
  const scale = byDefault ? undefined : c.param('scale');

  // A mask that is one of the named ones must also be right under its name.
  const keep = c.matrix('mask');
  const masks: MaskChoice[] = [keep ? { kind: 'matrix', keep } : { kind: 'full' }];
  const [n, m] = [q.rows, k.rows];
  const named: [MaskChoice, (i: number, j: number) => boolean][] = [
    [{ kind: 'full' }, () => true],
    [{ kind: 'causal' }, (i, j) => j <= i],
    [{ kind: 'causalBottomRight' }, (i, j) => j <= i + m - n],
  ];
  for (const [mask, sees] of keep ? named : []) {
    const same = keep?.data.every(
      (value, cell) => (value !== 0) === sees(Math.floor(cell / m), cell % m),
    );
    if (same) masks.push(mask);
  }

  for (const mask of masks) {
    const made = await core.attention(given({ q, k, v, mask, scale, bias: c.matrix('bias') }));
    c.check('out', made.output.data);
    c.check('weights', made.weights.data);
    const lse = [...made.logSumExp.data];
    // The vectors write 0 where no key is seen.
    c.check(
      'lse',
      lse.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : value)),
    );
    c.check(
      'lse_valid',
      lse.map((value) => (Number.isFinite(value) ? 1 : 0)),
    );
    const rows = lse.map((_, i) => [...made.weights.data.subarray(i * m, (i + 1) * m)]);
    const entropy = (sum: number, w: number) => (w > 0 ? sum - w * Math.log(w) : sum);
    c.check(
      'row_entropy',
      rows.map((row) => row.reduce(entropy, 0)),
    );
    c.check(
      'row_max',
      rows.map((row) => Math.max(...row)),
    );
  }
}

/** Q, K, V and dO where the case has one. */
function attentionInputs(c: Case) {
  const [q, k, v] = [c.matrix('Q'), c.matrix('K'), c.matrix('V')] as [Matrix, Matrix, Matrix];
  return { qkv: { q, k, v }, dO: c.matrix('dO') as Matrix };
}

const maskOf = (keep: Matrix | undefined): MaskChoice =>
  keep ? { kind: 'matrix', keep } : { kind: 'full' };

function checkSlopes(c: Case, made: Record<'dQ' | 'dK' | 'dV', Matrix>): void {
  for (const key of ['dQ', 'dK', 'dV'] as const) c.check(key, made[key].data);
}

async function runAttentionGrad(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(['n', 'm', 'd_k', 'd_v', 'scale'], ['Q', 'K', 'V', 'mask', 'dO']);
  const { qkv, dO } = attentionInputs(c);
  const mask = maskOf(c.matrix('mask'));
  const options = { ...qkv, mask, scale: c.param('scale') ?? 1 };
  const forward = await core.attention(options);
  c.check('out', forward.output.data);
  for (const kept of [{}, { forward }]) {
    const made = await core.attentionBackward({ ...options, dO, ...kept });
    checkSlopes(c, made);
    c.check('dS', made.dBias.data);
    c.check('D_rowsum_dO_O', made.rowDots.data);
  }

  // The tiled computation must be right about the same numbers.
  const tiled = { ...options, queryTile: 2, keyTile: 3 };
  const tiles = await core.flashAttention(tiled);
  const flash = await core.flashAttentionBackward({ ...tiled, dO, forward: tiles });
  c.check('out', tiles.output.data);
  checkSlopes(c, flash);
  c.check('D_rowsum_dO_O', flash.rowDots.data);
}

async function runAttentionDropout(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(['p', 'scale'], ['Q', 'K', 'V', 'mask', 'keep_mask', 'dO']);
  const { qkv, dO } = attentionInputs(c);
  const mask = maskOf(c.matrix('mask'));
  const dropout = { probability: c.param('p') as number, keep: c.matrix('keep_mask') as Matrix };
  const options = given({ ...qkv, mask, scale: c.param('scale'), dropout });
  const made = await core.attentionWithDropout(options);
  c.check('out', made.output.data);
  c.check('weights_before_dropout', made.weights.data);
  checkSlopes(c, await core.attentionBackward({ ...options, dO }));
}

async function runSoftmaxJacobian(c: Case, core: FullClient): Promise<void> {
  c.requireKnown([], ['x']);
  const { weights: p, logSumExp } = await core.softmax({ x: c.matrix('x') as Matrix });
  c.check('p', p.data);
  c.check('logsumexp', [logSumExp]);
  c.check('J', (await core.softmaxJacobian({ p })).data);
  c.check('fro', [await core.softmaxJacobianNorm({ p })]);
  c.check('entropy', [await core.entropy({ p })]);
}

async function runFlashOnlineSoftmax(c: Case, core: FullClient): Promise<void> {
  const described = ['n', 'm', 'd_k', 'd_v', 'Bc', 'causal_bottom_right', 'scale'];
  c.requireKnown(described, ['Q', 'K', 'V', 'dO']);
  const { qkv, dO } = attentionInputs(c);
  const kind = c.params.causal_bottom_right === true ? 'causalBottomRight' : 'full';
  const keyTile = c.param('Bc') as number;
  const options = { ...qkv, mask: { kind }, scale: c.param('scale') ?? 1, keyTile } as const;
  // The vectors write 0 where no key has been seen.
  const zeroForNone = (all: Float32Array) =>
    all.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : value));
  for (const queryTile of [64, 1, 2, 3]) {
    const forward = await core.flashAttention({ ...options, queryTile, trace: true });
    c.check('out', forward.output.data);
    c.check('lse', zeroForNone(forward.logSumExp.data));
    c.check('m_run', zeroForNone(forward.trace?.runningMax.data as Float32Array));
    c.check('l_run', forward.trace?.runningSum.data as Float32Array);
    checkSlopes(c, await core.flashAttentionBackward({ ...options, queryTile, dO, forward }));
  }
}

function patternOfCase(c: Case): PatternChoice {
  const { kind } = c.params;
  const whole = (name: string): number => c.param(name) as number;
  const context = c.param('ctx') as number;
  if (kind === 'longformer') return { id: 'longformer', parameters: { w: whole('w') } };
  if (kind === 'openai_local') return { id: 'local', parameters: { context } };
  if (kind === 'openai_strided') return { id: 'strided', parameters: { stride: context } };
  if (kind === 'openai_strided_union') return { id: 'sparse_transformer', parameters: { context } };
  if (kind === 'bigbird_full_mask') {
    const blocks = c.matrix('rand_attn') as Matrix;
    const randomBlocks = Array.from({ length: blocks.rows }, (_, i) => [
      ...rowsOf(blocks, i, i + 1).data,
    ]);
    return { kind: 'bigBird', block: whole('block'), randomBlocks };
  }
  if (kind === 'topk') {
    const mask = { kind: c.params.causal === true ? 'causal' : 'full' } as const;
    return { kind: 'nearestKeys', k: whole('k'), mask };
  }
  if (kind === 'given_mask') return { id: 'matrix', cells: c.matrix('mask') as Matrix };
  throw new NotImplemented(`kind ${kind}`);
}

async function runSparseAttention(c: Case, core: FullClient): Promise<void> {
  const sizes = ['n', 'm', 'd', 'dv', 'w', 'ctx', 'block', 'num_rand', 'k', 'keys_per_row', 'nnz'];
  c.requireKnown(['kind', ...sizes, 'note', 'causal'], ['Q', 'K', 'V', 'rand_attn', 'mask']);
  const { qkv } = attentionInputs(c);
  const { q, k, v } = qkv;
  const pattern = patternOfCase(c);
  const keep = await core.patternMatrix({ q, k, pattern });
  c.check('mask', keep.data);

  // Longformer's code leaves 1/√d to its caller; the native twin says more. Both ways must agree.
  if (c.params.kind === 'longformer') {
    const scaled = { ...qkv, q: times(q, 1 / Math.sqrt(q.cols)), pattern, scale: 1 };
    c.check('out', (await core.sparseAttention(scaled)).output.data);
  }
  const made = await core.sparseAttention({ ...qkv, pattern });
  c.check('out', made.output.data);
  const { nnz, rowStart, columns } = made.pattern;
  if (nnz !== (c.param('nnz') ?? nnz)) c.fail(`keeps ${nnz} cells`);
  const { multiplyAdds } = made.operations;
  if (multiplyAdds !== nnz * (q.cols + v.cols)) c.fail(`${multiplyAdds} multiply-adds`);
  c.check('out', (await core.attention({ ...qkv, mask: { kind: 'matrix', keep } })).output.data);

  // The same pattern as it comes back from the core, and as a union where it is one.
  const same: PatternChoice[] = [{ kind: 'lists', rowStart, columns }];
  if (c.params.kind === 'openai_strided_union') {
    const context = c.param('ctx') as number;
    const local = { id: 'local', parameters: { context } };
    same.push({ kind: 'union', of: [local, { id: 'strided', parameters: { stride: context } }] });
  }
  for (const other of same) {
    c.check('mask', (await core.patternMatrix({ q, k, pattern: other })).data);
    c.check('out', (await core.sparseAttention({ ...qkv, pattern: other })).output.data);
  }
}

/** A layer's matrices and biases under the names a case gives them; a missing bias is none. */
function layerWeights(c: Case, heads: number, names: readonly string[]) {
  const [wq, wk, wv, wo, bq, bk, bv, bo] = names.map((name) => c.matrix(name));
  if (!wq || !wk || !wv || !wo) throw new Error('the case lacks a matrix of the layer');
  return { heads, wq, wk, wv, wo, ...given({ bq, bk, bv, bo }) };
}

const below = (parts: readonly Matrix[]): Matrix =>
  matrix(
    parts.reduce((rows, part) => rows + part.rows, 0),
    parts[0]?.cols ?? 0,
    stacked(parts),
  );

async function runMultihead(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(
    ['n', 'm', 'd_model', 'heads', 'causal', 'key_padding_last', 'self_attention'],
    ['X', 'Yk', 'Yv', 'Wq', 'Wk', 'Wv', 'Wo', 'bq', 'bk', 'bv', 'bo'],
  );
  const x = c.matrix('X') as Matrix;
  const self = c.params.self_attention !== false;
  const [yk, yv] = self ? [x, x] : ([c.matrix('Yk'), c.matrix('Yv')] as [Matrix, Matrix]);
  const names = ['Wq', 'Wk', 'Wv', 'Wo', 'bq', 'bk', 'bv', 'bo'];
  const weights = layerWeights(c, c.param('heads') ?? 1, names);
  if (weights.wq.cols !== c.param('d_model')) c.fail('d_model');
  const kept = yk.rows - (c.param('key_padding_last') ?? 0);
  const options = {
    mask: { kind: c.params.causal === true ? 'causal' : 'full' },
    keepKeys: Array.from({ length: yk.rows }, (_, j) => j < kept),
  } as const;

  const check = async (input: MultiHeadInput): Promise<void> => {
    const made = await core.multiHeadAttention({ ...input, ...options });
    c.check('out', made.output.data);
    c.check('weights', stacked(made.heads.weights));
  };
  await check({ x, yk, yv, weights });
  if (self) {
    await check({ x, weights });
    const { heads, wq, wk, wv, wo, bq, bk, bv, bo } = weights;
    const biases = [bq, bk, bv].filter((bias) => bias !== undefined);
    const bIn = biases.length > 0 ? matrix(1, wq.rows + 2 * wk.rows, stacked(biases)) : undefined;
    await check({ x, weights: { heads, wIn: below([wq, wk, wv]), wo, ...given({ bIn, bo }) } });
  }
}

/** [tokens, heads, d] as tokens×heads·d, which is the same numbers in the same order. */
function headsSideBySide(c: Case, name: string): Matrix {
  const { shape, data } = c.input(name);
  const [tokens = 0, heads = 0, d = 0] = shape;
  if (shape.length !== 3) throw new NotImplemented(`${name} is not [tokens, heads, d]`);
  return matrix(tokens, heads * d, data.map(number));
}

async function runGqaMqa(c: Case, core: FullClient): Promise<void> {
  const described = ['n', 'm', 'heads', 'kv_heads', 'd_k', 'd_v', 'causal', 'window'];
  c.requireKnown([...described, 'kv_cache_bytes_fp32'], ['Q', 'K', 'V']);
  const [q, k, v] = [
    headsSideBySide(c, 'Q'),
    headsSideBySide(c, 'K'),
    headsSideBySide(c, 'V'),
  ] as const;
  const heads = c.param('heads') ?? 1;
  const kvHeads = c.param('kv_heads') ?? 1;
  const widths = c.params.window as unknown as number[];
  const [left, right] = widths.map((width) => (width >= 0 ? width : undefined));
  const window = given({ left, right: c.params.causal === true ? 0 : right });
  const made = await core.groupedQueryAttention({ q, k, v, heads, kvHeads, window });
  c.check('out', made.output.data);
  c.check('weights', stacked(made.weights));

  const [dK, dV] = [k.cols / kvHeads, v.cols / kvHeads];
  const bytes = await core.kvCacheBytes({ tokens: k.rows, kvHeads, dK, dV });
  if (bytes !== c.param('kv_cache_bytes_fp32')) c.fail(`kv_cache_bytes_fp32: ${bytes}`);
  // A cache gives the same for causal queries of its newest tokens.
  if (window.right === 0 && q.rows <= k.rows) {
    const capacity = k.rows + q.rows;
    const how = given({ window: window.left === undefined ? undefined : window.left + 1 });
    const cache = await core.createKvCache({ capacity, kvHeads, dK, dV, ...how });
    await cache.append({ k, v });
    c.check('out', (await cache.attend({ q, heads })).output.data);
    await cache.dispose();
  }
}

async function runKvCache(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(['n', 'heads', 'd_k', 'd_v'], ['Q', 'K', 'V']);
  const [q, k, v] = [
    headsSideBySide(c, 'Q'),
    headsSideBySide(c, 'K'),
    headsSideBySide(c, 'V'),
  ] as const;
  const heads = c.param('heads') ?? 1;
  const n = q.rows;
  const shape = { kvHeads: heads, dK: k.cols / heads, dV: v.cols / heads };
  // One token at a time, two at a time, all at once; in a cache, and in a ring that never turns.
  for (const how of [{ capacity: n }, { capacity: 2 * n, window: n }]) {
    for (const step of [1, 2, n]) {
      const cache = await core.createKvCache({ ...shape, ...how });
      const out: number[] = [];
      const floats: number[] = [];
      for (let t = 0; t < n; t += step) {
        const part = (x: Matrix) => rowsOf(x, t, Math.min(t + step, n));
        const made = await cache.decode({ q: part(q), k: part(k), v: part(v), heads });
        out.push(...made.output.data);
        floats.push((await cache.info()).bytes / Float32Array.BYTES_PER_ELEMENT);
      }
      c.check('out', out);
      if (step === 1) c.check('cache_floats_after_each_step', floats);
      await cache.dispose();
    }
  }
}

async function runCosformer(c: Case, core: FullClient): Promise<void> {
  const names = ['_weight', '_bias'].flatMap((kind) =>
    ['q', 'k', 'v', 'out'].map((part) => `${part}_proj${kind}`),
  );
  c.requireKnown(['L', 'S', 'embed', 'heads', 'causal', 'eps'], ['x', 'y', ...names]);
  const input = {
    x: c.matrix('x') as Matrix,
    weights: layerWeights(c, c.param('heads') ?? 1, names),
    featureMap: { id: 'cosformer' },
    causal: c.params.causal === true,
    epsilon: c.param('eps') ?? 1e-6,
    denominator: 'clamp',
    ...given({ yk: c.matrix('y') }),
  } as const;
  for (const chunk of [1, 3]) {
    c.check('out', (await core.multiHeadLinearAttention({ ...input, chunk })).output.data);
  }
}

/**
 * Lemma 2 of the Performer paper on the core's own features, for one random row of W at a time. The
 * reasoning is in the native twin: a grid along the one direction that matters gives the moments
 * themselves, and with them the standard errors of a Monte Carlo run, which must agree within 5.
 */
async function runPerformerMoments(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(['d', 'statistical'], ['q', 'k']);
  const [q, k] = [c.matrix('q'), c.matrix('k')] as [Matrix, Matrix];
  const d = q.cols;
  const squared = (x: Iterable<number>) => [...x].reduce((sum, value) => sum + value * value, 0);
  const sum = Array.from(q.data, (value, i) => value + (k.data[i] as number));
  const difference = Array.from(q.data, (value, i) => value - (k.data[i] as number));
  c.check('norm2_q_plus_k', [squared(sum) / Math.sqrt(d)]);

  const estimators = [
    ['softmax_kernel', 'var_single_positive', sum],
    ['softmax_kernel_trig', 'var_single_trig', difference],
    ['softmax_kernel_hyperbolic', 'var_single_hyperbolic_pair', sum],
  ] as const;
  for (const [id, key, along] of estimators) {
    /** The estimate that each row of W makes by itself. */
    const estimates = async (projection: Matrix): Promise<Float64Array> => {
      const parameters = id === 'softmax_kernel' ? { stabilize: 0 } : {};
      const featureMap = { id, parameters, projection };
      const phi = await core.applyFeatureMap({ x: q, featureMap, role: 'query' });
      const psi = await core.applyFeatureMap({ x: k, featureMap, role: 'key' });
      const all = new Float64Array(projection.rows);
      phi.data.forEach((value, f) => {
        const at = f % projection.rows;
        all[at] = (all[at] as number) + value * (psi.data[f] as number) * projection.rows;
      });
      return all;
    };

    const length = Math.sqrt(squared(along));
    const [reach, step] = [15, 1 / 32];
    const points = Array.from({ length: (2 * reach) / step + 1 }, (_, r) => -reach + step * r);
    const grid = points.flatMap((t) => along.map((x) => (t * x) / length));
    const density = points.map((t) => (step * Math.exp((-t * t) / 2)) / Math.sqrt(2 * Math.PI));
    const onGrid = await estimates(matrix(points.length, d, grid));
    const moment = (center: number, power: number): number =>
      density.reduce((total, p, r) => total + p * ((onGrid[r] as number) - center) ** power, 0);
    const mean = moment(0, 1);
    const variance = moment(mean, 2);
    const fourth = moment(mean, 4);
    c.check('softmax_kernel', [mean]);
    c.check(key, [variance]);

    const draws = 400000;
    const W = await core.randomProjection({ m: draws, d, seed: 2009 });
    const drawn = await estimates(W);
    const average = drawn.reduce((total, x) => total + x, 0) / draws;
    const spread = drawn.reduce((total, x) => total + (x - average) ** 2, 0) / (draws - 1);
    const requireWithin = (what: string, got: number, want: number, error: number): void => {
      if (Math.abs(got - want) <= 5 * error) return;
      c.fail(`${id}: ${what} of the draws is ${got}, wanted ${want} within 5 × ${error}`);
    };
    const [wantedMean, wantedVariance] = [c.expected('softmax_kernel')[0], c.expected(key)[0]];
    requireWithin('mean', average, wantedMean as number, Math.sqrt(variance / draws));
    const error = Math.sqrt((fourth - variance * variance) / draws);
    requireWithin('variance', spread, wantedVariance as number, error);
  }
}

async function runPerformer(c: Case, core: FullClient): Promise<void> {
  if (c.params.statistical === true) return runPerformerMoments(c, core);
  const described = ['n', 'm', 'd', 'dv', 'features', 'causal', 'feature_eps', 'denominator_eps'];
  c.requireKnown([...described, 'note'], ['Q', 'K', 'V', 'W']);
  const [q, k, v] = [c.matrix('Q'), c.matrix('K'), c.matrix('V')] as [Matrix, Matrix, Matrix];
  const featureMap: FeatureMapChoice = {
    id: 'softmax_kernel',
    parameters: { stabilize: 1, epsilon: c.param('feature_eps') ?? 1e-4 },
    projection: c.matrix('W') as Matrix,
  };
  const phi = await core.applyFeatureMap({ x: q, featureMap, role: 'query' });
  c.check('phi_q', phi.data);
  const psi = await core.applyFeatureMap({ x: k, featureMap, role: 'key' });
  c.check('phi_k', psi.data);
  const causal = c.params.causal === true;
  const epsilon = c.param('denominator_eps') ?? 0;
  const options = { featureMap, causal, epsilon, denominator: 'addToKeySum' } as const;
  for (const chunk of [1, 4]) {
    const made = await core.linearAttention({ q, k, v, ...options, chunk });
    c.check('out', made.output.data);
  }
}

async function runComplexity(c: Case, core: FullClient): Promise<void> {
  const known = ['n', 'm', 'dk', 'dv', 'D', 'L', 'd_model', 'window', 'd_state', 'heads', 'k'];
  c.requireKnown(known, []);
  const n = c.param('n') ?? 0;
  const m = c.param('m') ?? n;
  const [dK, dV, D] = [c.param('dk') ?? 0, c.param('dv') ?? 0, c.param('D') ?? 0];
  const window = c.param('window') ?? 1;
  const shape = { n, m, dK, dV };
  const causal = n === m && c.expects('macs_softmax_causal');

  // By formula.
  const standard = await core.costOf({ mechanism: 'standard', shape });
  c.check('macs_softmax', [standard.multiplyAdds]);
  // One score matrix.
  c.check('scores_bytes_fp32', [4 * n * m]);
  const kept = { mechanism: 'causal_kept', shape };
  if (causal) c.check('macs_softmax_causal', [(await core.costOf(kept)).multiplyAdds]);
  for (const normalize of [false, true]) {
    const key = normalize ? 'macs_linear_with_normaliser' : 'macs_linear';
    c.check(key, [await core.linearMultiplyAdds({ n, m, D, dV, normalize })]);
  }
  const state = {
    dModel: c.param('d_model') ?? 0,
    length: c.param('L') ?? 0,
    window,
    heads: c.param('heads') ?? 1,
    D,
    dV,
    dState: c.param('d_state') ?? 0,
    kernel: c.param('k') ?? 3,
  };
  for (const [key, kind] of [
    ['state_mha', 'attention'],
    ['state_sliding', 'slidingWindow'],
    ['state_linear', 'linear'],
    ['state_mamba', 'mamba'],
    ['state_hyena', 'hyena'],
    ['state_short_conv', 'shortConv'],
  ] as const) {
    c.check(key, [await core.stateFloats({ ...state, kind })]);
  }
  c.check('taylor_D_full', [await core.taylorDimension({ d: dK, compact: false })]);
  c.check('taylor_D_compact', [await core.taylorDimension({ d: dK, compact: true })]);
  // The vectors' band is |i − j| < window.
  c.check('band_nnz', [await core.bandCells({ n, w: window - 1 })]);

  // By counting, where a run takes no more than seconds; the native twin also counts the products
  // of linear attention by themselves.
  if (standard.multiplyAdds > 2 ** 32 || standard.peakBytes > 2 ** 28) return;
  const run = await core.countedCost({ mechanism: 'standard', shape });
  c.check('macs_softmax', [run.multiplyAdds]);
  const { q, k, v } = await core.gaussianQkv({ n: Math.max(n, m), dK, dV, seed: 1 });
  const some = { q: rowsOf(q, 0, n), k: rowsOf(k, 0, m), v: rowsOf(v, 0, m) };
  c.check('scores_bytes_fp32', [(await core.attention(some)).weights.data.byteLength]);
  if (causal) c.check('macs_softmax_causal', [(await core.countedCost(kept)).multiplyAdds]);
  for (const [key, id] of [
    ['taylor_D_full', 'taylor'],
    ['taylor_D_compact', 'taylor_compact'],
  ] as const) {
    c.check(key, [(await core.describeFeatureMap({ featureMap: { id }, dK })).dimension]);
  }
  const band = await core.makePattern({
    n,
    m: n,
    pattern: { id: 'longformer', parameters: { w: window - 1 } },
  });
  c.check('band_nnz', [band.nnz]);
}

async function runScalingStatistics(c: Case, core: FullClient): Promise<void> {
  c.requireKnown(['n', 'd_k', 'scaled', 'draws', 'statistical'], []);
  const theirs = c.param('draws') as number;
  const draws = 4 * theirs;
  const sizes = { n: [c.param('n') as number], dK: [c.param('d_k') as number] };
  const { cells } = await core.scalingExperiment({ ...sizes, draws, seed: 1706, gradients: false });
  const cell = cells.find(({ scaled }) => scaled === (c.params.scaled === true));
  if (!cell) throw new Error('no such cell');
  const slack = Math.sqrt(1 + theirs / draws);
  for (const [key, got] of [
    ['mean_row_max', cell.rowMax],
    ['mean_entropy', cell.entropy],
    ['mean_jacobian_fro', cell.jacobianNorm],
  ] as const) {
    const error = c.expected(`${key}_stderr`)[0] as number;
    c.checkWithin(key, got.mean, 5 * error * slack);
    // Both estimate the spread of the same draws.
    const spread = got.standardError * Math.sqrt(draws / theirs);
    c.checkWithin(`${key}_stderr`, spread, ((5 * error) / Math.sqrt(theirs)) * slack);
  }
}

type Topic<Client> = (c: Case, core: Client, table: Table) => Promise<void>;

/** Topics of the first load: they must pass in the lean module and in the full one. */
const coreTopics: Record<string, Topic<CoreClient>> = {
  feature_maps: runFeatureMaps,
  softmax_attention: runSoftmaxAttention,
};

const fullTopics: Record<string, Topic<FullClient>> = {
  attention_dropout: runAttentionDropout,
  attention_grad: runAttentionGrad,
  complexity: runComplexity,
  flash_online_softmax: runFlashOnlineSoftmax,
  scaling_statistics: runScalingStatistics,
  softmax_jacobian: runSoftmaxJacobian,
  sparse_attention: runSparseAttention,
  // Heads and decoding.
  cosformer: runCosformer,
  gqa_mqa: runGqaMqa,
  kv_cache: runKvCache,
  linear_attention: runLinearAttention,
  multihead: runMultihead,
  performer: runPerformer,
};

interface Clients {
  core: CoreClient;
  full: FullClient;
}

async function runOne<Client>(topic: Topic<Client>, one: Given, client: Client, table: Table) {
  const c = new Case(one);
  await topic(c, client, table);
  if (c.failure) return ['failed', c.failure] as const;
  const left = c.unchecked();
  if (left.length > 0) return ['not implemented', `unchecked: ${left.join(', ')}`] as const;
  if (Object.keys(one.expected).length === 0) {
    return ['not implemented', 'nothing expected'] as const;
  }
  return ['passed', ''] as const;
}

async function run(topic: string, one: Given, { core, full }: Clients, table: Table) {
  const [lean, more] = [coreTopics[topic], fullTopics[topic]];
  try {
    if (lean) {
      const first = await runOne(lean, one, core, table);
      return first[0] === 'passed' ? await runOne(lean, one, full, table) : first;
    }
    if (more) return await runOne(more, one, full, table);
    return ['not implemented', 'topic'] as const;
  } catch (error) {
    if (error instanceof NotImplemented) return ['not implemented', error.message] as const;
    return ['failed', String(error)] as const;
  }
}

/** Every case of every JSON in `folder`, through the clients. */
export async function runGolden(
  folder: string,
  tables: string,
  build: Build,
  load: { core: (build: Build) => Promise<RawCore>; full: (build: Build) => Promise<RawFull> },
): Promise<Result[]> {
  const table: Table = JSON.parse(readFileSync(join(tables, 'feature_maps.json'), 'utf8'));
  const clients = {
    core: createClient({ build, makeWorker: () => coreWorker(load.core) }),
    full: createFullClient({ build, makeWorker: () => fullWorker(load.full) }),
  };
  await Promise.all([clients.core.ready(), clients.full.ready()]);
  const results: Result[] = [];
  const label = `wasm ${build} float32`;
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    let topic = basename(file, '.json');
    try {
      const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      topic = content.topic ?? topic;
      for (const one of content.cases as Given[]) {
        const [status, detail] = await run(topic, one, clients, table);
        results.push({ topic, name: one.name ?? 'unnamed', build: label, status, detail });
      }
    } catch (error) {
      const detail = String(error);
      results.push({ topic, name: '(file)', build: label, status: 'failed', detail });
    }
  }
  clients.core.dispose();
  clients.full.dispose();
  return results;
}
