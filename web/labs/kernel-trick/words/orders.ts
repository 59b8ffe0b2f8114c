/** The words of the opening figure. They belong to the first load. */

import type { PlayerWords } from '../../../src/lab/figure/step-player.ts';
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface OrdersWords extends PlayerWords {
  readonly heading: string;
  readonly n: string;
  readonly dK: string;
  readonly dV: string;
  readonly numbers: string;
  readonly kinds: { readonly whole: string; readonly real: string };
  readonly orders: { readonly standard: string; readonly linear: string };
  /** The three matrices that both orders begin with. */
  readonly inputs: string;
  readonly multiplyAdds: { readonly standard: string; readonly linear: string };
  readonly differ: string;
  readonly count: (done: string, total: string) => string;
  readonly done: string;
  readonly between: (numbers: string, rows: string, cols: string) => string;
  readonly keys: string;
  readonly hint: string;
  readonly pictureOf: (order: string) => string;
  readonly cell: (name: string, row: number, col: number) => string;
  readonly notYet: string;
  readonly soFar: string;
  readonly equal: (cells: number) => string;
  readonly unequal: (cells: number, all: number) => string;
  readonly waiting: string;
  readonly caption: (n: number, dK: number, dV: number, seed: number, whole: boolean) => string;
  readonly summary: (standard: string, linear: string) => string;
  readonly columns: readonly [string, string, string, string];
}

const both: EnglishFirst<OrdersWords> = {
  en: {
    heading: 'Two orders, one clock',
    n: 'tokens',
    dK: 'width of q and k',
    dV: 'width of v',
    numbers: 'Entries',
    kinds: { whole: 'Whole numbers', real: 'Gaussian' },
    orders: { standard: 'Standard order', linear: 'Linear order' },
    inputs: 'Given',
    multiplyAdds: {
      standard: 'multiply-adds of (QKᵀ)V',
      linear: 'of Q(KᵀV)',
    },
    differ: 'entries that differ in their last digits',
    transport: 'Play and step',
    start: 'To the start',
    back: 'One multiply-add back',
    play: 'Play',
    pause: 'Pause',
    forward: 'One multiply-add on',
    end: 'To the end',
    scrub: 'Tick of the clock',
    at: (step, total) => `tick ${step} of ${total}`,
    count: (done, total) => `${done} of ${total} multiply-adds`,
    done: 'done',
    between: (numbers, rows, cols) => `in between: ${rows} × ${cols} = ${numbers} numbers`,
    keys: 'Arrow keys walk from cell to cell and into the next matrix; Escape lets go.',
    hint: 'Hover over a cell, or walk with the arrow keys, to see the terms that made it.',
    pictureOf: (order) => `Matrices of ${order}`,
    cell: (name, row, col) => `${name}, row ${row}, column ${col}`,
    notYet: 'not computed yet',
    soFar: 'so far',
    equal: (cells) => `Both results have the same ${cells} numbers, bit for bit.`,
    unequal: (cells, all) =>
      `${cells} of ${all} entries differ in their last digits: each order rounds in its own places.`,
    waiting: 'The results can be compared once both orders are done.',
    caption: (n, dK, dV, seed, whole) =>
      `n = ${n}, d_k = ${dK}, d_v = ${dV}, ${whole ? 'whole numbers (Gaussian draws, rounded)' : 'Gaussian entries'}, seed ${seed}, float32, no softmax, no scaling.`,
    summary: (standard, linear) => `Standard order: ${standard}. Linear order: ${linear}.`,
    columns: ['order', 'multiply-adds done', 'multiply-adds in all', 'numbers in between'],
  },
  de: {
    heading: 'Zwei Reihenfolgen, ein Takt',
    n: 'Token',
    dK: 'Breite von q und k',
    dV: 'Breite von v',
    numbers: 'Einträge',
    kinds: { whole: 'Ganze Zahlen', real: 'Gaußverteilt' },
    orders: { standard: 'Standardreihenfolge', linear: 'Lineare Reihenfolge' },
    inputs: 'Gegeben',
    multiplyAdds: {
      standard: 'Multiply-Adds von (QKᵀ)V',
      linear: 'von Q(KᵀV)',
    },
    differ: 'Einträge, die sich in den letzten Stellen unterscheiden',
    transport: 'Abspielen und schrittweise',
    start: 'Zum Anfang',
    back: 'Ein Multiply-Add zurück',
    play: 'Abspielen',
    pause: 'Anhalten',
    forward: 'Ein Multiply-Add weiter',
    end: 'Zum Ende',
    scrub: 'Tick der Uhr',
    at: (step, total) => `Tick ${step} von ${total}`,
    count: (done, total) => `${done} von ${total} Multiply-Adds`,
    done: 'fertig',
    between: (numbers, rows, cols) => `dazwischen: ${rows} × ${cols} = ${numbers} Zahlen`,
    keys: 'Die Pfeiltasten gehen von Zelle zu Zelle und in die nächste Matrix; Escape lässt los.',
    hint: 'Zeig auf eine Zelle oder geh mit den Pfeiltasten hin, dann siehst du, aus welchen Summanden sie entstand.',
    pictureOf: (order) => `Matrizen: ${order}`,
    cell: (name, row, col) => `${name}, Zeile ${row}, Spalte ${col}`,
    notYet: 'noch nicht berechnet',
    soFar: 'bisher',
    equal: (cells) => `Beide Ergebnisse haben dieselben ${cells} Zahlen, Bit für Bit.`,
    unequal: (cells, all) =>
      `${cells} von ${all} Einträgen unterscheiden sich in den letzten Stellen: Jede Reihenfolge rundet an anderen Stellen.`,
    waiting: 'Vergleichen lassen sich die Ergebnisse, wenn beide Reihenfolgen fertig sind.',
    caption: (n, dK, dV, seed, whole) =>
      `n = ${n}, d_k = ${dK}, d_v = ${dV}, ${whole ? 'ganze Zahlen (gerundete Gaußwerte)' : 'gaußverteilte Einträge'}, Seed ${seed}, float32, ohne Softmax, ohne Skalierung.`,
    summary: (standard, linear) =>
      `Standardreihenfolge: ${standard}. Lineare Reihenfolge: ${linear}.`,
    columns: ['Reihenfolge', 'Multiply-Adds bisher', 'Multiply-Adds gesamt', 'Zahlen dazwischen'],
  },
};

export const words = orEnglish(both);
