import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Die einfachste Feature Map',
  summary: 'φ(x) = x: Queries und Keys, wie sie sind.',
  task: [
    'Eine Feature Map $\\varphi$ sagt, wie ähnlich sich eine Query und ein Key sind: $\\varphi(q)\\cdot\\varphi(k)$. Die einfachste lässt jeden Vektor, wie er ist, $\\varphi(x) = x$, sodass die Ähnlichkeit das gewöhnliche Skalarprodukt $q\\cdot k$ ist.',
    'Schreibe `simple_feature_map(x)`. Die Funktion nimmt eine Matrix mit einem Vektor in jeder Zeile und gibt eine Matrix derselben Form mit denselben Einträgen zurück.',
    'Ein Ersatz für Softmax ist sie nicht: $q\\cdot k$ kann negativ sein, und Gewichte daraus müssen nicht zwischen 0 und 1 liegen. Es ist die Map, mit der beide Reihenfolgen der Multiplikation dieselben Zahlen ergeben wie das bloße $QK^{\\top}V$.',
  ],
  parameters: {
    x: 'Queries oder Keys, in jeder Zeile einer',
  },
  results: {
    phi: 'φ(x)',
  },
  cases: {
    'two vectors, by hand': 'zwei Vektoren, von Hand',
    'six random vectors': 'sechs zufällige Vektoren',
    'one vector, large entries': 'ein Vektor, große Einträge',
    'more columns than rows': 'mehr Spalten als Zeilen',
    zeros: 'Nullen',
    'one column': 'eine Spalte',
  },
  tolerance: 'Hier wird nichts gerechnet; float32 behält 7 Stellen.',
  hints: [
    'Zu rechnen gibt es hier nichts.',
    'Sieh dir die Formel noch einmal an: φ(x) = x.',
    'Eine Funktion, die zurückgibt, was sie bekommt, heißt Identität.',
  ],
  variants: {
    absolute:
      'Deine Einträge haben ihr Vorzeichen verloren. Diese Map behält es, und genau darum können ihre Ähnlichkeiten negativ sein.',
    relu: 'Negative Einträge sind zu 0 geworden: Das ist ReLU, eine Map des nächsten Labs. Diese hier behält jeden Eintrag.',
    'unit-rows':
      'Alle deine Zeilen haben die Länge 1, damit wäre φ(q)·φ(k) der Kosinus ihres Winkels. Lass die Länge, wie sie ist.',
    scaled:
      'Deine Einträge sind um √d zu klein. Softmax-Attention teilt ihre Scores dadurch; eine Feature Map tut das nicht.',
    square:
      'Du hast die Einträge quadriert, also sähen x und −x gleich aus. Lass sie, wie sie sind.',
    transposed:
      'Zeilen und Spalten sind vertauscht. φ wirkt auf jede Zeile, und eine Zeile bleibt eine Zeile.',
    'plus-one':
      'Deine Einträge sind um 1 zu groß. Das + 1 gehört zu ELU + 1, wo es die Features positiv macht.',
  },
  figure: {
    knobs: {},
    y: 'φ(x)',
    caption:
      'φ(x) = x, eine Gerade durch 0. Die Hälfte davon liegt unter 0: Daher kommt der Ärger beim Teilen durch φ(q)·Σφ(k).',
  },
  where: 'simple_feature_map(x)',
};
