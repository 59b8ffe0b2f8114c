/** Trains a small model on lists that repeat, in a worker of its own, and looks at its heads on the way. */
import {
  CancelledError,
  type Client,
  type JobTools,
  LanguageModel,
  type Matrix,
  Pool,
  type TaskOptions,
  type TrainingPoint,
  train,
} from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const TASKS = ['period', 'segment', 'fixed'] as const;
export type GrowTask = (typeof TASKS)[number];

/** What decides how a run comes out. */
export interface GrowSettings {
  readonly task: GrowTask;
  readonly layers: '1' | '2';
  readonly positions: 'rotary' | 'learned';
  readonly seed: number;
}

export const LENGTH = 48;
export const VOCABULARY = 32;
export const WIDTH = 32;
export const HEADS = 2;
export const BATCH = 32;
export const LEARNING_RATE = 0.01;
/** Every list has the period that stands in the middle between the others. */
export const PERIODS = { shortest: 8, longest: 24, fixed: 16 } as const;
/** Pictures on the way, besides the one before the first step. */
export const FRAMES = 25;
/** New lists on which a loss is measured: batches at each picture, and lists when heads are cut. */
const NEW_BATCHES = 2;
const CUT_LISTS = 64;
/** Long enough that the messages between page and worker cost little, short enough for Stop. */
const SLICE_MS = 40;

export const stepsOf = (task: GrowTask): number => (task === 'segment' ? 750 : 500);

export function taskOf(task: GrowTask): TaskOptions {
  const size = { vocabulary: VOCABULARY, length: LENGTH };
  if (task === 'segment') return { kind: 'segment', ...size };
  const { shortest, longest, fixed } = PERIODS;
  return task === 'fixed'
    ? { kind: 'period', ...size, shortest: fixed, longest: fixed }
    : { kind: 'period', ...size, shortest, longest };
}

/** What one head does on the list that is shown. */
export interface HeadSeen {
  readonly layer: number;
  readonly head: number;
  readonly weights: Matrix;
  /** Its weight on tokens that stand behind an earlier copy, and on the token before. */
  readonly behind: number;
  readonly previous: number;
  /** Its weight where copies stood if this list had the one period of the training; only where there is one. */
  readonly counted?: number;
}

export interface Frame {
  readonly step: number;
  readonly heads: readonly HeadSeen[];
  /** On lists of kinds that training never shows. */
  readonly loss: number;
  readonly accuracy: number;
}

/** The trained model without one of its heads. */
export interface Cut {
  readonly layer: number;
  readonly head: number;
  readonly loss: number;
  readonly heads: readonly HeadSeen[];
}

export interface Grown {
  readonly steps: number;
  readonly points: readonly TrainingPoint[];
  readonly frames: readonly Frame[];
  /** Empty until the training is over. */
  readonly cuts: readonly Cut[];
  /** The loss on the same lists with all heads. */
  readonly whole: number;
  readonly guessing: number;
  /** What even attention would do on the list that is shown. */
  readonly even: { readonly behind: number; readonly previous: number };
  readonly list: readonly string[];
}

const pool = new Pool({ workers: 2 });

/** So that tokens of a list can be told from numbers. */
const nameOfToken = (token: number): string =>
  String.fromCodePoint(token < 26 ? 0x61 + token : 0x41 + token - 26);

async function grow(
  worker: Client,
  tools: JobTools,
  { task: kind, layers, positions, seed }: GrowSettings,
  tell: (grown: Grown) => void,
): Promise<Grown> {
  const task = taskOf(kind);
  const steps = stepsOf(kind);
  const rotary = positions === 'rotary';
  const about = await worker.describeTask(task);
  const shown = await worker.drawBatch({ task, batch: 1, seed: seed + 1, heldOut: true });
  const tokens = Int32Array.from(shown.tokens);
  const model = await LanguageModel.create(worker, {
    ...{ vocabulary: VOCABULARY, length: LENGTH, dModel: WIDTH, layers: Number(layers), seed },
    mixers: [{ heads: HEADS, ...(rotary && { parameters: { rotary: 1 } }) }],
    positions: !rotary,
  });
  let even = { behind: 0, previous: 0 };
  /** All heads on the list that is shown, whole or with one of them cut. */
  const look = async (cut?: { layer: number; head: number }): Promise<HeadSeen[]> => {
    const all = await model.attention({ tokens, ...(cut && { gates: { heads: [cut] } }) });
    const weights = all.map((each) => each.weights);
    const { heads, uniform } = await worker.headScores({ weights, tokens, shuffles: 0 });
    even = { behind: uniform.matchMass, previous: uniform.previousToken };
    // Tokens that repeat as those of the training do, whatever the list says.
    const counting =
      kind === 'fixed'
        ? await worker.headScores({
            ...{ weights, shuffles: 0, tokens: tokens.map((_, i) => i % PERIODS.fixed) },
          })
        : undefined;
    return all.map(({ layer, which, weights }, i) => ({
      ...{ layer, head: which, weights },
      ...(counting && { counted: counting.heads[i]?.scores.matchMass ?? Number.NaN }),
      behind: heads[i]?.scores.matchMass ?? Number.NaN,
      previous: heads[i]?.scores.previousToken ?? Number.NaN,
    }));
  };
  try {
    await model.start({
      ...{ task, steps, batch: BATCH, learningRate: LEARNING_RATE, beta2: 0.99, cosine: false },
      ...{ warmUp: 50, clip: 1, seed },
    });
    const points: TrainingPoint[] = [];
    const frames: Frame[] = [];
    const picture = async (): Promise<void> => {
      const { loss, accuracy } = await model.evaluate({ batches: NEW_BATCHES });
      frames.push({ step: points.length, heads: await look(), loss, accuracy });
    };
    const now = (cuts: readonly Cut[], whole: number): Grown => ({
      ...{ steps, cuts, whole, guessing: about.chanceLoss, even },
      ...{ points: [...points], frames: [...frames] },
      list: [...tokens].map(nameOfToken),
    });
    await picture();
    for (let k = 1; k <= FRAMES; k++) {
      await train(
        model,
        { signal: tools.signal, turn: tools.turn },
        {
          milliseconds: SLICE_MS,
          until: Math.round((k * steps) / FRAMES),
          onSlice: (slice) => {
            points.push(...slice.points);
            tools.progress(points.length / steps);
          },
        },
      );
      if (tools.signal.aborted) throw new CancelledError();
      await picture();
      tell(now([], Number.NaN));
    }
    const lists = await worker.drawBatch({ task, batch: CUT_LISTS, seed: seed + 2, heldOut: true });
    const without = await model.cutHeads({
      ...{ tokens: lists.tokens, targets: lists.targets, batch: CUT_LISTS },
    });
    const cuts: Cut[] = [];
    for (const [i, at] of without.heads.entries()) {
      cuts.push({ ...at, loss: without.alone[i] ?? Number.NaN, heads: await look(at) });
    }
    // The scores of even attention come with every look.
    return now(cuts, without.loss);
  } finally {
    await model.dispose();
  }
}

