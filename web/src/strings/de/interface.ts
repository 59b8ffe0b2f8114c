/** Die Wörter der Oberfläche auf Deutsch, mit den Schlüsseln von `../en/interface.ts`. */
import { inSentence } from '../../plot/tokens.ts';
import type { Strings } from '../index.ts';

const quoted = (label: string | undefined): string =>
  label === undefined ? '' : ` „${inSentence(label)}“`;
const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const words: Strings = {
  slider: {
    nothing: 'nichts',
    whole: (seen, min, max) =>
      `Eingegeben: ${seen}; erwartet wird eine ganze Zahl von ${min} bis ${max}.`,
    number: (seen, min, max) =>
      `Eingegeben: ${seen}; erwartet wird eine Zahl von ${min} bis ${max}.`,
  },

  heatmap: {
    role: 'Heatmap',
    weight: 'Gewicht',
    difference: 'Differenz',
    corner: 'q ↓ k →',
    waiting: 'Der Rechenkern ist noch nicht so weit.',
    hint: 'Zeig auf eine Zelle, um sie zu lesen; ein Klick hält sie fest.',
    hintTouch: 'Tipp auf eine Zelle, um sie zu lesen; tipp noch einmal, um sie loszulassen.',
    pooled: (side) => `Jeder Punkt zeigt die stärkste von bis zu ${side}×${side} Zellen.`,
    masked: 'maskiert',
    locked: 'festgehalten',
    largest: 'größtes der Zeile',
    lockedSpoken: 'Zelle festgehalten.',
    unlocked: 'Zelle losgelassen.',
    cleared: 'Auswahl aufgehoben.',
    cell: (i, query, j, key) => `Query ${i}${quoted(query)} → Key ${j}${quoted(key)}`,
    summary: (heading, rows, cols, subtitle) =>
      `${heading}: ${plural(rows, 'Query', 'Queries')} mal ${plural(cols, 'Key', 'Keys')}. ${subtitle}`,
    keys: 'Mit den Pfeiltasten gehst du von Zelle zu Zelle, mit Pos 1 und Ende an die Enden der Zeile, mit Bild auf und Bild ab um 16 Zeilen; M findet das größte Gewicht der Zeile, die Eingabetaste hält die Zelle fest, Escape hebt die Auswahl auf, Plus und Minus zoomen, 0 zeigt alles.',
    bar: (low, high) => `Farbskala von ${low} bis ${high}`,
    tools: 'Werkzeuge',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    zoomAll: 'Alle Zellen zeigen',
    actions: {
      arcs: { short: 'Bögen', long: 'Als Bögen zwischen Wörtern ansehen' },
      table: { short: 'Tabelle', long: 'Als Tabelle ansehen' },
      png: { short: 'PNG', long: 'Das Bild als PNG speichern' },
      svg: { short: 'SVG', long: 'Das Bild als SVG speichern' },
      csv: { short: 'CSV', long: 'Die Zahlen als CSV speichern' },
      json: { short: 'JSON', long: 'Die Zahlen als JSON speichern' },
      link: { short: 'Link', long: 'Einen Link auf diese Ansicht kopieren' },
      embed: { short: 'Einbetten', long: 'Diese Ansicht in eine Kursseite einbetten' },
    },
  },

  comparison: {
    undefined: 'nicht definiert',
    correlation: 'Korrelation',
    outputError: 'Fehler der Ausgabe',
    spoken: (mse, correlation, negative) =>
      `Mittlerer quadratischer Fehler ${mse}, Korrelation ${correlation}${negative > 0 ? `, ${plural(negative, 'negatives Gewicht', 'negative Gewichte')}` : ''}.`,
  },

  shape: (rows, cols) => `${rows} × ${cols}`,

  lab: {
    controls: 'Regler',
    figures: 'Die Abbildung',
    featureMap: 'Feature Map φ',
    positivity: {
      positive: 'immer positiv',
      nonNegative: 'nie negativ, kann null sein',
      any: 'kann negativ sein',
    },
    sign: { positive: 'φ > 0', nonNegative: 'φ ≥ 0', any: 'jedes Vorzeichen' },
    input: 'Woher Q, K und V kommen',
    inputs: { text: 'Satz', gaussian: 'Normalverteilt', own: 'Eigene' },
    sentence: 'Satz',
    untrained:
      'Untrainiert: Jedes Wort bekommt ein zufälliges Embedding und eine zufällige Projektion, beide aus dem Seed. Gleiche Wörter ziehen sich an; Sprache versteht hier nichts.',
    gaussianNote:
      'Jeder Eintrag von Q, K und V wird aus N(0, 1) gezogen, auf jedem Rechner derselbe.',
    stillBefore: 'Die Bilder zeigen noch die Matrizen von vorher.',
    tooLong: (seen, most) =>
      `Das sind ${seen} Zeichen; höchstens ${most} sind möglich. Das letzte Bild bleibt stehen.`,
    tooLarge: (rows, most) =>
      `Das sind ${rows} Zeilen; höchstens ${most} kann diese Seite zeichnen.`,
    n: 'Token',
    dK: 'Breite von q und k',
    dV: 'Breite von v',
    seed: 'Seed',
    newSeed: 'Neuer Seed',
    scale: 'Mit 1/√d_k skalieren',
    scaleNote: 'Aus: Softmax sieht q·k, wie es ist.',
    causal: 'Kausale Maske',
    causalNote: 'Query i sieht die Keys 1 bis i.',
    sqrt: 'Kleine Gewichte aufhellen',
    sqrtNote: 'Die Farbe folgt der Wurzel.',
    resetDone: 'Alles ist zurückgesetzt.',
    undo: 'Rückgängig',
    busy: 'Es wird gerechnet …',
    stop: 'Anhalten',
    stopped: 'Angehalten. Das Bild zeigt noch die Werte von vorher.',
    openingTitle: 'Softmax neben einer Feature Map',
    views: {
      both: 'Beide Bilder und ihre Differenz',
      row: 'Eine Zeile Gewichte',
      cell: 'Eine Zelle, Schritt für Schritt',
    },
    softmaxTitle: 'Softmax-Attention',
    implicitTitle: 'Implizite Attention',
    differenceTitle: 'Differenz',
    softmaxSub: 'softmax(QKᵀ · Skala)',
    implicitSub: (map, d) => `φ(q)·φ(k) / Σ, φ = ${map}, D = ${d}`,
    differenceSub: 'implizit − Softmax',
    caption: {
      text: (n) => `Ein Satz mit ${n} Token, untrainiertes Embedding`,
      gaussian: (n) => `Normalverteilte Q, K, V mit n = ${n}`,
      own: (q, k, v) => `Eigene Matrizen Q ${q}, K ${k}, V ${v}`,
      shape: (n, m) => (n === m ? '' : `${n} Queries, ${m} Keys`),
      dK: (d) => `d_k = ${d}`,
      dV: (d) => `d_v = ${d}`,
      seed: (seed) => `Seed ${seed}`,
      map: (label, parameters) => `Feature Map ${label}${parameters ? ` (${parameters})` : ''}`,
      dimension: (d) => `D = ${d}`,
      scaled: (scale) => `Skala ${scale}`,
      causal: 'kausale Maske',
      full: 'keine Maske',
      sqrt: 'Farbe nach der Wurzel',
      time: (ms) => `berechnet in ${ms} ms`,
    },
    linkShow: 'Der Browser lässt diese Seite nicht an die Zwischenablage. Kopier den Link hier:',
    dismiss: 'Schließen',
    nothingYet: 'Noch gibt es nichts zu zeichnen.',
    loadFailed: 'Der Rechenkern konnte nicht starten.',
    loadHelp:
      'Die Bilder berechnet ein WebAssembly-Programm. Lade die Seite neu; wenn das nicht hilft, nimm ein aktuelles Firefox, Chrome, Edge oder Safari und sieh nach, ob eine Erweiterung, eine Richtlinie oder ein blockierter Download WebAssembly oder Web Worker von dieser Seite fernhält.',
    reload: 'Neu laden',
    restartCore: 'Rechenkern neu starten',
    computeAgain: 'Den Rechenkern neu beginnen und dies noch einmal berechnen',
    coreFailed:
      'Der Rechenkern ist gestolpert und wurde neu gestartet. Das letzte Bild bleibt stehen; bewege einen Regler, um weiterzumachen.',
    unknownMap: (id) =>
      `Der Link nennt eine Feature Map ‚${id}‘, die diese Seite nicht kennt; erwartet wird eine aus der Liste.`,
  },
};
