import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface DenominatorWords {
  readonly heading: string;
  readonly map: string;
  readonly maps: Readonly<
    Record<'identity' | 'relu' | 'elu_plus_one' | 'exp' | 'taylor_compact', string>
  >;
  readonly n: string;
  readonly d: string;
  readonly causal: string;
  readonly sorted: string;
  readonly bars: string;
  readonly weights: string;
  readonly rows: string;
  readonly picture: string;
  readonly notPositive: string;
  readonly nearest: string;
  readonly largest: string;
  /** The result in one sentence. */
  readonly line: (bad: number, rows: number, most: string) => string;
  readonly table: string;
  readonly columns: readonly [string, string];
  readonly facts: {
    readonly smallest: string;
    readonly weight: string;
    readonly negative: string;
    readonly output: string;
    readonly value: string;
  };
  readonly of: (some: number, all: number) => string;
  readonly caption: (v: {
    readonly n: number;
    readonly d: number;
    readonly map: string;
    readonly causal: boolean;
    readonly sorted: boolean;
    readonly seed: number;
  }) => string;
  readonly summary: (negative: number, rows: number, output: string) => string;
  readonly data: readonly [string, string, string];
}

const both: EnglishFirst<DenominatorWords> = {
  en: {
    heading: 'What each row is divided by',
    map: 'Feature map φ',
    maps: {
      identity: 'Identity',
      relu: 'ReLU',
      elu_plus_one: 'ELU + 1',
      exp: 'Exponential',
      taylor_compact: 'Taylor of order 2',
    },
    n: 'tokens',
    d: 'width of q, k and v',
    causal: 'Causal mask',
    sorted: 'Sort the rows',
    bars: 'φ(q)·Σφ(k), signed logarithm',
    weights: 'largest |weight| of the row, logarithmic beyond 1',
    rows: 'one bar for each query',
    picture: 'Denominators of all queries, and below each the largest weight of its row',
    notPositive: 'denominators that are not positive',
    nearest: 'the one nearest to zero',
    largest: 'the largest |weight|',
    line: (bad, rows, most) =>
      `*${bad}* of ${rows} rows have a denominator that is not positive; the largest |weight| of all is ${most}, and an average has none above 1.`,
    table: 'What comes of it',
    columns: ['What', 'How much'],
    facts: {
      smallest: 'The denominator nearest to zero',
      weight: 'The largest |weight| (an average has none above 1)',
      negative: 'Negative weights',
      output: 'The largest |output| …',
      value: '… although the largest |V| is',
    },
    of: (some, all) => `${some} of\u00a0${all}`,
    caption: ({ n, d, map, causal, sorted, seed }) =>
      `Gaussian Q, K, V with n = ${n}, d_k = d_v = ${d}, φ = ${map}, ${causal ? 'causal mask' : 'no mask'}, ε = 10⁻⁶ added, rows ${sorted ? 'sorted by denominator' : 'in their order'}, seed ${seed}.`,
    summary: (negative, rows, output) =>
      `${negative} of ${rows} denominators are not positive. The largest output is ${output}.`,
    data: ['query', 'denominator', 'largest |weight|'],
  },
  de: {
    heading: 'Wodurch jede Zeile geteilt wird',
    map: 'Feature Map φ',
    maps: {
      identity: 'Identität',
      relu: 'ReLU',
      elu_plus_one: 'ELU + 1',
      exp: 'Exponential',
      taylor_compact: 'Taylor der Ordnung 2',
    },
    n: 'Token',
    d: 'Breite von q, k und v',
    causal: 'Kausale Maske',
    sorted: 'Zeilen sortieren',
    bars: 'φ(q)·Σφ(k), Logarithmus mit Vorzeichen',
    weights: 'größtes |Gewicht| der Zeile, über 1 logarithmisch',
    rows: 'ein Balken je Query',
    picture: 'Nenner aller Queries und darunter das größte Gewicht der Zeile',
    notPositive: 'Nenner, die nicht positiv sind',
    nearest: 'der nächste an null',
    largest: 'das größte |Gewicht|',
    line: (bad, rows, most) =>
      `*${bad}* von ${rows} Zeilen haben einen Nenner, der nicht positiv ist; das größte |Gewicht| von allen ist ${most}, und ein Mittelwert hat keins über 1.`,
    table: 'Was daraus wird',
    columns: ['Was', 'Wie viel'],
    facts: {
      smallest: 'Der Nenner, der der Null am nächsten ist',
      weight: 'Das größte |Gewicht| (ein Mittelwert hat keins über 1)',
      negative: 'Negative Gewichte',
      output: 'Die größte |Ausgabe| …',
      value: '… obwohl das größte |V| so klein ist',
    },
    of: (some, all) => `${some} von\u00a0${all}`,
    caption: ({ n, d, map, causal, sorted, seed }) =>
      `Gaußverteilte Q, K, V mit n = ${n}, d_k = d_v = ${d}, φ = ${map}, ${causal ? 'kausale Maske' : 'ohne Maske'}, ε = 10⁻⁶ addiert, Zeilen ${sorted ? 'nach Nenner sortiert' : 'in ihrer Reihenfolge'}, Seed ${seed}.`,
    summary: (negative, rows, output) =>
      `${negative} von ${rows} Nennern sind nicht positiv. Die größte Ausgabe ist ${output}.`,
    data: ['Query', 'Nenner', 'größtes |Gewicht|'],
  },
};

export const words = orEnglish(both);
