import type { PlayerWords } from '../../../src/lab/figure/step-player.ts';
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface PairsWords extends PlayerWords {
  readonly heading: string;
  readonly titles: Readonly<Record<'write' | 'scores', string>>;
  readonly pairs: string;
  readonly repeats: string;
  readonly decay: string;
  readonly width: string;
  readonly noise: string;
  readonly ask: string;
  readonly askFor: (name: string) => string;
  readonly wanted: (name: string) => string;
  readonly now: (name: string, t: number) => string;
  readonly said: Readonly<Record<'later' | 'right' | 'nothing' | 'both' | 'two' | 'old', string>>;
  readonly other: (name: string) => string;
  readonly of: (right: number, all: number) => string;
  readonly spelled: (v: {
    readonly memory: string;
    readonly numbers: number;
    readonly verdict: string;
    readonly score: string;
  }) => string;
  readonly shares: (v: { readonly all: number; readonly scores: string }) => string;
  readonly none: string;
  readonly changed: (scores: string, all: number) => string;
  readonly share: (right: number, all: number) => string;
  readonly shared: (scores: string) => string;
  readonly unchanged: string;
  readonly columns: Readonly<Record<'before' | 'kept' | 'written' | 'after', string>>;
  readonly writes: (t: number, name: string, again: boolean) => string;
  readonly askedNow: (name: string, said: string) => string;
  readonly asked: string;
  readonly table: string;
  readonly tableColumns: readonly string[];
  readonly legend: string;
  readonly caption: (v: {
    readonly pairs: number;
    readonly width: number;
    readonly repeats: number;
    readonly noise: string;
    readonly decay: string;
    readonly seed: number;
  }) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<PairsWords> = {
  en: {
    heading: 'Pairs written into a state',
    titles: {
      write: 'One pair is written',
      scores: 'How many keys bring back their newest value',
    },
    pairs: 'pairs',
    repeats: 'keys written twice',
    decay: 'kept per token, γ',
    width: 'width of k and v',
    noise: 'noise in the question',
    ask: 'Ask for',
    askFor: (name) => `Ask for key ${name}`,
    wanted: (name) => `stored last under ${name}:`,
    transport: 'Play and step through the pairs',
    start: 'Before the first pair',
    back: 'One pair back',
    play: 'Play',
    pause: 'Pause',
    forward: 'One pair on',
    end: 'After the last pair',
    scrub: 'Pair',
    at: (t, n) => `pair ${t} of ${n}`,
    now: (name, t) => `After ${t} ${t === 1 ? 'pair' : 'pairs'}, asked for ${name}`,
    said: {
      later: 'not written yet',
      right: 'right',
      nothing: 'nothing',
      both: 'both values',
      two: 'two others, equally',
      old: 'its old value',
    },
    other: (name) => `${name}’s value`,
    of: (right, all) => `${right} of ${all} keys`,
    spelled: ({ memory, numbers, verdict, score }) =>
      `${memory}, ${numbers} numbers: ${verdict}; ${score}`,
    shares: ({ all, scores }) => `Of ${all} ${all === 1 ? 'key' : 'keys'}: ${scores}.`,
    none: 'Before the first pair every state is zero.',
    changed: (scores, all) => `Of ${all} ${all === 1 ? 'key' : 'keys'} now: ${scores}.`,
    share: (right, all) => `${right} of ${all}`,
    shared: (scores) => `Keys brought back: ${scores}.`,
    unchanged: 'Each memory brings back as many keys as before.',
    columns: { before: '$S$ before', kept: 'what is left', written: 'written', after: '$S$ after' },
    writes: (t, name, again) =>
      again ? `Pair ${t} writes a new value under ${name}.` : `Pair ${t} writes key ${name}.`,
    askedNow: (name, said) => `Asked for ${name} now: ${said}.`,
    asked: 'The keys in the order in which they are written:',
    table: 'All eight memories',
    tableColumns: ['Memory', 'numbers', 'answers', 'ahead by', 'brought back'],
    legend:
      'A value is an icon of its signs; what comes back is crossed where a sign is wrong. Dots: every key so far, filled where its newest value comes back. “Ahead by”: how much closer the answer is to its nearest value than to the next, as a difference of cosines; where two are equally near, neither counts.',
    caption: ({ pairs, width, repeats, noise, decay, seed }) =>
      `${pairs} pairs, d_k = d_v = ${width}, keys of length 1, values random signs, ${repeats} keys written twice, noise ${noise}, γ = ${decay} where a state fades, β = 1, seed ${seed}. Nothing is trained.`,
    data: ['memory', 'pairs written', 'key of pair', 'wanted', 'found', 'cosine', 'margin'],
  },
};

export const words = orEnglish(both);
