import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface RecallWords {
  readonly heading: string;
  readonly memories: Readonly<Record<'softmax' | 'elu' | 'taylor' | 'random', string>>;
  readonly features: string;
  readonly since: string;
  readonly n: string;
  readonly what: string;
  readonly whats: Readonly<Record<'weight' | 'right', string>>;
  readonly d: string;
  readonly scale: string;
  readonly draws: string;
  readonly answers: (since: number) => string;
  readonly planted: string;
  readonly answer: (memory: string, wrong: number, all: number) => string;
  readonly spelled: (memory: string, weight: string, wrong: number, all: number) => string;
  readonly wrong: string;
  readonly chart: string;
  readonly x: string;
  readonly weight: string;
  readonly right: string;
  readonly equal: string;
  readonly guessed: string;
  readonly table: string;
  readonly columns: (n: number) => readonly string[];
  readonly endless: string;
  readonly caption: (v: {
    readonly n: number;
    readonly d: number;
    readonly scale: string;
    readonly features: number;
    readonly draws: number;
    readonly seeds: string;
    readonly since: number;
  }) => string;
  readonly summary: (since: number, softmax: string, elu: string, random: string) => string;
  /** What a try has changed of the weights. */
  readonly changed: (since: number, before: number, weights: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<RecallWords> = {
  en: {
    heading: 'One fact, asked for late',
    memories: {
      softmax: 'Softmax',
      elu: 'ELU + 1',
      taylor: 'Taylor of order 2',
      random: 'Random features',
    },
    features: 'random features',
    since: 'tokens since the fact',
    n: 'tokens in all',
    what: 'Draw',
    whats: { weight: 'the fact’s weight', right: 'signs that are right' },
    d: 'width of q, k and v',
    scale: 'Keys times',
    draws: 'Streams tried',
    answers: (since) => `The answer after ${since} other ${since === 1 ? 'token' : 'tokens'}`,
    planted: 'The fact’s value, as planted',
    answer: (memory, wrong, all) =>
      `${memory}: ${wrong === 0 ? 'every sign right' : `${wrong} of ${all} signs wrong`}`,
    spelled: (memory, weight, wrong, all) =>
      `${memory}: weight of the fact ${weight} in this stream, ${wrong} of ${all} signs wrong`,
    wrong: 'The cells are those of the first stream; crossed: the sign is wrong.',
    chart: 'What is left of the fact',
    x: 'tokens since the fact',
    weight: 'weight of the fact',
    right: 'share of signs right',
    equal: 'equal weights',
    guessed: 'guessed',
    table: 'The memories after the last token',
    columns: (n) => [
      `After ${n} tokens`,
      'features D',
      'numbers held',
      'weight of the fact',
      'signs right',
    ],
    endless: 'no finite D',
    caption: ({ n, d, scale, features, draws, seeds, since }) =>
      `A key and a value, then ${n} others; the query is the first key. Keys Gaussian times ${scale}, values random signs, d_k = d_v = ${d}, ${features} random features, ε = 10⁻⁶. Lines: median of ${draws} ${draws === 1 ? 'stream' : 'streams'}, seeds ${seeds}, and bars from the 10 % to the 90 % quantile. Cells: the first stream, ${since} tokens after the fact.`,
    summary: (since, softmax, elu, random) =>
      `After ${since} tokens the fact’s weight is ${softmax} with softmax, ${elu} with ELU + 1, ${random} with random features.`,
    changed: (since, before, weights) =>
      `Weight of the fact ${since === before ? `after ${since} tokens` : `after ${before} → ${since} tokens`}. ${weights}`,
    data: [
      'memory',
      'features D',
      'tokens since',
      'weight 10 %',
      'weight median',
      'weight 90 %',
      'signs right',
      'numbers held',
    ],
  },
  de: {
    heading: 'Ein Fakt, spät erfragt',
    memories: {
      softmax: 'Softmax',
      elu: 'ELU + 1',
      taylor: 'Taylor der Ordnung 2',
      random: 'Zufallsfeatures',
    },
    features: 'Zufallsfeatures',
    since: 'Token seit dem Fakt',
    n: 'Token insgesamt',
    what: 'Zeichne',
    whats: { weight: 'das Gewicht des Fakts', right: 'richtige Vorzeichen' },
    d: 'Breite von q, k und v',
    scale: 'Keys mal',
    draws: 'Probierte Folgen',
    answers: (since) => `Die Antwort nach ${since} anderen Token`,
    planted: 'Der Value des Fakts, wie er gesetzt wurde',
    answer: (memory, wrong, all) =>
      `${memory}: ${wrong === 0 ? 'alle Vorzeichen richtig' : `${wrong} von ${all} Zeichen falsch`}`,
    spelled: (memory, weight, wrong, all) =>
      `${memory}: Gewicht des Fakts ${weight} in dieser Folge, ${wrong} von ${all} Vorzeichen falsch`,
    wrong: 'Die Zellen sind die der ersten Folge; durchgestrichen: Das Vorzeichen ist falsch.',
    chart: 'Was vom Fakt bleibt',
    x: 'Token seit dem Fakt',
    weight: 'Gewicht des Fakts',
    right: 'Anteil richtiger Vorzeichen',
    equal: 'gleiche Gewichte',
    guessed: 'geraten',
    table: 'Die Speicher nach dem letzten Token',
    columns: (n) => [
      `Nach ${n} Token`,
      'Features D',
      'Zahlen im Speicher',
      'Gewicht des Fakts',
      'Vorzeichen richtig',
    ],
    endless: 'kein endliches D',
    caption: ({ n, d, scale, features, draws, seeds, since }) =>
      `Ein Key und ein Value, dann ${n} andere; die Query ist der erste Key. Keys normalverteilt mal ${scale}, Values zufällige Vorzeichen, d_k = d_v = ${d}, ${features} Zufallsfeatures, ε = 10⁻⁶. Linien: Median von ${draws} ${draws === 1 ? 'Folge' : 'Folgen'}, Seeds ${seeds}, mit Balken vom 10-%- bis zum 90-%-Quantil. Zellen: die erste Folge, ${since} Token nach dem Fakt.`,
    summary: (since, softmax, elu, random) =>
      `Nach ${since} Token ist das Gewicht des Fakts ${softmax} mit Softmax, ${elu} mit ELU + 1, ${random} mit Zufallsfeatures.`,
    changed: (since, before, weights) =>
      `Gewicht des Fakts ${since === before ? `nach ${since} Token` : `nach ${before} → ${since} Token`}. ${weights}`,
    data: [
      'Speicher',
      'Features D',
      'Token seither',
      'Gewicht 10 %',
      'Gewicht Median',
      'Gewicht 90 %',
      'Vorzeichen richtig',
      'Zahlen im Speicher',
    ],
  },
};

export const words = orEnglish(both);
