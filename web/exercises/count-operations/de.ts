import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Zähle die Multiply-Adds beider Reihenfolgen',
  summary:
    'Dieselben drei Matrizen, zwei Reihenfolgen der Multiplikation: Wie viele Multiply-Adds kostet jede?',
  task: [
    'Das Produkt einer $a\\times b$-Matrix mit einer $b\\times c$-Matrix hat $a\\cdot c$ Einträge, jeder davon eine Summe aus $b$ Produkten: Das kostet $a\\cdot b\\cdot c$ Multiply-Adds, also Multiplikationen mit anschließender Addition.',
    '$Q$ und $K$ haben die Form $n\\times d$, $V$ hat die Form $n\\times d_v$. Schreibe `count_operations(n, d, d_v)`. Die Funktion gibt zwei Zahlen zurück: die Multiply-Adds von $(QK^\\top)V$, der Standardreihenfolge, und die von $Q(K^\\top V)$, der linearen Reihenfolge. Jede Reihenfolge besteht aus zwei Produkten; zähle beide. Kein Softmax, keine Feature Map, keine Normierung.',
    'Ein Multiply-Add zählt hier einfach. (Als FLOPs gezählt wären es zwei.) Lege die Matrizen nicht an: Bei $n = 10^6$ passen sie nicht in den Speicher.',
  ],
  parameters: {
    n: 'Token: Zeilen von Q, K und V',
    d: 'Spalten von Q und K',
    d_v: 'Spalten von V',
  },
  results: {
    standard: 'Multiply-Adds von (QKᵀ)V',
    linear: 'Multiply-Adds von Q(KᵀV)',
  },
  cases: {
    'three tokens, by hand': 'drei Token, von Hand',
    'the lesson’s n = 4096, d = 64': 'n = 4096, d = 64 wie in der Lektion',
    'values narrower than keys': 'Values schmaler als Keys',
    'a million tokens': 'eine Million Token',
    'odd sizes, to the last digit': 'ungerade Größen, bis zur letzten Ziffer',
    'one token': 'ein Token',
    'fewer tokens than columns': 'weniger Token als Spalten',
    'values wider than keys': 'Values breiter als Keys',
  },
  tolerance: 'Ganze Zahlen unter 2⁵³ sind in float64 exakt.',
  hints: [
    'Schreib die Form jedes Zwischenergebnisses auf: QKᵀ in der einen Reihenfolge, KᵀV in der anderen.',
    'In der Standardreihenfolge ist das erste Produkt n×d mal d×n, das zweite n×n mal n×d_v.',
    'In der linearen Reihenfolge ist das erste Produkt d×n mal n×d_v, das zweite n×d mal d×d_v.',
  ],
  variants: {
    'one-product':
      'Du hast von jeder Reihenfolge nur das erste Produkt gezählt. Jede multipliziert zweimal; zähle das zweite Produkt dazu.',
    'forgot-d-v':
      'Deine Zahlen hängen nicht von d_v ab. V hat d_v Spalten, und das müssen nicht so viele sein wie bei Q und K.',
    'linear-square-d':
      'Deine lineare Reihenfolge zählt für jedes Produkt n·d². Die Matrix in der Mitte, KᵀV, ist d×d_v und nicht d×d.',
    'second-product-as-first':
      'Deine Standardreihenfolge zählt das erste Produkt zweimal. Das zweite multipliziert die n×n Scores mit V, und V hat d_v Spalten.',
    flops:
      'Deine Zahlen sind doppelt so groß, wie sie sein sollen: Das sind FLOPs. Zähle ein Multiply-Add einfach.',
    swapped: 'Deine beiden Zahlen stimmen, stehen aber am falschen Platz: standard kommt zuerst.',
    'single-precision':
      'Deine Zahlen gingen durch float32, das über 2²⁴ keine ungeraden Zahlen hat. Zähle mit ganzen Zahlen.',
    'entries-not-operations':
      'Du hast die Einträge der Ergebnisse gezählt, nicht die Arbeit. Jeder Eintrag ist eine Summe von Produkten; multipliziere mit deren Anzahl.',
  },
  figure: {
    knobs: { n: 'Token n', d: 'Spalten von Q und K, d', d_v: 'Spalten von V, d_v' },
    y: 'Multiply-Adds',
    caption:
      'Multiply-Adds beider Reihenfolgen über der Anzahl der Token. Auf logarithmischen Achsen ist n² eine Gerade mit der Steigung 2 und n eine mit der Steigung 1; sie schneiden sich, wo beide Reihenfolgen gleich viel kosten.',
  },
  where: 'The Math in Detail (dort wird nur eines der beiden Produkte gezählt)',
};
