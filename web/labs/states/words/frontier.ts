import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface FrontierWords {
  readonly heading: string;
  readonly set: string;
  readonly sets: Readonly<Record<'first' | 'sizes' | 'all', string>>;
  readonly seeds: string;
  readonly task: string;
  readonly tasks: Readonly<Record<'small' | 'full', string>>;
  readonly rate: string;
  readonly paper: string;
  readonly paperLine: string;
  readonly frontier: string;
  readonly ofWidth: (model: string, width: string) => string;
  readonly seed: (seed: number) => string;
  readonly step: string;
  readonly loss: string;
  readonly learning: string;
  readonly estimate: (trainings: number, steps: number, atATime: number) => string;
  readonly atBytes: (recall: string, bytes: string) => string;
  readonly soFar: (done: number, all: number) => string;
  readonly onFrontier: (points: string) => string;
  readonly chance: string;
  readonly x: string;
  readonly y: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly lost: (points: number) => string;
  readonly describe: (set: string, task: string, seeds: number, rate: string) => string;
  readonly caption: (v: {
    readonly length: number;
    readonly pairs: number;
    readonly vocabulary: number;
    readonly width: number;
    readonly steps: number;
    readonly batch: number;
    readonly seeds: string;
    readonly workers: number;
    readonly rate: string;
  }) => string;
  readonly summary: (points: number, best: string, share: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<FrontierWords> = {
  en: {
    heading: 'Recall against memory, trained here',
    set: 'Models',
    sets: { first: 'six', sizes: 'three, by size of state', all: 'thirteen' },
    seeds: 'seeds for each model',
    task: 'Task',
    tasks: { small: 'short texts', full: 'long texts' },
    rate: 'learning rate',
    paper: 'Quoted: Based in its paper',
    paperLine: 'quoted: Based (Arora et al., 2024)',
    frontier: 'nobody is above and to the left',
    ofWidth: (model, width) => `${model} (width ${width})`,
    seed: (seed) => `seed ${seed}`,
    step: 'training step',
    loss: 'loss in nats',
    learning: 'Learning curves of the models in training',
    estimate: (trainings, steps, atATime) =>
      `${trainings} trainings of ${steps} steps, ${atATime} at a time: some minutes. What is finished is kept.`,
    atBytes: (recall, bytes) => `${recall} with ${bytes}`,
    soFar: (done, all) => `${done} of ${all} trainings are finished.`,
    onFrontier: (points) => `On the frontier: ${points}.`,
    chance: 'Guessing',
    x: 'bytes of state at the end of a text',
    y: 'share of keys recalled',
    table: 'The points',
    columns: ['Model', 'bytes of state', 'parameters', 'recalled', 'seeds', 'seconds a model'],
    lost: (points) =>
      `${points} ${points === 1 ? 'point was' : 'points were'} lost with a worker. Run again: only what is missing is trained.`,
    describe: (set, task, seeds, rate) =>
      `${set} models, ${task}, ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, rate ${rate}`,
    caption: ({ length, pairs, vocabulary, width, steps, batch, seeds, workers, rate }) =>
      `Multi-query associative recall: ${pairs} pairs in ${length} tokens of ${vocabulary} kinds. Two layers of width ${width}, a short convolution and the mixer, without positions; ${steps} steps of ${batch} texts, AdamW with learning rate ${rate}, the same budget for all and tuned for none. Accuracy on texts not seen in training; the median of seeds ${seeds}, bars from the least to the largest. Up to ${workers} models at a time.`,
    summary: (points, best, share) =>
      `${points} points. The most is recalled by ${best}, ${share}.`,
    data: [
      'model',
      'family',
      'seed',
      'state_bytes',
      'parameters',
      'accuracy',
      'loss',
      'chance',
      'seconds',
    ],
  },
};

export const words = orEnglish(both);
