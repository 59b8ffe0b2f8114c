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

  prose: {
    whatTitle: 'Zwei Arten zu gewichten',
    what: [
      'Attention beantwortet eine *Query* mit einem Mittelwert von *Values*. Wie viel jeder Value zählt, hängt davon ab, wie gut ihr *Key* zur Query passt. Softmax-Attention misst das mit einer Exponentialfunktion:',
      '{softmax}',
      'Die Exponentialfunktion macht jedes Gewicht positiv und gute Treffer noch viel stärker. Sie verknotet aber auch jede Query mit jedem Key: Bei {n} Token sind {n2} Gewichte zu berechnen, und daran führt kein Weg vorbei.',
      'Ersetz die Exponentialfunktion durch ein Skalarprodukt von *Features*, und der Knoten geht auf. Schick Query und Key zuerst durch eine Feature Map {phi}, dann multiplizier:',
      '{implicit}',
      'In der Summe über die Keys kommt die Query nicht mehr vor. Darum genügt es, sie einmal zu berechnen, für alle Queries. Die Kosten wachsen mit {n}, nicht mit {n2}. Das ist lineare Attention. Wenn sie läuft, werden ihre Gewichte nie aufgeschrieben, darum heißen sie *implizit*; die Abbildung oben schreibt sie auf, damit du sie ansehen kannst.',
      'Alles hängt also an {phi}. Das Bild rechts zeigt, was du mit deiner Wahl verlierst: blau, wo die Feature Map zu wenig Aufmerksamkeit gibt, orange, wo zu viel.',
    ],
    tryTitle: 'Zum Ausprobieren',
    tryIntro:
      'Jeder Knopf stellt die Regler ein. Mit „Zurück“ im Browser kommst du dorthin zurück, wo du warst.',
    tries: {
      sign: {
        title: 'Lass den Nenner das Vorzeichen wechseln',
        text: 'Bei φ(x) = x hält nichts φ(q)·φ(k) im Positiven. Sieh zu, wie die Summen, durch die eine Zeile geteilt wird, durch null gehen und die Gewichte in der Nähe explodieren. Die Warnungen unter der Abbildung zählen mit.',
      },
      dead: {
        title: 'Finde die toten Zeilen von ReLU',
        text: 'In zwei Dimensionen hat eine Query oft gar keinen positiven Eintrag. Dann ist φ(q) null, und die Zeile achtet auf nichts. Dreh d_k höher und sieh, wie bald das aufhört.',
      },
      sharp: {
        title: 'Schalte die Skala aus',
        text: 'Ohne 1/√d_k bekommt Softmax größere Scores und wählt in jeder Zeile einen Gewinner. Die meisten Feature Maps kommen da nicht mit: Ihre Gewichte ändern sich zu langsam mit q·k.',
      },
      causal: {
        title: 'Nimm die kausale Maske dazu',
        text: 'Die erste Query sieht nur einen Key, dort müssen beide Bilder also übereinstimmen. Sieh, wie der Unterschied mit der Zahl der Keys wächst, unter denen zu wählen ist.',
      },
      random: {
        title: 'Kauf Genauigkeit mit Zufallsfeatures',
        text: 'Zufallsfeatures schätzen die Exponentialfunktion selbst; mit unendlich vielen wäre die Schätzung exakt. Zieh ihre Zahl hinauf und hinunter und nimm neue Seeds: Wie viele braucht es hier?',
      },
    },
    mapsTitle: 'Die Feature Maps',
    mapsIntro:
      'Alles, was der Rechenkern in seinem Register hat. D ist die Zahl der Features, ausgedrückt durch die Breite d. Wähl einen Namen, um die Feature Map oben zu sehen.',
    mapsColumns: {
      name: 'Feature Map',
      phi: 'φ(x)',
      dimension: 'D',
      sign: 'Vorzeichen',
      note: 'Gut zu wissen',
      paper: 'Arbeit',
    },
    honestTitle: 'Was hier echt ist und was nicht',
    honest:
      'Die Rechnung ist echt: Ein Rechenkern in C++ berechnet jede Zahl auf dieser Seite, in deinem Browser, und derselbe Seed gibt auf jedem Rechner dieselben Zahlen. Die Sprache ist es nicht: Der Satz geht durch ein zufälliges, *untrainiertes* Embedding, seine Muster sagen also, welche Wörter gleich sind und nah beieinander stehen, nicht, was sie bedeuten. Und um eine Feature Map in einem trainierten Modell lernt der Rest herum: Eine große Differenz hier heißt, dass die beiden nicht austauschbar sind, nicht, dass das Modell versagen würde.',
    sourcesTitle: 'Woher das kommt',
    sources: [
      '[Vaswani et al. 2017, Attention Is All You Need](https://arxiv.org/abs/1706.03762): Softmax-Attention und die Skala 1/√d_k.',
      '[Katharopoulos et al. 2020, Transformers are RNNs](https://arxiv.org/abs/2006.16236): lineare Attention mit ELU + 1, gelesen als rekurrentes Netz.',
      '[Choromanski et al. 2021, Rethinking Attention with Performers](https://arxiv.org/abs/2009.14794): positive Zufallsfeatures, die die Exponentialfunktion schätzen.',
    ],
  },
};
