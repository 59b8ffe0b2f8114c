import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Die kausale Maske',
  summary: 'Null für die Vergangenheit, −∞ für die Zukunft: die Maske eines Modells, das schreibt.',
  task: [
    'Ein Token, das das nächste Wort schreibt, darf nicht auf die Wörter danach schauen. Schreibe `create_causal_mask(seq_len)`: eine Matrix $M$ von der Form $n\\times n$, $n$ = `seq_len`, die vor dem Softmax zu den Scores addiert wird. $M_{ij} = 0$, wo Query $i$ den Key $j$ sehen darf, also für $j\\le i$ (das untere Dreieck mit der Diagonale), und $-\\infty$ darüber.',
    'Das ist die additive Art von Maske. Die andere Art enthält 1 und 0 und gehört zu `masked_fill(mask == 0, …)`. Verwechsle sie nicht: `masked_fill(mask == 0, …)` würde mit dieser hier genau die Keys blockieren, die gesehen werden dürfen.',
    '(Der Kurstext übergibt auch ein `device`; hier gibt es keines.)',
  ],
  parameters: {
    seq_len: 'Token',
  },
  results: {
    mask: '0 im unteren Dreieck, −∞ darüber',
  },
  cases: {
    'three tokens, by hand': 'drei Token, von Hand',
    'one token': 'ein Token',
    'six tokens': 'sechs Token',
    'two tokens': 'zwei Token',
    '32 tokens': '32 Token',
  },
  tolerance: 'Null und unendlich sind exakt.',
  hints: [
    'Welche Keys darf Query 0 sehen? Und die letzte Query? Schreib die Maske für drei Token zuerst auf Papier.',
    'Zeile = Query, Spalte = Key. Vergleiche die beiden Indizes: i für die Zeile, j für die Spalte.',
    'In NumPy behält `np.triu` ein Dreieck einer Matrix; sein `k` verschiebt die Kante. Fang mit einer Matrix voller −∞ an.',
  ],
  variants: {
    reversed:
      'Deine Maske ist umgedreht: Sie blockiert die Vergangenheit und zeigt die Zukunft. Key j liegt in der Vergangenheit von Query i, wenn j < i.',
    'own-token-blocked':
      'Deine Diagonale ist −∞: Kein Token sieht sich selbst, und das erste sieht überhaupt nichts. Verschiebe das Dreieck um eins.',
    'one-future-token':
      'Jedes Token sieht einen Key zu viel: den direkt nach ihm. Verschiebe das Dreieck um eins.',
    'ones-and-zeros':
      'Deine Maske enthält 1, wo ein Key gesehen werden darf, und 0, wo nicht. Diese hier wird zu den Scores addiert: 0, wo ein Key gesehen werden darf, −∞, wo nicht.',
    'zeros-and-ones':
      'Deine Maske enthält 1, wo ein Key blockiert ist. Zu einem Score addiert, blockiert 1 gar nichts: Das tut nur −∞.',
    'large-negative':
      'Du blockierst mit einer großen negativen Zahl. Die ist nicht −∞: In einer Zeile, in der alles blockiert ist, ergibt sie gleiche Gewichte statt gar keiner.',
    nan: 'Deine Maske hat NaN, wo sie 0 sein soll: 0 mal unendlich ist nicht 0. Wähle zwischen den beiden Werten, statt zu multiplizieren.',
    'plus-infinity':
      'Deine blockierten Einträge sind +∞: So ein Key würde alles Gewicht an sich ziehen. Blockiert heißt −∞.',
  },
  figure: {
    knobs: { n: 'Token' },
    rows: 'Query',
    cols: 'Key',
    caption: 'Blockiert sind die Zellen über der Diagonale: die Zukunft jeder Query.',
  },
  where: 'Aufgabe 3b',
};
