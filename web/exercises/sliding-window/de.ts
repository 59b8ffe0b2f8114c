import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Attention im gleitenden Fenster',
  summary:
    'Kausale Attention nur über die letzten paar Token, zu Kosten, die mit n wachsen und nicht mit n².',
  task: [
    'Jedes Token schaut auf sich selbst und auf die `window` − 1 Token vor ihm, nicht weiter zurück und nie voraus: Query $i$ sieht die Keys $j$ mit $i - w < j \\le i$, wobei $w$ gleich `window` ist. Die ersten Token sehen weniger, denn vor 0 gibt es keine Keys.',
    'Über die Keys, die eine Query sieht, ist es gewöhnliche Attention: Scores $q_i \\cdot k_j / \\sqrt{d_k}$, Softmax (zieh das Maximum ab, Scores können 1000 erreichen), gewichtetes Mittel der Values.',
    'Es geht um die Kosten. Alle $n^2$ Scores zu berechnen und die meisten zu maskieren ergibt die richtigen Zahlen und spart nichts. Fass nur die Keys im Fenster an, sodass $n$ Token $n\\,w\\,(d_k + d_v)$ Multiply-Adds kosten. `window` ist mindestens 1 und kann größer sein als $n$.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
    window: 'wie viele Keys eine Query sieht, den eigenen eingeschlossen',
  },
  results: {
    output: 'eine Zeile für jede Query',
  },
  cases: {
    'equal scores, window 2, by hand': 'gleiche Scores, Fenster 2, von Hand',
    'eight tokens, window 3': 'acht Token, Fenster 3',
    'window 1: only itself': 'Fenster 1: nur sich selbst',
    'scores of 1000': 'Scores von 1000',
    'a window as long as the sequence': 'ein Fenster so lang wie die Sequenz',
    'a window longer than the sequence': 'ein Fenster länger als die Sequenz',
    'twenty-four tokens, window 5': 'vierundzwanzig Token, Fenster 5',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Scores von ein paar Einheiten sind auf 1e-6 genau, und die Gewichte auch.',
  cost: 'n·w·(d_k + d_v) Multiply-Adds',
  hints: [
    'Geh die Queries einzeln durch. Welcher ist der erste Key, den Query i sieht, und welcher der letzte?',
    'Der erste ist max(0, i − window + 1), der letzte ist i. Ein Slice endet eins hinter seinem letzten Eintrag.',
    'K[first:i + 1] @ Q[i] liefert die Scores im Fenster; nimm davon den Softmax und gewichte damit V[first:i + 1].',
  ],
  variants: {
    'one-key-too-many':
      'Dein Fenster enthält einen Key zu viel. Seine Größe zählt das Token selbst mit: Bei Fenster 1 sieht ein Token nur sich selbst.',
    'one-key-too-few':
      'Dein Fenster enthält einen Key zu wenig. Seine Größe zählt das Token selbst und window − 1 davor.',
    'looks-ahead':
      'Dein Fenster reicht so weit voraus wie zurück. Eine Query sieht keinen Key nach ihrem eigenen.',
    'future-window':
      'Dein Fenster öffnet sich nach vorn: Jedes Token sieht sich selbst und die danach. Es soll die davor sehen.',
    'all-keys':
      'Deine Queries sehen jeden Key, davor und danach. Jede darf nur sich selbst und die window − 1 Token davor sehen.',
    'whole-past':
      'Deine Queries sehen die ganze Vergangenheit: Das ist kausale Attention ohne Fenster. Keys, die weiter als window − 1 zurückliegen, dürfen nicht zählen.',
    'negative-start':
      'Bei den ersten Token beginnt dein Slice unter 0, und Python zählt dann vom Ende. Das Fenster beginnt frühestens bei Key 0.',
    'cut-after-softmax':
      'Dein Softmax lief über die ganze Vergangenheit, und das Fenster wurde erst danach ausgeschnitten; deshalb summieren sich die Gewichte nicht mehr zu 1. Der Softmax gehört in das Fenster.',
    'no-max':
      'Ein Score von 1000 hat die Exponentialfunktion überlaufen lassen, und übrig blieb NaN. Zieh vorher den größten Score im Fenster ab: Die Gewichte bleiben gleich.',
    'no-scale':
      'Deine Scores sind nicht durch √d_k geteilt, deshalb werden die Gewichte zu scharf.',
    'all-scores':
      'Deine Zahlen stimmen, aber du hast für jedes Paar von Token einen Score berechnet und die meisten maskiert. Berechne nur die im Fenster.',
    'wrong-axis':
      'Alle deine Gewichte sind 1: Dein Softmax läuft entlang der falschen Achse, und jeder Key wurde durch sich selbst geteilt. Er läuft über die Keys im Fenster, und ihre Gewichte ergeben zusammen 1.',
    'softmax-over-queries':
      'Dein Softmax läuft über die Queries, die einen Key sehen. Er läuft über die Keys, die eine Query sieht: Jede Zeile der Gewichte summiert sich zu 1.',
  },
  figure: {
    knobs: { n: 'Token', d: 'Breite der Keys', window: 'Fenster', seed: 'Seed' },
    rows: 'Queries',
    cols: 'Keys',
    caption:
      'Das Band der Gewichte. Die Values sind Einheitsvektoren, also ist die Ausgabe gleich den Gewichten.',
  },
  where: 'Local attention (sliding window); dort zweiseitig, hier kausal',
};
