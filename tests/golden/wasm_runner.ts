/**
 * One golden case a topic through the typed client: that what goes in and comes out of each call arrives
 * under its name, in its shape and order. The mathematics is compared case by case by
 * tests/golden/native/golden_main.cpp, natively and in wasm.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Client, KvCache, type Matrix } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import type { Build } from '../../wasm/client/protocol';
import type { RawFull } from '../../wasm/client/raw';
import { fullWorker } from '../wasm/in_process';

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
type Table = Record<string, { id: string; parameters?: Record<string, number | string> }>;
/** What a topic computed, under the keys of `expected`. */
type Computed = Record<string, Matrix | number>;

const number = (x: Numeric | undefined): number => {
  if (x === null) return Number.NaN;
  return typeof x === 'string' ? Number(x.replace(/^([+-]?)inf$/i, '$1Infinity')) : Number(x);
};

/** A case as the topics read it. */
class Case {
  readonly #given: Given;
  readonly #table: Table;

  constructor(given: Given, table: Table) {
    this.#given = given;
    this.#table = table;
  }

  param(name: string): number {
    if (!(name in this.#given.params)) throw new Error(`the case has no parameter ${name}`);
    return number(this.#given.params[name]);
  }

  /** [n, heads, d] is n×(heads·d), and a vector is one row: the same numbers in the same order. */
  matrix(name: string): Matrix {
    const found = this.#given.inputs[name];
    if (!found) throw new Error(`the case has no input ${name}`);
    const { shape, data } = found;
    const rows = shape.length > 1 ? (shape[0] as number) : 1;
    return { rows, cols: data.length / rows, data: Float32Array.from(data, number) };
  }

  get qkv() {
    return { q: this.matrix('Q'), k: this.matrix('K'), v: this.matrix('V') };
  }

  /** The map that the table names, with its parameters: "$eps" is the case's parameter eps. */
  get featureMap() {
    const { id = 'unknown', parameters = {} } = this.#table[String(this.#given.params.map)] ?? {};
    const values = Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.param(value.slice(1)) : value,
    ]);
    return { id, parameters: Object.fromEntries(values) as Record<string, number> };
  }
}

interface Topic {
  /** The parameters and inputs that `run` reads or may ignore; a case with others is not for it. */
  knows: string;
  fits?: (given: Given) => boolean;
  run: (core: Client, c: Case) => Promise<Computed | Computed[]>;
}

const topics: Record<string, Topic> = {
  attention_dropout: {
    knows: 'p Q K V keep_mask dO',
    run: async (core, c) => {
      const dropout = { probability: c.param('p'), keep: c.matrix('keep_mask') };
      const options = { ...c.qkv, dropout };
      const made = await core.attentionWithDropout(options);
      const { dQ, dK, dV } = await core.attentionBackward({ ...options, dO: c.matrix('dO') });
      return { out: made.output, weights_before_dropout: made.weights, dQ, dK, dV };
    },
  },
  attention_grad: {
    knows: 'n m d_k d_v scale Q K V dO',
    run: async (core, c) => {
      const options = { ...c.qkv, scale: c.param('scale') };
      const forward = await core.attention(options);
      const made = await core.attentionBackward({ ...options, dO: c.matrix('dO'), forward });
      const { dQ, dK, dV, dBias, rowDots } = made;
      return { out: forward.output, dQ, dK, dV, dS: dBias, D_rowsum_dO_O: rowDots };
    },
  },
  complexity: {
    knows: 'n m dk dv D L d_model window d_state heads k',
    fits: ({ params }) => params.m === undefined && params.heads === undefined,
    run: async (core, c) => {
      const [n, dK, dV, D] = [c.param('n'), c.param('dk'), c.param('dv'), c.param('D')];
      const shape = { n, m: n, dK, dV };
      const cost = async (mechanism: string) =>
        (await core.costOf({ mechanism, shape })).multiplyAdds;
      const products = (normalize: boolean) =>
        core.linearMultiplyAdds({ n, m: n, D, dV, normalize });
      const state = {
        dModel: c.param('d_model'),
        length: c.param('L'),
        window: c.param('window'),
        heads: 1,
        D,
        dV,
        dState: c.param('d_state'),
        kernel: 3,
      };
      return {
        macs_softmax: await cost('standard'),
        macs_softmax_causal: await cost('causal_kept'),
        macs_linear: await products(false),
        macs_linear_with_normaliser: await products(true),
        state_mha: await core.stateFloats({ ...state, kind: 'attention' }),
        state_sliding: await core.stateFloats({ ...state, kind: 'slidingWindow' }),
        state_linear: await core.stateFloats({ ...state, kind: 'linear' }),
        state_mamba: await core.stateFloats({ ...state, kind: 'mamba' }),
        state_hyena: await core.stateFloats({ ...state, kind: 'hyena' }),
        taylor_D_full: await core.taylorDimension({ d: dK, compact: false }),
        taylor_D_compact: await core.taylorDimension({ d: dK, compact: true }),
        // The vectors' band is |i − j| < window.
        band_nnz: await core.bandCells({ n, w: c.param('window') - 1 }),
      };
    },
  },
  cosformer: {
    knows: `L S embed heads causal eps x ${['q', 'k', 'v', 'out']
      .map((part) => `${part}_proj_weight ${part}_proj_bias`)
      .join(' ')}`,
    run: async (core, c) => {
      const [wq, wk, wv, wo] = ['q', 'k', 'v', 'out'].map((part) =>
        c.matrix(`${part}_proj_weight`),
      );
      const [bq, bk, bv, bo] = ['q', 'k', 'v', 'out'].map((part) => c.matrix(`${part}_proj_bias`));
      const weights = { heads: c.param('heads'), wq, wk, wv, wo, bq, bk, bv, bo };
      const { output } = await core.multiHeadLinearAttention({
        x: c.matrix('x'),
        weights: weights as never,
        featureMap: { id: 'cosformer' },
        causal: c.param('causal') === 1,
        epsilon: c.param('eps'),
        denominator: 'clamp',
      });
      return { out: output };
    },
  },
  feature_maps: {
    knows: 'map n d D layout ln_eps x gamma beta',
    fits: ({ inputs }) => 'gamma' in inputs && 'beta' in inputs,
    run: async (core, c) => {
      const learned = { gain: c.matrix('gamma'), shift: c.matrix('beta') };
      const featureMap = { ...c.featureMap, ...learned };
      return { phi: await core.applyFeatureMap({ x: c.matrix('x'), featureMap, role: 'query' }) };
    },
  },
  flash_online_softmax: {
    knows: 'n m d_k d_v Bc causal_bottom_right scale Q K V dO',
    fits: ({ params }) => params.causal_bottom_right === false,
    run: async (core, c) => {
      const options = { ...c.qkv, scale: c.param('scale'), keyTile: c.param('Bc'), queryTile: 2 };
      const forward = await core.flashAttention({ ...options, trace: true });
      const { runningMax, runningSum } = forward.trace as NonNullable<typeof forward.trace>;
      const made = await core.flashAttentionBackward({ ...options, dO: c.matrix('dO'), forward });
      const { dQ, dK, dV } = made;
      const [out, lse] = [forward.output, forward.logSumExp];
      return { out, lse, m_run: runningMax, l_run: runningSum, dQ, dK, dV };
    },
  },
  gqa_mqa: {
    knows: 'n m heads kv_heads d_k d_v causal window kv_cache_bytes_fp32 Q K V',
    fits: ({ params }) => String(params.window) === '-1,-1',
    run: async (core, c) => {
      const window = c.param('causal') === 1 ? { right: 0 } : {};
      const made = await core.groupedQueryAttention({
        ...c.qkv,
        heads: c.param('heads'),
        kvHeads: c.param('kv_heads'),
        window,
      });
      return { out: made.output, weights: stacked(made.weights) };
    },
  },
  kv_cache: {
    knows: 'n heads d_k d_v Q K V',
    run: async (core, c) => {
      const heads = c.param('heads');
      const { q, k, v } = c.qkv;
      const shape = { kvHeads: heads, dK: k.cols / heads, dV: v.cols / heads };
      const cache = await KvCache.create(core, { ...shape, capacity: q.rows });
      const outputs: Matrix[] = [];
      const floats: number[] = [];
      for (let t = 0; t < q.rows; t++) {
        const token = { q: row(q, t), k: row(k, t), v: row(v, t), heads };
        outputs.push((await cache.decode(token)).output);
        floats.push((await cache.info()).bytes / Float32Array.BYTES_PER_ELEMENT);
      }
      await cache.dispose();
      const sizes = { rows: 1, cols: floats.length, data: Float32Array.from(floats) };
      return { out: stacked(outputs), cache_floats_after_each_step: sizes };
    },
  },
  linear_attention: {
    knows: 'map causal n heads d_k d_v eps suggested_chunk Q K V dO',
    fits: ({ params }) => params.causal === true && params.heads === 1,
    run: async (core, c) => {
      const [featureMap, epsilon] = [c.featureMap, c.param('eps')];
      const options = { ...c.qkv, featureMap, epsilon, causal: true };
      const chunk = c.param('suggested_chunk');
      const whole = await core.linearAttention({ ...options, chunk });
      const bare = await core.linearAttention({ ...options, normalize: false });
      const { q, k, v } = await core.linearAttentionBackward({ ...options, dO: c.matrix('dO') });
      // A token at a time, each from the state that the one before left.
      const outputs: Matrix[] = [];
      let state: typeof whole.state | undefined;
      for (let t = 0; t < options.q.rows; t++) {
        const token = { q: row(options.q, t), k: row(options.k, t), v: row(options.v, t) };
        const made = await core.linearAttention({ ...options, ...token, ...(state && { state }) });
        outputs.push(made.output);
        state = made.state;
      }
      const { s, z } = whole.state;
      return [
        { out: whole.output, out_unnormalised: bare.output, dQ: q, dK: k, dV: v },
        { out: stacked(outputs), state_S_final: s, state_z_final: z },
      ];
    },
  },
  multihead: {
    knows: 'n m d_model heads causal key_padding_last self_attention X Wq Wk Wv Wo bq bk bv bo',
    fits: ({ params }) => params.self_attention === true && params.key_padding_last === 0,
    run: async (core, c) => {
      const [wq, wk, wv, wo] = ['Wq', 'Wk', 'Wv', 'Wo'].map((name) => c.matrix(name));
      const [bq, bk, bv, bo] = ['bq', 'bk', 'bv', 'bo'].map((name) => c.matrix(name));
      const weights = { heads: c.param('heads'), wq, wk, wv, wo, bq, bk, bv, bo };
      const made = await core.multiHeadAttention({
        x: c.matrix('X'),
        weights: weights as never,
        mask: { kind: c.param('causal') === 1 ? 'causal' : 'full' },
      });
      return { out: made.output, weights: stacked(made.heads.weights) };
    },
  },
  performer: {
    knows: 'n m d dv features causal feature_eps denominator_eps note Q K V W',
    run: async (core, c) => {
      const parameters = { stabilize: 1, epsilon: c.param('feature_eps') };
      const featureMap = { id: 'softmax_kernel', parameters, projection: c.matrix('W') };
      const { q, k, v } = c.qkv;
      const made = await core.linearAttention({
        q,
        k,
        v,
        featureMap,
        causal: c.param('causal') === 1,
        epsilon: c.param('denominator_eps'),
        denominator: 'addToKeySum',
      });
      return {
        out: made.output,
        phi_q: await core.applyFeatureMap({ x: q, featureMap, role: 'query' }),
        phi_k: await core.applyFeatureMap({ x: k, featureMap, role: 'key' }),
      };
    },
  },
  scaling_statistics: {
    knows: 'n d_k scaled draws statistical',
    run: async (core, c) => {
      const { cells } = await core.scalingExperiment({
        n: [c.param('n')],
        dK: [c.param('d_k')],
        draws: 4 * c.param('draws'),
        seed: 1706,
        gradients: false,
      });
      const cell = cells.find(({ scaled }) => scaled === (c.param('scaled') === 1));
      if (!cell) throw new Error('no such cell');
      return {
        mean_row_max: cell.rowMax.mean,
        mean_entropy: cell.entropy.mean,
        mean_jacobian_fro: cell.jacobianNorm.mean,
      };
    },
  },
  softmax_attention: {
    knows: 'n m d_k d_v scale scaled_by_default Q K V bias',
    run: async (core, c) => {
      const made = await core.attention({ ...c.qkv, scale: c.param('scale') });
      return { out: made.output, weights: made.weights, lse: made.logSumExp };
    },
  },
  softmax_jacobian: {
    knows: 'x',
    run: async (core, c) => {
      const { weights: p, logSumExp } = await core.softmax({ x: c.matrix('x') });
      return {
        p,
        logsumexp: logSumExp,
        J: await core.softmaxJacobian({ p }),
        fro: await core.softmaxJacobianNorm({ p }),
        entropy: await core.entropy({ p }),
      };
    },
  },
  sparse_attention: {
    knows: 'kind n m d dv w nnz Q K V',
    fits: ({ params }) => params.kind === 'longformer',
    run: async (core, c) => {
      const pattern = { id: 'longformer', parameters: { w: c.param('w') } };
      const { q, k, v } = c.qkv;
      const made = await core.sparseAttention({ q, k, v, pattern });
      return { out: made.output, mask: await core.patternMatrix({ q, k, pattern }) };
    },
  },
};

const row = (x: Matrix, i: number): Matrix => ({
  rows: 1,
  cols: x.cols,
  data: x.data.slice(i * x.cols, (i + 1) * x.cols),
});

const stacked = (parts: readonly Matrix[]): Matrix => {
  const data = Float32Array.from(parts.flatMap((part) => [...part.data]));
  return { rows: data.length, cols: 1, data };
};

/** What is wrong with what came, or nothing. Keys that the case does not expect are not compared. */
function mismatch(computed: Computed, { expected, rtol = 0, atol = 0 }: Given): string {
  const keys = Object.keys(computed).filter((key) => key in expected);
  if (keys.length === 0) return 'nothing was compared';
  for (const key of keys) {
    const [got, wanted] = [computed[key], expected[key]];
    const seen = typeof got === 'object' ? [...got.data] : [got as number];
    const want = (typeof wanted === 'object' && wanted ? wanted.data : [wanted]).map(number);
    if (seen.length !== want.length) return `${key}: ${seen.length} numbers, not ${want.length}`;
    const at = want.findIndex((value, i) => {
      const one = seen[i] as number;
      return !(Object.is(one, value) || Math.abs(one - value) <= atol + rtol * Math.abs(value));
    });
    if (at >= 0) return `${key}[${at}]: ${seen[at]} instead of ${want[at]}`;
  }
  return '';
}

async function runTopic(topic: string, cases: Given[], core: Client, table: Table) {
  const { knows, fits = () => true, run } = topics[topic] as Topic;
  const known = new Set(knows.split(' '));
  const one = cases.find(
    (given) =>
      [...Object.keys(given.params), ...Object.keys(given.inputs)].every((key) => known.has(key)) &&
      fits(given),
  );
  if (!one) return { name: '(none)', status: 'not implemented', detail: 'no case fits' } as const;
  try {
    const computed = [await run(core, new Case(one, table))].flat();
    const detail = computed.map((part) => mismatch(part, one)).find(Boolean) ?? '';
    return { name: one.name, status: detail ? 'failed' : 'passed', detail } as const;
  } catch (error) {
    return { name: one.name, status: 'failed', detail: String(error) } as const;
  }
}

/** Of each topic in `folder` that has a call, the first case that fits it. */
export async function runGolden(
  folder: string,
  tables: string,
  load: { full: (build: Build) => Promise<RawFull> },
): Promise<Result[]> {
  const table: Table = JSON.parse(readFileSync(join(tables, 'feature_maps.json'), 'utf8'));
  const client = createClient({
    module: 'full',
    build: 'simd',
    makeWorker: () => fullWorker(load.full),
  });
  await client.ready();
  const results: Result[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const topic: string = content.topic ?? basename(file, '.json');
    if (!(topic in topics)) continue;
    const result = await runTopic(topic, content.cases, client, table);
    results.push({ topic, build: 'client', ...result });
  }
  client.dispose();
  return results;
}
