/** The models of the frontier and the recall that they are trained on: data alone, which the benchmark reads too. */

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
const identity = (dK: number) => linear('identity', dK, 'identity');

/**
 * The sizes of the task. In the short texts there are as many pairs as a key has entries, and every model is near its
 * end in a minute; the long ones are what the design of the course measured.
 */
export const TASKS = {
  small: { length: 32, pairs: 8, dK: 8, steps: 2000, batch: 16 },
  full: { length: 64, pairs: 8, dK: 16, steps: 600, batch: 32 },
  /** What the question before the frontier asks about: half of the steps, for an answer within seconds. */
  asked: { length: 32, pairs: 8, dK: 8, steps: 1000, batch: 16 },
} as const;
export type TaskSize = keyof typeof TASKS;

/** The products of pairs that a Taylor map adds are many: at half of the width its state is the nearest in size. */
const narrowTaylor = (dK: number) => taylor(dK / 2);

/** The delta rule with keys of a width, as among the sizes of state. */
export const modelOfWidth = (dK: number): Model => plain('delta_rule', dK);

/** The models to choose from, for keys of the width that belongs to a task. */
const SETS = {
  first: (dK: number) => [
    plain('softmax', dK),
    narrowTaylor(dK),
    elu(dK),
    identity(dK),
    plain('delta_rule', dK),
    plain('mamba2', dK),
  ],
  sizes: () => [
    ...[4, 8, 12, 16].map(taylor),
    ...[8, 16, 32].map(elu),
    ...[8, 16, 32].map((dK) => plain('delta_rule', dK)),
  ],
  all: (dK: number) => [
    ...[plain('softmax', dK), narrowTaylor(dK), elu(dK), identity(dK)],
    ...['retention', 'gla', 'mamba2', 'delta_rule', 'gated_delta_rule'].map((id) => plain(id, dK)),
    ...['rwkv4', 'mamba', 'hyena'].map((id) => plain(id)),
    {
      ...{ id: 'window-8', family: 'sliding_window' },
      mixer: { id: 'sliding_window', dK, parameters: { window: 8, sinks: 0 } },
    },
  ],
} as const satisfies Record<string, (dK: number) => readonly Model[]>;
export type ModelSet = keyof typeof SETS;

export const modelsOf = (set: ModelSet, task: TaskSize): readonly Model[] =>
  SETS[set](TASKS[task].dK);

export const VOCABULARY = 128;
export const WIDTH = 32;

/** The learning rates to choose from, one for all models of a run. */
export const RATES = ['0.003', '0.01', '0.03'] as const;
export type Rate = (typeof RATES)[number];

/** A short convolution, then the model's mixer: what `LanguageModel.create` makes of it. */
export const modelOptions = ({ mixer }: Model, size: TaskSize, seed: number) => ({
  ...{ vocabulary: VOCABULARY, dModel: WIDTH, layers: 2, length: TASKS[size].length },
  ...{ positions: false, tied: true, seed },
  mixers: [{ id: 'short_conv', parameters: { add_input: 1 } }, { ...mixer }],
});

/** The same budget for every model. */
export const trainingOptions = (size: TaskSize, rate: Rate, seed: number) => {
  const { length, pairs, steps, batch } = TASKS[size];
  return {
    task: { kind: 'recall', vocabulary: VOCABULARY, length, pairs } as const,
    ...{ steps, batch, learningRate: Number(rate), weightDecay: 0.1, warmUp: 20, clip: 1, seed },
  };
};
