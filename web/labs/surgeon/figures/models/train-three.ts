/** Trains the three models of the figure, each on a worker of a pool, and measures what they can do. */
import {
  CancelledError,
  type Client,
  type JobTools,
  LanguageModel,
  type Matrix,
  Pool,
  poolSize,
  type TaskOptions,
  Tokenizer,
  type TrainingPoint,
  train,
} from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { shownToken } from '../../../../src/plot/tokens.ts';

export const MODELS = ['earlier', 'all', 'later'] as const;
export type Sees = (typeof MODELS)[number];

const LENGTH = 32;
/**
 * Small batches and a narrow feed-forward network: with 500 steps at 0.01 the causal model comes within 0.01 nats of the
 * entropy rate (seeds 0, 1, 2), and a step takes a third of the time of batches of 32 with a network of 128.
 */
const BATCH = 16;
const WIDTH = 32;
const FEED_FORWARD = 64;
const LAYERS = 2;
const HEADS = 2;
/** What the caption names. */
export const SIZES = { length: LENGTH, batch: BATCH, width: WIDTH, layers: LAYERS, heads: HEADS };

/** All three models, but for what they see. */
export const modelOf = (vocabulary: number, seed: number) => ({
  ...{ vocabulary, length: LENGTH, dModel: WIDTH, layers: LAYERS, feedForward: FEED_FORWARD },
  ...{ mixers: [{ heads: HEADS }], seed },
});
/** Of a text, the part at its end that no model is trained on: of the shortest text it is longer than a sequence. */
const HELD_OUT = 0.2;
/** The shortest text, in characters. */
export const LEAST_TEXT = 200;
/** The tokens of the Markov source, written as letters. */
export const MARKOV = 16;
const LETTERS: readonly string[] = [...'abcdefghijklmnop'];
/** Sequences whose losses are averaged, and prefixes that are gone on with. */
export const TEST_BATCHES = 100;
export const TEST_SEQUENCES = 256;
/** So many at a time, so that a stop is felt. */
const AT_A_TIME = 32;
const PREFIXES = 96;
/** Texts that each model writes, as long as a sequence; for a pasted text each begins with so many of its letters. */
const TEXTS = 16;
const PROMPT = 4;
/** Long enough that the messages between page and worker cost little, short enough for Stop. */
const SLICE_MS = 50;
/** Pictures of the attention over the training. */
const FRAMES = 16;

export interface Settings {
  readonly source: 'markov' | 'text';
  readonly text: string;
  readonly steps: number;
  readonly rate: number;
  readonly seed: number;
}

export interface Frame {
  readonly step: number;
  readonly heads: readonly {
    readonly layer: number;
    readonly which: number;
    readonly weights: Matrix;
  }[];
}

export interface Measured {
  readonly test: number;
  readonly accuracy: number;
  /** The mean loss when only the tokens so far are given, as in generation. */
  readonly prefix: number;
  readonly prefixAccuracy: number;
  /** The loss of what it wrote under the source that it learned from, over all texts; NaN for a pasted text. */
  readonly writtenLoss: number;
  readonly written: readonly string[];
  /** How often each token is followed by each other one in what it wrote; none for a pasted text. */
  readonly transitions?: Matrix | undefined;
}

export interface Learned {
  readonly points: readonly TrainingPoint[];
  readonly frames: readonly Frame[];
  readonly tokensPerSecond: number;
  readonly measured?: Measured;
}

/** What is known of the source beforehand. */
export interface Source {
  readonly vocabulary: number;
  readonly chance: number;
  /** NaN where nobody knows. */
  readonly floor: number;
  /** NaN for the Markov source. */
  readonly unigram: number;
  /** The words of the sequence whose attention is shown. */
  readonly labels: readonly string[];
  readonly workers: number;
  /** The probabilities of the Markov source, a row for each token. */
  readonly transitions?: Matrix | undefined;
  /** Its tokens. */
  readonly letters: readonly string[];
}

