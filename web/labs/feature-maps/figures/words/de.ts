/** Was die Abbildungen des Labs sagen. */
import type { Words } from '../../../../src/strings/words-type.ts';
import type { words as en } from './en.ts';

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const words: Words<typeof en> = {
  source: {
    label: 'Q, K und V',
    options: { gaussian: 'Gauß', lab: 'Erste Abbildung' },
    missing:
      'Die erste Abbildung wartet auf deine Matrizen. Gib dort alle drei an oder nimm Gauß-Matrizen.',
    n: 'Token',
    dK: 'Breite von q und k',
    dV: 'Breite von v',
    draws: 'Ziehungen',
    gaussian: (n, dK, dV) => `Gauß-Matrizen Q, K, V mit n = ${n}, d_k = ${dK}, d_v = ${dV}`,
    seeds: (first, count) =>
      count === 1 ? `Seed ${first}` : `Seeds ${first} bis ${first + count - 1}`,
    causal: 'kausale Maske',
    scale: (factor) => `Skalierung ${factor}`,
    usual: 'Skalierung 1/√d_k',
  },
  map: 'Feature Map φ',
  features: 'Zufallsfeatures',

  maps: {
    heading: 'Zwei Maps neben Softmax',
    left: 'Linke Map',
    right: 'Rechte Map',
    sqrt: 'Kleine Gewichte aufhellen',
    sqrtNote: 'Die Farbe folgt der Wurzel.',
    sub: (dimension) => `φ(q)·φ(k) / Σ, D = ${dimension}`,
    table: 'Wie weit von Softmax',
    measure: 'Maß',
    rows: {
      correlation: 'Korrelation',
      mse: 'Mittlerer quadratischer Fehler',
      outputError: 'Fehler der Ausgabe',
      negative: 'Negative Gewichte',
      denominators: 'Nenner ≤ 0',
    },
    uniform: (mse) =>
      `Überall gleiche Gewichte haben einen mittleren quadratischen Fehler von ${mse}.`,
    line: (map, correlation, error) =>
      `${map}: Korrelation ${correlation}, Fehler der Ausgabe ${error}.`,
    caption: (data, left, right) => `${data}. Links ${left}, rechts ${right}.`,
    spoken: (left, a, right, b) => `Korrelation mit Softmax: ${left} ${a}, ${right} ${b}.`,
  },

  registry: {
    heading: 'Das Register, gemessen',
    gradedHeading: 'Vier benotete Maps, gemessen',
    showAll: (count) => `Alle ${count} Maps zeigen`,
    showFour: 'Vier Maps zeigen',
    scaled: 'Mit 1/√d_k skalieren',
    scaledNote: 'Aus: Softmax sieht q·k, wie es ist.',
    timedN: 'Token für die Zeit',
    columns: {
      map: 'Map',
      dimension: 'D',
      minWeight: 'Kleinstes Gewicht',
      correlation: 'Korrelation',
      mse: 'Quadr. Fehler',
      outputError: 'Fehler der Ausgabe',
      milliseconds: 'Zeit, ms',
      trouble: 'Probleme',
    },
    sortBy: (column) => `Sortieren nach: ${column}`,
    undefined: 'keine',
    ofUniform: (ratio) => `${ratio} × gleiche Gewichte`,
    ofSoftmax: (ratio) => `${ratio} × Softmax`,
    share: (share) => `${share} % negativ`,
    trouble: {
      nonFinite: 'nicht endlich',
      underflow: 'Unterlauf',
      deadQueries: 'tote Queries',
      deadKeys: 'tote Keys',
      negativeDenominators: 'Nenner < 0',
      smallDenominators: 'Nenner nahe 0',
    },
    noTrouble: 'keine gesehen',
    untimed: 'nicht gemessen',
    before: 'der andere Lauf',
    stars: (count) => `${count} von 5 Sternen`,
    quote: 'Kurstext',
    quotation: (text) => `„${text}“`,
    lines: {
      uniform: (mse) => `Überall gleiche Gewichte: mittlerer quadratischer Fehler ${mse}.`,
      bound: (n, bound) => `Höchstens möglich bei ${n} Keys, 2/n: ${bound}.`,
      softmax: (ms) => `Softmax-Attention bei derselben Länge: ${ms} ms.`,
    },
    impossible: (label, printed, ratio) =>
      `${label}: Der Kurstext druckt „${printed}“, das ${ratio}-Fache dessen, was möglich ist.`,
    quoted:
      'In Anführungszeichen und Sternen: was der Kurstext (Lab 03) sagt. Einen Stern kann niemand prüfen; die Zahlen daneben kannst du noch einmal messen.',
    sameAs: (maps) => `auf die Ziffer gleich: ${maps}`,
    about: 'Zu dieser Map',
    scroll: 'Die Tabelle, seitwärts verschiebbar',
    caption: (data, scaled, features, draws, time) =>
      `${data}, ${scaled}, ${features} Zufallsfeatures. Mediane über ${plural(draws, 'Ziehung', 'Ziehungen')}; Probleme und kleinstes Gewicht: die schlimmsten davon. ${time}`,
    time: (n, dK, dV) =>
      `Zeiten: lineare Attention mit Normierung bei n = ${n}, d_k = ${dK}, d_v = ${dV}, Median von 5 Runden im Wechsel mit Softmax-Attention.`,
    spoken: (count, best, correlation) =>
      `${plural(count, 'verschiedene Map', 'verschiedene Maps')} gemessen. Beste Korrelation: ${best}, ${correlation}.`,
  },

  rows: {
    heading: 'Wie viel eine Map zu 0 macht',
    n: 'Queries je Ziehung',
    draws: 'Ziehungen',
    show: 'Gezählt',
    options: { queries: 'Tote Queries', pairs: 'Gewichte 0' },
    x: 'Breite d',
    y: { queries: 'Anteil der Queries', pairs: 'Anteil aller Paare' },
    counted: 'gezählt',
    zeroAt: (of, shares) => `Zu 0 gemacht, ${of}: ${shares}.`,
    model: { queries: '2⁻ᵈ', pairs: '(3/4)ᵈ' },
    point: (d, share, count, of) => `d = ${d}: ${share}, ${count} von ${of}`,
    modelPoint: (d, share) => `d = ${d}: ${share} zu erwarten`,
    columns: {
      d: 'd',
      share: 'Anteil',
      count: 'gezählt',
      of: 'von',
      model: 'zu erwarten bei ReLU',
    },
    caption: (map, n, draws, seeds) =>
      `φ = ${map}, N(0, 1)-verteilte Einträge, ${n} Queries und Keys, ${plural(draws, 'Ziehung', 'Ziehungen')}, ${seeds}.`,
    spoken: (first, last) => `Von ${first} bis ${last}.`,
  },

  gradients: {
    heading: 'Was vom Gradienten ankommt',
    of: 'Gradient der',
    options: { q: 'Queries', k: 'Keys' },
    y: 'Länge einer Zeile des Gradienten',
    quantiles:
      'Balken: alle Zeilen außer dem kleinsten und dem größten Zehntel. Dick: die mittlere Hälfte. Zeichen: der Median.',
    zero: '0',
    medians: (maps) => `Median der Länge einer Zeile: ${maps}.`,
    softmax: 'Softmax',
    share: (share) => `${share} %`,
    columns: {
      map: 'Map',
      p10: '10 %',
      p25: '25 %',
      median: 'Median',
      p75: '75 %',
      p90: '90 %',
      mean: 'Mittelwert',
      small: 'Einträge unter 10⁻⁶',
      flat: 'Steigungen von φ, die 0 sind',
      bad: 'Nicht endlich',
    },
    table: 'Die Quantile als Tabelle',
    caption: (data, scaled) =>
      `${data}, ${scaled}. Der Gradient an der Ausgabe hat N(0, 1)-verteilte Einträge, für jede Map dieselben.`,
    spoken: (map, median, softmax) => `Kleinster Median: ${map}, ${median}. Softmax: ${softmax}.`,
  },

  pareto: {
    heading: 'Features, Zeit und Fehler',
    x: 'Waagerecht',
    xOptions: { time: 'Zeit', dimension: 'Features D' },
    y: 'Senkrecht',
    yOptions: {
      outputError: 'Fehler der Ausgabe',
      correlation: '1 − Korrelation',
      mse: 'Quadr. Fehler',
    },
    most: 'Zufallsfeatures höchstens',
    timedN: 'Token für die Zeit',
    xLabel: { time: 'Millisekunden', dimension: 'Features D' },
    yLabel: {
      outputError: 'Fehler der Ausgabe',
      correlation: '1 − Korrelation',
      mse: 'mittlerer quadratischer Fehler',
    },
    front: 'die Front',
    softmax: 'Softmax',
    fixed: 'Breite durch d bestimmt',
    random: 'Zufallsfeatures',
    uniform: 'gleiche Gewichte',
    point: (label, x, y) => `${label}: ${x}, ${y}`,
    onFront: 'auf der Front',
    ms: (value) => `${value} ms`,
    caption: (data, draws, time) =>
      `${data}. Mediane über ${plural(draws, 'Ziehung', 'Ziehungen')}. ${time}`,
    frontIs: (labels) => `Auf der Front: ${labels}.`,
    left: (count) =>
      `${plural(count, 'Map', 'Maps')} ohne endlichen Wert ${count === 1 ? 'fehlt' : 'fehlen'}.`,
    columns: {
      map: 'Map',
      dimension: 'D',
      correlation: 'Korrelation',
      mse: 'Quadr. Fehler',
      outputError: 'Fehler der Ausgabe',
      milliseconds: 'Zeit, ms',
      front: 'Auf der Front',
    },
  },
};
