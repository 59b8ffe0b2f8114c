import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface CountWords {
  readonly heading: string;
  readonly n: string;
  readonly dK: string;
  readonly dV: string;
  readonly features: string;
  readonly quoted: (words: string) => string;
  readonly table: string;
  readonly columns: readonly [string, string, string, string];
  readonly rows: {
    readonly handout: string;
    readonly first: string;
    readonly plain: string;
    readonly normalized: string;
    readonly causal: string;
    readonly causalNormalized: string;
  };
  readonly ratio: string;
  readonly meet: string;
  /** The result in one sentence. */
  readonly line: (ratio: string, n: string) => string;
  readonly caption: (n: number, dK: number, dV: number, D: number) => string;
  readonly summary: (ratio: string) => string;
}

const both: EnglishFirst<CountWords> = {
  en: {
    heading: 'What is a speedup of 64 made of?',
    n: 'tokens',
    dK: 'width of q and k',
    dV: 'width of v',
    features: 'features (0: as wide as q and k)',
    quoted: (words) => `“${words}”`,
    table: 'Multiply-adds of both orders',
    columns: ['Counted', '(QKᵀ)V', 'Q(KᵀV)', 'ratio'],
    rows: {
      handout: 'The handout, quoted',
      first: 'The first product alone',
      plain: 'Both products',
      normalized: '… with the normaliser',
      causal: 'Both, causal: only keys up to the query',
      causalNormalized: '… with the normaliser',
    },
    ratio: 'multiply-adds of (QKᵀ)V over those of Q(KᵀV)',
    meet: 'they cost the same at n',
    line: (ratio, n) =>
      `Both products take *${ratio}* times as many multiply-adds in the standard order; at n = ${n} the orders cost the same, and below that the linear one costs more.`,
    caption: (n, dK, dV, D) =>
      `Multiply-adds for n = ${n}, d_k = ${dK}, d_v = ${dV}, D = ${D}, one head; exponentials, φ and divisions not counted.`,
    summary: (ratio) => `Both products: ratio ${ratio}.`,
  },
  de: {
    heading: 'Woraus besteht ein Faktor 64?',
    n: 'Token',
    dK: 'Breite von q und k',
    dV: 'Breite von v',
    features: 'Features (0: so breit wie q und k)',
    quoted: (words) => `„${words}“`,
    table: 'Multiply-Adds beider Reihenfolgen',
    columns: ['Gezählt', '(QKᵀ)V', 'Q(KᵀV)', 'Faktor'],
    rows: {
      handout: 'Der Kurstext, zitiert',
      first: 'Nur das erste Produkt',
      plain: 'Beide Produkte',
      normalized: '… mit Nenner',
      causal: 'Beide, kausal: nur Keys bis zur Query',
      causalNormalized: '… mit Nenner',
    },
    ratio: 'Multiply-Adds von (QKᵀ)V durch die von Q(KᵀV)',
    meet: 'gleich teuer bei n',
    line: (ratio, n) =>
      `Beide Produkte brauchen in der Standardreihenfolge *${ratio}*-mal so viele Multiply-Adds; bei n = ${n} kosten beide gleich viel, darunter die lineare mehr.`,
    caption: (n, dK, dV, D) =>
      `Multiply-Adds für n = ${n}, d_k = ${dK}, d_v = ${dV}, D = ${D}, ein Head; Exponentialfunktionen, φ und Divisionen sind nicht gezählt.`,
    summary: (ratio) => `Beide Produkte: Faktor ${ratio}.`,
  },
};

export const words = orEnglish(both);