interface Prepared {
  readonly task: TaskOptions;
  readonly source: Source;
  readonly decode: (tokens: Int32Array) => string;
  /** Sequences that no model was trained on. */
  readonly batch: {
    readonly batch: number;
    readonly tokens: Int32Array;
    readonly targets: Int32Array;
  };
}

async function prepare(client: Client, settings: Settings, pool: Pool): Promise<Prepared> {
  const { source, text, seed } = settings;
  let task: TaskOptions = { kind: 'markov', vocabulary: MARKOV, length: LENGTH, seed };
  let texts: readonly string[] = LETTERS;
  if (source === 'text') {
    const tokenizer = await Tokenizer.create(client, { text });
    const info = await tokenizer.info();
    const tokens = await tokenizer.encode(text);
    texts = info.texts;
    task = {
      ...{ kind: 'text', vocabulary: info.vocabulary, length: LENGTH, text: tokens },
      heldOut: HELD_OUT,
    };
    await tokenizer.dispose();
  }
  const about = await client.describeTask(task);
  const batch = await client.drawBatch({
    task,
    batch: TEST_SEQUENCES,
    seed: seed + 1,
    heldOut: true,
  });
  const say = (token: number): string => texts[token] ?? '?';
  return {
    task,
    decode: (tokens) => [...tokens].map(say).join(''),
    batch: {
      batch: batch.batch,
      tokens: Int32Array.from(batch.tokens),
      targets: Int32Array.from(batch.targets),
    },
    source: {
      ...{ vocabulary: about.vocabulary, chance: about.chanceLoss, floor: about.floorLoss },
      unigram: about.unigramEntropy ?? Number.NaN,
      labels: [...batch.tokens.slice(0, LENGTH)].map((token) => shownToken(say(token))),
      workers: Math.min(pool.workers, MODELS.length),
      letters: source === 'markov' ? LETTERS : [],
      transitions:
        source === 'markov'
          ? (await client.markovSource({ vocabulary: MARKOV, seed })).transitions
          : undefined,
    },
  };
}

async function measure(
  client: Client,
  model: LanguageModel,
  { task, decode, batch }: Prepared,
  { source, seed }: Settings,
  turn: () => Promise<void>,
): Promise<Measured> {
  const { loss: test, accuracy } = await model.evaluate({ batches: TEST_BATCHES });
  const { tokens, targets } = batch;
  const counted: number[] = [];
  for (let first = 0; first < batch.batch; first += AT_A_TIME) {
    await turn();
    const part = [first * LENGTH, (first + AT_A_TIME) * LENGTH] as const;
    const wanted = targets.slice(...part);
    const losses = await model.prefixLosses({
      ...{ batch: wanted.length / LENGTH, tokens: tokens.slice(...part), targets: wanted },
    });
    counted.push(...[...losses].filter((_, i) => (wanted[i] ?? -1) >= 0));
  }
  let right = 0;
  for (let i = 0; i < PREFIXES; i++) {
    await turn();
    // Prefixes of every length, from all sequences in turn.
    const sequence = i % batch.batch;
    const end = 1 + ((i * 7) % (LENGTH - 2));
    const prompt = tokens.slice(sequence * LENGTH, sequence * LENGTH + end);
    const [next] = await model.generate({ prompt, count: 1, temperature: 0 });
    if (next === targets[sequence * LENGTH + end - 1]) right++;
  }
  // A cheat that repeats one token for ever writes something likely after some tokens and not after others, so a text
  // begins with each token of the source.
  const written: Int32Array[] = [];
  for (let i = 0; i < TEXTS; i++) {
    await turn();
    const prompt =
      source === 'markov'
        ? Int32Array.of(i % MARKOV)
        : tokens.slice(i * LENGTH, i * LENGTH + PROMPT);
    const more = await model.generate({ prompt, count: LENGTH - prompt.length, seed: seed + i });
    written.push(Int32Array.of(...prompt, ...more));
  }
  const losses: number[] = [];
  if (source === 'markov') {
    for (const tokens of written) {
      losses.push(await client.markovLoss({ vocabulary: MARKOV, seed: task.seed ?? 0, tokens }));
    }
  }
  const transitions =
    source === 'markov'
      ? await client.transitionShares({
          ...{ tokens: Int32Array.from(written.flatMap((one) => [...one])), length: LENGTH },
          vocabulary: MARKOV,
        })
      : undefined;
  const mean = async (values: readonly number[]): Promise<number> =>
    values.length > 0 ? (await client.summarize({ values })).mean : Number.NaN;
  return {
    ...{ test, accuracy, prefix: await mean(counted), prefixAccuracy: right / PREFIXES },
    writtenLoss: await mean(losses),
    written: written.map(decode),
    transitions,
  };
}

