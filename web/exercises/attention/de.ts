import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Scaled Dot-Product Attention',
  summary:
    'Scores, Faktor, Maske, Softmax, gewichtete Summe: die Attention eines Heads von Grund auf.',
  task: [
    'Schreibe `attention(Q, K, V, mask, scale)` für einen Head:',
    '$$\\operatorname{softmax}\\!\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V$$',
    'mit $Q$ von der Form $n\\times d_k$, $K$ von der Form $m\\times d_k$ und $V$ von der Form $m\\times d_v$. Gib zwei Ergebnisse zurück: die Ausgabe, $n\\times d_v$, und die Gewichte, $n\\times m$.',
    'Ist `scale` falsch, lass den Faktor $1/\\sqrt{d_k}$ weg.',
    'Gibt es eine `mask` ($n\\times m$), darf Query $i$ den Key $j$ sehen, wo ihr Eintrag 1 ist, und nicht, wo er 0 ist: Setze diese Scores vor dem Softmax auf $-\\infty$. Jede Query sieht hier mindestens einen Key.',
    'Scores können bis ±1000 groß werden. Auch dann dürfen die Gewichte nicht NaN sein.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
    mask: '1, wo eine Query einen Key sehen darf, 0, wo nicht; kann fehlen',
    scale: 'ob durch √d_k geteilt wird',
  },
  results: {
    output: 'Gewichte mal V',
    weights: 'Zeilen, die sich zu 1 summieren',
  },
  cases: {
    'two tokens, by hand': 'zwei Token, von Hand',
    'more keys than queries, narrow values': 'mehr Keys als Queries, schmale Values',
    'a causal mask': 'eine kausale Maske',
    'without the factor': 'ohne den Faktor',
    'scores of ±1000': 'Scores von ±1000',
    'a causal mask, and the largest scores are hidden':
      'eine kausale Maske, und die größten Scores sind verdeckt',
    'a mask with holes, wide values': 'eine Maske mit Löchern, breite Values',
    'one query, one key': 'eine Query, ein Key',
    'a causal mask without the factor': 'eine kausale Maske ohne den Faktor',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: etwa sieben Stellen der Scores, nach exp ein paar weniger.',
  hints: [
    'Fünf Zeilen, in dieser Reihenfolge: Scores, Faktor, Maske, Softmax über die Keys, mal V.',
    'Softmax arbeitet Zeile für Zeile: Jede Query verteilt das Gewicht 1. Zieh den größten Score der Zeile ab, bevor du exp nimmst.',
    'Behalte beim Teilen die summierte Achse (`keepdims=True` in NumPy, `sumRows()` in JavaScript), damit jede Zeile durch ihre eigene Summe geteilt wird.',
  ],
  variants: {
    'no-scale': 'Deine Scores werden nie durch √d_k geteilt. Sieh nach, was `scale` verlangt.',
    'always-scaled': 'Du teilst auch dann durch √d_k, wenn `scale` falsch ist.',
    'scale-by-d': 'Du teilst die Scores durch d_k. Der Faktor ist die Wurzel daraus.',
    multiplied:
      'Du multiplizierst mit √d_k, und das macht große Scores noch größer. Der Faktor ist 1/√d_k.',
    'scale-by-d-v':
      'Du teilst durch die Wurzel der Breite von V. Der Faktor gehört zu den Scores, also zählt die Breite von Q und K.',
    'wrong-axis':
      'Deine Spalten summieren sich zu 1 und nicht deine Zeilen. Der Softmax geht über die Keys: Jede Query verteilt eine Einheit Gewicht.',
    'no-max':
      'Richtig für kleine Scores, NaN für Scores von 1000: exp läuft über. Zieh vorher von jeder Zeile den größten Score ab.',
    'mask-after-softmax':
      'Du hast nach dem Softmax maskiert: Die Zeilen, die Gewichte verlieren, summieren sich nicht mehr zu 1. Maskiere die Scores davor.',
    'mask-after-exp':
      'Du maskierst nach exp. Dann zählen verdeckte Scores beim Maximum mit: Sind sie viel größer als die sichtbaren, werden alle Gewichte einer Zeile 0, und 0/0 ist NaN. Setze die Scores vor dem Maximum auf −∞.',
    'one-sum-for-all':
      'Alle deine Gewichte zusammen summieren sich zu 1. Jede Zeile hat ihre eigene Summe: Nenne die Achse und behalte sie.',
    'axis-not-kept':
      'Deine Zeilensummen liegen entlang der Spalten: Ohne keepdims=True sind sie eine Zeile aus Zahlen, und Spalte j wird durch die Summe von Zeile j geteilt. Behalte die Achse.',
    'mask-with-zero':
      'Deine maskierten Scores sind 0, und exp(0) ist 1: Blockierte Keys bekommen immer noch Gewicht. Welcher Score wird zum Gewicht 0?',
    'mask-inverted':
      'Deine Maske ist umgedreht: Du blockierst die Keys, die gesehen werden dürfen. In dieser Maske heißt 1 „darf gesehen werden“.',
    'mask-added':
      'Du hast die Maske zu den Scores addiert. Das ist für Masken aus 0 und −∞ gedacht; diese hat 1, wo ein Key gesehen werden darf, und 0, wo nicht.',
    'mask-ignored': 'Deine Gewichte ändern sich mit der Maske nicht.',
    'swapped-results':
      'Du gibst die Gewichte zuerst zurück. Zuerst kommt die Ausgabe, dann die Gewichte.',
    'sum-along-columns':
      'Du teilst durch die Summen der Spalten. Jede Zeile hat eine eigene Summe: Aus ihr werden Gewichte, die sich zu 1 summieren.',
  },
  figure: {
    knobs: {
      n: 'Token n',
      d: 'Breite d_k',
      masked: 'kausale Maske',
      scaled: 'Faktor 1/√d_k',
      seed: 'Seed',
    },
    rows: 'Query',
    cols: 'Key',
    caption:
      'Deine Gewichte: Jede Zeile ist eine Query, und ihre Zellen summieren sich zu 1. Nimm bei großem d_k den Faktor heraus, und in jeder Zeile bleibt fast nur ein einziges Gewicht übrig.',
  },
  where: 'Aufgabe 1. Vaswani et al. 2017, Abschnitt 3.2.1',
};
