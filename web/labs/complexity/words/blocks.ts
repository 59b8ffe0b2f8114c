/** The words of the opening figure. They belong to the first load. */
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface BlocksWords {
  readonly heading: string;
  readonly n: string;
  readonly d: string;
  readonly dV: string;
  readonly grow: string;
  readonly still: string;
  readonly drag: string;
  readonly between: (bytes: string) => string;
  readonly adds: (count: string) => string;
  readonly total: (standard: string, linear: string, times: string) => string;
  readonly same: (count: string) => string;
  readonly less: (standard: string, linear: string, times: string) => string;
  readonly crossover: (n: string) => string;
  readonly edge: (size: string) => string;
  readonly caption: (n: number, d: number, dV: number) => string;
  readonly table: string;
  readonly columns: readonly [string, string, string, string, string, string, string];
  /** How many times the multiply-adds of the first box a box has. */
  readonly times: (times: string) => string;
  /** The same of a box that is smaller. */
  readonly part: (times: string) => string;
  readonly addsOf: (order: string) => string;
  readonly key: {
    readonly given: string;
    readonly between: string;
    readonly output: string;
    readonly first: (n: number, d: number, dV: number) => string;
  };
}

const both: EnglishFirst<BlocksWords> = {
  en: {
    heading: 'Two orders, four products',
    n: 'tokens: rows of Q, K and V',
    d: 'columns of Q and K',
    dV: 'columns of V',
    grow: 'Let n grow',
    still: 'Stop',
    drag: 'Drag an edge at its dot, or take the sliders. With the keyboard: arrow keys in small steps, Page Up and Page Down by a factor of two.',
    between: (bytes) => `keeps ${bytes} in between`,
    adds: (count) => `${count} multiply-adds`,
    total: (standard, linear, times) =>
      `(QKᵀ)V takes ${standard} multiply-adds, Q(KᵀV) ${linear}: *${times} times fewer*`,
    less: (standard, linear, times) =>
      `(QKᵀ)V takes ${standard} multiply-adds, Q(KᵀV) ${linear}: *${times} times more*`,
    same: (count) => `Both orders take ${count} multiply-adds.`,
    crossover: (n) => `they would be equal at n = ${n}.`,
    edge: (size) => `Edge ${size}`,
    caption: (n, d, dV) =>
      `n = ${n}, d = ${d}, d_v = ${dV}. All edges at one scale, in isometric projection: equal areas are equally many numbers, equal volumes equally many multiply-adds. What is thinner than a pixel is drawn one pixel thick. No softmax, no feature map, no normaliser. Counted by the core.`,
    table: 'The four products',
    columns: [
      'order',
      'product',
      'rows',
      'inner',
      'columns',
      'multiply-adds',
      'bytes in between (float32)',
    ],
    times: (times) => `${times}× the first`,
    part: (times) => `1/${times} of the first`,
    addsOf: (order) => `multiply-adds of ${order}`,
    key: {
      given: 'given',
      between: 'made on the way',
      output: 'the output',
      first: (n, d, dV) => `the first box at the same scale: n = ${n}, d = ${d}, d_v = ${dV}`,
    },
  },
  de: {
    heading: 'Zwei Reihenfolgen, vier Produkte',
    n: 'Token: Zeilen von Q, K und V',
    d: 'Spalten von Q und K',
    dV: 'Spalten von V',
    grow: 'n wachsen lassen',
    still: 'Anhalten',
    drag: 'Zieh eine Kante an ihrem Punkt, oder nimm die Regler. Mit der Tastatur: Pfeiltasten in kleinen Schritten, Bild auf und Bild ab um den Faktor zwei.',
    between: (bytes) => `hebt dazwischen ${bytes} auf`,
    adds: (count) => `${count} Multiply-Adds`,
    total: (standard, linear, times) =>
      `(QKᵀ)V braucht ${standard} Multiply-Adds, Q(KᵀV) ${linear}: *${times}-mal weniger*`,
    less: (standard, linear, times) =>
      `(QKᵀ)V braucht ${standard} Multiply-Adds, Q(KᵀV) ${linear}: *${times}-mal mehr*`,
    same: (count) => `Beide Reihenfolgen brauchen ${count} Multiply-Adds.`,
    crossover: (n) => `gleich viele wären es bei n = ${n}.`,
    edge: (size) => `Kante ${size}`,
    caption: (n, d, dV) =>
      `n = ${n}, d = ${d}, d_v = ${dV}. Alle Kanten in einem Maßstab, isometrisch gezeichnet: Gleiche Flächen sind gleich viele Zahlen, gleiche Rauminhalte gleich viele Multiply-Adds. Was dünner als ein Pixel ist, wird ein Pixel dick gezeichnet. Ohne Softmax, Feature Map und Nenner. Gezählt vom Rechenkern.`,
    table: 'Die vier Produkte',
    columns: [
      'Reihenfolge',
      'Produkt',
      'Zeilen',
      'innen',
      'Spalten',
      'Multiply-Adds',
      'Bytes dazwischen (float32)',
    ],
    times: (times) => `${times}× der erste`,
    part: (times) => `1/${times} des ersten`,
    addsOf: (order) => `Multiply-Adds von ${order}`,
    key: {
      given: 'gegeben',
      between: 'unterwegs gemacht',
      output: 'die Ausgabe',
      first: (n, d, dV) => `der erste Quader im selben Maßstab: n = ${n}, d = ${d}, d_v = ${dV}`,
    },
  },
};

export const blocksWords = orEnglish(both);