interface Run {
  readonly done: Promise<Grown>;
  readonly stop: AbortController;
  readonly listeners: Set<(grown: Grown, share: number) => void>;
  waiting: number;
}

/** By their settings: a run comes out the same every time, so a question and its figure share one. */
const runs = new Map<string, Run>();

/**
 * The run of these settings; `onPart` hears of it while it grows. It ends when nobody waits for it any more.
 * @throws CancelledError once the signal is aborted
 */
export async function grown(
  settings: GrowSettings,
  { signal, onProgress }: Ask,
  onPart?: (grown: Grown) => void,
): Promise<Grown> {
  const { task, layers, positions, seed } = settings;
  const key = JSON.stringify([task, layers, positions, seed]);
  let run = runs.get(key);
  if (!run) {
    const stop = new AbortController();
    const listeners: Run['listeners'] = new Set();
    const done = pool.run(
      (worker, tools) =>
        grow(worker, tools, settings, (part) => {
          for (const heard of listeners) heard(part, part.points.length / part.steps);
        }),
      { signal: stop.signal },
    );
    run = { done, stop, listeners, waiting: 0 };
    runs.set(key, run);
    done.catch(() => runs.delete(key));
  }
  const { done, stop, listeners } = run;
  const mine = run;
  const heard = (part: Grown, share: number): void => {
    onPart?.(part);
    onProgress(share);
  };
  listeners.add(heard);
  mine.waiting++;
  let over = false;
  try {
    const stopped = new Promise<never>((_, refuse) => {
      const end = (): void => refuse(new CancelledError());
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
    const all = await Promise.race([done, stopped]);
    over = true;
    return all;
  } finally {
    listeners.delete(heard);
    mine.waiting--;
    if (!over && mine.waiting === 0) {
      stop.abort();
      runs.delete(key);
    }
  }
}

const best = (heads: readonly HeadSeen[], of: (head: HeadSeen) => number): HeadSeen | undefined =>
  heads.reduce<HeadSeen | undefined>(
    (found, head) => (!found || of(head) > of(found) ? head : found),
    undefined,
  );

/** The two heads that a picture is about: who looks at the token before, and who looks behind copies, or where they would be. */
export interface Pair {
  readonly helper: HeadSeen;
  readonly copier: HeadSeen;
}

/** The pair as the heads of one moment have it; of one layer, its two heads. */
export function pairOf(heads: readonly HeadSeen[]): Pair | undefined {
  const last = Math.max(...heads.map(({ layer }) => layer));
  const copier = best(
    heads.filter(({ layer }) => layer === last),
    ({ behind, counted = 0 }) => Math.max(behind, counted),
  );
  const helper = best(
    heads.filter((head) => head.layer === 0 && head !== copier),
    ({ previous }) => previous,
  );
  return helper && copier ? { helper, copier } : undefined;
}

export const sameHead = (
  one: { readonly layer: number; readonly head: number },
  other: { readonly layer: number; readonly head: number },
): boolean => one.layer === other.layer && one.head === other.head;

/** The head of the first layer that is no helper: what is cut to compare with. */
export const bystander = (heads: readonly HeadSeen[], { helper, copier }: Pair) =>
  heads.find((head) => head.layer === 0 && !sameHead(head, helper) && !sameHead(head, copier));

/** The loss on training lists at these steps: the mean of so many before each. */
const WINDOW = 20;
export const lossesAt = (
  client: Client,
  { points }: Grown,
  at: readonly number[],
): Promise<readonly number[]> =>
  Promise.all(
    at.map(async (step) => {
      const values = points.slice(Math.max(0, step - WINDOW), step).map(({ loss }) => loss);
      return (await client.summarize({ values })).mean;
    }),
  );
