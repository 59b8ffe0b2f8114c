/** A trained model whose heads share their keys and values: what it costs before, after the change, and after some training. */
import { type Client, type JobTools, type TrainingSlice, train } from '#client';
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
/** Of the latent layer: with a rotated key of half a head it keeps as many numbers as one averaged head. */
const LATENT = { latent: 24, rope: 8 } as const;

export interface Row {
  readonly kind: Kind;
  /** Of the attention of one layer. */
  readonly parameters: number;
  /** Keys and values of one token in one layer, in float32. */
  readonly bytes: number;
  /** The chapter that no training saw. */
  readonly chapter: string;
  readonly before: number;
  readonly losses: readonly { readonly step: number; readonly loss: number }[];
}

const BYTES = 4;

/** Shares the heads' keys and values, or makes them of a latent vector, and trains on the chapters that the model has read before. */
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
    const shared =
      kind === 'latent' ? await model.latentHeads(LATENT) : await model.groupHeads(Number(kind));
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
