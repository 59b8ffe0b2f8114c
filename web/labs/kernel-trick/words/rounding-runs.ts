import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface RunWords {
  readonly heading: string;
  readonly over: string;
  readonly overs: { readonly seeds: string; readonly n: string };
  readonly what: string;
  readonly whats: { readonly relative: string; readonly absolute: string };
  readonly n: string;
  readonly d: string;
  readonly seeds: string;
  readonly seedAxis: string;
  readonly nAxis: string;
  readonly worst: string;
  readonly typical: string;
  /** The result in one sentence: from and to, of the worst entries and of the medians. */
  readonly line: (
    over: 'seeds' | 'n',
    worst: readonly [string, string],
    typical: readonly [string, string],
  ) => string;
  readonly describe: (over: string, n: number, d: number, seed: number) => string;
  readonly caption: (v: {
    readonly over: string;
    readonly n: string;
    readonly d: number;
    readonly seeds: string;
    readonly runs: number;
  }) => string;
  readonly columns: readonly string[];
}

const both: EnglishFirst<RunWords> = {
  en: {
    heading: 'The same test from seed to seed, and over n',
    over: 'Sweep over',
    overs: { seeds: 'seeds', n: 'tokens n' },
    what: 'Show',
    whats: { relative: 'relative', absolute: 'absolute' },
    n: 'tokens',
    d: 'width of q, k and v',
    seeds: 'Seeds',
    seedAxis: 'seed',
    nAxis: 'tokens n',
    worst: 'worst',
    typical: 'median',
    line: (over, worst, typical) =>
      `${over === 'seeds' ? 'From seed to seed' : 'Over n'}, in float32, the worst entry is between ${worst[0]} and ${worst[1]} of itself off, the median between ${typical[0]} and ${typical[1]}.`,
    describe: (over, n, d, seed) =>
      over === 'seeds' ? `seeds from ${seed}, n = ${n}, d = ${d}` : `n up to ${n}, d = ${d}`,
    caption: ({ over, n, d, seeds, runs }) =>
      `Gaussian Q, K, V, d_k = d_v = ${d}, n = ${n}, seeds ${seeds}, swept over ${over}. Worst and median entry of each run.${runs > 0 ? ` Hollow marks: ${runs} other ${runs === 1 ? 'run' : 'runs'}.` : ''}`,
    columns: [
      'n',
      'seed',
      'float32 worst |a-b|',
      'float32 worst |a-b|/|b|',
      'float32 median |a-b|/|b|',
      'float32 failing share at rtol 1e-5',
      'float64 worst |a-b|',
      'float64 worst |a-b|/|b|',
      'float64 median |a-b|/|b|',
    ],
  },
  de: {
    heading: 'Derselbe Test von Seed zu Seed und über n',
    over: 'Durchlaufen',
    overs: { seeds: 'Seeds', n: 'Token n' },
    what: 'Zeigen',
    whats: { relative: 'relativ', absolute: 'absolut' },
    n: 'Token',
    d: 'Breite von q, k und v',
    seeds: 'Seeds',
    seedAxis: 'Seed',
    nAxis: 'Token n',
    worst: 'schlechtester',
    typical: 'Median',
    line: (over, worst, typical) =>
      `${over === 'seeds' ? 'Von Seed zu Seed' : 'Über n'} liegt in float32 der schlechteste Eintrag um ${worst[0]} bis ${worst[1]} seiner Größe daneben, der Median um ${typical[0]} bis ${typical[1]}.`,
    describe: (over, n, d, seed) =>
      over === 'seeds' ? `Seeds ab ${seed}, n = ${n}, d = ${d}` : `n bis ${n}, d = ${d}`,
    caption: ({ over, n, d, seeds, runs }) =>
      `Gaußverteilte Q, K, V, d_k = d_v = ${d}, n = ${n}, Seeds ${seeds}, durchlaufen: ${over}. Schlechtester und mittlerer Eintrag jedes Laufs.${runs > 0 ? ` Hohle Zeichen: ${runs} ${runs === 1 ? 'anderer Lauf' : 'andere Läufe'}.` : ''}`,
    columns: [
      'n',
      'Seed',
      'float32 größtes |a-b|',
      'float32 größtes |a-b|/|b|',
      'float32 Median |a-b|/|b|',
      'float32 Anteil, der bei rtol 1e-5 durchfällt',
      'float64 größtes |a-b|',
      'float64 größtes |a-b|/|b|',
      'float64 Median |a-b|/|b|',
    ],
  },
};

export const words = orEnglish(both);
