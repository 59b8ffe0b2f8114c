/** ../en/speed.ts auf Deutsch. */
import type { SpeedStrings } from '../speed.ts';

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
const rounds = (count: number): string => plural(count, 'Runde', 'Runden');

export const words: SpeedStrings = {
  controls: 'Einstellungen',
  here: {
    title: 'Was hier läuft',
    binary: 'Programm',
    builds: {
      scalar: 'scalar: eine Zahl auf einmal',
      simd: 'SIMD128: vier Zahlen auf einmal',
      relaxed: 'Relaxed SIMD: vier auf einmal, Multiplikation und Addition in einem Befehl',
    },
    instead: 'Stattdessen:',
    why: 'Gewählt, weil',
    reasons: {
      asked: () => 'die Adresse danach fragt',
      unknown: (name) => `die Adresse nach „${name}“ fragt, was es bei uns nicht gibt`,
      unable: (name) => `die Adresse nach ${name} fragt, was dieser Browser nicht ausführen kann`,
      absent: (name) => `diese Website ohne ${name} gebaut wurde`,
    },
    passed: (names) => `dieser Browser unsere Proben für ${names.join(', ')} übersetzt`,
    failed: (names) => `nicht die für ${names.join(', ')}`,
    probes: {
      exceptions: 'Exceptions',
      simd: 'SIMD128',
      relaxed: 'Relaxed SIMD',
    },
    vector: 'Ein Vektor fasst',
    lanes: (lanes, fused) =>
      `${plural(lanes, 'Float', 'Floats')}; a·b + c ist ${fused ? 'eine Operation' : 'zwei Operationen'}`,
    cores: 'Logische Prozessorkerne',
    coresNote: (cores) => `${cores}; einer davon wird benutzt`,
    unknown: 'nicht verraten',
    browser: 'Browser',
    size: 'Heruntergeladen',
    kilobytes: (kb, name) => `${name} ${kb} kB`,
    unpacked: (kb) => ` (entpackt ${kb} kB)`,
    cached: ' (aus dem Cache des Browsers)',
    asking: 'Der Rechenkern wird gefragt …',
  },
  figure: 'Die Messung',
  guess: {
    title: 'Sag es zuerst voraus',
    ask: 'Ab welcher Länge ist lineare Attention hier schneller als Softmax-Attention? Beide haben Breite 64, und φ ist ELU + 1. Zieh die Linie oder den Regler.',
    label: 'Token, deine Schätzung',
    line: (n) => `deine Schätzung: ${n}`,
    open: 'deine Schätzung?',
  },
  knobs: {
    largest: 'Längste Sequenz',
    rounds: 'Runden',
    roundsNote: 'Jede Runde misst alles einmal.',
    show: 'Die Abbildung zeigt',
    shows: { time: 'Zeit', rate: 'Anteil am Höchstwert' },
    measure: 'Messen',
    again: 'Noch einmal messen',
    forget: 'Die Messung vergessen',
    undo: 'Rückgängig',
  },
  progress: {
    label: 'Es wird gemessen',
    stop: 'Anhalten',
    started: (count, largest) =>
      `Gemessen wird in ${plural(count, 'Runde', 'Runden')}, bis ${largest} Token.`,
    step: (done, of) => `Runde ${Math.min(done + 1, of)} von ${of}`,
    left: (seconds) => `, noch etwa ${seconds} s`,
    coarse: (step, sample) =>
      `Die Uhr dieses Browsers zählt in Schritten von ${step} ms. Damit eine Messung etwas taugt, muss sie ${sample} ms dauern, darum braucht es so lange.`,
    done: (count) => `In ${rounds(count)} gemessen.`,
    stopped: (count) =>
      `Angehalten. Was in ${plural(count, 'vollständigen Runde', 'vollständigen Runden')} gemessen wurde, bleibt.`,
    stoppedAtOnce: 'Angehalten, bevor etwas gemessen war.',
    stoppedEarly: 'Angehalten, bevor die erste Runde vollständig war. Nichts davon bleibt.',
    stoppedBefore: 'Angehalten. Die fertige Messung von vorher ist wieder da.',
    kept: (date, where) => `Das hast du am ${date} gemessen${where ? `, ${where}` : ''}.`,
    forgotten: 'Die Messung ist weg.',
    back: 'Die Messung ist wieder da.',
    failed: (why) => `Die Messung ist abgebrochen: ${why}`,
  },
  mechanisms: {
    fused: 'Softmax',
    fused_weights: 'Softmax, mit Gewichten',
    fused_causal: 'Softmax, kausal',
    fused_linear: 'Linear, ELU + 1',
    fused_linear_causal: 'Linear, kausal',
    taylor_compact: 'Linear, Taylor',
    performer: 'Linear, Performer',
  },
  longNames: {
    fused: 'Softmax-Attention',
    fused_weights: 'Softmax-Attention, die auch die Gewichte zurückgibt',
    fused_causal: 'kausale Softmax-Attention',
    fused_linear: 'lineare Attention (ELU + 1)',
    fused_linear_causal: 'kausale lineare Attention (ELU + 1)',
    taylor_compact: 'lineare Attention (Taylor, 16 breit)',
    performer: 'lineare Attention (Performer, 128 Features)',
  },
  chart: {
    title: { time: 'Zeit eines Aufrufs', rate: 'Anteil am Multiply-Add-Höchstwert' },
    x: 'n, Token',
    time: 'Millisekunden',
    rate: 'Anteil',
    empty: 'Noch ist nichts gemessen. Drück auf „Messen“.',
    role: 'Diagramm',
    keys: 'Mit den Pfeiltasten links und rechts gehst du an einer Linie entlang, mit oben und unten von Linie zu Linie, mit Pos 1 und Ende an ihre Enden.',
    legend: 'Linien',
    hint: 'Zeig auf einen Punkt oder geh mit den Pfeiltasten hin.',
    hintTouch: 'Tipp auf einen Punkt.',
    point: (name, n, ms, low, high) =>
      `${name}, n = ${n}: ${ms} ms, die Hälfte der Messungen von ${low} bis ${high}`,
    rates: (gigaflops, share) => `${gigaflops} GF/s, ${share} % des Höchstwerts`,
    limit: (gigaflops) => `der Multiply-Add-Höchstwert, ${gigaflops} GF/s`,
    measured: (n) => `gemessen: ${n}`,
    predicted: (n) => `Kostenmodell: ${n}`,
    summary: (lines, from, to) => `${plural(lines, 'Linie', 'Linien')}, n von ${from} bis ${to}.`,
    actions: {
      png: ['PNG', 'Als PNG speichern'],
      svg: ['SVG', 'Als SVG speichern'],
      csv: ['CSV', 'Jede einzelne Messung als CSV speichern'],
      json: ['JSON', 'Die ganze Messung als JSON speichern'],
      link: ['Link', 'Einen Link auf diese Einstellungen kopieren'],
    },
    tools: 'Dateien und Link',
    caption: (place, samples, date, peak, clock, finished) =>
      `${samples}, float32, ein Head, d_k = d_v = 64 (Taylor: d_k = 16), N(0, 1)-verteilte Eingaben mit Seed 1. ${place}. ${peak}${clock}${date}.${finished ? '' : ' Nicht fertig.'}`,
    samples: (complete, all, share) => {
      if (complete === 0) return `Messungen der ersten von ${all} verschränkten Runden`;
      const of =
        complete === all
          ? plural(all, 'verschränkten Runde', 'verschränkten Runden')
          : `${complete} von ${all} verschränkten Runden`;
      return share
        ? `Schnellste Messung aus ${of}, gegen die schnellste des Höchstwerts`
        : `Mediane aus ${of}, mit Quartilen`;
    },
    peak: (gigaflops) => `Höchstwert ${gigaflops} GF/s. `,
    clock: (ms) => `Die Uhr des Workers zählt in Schritten von ${ms} ms. `,
  },
  answer: {
    title: 'Wo lineare Attention überholt',
    lead: (said, where, found) =>
      `${said === undefined ? 'Das Ergebnis' : `Du hast ${said} gesagt; das Ergebnis`} ${where}: ${found}.`,
    here: 'hier',
    elsewhere: (binary, browser) => `mit ${binary} in ${browser}`,
    clauses: {
      between: (n, low, high) =>
        `Lineare Attention ist ab ${n} Token schneller (zwischen ${low} und ${high})`,
      below: (n) => `Lineare Attention ist bei jeder gemessenen Länge schneller, ab ${n} Token`,
      never: (n) =>
        `Softmax-Attention ist auch bei ${n} Token noch schneller, der größten gemessenen Länge`,
    },
    close: 'Gut geschätzt.',
    early: (times) => `Es geschieht ${times}-mal früher, als du dachtest.`,
    late: (times) => `Es geschieht ${times}-mal später, als du dachtest.`,
    why: 'Softmax-Attention macht 2·n²·64 Multiply-Adds und n² Exponentialfunktionen. Lineare Attention macht etwa 2·n·64·65 Multiply-Adds. Nach dieser Zählung sind sie bei 65 Token gleichauf; wie lange ein Multiply-Add jeweils dauert, verschiebt den Punkt von dort.',
    lab: 'Das Lab *Complexity* misst dieselben beiden Aufrufe und findet vielleicht einen anderen Punkt. Es misst nur bei verdoppelten Längen und setzt den Punkt auf eine Gerade zwischen zweien davon; hier liegen zwei Längen in jeder Verdopplung. Und es ist ein anderer Lauf, mit anderen Runden: Was der Rechner sonst noch tut, verschiebt den Punkt von Lauf zu Lauf.',
    columns: {
      pair: 'Wer wen überholt',
      measured: 'Gemessen',
      predicted: 'Kostenmodell',
      ratio: 'Gemessen / Modell',
    },
    pair: (fast, slow) => `${fast} vor ${slow}`,
    between: (n, low, high) => `${n} (zwischen ${low} und ${high})`,
    below: (n) => `bei ${n}, der kleinsten Länge, oder darunter`,
    never: (n) => `bis ${n} nicht`,
    noPrediction: 'keine in Reichweite',
    noRatio: '–',
    how: 'Das Kostenmodell zählt für beide bei jeder Länge die Operationen (im Rechenkern: complexity.hpp) und nimmt für jede die beste Zeit eines Multiply-Adds, die hier bei der größten Länge gemessen wurde. Über kurze Sequenzen erfährt es also nichts. Gemessen ist der Median des Verhältnisses der beiden in derselben Runde.',
  },
  table: {
    title: 'Was gemessen und was gezählt wurde',
    intro:
      'Gezählte Operationen sind Formeln in den Größen; die Tests halten sie gegen Läufe, die wirklich zählen. GF/s sind 10⁹ Gleitkommaoperationen in der Sekunde, aus der schnellsten Messung: zwei für jedes Multiply-Add; Exponentialfunktionen zählen nicht dazu.',
    choose: 'Länge',
    columns: {
      name: 'Verfahren',
      median: 'Median, ms',
      spread: 'Quartile, ms',
      macs: 'Multiply-Adds',
      exps: 'Exponentialfunktionen',
      bytes: 'Bewegte MB',
      rate: 'GF/s',
      share: 'Vom Höchstwert',
      slope: 'Steigung',
    },
    slopeNote:
      'Steigung: der Exponent von n in der Zeit, an die größeren Längen angepasst, mit seinem 95-%-Intervall. 1 ist linear, 2 quadratisch.',
  },
  stay: {
    title: 'Bleibt es schnell?',
    intro:
      'Bei großen Logits treffen unvorsichtige Programme auf denormale Zahlen, und bei krummen Größen gehen die Vektoren nicht auf. 1 heißt, dass nichts verloren geht.',
    columns: { what: 'Was', ordinary: 'Normal, ms', other: 'Verändert, ms', ratio: 'Verhältnis' },
    sharp: 'Queries × 30 (n = 512)',
    odd: 'n = 513, d = 63, d_v = 17 statt 512, 64, 16; ein Multiply-Add',
  },
  overhead: {
    title: 'Was ein Aufruf außer seiner Arbeit kostet',
    intro:
      'Der Rechenkern läuft in einem Worker. Jeder Aufruf geht dorthin und zurück; Matrizen werden hineinkopiert und Ergebnisse einmal herauskopiert.',
    trip: 'Ein leerer Aufruf, hin und zurück',
    copyIn: 'Hineinkopieren, je MB',
    copyOut: 'Herauskopieren, je MB',
    ms: (ms) => `${ms} ms`,
  },
  roof: {
    title: 'Der Höchstwert, und warum ihn nichts übertrifft',
    text: (lanes, fused) =>
      `Ein Vektorbefehl arbeitet auf ${plural(lanes, 'Zahl', 'Zahlen')} zugleich. Ein Multiply-Add auf so einem Vektor sind 2 × ${lanes} Gleitkommaoperationen, und ein Prozessorkern kann in einem Takt nur so und so viele davon beginnen${
        fused ? '' : '; ohne gemeinsamen Befehl ist jedes ein Produkt und dann eine Summe'
      }. Der Höchstwert ist eine Schleife aus nichts als Multiply-Adds auf zwölf Vektoren in Registern: kein Speicher, keine Exponentialfunktionen, kein Warten aufeinander. Attention besteht aus Multiply-Adds, also ist keine Anordnung davon auf einem Prozessorkern schneller. Der Speicher setzt eine zweite Grenze (das Roofline-Modell von Williams, Waterman und Patterson, 2009), aber Attention benutzt jede geladene Zahl viele Male, sodass die erste zählt.`,
    figure: (gigaflops, lanes, rate) =>
      `Hier gemessen: ${gigaflops} GF/s. Geteilt durch 2 × ${lanes} sind das ${rate} · 10⁹ Vektor-Multiply-Adds in der Sekunde.`,
  },
  how: {
    title: 'Wie gemessen wird, und warum so',
    points: (sample, steps, warm) => [
      '*Im Worker.* Die Uhr wird unmittelbar vor und nach den Aufrufen des Rechenkerns gelesen, dessen Ein- und Ausgaben in seinem Speicher bleiben. Was eine Nachricht kostet, wird für sich gemessen.',
      '*Verschränkt.* Jede Runde misst alles einmal. Wird der Rechner einen Moment langsamer, dann für alle, nicht für einen.',
      '*Mediane.* Auf einem Rechner läuft immer noch etwas anderes, und das kann die Zeit nur verlängern. Ein Mittelwert folgt dem schlimmsten Moment; der Median und die Quartile tun das nicht.',
      '*Bestes gegen Bestes.* Der Anteil am Höchstwert vergleicht die schnellste Messung mit der schnellsten des Höchstwerts. Beide liegen dann nahe an dem, was der Rechner schafft, wenn man ihn in Ruhe lässt.',
      `*Lang genug.* Eine Messung besteht aus so vielen Aufrufen, dass sie ${sample} ms und ${steps} Schritte der Uhr dauert. Browser machen die Uhr mit Absicht grob.`,
      `*Aufgewärmt.* Ein Browser übersetzt WebAssembly zweimal, zuerst schnell und später gut. Darum wird alles ${warm} ms lang aufgerufen, bevor die erste Messung beginnt, und diese Aufrufe zählen nicht.`,
    ],
  },
  recorded: {
    title: 'Neben anderen Bibliotheken',
    intro:
      'Aufgezeichnet, nicht hier ausgeführt: Die anderen Bibliotheken sind Megabytes groß. Zeiten der anderen geteilt durch unsere, auf einer Seite, verschränkt; rechts der Linie ist unsere schneller.',
    missing: 'In dieser Fassung der Website gibt es keinen aufgezeichneten Lauf.',
    length: 'Länge',
    build: 'Unser Programm',
    builds: { simd: 'SIMD128', relaxed: 'Relaxed SIMD' },
    nothing: 'Für diese Länge und dieses Programm wurde nichts aufgezeichnet.',
    x: 'mal so lange wie unsere (gepaarte Mediane, Quartile)',
    columns: {
      case: 'Fall',
      n: 'n',
      build: 'Programm',
      ours: 'Unsere, Median ms',
      share: 'Vom Höchstwert, beste',
      error: 'Fehler, größter und rms',
    },
    sort: (name) => `Sortieren nach ${name}`,
    sharesNote:
      'Zeiten sind Mediane. Der Anteil am Höchstwert ist der der schnellsten Messung, gegen die schnellste des Höchstwerts.',
    errorNote:
      'Fehler gegen float64: der größte Eintrag und das quadratische Mittel, bei der Länge, bei der jeder am größten ist. Die anderen liefen bei jeder Länge in ihrer besten Form; sie steht unter dem Verhältnis.',
    crossovers: 'Wo in diesem Lauf überholt wurde',
    notIn: (low, high) => `nicht von ${low} bis ${high}`,
    machine: (cpu, cores, platform, before, after) =>
      `${cpu}, ${plural(cores, 'Prozessorkern', 'Prozessorkerne')}, ${platform} (Last davor ${before}, danach ${after})`,
    caption: (machine, browser, date, command, commit, versions, peaks, method) =>
      `Aufgezeichnet am ${date} auf ${machine}, in ${browser}, mit ${command}, unser Commit ${commit}. ${versions.length > 0 ? `${versions.join(', ')}. ` : ''}${peaks.length > 0 ? `Höchstwerte: ${peaks.join(', ')}. ` : ''}${method}`,
    chartTitle: (n, build) => `Andere neben unserer (${build}), n = ${n}`,
    hollow: 'hohl: dieselbe Attention, in Stücken',
    actions: {
      png: ['PNG', 'Als PNG speichern'],
      svg: ['SVG', 'Als SVG speichern'],
      csv: ['CSV', 'Jedes Verhältnis als CSV speichern'],
      json: ['JSON', 'Den ganzen Lauf als JSON speichern'],
      link: ['Link', 'Einen Link auf diese Einstellungen kopieren'],
    },
    linkCopied: 'Link kopiert.',
    keep: 'Dasselbe für jede Länge steht in der Tabelle.',
  },
  files: {
    saved: (name) => `${name} ist gespeichert.`,
    notSaved: 'Der Browser konnte die Datei nicht anlegen. Versuch es mit einer anderen Art.',
    linkCopied: 'Link kopiert. Er stellt diese Einstellungen wieder her, nicht die Messung.',
    linkShow: 'Der Browser lässt diese Seite nicht an die Zwischenablage. Kopier den Link hier:',
  },
  loadFailed: 'Der Rechenkern konnte nicht starten.',
  loadHelp:
    'Diese Seite misst ein WebAssembly-Programm in deinem Browser. Lade die Seite neu; wenn das nicht hilft, nimm ein aktuelles Firefox, Chrome, Edge oder Safari und sieh nach, ob eine Erweiterung, eine Richtlinie oder ein blockierter Download WebAssembly oder Web Worker von dieser Seite fernhält.',
  reload: 'Neu laden',
  dismiss: 'Schließen',
};
