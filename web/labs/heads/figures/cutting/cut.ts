/** What the reader loses with its heads: each alone, in orders that another text chose, and in random ones. */
import type { Client, HeadPlace, LanguageModel, Matrix } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { logOf, ofModel, trained } from '../../../../src/models/on-page.ts';
import type { Role } from '../../words/opening.ts';
import { type Batch, batchOf } from '../shared/batches.ts';
import { choosing, measuring } from '../shared/chapters.ts';

/** Random orders beside the chosen ones. */
export const RANDOM = 3;

export interface CutSettings {
  readonly instead: 'zero' | 'mean';
  readonly seed: number;
}

export interface CutHead extends HeadPlace {
  readonly role: Role;
  /** By how much the loss rises when this head alone is cut. */
  readonly rise: number;
  /** E|∂L/∂gate| on the text that chooses. */
  readonly importance: number;
}

export interface Order {
  readonly heads: readonly HeadPlace[];
  /** The loss with none of them cut, with the first one, the first two, … */
  readonly losses: readonly number[];
}

export interface Cutting {
  readonly heads: readonly CutHead[];
  readonly loss: number;
  /** The least important head first, the one that costs least alone first, and random ones. */
  readonly importance: Order;
  readonly alone: Order;
  readonly random: readonly Order[];
  /** What takes the place of what is cut when the model writes. */
  readonly means: readonly Matrix[];
}

const ascending = <T extends HeadPlace>(
  heads: readonly T[],
  of: (head: T) => number,
): readonly HeadPlace[] =>
  [...heads].sort((one, other) => of(one) - of(other)).map(({ layer, head }) => ({ layer, head }));

/** The way of the progress that the model's arrival takes, where it is not there yet. */
const ARRIVAL = 0.2;

async function measure(
  model: LanguageModel,
  [choose, judge]: readonly [Batch, Batch],
  roles: readonly Role[],
  { instead, seed }: CutSettings,
  { signal, onProgress }: Ask,
): Promise<Cutting> {
  const mean = instead === 'mean';
  // One way forward and one back; then 16 cuts, and later 16 more with two and three orders of 16.
  const { layers } = await model.headImportance(choose, { signal });
  const parts = (from: number, to: number) => ({
    signal,
    onProgress: (share: number) => onProgress(from + (to - from) * share),
  });
  const chosen = await model.cutHeads({ ...choose, mean }, parts(ARRIVAL, 0.35));
  const importanceOf = ({ layer, head }: HeadPlace): number =>
    layers[layer]?.importance[head] ?? Number.NaN;
  const aloneOf = new Map(chosen.heads.map((at, i) => [`${at.layer}.${at.head}`, chosen.alone[i]]));
  const byImportance = ascending(chosen.heads, importanceOf);
  const byAlone = ascending(
    chosen.heads,
    ({ layer, head }) => aloneOf.get(`${layer}.${head}`) ?? Number.NaN,
  );
  const cut = await model.cutHeads(
    { ...judge, mean, orders: [byImportance, byAlone], randomOrders: RANDOM, seed },
    parts(0.35, 1),
  );
  const orderOf = (heads: readonly HeadPlace[], losses: Float64Array | undefined): Order => ({
    heads,
    losses: [cut.loss, ...(losses ?? [])],
  });
  return {
    heads: cut.heads.map(({ layer, head }, i) => ({
      ...{ layer, head, role: roles[i] ?? 'none' },
      rise: (cut.alone[i] ?? Number.NaN) - cut.loss,
      importance: importanceOf({ layer, head }),
    })),
    loss: cut.loss,
    importance: orderOf(byImportance, cut.losses[0]),
    alone: orderOf(byAlone, cut.losses[1]),
    random: cut.randomOrders.map((heads, i) => orderOf(heads, cut.randomLosses[i])),
    means: await model.headMeans({ tokens: choose.tokens, batch: choose.batch }, { signal }),
  };
}

const known = new WeakMap<Client, Map<string, Promise<Cutting>>>();

/** The losses of these settings. A question and its figure share them. */
export async function cutting(client: Client, settings: CutSettings, ask: Ask): Promise<Cutting> {
  const { signal } = ask;
  const all = known.get(client) ?? new Map<string, Promise<Cutting>>();
  known.set(client, all);
  const { instead, seed } = settings;
  const key = `${instead} ${seed}`;
  const there = all.get(key);
  // Whoever asked first may have stopped it.
  if (there) {
    const found = await there.catch(() => undefined);
    if (found) return found;
  }
  const [{ model, tokenizer }, log] = await Promise.all([
    trained(client, 'reader', {
      signal,
      onProgress: (share) => ask.onProgress(share * ARRIVAL),
    }),
    logOf('reader'),
  ]);
  const work = ofModel(client, 'reader', async () => {
    const batches = [
      await batchOf(tokenizer, choosing, signal),
      await batchOf(tokenizer, measuring, signal),
    ] as const;
    const roles = log.heads.names.map(({ name }) => name as Role);
    return measure(model, batches, roles, settings, ask);
  });
  all.set(key, work);
  work.catch(() => all.delete(key));
  return work;
}

/** How much the single cuts of the first `count` heads of an order add up to, and what they cost together. */
export function togetherOf(
  { heads, loss }: Pick<Cutting, 'heads' | 'loss'>,
  { heads: order, losses }: Order,
  count: number,
): { readonly sum: number; readonly joint: number } {
  const riseOf = ({ layer, head }: HeadPlace): number =>
    heads.find((one) => one.layer === layer && one.head === head)?.rise ?? Number.NaN;
  const sum = order.slice(0, count).reduce((total, head) => total + riseOf(head), 0);
  return { sum, joint: (losses[count] ?? Number.NaN) - loss };
}

/** The most heads of an order that can be cut before the loss rises by more than this. */
export function mostWithin({ losses }: Order, loss: number, rise: number): number {
  const over = losses.findIndex((one) => one - loss > rise);
  return over < 0 ? losses.length - 1 : over - 1;
}
