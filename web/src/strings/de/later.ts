/** Die Wörter der Oberfläche, die das erste Bild nicht braucht, mit den Schlüsseln von `../en/later.ts`. */
import type { LaterWords } from '../later.ts';

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const keys = (count: number): string => plural(count, 'Key', 'Keys');

export const words: LaterWords = {
  comparison: {
    title: 'Wie weit liegen sie auseinander?',
    warnings: 'Warnungen',
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
    correlationMeaning:
      'Liegen helle Zellen auf hellen Zellen? 1 ist dasselbe Muster, 0 kein Zusammenhang, unter 0 das Gegenteil.',
    correlationUndefined:
      'Eines der Bilder hat überall denselben Wert oder einen Wert, der keine Zahl ist.',
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
    queryOf: (i, token) => (token ? `Query ${i} „${token}“` : `Query ${i}`),
    masked: 'maskiert',
    largest: 'größtes der Zeile',
    at: 'bei',
    caption: (heading, r0, r1, rows, c0, c1, cols) =>
      `${heading}. Queries ${r0} bis ${r1} von ${rows}, Keys ${c0} bis ${c1} von ${cols}. Geh im Bild auf eine andere Zelle, dann wandert der Ausschnitt mit.`,
  },

  matrix: {
    drop: '.npy, .npz oder CSV: hierher ziehen, auswählen oder einfügen',
    member: 'Array',
    axis: (name, length) => `${name}, 0 bis ${length - 1}`,
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
    ownNote:
      'Sie bleiben in diesem Browser und gehen nirgendwo sonst hin. Q und K sind gleich breit, K und V gleich lang.',
    ownMissing: (letters) =>
      `Es fehlt noch: ${letters.join(', ')}. Bis dahin bleibt das letzte Bild stehen.`,
    letters: {
      q: 'Queries, n × d_k',
      k: 'Keys, m × d_k',
      v: 'Values, m × d_v',
    },
  },
};
