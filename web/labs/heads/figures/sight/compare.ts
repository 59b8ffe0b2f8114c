/** Two models of one shape, of which one sees what came before and the other both sides, on one text. */
import type { Client, LanguageModel, Matrix, ScoredHead, Tokenizer } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { trained } from '../../../../src/models/on-page.ts';

export const SIDES = ['causal', 'both'] as const;
export type Side = (typeof SIDES)[number];
const FILES = { causal: 'causal-small', both: 'masked-small' } as const;
/** A target that is not asked for. */
const IGNORED = -100;

export interface Head {
  readonly layer: number;
  readonly head: number;
  readonly weights: Matrix;
  readonly scores: ScoredHead['scores'];
  /** Of W_Qᵀ·W_K: 1 symmetric, −1 antisymmetric. */
  readonly symmetry: number;
}

export interface OneSide {
  readonly side: Side;
  readonly heads: readonly Head[];
  readonly layers: number;
  /** In nats: of each next token, or of each token that is hidden while the others are there. */
  readonly loss: number;
  /** What even heads have. */
  readonly even: ScoredHead['scores'];
  readonly meanSymmetry: number;
}

export interface Compared {
  readonly tokens: readonly string[];
  readonly sides: readonly OneSide[];
  /** Of random weights of this width, and its standard deviation. */
  readonly random: number;
  readonly deviation: number;
}

const rowsOf = ({ cols, data }: Matrix, from: number, rows: number): Matrix => ({
  ...{ rows, cols, data: data.slice(from * cols, (from + rows) * cols) },
});

/** The symmetry of every head, layer after layer. */
async function symmetries(client: Client, model: LanguageModel, signal: AbortSignal) {
  const info = await model.info({ signal });
  const found: number[] = [];
  let [random, deviation] = [Number.NaN, Number.NaN];
  for (const [layer, { matrices: heads }] of info.layers.entries()) {
    const packed = await model.parameter(`blocks.${layer}.attn.in_proj_weight`, { signal });
    const width = packed.rows / 3;
    const made = await client.qkSymmetry(
      { wq: rowsOf(packed, 0, width), wk: rowsOf(packed, width, width), heads, kvHeads: heads },
      { signal },
    );
    found.push(...made.symmetry);
    random = made.randomMean;
    deviation = made.randomDeviation;
  }
  return { found, random, deviation };
}

/** The mean symmetry of the heads of both models, and what random weights have. */
export async function meanSymmetries(client: Client, ask: Ask) {
  const means: Record<Side, number> = { causal: Number.NaN, both: Number.NaN };
  let random = Number.NaN;
  for (const side of SIDES) {
    const { model } = await trained(client, FILES[side], ask);
    const made = await symmetries(client, model, ask.signal);
    means[side] = (await client.summarize({ values: made.found }, { signal: ask.signal })).mean;
    random = made.random;
  }
  return { ...means, random };
}

/** The loss as each model is asked: of the next token, or of each token by itself behind the last of the vocabulary. */
async function lossOf(
  client: Client,
  model: LanguageModel,
  side: Side,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  const mean = async (values: readonly number[]): Promise<number> =>
    (await client.summarize({ values }, { signal })).mean;
  if (side === 'causal') {
    const losses = await model.losses(
      { tokens: ids.slice(0, -1), targets: ids.slice(1) },
      { signal },
    );
    return mean([...losses]);
  }
  const { vocabulary } = await model.info({ signal });
  const n = ids.length;
  const tokens = ids.flatMap((_, hidden) =>
    ids.map((id, i) => (i === hidden ? vocabulary - 1 : id)),
  );
  const targets = ids.flatMap((_, hidden) => ids.map((id, i) => (i === hidden ? id : IGNORED)));
  const losses = await model.losses({ tokens, targets, batch: n }, { signal });
  return mean(ids.map((_, hidden) => losses[hidden * n + hidden] ?? Number.NaN));
}

export async function compare(client: Client, text: string, ask: Ask): Promise<Compared> {
  const { signal } = ask;
  const sides: OneSide[] = [];
  let tokens: readonly string[] = [];
  let [random, deviation] = [Number.NaN, Number.NaN];
  for (const [i, side] of SIDES.entries()) {
    const opened: { model: LanguageModel; tokenizer: Tokenizer } = await trained(
      client,
      FILES[side],
      { signal, onProgress: (share) => ask.onProgress((i + share / 2) / SIDES.length) },
    );
    const { model, tokenizer } = opened;
    const { length, layers } = await model.info({ signal });
    const ids = [...(await tokenizer.encode(text, { signal }))].slice(0, length);
    const { texts } = await tokenizer.info({ signal });
    tokens = ids.map((id) => texts[id] ?? '');
    const made = await symmetries(client, model, signal);
    ({ random, deviation } = made);
    const all = await model.attention({ tokens: ids }, { signal });
    const mask = { kind: side === 'causal' ? 'causal' : 'full' } as const;
    const { heads, uniform } = await client.headScores(
      { weights: all.map(({ weights }) => weights), tokens: ids, mask, shuffles: 0 },
      { signal },
    );
    const { mean } = await client.summarize({ values: made.found }, { signal });
    sides.push({
      ...{ side, layers: layers.length, even: uniform, meanSymmetry: mean },
      heads: all.map(({ layer, which, weights }, at) => ({
        ...{ layer, head: which, weights, scores: (heads[at] as ScoredHead).scores },
        symmetry: made.found[at] ?? Number.NaN,
      })),
      loss: await lossOf(client, model, side, ids, signal),
    });
    ask.onProgress((i + 1) / SIDES.length);
  }
  return { tokens, sides, random, deviation };
}
