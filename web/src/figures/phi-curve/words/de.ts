import type { Words } from '../../../strings/words-type';
import type { words as en } from './en';

export const words: Words<typeof en> = {
  heading: 'φ entlang einer Geraden',
  map: 'Feature Map',
  d: 'Breite der Zeile',
  along: 'Richtung',
  alongs: { first: 'erster Eintrag', all: 'alle Einträge', random: 'Gauß-Zeile' },
  alongNote: 'Die Zeile ist x = t·u. *Erster Eintrag*: Nur x₁ bewegt sich, die anderen bleiben 0.',
  reach: 'wie weit t geht',
  slope: 'Ableitung dφ/dt, gestrichelt',
  scale: 'Achse der Werte',
  scales: { linear: 'linear', log: 'logarithmisch', symlog: 'beide Vorzeichen' },
  first: 'erste gezeigte Kurve',
  position: 'Position des Tokens, von 16',
  feature: (index) => `φ${index}`,
  derivative: (index) => `φ${index}′`,
  t: 't',
  value: 'φ(t·u)',
  point: (curve, t, value) => `${curve} bei t = ${t}: ${value}`,
  shown: (shown, different, dimension) =>
    different === dimension
      ? `${shown} von ${dimension} Features.`
      : `${shown} von ${different} verschiedenen Kurven; D = ${dimension} Features, die übrigen wiederholen sie.`,
  dead: 'alle Features 0',
  zeroShare: 'φ₁ ist genau 0 auf',
  largest: 'größtes φ₁',
  zones: 'Was jede Kurve macht',
  columns: {
    feature: 'Feature',
    range: 'Von … bis',
    zero: 'genau 0',
    flat: 'flach: Ableitung 0',
    tiny: 'zu klein für float32',
    notFinite: 'keine endliche Zahl',
  },
  zone: (from, to) => (from === to ? `t = ${from}` : `${from} … ${to}`),
  nowhere: 'nirgends',
  zonesNote:
    '„Zu klein“: Unter 2^{−126} ≈ 1,2·10^{−38} hat float32 weniger Stellen, und noch weiter unten steht 0, auch wo die Formel nie 0 ist. Die Bereiche sind so fein wie die gezeichneten Punkte.',
  summary: (map, curves, dead) =>
    `${map}: ${curves === 1 ? 'eine Kurve' : `${curves} Kurven`}. ${dead}`,
  deadAt: (where) => `Alle Features sind 0 für t in ${where}.`,
  deadNowhere: 'Nirgends sind alle Features 0.',
  caption: (map, parameters, d, dimension, direction, points, from, to) =>
    `${map}${parameters && ` (${parameters})`}, d = ${d}, D = ${dimension}, x = t·u, u: ${direction}; ${points} Punkte von t = ${from} bis ${to}, float32.`,
  direction: {
    first: () => 'die erste Achse',
    all: () => '(1, …, 1)',
    random: (seed) => `Einträge aus N(0, 1), Seed ${seed}`,
  },
  drawn: (seed) => `Projektion mit Seed ${seed} gezogen.`,
  at: (position, length) => `Position ${position} von ${length}.`,
};
