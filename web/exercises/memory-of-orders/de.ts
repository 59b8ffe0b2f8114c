import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Miss, was dazwischenliegt',
  summary:
    'Beide Reihenfolgen bilden auf dem Weg zur Ausgabe eine Matrix: Wie viele Bytes belegt jede?',
  task: [
    'Jede Reihenfolge der Multiplikation bildet eine Matrix zwischen den Eingaben und der Ausgabe. $(QK^\\top)V$ bildet die Scores $QK^\\top$; $Q(K^\\top V)$ bildet $K^\\top V$.',
    '$Q$ und $K$ haben die Form $n\\times d$, $V$ hat die Form $n\\times d_v$, und jede Zahl einer Matrix belegt `bytes_per_number` Bytes. Schreibe `memory_of_orders(n, d, d_v, bytes_per_number)`. Die Funktion gibt zwei Zahlen zurück: die Bytes von $QK^\\top$ und die Bytes von $K^\\top V$.',
    'Zähle von jeder Reihenfolge nur diese eine Matrix: nicht die Eingaben, nicht die Ausgabe. Gib Bytes zurück, nicht KiB oder MiB.',
  ],
  parameters: {
    n: 'Token: Zeilen von Q, K und V',
    d: 'Spalten von Q und K',
    d_v: 'Spalten von V',
    bytes_per_number: '4 für float32, 2 für float16',
  },
  results: {
    standard: 'Bytes von QKᵀ',
    linear: 'Bytes von KᵀV',
  },
  cases: {
    'three tokens, by hand': 'drei Token, von Hand',
    '4096 tokens in float32': '4096 Token in float32',
    'values narrower than keys, float16': 'Values schmaler als Keys, float16',
    'a million tokens': 'eine Million Token',
    'one token in float64': 'ein Token in float64',
    'fewer tokens than columns': 'weniger Token als Spalten',
    'one byte a number': 'ein Byte pro Zahl',
  },
  tolerance: 'Ganze Zahlen unter 2⁵³ sind in float64 exakt.',
  hints: [
    'Welche Form hat QKᵀ? Und welche KᵀV? Eine von beiden hängt nicht von n ab.',
    'Eine Matrix mit r Zeilen und c Spalten enthält r·c Zahlen.',
    'Jede Zahl belegt bytes_per_number Bytes.',
  ],
  variants: {
    'no-bytes':
      'Du hast zurückgegeben, wie viele Zahlen die Matrizen enthalten. Wie viele Bytes belegt jede davon?',
    'square-d': 'Deine zweite Matrix ist d×d. KᵀV hat für jede Spalte von V eine Spalte.',
    'grows-with-n':
      'Dein KᵀV wächst mit der Anzahl der Token. Seine Zeilen sind die Spalten von K: Über die Token ist schon summiert.',
    'linear-in-n':
      'Dein QKᵀ ist n×d. Es enthält für jedes Paar von Token einen Score; sieh dir seine Form noch einmal an.',
    bits: 'Deine Zahlen sind achtmal zu groß: Das sind Bits. Gib Bytes zurück.',
    mebibytes: 'Du hast MiB zurückgegeben. Gib Bytes zurück: Teile nicht durch 1024².',
    swapped: 'Deine beiden Zahlen stimmen, stehen aber am falschen Platz: standard kommt zuerst.',
  },
  figure: {
    knobs: {
      n: 'Token n',
      d: 'Spalten von Q und K, d',
      d_v: 'Spalten von V, d_v',
      bytes: 'Bytes pro Zahl',
    },
    y: 'Bytes',
    caption:
      'Bytes der Matrix in der Mitte über der Anzahl der Token. Die Scores wachsen mit n²; KᵀV bleibt, wie es ist.',
  },
  where:
    'Standardreihenfolge und lineare Reihenfolge: „explicitly form the (n, n) matrix“, „never form it“',
};
