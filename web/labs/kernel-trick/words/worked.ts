import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface WorkedWords {
  readonly heading: string;
  readonly map: string;
  readonly maps: Readonly<
    Record<'identity' | 'taylor' | 'taylor_compact' | 'elu_plus_one' | 'exp', string>
  >;
  readonly q: (i: number) => string;
  readonly k: (i: number) => string;
  readonly table: string;
  readonly columns: readonly [string, string, string, string, string];
  readonly feature: (i: number) => string;
  readonly dot: string;
  readonly sum: string;
  readonly target: string;
  readonly exact: string;
  /** The result in one sentence. */
  readonly line: (dot: string, target: string, score: string) => string;
  readonly score: string;
  readonly taylor: string;
  readonly caption: (v: {
    readonly map: string;
    readonly features: number;
    readonly q: string;
    readonly k: string;
  }) => string;
  readonly summary: (dot: string, target: string) => string;
}

const both: EnglishFirst<WorkedWords> = {
  en: {
    heading: 'φ(q)·φ(k), feature by feature',
    map: 'Feature map φ',
    maps: {
      identity: 'Identity: x',
      taylor: 'Taylor of order 2, all products',
      taylor_compact: 'Taylor of order 2, each product once',
      elu_plus_one: 'ELU + 1',
      exp: 'e^{x}, entry by entry',
    },
    q: (i) => `Entry ${i} of q`,
    k: (i) => `Entry ${i} of k`,
    table: 'Features',
    columns: ['Feature', 'φ(q)', 'φ(k)', 'product', 'sum so far'],
    feature: (i) => `feature ${i}`,
    dot: 'φ(q)·φ(k)',
    sum: 'Sum: φ(q)·φ(k)',
    target: 'e^{s}: what softmax uses',
    exact: 'e^{s}',
    line: (dot, target, score) =>
      `The products add up to φ(q)·φ(k) = ${dot}; with s = ${score}, softmax takes e^{s} = ${target}.`,
    score: 's = q·k/√d_k',
    taylor: '1 + s + s²/2 is what the Taylor features are made to give.',
    caption: ({ map, features, q, k }) =>
      `q = (${q}), k = (${k}), d_k = 2, φ = ${map}, D = ${features}.`,
    summary: (dot, target) => `φ(q)·φ(k) is ${dot}, e to the s is ${target}.`,
  },
  de: {
    heading: 'φ(q)·φ(k), Feature für Feature',
    map: 'Feature Map φ',
    maps: {
      identity: 'Identität: x',
      taylor: 'Taylor der Ordnung 2, alle Produkte',
      taylor_compact: 'Taylor der Ordnung 2, jedes Produkt einmal',
      elu_plus_one: 'ELU + 1',
      exp: 'e^{x}, Eintrag für Eintrag',
    },
    q: (i) => `Eintrag ${i} von q`,
    k: (i) => `Eintrag ${i} von k`,
    table: 'Features',
    columns: ['Feature', 'φ(q)', 'φ(k)', 'Produkt', 'Summe bisher'],
    feature: (i) => `Feature ${i}`,
    dot: 'φ(q)·φ(k)',
    sum: 'Summe: φ(q)·φ(k)',
    target: 'e^{s}: was Softmax nimmt',
    exact: 'e^{s}',
    line: (dot, target, score) =>
      `Die Produkte ergeben zusammen φ(q)·φ(k) = ${dot}; mit s = ${score} nimmt Softmax e^{s} = ${target}.`,
    score: 's = q·k/√d_k',
    taylor: '1 + s + s²/2 ist das, wofür die Taylor-Features gemacht sind.',
    caption: ({ map, features, q, k }) =>
      `q = (${q}), k = (${k}), d_k = 2, φ = ${map}, D = ${features}.`,
    summary: (dot, target) => `φ(q)·φ(k) ist ${dot}, e hoch s ist ${target}.`,
  },
};

export const words = orEnglish(both);
