import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface SpectrumWords {
  readonly heading: string;
  readonly n: string;
  readonly d: string;
  readonly table: string;
  readonly columns: readonly [string, string, string, string];
  readonly names: {
    readonly scores: string;
    readonly softmax: string;
    readonly taylor: string;
  };
  readonly ranks: {
    readonly scores: string;
    readonly softmax: string;
    readonly taylor: string;
  };
  readonly limits: {
    readonly scores: (d: number) => string;
    readonly softmax: (n: number) => string;
    readonly taylor: (features: number, n: number) => string;
  };
  readonly tail: string;
  readonly x: string;
  readonly y: string;
  readonly caption: (n: number, d: number, seed: number) => string;
  readonly summary: (scores: number, softmax: number, taylor: number, features: number) => string;
}

const both: EnglishFirst<SpectrumWords> = {
  en: {
    heading: 'How many independent directions each matrix has',
    n: 'tokens',
    d: 'width of q and k',
    table: 'Ranks',
    columns: ['Matrix, n × n', 'Rank', 'It can be at most', 'Second largest σ over the largest'],
    names: {
      scores: 'QKᵀ',
      softmax: 'softmax(QKᵀ/√d_k)',
      taylor: 'φ(Q)φ(K)ᵀ, φ = Taylor of order 2',
    },
    limits: {
      scores: (d) => `d_k = ${d}: Q has no more columns`,
      softmax: (n) => `n = ${n}`,
      taylor: (features, n) => `D = ${features} features, or n = ${n}`,
    },
    ranks: { scores: 'Rank of QKᵀ', softmax: 'of softmax', taylor: 'with Taylor features' },
    tail: 'noise of float32: n·ε',
    x: 'number of the singular value',
    y: 'singular value over the largest',
    caption: (n, d, seed) =>
      `Gaussian Q, K with n = ${n}, d_k = ${d}, seed ${seed}. Singular values in float64 of matrices in float32; rank: those above n·ε times the largest (ε = 2⁻²³).`,
    summary: (scores, softmax, taylor, features) =>
      `Rank of QKᵀ ${scores}, of softmax ${softmax}, with ${features} Taylor features ${taylor}.`,
  },
  de: {
    heading: 'Wie viele unabhängige Richtungen jede Matrix hat',
    n: 'Token',
    d: 'Breite von q und k',
    table: 'Ränge',
    columns: ['Matrix, n × n', 'Rang', 'Höchstens möglich', 'Zweitgrößtes σ durch das größte'],
    names: {
      scores: 'QKᵀ',
      softmax: 'softmax(QKᵀ/√d_k)',
      taylor: 'φ(Q)φ(K)ᵀ, φ = Taylor der Ordnung 2',
    },
    limits: {
      scores: (d) => `d_k = ${d}: Mehr Spalten hat Q nicht`,
      softmax: (n) => `n = ${n}`,
      taylor: (features, n) => `D = ${features} Features oder n = ${n}`,
    },
    ranks: { scores: 'Rang von QKᵀ', softmax: 'von Softmax', taylor: 'mit Taylor-Features' },
    tail: 'Rauschen von float32: n·ε',
    x: 'Nummer des Singulärwerts',
    y: 'Singulärwert durch den größten',
    caption: (n, d, seed) =>
      `Gaußverteilte Q, K mit n = ${n}, d_k = ${d}, Seed ${seed}. Singulärwerte in float64 von Matrizen in float32; Rang: wie viele über n·ε mal dem größten liegen (ε = 2⁻²³).`,
    summary: (scores, softmax, taylor, features) =>
      `Rang von QKᵀ ${scores}, von Softmax ${softmax}, mit ${features} Taylor-Features ${taylor}.`,
  },
};

export const words = orEnglish(both);
