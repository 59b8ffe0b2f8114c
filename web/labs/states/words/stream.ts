import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface StreamWords {
  readonly heading: string;
  readonly length: string;
  readonly lengths: Readonly<Record<string, string>>;
  readonly models: string;
  readonly sets: Readonly<Record<'few' | 'all', string>>;
  readonly patience: string;
  readonly dModel: string;
  readonly what: string;
  readonly whats: Readonly<Record<'speed' | 'bytes', string>>;
  readonly x: string;
  readonly speed: string;
  readonly bytes: string;
  readonly bytesTitle: string;
  readonly estimate: (models: string, seconds: number) => string;
  readonly slower: (factor: string, bytes: string) => string;
  readonly line: (ends: string) => string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly finished: string;
  readonly patienceOver: string;
  readonly endOf: string;
  readonly stopped: string;
  readonly describe: (length: string, models: string, dModel: string) => string;
  readonly heap: (before: string, after: string) => string;
  readonly caption: (v: {
    readonly length: string;
    readonly dModel: string;
    readonly patience: number;
    readonly seed: number;
    readonly all: string;
    readonly last: number;
  }) => string;
  readonly summary: (label: string, tokens: string, bytes: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<StreamWords> = {
  en: {
    heading: 'A stream, token by token',
    length: 'Tokens',
    lengths: { 4096: '4096', 16384: '16 384', 131072: '131 072' },
    models: 'Models',
    sets: { few: 'five', all: 'all sixteen' },
    patience: 'seconds for each model',
    dModel: 'width of the model',
    what: 'Draw',
    whats: { speed: 'tokens per second', bytes: 'bytes of state' },
    x: 'tokens so far',
    speed: 'tokens per second',
    bytes: 'bytes of state',
    estimate: (models, seconds) =>
      `Nothing has been run yet: ${models} models, at most ${seconds} seconds each.`,
    bytesTitle: 'Bytes carried from token to token',
    slower: (factor, bytes) => `${factor} times, ${bytes} carried`,
    line: (ends) => `A token at the end takes, against one at the start: ${ends}.`,
    table: 'Where each stream ended',
    columns: [
      'Model',
      'tokens',
      'of them decoded',
      'bytes of state',
      'tokens per second at the end',
      'ended because',
    ],
    finished: 'the text ended',
    patienceOver: 'the time was up',
    endOf: 'it has a longest text',
    stopped: 'not finished',
    describe: (length, models, dModel) => `${length} tokens, ${models}, width ${dModel}`,
    heap: (before, after) =>
      `Memory of the whole core, after the first and after the last row of this run: ${before}, ${after}.`,
    caption: ({ length, dModel, patience, seed, all, last }) =>
      `After a warm-up that is not counted: one layer of width ${dModel}, one head, random parameters and Gaussian tokens, decoded one after the other up to ${length} tokens or ${patience} seconds for a model; float32, seed ${seed}. Past ${all} tokens a model whose cache grows only reads what comes up to the next point, and the last ${last} tokens before it are decoded and measured; its cache is the one that decoding all of them leaves.`,
    summary: (label, tokens, bytes) => `${label}: ${tokens} tokens, ${bytes} of state.`,
    data: [
      'id',
      'model',
      'tokens',
      'decoded',
      'tokens_per_second',
      'state_bytes',
      'heap_bytes',
      'ended',
    ],
  },
};

export const words = orEnglish(both);
