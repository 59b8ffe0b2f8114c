import type { Words } from '../../../strings/words-type';
import type { words as en } from './en';

export const words: Words<typeof en> = {
  heading: 'Ein Kern neben exp(s)',
  map: 'Feature Map',
  beside: 'Eine andere daneben',
  nothing: 'keine',
  d: 'Breite von Queries und Keys',
  reach: 'größtes s = q·k/√d',
  show: 'Zeigen',
  shows: { kernel: 'Kern', error: 'relativer Fehler' },
  scale: 'Achse der Werte',
  scales: { linear: 'linear', log: 'logarithmisch' },
  matched: 'Durch den Wert bei s = 0 teilen',
  matchedNote: 'Ein fester Faktor kürzt sich in der Attention heraus.',
  tolerance: 'relativer Fehler, der noch als nah gilt',
  draws: 'zufällige Ebenen, und Projektionen',
  exact: 'exp(s)',
  point: (curve, s, value, low, high) =>
    `${curve} bei s = ${s}: ${value}${low && `, von ${low} bis ${high}`}`,
  s: 's = q·k/√d',
  kernel: 'φ(q)·φ(k)',
  matchedKernel: 'φ(q)·φ(k), geteilt durch den Wert bei s = 0',
  error: '|φ(q)·φ(k) − exp(s)| / exp(s)',
  matchedError: 'relativer Fehler nach dem Teilen',
  level: (percent) => `${percent} %`,
  leaves: (map, s) => `${map && `${map}: `}s = ${s}`,
  agreement: 'Wo der Fehler unter der Grenze bleibt',
  columns: {
    map: 'Feature Map',
    dimension: 'D',
    within: (percent) => `höchstens ${percent} % neben exp(s)`,
    at: (s) => `bei s = ${s}`,
  },
  within: (from, to) => `s von ${from} bis ${to}`,
  beyond: (s) => `weiter als ${s}`,
  notEvenAtZero: 'nicht einmal bei s = 0',
  note: 'Die Linie ist der Median über die Ziehungen, das Band reicht von Quantil 0,1 bis 0,9. Nur ein Kern, der allein von q·k abhängt, hat kein Band: Bei allen anderen bedeutet dasselbe s verschiedene Werte, je nachdem, wo q und k liegen.',
  closeWhere: (percent, maps) => `Höchstens ${percent} % neben exp(s): ${maps}.`,
  summary: (map, where) => `${map}: ${where}.`,
  caption: (maps, d, norm, reach, points) =>
    `${maps}; d = ${d}, ‖q‖ = ‖k‖ = ${norm}, s von −${reach} bis ${reach} an ${points} Punkten.`,
  drawn: (draws, seed) =>
    `${draws === 1 ? 'Eine Ziehung' : `${draws} Ziehungen`} der Ebene von q und k, Seed ${seed}.`,
  matchedCaption: 'Geteilt durch den Wert bei s = 0.',
};
