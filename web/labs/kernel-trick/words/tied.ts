import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface TiedWords {
  readonly heading: string;
  readonly n: string;
  readonly d: string;
  readonly key: string;
  readonly factor: string;
  readonly names: {
    readonly scores: string;
    readonly softmax: string;
    readonly features: string;
  };
  /** The names without formulas. */
  readonly short: {
    readonly scores: string;
    readonly softmax: string;
    readonly features: string;
  };
  readonly outlined: string;
  readonly changed: (count: number, all: number) => string;
  readonly picture: (name: string) => string;
  readonly cell: (row: number, col: number, value: string, changed: boolean) => string;
  readonly caption: (v: {
    readonly n: number;
    readonly d: number;
    readonly key: number;
    readonly factor: string;
    readonly seed: number;
  }) => string;
  readonly summary: (scores: number, features: number, softmax: number, all: number) => string;
  readonly columns: readonly [string, string, string];
}

const both: EnglishFirst<TiedWords> = {
  en: {
    heading: 'Move one key and see which entries notice',
    n: 'tokens',
    d: 'width of q and k',
    key: 'Key that is moved',
    factor: 'Multiplied by',
    names: { scores: 'QKᵀ', features: 'φ(Q)φ(K)ᵀ', softmax: 'softmax(QKᵀ/√d_k)' },
    short: { scores: 'QKᵀ', features: 'φ(Q)φ(K)ᵀ', softmax: 'softmax' },
    outlined:
      'Outlined: an entry that is no longer the same bits. φ is ELU + 1, without a division.',
    changed: (count, all) => `${count} of ${all} changed`,
    picture: (name) => `${name} after the move. Arrow keys walk from cell to cell.`,
    cell: (row, col, value, changed) =>
      `query ${row}, key ${col}: ${value}, ${changed ? 'changed' : 'unchanged'}`,
    caption: ({ n, d, key, factor, seed }) =>
      `Gaussian Q, K with n = ${n}, d_k = ${d}, seed ${seed}; key ${key} multiplied by ${factor}. Numbers after the move; outlined: entries that are no longer the same bits.`,
    summary: (scores, features, softmax, all) =>
      `The key changes ${scores} of ${all} scores, ${features} products of features, and ${softmax} weights of softmax, because every row is divided by a sum over all keys.`,
    columns: ['matrix', 'entries changed', 'entries'],
  },
  de: {
    heading: 'Beweg einen Key und schau, welche Einträge es merken',
    n: 'Token',
    d: 'Breite von q und k',
    key: 'Key, der bewegt wird',
    factor: 'Multipliziert mit',
    names: { scores: 'QKᵀ', features: 'φ(Q)φ(K)ᵀ', softmax: 'softmax(QKᵀ/√d_k)' },
    short: { scores: 'QKᵀ', features: 'φ(Q)φ(K)ᵀ', softmax: 'Softmax' },
    outlined:
      'Umrandet: ein Eintrag, der nicht mehr dieselben Bits hat. φ ist ELU + 1, ohne Division.',
    changed: (count, all) => `${count} von ${all} geändert`,
    picture: (name) => `${name} nach der Bewegung. Die Pfeiltasten gehen von Zelle zu Zelle.`,
    cell: (row, col, value, changed) =>
      `Query ${row}, Key ${col}: ${value}, ${changed ? 'geändert' : 'unverändert'}`,
    caption: ({ n, d, key, factor, seed }) =>
      `Gaußverteilte Q, K mit n = ${n}, d_k = ${d}, Seed ${seed}; Key ${key} mit ${factor} multipliziert. Zahlen nach der Bewegung; umrandet: Einträge, die nicht mehr dieselben Bits haben.`,
    summary: (scores, features, softmax, all) =>
      `Der Key ändert ${scores} von ${all} Scores, ${features} Produkte von Features und ${softmax} Gewichte von Softmax, weil jede Zeile durch eine Summe über alle Keys geteilt wird.`,
    columns: ['Matrix', 'geänderte Einträge', 'Einträge'],
  },
};

export const words = orEnglish(both);
