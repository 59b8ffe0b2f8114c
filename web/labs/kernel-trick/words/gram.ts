import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface GramWords {
  readonly heading: string;
  readonly kernel: string;
  readonly kernels: Readonly<Record<'dot' | 'square' | 'exp' | 'elu' | 'relu', string>>;
  readonly n: string;
  readonly d: string;
  readonly matrix: string;
  readonly eigen: string;
  readonly bars: string;
  readonly negatives: string;
  readonly smallest: string;
  readonly picture: string;
  readonly negative: (count: number, smallest: string) => string;
  readonly none: (smallest: string) => string;
  readonly minimum: (value: string) => string;
  readonly caption: (kernel: string, n: number, d: number, seed: number) => string;
  readonly columns: readonly [string, string];
}

const both: EnglishFirst<GramWords> = {
  en: {
    heading: 'Is this similarity a kernel?',
    kernel: 'Similarity of x and y, with s = x·y',
    kernels: {
      dot: 's',
      square: 's²',
      exp: 'e^{s}',
      elu: 'ELU(s) + 1',
      relu: 'max(0, s)',
    },
    n: 'points',
    d: 'width',
    matrix: 'Gram matrix',
    eigen: 'Its eigenvalues',
    bars: 'Bars: the largest eigenvalue first, on a logarithmic scale with a sign.',
    negatives: 'negative eigenvalues',
    smallest: 'the smallest',
    picture: 'Eigenvalues as bars from zero',
    negative: (count, smallest) =>
      `*${count} negative.* The smallest is ${smallest}: no feature map has these products.`,
    none: (smallest) =>
      `*None below the rounding of float32* (the smallest is ${smallest}): these points do not object to a feature map.`,
    minimum: (value) => `The smallest entry of the matrix is ${value}.`,
    caption: (kernel, n, d, seed) =>
      `${n} Gaussian points in ${d} dimensions, seed ${seed}, similarity ${kernel}. Eigenvalues in float64 of a float32 matrix; negative: below −n·ε times the largest (ε = 2⁻²³).`,
    columns: ['number', 'eigenvalue'],
  },
  de: {
    heading: 'Ist diese Ähnlichkeit ein Kern?',
    kernel: 'Ähnlichkeit von x und y, mit s = x·y',
    kernels: {
      dot: 's',
      square: 's²',
      exp: 'e^{s}',
      elu: 'ELU(s) + 1',
      relu: 'max(0, s)',
    },
    n: 'Punkte',
    d: 'Breite',
    matrix: 'Gram-Matrix',
    eigen: 'Ihre Eigenwerte',
    bars: 'Balken: der größte Eigenwert zuerst, logarithmisch mit Vorzeichen.',
    negatives: 'negative Eigenwerte',
    smallest: 'der kleinste',
    picture: 'Eigenwerte als Balken von der Null aus',
    negative: (count, smallest) =>
      `*${count} negativ.* Der kleinste ist ${smallest}: Keine Feature Map hat diese Produkte.`,
    none: (smallest) =>
      `*Keiner unter der Rundung von float32* (der kleinste ist ${smallest}): Diese Punkte sprechen nicht gegen eine Feature Map.`,
    minimum: (value) => `Der kleinste Eintrag der Matrix ist ${value}.`,
    caption: (kernel, n, d, seed) =>
      `${n} gaußverteilte Punkte in ${d} Dimensionen, Seed ${seed}, Ähnlichkeit ${kernel}. Eigenwerte in float64 einer Matrix in float32; negativ: unter −n·ε mal dem größten (ε = 2⁻²³).`,
    columns: ['Nummer', 'Eigenwert'],
  },
};

export const words = orEnglish(both);
