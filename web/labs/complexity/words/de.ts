import type { LabWords } from '../../../src/lab/types.ts';
import type { Figures } from './en.ts';

export const words: LabWords = {
  steps: {
    count: 'Erst zählen, dann messen',
    handout: 'Was das Handout zählt',
    memory: 'Was dazwischen liegt',
    crossover: 'Wo sich beide Reihenfolgen treffen',
    variants: 'Kausal, normiert, Taylor',
    measure: 'Jetzt messen',
    slope: 'Die Steigung lesen',
    long: 'Ein langer Text in einem Zug',
  },
  prose: {
    count: [
      'Eine $a\\times b$-Matrix mal eine $b\\times c$-Matrix hat $a\\cdot c$ Einträge, und jeder ist eine Summe von $b$ Produkten. Das sind $a\\cdot b\\cdot c$ Multiply-Adds: der Rauminhalt eines Quaders mit diesen drei Kanten. Die Abbildung oben zeichnet jedes Produkt als seinen Quader; drei seiner Seitenflächen sind die drei Matrizen.',
      'Ohne den Softmax ist Attention $QK^\\top V$. Du darfst von links multiplizieren, $(QK^\\top)V$, oder von rechts, $Q(K^\\top V)$. Heraus kommt dieselbe Matrix, denn Produkte sind assoziativ. Die Quader sind nicht dieselben: $QK^\\top$ ist so hoch und so breit, wie der Text lang ist, $K^\\top V$ nur so groß wie die Spalten.',
      'Nimm die Kante $n$ und zieh daran. Achte darauf, welche Flächen in beiden Richtungen mitwachsen.',
    ],
    handout: [
      'Ein Handout des Kurses zu diesem Thema gibt ein Beispiel: 4096 Token und 64 Spalten. Es nennt für jede Reihenfolge eine Zahl und dazu einen Gewinn. Vergleiche beide Zahlen mit den Quadern: Wie viele Produkte hat das Handout gezählt?',
    ],
    handoutAfter: [
      'Die zitierten Zahlen stehen in Anführungszeichen; alle anderen zählt der Rechenkern. Jede Reihenfolge multipliziert zweimal, und das Handout hat von jeder ein Produkt; wo der Faktor nicht ganz zwei ist, ist das Zitat gerundet. Ändere $n$ oder $d$: Das Zitat verschwindet, und der Rechenkern zählt neu.',
      'Die letzte Spalte nimmt den Nenner hinzu. Der Softmax teilt jede Zeile durch ihre Summe, lineare Attention ebenso: Das kostet auf der einen Seite $n^2$ Additionen, auf der anderen $2nD$ Multiply-Adds, für die Summe der Keys und ihr Produkt mit jeder Query. $D$ ist die Anzahl der Features, mit denen die lineare Reihenfolge rechnet. Hier sind die Spalten von $Q$ und $K$ die Features, also $D=d$.',
    ],
    memory: [
      'Zeit ist nicht der einzige Preis. Zwischen ihren beiden Produkten muss jede Reihenfolge eine Matrix aufheben: $QK^\\top$ mit $n^2$ Zahlen oder $K^\\top V$ mit $D\\cdot d_v$, wie lang der Text auch ist. In float32 braucht eine Zahl vier Bytes.',
      'Diese Seite rechnet in WebAssembly, dessen Speicher ein oberes Ende hat; der Rechenkern nennt es. Es ist eine Wand unter vielen: Auf einer Grafikkarte ist es deren Speicher, und die Matrix gibt es dort einmal für jeden Head und jeden Text des Batches.',
    ],
    crossover: [
      'Kurze Texte sind in der Standardreihenfolge billiger. Um zu finden, ab wann die lineare vorn liegt, setz beide Anzahlen gleich. Mit $D$ Features je Query und Key gilt',
      '$$n^2(d+d_v) = 2\\,n\\,D\\,d_v \\quad\\Longrightarrow\\quad n^* = \\frac{2\\,D\\,d_v}{d+d_v}.$$',
      'Für $d=d_v=D$ ist das einfach $D$: Die lineare Reihenfolge lohnt sich, sobald der Text länger ist, als die Features breit sind. Eine Feature Map, die viele Features macht, schiebt die Kreuzung um denselben Faktor nach rechts. Ändere $D$ und sieh auf die senkrechte Linie.',
    ],
    variants: [
      'Ein Modell rechnet nicht die bloßen Produkte. Drei Dinge ändern die Anzahlen, und jedes nimmt etwas von dem Gewinn, den du gesehen hast.',
      '*Normiert*: Beide teilen durch eine Summe.',
      '*Kausal*: Ein Token sieht nur sich selbst und die vor ihm. Das halbiert die Arbeit des Softmax; die lineare Reihenfolge schreibt dafür ihre Summe nach jedem Token fort und spart nichts.',
      '*Taylor*: Eine Feature Map mit dem Kern $1+s+s^2/2$, dem Anfang der Reihe von $e^s$. Sie macht aus $d$ Spalten $1+d+d^2$ Features. Die kompakte hebt das Produkt zweier verschiedener Spalten einmal statt zweimal auf, das lässt etwa die Hälfte übrig. Weil es so viele Features sind, macht man Queries und Keys für sie schmal.',
    ],
    measure: [
      'Anzahlen sind genau, aber auf eine Anzahl wartet niemand. Also miss: Der Rechenkern führt beide Arten von Attention bei jeder Länge aus, in WebAssembly auf einem Thread deines Geräts, mit zufälligen Eingaben, die schon in seinem Speicher liegen.',
      'Zeiten schwanken. Darum wird in Runden gemessen: Jede Runde misst alles einmal und fängt mit einem anderen Verfahren an. Jeder Punkt ist der Median seiner Runden, der senkrechte Strich zeigt die Quartile. Was das Gerät eine Weile bremst, bremst in dieser Runde alle. Die gepunkteten Geraden sind an die längeren Texte angepasst. Das Band um eine Gerade sagt, wie sicher ihre Anpassung ist; wo es das Bild zudecken würde, fehlt es, und das Intervall steht darunter.',
      'Der Softmax tritt zweimal an. Der eine hebt alle seine $n^2$ Gewichte auf, wie in den meisten Lehrbüchern. Der andere arbeitet sich in Kacheln durch die Keys und hat sie nie alle: ebenso viel Rechnung, weniger Speicher.',
      'Messen kostet etwa eine halbe Minute lang Strom. Du kannst auch einen aufgezeichneten Lauf einzeichnen lassen, mit dem Gerät und dem Befehl, aus dem er stammt. Mehr Verfahren und den Höchstwert deines Geräts findest du auf der Seite [Wie schnell ist das?](../../pages/speed/index.html)',
    ],
    slope: [
      'Auf zwei logarithmischen Achsen sind Kosten $c\\cdot n^p$ eine Gerade, und ihre Steigung ist der Exponent $p$. Du kannst also eine Komplexitätsklasse vom Bild ablesen, genauer: sehen, ob das Bild zu ihr passt.',
      'Sieh dir die Steigungen unter der Abbildung deines Laufs an. Das Intervall dahinter sagt, wo die Steigung mit 95 % Sicherheit liegt, wenn die Punkte um eine Gerade streuen. Bei kurzen Texten tun sie das nicht: Ein Aufruf kostet etwas, bevor das erste Token drankommt, und dieser Teil hat Steigung 0. Deshalb lässt die Anpassung die kurzen Texte weg.',
      'Die gemessene Kreuzung liegt kaum je genau dort, wo die gezählte liegt. Multiply-Adds sind nicht die ganze Arbeit: Der Softmax nimmt von jedem seiner $n^2$ Scores auch die Exponentialfunktion, eine Feature Map will angewandt, Speicher gelesen und beschrieben sein. Vergleiche *Multiply-Adds* und *Zeit* in der Abbildung, mit denselben Verfahren.',
    ],
    long: [
      'Zum Schluss ein Text, so lang wie ein Buchkapitel, in einem Aufruf. Führ das Experiment aus: Der Rechenkern arbeitet in Schritten und sagt, wie weit er ist; „Anhalten“ beendet ihn.',
      'Kausale lineare Attention liest den Text einmal, von vorn nach hinten. Mit sich trägt sie eine Matrix $S$ aus $D\\times d_v$ Zahlen und einen Vektor $z$ aus $D$: den Zustand. Wie groß er ist, hängt nicht davon ab, wie viel gelesen wurde. Halte ihn gegen die Gewichte, die der Softmax für denselben Text aufheben würde.',
      'Davon handelt das nächste Lab: wie eine Feature Map diese Reihenfolge möglich macht, obwohl ein Softmax im Weg steht, und was dabei verloren geht.',
    ],
  },
  predictions: {
    doubling: {
      question:
        'Der Text wird doppelt so lang. Was geschieht mit den Multiply-Adds von (QKᵀ)V und von Q(KᵀV)?',
      options: {
        bothTwo: 'Beide verdoppeln sich.',
        fourAndTwo: 'Die ersten vervierfachen, die anderen verdoppeln sich.',
        bothFour: 'Beide vervierfachen sich.',
        twoAndFour: 'Die ersten verdoppeln, die anderen vervierfachen sich.',
      },
      why: [
        'Beide Quader von $(QK^\\top)V$ haben zwei Kanten $n$: Verdopple sie, und es sind viermal so viele Würfel. Die Quader von $Q(K^\\top V)$ haben je eine Kante $n$. Auf logarithmischen Achsen sind das Geraden der Steigung 2 und der Steigung 1; die gezählten Werte liegen genau darauf.',
      ],
    },
    wall: {
      question:
        'Eine Matrix von Scores, n × n Zahlen in float32, ein Head. Bis zu welchem n passt sie in den Speicher, den diese Seite haben kann?',
      why: [
        'Die Bytes wachsen mit $n^2$: Wo die Linie die waagrechte schneidet, ist der Speicher zu Ende, und kein Warten hilft. Ein doppelt so langer Text braucht viermal so viel. Die andere Reihenfolge hebt bei jeder Länge dieselbe kleine Matrix auf; ihre Linie ist waagrecht.',
        'Berechnet ist die Wand aus der Grenze, die der Rechenkern nennt, und den Bytes der Scores allein. Auch Eingaben und Ausgabe brauchen Platz, in Wirklichkeit kommt sie also etwas früher.',
      ],
    },
    dearest: {
      question: 'Was davon nimmt bei 4096 Token am meisten vom Gewinn der linearen Reihenfolge?',
      options: {
        normalized: 'Das Teilen durch die Summen',
        causal: 'Die kausale Maske',
        taylor: 'Taylor-Features aus 16 Spalten',
      },
      why: [
        'Der Nenner fügt vielen Spalten eine hinzu: fast nichts. Die Maske halbiert, was der Softmax zu tun hat, und nichts von dem, was die lineare Reihenfolge tut; so geht die Hälfte des Gewinns. Features kosten im Verhältnis ihrer Anzahl: Der Gewinn ist $\\frac{n(d+d_v)}{2Dd_v}$, und $D$ steht unter dem Bruchstrich.',
      ],
    },
    here: {
      question:
        'Queries, Keys und Values haben 64 Spalten, φ ist ELU + 1. Ab welcher Länge ist lineare Attention schneller als Softmax-Attention, hier, in deinem Browser?',
      why: [
        'Das war eine kurze Messung: wenige Runden, bis zu einer mäßigen Länge, beide ohne kausale Maske, der Softmax ohne seine Gewichte aufzuheben. Das gezählte $n^*$ ist ein guter erster Tipp; was neben den Multiply-Adds zu tun ist, verschiebt die Kreuzung, und auch, was dein Gerät sonst noch tut. Das Experiment darunter nimmt mehr Runden und zeigt, wie sehr sie streuen.',
      ],
    },
  },
  checks: {
    half: {
      question: 'Das Handout lässt die Hälfte der Arbeit weg. Warum stimmt sein Gewinn trotzdem?',
      options: {
        luck: {
          text: 'Zufällig, nur bei diesen Größen.',
          why: 'Ändere n und d in der Abbildung: Das Verhältnis der ersten Produkte bleibt das Verhältnis beider, solange Q, K und V gleich breit sind.',
        },
        cancels: {
          text: 'Es lässt auf beiden Seiten die Hälfte weg, und für d = d_v sind die Hälften gleich.',
          why: 'Die zwei Produkte einer Reihenfolge brauchen gleich viele Multiply-Adds, wenn d = d_v ist. Dann ist das Verhältnis der Hälften auch das der Ganzen. Für d ≠ d_v ist es das nicht; und Nenner und Maske ändern das Verhältnis selbst.',
        },
        rounding: {
          text: 'Der Unterschied geht beim Runden verloren.',
          why: 'Ein Faktor zwei ist kein Rundungsfehler. Vergleiche in der Abbildung das erste Produkt mit beiden.',
        },
      },
    },
    between: {
      question:
        'Softmax-Attention, die ihre Gewichte aufhebt, ist bei irgendeiner Länge am Ende. Was steht im Weg?',
      options: {
        inputs: {
          text: 'Q, K und V sind zu groß geworden.',
          why: 'Sie wachsen nur mit n. Stell in der Abbildung ganz oben n = 16384 ein: Die Flächen Q und V sind nur noch Striche.',
        },
        scores: {
          text: 'Die Matrix zwischen den beiden Produkten ist zu groß geworden.',
          why: 'Ihre Bytes wachsen mit dem Quadrat von n und stoßen an das Ende des Speichers; die Abbildung zeigt die Wand.',
        },
        time: {
          text: 'Es würde zu lange dauern.',
          why: 'Es dauert lange, aber daran scheitert es nicht: Hebt man die Gewichte nie alle auf, geht dieselbe Rechnung jenseits der Wand weiter. Die Messung weiter unten zeigt es, mit „Bis zur Wand“.',
        },
      },
    },
    wider: {
      question:
        'Du tauschst eine Feature Map gegen eine mit viermal so vielen Features. Die Kreuzung liegt nun …',
      options: {
        earlier: {
          text: 'bei kürzeren Texten.',
          why: 'Mehr Features sind mehr Arbeit für die lineare Reihenfolge und keine für die andere.',
        },
        same: {
          text: 'bei derselben Länge.',
          why: 'Ändere D in der Abbildung: Die lineare Linie steigt, die Kreuzung rückt nach rechts.',
        },
        later: {
          text: 'bei viermal so langen Texten.',
          why: 'In n* = 2·D·d_v/(d + d_v) steht ein D, über dem Bruchstrich: viermal so viele Features, viermal so lange Texte.',
        },
      },
    },
    flat: {
      question:
        'Jemand passt die Zeit von Softmax-Attention über Längen von 16 bis 128 an und findet eine Steigung deutlich unter 2. Was ist geschehen?',
      options: {
        better: {
          text: 'Softmax-Attention ist besser als quadratisch.',
          why: 'Zähl nach: Die Multiply-Adds haben bei jeder Länge Steigung 2.',
        },
        fixed: {
          text: 'Bei diesen Längen sind feste Kosten ein großer Teil der Zeit, und die haben Steigung 0.',
          why: 'Ein Aufruf kostet etwas, bevor das erste Token drankommt, und kurze Schleifen lasten das Gerät schlecht aus. Ein Exponent ist eine Aussage über lange Texte; pass ihn dort an.',
        },
        wrong: {
          text: 'Die Uhr ging falsch.',
          why: 'Eine Uhr, die um einen Faktor falsch geht, schiebt die Linie nach oben oder unten. Sie dreht sie nicht.',
        },
      },
    },
    early: {
      question:
        'Die gemessene Kreuzung liegt nicht dort, wo sie gezählt liegen müsste. Was ist der beste Grund?',
      options: {
        count: {
          text: 'Es ist falsch gezählt.',
          why: 'Die Anzahl ist genau, und die Übung ließ dich nachrechnen. Sie zählt nur nicht alles, was Zeit braucht.',
        },
        rest: {
          text: 'Exponentialfunktionen, Feature Maps und Speicher brauchen Zeit und sind keine Multiply-Adds.',
          why: 'Der Softmax nimmt für jedes Paar von Token eine Exponentialfunktion, eine Feature Map für jeden Eintrag von Q und K. Wie schwer das wiegt, hängt vom Gerät ab: Eine Anzahl kann das nicht wissen.',
        },
        luck: {
          text: 'Rauschen: Oft genug gemessen, wären sie gleich.',
          why: 'Miss noch einmal und vergleiche: Rauschen verschiebt die Kreuzung von Lauf zu Lauf, mal nach links, mal nach rechts, und mit mehr Runden weniger. Ein Unterschied, der dann noch bleibt, ist kein Rauschen.',
        },
      },
    },
    flash: {
      question:
        'Eine Umsetzung von Softmax-Attention arbeitet in Kacheln und hebt die n × n Gewichte nie auf. Welche ihrer Grenzen ist weg?',
      options: {
        both: {
          text: 'Beide, Speicher und Zeit.',
          why: 'In der Messung ist ihre Linie etwa so steil wie die des anderen Softmax: Sie rechnet dasselbe.',
        },
        memory: {
          text: 'Der Speicher.',
          why: 'Sie hebt eine Kachel auf und einige Zahlen je Zeile, der Speicher wächst also mit n. Die Multiply-Adds sind dieselben n²(d + d_v), und damit auch die Steigung.',
        },
        time: {
          text: 'Die Zeit.',
          why: 'Sie mag um einen Faktor schneller sein, weil sie weniger Speicher bewegt. Bei langen Texten bleibt die Steigung 2.',
        },
      },
    },
  },
  tries: {
    count: {
      short: {
        title: 'So lang wie breit',
        text: 'Acht Token, acht Spalten: Alle vier Quader sind gleich.',
      },
      wide: {
        title: 'Ein kurzer Text, breite Spalten',
        text: 'Jetzt hat die lineare Reihenfolge die großen Quader.',
      },
      long: {
        title: 'Ein langer Text',
        text: 'Zwei riesige Platten neben zwei Stäben.',
      },
    },
    crossover: {
      elu: { title: 'ELU + 1', text: 'So viele Features wie Spalten.' },
      taylor: { title: 'Taylor', text: 'Alle Produkte von 16 Spalten.' },
      compact: { title: 'Taylor, kompakt', text: 'Jedes gemischte Produkt einmal.' },
      narrow: { title: 'Schmale Values', text: 'Auch d_v redet mit.' },
    },
    measure: {
      quick: { title: 'Schnell', text: 'Bis 1024 Token in drei Runden.' },
      causal: { title: 'Kausal', text: 'Beide mit kausaler Maske.' },
      normaliser: { title: 'Mit und ohne Nenner', text: 'Was kostet das Teilen?' },
      taylor: {
        title: 'Taylor-Features',
        text: 'Queries und Keys mit 16 Spalten; alle Produkte und kompakt.',
      },
      wall: {
        title: 'Bis zur Wand',
        text: 'Bis der Softmax mit aufgehobenen Gewichten keinen Speicher mehr findet. Dauert eine Minute oder länger.',
      },
      recorded: {
        title: 'Ein aufgezeichneter Lauf',
        text: 'In die Abbildung gezeichnet, ohne zu messen.',
      },
    },
  },
  references: {
    attention: 'Die Tabelle der Komplexitäten, die alle zitieren: n²·d für Self-Attention.',
    linear: 'Die rechte Reihenfolge, mit einer Feature Map anstelle des Softmax.',
    flash: 'Softmax-Attention in Kacheln: exakt, quadratisch in der Zeit, linear im Speicher.',
    based: 'Taylor-Features in der Praxis: 16 Spalten, und warum D der Preis ist.',
  },
  summary: [
    '$(QK^\\top)V$ und $Q(K^\\top V)$ sind dieselbe Matrix. Die erste Reihenfolge braucht $n^2(d+d_v)$ Multiply-Adds und hebt dazwischen $n^2$ Zahlen auf, die zweite braucht $2nDd_v$ und hebt $D\\,d_v$ auf.',
    'Sie treffen sich bei $n^*=2Dd_v/(d+d_v)$. Eine Maske halbiert den Gewinn, viele Features teilen ihn, der Nenner ändert kaum etwas.',
    'Eine Steigung auf logarithmischen Achsen zeigt den Exponenten, bei Längen, wo feste Kosten nicht mehr zählen. Zeiten kreuzen sich anderswo als Anzahlen, denn nicht alle Arbeit sind Multiply-Adds.',
    'Speicher ist eine Wand, Zeit eine Steigung. Wer in Kacheln arbeitet, hat keine Wand mehr, aber noch die Steigung.',
  ],
};

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const figures: Figures = {
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
    doubled: (from, to, standard, linear) =>
      `Von ${from} auf ${to} Token wächst die Standardreihenfolge um den Faktor *${standard}*, die lineare ${linear === '1' ? '*gar nicht*' : `um *${linear}*`}.`,
    walled: (bytes, n) =>
      `Diese Seite kann ${bytes} Speicher haben: Eine Matrix von Scores passt hinein bis n = *${n}*.`,
    crossed: (n) => `Gleich viele sind es bei n = *${n}*.`,
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
    verdict: (standard, linear, first, firstLinear, ratio, normalized) =>
      `Beide Produkte brauchen *${standard}*-mal so viel, wie das Handout für die Standardreihenfolge sagt, und *${linear}*-mal so viel wie für die lineare: Seine Zahlen sind die von je einem Produkt, ${first} und ${firstLinear}. Das Verhältnis beider ist wieder ${ratio}; mit dem Nenner ist es ${normalized}.`,
    caption: (n, d, source) =>
      `n = ${n}, d = d_v = ${d}. Multiply-Adds, gezählt vom Rechenkern.${source ? ` Zitiert: ${source}. Zitate sind Behauptungen jenes Textes, keine Ergebnisse dieser Seite.` : ''}`,
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
    crossings: {
      between: (linear, softmax, n) =>
        `Hier gemessen ist „${linear}“ ab n = *${n}* schneller als „${softmax}“.`,
      below: (linear, softmax, n) =>
        `Hier gemessen ist „${linear}“ bei jeder Länge schneller als „${softmax}“, von n = ${n} an.`,
      never: (linear, softmax, n) =>
        `Hier gemessen ist „${linear}“ bis n = ${n} nicht schneller als „${softmax}“.`,
    },
    starred: (n, causal) =>
      `Nach der Formel liegt die Kreuzung bei *${n}*${causal ? ', mit der Hälfte der Zellen' : ''}.`,
    countedCrossing: (n) =>
      `Nach allen Multiply-Adds dessen, was hier läuft, liegt sie ab n = ${n}.`,
    neverCounted: 'Nach den Multiply-Adds ist es nie so weit.',
    ended: (name, n, why) => `„${name}“ endet vor n = ${n}. Der Rechenkern meldet: ${why}.`,
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
    verdict: (beyond, times, bytes) =>
      beyond
        ? `Die Gewichte der Softmax-Attention bräuchten ${bytes}, *${times}-mal* so viel wie der Zustand: mehr, als diese Seite überhaupt haben kann.`
        : `Die Gewichte der Softmax-Attention bräuchten ${bytes}, *${times}-mal* so viel wie der Zustand.`,
    said: (n, milliseconds) => `Fertig: ${n} Token in ${milliseconds} Millisekunden.`,
    describe: (n, map, causal) => `${n} Token, ${map}${causal ? ', kausal' : ''}`,
    caption: (n, map, d, dV, causal, seed) =>
      `n = ${n}, d = ${d}, d_v = ${dV}, φ: ${map}, ${causal ? 'kausal, Token für Token' : 'nicht kausal'}, mit Nenner. N(0, 1)-Eingaben, Seed ${seed}; float32, ein Head.`,
  },
};
