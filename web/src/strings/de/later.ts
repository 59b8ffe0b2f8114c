/** en-later.ts auf Deutsch. */
import type { LaterStrings } from '../later.ts';

const keys = (count: number): string => `${count} ${count === 1 ? 'Key' : 'Keys'}`;

export const later: LaterStrings = {
  files: {
    linkCopied: 'Link kopiert. Er stellt alles wieder her, was du siehst.',
    linkWithoutMatrices:
      'Link kopiert. Er stellt alles wieder her außer deinen Matrizen: Für einen Link sind sie zu groß. Gib sie als CSV-Dateien weiter (Knöpfe oben).',
    saved: (name) => `${name} ist gespeichert.`,
    notSaved:
      'Der Browser konnte die Datei nicht anlegen. Versuch es mit CSV oder mit einem kleineren Fenster.',
    linkMatrices: 'Matrizen dieses Links',
    linkBroken: (message) => `Die Matrizen des Links sind nicht zu gebrauchen: ${message}.`,
    linkShow: 'Der Browser lässt diese Seite nicht an die Zwischenablage. Kopier den Link hier:',
  },

  explanation: {
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
