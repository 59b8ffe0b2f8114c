/** A trained model whose heads share their keys and values: what it costs before, after averaging, and after some training. */
import { type Client, type JobTools, type Matrix, type TrainingSlice, train } from '#client';
import type { Chapters } from '../../../../src/models/held-out.ts';
import { openTrained } from '../../../../src/models/trained.ts';

export const KINDS = ['4', '2', '1', 'latent'] as const;
export type Kind = (typeof KINDS)[number];

export const BATCH = 8;
export const LEARNING_RATE = 0.001;
/** Of the learning rate, in steps; a training that only measures is as long. */
const WARM_UP = 5;
/** The share of the steps after which the held-out loss is measured. */
const AT = [0.1, 0.25, 0.5, 1] as const;
/** Batches of the held-out chapter. */
const BATCHES = 8;
/** Of the latent layer: half as wide as the cache of one head, and a rotated key of half a head. */
const LATENT = { nope: 16, rope: 8, width: 16 } as const;

export interface Row {
  readonly kind: Kind;
  /** Of the attention of one layer. */
  readonly parameters: number;
  /** Keys and values of one token in one layer, in float32. */
  readonly bytes: number;
  /** The chapter that no training saw. */
  readonly chapter: string;
  /** Nothing for the latent layer, which no averaging makes. */
  readonly before: number | null;
  readonly losses: readonly { readonly step: number; readonly loss: number }[];
}

const BYTES = 4;

interface Shape {
  readonly dModel: number;
  readonly heads: number;
}

/** What a latent layer of this shape keeps of a token, asked of the layer itself. */
async function latentRow(
  client: Client,
  { dModel, heads }: Shape,
  signal: AbortSignal,
): Promise<Omit<Row, 'chapter'>> {
  const { nope, rope, width } = LATENT;
  const dV = dModel / heads;
  const zeros = (rows: number, cols: number): Matrix => ({
    ...{ rows, cols, data: new Float32Array(rows * cols) },
  });
  const weights = {
    ...{ heads, nope, rope, q: zeros(heads * (nope + rope), dModel) },
    kvDown: zeros(width + rope, dModel),
    kvNorm: zeros(width, 1),
    kvUp: zeros(heads * (nope + dV), width),
    out: zeros(dModel, heads * dV),
  };
  const { latent, rotatedKey } = await client.latentAttention(
    { x: zeros(2, dModel), weights },
    { signal },
  );
  const size = ({ rows, cols }: Matrix): number => rows * cols;
  return {
    kind: 'latent',
    parameters:
      size(weights.q) + size(weights.kvDown) + width + size(weights.kvUp) + size(weights.out),
    bytes: BYTES * (latent.cols + rotatedKey.cols),
    ...{ before: null, losses: [] },
  };
}

/** Shares the heads' keys and values, and trains on the chapters that the model has read before. */
export async function share(
  client: Client,
  tools: JobTools,
  kind: Kind,
  { read, heldOut, title }: Chapters,
  { steps, seed }: { readonly steps: number; readonly seed: number },
  onSlice?: (slice: TrainingSlice) => void,
): Promise<Row> {
  const { signal } = tools;
  const { model, tokenizer } = await openTrained(client, 'causal-small', { signal });
  try {
    const info = await model.info();
    const named = (part: string) => info.tensors.find(({ name }) => name.includes(part));
    const dModel = named('attn.out_proj.weight')?.rows ?? 0;
    const heads = info.layers[0]?.matrices ?? 1;
    if (kind === 'latent')
      return { ...(await latentRow(client, { dModel, heads }, signal)), chapter: title };
    const kept = await tokenizer.encode(heldOut);
    const known = await tokenizer.encode(read);
    const text = new Int32Array(known.length + kept.length);
    text.set(known);
    text.set(kept, known.length);
    const task = {
      ...({ kind: 'text', vocabulary: info.vocabulary, length: info.length, text } as const),
      heldOut: kept.length / text.length,
    };
    const options = {
      steps: Math.max(WARM_UP, steps),
      batch: BATCH,
      learningRate: LEARNING_RATE,
      clip: 1,
      warmUp: WARM_UP,
      seed,
    };
    await model.start({ task, ...options });
    const loss = async (): Promise<number> => (await model.evaluate({ batches: BATCHES })).loss;
    const before = await loss();
    const shared = await model.groupHeads(Number(kind));
    const losses: { step: number; loss: number }[] = [];
    await model.start({ task, ...options });
    losses.push({ step: 0, loss: await loss() });
    for (const part of steps > 0 ? AT : []) {
      const until = Math.max(1, Math.round(part * steps));
      await train(model, tools, { until, ...(onSlice && { onSlice }) });
      signal.throwIfAborted();
      losses.push({ step: until, loss: await loss() });
    }
    const layer = shared.layers[0];
    return {
      kind,
      parameters: layer?.parameters ?? Number.NaN,
      bytes: (BYTES * (layer?.stateNumbers ?? Number.NaN)) / shared.length,
      ...{ before, losses, chapter: title },
    };
  } finally {
    await Promise.all([model.dispose(), tokenizer.dispose()]);
  }
}
