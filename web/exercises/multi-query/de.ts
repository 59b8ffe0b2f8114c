import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Multi-Query-Attention',
  summary: 'Viele Heads von Queries, die sich einen Satz Keys und Values teilen.',
  task: [
    'Was lange Texte begrenzt, ist der Cache der Keys und Values. Multi-Query-Attention macht ihn $h$-mal kleiner: Jeder Head behält seine eigenen Queries, und alle Heads lesen dieselben Keys und Values.',
    'Berechne für jeden Head $i$',
    '$$O_i = \\operatorname{softmax}\\!\\left(\\frac{Q_i K^\\top}{\\sqrt{d_k}}\\right) V$$',
    'mit dem Softmax über die Keys, für jede Query einzeln, und gib die $h$ Ausgaben als Stapel zurück. $d_k$ ist die Breite eines Heads. Scores können bis 1000 groß werden: Zieh von jeder Zeile das Maximum ab.',
  ],
  parameters: {
    Q: 'die Queries jedes Heads',
    K: 'Keys, gemeinsam',
    V: 'Values, gemeinsam',
  },
  results: {
    output: 'die Ausgabe jedes Heads',
  },
  cases: {
    'two heads, one query each, by hand': 'zwei Heads, je eine Query, von Hand',
    'three heads': 'drei Heads',
    'one head is plain attention': 'ein Head ist gewöhnliche Attention',
    'scores of 1000 and −1000': 'Scores von 1000 und −1000',
    'as many heads as queries and keys': 'so viele Heads wie Queries und Keys',
    'eight narrow heads, twenty keys': 'acht schmale Heads, zwanzig Keys',
    'a single key': 'ein einziger Key',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Scores von ein paar Einheiten sind auf 1e-6 genau, und die Gewichte auch.',
  hints: [
    'Es ist gewöhnliche Attention, einmal für jeden Head. Eine Schleife über die Heads genügt.',
    'Ohne Schleife: h×n×d_k mal d_k×m ergibt durch Broadcasting h×n×m. Der Softmax läuft entlang der letzten Achse.',
    'scores = Q @ K.T / √d_k, Softmax mit axis=-1 und keepdims=True, dann @ V.',
  ],
  variants: {
    'softmax-over-heads':
      'Deine Gewichte summieren sich über die Heads zu 1. Heads stehen nicht im Wettbewerb: Jede Query jedes Heads verteilt ihr eigenes Gewicht auf die Keys.',
    'softmax-over-queries':
      'Deine Gewichte summieren sich über die Queries zu 1. Sie müssen sich über die Keys zu 1 summieren, die letzte Achse.',
    'not-normalised':
      'Deine Gewichte summieren sich nicht zu 1: Teile die Exponentialwerte durch ihre Summe über die Keys.',
    'no-scale':
      'Deine Scores sind nicht durch √d_k geteilt, deshalb werden die Gewichte zu scharf.',
    'scaled-by-model-width':
      'Du hast durch die Wurzel der Breite aller Heads zusammen geteilt. Jedes Skalarprodukt läuft über die Breite eines Heads, und die ist d_k.',
    'queries-shared':
      'Alle deine Heads haben dieselbe Ausgabe geliefert: Für jeden wurden die Queries des ersten benutzt. Gemeinsam sind nur Keys und Values.',
    'heads-averaged':
      'Du hast die Heads zu einer Matrix gemittelt. Gib sie alle zurück, als Stapel von h Ausgaben.',
    'heads-side-by-side':
      'Du hast die Heads nebeneinander zu einer Matrix zusammengefügt. Hier ist der Stapel selbst verlangt, h×n×d_v.',
    'no-max':
      'Ein Score von 1000 hat die Exponentialfunktion überlaufen lassen, und übrig blieb NaN. Zieh vorher von jeder Zeile den größten Score ab: Die Gewichte bleiben gleich.',
    'wrong-axis':
      'Dein Maximum und deine Summe laufen über die Queries eines Heads, entlang der falschen Achse. Jede Query verteilt eine Einheit Gewicht auf die Keys, die letzte Achse.',
  },
  figure: {
    knobs: { heads: 'Heads', n: 'Token', d: 'Breite eines Heads', seed: 'Seed' },
    rows: 'Queries von Head 0',
    cols: 'gemeinsame Keys',
    caption:
      'Gewichte des ersten Heads. Die Values sind Einheitsvektoren, also ist die Ausgabe gleich den Gewichten.',
  },
  where: 'Abschnitt 3; vierte Bonusaufgabe von Project 4',
};
