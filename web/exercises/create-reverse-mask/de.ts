import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Die umgekehrte Maske',
  summary:
    'Null für die Zukunft, −∞ für die Vergangenheit: die Maske, mit der ein Modell schummeln kann.',
  task: [
    'Der Fehler aus dem Projekt, mit Absicht gemacht: eine Maske, die die Vergangenheit verdeckt und die Zukunft zeigt. Schreibe `create_reverse_mask(seq_len)`: eine Matrix $M$ von der Form $n\\times n$, $n$ = `seq_len`, die zu den Scores addiert wird. $M_{ij} = 0$ für $j\\ge i$ (das obere Dreieck mit der Diagonale) und $-\\infty$ darunter.',
    'Ein Modell, das damit trainiert wird, liest seine Antwort am nächsten Token ab: Sein Loss fällt unter das, was möglich ist, und es versagt, sobald es kein nächstes Token gibt. Die Diagonale bleibt sichtbar, also ist keine Zeile leer.',
    '(Der Kurstext übergibt auch ein `device`; hier gibt es keines.)',
  ],
  parameters: {
    seq_len: 'Token',
  },
  results: {
    mask: '0 im oberen Dreieck, −∞ darunter',
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
    'In NumPy behält `np.tril` ein Dreieck einer Matrix; sein `k` verschiebt die Kante. Fang mit einer Matrix voller −∞ an.',
  ],
  variants: {
    causal:
      'Das ist die kausale Maske: Sie zeigt die Vergangenheit. Hier ist das obere Dreieck 0 und alles darunter −∞.',
    'own-token-blocked':
      'Deine Diagonale ist −∞: Kein Token sieht sich selbst, und das letzte sieht überhaupt nichts. Verschiebe das Dreieck um eins.',
    'one-past-token':
      'Jedes Token sieht immer noch das direkt vor ihm. Verschiebe das Dreieck um eins.',
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
    caption: 'Blockiert sind die Zellen unter der Diagonale: die Vergangenheit jeder Query.',
  },
  where: 'Aufgabe 3b',
};
