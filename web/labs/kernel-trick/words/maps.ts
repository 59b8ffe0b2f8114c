import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface MapWords {
  readonly heading: string;
  readonly maps: Readonly<
    Record<'relu' | 'elu_plus_one' | 'exp' | 'taylor_compact' | 'softmax_kernel', string>
  >;
  readonly n: string;
  readonly d: string;
  readonly table: string;
  readonly columns: readonly [string, string, string, string, string];
  readonly note: string;
  /** What the bars are. */
  readonly axis: string;
  /** The result in one sentence. */
  readonly line: (best: string, least: string, worst: string, most: string) => string;
  readonly caption: (n: number, d: number, seed: number) => string;
  readonly summary: (best: string) => string;
}

const both: EnglishFirst<MapWords> = {
  en: {
    heading: 'Which maps come near softmax?',
    maps: {
      relu: 'ReLU',
      elu_plus_one: 'ELU + 1',
      exp: 'Exponential, entry by entry',
      taylor_compact: 'Taylor of order 2',
      softmax_kernel: 'Random positive features (Performer)',
    },
    n: 'tokens',
    d: 'width of q, k and v',
    table: 'Feature maps against softmax',
    columns: ['Feature map', 'D', 'correlation', 'MSE over that of equal weights', 'output error'],
    note: 'MSE over that of equal weights: 1 is as far from softmax as giving every key the same weight. Output error: 0 is softmax’s output, 1 is as far off as an output of zeros.',
    axis: 'Error of the output. Left end: softmax’s output; upright line: as far off as an output of zeros.',
    line: (best, least, worst, most) =>
      `Nearest to softmax’s output is ${best} with an error of ${least}, farthest ${worst} with ${most}.`,
    caption: (n, d, seed) =>
      `Gaussian Q, K, V with n = ${n}, d_k = d_v = ${d}, seed ${seed}; softmax scaled by 1/√d_k; no mask. Random map: its default number of features, same seed.`,
    summary: (best) => `Nearest to softmax: ${best}.`,
  },
  de: {
    heading: 'Welche Maps kommen Softmax nahe?',
    maps: {
      relu: 'ReLU',
      elu_plus_one: 'ELU + 1',
      exp: 'Exponential, Eintrag für Eintrag',
      taylor_compact: 'Taylor der Ordnung 2',
      softmax_kernel: 'Zufällige positive Features (Performer)',
    },
    n: 'Token',
    d: 'Breite von q, k und v',
    table: 'Feature Maps gegen Softmax',
    columns: [
      'Feature Map',
      'D',
      'Korrelation',
      'MSE relativ zu gleichen Gewichten',
      'Fehler der Ausgabe',
    ],
    note: 'MSE relativ zu gleichen Gewichten: 1 ist so weit von Softmax weg, als bekäme jeder Key dasselbe Gewicht. Fehler der Ausgabe: 0 ist die Ausgabe von Softmax, 1 so weit weg wie eine Ausgabe aus Nullen.',
    axis: 'Fehler der Ausgabe. Linkes Ende: die Ausgabe von Softmax; senkrechte Linie: so weit weg wie eine Ausgabe aus Nullen.',
    line: (best, least, worst, most) =>
      `Am nächsten an der Ausgabe von Softmax ist ${best} mit einem Fehler von ${least}, am weitesten weg ${worst} mit ${most}.`,
    caption: (n, d, seed) =>
      `Gaußverteilte Q, K, V mit n = ${n}, d_k = d_v = ${d}, Seed ${seed}; Softmax mit 1/√d_k skaliert; ohne Maske. Zufällige Map: Standardzahl von Features, derselbe Seed.`,
    summary: (best) => `Am nächsten an Softmax: ${best}.`,
  },
};

export const words = orEnglish(both);
