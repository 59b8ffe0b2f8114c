/** The language models of this lab: one of each kind, and two hybrids. */
import {
  type Client,
  type JobTools,
  LanguageModel,
  Tokenizer,
  type TrainingSlice,
  train,
} from '#client';

type Mixer = Readonly<{
  id: string;
  featureMap?: string;
  dK?: number;
  parameters?: Readonly<Record<string, number>>;
}>;

/** A window as Based has it, without sinks. */
const WINDOW: Mixer = { id: 'sliding_window', parameters: { window: 8, sinks: 0 } };
const TAYLOR: Mixer = { id: 'linear', featureMap: 'taylor_compact', dK: 8 };
const GATED: Mixer = { id: 'gated_delta_rule' };
const SOFTMAX: Mixer = { id: 'softmax' };

/** One mixer for all four layers, or one for each. */
export const KINDS = {
  softmax: [SOFTMAX],
  window: [WINDOW],
  taylor: [TAYLOR],
  retnet: [{ id: 'retnet' }],
  gated_delta_rule: [GATED],
  rwkv4: [{ id: 'rwkv4' }],
  mamba: [{ id: 'mamba', parameters: { expand: 1, d_state: 8 } }],
  based: [WINDOW, TAYLOR, WINDOW, TAYLOR],
  one_in_four: [GATED, GATED, GATED, SOFTMAX],
} as const satisfies Record<string, readonly Mixer[]>;
export type Kind = keyof typeof KINDS;

export const SETS = {
  hybrids: ['softmax', 'gated_delta_rule', 'based', 'one_in_four'],
  all: Object.keys(KINDS) as readonly Kind[],
} as const satisfies Record<string, readonly Kind[]>;

export const LAYERS = 4;
export const LENGTH = 64;
export const WIDTH = 32;
export const BATCH = 8;
export const LEARNING_RATE = 0.004;
/** Characters of the book that are read. */
export const CHARACTERS = 60_000;
export const TEMPERATURE = 0.8;
const PROMPT = 'The ';

/** How wide the feed-forward network is, so that models with other mixers have about as many parameters. */
const TARGET = 40_000;

export interface Told {
  readonly parameters: number;
  readonly stateBytes: number;
  readonly steps: readonly number[];
  readonly losses: readonly number[];
  readonly heldOut: number;
  readonly unigram: number;
  readonly text: string;
  readonly seconds: number;
}

/** Trains a model on a text, and lets it write. */
export async function tell(
  client: Client,
  tools: JobTools,
  kind: Kind,
  text: string,
  steps: number,
  seed: number,
  onSlice?: (slice: TrainingSlice) => void,
): Promise<Told> {
  const tokenizer = await Tokenizer.create(client, { text });
  const { vocabulary } = await tokenizer.info();
  const tokens = await tokenizer.encode(text);
  const task = { kind: 'text', vocabulary, length: LENGTH, text: tokens } as const;
  const mixers = KINDS[kind].map((mixer) => ({ ...mixer }));
  const options = { vocabulary, dModel: WIDTH, layers: LAYERS, length: LENGTH, mixers, seed };
  // Without feed-forward networks, the model tells how many parameters are left for them.
  const bare = await LanguageModel.create(client, options);
  const { parameters: without } = await bare.info();
  await bare.dispose();
  const feedForward = Math.max(8, Math.round((TARGET - without) / (LAYERS * 2 * WIDTH)));
  const model = await LanguageModel.create(client, { ...options, feedForward });
  const { parameters } = await model.info();
  const start = performance.now();
  await model.start({ task, steps, batch: BATCH, learningRate: LEARNING_RATE, clip: 1, seed });
  await train(model, tools, onSlice ? { onSlice } : {});
  await tools.turn();
  const seconds = (performance.now() - start) / 1000;
  const curve = await model.curve({ from: 0 });
  const every = Math.max(1, Math.floor(curve.length / 60));
  const kept = curve.filter((_, i) => i % every === 0);
  const { loss: heldOut } = await model.evaluate({ batches: 8 });
  const { unigramEntropy } = await client.describeTask(task);
  const prompt = await tokenizer.encode(PROMPT);
  // A learned position ends where the texts of the training end.
  const count = LENGTH - prompt.length;
  const said = await model.generate({ prompt, count, temperature: TEMPERATURE, seed });
  const written = await tokenizer.decode(said);
  const stateBytes = await model.stateBytes(LENGTH);
  // The next model may be trained in the same worker.
  await Promise.all([model.dispose(), tokenizer.dispose()]);
  return {
    ...{ parameters, heldOut, seconds, stateBytes },
    steps: kept.map(({ step }) => step),
    losses: kept.map(({ loss }) => loss),
    unigram: unigramEntropy ?? Number.NaN,
    text: written,
  };
}
