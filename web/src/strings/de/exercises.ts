/** ../en/exercises.ts auf Deutsch. */
import type { ExerciseStrings } from '../exercises.ts';

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
const quoted = (label: string | undefined): string => (label === undefined ? '' : ` „${label}“`);

const languages = { python: 'Python', javascript: 'JavaScript', cpp: 'C++' };

export const words: ExerciseStrings = {
  languages,
  page: {
    title: 'Übungen',
    lead: 'Jede Übung ist eine Funktion. Schreib sie hier in Python oder JavaScript oder auf deinem eigenen Rechner in C++; sie wird sofort getestet, und was du geschrieben hast, malt das Bild.',
    documentTitle: (title) => `${title} · Attention Labs`,
    all: 'Alle Übungen',
    first: 'Beginne mit dieser:',
    filter: {
      label: 'Die Liste filtern',
      search: 'Suche',
      level: 'Schwierigkeit',
      all: 'alle',
      open: 'noch nicht bestanden',
      found: (fit, of) => `${fit} von ${plural(of, 'Übung', 'Übungen')} passen.`,
    },
    states: { none: 'Nicht begonnen', begun: 'Begonnen', passed: 'Bestanden' },
    passedIn: (names) => `Bestanden in ${names.join(' und ')}`,
    summary: (passed, of) => `${passed} von ${plural(of, 'Übung', 'Übungen')} bestanden.`,
    labSummary: (passed, of) => `${passed} von ${of} bestanden`,
    unknown: (id) => `Der Link nennt eine Übung ‚${id}‘, die es hier nicht gibt. Diese gibt es.`,
    previous: 'Zurück',
    next: 'Weiter',
    nav: 'Übungen davor und danach',
    list: 'Liste der Übungen',
    loading: 'Die Übung wird geladen …',
    failed: (why) => `Diese Übung ließ sich nicht laden: ${why}`,
    retry: 'Noch einmal versuchen',
  },

  facts: {
    difficulty: { 1: 'leicht', 2: 'mittel', 3: 'schwer' },
    minutes: (n: number) => `etwa ${n} min`,
    buildsOn: 'baut auf:',
  },

  panes: { label: 'Zu sehen', code: 'Code', picture: 'Bild' },

  editor: {
    label: (title, language) => `Dein Code in ${language}: ${title}`,
    keys: (rich) =>
      rich
        ? 'Strg oder ⌘ + Eingabe führt aus, Esc hält an. Tab rückt ein; mit Esc und dann Tab verlässt du den Editor.'
        : 'Strg oder ⌘ + Eingabe führt aus, Esc hält an.',
  },

  starter: {
    returns: 'Gibt zurück:',
    draws: 'Zeichnet:',
    and: 'und',
    notWritten: 'noch nicht geschrieben',
  },

  task: {
    title: 'Was du schreibst',
    takes: 'Bekommt',
    returns: 'Gibt zurück',
    draws: 'Zeichnet',
    inOrder: 'Gibt zurück, in dieser Reihenfolge',
    optional: 'darf fehlen',
    types: {
      matrix: 'Matrix',
      vector: 'Vektor',
      stack: 'Stapel von Matrizen',
      number: 'Zahl',
      integer: 'ganze Zahl',
      boolean: 'ja oder nein',
      text: 'Text',
      numbers: 'Liste von Zahlen',
      texts: 'Liste von Texten',
      feature_map: 'Funktion, Zeilen auf Zeilen',
      dict: 'benannte Zahlen',
      drawing: 'Zeichnung',
    },
    costTitle: 'Kosten',
    cost: (wanted, slope, of) =>
      of === 'work'
        ? `Die Arbeit wird gezählt, während deine Funktion auf immer längeren Eingaben läuft; sie darf nicht schneller wachsen als n hoch ${slope}. ${wanted}.`
        : `Die Einträge deines größten Arrays oder aller Arrays in deiner größten Liste werden gezählt, während deine Funktion auf immer längeren Eingaben läuft; ihre Zahl darf nicht schneller wachsen als n hoch ${slope}. ${wanted}.`,
    toleranceTitle: 'Wie genau',
    tolerance: (rtol, atol, reason) =>
      `Relativer Fehler bis ${rtol}, absoluter bis ${atol}. ${reason}`,
    source: 'Aus',
    javascript:
      'Matrizen sind Objekte der Klasse Matrix: m.rows, m.cols, m.data (Zeile für Zeile), m.get(i, j), m.set(i, j, x), m.times(b), m.transpose(), m.map(f), m.sumRows(), m.maxRows(), Matrix.zeros(r, c), … plus, minus, mul und div nehmen eine Matrix oder eine Zahl.',
    javascriptTitle: 'Matrizen in JavaScript',
  },

  hints: {
    title: 'Tipps',
    next: (n) => `Tipp ${n} von 3`,
    none: 'Drei Tipps, einer nach dem anderen. Wie viele du genommen hast, steht in deiner Abgabe.',
    solution: 'Lösung zeigen',
    after: 'Eine Lösung ansehen',
    confirm:
      'In deiner Abgabe wird stehen, dass du die Lösung gesehen hast. Soll sie gezeigt werden?',
    yes: 'Ja, zeigen',
    no: 'Noch nicht',
    solutionTitle: (language) => `Eine Lösung in ${language}`,
    hide: 'Lösung verbergen',
    hintsHidden:
      'Auf dieser Seite gibt es die Tipps nicht: So hat es festgelegt, wer den Link gemacht hat.',
    solutionHidden:
      'Auf dieser Seite gibt es die Lösung nicht: So hat es festgelegt, wer den Link gemacht hat.',
    bothHidden:
      'Auf dieser Seite gibt es weder Tipps noch Lösung: So hat es festgelegt, wer den Link gemacht hat.',
    failed: 'Die Lösung ließ sich nicht laden. Besteht eine Verbindung zum Netz?',
  },

  run: {
    language: 'Sprache',
    atHand: 'Was du hier hast',
    toAfter: 'Neben unserem, und was es gekostet hat',
    run: 'Ausführen',
    stop: 'Anhalten',
    reset: 'Von vorn beginnen',
    restart: (language) => `${language} neu starten`,
    restarted: (language) =>
      `${language} startet neu. Dein Code ist, wie du ihn zurückgelassen hast.`,
    undo: 'Rückgängig',
    undone: 'Dein Code ist wieder da.',
    resetDone: 'Das ist wieder die leere Funktion.',
    tools: 'Dein Code',
    ready: 'Bereit.',
    fetching: (language) => `${language} wird geholt …`,
    starting: (language) => `${language} wird gestartet …`,
    running: 'Läuft …',
    step: (done, of) => `Läuft: ${done} von ${plural(of, 'Fall', 'Fällen')} fertig.`,
    progress: 'Fertige Fälle',
    measuring: 'Die Arbeit wird gezählt …',
    recognising: 'Suche nach einem Fehler, den wir kennen …',
    keptPassed: 'Das ist dein Code, wie du ihn zurückgelassen hast. Er hat bestanden.',
    kept: (passed, of) =>
      `Das ist dein Code, wie du ihn zurückgelassen hast: ${passed} von ${plural(of, 'Test', 'Tests')} bestanden. Ausführen zeigt, welche.`,
    passed: (of) => (of === 1 ? 'Bestanden: der eine Test.' : `Bestanden: alle ${of} Tests.`),
    failed: (passed, of) => `Noch nicht: ${passed} von ${plural(of, 'Test', 'Tests')} bestanden.`,
    failedCost: 'Noch nicht: Die Zahlen stimmen, die Kosten sind zu hoch.',
    notLoaded: 'Noch nicht: Dein Code ließ sich nicht laden.',
    stopped: {
      user: 'Angehalten. Dein Code ist, wie du ihn zurückgelassen hast.',
      time: 'Angehalten: Es hat zu lange gedauert. Gibt es eine Schleife, die nie endet?',
      memory: 'Angehalten: Es wurde zu viel Speicher verlangt.',
      output: 'Angehalten: Es wurde ohne Ende ausgegeben.',
      crash:
        'Angehalten: Der Interpreter ist zusammengebrochen. Dein Code ist, wie du ihn zurückgelassen hast.',
    },
    broken: (why) => `Hier lässt sich kein Code ausführen: ${why}`,
    stale:
      'Du hast deinen Code seitdem geändert. Führ ihn noch einmal aus, um zu sehen, was das bewirkt.',
    cpp: {
      native:
        'C++ läuft nativ: auf deinem eigenen Rechner, nicht in dieser Seite. Tests und Meldungen sind dieselben; das Bild malen nur Python und JavaScript. Im Ordner von Attention Labs:',
      command: 'Der Befehl',
      copy: 'Befehl kopieren',
      copied: 'Kopiert.',
      notCopied: 'Der Browser lässt diese Seite nicht kopieren; markiere stattdessen die Zeile.',
      first:
        'Der erste Aufruf baut, was die Tests brauchen; das dauert Minuten, und was dafür fehlt, installiert oder nennt er. Spätere Aufrufe dauern Sekunden.',
      commandsTitle: 'Befehle',
      commands: {
        run: 'übersetzt deine Datei und testet sie: welcher Fall scheitert, welcher Eintrag abweicht, und der Fehler, wenn wir ihn kennen',
        watch:
          'dasselbe bei jedem Speichern; Enter testet erneut, `h` gibt einen Tipp, `q` beendet',
        hint: 'der nächste der drei Tipps',
        solution: 'eine Lösung, nach einer Rückfrage',
        reset: 'wieder die leere Funktion; was du geschrieben hast, bleibt daneben erhalten',
        list: 'alle Übungen, und wie weit du bist',
      },
      progress:
        'Wie weit du in C++ bist, steht in jenem Ordner, in `tests/exercises/.progress.json`, und nicht in dieser Seite.',
      file: 'Die Datei, die du schreibst',
      fileNote: (path) => `Sie heißt \`${path}\`. Ersetze die Zeile mit \`throw\`.`,
      fileGiven: (path) => `Sie heißt \`${path}\`. Der Fehler steckt in ihrem Rumpf.`,
    },
    file: 'Datei öffnen',
    saveCode: 'Code speichern',
    link: 'Link auf diesen Code kopieren',
    embed: 'In eine Kursseite einbetten',
    linkCopied:
      'Der Link ist kopiert. Wer ihn öffnet, sieht deinen Code und entscheidet selbst, ob er ihn ausführt.',
    linkShow: 'Kopier diesen Link:',
    linkLong: 'Für einen Link ist dieser Code zu lang; speichere ihn stattdessen als Datei.',
    submission: 'Abgabe speichern',
    saved: (name) => `${name} ist gespeichert.`,
    more: 'Dateien und Links',
  },

  foreign: {
    link: 'Dieser Code kam mit dem Link. Nichts davon wurde ausgeführt.',
    file: (name) => `Das ist ${name}. Nichts davon wurde ausgeführt.`,
    show: 'Der Code, der ankam',
    use: 'In den Editor übernehmen',
    leave: 'Nicht übernehmen',
    used: 'Er ist im Editor und noch nicht ausgeführt. „Rückgängig“ bringt deinen eigenen Code zurück.',
    damaged: 'Der Code des Links ist beschädigt; lass dir den Link noch einmal geben.',
    tooLong: (name) => `${name} ist zu lang, um Code für diese Übung zu sein.`,
    none: (name) => `${name} enthält keinen Code für diese Übung in dieser Sprache.`,
    unreadable: (name) => `${name} lässt sich nicht als Text lesen.`,
  },

  other: {
    text: (when) => `In einem anderen Tab gibt es eine Fassung dieses Codes, gespeichert ${when}.`,
    show: 'Die andere Fassung',
    take: 'Die andere nehmen',
    keep: 'Diese behalten',
    taken: 'Die andere Fassung ist im Editor. „Rückgängig“ bringt die dieses Tabs zurück.',
    kept: 'Die Fassung dieses Tabs bleibt.',
  },

  kept: {
    title: 'Deine Arbeit',
    intro:
      'Sie wird beim Tippen in diesem Browser aufbewahrt und nirgendwohin geschickt. Mit einer Datei nimmst du sie in einen anderen mit.',
    problem: (reason) => `${reason} Speichere sicherheitshalber eine Datei.`,
    framed:
      'Kommt keine Datei an, erlaubt dieser Rahmen keine: Kopiere, was du geschrieben hast, oder öffne die Seite in einem eigenen Tab.',
    newer:
      'Eine neuere Version dieser Seite hat einen Stand dieser Übung aufbewahrt. Diese Version kann ihn nicht lesen und lässt ihn, wie er ist; was du hier schreibst, wird daneben aufbewahrt.',
    newerSave: 'Diesen Stand als Datei speichern',
    newerLeft: (count) =>
      count === 1
        ? 'Ein Eintrag der Datei ist nur für eine neuere Version dieser Seite lesbar. Er wird hier ausgelassen und bleibt in der Datei.'
        : `${count} Einträge der Datei sind nur für eine neuere Version dieser Seite lesbar. Sie werden hier ausgelassen und bleiben in der Datei.`,
    export: 'Alles als Datei speichern',
    import: 'So eine Datei öffnen',
    submission: 'Eine Abgabe von allem speichern',
    student: 'Dein Name in Abgaben',
    studentNote: 'So, wie deine Lehrenden dich kennen. Darf leer bleiben.',
    exported: (name) => `${name} ist gespeichert.`,
    reset: 'Ein Lab zurücksetzen',
    resetButton: 'Die Arbeit dieses Labs vergessen',
    resetDone: (lab, count) =>
      `${plural(count, 'Eintrag', 'Einträge')} von „${lab}“ ${count === 1 ? 'ist' : 'sind'} vergessen.`,
    resetNothing: (lab) => `Von „${lab}“ gibt es keine Arbeit, die zu vergessen wäre.`,
    imported: (count) => `${plural(count, 'Eintrag', 'Einträge')} aus der Datei übernommen.`,
    undo: 'Rückgängig',
    undone: 'Alles ist wieder wie vorher.',
    plan: {
      title: 'Was die Datei tun würde',
      table: 'Ihre Einträge',
      new: 'kommt dazu',
      same: 'derselbe Code wie deiner',
      replaces: 'ersetzt deinen',
      apply: (count) => `${plural(count, 'Eintrag', 'Einträge')} übernehmen`,
      cancel: 'Nicht übernehmen',
      nothing: 'Die Datei enthält keine Einträge.',
      step: (title, language) => `${title} (${language})`,
      labStep: (lab) => `Antworten im Lab „${lab}“`,
      joins: 'kommt zu deinen dazu; erste Antworten bleiben',
      columns: {
        exercise: 'Übung',
        does: 'Der Eintrag',
        yours: 'Deiner, gespeichert',
        file: 'Der der Datei, gespeichert',
      },
    },
  },

  report: {
    title: 'Tests',
    hiddenName: 'verdeckt',
    seed: (seed: number) =>
      `Die gezogenen Eingaben sind in jedem Lauf andere. Seed dieses Laufs: ${seed}.`,
    passed: 'Bestanden',
    failed: 'Gescheitert',
    notRun: 'Nicht gelaufen',
    recognised: 'Ein Fehler, den wir kennen',
    loadError: 'Dein Code ließ sich nicht laden',
    line: (line) => `Zeile ${line}`,
    goTo: (line) => `Zu Zeile ${line}`,
    printed: 'Ausgegeben',
    printedTop: 'Beim Laden ausgegeben',
    arguments: 'Aufgerufen mit',
    expected: 'Erwartet',
    actual: 'Deins',
    difference: '|Δ|',
    differenceHeading: 'Abstand vom erwarteten Wert',
    differenceUnit: (power) => `|Δ| in Einheiten von 10${power}`,
    firstDifference: 'Erster Unterschied bei',
    differ: 'Einträge, die sich unterscheiden',
    of: (wrong, of) => `${wrong} von ${of}`,
    largest: { absolute: 'Absoluter Fehler', relative: 'Relativer Fehler' },
    largestOfThese: {
      absolute: 'Größter absoluter Fehler davon',
      relative: 'Größter relativer Fehler davon',
    },
    shapeSeen: 'Form',
    notFinite: 'nicht endlich',
    scalar: 'eine Zahl',
    hidden: 'Die verdeckten Tests zeigen ihre Zahlen, sobald die sichtbaren bestanden sind.',
    window: (r0, r1, rows, c0, c1, cols) =>
      `Zeilen ${r0}–${r1} von ${rows}, Spalten ${c0}–${c1} von ${cols}`,
    row: 'Zeile',
    column: 'Spalte',
    slice: (index) => `Matrix ${index}`,
    given: (name) => `die vorgegebene Funktion ${name}`,
    empty: 'leer',
    milliseconds: (ms) => `${ms} ms`,
    table: (what) => `${what}, als Zahlen`,
    cost: {
      title: 'Kosten',
      passed: 'Niedrig genug',
      failed: 'Zu hoch',
      chart: 'Arbeit über der Länge',
      work: 'deine, gezählt',
      allowed: (slope) => `erlaubt: Steigung ${slope}`,
      slope: (slope, most) => `Angepasste Steigung ${slope}; erlaubt ist höchstens ${most}.`,
      noSlope: 'Es ließ sich keine Steigung anpassen.',
      xLabel: 'n',
      yLabels: {
        work: 'Multiply-Adds + berührte Einträge',
        largest: 'Einträge des größten Arrays oder der größten Liste',
      },
      columns: {
        n: 'n',
        work: 'Arbeit',
        multiplyAdds: 'Multiply-Adds',
        touched: 'Berührte Einträge',
        bytes: 'Bytes',
      },
      table: 'Was gezählt wurde',
      point: (series, n, work) => `${series}: n = ${n}, Arbeit ${work}`,
    },
    chart: {
      role: 'Diagramm',
      keys: 'Mit den Pfeiltasten links und rechts gehst du an einer Linie entlang, mit oben und unten von Linie zu Linie, mit Pos 1 und Ende an ihre Enden; Escape lässt los.',
      legend: 'Linien',
      hint: 'Zeig auf einen Punkt oder geh mit den Pfeiltasten hin, um ihn zu lesen.',
      hintTouch: 'Tipp auf einen Punkt, um ihn zu lesen.',
      empty: 'Noch gibt es nichts zu zeichnen.',
    },
  },

  picture: {
    title: 'Das Bild',
    yours: 'Deins',
    reference: 'Referenz',
    difference: 'Differenz',
    differenceSubtitle: (largest) => `deins − Referenz, höchstens ${largest}`,
    same: 'deins − Referenz: nichts als Rundung',
    wait: 'Führ deine Funktion aus, um sie hier zu sehen.',
    waitReference: 'Der Rechenkern wird gefragt …',
    waitDifference: 'Deins und die Referenz, sobald beide da sind.',
    size: (rows, cols, down, along) => `${rows}×${cols}, ${down} ↓ ${along} →`,
    notSaved: 'Das Bild ließ sich nicht speichern.',
    files: 'Das Bild als Datei',
    save: { svg: 'Das Bild als SVG speichern', csv: 'Die Zahlen als CSV speichern' },
    knobs: 'Regler des Bildes',
    failed: (error) =>
      `Mit diesen Zahlen ist deine Funktion gescheitert: ${error}${/[.!?]$/.test(error) ? '' : '.'}`,
    slow: (shown) =>
      `Für diese Zahlen ist deine Funktion zu langsam.${shown ? ' Das letzte gelungene Bild bleibt stehen.' : ''}`,
    last: 'Das letzte gelungene Bild bleibt stehen.',
    shape: (actual, wanted) =>
      `Deine Funktion hat ${actual} zurückgegeben; die Referenz hat ${wanted}.`,
    parts: (wanted) =>
      `Deine Funktion hat einen Wert zurückgegeben; gewünscht sind ${wanted}, in ihrer Reihenfolge.`,
    noArray: 'nichts, was sich zeichnen ließe',
    referenceFailed: (why) => `Die Referenz ließ sich nicht berechnen: ${why}`,
    old: 'Das ist der Code eines früheren Laufs.',
    value: 'Wert',
    blocked: '−∞, blockiert',
    cell: (rows, i, row, cols, j, col) => `${rows} ${i}${quoted(row)}, ${cols} ${j}${quoted(col)}`,
    summary: (heading, height, width, rows, cols, subtitle) =>
      `${heading}: ${height} mal ${width}, ${rows} mal ${cols}. ${subtitle}`,
    point: (series, x, y) => `${series}: ${x}, ${y}`,
    over: (y, x) => `${y} über ${x}`,
    matched: 'Dein Bild und die Referenz stimmen überein.',
    matchedHere:
      'Dein Bild und die Referenz stimmen überein, aber ein Test ist gescheitert: Das Bild allein zeigt es nicht.',
    differenceNoNumber: 'deins − Referenz: nicht endlich',
    differsNoNumber:
      'Dein Bild und die Referenz weichen dort ab, wo eines von beiden NaN oder unendlich ist.',
    differsInTest: (test) =>
      `Mit den Zahlen der Regler stimmt dein Bild mit der Referenz überein. Das hier ist der fehlgeschlagene Test „${test}“, in dem es das nicht tut.`,
    differs: (largest) => `Dein Bild weicht von der Referenz um höchstens ${largest} ab.`,
  },

  drawing: {
    row: 'Zeile',
    col: 'Spalte',
    untitled: 'Ohne Titel',
    line: (n) => `Linie ${n}`,
    figure: (n) => `Abbildung ${n}`,
    written: (texts) => `Darin steht ${texts}.`,
    differs: 'Deine Zeichnung ist nicht die gewünschte.',
    nothing: 'Mit diesen Zahlen hat deine Funktion nichts gezeichnet.',
  },

  scratch: {
    title: 'Ein Schmierblatt',
    intro:
      'Führ beliebiges Python in derselben Umgebung aus: die Namen von NumPy, die Arrays im Rechenkern in C++. Bewertet wird hier nichts.',
    label: 'Schmierblatt in Python',
    preset: 'Beginnen mit',
    presets: {
      blank: 'Ein paar Zeilen NumPy',
      kernelTrick: 'Lab 02: erwartetes Verhalten',
      featureMaps: 'Lab 03: erwartetes Verhalten',
      stability: 'Numerische Stabilität von Softmax',
      masking: 'Masken, und Zeilen, die nichts sehen',
      heads: 'Bilder von Köpfen, mit matplotlib',
    },
    day42Title: 'Tag 42: Attention-Mechanismen',
    day42: {
      verify: 'Ist alles da?',
      basic: 'Schnellstart 1: eine Schicht',
      sparse: 'Schnellstart 2: dünne Attention',
      cache: 'Schnellstart 3: ein Cache',
      causal: 'Die kausale Maske',
      stability: 'Numerische Stabilität, und NaN',
      minus: '−1e9 statt −∞',
      memory: 'Der Block mit autocast',
      device: 'Geräte',
      checkpoint: 'Zu wenig Speicher: ein Checkpoint',
      overflow: 'Der Cache läuft über',
    },
    parts: {
      title: (yours, ours) =>
        `Das Modul \`exercise\`: ${yours} seiner Funktionen ${yours === 1 ? 'ist' : 'sind'} von dir, ${ours} von uns`,
      missing: (yours, missing) =>
        `Das Modul \`exercise\`: ${yours} seiner Funktionen ${yours === 1 ? 'ist' : 'sind'} von dir, ${missing} ${missing === 1 ? 'fehlt' : 'fehlen'}`,
      intro:
        'Seine Klassen halten die Matrizen. Was sie rechnen, kommt aus diesen Funktionen: aus deinem eigenen Code, sobald er in Python bestanden hat, und bis dahin aus unserer Lösung.',
      yours: 'von dir',
      ours: 'von uns, bis deine bestanden hat',
      changed: 'von uns: deine hatte bestanden und wurde seither geändert',
      none: 'fehlt, bis deine bestanden hat',
      taken: 'in diesem Lauf benutzt',
      onlyOwn: 'Nur meine eigenen: unsere bleiben weg',
    },
    output: 'Ausgabe',
    nothing: 'Es wurde nichts ausgegeben.',
    added: 'Dein Code setzt voraus, und darum wurde davor geschrieben:',
    open: 'Schmierblatt öffnen',
    done: (ms) => `Fertig in ${ms} ms.`,
    replaced: 'Auf dem Blatt steht jetzt das Beispiel.',
    error: (type, message) => `${type}: ${message}`,
  },

  embedded: {
    open: 'Anfangen',
    close: 'Schließen',
    passed: 'bestanden',
    picture: 'Das Bild deiner Funktion',
    all: 'Alle Übungen',
  },
};
