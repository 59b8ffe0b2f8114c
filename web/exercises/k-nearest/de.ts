import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Attention auf die k nächsten Keys',
  summary: 'Jede Query schaut nur auf die k Keys, mit denen sie die höchsten Scores hat.',
  task: [
    'Viele Gewichte eines Softmax sind winzig. Sparse Attention lässt sie weg: Jede Query behält die $k$ Keys mit ihren größten Scores $s_{ij} = q_i \\cdot k_j / \\sqrt{d_k}$ und vergisst die anderen.',
    'Der Softmax läuft nur über die behaltenen Keys, ihre Gewichte summieren sich also zu 1:',
    '$$w_{ij} = \\frac{e^{s_{ij}}}{\\sum_{l \\in N_i} e^{s_{il}}} \\text{ für } j \\in N_i$$',
    'und $w_{ij} = 0$ für alle anderen, mit $N_i$ als den $k$ nächsten Keys von Query $i$. Gib die Ausgabe $W V$ und die Gewichte $W$ zurück. $1 \\le k \\le m$; die Scores einer Query sind alle verschieden; sie können bis 1000 groß werden, also zieh das Maximum ab.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
    k: 'wie viele Keys jede Query behält',
  },
  results: {
    output: 'gewichtetes Mittel der Values',
    weights: 'k Einträge jeder Zeile sind nicht 0',
  },
  cases: {
    'one query, two of four keys, by hand': 'eine Query, zwei von vier Keys, von Hand',
    'five queries, eight keys, k = 3': 'fünf Queries, acht Keys, k = 3',
    'only the nearest key, k = 1': 'nur der nächste Key, k = 1',
    'scores of 1000 and −1000': 'Scores von 1000 und −1000',
    'all keys, k = m': 'alle Keys, k = m',
    'sixteen by sixteen, k = 4': 'sechzehn mal sechzehn, k = 4',
    'only negative scores, k = 2': 'nur negative Scores, k = 2',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Scores von ein paar Einheiten sind auf 1e-6 genau, und die Gewichte auch. Keine zwei Scores einer Query liegen näher beieinander, also behalten beide dieselben Keys.',
  hints: [
    'Finde für jede Zeile von Scores den k-größten Score. Alles darunter fällt weg.',
    'Was wegfällt, muss nach dem Softmax das Gewicht 0 haben: Gib ihm davor den Score −∞.',
    'np.sort(scores, axis=1)[:, -k:] enthält die k größten jeder Zeile; ihr Minimum ist die Grenze.',
  ],
  variants: {
    'nearest-queries':
      'Du hast entlang der falschen Achse sortiert: Jeder Key hat seine k besten Queries behalten. Jede Query, also jede Zeile, wählt unter ihren Keys.',
    'one-key-too-many':
      'Du hast einen Key mehr als k behalten. Prüf, wo in den sortierten Scores die k größten beginnen.',
    smallest:
      'Du hast die k kleinsten Scores behalten. Die nächsten Keys sind die mit den größten.',
    'cut-after-softmax':
      'Du hast Keys nach dem Softmax weggelassen, deshalb summieren sich die übrigen Gewichte auf weniger als 1. Lass sie davor weg, oder normiere noch einmal.',
    'zero-instead-of-minus-infinity':
      'Du hast weggelassenen Keys den Score 0 gegeben, und e⁰ ist 1: Sie bekommen immer noch Gewicht. Ihr Gewicht muss 0 sein.',
    'largest-magnitude':
      'Du hast die Scores nach ihrer Größe ohne Vorzeichen sortiert. Ein stark negativer Score ist weit weg, nicht nah.',
    'all-keys': 'Deine Gewichte verteilen sich auf alle Keys: k hat nichts geändert.',
    'no-max':
      'Ein Score von 1000 hat die Exponentialfunktion überlaufen lassen, und übrig blieb NaN. Zieh vorher von jeder Zeile den größten Score ab: Die Gewichte bleiben gleich.',
    'no-scale':
      'Deine Scores sind nicht durch √d_k geteilt, deshalb werden die Gewichte zu scharf.',
    'wrong-axis':
      'Deine Spalten summieren sich zu 1 und nicht deine Zeilen: Dein Softmax läuft entlang der falschen Achse. Jede Query, eine Zeile, verteilt ihr Gewicht auf die Keys, die sie behalten hat.',
    'sum-along-columns':
      'Du teilst durch die Summen der Spalten. Jede Query hat eine eigene Summe, über die Keys ihrer Zeile.',
  },
  figure: {
    knobs: { n: 'Token', d: 'Breite der Keys', k: 'behaltene Keys', seed: 'Seed' },
    rows: 'Queries',
    cols: 'Keys',
    caption: 'Die Gewichte: k Zellen jeder Zeile sind nicht leer.',
  },
  where: 'Abschnitt 3; zweite Bonusaufgabe von Project 4',
};