type Told = (which: Sees, learned: Learned) => void;

/** The trainings under way or done, by their settings, so that a question about them waits for them. */
const runs = new Map<string, ThreeTrainings>();
const keyOf = ({ source, text, steps, rate, seed }: Settings): string =>
  JSON.stringify([source, source === 'text' ? text : '', steps, rate, seed]);

/** What the figure trains with when nobody has moved a knob. */
export const DEFAULTS: Settings = { source: 'markov', text: '', steps: 500, rate: 0.01, seed: 0 };
/** The loss of one step is that of a small batch; the question is about the mean of so many before it. */
const WINDOW = 20;

/** The loss of a model at these steps, from the training of the figure where there is one. */
export async function lossesAt(
  client: Client,
  sees: Sees,
  at: readonly number[],
  { signal, onProgress }: Ask,
): Promise<readonly number[]> {
  const points =
    (await runs.get(keyOf(DEFAULTS))?.curve(sees, signal, onProgress)) ??
    (await trainAlone(client, sees, signal, onProgress));
  return Promise.all(
    at.map(async (step) => {
      const last = points.slice(Math.max(0, step - WINDOW), Math.max(1, step));
      return (await client.summarize({ values: last.map(({ loss }) => loss) })).mean;
    }),
  );
}

async function trainAlone(
  client: Client,
  sees: Sees,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<readonly TrainingPoint[]> {
  const { steps, seed, rate } = DEFAULTS;
  const model = await LanguageModel.create(client, { ...modelOf(MARKOV, seed), sees });
  const task: TaskOptions = { kind: 'markov', vocabulary: MARKOV, length: LENGTH, seed };
  await model.start({ task, steps, batch: BATCH, learningRate: rate, seed });
  const points: TrainingPoint[] = [];
  try {
    await train(
      model,
      { signal },
      {
        milliseconds: SLICE_MS,
        onSlice: (slice) => {
          points.push(...slice.points);
          onProgress(points.length / steps);
        },
      },
    );
  } finally {
    await model.dispose();
  }
  if (signal.aborted) throw new CancelledError();
  return points;
}

/** Where the three trainings wait while nobody wants them to go on. */
class Gate {
  #opened: Promise<void> = Promise.resolve();
  #open: (() => void) | undefined;

  open(): void {
    this.#open?.();
    this.#open = undefined;
  }

  close(): void {
    if (this.#open) return;
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Resolves once the gate is open. */
  pass(): Promise<void> {
    return this.#opened;
  }
}

/** The trainings of all three models. They can be stopped and gone on with; their workers wait meanwhile. */
export class ThreeTrainings {
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #onSource: (source: Source) => void;
  readonly #onModel: Told;
  /** A worker each: on two cores three that share them end sooner than two, of which one works twice. */
  readonly #pool = new Pool({ workers: poolSize() > 1 ? MODELS.length : 1 });
  readonly #gate = new Gate();
  readonly #points = new Map<Sees, readonly TrainingPoint[]>();
  /** Those who wait for the curve of a model hear of every slice, and of the end. */
  readonly #waiting = new Set<() => void>();
  #over = false;
  #all: Promise<void> | undefined;

  /** `onSource` is called once, `onModel` after each slice of each model. */
  constructor(
    client: Client,
    settings: Settings,
    onSource: (source: Source) => void,
    onModel: Told,
  ) {
    this.#client = client;
    this.#settings = settings;
    this.#onSource = onSource;
    this.#onModel = (which, learned) => {
      this.#points.set(which, learned.points);
      onModel(which, learned);
      for (const heard of this.#waiting) heard();
    };
    runs.set(keyOf(settings), this);
  }

  /** The whole curve of a model once it is trained; undefined where the training was given up. */
  curve(
    which: Sees,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<readonly TrainingPoint[] | undefined> {
    return new Promise((resolve, reject) => {
      const heard = (): void => {
        const points = this.#points.get(which) ?? [];
        onProgress(points.length / this.#settings.steps);
        if (signal.aborted) reject(new CancelledError());
        else if (points.length >= this.#settings.steps) resolve(points);
        else if (this.#over) resolve(undefined);
        else return;
        this.#waiting.delete(heard);
      };
      this.#waiting.add(heard);
      signal.addEventListener('abort', heard, { once: true });
      heard();
    });
  }

  #end(): void {
    this.#over = true;
    for (const heard of this.#waiting) heard();
  }

  /**
   * Begins, or goes on, until all three are trained and measured.
   * @throws CancelledError when the signal stops it; what was learned stays, and `run` goes on with it. After any other
   * error the trainings are over.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#gate.open();
    this.#all ??= this.#trainAll();
    // Where nobody waits for it any more, an error of it is nobody's.
    this.#all.catch(() => undefined);
    const stopped = new Promise<never>((_, reject) => {
      const stop = (): void => {
        this.#gate.close();
        reject(new CancelledError());
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([this.#all, stopped]);
  }

  /** Ends the workers. */
  dispose(): void {
    this.#pool.dispose();
    this.#end();
  }

  async #trainAll(): Promise<void> {
    try {
      const prepared = await prepare(this.#client, this.#settings, this.#pool);
      this.#onSource(prepared.source);
      const one = (sees: Sees) =>
        this.#pool.run((worker, tools) => this.#train(worker, tools, sees, prepared));
      const ended = await Promise.allSettled(MODELS.map(one));
      const failed = ended.find((each) => each.status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    } finally {
      this.#pool.dispose();
      this.#end();
    }
  }

  async #train(worker: Client, tools: JobTools, sees: Sees, prepared: Prepared): Promise<void> {
    const { steps, seed, rate } = this.#settings;
    const model = await LanguageModel.create(worker, {
      ...modelOf(prepared.source.vocabulary, seed),
      sees,
    });
    await model.start({ task: prepared.task, steps, batch: BATCH, learningRate: rate, seed });
    const points: TrainingPoint[] = [];
    const frames: Frame[] = [];
    const shownTokens = prepared.batch.tokens.slice(0, LENGTH);
    const picture = async (step: number): Promise<void> => {
      frames.push({ step, heads: await model.attention({ tokens: shownTokens }) });
    };
    await picture(0);
    let tokensPerSecond = 0;
    const tell = (measured?: Measured): void =>
      this.#onModel(sees, {
        ...{ points: [...points], frames: [...frames], tokensPerSecond },
        ...(measured ? { measured } : {}),
      });
    const turn = async (): Promise<void> => {
      await this.#gate.pass();
      await tools.turn();
    };
    for (let k = 1; k <= FRAMES && !tools.signal.aborted; k++) {
      await turn();
      await train(
        model,
        { signal: tools.signal, turn },
        {
          milliseconds: SLICE_MS,
          until: Math.round((k * steps) / FRAMES),
          onSlice: (slice) => {
            points.push(...slice.points);
            tokensPerSecond = slice.tokensPerSecond;
            tell();
          },
        },
      );
      await picture(points.length);
    }
    tell(await measure(worker, model, prepared, this.#settings, turn));
    await model.dispose();
  }
}
