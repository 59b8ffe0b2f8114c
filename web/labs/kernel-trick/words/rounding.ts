import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface RoundingWords {
  readonly heading: string;
  readonly n: string;
  readonly d: string;
  readonly rtol: string;
  readonly atol: string;
  readonly draws: string;
  readonly test: string;
  readonly failing: string;
  readonly entries: string;
  readonly table: string;
  readonly columns: readonly [string, string, string];
  readonly rows: {
    readonly draws: string;
    readonly entries: string;
    readonly difference: string;
    readonly relative: string;
    readonly standard: string;
    readonly linear: string;
    readonly terms: string;
    readonly condition: string;
  };
  readonly of: (some: number, all: number) => string;
  readonly where: (seed: number, row: number, col: number) => string;
  readonly scatter: string;
  readonly condition: string;
  readonly relative: string;
  readonly passed: string;
  readonly failed: string;
  readonly roundoff: string;
  readonly caption: (v: {
    readonly n: number;
    readonly d: number;
    readonly seeds: string;
    readonly rtol: string;
    readonly atol: string;
    /** One of so many entries that pass is drawn, and one of so many that fail. */
    readonly every: number;
    readonly everyBad: number;
  }) => string;
  readonly summary: (failed: number, draws: number, share: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<RoundingWords> = {
  en: {
    heading: 'One formula in two orders: which entries pass the test?',
    n: 'tokens',
    d: 'width of q, k and v',
    rtol: 'Relative tolerance rtol',
    atol: 'Absolute tolerance atol',
    draws: 'Seeds tried',
    test: 'An entry passes when |a − b| ≤ atol + rtol·|b|. *a* is from (QKᵀ)V, *b* from Q(KᵀV).',
    failing: 'Seeds that fail in float32',
    entries: 'entries that fail',
    table: 'float32 and float64',
    columns: ['Measure', 'float32', 'float64'],
    rows: {
      draws: 'Seeds that fail',
      entries: 'Entries that fail',
      difference: 'Largest |a\u00a0−\u00a0b|',
      relative: 'Largest |a\u00a0−\u00a0b|\u00a0/\u00a0|b|',
      standard: 'The worst entry: a',
      linear: 'The worst entry: b',
      terms: 'Its terms, summed without sign',
      condition: 'That sum over |b|: how much cancelled',
    },
    of: (some, all) => `${some} of ${all}`,
    where: (seed, row, col) => `seed ${seed}, row ${row}, column ${col}`,
    scatter: 'Entries of the first seed, float32',
    condition: 'Σ|terms| / |entry|: how much cancels',
    relative: '|a − b| / |b|',
    passed: 'passes',
    failed: 'fails',
    roundoff: 'one rounding of Σ|terms|',
    caption: ({ n, d, seeds, rtol, atol, every, everyBad }) =>
      `Gaussian Q, K, V with n = ${n}, d_k = d_v = ${d}, seeds ${seeds}, rtol = ${rtol}, atol = ${atol}.${every > 1 ? ` Drawn: one of ${every} entries that pass.` : ''}${everyBad > 1 ? ` Drawn: one of ${everyBad} entries that fail.` : ''} Entries without any difference are not drawn.`,
    summary: (failed, draws, share) =>
      `${failed} of ${draws} seeds fail in float32; ${share} of the entries.`,
    data: ['size', 'difference', 'relative difference', 'condition'],
  },
  de: {
    heading: 'Eine Formel, zwei Reihenfolgen: Welche Einträge bestehen den Test?',
    n: 'Token',
    d: 'Breite von q, k und v',
    rtol: 'Relative Toleranz rtol',
    atol: 'Absolute Toleranz atol',
    draws: 'Probierte Seeds',
    test: 'Ein Eintrag besteht, wenn |a − b| ≤ atol + rtol·|b|. *a* kommt aus (QKᵀ)V, *b* aus Q(KᵀV).',
    failing: 'Seeds, die in float32 durchfallen',
    entries: 'Einträge, die durchfallen',
    table: 'float32 und float64',
    columns: ['Maß', 'float32', 'float64'],
    rows: {
      draws: 'Seeds, die durchfallen',
      entries: 'Einträge, die durchfallen',
      difference: 'Größtes |a\u00a0−\u00a0b|',
      relative: 'Größtes |a\u00a0−\u00a0b|\u00a0/\u00a0|b|',
      standard: 'Der schlechteste Eintrag: a',
      linear: 'Der schlechteste Eintrag: b',
      terms: 'Seine Summanden, ohne Vorzeichen addiert',
      condition: 'Diese Summe durch |b|: wie viel sich weghebt',
    },
    of: (some, all) => `${some} von ${all}`,
    where: (seed, row, col) => `Seed ${seed}, Zeile ${row}, Spalte ${col}`,
    scatter: 'Einträge des ersten Seeds, float32',
    condition: 'Σ|Summanden| / |Eintrag|: wie viel sich weghebt',
    relative: '|a − b| / |b|',
    passed: 'besteht',
    failed: 'fällt durch',
    roundoff: 'eine Rundung von Σ|Summanden|',
    caption: ({ n, d, seeds, rtol, atol, every, everyBad }) =>
      `Gaußverteilte Q, K, V mit n = ${n}, d_k = d_v = ${d}, Seeds ${seeds}, rtol = ${rtol}, atol = ${atol}.${every > 1 ? ` Gezeichnet: einer von ${every} Einträgen, die bestehen.` : ''}${everyBad > 1 ? ` Gezeichnet: einer von ${everyBad} Einträgen, die durchfallen.` : ''} Einträge ohne jeden Unterschied sind nicht gezeichnet.`,
    summary: (failed, draws, share) =>
      `${failed} von ${draws} Seeds fallen in float32 durch; ${share} der Einträge.`,
    data: ['Größe', 'Unterschied', 'relativer Unterschied', 'Kondition'],
  },
};

export const words = orEnglish(both);
