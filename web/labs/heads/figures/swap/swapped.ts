/** One head of the reader with a feature map in the place of its softmax, as it is and after it has learned. */
import type { Client, Matrix, ModelGates } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { logOf, ofModel, shapeOf, trained } from '../../../../src/models/on-page.ts';
import { batchOf, LENGTH } from '../shared/batches.ts';
import { choosing, measuring } from '../shared/chapters.ts';

export const MAPS = ['hedgehog', 'elu_plus_one', 'softmax_kernel'] as const;
export const LEARNING_RATE = 0.03;
/** So many of the likeliest tokens are shown of the model as it was, and of the changed one. */
const SHOWN = 3;
/** The way of the progress that the model's arrival takes, and that of the distillation. */
const ARRIVAL = 0.2;
const DISTILLED = 0.9;

export interface SwapSettings {
  readonly text: string;
  /** From 0, layer by layer. */
  readonly head: number;
  readonly map: (typeof MAPS)[number];
  readonly steps: number;
  /** Sequences of the text that the map learns from. */
  readonly sequences: number;
}

export interface NextToken {
  readonly token: string;
  readonly softmax: number;
  readonly mapped: number;
}

export interface Swapped {
  readonly tokens: readonly string[];
  /** What the head does on the sentence. */
  readonly softmax: Matrix;
  readonly mapped: Matrix;
  /** What may come next, the likeliest of the unchanged model first. */
  readonly next: readonly NextToken[];
  /** On text that nothing was learned from. */
  readonly loss: { readonly softmax: number; readonly mapped: number; readonly before: number };
  /** How far the map's weights are from softmax after each step: Kullback–Leibler, in nats. */
  readonly distance: readonly number[];
}

interface Learned {
  readonly wq: Matrix;
  readonly wk: Matrix;
  readonly distance: readonly number[];
}

const identity = (size: number): Matrix => ({
  ...{ rows: size, cols: size },
  data: Float32Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 1 : 0)),
});

const learned = new WeakMap<Client, Map<string, Learned>>();
const measured = new WeakMap<Client, Map<string, number>>();
const memory = <T>(of: WeakMap<Client, Map<string, T>>, client: Client): Map<string, T> => {
  const found = of.get(client) ?? new Map<string, T>();
  of.set(client, found);
  return found;
};

export async function swapped(client: Client, settings: SwapSettings, ask: Ask): Promise<Swapped> {
  const { signal, onProgress } = ask;
  const { text, map: featureMap, steps, sequences } = settings;
  const [{ model, tokenizer }, log] = await Promise.all([
    trained(client, 'reader', { signal, onProgress: (share) => onProgress(share * ARRIVAL) }),
    logOf('reader'),
  ]);
  const { dModel = 1, mixers } = shapeOf(log);
  const heads = mixers?.[0]?.heads ?? 1;
  const at = { layer: Math.floor(settings.head / heads), head: settings.head % heads };
  return ofModel(client, 'reader', async () => {
    const size = dModel / heads;
    const plain: Learned = { wq: identity(size), wk: identity(size), distance: [] };
    const learn = async (): Promise<Learned> => {
      if (steps === 0) return plain;
      const key = JSON.stringify([settings.head, featureMap, steps, sequences]);
      const known = memory(learned, client).get(key);
      if (known) return known;
      const { tokens, batch } = await batchOf(tokenizer, choosing, signal, sequences);
      const { wq, wk, loss, floor } = await model.distillHead(
        { tokens, batch, ...at, featureMap, steps, learningRate: LEARNING_RATE },
        {
          signal,
          onProgress: (share) => onProgress(ARRIVAL + (DISTILLED - ARRIVAL) * share),
        },
      );
      const found = { wq, wk, distance: [...loss].map((one) => one - floor) };
      memory(learned, client).set(key, found);
      return found;
    };
    const { wq, wk, distance } = await learn();
    const gatesOf = (weights: Pick<Learned, 'wq' | 'wk'>): ModelGates => ({
      maps: [{ ...at, featureMap, wq: weights.wq, wk: weights.wk }],
    });
    const gates = gatesOf({ wq, wk });
    const tokens = (await tokenizer.encode(text, { signal })).slice(0, LENGTH);
    const headOf = async (change?: ModelGates): Promise<Matrix> => {
      const all = await model.attention(
        { tokens, layer: at.layer, ...(change && { gates: change }) },
        { signal },
      );
      return all.find(({ which }) => which === at.head)?.weights ?? identity(1);
    };
    const nextOf = async (change?: ModelGates): Promise<Float32Array> => {
      const { rows, cols, data } = await model.logits(
        { tokens, ...(change && { gates: change }) },
        { signal },
      );
      const x = data.slice((rows - 1) * cols);
      const { weights } = await client.softmax({ x: { rows: 1, cols, data: x } }, { signal });
      return Float32Array.from(weights.data);
    };
    const likeliest = (of: Float32Array): number[] =>
      Array.from(of, (_, token) => token)
        .sort((one, other) => (of[other] as number) - (of[one] as number))
        .slice(0, SHOWN);
    const [as, becomes] = [await nextOf(), await nextOf(gates)];
    const all = [...new Set([...likeliest(as), ...likeliest(becomes)])];
    const say = (token: number): Promise<string> => tokenizer.decode([token], { signal });
    const judge = await batchOf(tokenizer, measuring, signal);
    const lossOf = async (name: string, change?: ModelGates): Promise<number> => {
      const known = memory(measured, client);
      const loss = known.get(name);
      if (loss !== undefined) return loss;
      const losses = await model.losses({ ...judge, ...(change && { gates: change }) }, { signal });
      // Where nothing is asked for there is no loss.
      const values = [...losses].filter((_, i) => (judge.targets[i] as number) >= 0);
      const { mean } = await client.summarize({ values }, { signal });
      known.set(name, mean);
      return mean;
    };
    const nameOf = (learning: number): string =>
      JSON.stringify([settings.head, featureMap, learning, learning === 0 ? 0 : sequences]);
    return {
      tokens: await Promise.all(Array.from(tokens, say)),
      softmax: await headOf(),
      mapped: await headOf(gates),
      next: await Promise.all(
        all.map(async (token) => ({
          token: await say(token),
          softmax: as[token] ?? Number.NaN,
          mapped: becomes[token] ?? Number.NaN,
        })),
      ),
      loss: {
        softmax: await lossOf('softmax'),
        mapped: await lossOf(nameOf(steps), gates),
        before: await lossOf(nameOf(0), gatesOf(plain)),
      },
      distance,
    };
  });
}
