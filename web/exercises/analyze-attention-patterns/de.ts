import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Kennzahlen eines Attention-Musters',
  summary:
    'Wie scharf, wie breit gestreut, wie nah an der Diagonale: vier Zahlen zu einem Bild aus Gewichten.',
  task: [
    'Schreibe `analyze_attention_patterns(attention_weights)`. Die Gewichte sind $n\\times n$, keines ist negativ, jede Zeile summiert sich zu 1. Gib ein Dict (in JavaScript ein Objekt, in C++ eine Map) mit vier Zahlen zurück:',
    '`max_attention`: das größte Gewicht von allen.',
    '`entropy`: die Entropie einer Zeile, $-\\sum_j p_j \\ln p_j$ in Nats mit $0\\ln 0 = 0$, gemittelt über die Zeilen.',
    '`diagonal_mass`: der Anteil allen Gewichts, der auf der Diagonale liegt. Alles Gewicht zusammen ist $n$, denn jede Zeile hat 1.',
    '`local_vs_global`: das Gewicht mit $|i-j|\\le 2$ (lokal) geteilt durch das Gewicht mit $|i-j|>2$ (global). Unendlich, wenn kein Gewicht global ist.',
  ],
  parameters: {
    attention_weights: 'Zeilen, die sich zu 1 summieren',
  },
  results: {
    statistics: 'max_attention, entropy, diagonal_mass, local_vs_global',
  },
  cases: {
    'four tokens, by hand': 'vier Token, von Hand',
    'equal weights': 'gleiche Gewichte',
    'a soft band around the diagonal': 'ein weiches Band um die Diagonale',
    'every token looks at itself only': 'jedes Token sieht nur sich selbst',
    'a causal picture': 'ein kausales Bild',
    'one token': 'ein Token',
    'sharp and far from the diagonal': 'scharf und weit weg von der Diagonale',
  },
  tolerance:
    'Die Gewichte kommen als float32, deshalb summiert sich eine Zeile nur auf sieben Stellen genau zu 1.',
  hints: [
    'Eine Matrix der Abstände |i − j| sagt dir, was auf der Diagonale liegt (0), was lokal ist (höchstens 2) und was global. Sie entsteht aus zwei arange, eines als Spalte und eines als Zeile.',
    'ln 0 ist −∞ und 0·(−∞) ist NaN: Setze eine 1 an die Stelle einer 0, aber nur im Logarithmus.',
    'Entropie: Erst in jeder Zeile summieren, dann über die Zeilen mitteln. Die anderen Summen gehen über die ganze Matrix.',
  ],
  variants: {
    bits: 'Deine Entropie ist in Bits. Nimm den natürlichen Logarithmus: Nats.',
    'log-of-zero':
      'Deine Entropie ist NaN, wo ein Gewicht 0 ist: Der Logarithmus von 0 ist −∞, und 0 mal −∞ ist NaN. Zähle so ein Gewicht als 0.',
    'entropy-summed': 'Deine Entropie ist die Summe über alle Zeilen. Mittle sie über die Zeilen.',
    'entropy-over-cells':
      'Deine Entropie ist über alle Zellen gemittelt. Summiere zuerst in jeder Zeile, dann mittle über die Zeilen.',
    'entropy-negative':
      'Deine Entropie hat das falsche Vorzeichen: Logarithmen von Gewichten sind negativ.',
    'diagonal-summed':
      'Dein diagonal_mass ist die Summe der Diagonale. Gefragt ist ein Anteil: Teile durch alles Gewicht, das es gibt.',
    'diagonal-per-cell':
      'Dein diagonal_mass ist durch die Anzahl der Zellen geteilt, n². Alles Gewicht zusammen ist n.',
    'window-too-small':
      'Dein lokales Fenster endet einen Key zu früh: Ein Abstand von 2 ist noch lokal (|i − j| ≤ 2).',
    'local-share':
      'Dein local_vs_global ist der Anteil des lokalen Gewichts. Teile durch das globale Gewicht, nicht durch alles.',
    'mean-of-maxima':
      'Dein max_attention ist das Mittel der größten Gewichte der Zeilen. Gemeint ist das größte Gewicht des ganzen Bildes.',
  },
  figure: {
    knobs: { n: 'Token n', sharpness: 'Schärfe', nearness: 'Zug zur Diagonale', seed: 'Seed' },
    y: 'Entropie in Nats',
    caption:
      'Die mittlere Entropie einer Zeile, während ihre Logits wachsen. Höchstens ist sie ln n, bei gleichen Gewichten; sie fällt auf 0, wenn sich jede Zeile auf einen Key festlegt.',
  },
  where: 'Aufgabe 2c',
};
