import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Zeilen, die vielleicht nichts sehen',
  summary:
    'Ein Softmax unter einer Maske, der Nullen liefert und nicht NaN, wo eine Query gar keinen Key sieht.',
  task: [
    'Schreibe `masked_softmax(scores, mask)`. Beide sind $n\\times m$; Query $i$ darf Key $j$ sehen, wo die Maske 1 ist, und nicht, wo sie 0 ist. Aus jeder Zeile wird ein Softmax über die Keys, die sie sehen darf; blockierte Keys bekommen ein Gewicht von genau 0.',
    'Eine Zeile, in der alles blockiert ist, hat nichts zu verteilen: Alle ihre Gewichte sind 0. Der einfache Weg ergibt dort NaN, weil ihr größter Score $-\\infty$ ist und $-\\infty-(-\\infty)$ NaN; eine große negative Zahl anstelle von $-\\infty$ ergibt gleiche Gewichte über die verbotenen Keys.',
    'Scores können bis ±1000 groß werden, und auch eine Zeile aus stark negativen Scores, die gesehen werden darf, summiert sich zu 1.',
  ],
  parameters: {
    scores: 'eine Zeile für jede Query',
    mask: '1, wo eine Query einen Key sehen darf, sonst 0',
  },
  results: {
    weights: 'Zeilen, die sich zu 1 oder zu 0 summieren',
  },
  cases: {
    'three queries by hand, the second sees nothing':
      'drei Queries von Hand, die zweite sieht nichts',
    'everything may be seen': 'alles darf gesehen werden',
    'a random mask with two empty rows': 'eine zufällige Maske mit zwei leeren Zeilen',
    'scores of ±1000': 'Scores von ±1000',
    'nobody sees anything': 'niemand sieht etwas',
    'a causal mask': 'eine kausale Maske',
  },
  tolerance: 'Der Rechenkern berechnet exp in float32: etwa sieben Stellen von jedem Gewicht.',
  hints: [
    'Fang mit −∞ für blockierte Scores an. In einer leeren Zeile machen nur zwei Zahlen Ärger: ihr Maximum und ihre Summe.',
    'Ist das Maximum einer Zeile −∞, zieh stattdessen 0 ab; dann ist jedes exp dieser Zeile 0.',
    'Ist die Summe einer Zeile 0, teile stattdessen durch 1. (NaN hinterher zu ersetzen besteht die Tests auch, würde aber zugleich ein NaN verdecken, das mit den Scores hereinkam.)',
  ],
  variants: {
    'nan-rows':
      'Zeilen, die nichts sehen dürfen, sind NaN. Sieh dir an, was mit einer Zeile passiert, deren größter Score −∞ ist.',
    'equal-weights':
      'Zeilen, die nichts sehen dürfen, haben gleiche Gewichte über die verbotenen Keys: Eine große negative Zahl ist nicht −∞.',
    'mask-after-softmax':
      'Du hast nach dem Softmax maskiert: Die übrigen Gewichte einer Zeile summieren sich nicht mehr zu 1. Maskiere die Scores davor.',
    'mask-with-zero':
      'Deine blockierten Scores sind 0, und exp(0) ist 1: Blockierte Keys bekommen immer noch Gewicht. Welcher Score wird zum Gewicht 0?',
    'mask-inverted':
      'Deine Maske ist umgedreht: Du blockierst die Keys, die gesehen werden dürfen. Hier heißt 1 „darf gesehen werden“.',
    'no-max':
      'Richtig nur für kleine Scores. Wenn du nicht das Maximum jeder Zeile abziehst, läuft exp bei 1000 über, und bei −1000 wird eine Zeile leer, die gesehen werden darf.',
    'wrong-axis':
      'Deine Spalten summieren sich zu 1 und nicht deine Zeilen. Nimm Maximum und Summe entlang jeder Zeile.',
    'sum-along-columns':
      'Du teilst durch die Summen der Spalten. Jede Zeile hat eine eigene Summe: Aus ihr werden Gewichte, die sich zu 1 summieren.',
  },
  figure: {
    knobs: { n: 'Queries und Keys n', keep: 'Anteil, der gesehen werden darf', seed: 'Seed' },
    rows: 'Query',
    cols: 'Key',
    caption:
      'Gewichte unter einer zufälligen Maske. Die Query in der Mitte darf nichts sehen: Ihre Zeile ist 0, nicht NaN.',
  },
  where: 'Key Implementation Details, Handling NaN',
};
