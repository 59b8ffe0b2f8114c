import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface CapacityWords {
  readonly heading: string;
  readonly set: string;
  readonly sets: Readonly<Record<'rules' | 'maps', string>>;
  readonly dK: string;
  readonly decay: string;
  readonly dV: string;
  readonly draws: string;
  readonly theory: string;
  readonly chance: string;
  readonly x: string;
  readonly y: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly never: string;
  readonly half: string;
  readonly halfLost: (memories: string) => string;
  readonly pairsOf: (count: number) => string;
  readonly keysOfRules: (decay: string) => string;
  readonly keysOfMaps: string;
  readonly caption: (v: {
    readonly dK: number;
    readonly dV: number;
    readonly keys: string;
    readonly draws: number;
    readonly seeds: string;
  }) => string;
  readonly summary: (n: number, best: string, share: string, worst: string, low: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<CapacityWords> = {
  en: {
    heading: 'Stored against returned',
    set: 'Memories',
    sets: { rules: 'recurrences', maps: 'feature maps' },
    dK: 'width of the keys',
    decay: 'kept per token, γ',
    dV: 'width of the values',
    draws: 'draws',
    theory: 'Theory of the sum',
    chance: 'Guessing',
    x: 'pairs stored',
    y: 'share returned',
    table: 'Where half is lost',
    columns: ['Memory', 'numbers held at most', 'returned of the most pairs', 'half is lost at'],
    never: 'not up to here',
    half: 'half is lost',
    halfLost: (memories) => `More than half is lost from: ${memories}.`,
    pairsOf: (count) => `${count} pairs`,
    keysOfRules: (decay) =>
      `Recurrences: keys of length 1, γ = ${decay} where a state fades, β = 1. Softmax: Gaussian keys times 2.`,
    keysOfMaps: 'Gaussian keys times 2.',
    caption: ({ dK, dV, keys, draws, seeds }) =>
      `Random pairs, d_k = ${dK}, values of ${dV} random signs; every key is asked for once, and the nearest of all values is the answer. ${keys} Mean of ${draws} draws, bars from the least to the largest, seeds ${seeds}. Nothing is trained.`,
    summary: (n, best, share, worst, low) =>
      `Of ${n} pairs ${best} returns ${share} and ${worst} ${low}.`,
    data: ['memory', 'pairs', 'mean', 'least', 'largest', 'numbers'],
  },
};

export const words = orEnglish(both);
