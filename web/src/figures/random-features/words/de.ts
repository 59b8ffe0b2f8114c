import type { Words } from '../../../strings/words-type';
import type { words as en } from './en';

export const words: Words<typeof en> = {
  headings: {
    m: 'Fehler von Zufallsfeatures über ihrer Anzahl',
    scale: 'Wo Zufallsfeatures zusammenbrechen',
    negative: 'Wie oft eine Schätzung negativ ist',
  },
  over: 'Durchlauf',
  overs: { m: 'Anzahl der Features', scale: 'Größe der Eingaben' },
  show: 'Zeigen',
  shows: {
    relative: 'relativer Fehler des Kerns',
    median: 'Median des relativen Fehlers',
    mse: 'MSE der Attention-Gewichte',
    correlation: 'Korrelation mit Softmax',
    output: 'relativer Fehler der Ausgabe',
    negative: 'Anteil negativer Schätzungen',
  },
  axes: {
    relative: 'relativer Fehler, Effektivwert',
    median: 'relativer Fehler, Median',
    mse: 'MSE gegen Softmax',
    correlation: 'Korrelation mit Softmax',
    output: '‖Ausgabe − Softmax-Ausgabe‖ / ‖Softmax-Ausgabe‖',
    negative: 'negative Schätzungen',
  },
  kinds: {
    positive: 'positiv',
    trigonometric: 'trigonometrisch',
    hyperbolic: 'hyperbolisch',
  },
  rows: 'Zeilen der Projektion',
  rowsOptions: { both: 'beide', iid: 'unabhängig', orthogonal: 'orthogonal' },
  orthogonal: (kind) => `${kind}, orthogonal`,
  lemma: (kind) => `Lemma 2, ${kind}`,
  reference: '1/√m',
  uniform: 'gleiche Gewichte',
  d: 'Breite von Queries und Keys',
  n: 'Queries und Keys',
  inputScale: 'Eingaben mal',
  m: 'Zeilen der Projektion',
  mostM: 'Bis m',
  draws: 'Ziehungen',
  axisM: 'm, Zeilen der Projektion',
  axisScale: 'Eingaben mal',
  collapses: (kind, at) => `${kind}: ${at}`,
  compared: (name, time) => `${name} (${time})`,
  table: 'Was bei den Läufen herauskommt',
  columns: {
    variant: 'Features',
    slope: 'Steigung, 95 %',
    last: (at) => `bei ${at}`,
    predicted: 'laut Lemma 2',
    negative: 'negativ',
    beats: 'besser als gleiche Gewichte',
  },
  none: '–',
  beats: {
    always: 'hier überall',
    never: 'hier nirgends',
    from: (at) => `ab ${at}`,
    until: (at) => `bis ${at}`,
    between: (from, to) => `von ${from} bis ${to}`,
  },
  lemmaNote:
    'Lemma 2 des Performer-Artikels nennt die Varianz einer Schätzung aus unabhängigen Zeilen; die gestrichelten Linien sind ihre Wurzel über dieselben Paare und fallen wie 1/√m. Bei großen Eingaben machen wenige Paare mit großem ‖q + k‖ fast alles davon aus, und wenige Ziehungen treffen ein solches: Dann liegt das Gemessene darunter.',
  beatsNote:
    '„Besser als gleiche Gewichte“ vergleicht den Median des MSE der Attention mit dem eines Bildes, in dem jeder Key gleich viel zählt.',
  better: (lines) => `Besser als gleiche Gewichte: ${lines}.`,
  summary: (variants, best, value) =>
    `${variants === 1 ? 'Eine Art' : `${variants} Arten`} von Features. Am Ende am kleinsten: ${best}, ${value}.`,
  summaryLargest: (variants, best, value) =>
    `${variants === 1 ? 'Eine Art' : `${variants} Arten`} von Features. Am Ende am größten: ${best}, ${value}.`,
  describe: (sweep, d, n, draws, seed) =>
    `${sweep}, d = ${d}, n = ${n}, ${draws === 1 ? 'eine Ziehung' : `${draws} Ziehungen`}, Seed ${seed}`,
  sweepM: (most, scale) => `m bis ${most}, Eingaben × ${scale}`,
  sweepScale: (m) => `Eingaben × 1/8 bis 2, m = ${m}`,
  caption: (sweep, d, n, draws, seed) =>
    `Zufallsfeatures für exp(q·k/√d), nicht stabilisiert: ${sweep}; d = ${d}, n = ${n}, Einträge von q und k aus N(0, 1) mal dem Faktor; ${draws === 1 ? 'eine Ziehung' : `${draws} Ziehungen`} von Eingaben und Projektion, Seeds ab ${seed}; Balken: Quantile 0,1 bis 0,9 über die Ziehungen.`,
};
