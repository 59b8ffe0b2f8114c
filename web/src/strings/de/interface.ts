/** Die Wörter der Oberfläche auf Deutsch, mit den Schlüsseln von `../en/interface.ts`. */
import type { Strings } from '../index.ts';

const quoted = (label: string | undefined): string => (label === undefined ? '' : ` „${label}“`);
const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const keys = (count: number): string => plural(count, 'Key', 'Keys');

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
    },
  },

  comparison: {
    title: 'Wie weit liegen sie auseinander?',
    warnings: 'Warnungen',
    undefined: 'nicht definiert',
    mse: 'Mittlerer quadratischer Fehler',
    mseMeaning: 'Mittelwert von Differenz² über alle sichtbaren Zellen.',
    mseBetter: 'Näher an Softmax als überall gleiche Gewichte;',
    mseWorse: 'Nicht näher an Softmax als überall gleiche Gewichte;',
    mseReference: (uniform) => `die kämen auf ${uniform} (die Marke).`,
    mseImpossible: (bound) =>
      `Mehr als ${bound}, das Höchste zwischen zwei Mittelungen: Das zweite Bild ist keine Mittelung.`,
    maxDifference: 'Größte Differenz',
    maxMeaning: 'Das am weitesten verfehlte einzelne Gewicht:',
    maxWhere: (i, j) => `Query ${i}, Key ${j}`,
    correlation: 'Korrelation',
    correlationMeaning:
      'Liegen helle Zellen auf hellen Zellen? 1 ist dasselbe Muster, 0 kein Zusammenhang, unter 0 das Gegenteil.',
    correlationUndefined:
      'Eines der Bilder hat überall denselben Wert oder einen Wert, der keine Zahl ist.',
    outputError: 'Fehler der Ausgabe',
    outputMeaning:
      'Was die nächste Schicht merkt: wie weit die Ausgaben auseinanderliegen, gemessen an der von Softmax. 0 ist kein Fehler; bei 1 (der Marke) wäre eine Ausgabe aus lauter Nullen genauso gut.',
    negative: (count, cells) => [
      `${count} von ${plural(cells, 'Gewicht', 'Gewichten')} ${count === 1 ? 'ist' : 'sind'} negativ.`,
      'Die Zeile summiert sich immer noch zu etwa 1, aber sie ist keine Mittelung mehr: Die Ausgabe kann den Wertebereich der Values verlassen.',
    ],
    denominators: (count, rows) => [
      `${count} von ${plural(rows, 'Zeile', 'Zeilen')} ${count === 1 ? 'hat' : 'haben'} einen Nenner, der null oder negativ ist.`,
      'Durch φ(q)·Σφ(k) wird eine Zeile geteilt. Bei null ist die Zeile tot; darunter kehrt sich ihre Reihenfolge um; in der Nähe von null explodiert sie.',
    ],
    nonFinite: (count, cells) => [
      `${count} von ${plural(cells, 'Gewicht', 'Gewichten')} ${count === 1 ? 'ist keine endliche Zahl' : 'sind keine endlichen Zahlen'}.`,
      'Sie sind in Magenta mit einem Kreuz gezeichnet.',
    ],
    weights: (cell, softmax, implicit, largest) =>
      `${largest ? 'Größte Differenz, ' : ''}${cell}: Softmax ${softmax}, implizit ${implicit}.`,
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
    ownNote:
      'Sie bleiben in diesem Browser und gehen nirgendwo sonst hin. Q und K sind gleich breit, K und V gleich lang.',
    stillBefore: 'Die Bilder zeigen noch die Matrizen von vorher.',
    ownMissing: (letters) =>
      `Es fehlt noch: ${letters.join(', ')}. Bis dahin bleibt das letzte Bild stehen.`,
    letters: {
      q: 'Queries, n × d_k',
      k: 'Keys, m × d_k',
      v: 'Values, m × d_v',
    },
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

  files: {
    linkCopied: 'Link kopiert. Er stellt alles wieder her, was du siehst.',
    linkKeptHere:
      'Link kopiert. Dein Text ist für einen Link zu lang: Dieser Browser bewahrt ihn auf, und der Link zeigt ihn nur hier. Gib anderen den Text selbst.',
    linkWithoutMatrices:
      'Link kopiert. Deine Matrizen sind für einen Link zu groß: Dieser Browser bewahrt sie auf, und der Link zeigt sie nur hier. Gib sie anderen als CSV-Dateien (Knöpfe oben).',
    saved: (name) => `${name} ist gespeichert.`,
    notSaved:
      'Der Browser konnte die Datei nicht anlegen. Versuch es mit CSV oder mit einem kleineren Fenster.',
    linkMatrices: 'Matrizen dieses Links',
    linkBroken: (message) => `Die Matrizen des Links sind nicht zu gebrauchen: ${message}.`,
    linkShow: 'Der Browser lässt diese Seite nicht an die Zwischenablage. Kopier den Link hier:',
  },

  explanation: {
    title: 'Wie diese Zelle berechnet wurde',
    empty: 'Zeig auf eine Zelle oder geh mit den Pfeiltasten hin.',
    choice:
      'Die Zelle mit der größten Differenz. Zeig auf eine andere, oder klick, um eine festzuhalten.',
    masked: (cell) =>
      `${cell}: Die Maske verbirgt diesen Key vor dieser Query. Beide Gewichte sind 0.`,
    softmax: 'Softmax',
    implicit: (map) => `Implizit, φ = ${map}`,
    dot: 'wie gut sie zueinander passen',
    logit: 'skaliert',
    logSumExp: (count) =>
      count === 1
        ? 'über den einen Key, den diese Query sieht'
        : `über die ${keys(count)}, die diese Query sieht`,
    featureDot: 'wie gut sie im Feature-Raum passen',
    denominator: (count) => (count === 1 ? 'über den einen Key' : `über die ${keys(count)}`),
    rank: (rank, of) =>
      rank === 1 ? `das Gewicht, das größte von ${of}` : `das Gewicht, Nummer ${rank} von ${of}`,
    difference: 'die Differenz',
  },

  table: {
    region: 'Tabelle',
    title: 'Als Tabelle',
    close: 'Tabelle schließen',
    corner: 'Query \\ Key',
    key: 'Key',
    query: 'Query',
    masked: 'maskiert',
    largest: 'größtes der Zeile',
    at: 'bei',
    caption: (heading, r0, r1, rows, c0, c1, cols) =>
      `${heading}. Queries ${r0} bis ${r1} von ${rows}, Keys ${c0} bis ${c1} von ${cols}. Geh im Bild auf eine andere Zelle, dann wandert der Ausschnitt mit.`,
  },

  matrix: {
    drop: '.npy oder CSV: hierher ziehen, auswählen oder einfügen',
    choose: 'Datei',
    chooseLong: 'Datei auswählen für',
    paste: 'Einfügen',
    pasteLong: 'Zahlen einfügen für',
    pasted: 'eingefügte Zahlen',
    placeholder: '0.1, 0.2, 0.3\n0.4, 0.5, 0.6',
    save: 'CSV',
    saveLong: 'Als CSV speichern:',
    remove: 'Entfernen',
    removeLong: 'Entfernen:',
    reading: 'Wird gelesen …',
    cannotRead: (name, seen, wanted) => `${name}: gefunden: ${seen}; erwartet: ${wanted}.`,
    cannotOpen: (name) => `${name} ließ sich nicht öffnen. Wähl die Datei noch einmal aus.`,
  },
};
