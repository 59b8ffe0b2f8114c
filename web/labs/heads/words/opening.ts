/** The words of the opening figure. They belong to the first load. */
import { orEnglish } from '../../../src/strings/language.ts';

export type Role =
  | 'previousToken'
  | 'currentToken'
  | 'firstToken'
  | 'duplicateToken'
  | 'induction'
  | 'none';

interface OpeningWords {
  readonly heading: string;
  readonly text: string;
  readonly beginning: (most: number, all: number) => string;
  readonly model: string;
  readonly models: Readonly<Record<'reader' | 'untrained', string>>;
  readonly head: string;
  /** A head by its layer and its place in it, both from 1. */
  readonly headOf: (layer: number, head: number) => string;
  readonly layer: (layer: number) => string;
  readonly is: Readonly<Record<'meanwhile' | 'reader' | 'untrained', (heads: number) => string>>;
  /** The name below a little picture. */
  readonly short: Readonly<Record<Role, string>>;
  readonly roles: Readonly<Record<Role, string>>;
  /** Where the weight goes, after "of its weight". */
  readonly onto: Readonly<Record<Exclude<Role, 'none'>, string>>;
  readonly meanwhile: string;
  readonly verdict: (v: {
    readonly head: string;
    readonly share: string;
    readonly onto: string;
    readonly even: string;
    readonly role: Role;
    readonly untrained: boolean;
  }) => string;
  readonly scores: Readonly<Record<'score' | 'even' | 'elsewhere', string>>;
  readonly noRows: string;
  readonly table: string;
  readonly tableColumns: readonly string[];
  readonly caption: (v: {
    readonly model: string;
    readonly tokens: number;
    readonly head: string;
    readonly seed: number | undefined;
  }) => string;
  readonly columns: readonly string[];
  readonly arcs: (head: string) => string;
  readonly matrix: string;
  readonly titles: Readonly<Record<'grid' | 'head', string>>;
}

export const words: OpeningWords = orEnglish<OpeningWords>({
  en: {
    heading: 'Every head on one sentence',
    text: 'your sentence',
    beginning: (most, all) => `The first ${most} of ${all} tokens are read.`,
    model: 'model',
    models: { reader: 'trained', untrained: 'untrained' },
    head: 'head',
    headOf: (layer, head) => `layer ${layer}, head ${head}`,
    layer: (layer) => `layer ${layer}`,
    is: {
      meanwhile: (heads) =>
        `${heads} heads of random weights on words, until the trained model is here`,
      reader: (heads) => `The trained reader: ${heads} heads on the pieces it reads`,
      untrained: (heads) => `The same model before any training: ${heads} heads`,
    },
    short: {
      previousToken: 'previous',
      currentToken: 'itself',
      firstToken: 'first',
      duplicateToken: 'same',
      induction: 'induction',
      none: 'no name',
    },
    roles: {
      previousToken: 'previous-token head',
      currentToken: 'current-token head',
      firstToken: 'first-token head',
      duplicateToken: 'duplicate-token head',
      induction: 'induction head',
      none: 'no name',
    },
    onto: {
      previousToken: 'on the token before',
      currentToken: 'on the token itself',
      firstToken: 'on the first token',
      duplicateToken: 'on earlier copies of the token',
      induction: 'on what followed the last copy',
    },
    meanwhile:
      'These heads have learned nothing: their rows are as different as random numbers make them.',
    verdict: ({ head, share, onto, even, role, untrained }) => {
      const seen = `${head}: ${share} of its weight is ${onto}, where even attention has ${even}.`;
      if (untrained) return `${seen} Nothing has been trained, so no head has a name.`;
      return role === 'none'
        ? `${seen} On text that chose no names it beat no baseline by enough: *no name*.`
        : `${seen} On text that chose no names it earned *${words.roles[role]}*.`;
    },
    scores: { score: 'this head', even: 'even attention', elsewhere: 'comparable cells' },
    noRows: 'no such tokens here',
    table: 'All heads: the largest score over even attention',
    tableColumns: ['head', 'name', 'looks most', 'share', 'even', 'comparable cells'],
    caption: ({ model, tokens, head, seed }) =>
      `${model}; ${tokens} tokens; enlarged: ${head}.${seed === undefined ? '' : ` Seed ${seed}.`} Names: gain of .1 over uniform attention, comparable cells and shuffled tokens, on one half of held-out pieces that chose and another that decided.`,
    columns: ['layer', 'head', 'query', 'key', 'weight'],
    arcs: (head) => `Attention of ${head} as lines`,
    matrix: 'The same weights as cells',
    titles: { grid: 'All heads', head: 'One head' },
  },
});
