/** The models of the frontier, and how one of them is trained on recall. */
import { type Client, type JobTools, LanguageModel, train } from '#client';

export interface Model {
  /** Unique, and the same from visit to visit. */
  readonly id: string;
  /** What it is drawn with: models of a family are joined by a line. */
  readonly family: string;
  readonly mixer: {
    readonly id: string;
    readonly featureMap?: string;
    readonly dK?: number;
    readonly parameters?: Readonly<Record<string, number>>;
  };
}

const linear = (featureMap: string, dK: number, family: string): Model => ({
  ...{ id: `${family}-${dK}`, family },
  mixer: { id: 'linear', featureMap, dK },
});
const plain = (id: string, dK?: number): Model => ({
  ...{ id: dK === undefined ? id : `${id}-${dK}`, family: id },
  mixer: dK === undefined ? { id } : { id, dK },
});

const taylor = (dK: number) => linear('taylor_compact', dK, 'taylor');
const elu = (dK: number) => linear('elu_plus_one', dK, 'elu');
const identity = linear('identity', 16, 'identity');

export const SETS = {
  first: [
    plain('softmax', 16),
    taylor(16),
    elu(16),
    identity,
    plain('delta_rule', 16),
    plain('mamba2', 16),
  ],
  sizes: [
    ...[4, 8, 12, 16].map(taylor),
    ...[8, 16, 32].map(elu),
    ...[8, 16, 32].map((dK) => plain('delta_rule', dK)),
  ],
  all: [
    ...[plain('softmax', 16), taylor(16), elu(16), identity],
    ...['retention', 'gla', 'mamba2', 'delta_rule', 'gated_delta_rule'].map((id) => plain(id, 16)),
    ...['rwkv4', 'mamba', 'hyena'].map((id) => plain(id)),
    {
      ...{ id: 'window-8', family: 'sliding_window' },
      mixer: { id: 'sliding_window', dK: 16, parameters: { window: 8, sinks: 0 } },
    },
  ],
} as const satisfies Record<string, readonly Model[]>;

/** Both sizes of the task: what fits into a minute, and what the design of the course measured. */
export const TASKS = {
  small: { length: 32, pairs: 4, steps: 400 },
  full: { length: 64, pairs: 8, steps: 600 },
} as const;

export const VOCABULARY = 128;
export const WIDTH = 32;
export const TRAINING = {
  batch: 32,
  weightDecay: 0.1,
  warmUp: 20,
  clip: 1,
} as const;

/** The learning rates to choose from, one for all models of a run. */
export const RATES = ['0.003', '0.01', '0.03'] as const;
export type Rate = (typeof RATES)[number];

export interface Trained {
  readonly accuracy: number;
  readonly loss: number;
  readonly chance: number;
  readonly stateBytes: number;
  readonly parameters: number;
  readonly seconds: number;
}

/** Trains one model with one seed and asks it on data that it has not seen. */
export async function trainOne(
  client: Client,
  tools: JobTools,
  { mixer }: Model,
  size: keyof typeof TASKS,
  rate: Rate,
  seed: number,
): Promise<Trained> {
  const { length, pairs, steps } = TASKS[size];
  const task = { kind: 'recall', vocabulary: VOCABULARY, length, pairs } as const;
  const model = await LanguageModel.create(client, {
    ...{ vocabulary: VOCABULARY, dModel: WIDTH, layers: 2, length, positions: false, tied: true },
    mixers: [{ id: 'short_conv', parameters: { add_input: 1 } }, { ...mixer }],
    seed,
  });
  const start = performance.now();
  const { chanceAccuracy } = await model.start({
    ...TRAINING,
    learningRate: Number(rate),
    task,
    steps,
    seed,
  });
  await train(model, tools);
  await tools.turn();
  const seconds = (performance.now() - start) / 1000;
  const { accuracy, loss } = await model.evaluate({ batches: 8 });
  const [{ parameters }, stateBytes] = [await model.info(), await model.stateBytes(length)];
  await model.dispose();
  return { accuracy, loss, chance: chanceAccuracy, stateBytes, parameters, seconds };
}
