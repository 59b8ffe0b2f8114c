import type { PlayerWords } from '../../../src/lab/figure/step-player.ts';
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface StateWords extends PlayerWords {
  readonly heading: string;
  readonly map: string;
  readonly maps: Readonly<Record<'elu_plus_one' | 'relu' | 'taylor_compact' | 'identity', string>>;
  readonly n: string;
  readonly d: string;
  readonly dV: string;
  readonly now: (t: number) => string;
  readonly all: string;
  readonly size: (state: number, tokens: number, cache: number) => string;
  readonly picture: (t: number) => string;
  readonly outputs: string;
  /** The title of the answers alone. */
  readonly compared: string;
  readonly names: {
    readonly recurrent: string;
    readonly parallel: string;
  };
  readonly held: string;
  readonly empty: string;
  readonly sums: (sum: string) => string;
  readonly difference: (value: string) => string;
  readonly caption: (v: {
    readonly n: number;
    readonly d: number;
    readonly dV: number;
    readonly map: string;
    readonly features: number;
    readonly seed: number;
  }) => string;
  readonly summary: (t: number, numbers: number, difference: string) => string;
  readonly columns: readonly [string, string, string];
}

const both: EnglishFirst<StateWords> = {
  en: {
    heading: 'The state, token by token',
    map: 'Feature map φ',
    maps: {
      elu_plus_one: 'ELU + 1',
      relu: 'ReLU',
      taylor_compact: 'Taylor of order 2',
      identity: 'Identity',
    },
    n: 'tokens',
    d: 'width of q and k',
    dV: 'width of v',
    transport: 'Play and step through the tokens',
    start: 'Before the first token',
    back: 'One token back',
    play: 'Play',
    pause: 'Pause',
    forward: 'One token on',
    end: 'After the last token',
    scrub: 'Token',
    at: (t, n) => `token ${t} of ${n}`,
    now: (t) => (t === 0 ? 'Before the first token' : `Token ${t}: take in, then answer`),
    all: 'All answers so far',
    size: (state, tokens, cache) =>
      `The state holds *${state}* numbers, whatever the token; a cache of all keys and values would hold ${cache} after ${tokens}.`,
    picture: (t) => `State S and z after token ${t}, with the key, value and query that met it`,
    outputs: 'Outputs: token by token, and through the n × n matrix',
    compared: 'Two ways to the same answers',
    names: { recurrent: 'from S and z', parallel: 'all at once' },
    held: 'numbers in the state',
    empty: 'S and z are zero. Step on to take in the first key and value.',
    sums: (sum) =>
      `Every token adds φ(k)vᵀ to S and φ(k) to z. The answer is the row φ(q)ᵀS divided by φ(q)·z = ${sum}.`,
    difference: (value) => `Largest difference between the two over all tokens: ${value}.`,
    caption: ({ n, d, dV, map, features, seed }) =>
      `Gaussian Q, K, V with n = ${n}, d_k = ${d}, d_v = ${dV}, φ = ${map}, D = ${features}, causal, ε = 10⁻⁶, seed ${seed}.`,
    summary: (t, numbers, difference) =>
      `Token ${t}. The state has ${numbers} numbers. Largest difference from the parallel form ${difference}.`,
    columns: ['token', 'φ(q)·z', 'denominator'],
  },
  de: {
    heading: 'Der Zustand, Token für Token',
    map: 'Feature Map φ',
    maps: {
      elu_plus_one: 'ELU + 1',
      relu: 'ReLU',
      taylor_compact: 'Taylor der Ordnung 2',
      identity: 'Identität',
    },
    n: 'Token',
    d: 'Breite von q und k',
    dV: 'Breite von v',
    transport: 'Abspielen und Token für Token gehen',
    start: 'Vor das erste Token',
    back: 'Ein Token zurück',
    play: 'Abspielen',
    pause: 'Anhalten',
    forward: 'Ein Token weiter',
    end: 'Hinter das letzte Token',
    scrub: 'Token',
    at: (t, n) => `Token ${t} von ${n}`,
    now: (t) => (t === 0 ? 'Vor dem ersten Token' : `Token ${t}: aufnehmen, dann antworten`),
    all: 'Alle Antworten bisher',
    size: (state, tokens, cache) =>
      `Der Zustand hat *${state}* Zahlen, egal bei welchem Token; ein Cache aller Keys und Values hätte nach ${tokens} schon ${cache}.`,
    picture: (t) =>
      `Zustand S und z nach Token ${t}, mit dem Key, dem Value und der Query, die dazukamen`,
    outputs: 'Ausgaben: Token für Token und über die n × n-Matrix',
    compared: 'Zwei Wege zu denselben Antworten',
    names: { recurrent: 'aus S und z', parallel: 'alle auf einmal' },
    held: 'Zahlen im Zustand',
    empty: 'S und z sind null. Geh einen Schritt weiter, um den ersten Key und Value aufzunehmen.',
    sums: (sum) =>
      `Jedes Token addiert φ(k)vᵀ zu S und φ(k) zu z. Die Antwort ist die Zeile φ(q)ᵀS, geteilt durch φ(q)·z = ${sum}.`,
    difference: (value) => `Größter Unterschied zwischen beiden über alle Token: ${value}.`,
    caption: ({ n, d, dV, map, features, seed }) =>
      `Gaußverteilte Q, K, V mit n = ${n}, d_k = ${d}, d_v = ${dV}, φ = ${map}, D = ${features}, kausal, ε = 10⁻⁶, Seed ${seed}.`,
    summary: (t, numbers, difference) =>
      `Token ${t}. Der Zustand hat ${numbers} Zahlen. Größter Unterschied zur parallelen Form ${difference}.`,
    columns: ['Token', 'φ(q)·z', 'Nenner'],
  },
};

export const words = orEnglish(both);
