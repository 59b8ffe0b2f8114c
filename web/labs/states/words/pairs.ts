import type { PlayerWords } from '../../../src/lab/step-player.ts';
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';
import type { Memory } from '../figures/pairs/memories.ts';

interface PairsWords extends PlayerWords {
  readonly heading: string;
  readonly memories: Readonly<Record<Memory, string>>;
  readonly pairs: string;
  readonly repeats: string;
  readonly decay: string;
  readonly width: string;
  readonly noise: string;
  readonly ask: string;
  readonly askFor: (name: string) => string;
  readonly notYet: (name: string) => string;
  /** Goes on after `notYet`, where there is room. */
  readonly written: string;
  readonly now: (name: string, t: number) => string;
  readonly before: string;
  readonly holds: (numbers: number) => string;
  readonly wanted: string;
  readonly right: string;
  readonly wrong: (name: string) => string;
  /** Goes on after `right` or `wrong`, where there is room. */
  readonly ahead: (margin: string) => string;
  readonly silent: string;
  readonly of: (right: number, all: number) => string;
  /** Goes on after `of`, where there is room. */
  readonly keysRight: string;
  readonly spelled: (v: {
    readonly memory: string;
    readonly numbers: number;
    readonly verdict: string;
    readonly score: string;
  }) => string;
  readonly legend: string;
  readonly caption: (v: {
    readonly pairs: number;
    readonly width: number;
    readonly repeats: number;
    readonly noise: string;
    readonly decay: string;
    readonly seed: number;
  }) => string;
  readonly summary: (t: number, best: string) => string;
  readonly columns: readonly string[];
}

const both: EnglishFirst<PairsWords> = {
  en: {
    heading: 'Pairs written into a state',
    memories: {
      softmax: 'Softmax: a cache',
      linear_sum: 'Linear: a sum',
      retention: 'Retention',
      gla: 'GLA',
      mamba2: 'Mamba-2',
      delta_rule: 'DeltaNet',
      gated_delta_rule: 'Gated DeltaNet',
      rwkv4: 'RWKV-4',
    },
    pairs: 'pairs',
    repeats: 'keys written twice',
    decay: 'kept per token, γ',
    width: 'width of k and v',
    noise: 'noise in the question',
    ask: 'Ask for the key of',
    askFor: (name) => `Ask for the key of pair ${name}`,
    notYet: (name) => `${name}: not yet`,
    written: ' written',
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
    before: 'Before the first pair every state is zero.',
    holds: (numbers) => `${numbers} numbers`,
    wanted: 'wanted',
    right: 'right',
    wrong: (name) => `says ${name}`,
    ahead: (margin) => `, ahead by ${margin}`,
    silent: 'returns nothing',
    of: (right, all) => `${right} of ${all}`,
    keysRight: ' keys right',
    spelled: ({ memory, numbers, verdict, score }) =>
      `${memory}, ${numbers} numbers: ${verdict}; ${score}`,
    legend:
      'Upper strip: the value that was stored last under this key; lower strip: what comes back, crossed where a sign is wrong. Dots: every key so far, filled where its value comes back. Ahead by: how much closer the answer is to its nearest value than to the next, as a difference of cosines.',
    caption: ({ pairs, width, repeats, noise, decay, seed }) =>
      `${pairs} pairs, d_k = d_v = ${width}, keys of length 1, values random signs, ${repeats} keys written twice, noise ${noise}, γ = ${decay} where a state fades, β = 1, seed ${seed}. Nothing is trained.`,
    summary: (t, best) => `After ${t} pairs: ${best}.`,
    columns: ['memory', 'pairs written', 'key of pair', 'wanted', 'found', 'cosine', 'margin'],
  },
};

export const words = orEnglish(both);
