import type { LabWords } from '../../../src/lab/types.ts';

export const words: LabWords = {
  steps: {
    brackets: 'Ein Produkt, zwei Reihenfolgen',
    rounding: 'Auf dem Papier gleich',
    softmax: 'Was der Softmax kaputt macht',
    kernel: 'Vom Kern zur Feature Map',
    recurrent: 'Ein Zustand statt einer Matrix',
    denominators: 'Wenn der Nenner das Vorzeichen wechselt',
    claims: 'Drei Sätze aus dem Kurstext',
    check: 'Prüf dich selbst',
  },

  prose: {
    brackets: [
      'Lass den Softmax weg, und Attention ist ein Produkt aus drei Matrizen. Eine Zeile von $Q$ ist eine Query, eine Zeile von $K$ ein Key, eine Zeile von $V$ ein Value. Matrixprodukte sind *assoziativ*: Die Klammern darfst du setzen, wie du willst.',
      '$$(QK^{\\top})\\,V = Q\\,(K^{\\top}V)$$',
      'Links hat das erste Produkt eine Zeile für jede Query und eine Spalte für jeden Key: $n \\times n$ Zahlen. Es braucht $n^2 d_k$ Multiply-Adds und noch $n^2 d_v$ für die Values. Rechts hat das erste Produkt $d_k \\times d_v$ Zahlen, wie lang die Sequenz auch ist, und jedes der beiden Produkte braucht $n\\,d_k d_v$ Multiply-Adds.',
      'Spiel die Abbildung oben noch einmal ab und halte irgendwo an. Die umrandete Zeile und Spalte enthalten die Summanden der Zelle, die gerade entsteht; zeig auf eine andere Zelle oder geh mit den Pfeiltasten hin, um ihre Summanden zu sehen. Mach dann $n$ größer und schau, welcher Zähler davonläuft.',
    ],
    rounding: [
      'Im Kurstext sollst du mit dieser Zeile bestätigen, dass beide Reihenfolgen übereinstimmen: `np.testing.assert_allclose(out1, out2, rtol=1e-5)`. Das ist eine *relative* Toleranz und sonst nichts: Jeder Eintrag darf um ein Hunderttausendstel seiner selbst abweichen.',
      'Auf dem Papier gibt es da nichts zu prüfen. Aber float32 behält 24 Binärstellen; nach jeder Addition wird der Rest weggerundet, und zwei Reihenfolgen runden an verschiedenen Stellen.',
    ],
    tolerance: [
      'Jedes Zeichen im Diagramm ist ein Eintrag des ersten Seeds. Weiter rechts hat sich mehr weggehoben, weiter oben unterscheiden sich die Reihenfolgen stärker. Die Wolke folgt der Steigung der gestrichelten Linie: Je mehr sich weghebt, desto größer der relative Unterschied. float64 behält 29 Binärstellen mehr; vergleiche die Spalten.',
      'Welcher Test ist dann richtig? Einer, der weiß, wie groß die *Summanden* sind: eine absolute Toleranz für die Rundung, mit der du rechnest, und eine relative für die großen Einträge. Erhöhe `atol`, bis float32 besteht.',
    ],
    luck: [
      'Ist ein Seed, der durchfällt, nur Pech? Führ das Experiment über Seeds aus. Vergleiche, wie weit der schlechteste Eintrag springt und wie weit der Median. Geh dann $n$ durch: mehr Summanden, mehr Rundung, in beiden Genauigkeiten.',
    ],
    softmax: [
      'In echter Attention steht ein Softmax zwischen den beiden Produkten:',
      '$$O = \\mathrm{softmax}\\!\\left(QK^{\\top}/\\sqrt{d_k}\\right) V$$',
      'Er nimmt die Exponentialfunktion jedes Scores, und er teilt jede Zeile durch ihre Summe. Was von beidem hält die Klammern fest?',
      'Klammern lassen sich in *Produkten* versetzen. $QK^{\\top}$ ist ein Produkt aus einer $n \\times d_k$- und einer $d_k \\times n$-Matrix, also ist sein Rang höchstens $d_k$. Ließen sich die Gewichte als $n \\times D$ mal $D \\times n$ schreiben, könntest du die Klammern wieder versetzen, und $D$ träte an die Stelle von $d_k$. Kleiner als der Rang kann $D$ nicht sein.',
    ],
    spectrum: [
      'Aber nicht alle Richtungen zählen gleich viel: Die Singulärwerte fallen. Die Taylor-Features des nächsten Schritts erreichen den Rang $1 + d + d(d+1)/2$ und nicht mehr, wie viele Token es auch sind. Eine exakte Zerlegung ist außer Reichweite; ob es auch eine gute mit wenigen Features ist, hängt davon ab, wie steil die Werte fallen. Stell $d_k$ auf 1 oder 2, dann auf 16. Wo der gezählte Rang von Softmax unter $n$ fällt, sind die fehlenden Singulärwerte nicht null: Sie liegen unter der gestrichelten Linie, im Rauschen von float32.',
    ],
    tied: [
      'Die Division ist ein Hindernis anderer Art. Sie bindet alle Keys einer Zeile aneinander: Beweg einen Key, und die Gewichte der anderen ändern sich, obwohl ihre Scores gleich bleiben.',
    ],
    sum: [
      'Die Zeilensumme muss auf alle Keys warten. In der linearen Reihenfolge ist sie so billig zu haben wie der Rest, denn eine Summe von Produkten ist ein Produkt mit einer Summe: $\\sum_j \\varphi(q)\\cdot\\varphi(k_j) = \\varphi(q)\\cdot\\sum_j \\varphi(k_j)$. Das kostet einen Vektor mehr, $z = \\sum_j \\varphi(k_j)$. Im Weg steht also die Exponentialfunktion, nicht die Division.',
    ],
    kernel: [
      'Dreh die Frage um. Wähl eine Abbildung $\\varphi$ von $\\mathbb{R}^d$ nach $\\mathbb{R}^D$ und *erkläre* $\\varphi(q)\\cdot\\varphi(k)$ zur Ähnlichkeit, die vorher $e^{q\\cdot k/\\sqrt{d}}$ war. Dann sind die Klammern frei:',
      '$$O_i = \\frac{\\varphi(q_i)^{\\top}\\,\\sum_j \\varphi(k_j)\\,v_j^{\\top}}{\\varphi(q_i)^{\\top}\\,\\sum_j \\varphi(k_j)}$$',
      'Eine Funktion $k(x, y) = \\varphi(x)\\cdot\\varphi(y)$ ist ein *Kern* (englisch kernel), und $\\varphi$ ist seine *Feature Map*. Eine Support Vector Machine nutzt den Trick andersherum: Sie wertet $k$ aus und schreibt $\\varphi$ nie hin. Hier wird $\\varphi$ hingeschrieben, damit die Summe über die Keys gebildet werden kann, bevor eine Query bekannt ist.',
    ],
    taylor: [
      'Bei der Taylor-Map sind die Produkte $1$, dann $q_i k_i/\\sqrt{d}$, dann $q_i q_j k_i k_j/(2d)$. Zusammen ergeben sie $1 + s + s^2/2$ mit $s = q\\cdot k/\\sqrt{d}$: den Anfang der Reihe von $e^s$.',
      'Das Tutorial gibt dieser Map $d^2$ Features und lässt in $s$ die Wurzel weg. Zähl die Zeilen: Es sind $1 + d + d^2$, oder $1 + d + d(d+1)/2$, wenn man $x_1 x_2$ und $x_2 x_1$ zusammenlegt.',
    ],
    gram: [
      'Welche Ähnlichkeiten haben eine Feature Map? Nimm beliebige Punkte und schreib die Ähnlichkeiten aller Paare auf: die *Gram-Matrix*. Wenn $k = \\varphi\\cdot\\varphi$ ist, dann ist sie $\\varphi(X)\\varphi(X)^{\\top}$, und eine solche Matrix hat keinen negativen Eigenwert. Die Umkehrung ist ein Satz: Ergibt keine Menge von Punkten einen negativen Eigenwert, so gibt es eine Feature Map. Die Funktion heißt dann positiv semidefinit.',
    ],
    recurrent: [
      'Mit kausaler Maske sieht Query $t$ die Keys $1$ bis $t$. Die beiden Summen werden zu laufenden Summen:',
      '$$\\begin{aligned} S_t &= S_{t-1} + \\varphi(k_t)\\,v_t^{\\top} \\\\ z_t &= z_{t-1} + \\varphi(k_t) \\\\ o_t &= \\frac{\\varphi(q_t)^{\\top} S_t}{\\varphi(q_t)\\cdot z_t} \\end{aligned}$$',
      'Das ist ein rekurrentes Netz, dessen Zustand eine Matrix und ein Vektor ist. Geh die Token durch. In der Zeichnung steht $\\varphi(k)$ links von $S$ und $v^{\\top}$ darüber; wo sich Zeile und Spalte treffen, bekommt jede Zelle von $S$ ihr Produkt.',
    ],
    forgets: [
      'Zweierlei siehst du hier. Die Antworten aus $S$ und $z$ sind die der $n \\times n$-Matrix; der größte Unterschied steht darunter. Und der Zustand wächst nie: Alles, was von den Token davor behalten wird, muss in $D(d_v + 1)$ Zahlen passen. Eine längere Sequenz kostet keinen weiteren Speicher, und für jedes Token bleibt weniger Platz. Wähl die Taylor-Features und sieh, wie viel Platz sie dazukaufen.',
    ],
    denominators: [
      'Der Kurstext beginnt mit der Identität, $\\varphi(x) = x$, und lässt die Division weg. Warum behält er sie nicht? Weil der Nenner dann $q\\cdot\\sum_j k_j$ wäre, das Produkt zweier Vektoren, die irgendwohin zeigen.',
    ],
    positive: [
      'Wechsle nun die Map. Bei ELU + 1 und bei der Exponentialfunktion ist jedes Feature positiv und damit jeder Nenner. ReLU-Features sind nie negativ, aber die einer Query können alle zugleich null sein: Bei wenigen Spalten werden manche Zeilen nur noch durch ε geteilt. Taylor-Features können negativ sein, und trotzdem liegt $1 + s + s^2/2$ nie unter einhalb. Auf das Vorzeichen des *Produkts* kommt es an.',
      'ε rettet die Identität nicht. Es verhindert $0/0$; neben einem Nenner von gewöhnlicher Größe und falschem Vorzeichen bewirkt es nichts.',
    ],
    claims: [
      'Jetzt kannst du nachprüfen, was man dir gesagt hat. Erstens: *„For d=64 and n=4096: … Speedup: 64x!“*',
    ],
    ratio: [
      'Die zitierten Zahlen zählen eins der beiden Produkte. Das Verhältnis übersteht das, denn beide Seiten wurden halbiert. Alles übersteht es nicht: Es gilt für $D = d_k = d_v$, ohne Nenner und ohne kausale Maske. Und es zählt Multiply-Adds, keine Sekunden; die misst Lab 1.',
    ],
    same: [
      'Zweitens: *„Verification that both produce equivalent results (with the right feature map)“*. Sind die beiden Reihenfolgen gemeint, gilt es für *jede* Map, bis auf Rundung: Das ist Assoziativität. Ist das Ergebnis von Softmax gemeint, hast du gesehen, dass kein endliches $D$ es liefert.',
      'Drittens: *„Different feature maps approximate softmax to different degrees.“* ELU + 1 wurde nicht gebaut, um Softmax anzunähern: Man hat es gewählt, weil es positiv ist und überall einen Gradienten hat. Die Taylor-Map und die Zufallsfeatures von Performer wurden dafür gebaut. Bestätigt die Tabelle das?',
    ],
    unbiased: [
      'Lies die Zeile der Zufallsfeatures zweimal. Sie sind *erwartungstreu*: im Mittel über alle Projektionen richtig. Wie weit liegt diese eine daneben? Stell $d$ auf 4 und sieh zu, wie sie sich mit ebenso vielen Features erholt; nimm dann neue Seeds und sieh, wie viel Glück noch dabei ist. Lab 3 nimmt das auseinander.',
    ],
  },

  predictions: {
    small: {
      question:
        'Zwei Token, aber breite: n = 2 und d_k = d_v = 4. Welche Reihenfolge braucht weniger Multiply-Adds?',
      options: {
        standard: '$(QK^{\\top})V$',
        linear: '$Q(K^{\\top}V)$',
        same: 'Beide gleich viele',
      },
      why: [
        'Vergleiche $n^2(d_k + d_v)$ mit $2\\,n\\,d_k d_v$. Das Erste wächst mit dem Quadrat der Länge, das Zweite mit dem Produkt der Breiten. Sie treffen sich bei $n = 2 d_k d_v/(d_k + d_v)$: Bei kürzeren Sequenzen machen die versetzten Klammern es teurer.',
      ],
    },
    rtol: {
      question:
        'Du ziehst normalverteilte Q, K und V in float32 mit n = 100 und d_k = d_v = 64, rechnest beide Reihenfolgen ohne Fehler aus und lässt den Test des Kurstexts mit rtol=1e-5 laufen. Das machst du für 20 Seeds. Wie viele bestehen?',
      options: { all: 'Alle', some: 'Manche', none: 'Kein einziger' },
      why: [
        'Sieh dir den schlechtesten Eintrag an. Seine Summanden, ohne Vorzeichen addiert, sind viel größer als der Eintrag: Sie heben sich weg, ihre Rundungsfehler nicht. Die *Summanden* bestimmen den Fehler, das *Ergebnis* bestimmt die Toleranz, und unter Tausenden von Einträgen heben sich einige fast ganz weg.',
      ],
    },
    rank: {
      question:
        'n = 32 Token, d_k = 4. $QK^{\\top}$ hat 32 Zeilen und Spalten, aber höchstens Rang 4. Und $\\mathrm{softmax}(QK^{\\top}/\\sqrt{d_k})$?',
      options: {
        four: 'Auch höchstens 4',
        between: 'Mehr als 4, weniger als 32',
        full: 'Die vollen 32',
      },
      why: [
        'Die Exponentialfunktion verbiegt jeden Eintrag für sich. In $e^s = 1 + s + s^2/2 + \\dots$ hat jede Potenz von $s$ ihren eigenen Rang, und die Reihe hört nicht auf; die Zeilen durch ihre Summen zu teilen ändert keinen Rang. Bei solchen Punkten nutzt die Matrix alle Richtungen, die es gibt, für jedes $n$. Kein festes $D$ genügt: Eine *exakte* Feature Map von Softmax hat unendlich viele Features.',
      ],
    },
    psd: {
      question:
        'ELU(s) + 1 ist für jedes s positiv und steigt mit s, ganz ähnlich wie e^{s}. Könnte es als Ähnlichkeit mit Feature Map an die Stelle von e^{s} treten? Nimm acht Punkte in der Ebene und s = x·y.',
      options: {
        kernel: 'Diese Punkte erlauben es: Kein Eigenwert ist negativ',
        none: 'Nein: Ein Eigenwert ist negativ',
      },
      why: [
        'Positive Einträge machen noch keine positiven Eigenwerte. Achte darauf, worauf ELU + 1 angewandt wird. Auf die *Vektoren* angewandt ist es eine brauchbare Feature Map: $\\varphi(q)\\cdot\\varphi(k)$ ist von Haus aus ein Kern. Auf den *Score* angewandt ist es keiner. $s$, $s^2$ und $e^s$ sind Kerne: Summen und Produkte von Kernen sind wieder Kerne, und alle Koeffizienten der Reihe von $e^s$ sind positiv.',
      ],
    },
    negative: {
      question:
        '100 normalverteilte Token, d_k = 64, Identität als Map. Welcher Anteil der 100 Nenner q·Σk ist negativ?',
      why: [
        'Die Queries wissen nichts von der Richtung von $\\sum_j k_j$, also ist jedes Vorzeichen so gut wie das einer Münze; vergleiche mehrere Seeds. Ein negativer Nenner dreht seine Zeile um: Die Keys, die am besten passen, bekommen die negativsten Gewichte. Und wo viele auf beiden Seiten der Null liegen, liegen manche nahe bei ihr: Diese Zeilen explodieren.',
      ],
    },
  },

  checks: {
    double: {
      question:
        'Du verdoppelst n und lässt d_k und d_v, wie sie sind. Was passiert mit den Multiply-Adds von $(QK^{\\top})V$ und von $Q(K^{\\top}V)$?',
      options: {
        both2: {
          text: 'Beide verdoppeln sich',
          why: '$QK^{\\top}$ hat eine Zeile je Query und eine Spalte je Key. Von beiden gibt es doppelt so viele.',
        },
        'four-two': {
          text: '$(QK^{\\top})V$: viermal so viele; $Q(K^{\\top}V)$: doppelt so viele',
          why: 'n²(d_k + d_v) gegen 2·n·d_k·d_v.',
        },
        'four-four': {
          text: 'Beide: viermal so viele',
          why: '$K^{\\top}V$ behält seine d_k × d_v Zellen. Nur die Summe in jeder wird doppelt so lang.',
        },
        'two-four': {
          text: '$(QK^{\\top})V$: doppelt so viele; $Q(K^{\\top}V)$: viermal so viele',
          why: 'Es ist umgekehrt: n kommt in der Form von $QK^{\\top}$ zweimal vor und in der von $K^{\\top}V$ gar nicht.',
        },
      },
    },
    test: {
      question:
        'Deine zwei Reihenfolgen stimmen in float32 in manchen Einträgen auf 4 Stellen überein und in den meisten auf 7. Die Einträge mit 4 Stellen sind klein. Was schließt du daraus?',
      options: {
        bug: {
          text: 'Eine von beiden ist falsch',
          why: 'Ein Fehler im Code träfe auch große Einträge. Hier heben sich die Summanden fast weg.',
        },
        rtol: {
          text: 'Der Test braucht ein größeres rtol',
          why: 'Dann dürften auch große Einträge falsch sein, und irgendein Eintrag hebt sich noch stärker weg.',
        },
        both: {
          text: 'Der Test braucht ein atol von der Größe der Rundung der Summanden',
          why: 'Der Fehler ist so groß wie die Rundung der Summanden, egal, wie groß der Eintrag ist. Genau das sagt eine absolute Toleranz; rtol deckt die großen Einträge ab.',
        },
        bits: {
          text: 'Der Test sollte Bits vergleichen',
          why: 'Das bestehen nur Summen ganz ohne Rundung, wie die kleinen ganzen Zahlen in der ersten Abbildung.',
        },
      },
    },
    obstacle: {
      question: 'Was hält die Klammern in $\\mathrm{softmax}(QK^{\\top}/\\sqrt{d_k})V$ fest?',
      options: {
        division: {
          text: 'Die Division durch die Zeilensumme',
          why: 'Bei einem Kern mit Features ist diese Summe φ(q)·z. Geteilt wird je Zeile durch eine Zahl, und das geht ganz am Schluss.',
        },
        exponential: {
          text: 'Die Exponentialfunktion jedes Scores',
          why: 'Sie macht aus einer Matrix vom Rang d_k eine von vollem Rang, sodass kein Produkt mit festem D sie genau ergibt.',
        },
        scale: {
          text: 'Der Faktor $1/\\sqrt{d_k}$',
          why: 'Einen Faktor kann man in Q oder K stecken.',
        },
        mask: {
          text: 'Die kausale Maske',
          why: 'In der Formel steht keine, und mit ihr werden die Summen zu laufenden Summen: Das ist der Zustand.',
        },
      },
    },
    psd: {
      question: 'Wann hat eine symmetrische Ähnlichkeit k(x, y) eine Feature Map?',
      options: {
        positive: {
          text: 'Wenn sie positiv ist',
          why: 'ELU(s) + 1 und max(0, s) sind nirgends negativ; sieh dir ihre Eigenwerte an.',
        },
        symmetric: {
          text: 'Symmetrie genügt',
          why: '−x·y ist symmetrisch, und kein φ(x)·φ(x) ist negativ.',
        },
        eigenvalues: {
          text: 'Wenn keine Gram-Matrix einen negativen Eigenwert hat',
          why: 'Für alle Punkte und beliebig viele davon. Das bedeutet hier positiv semidefinit.',
        },
        grows: {
          text: 'Wenn sie mit x·y wächst',
          why: 'Das tut ELU(s) + 1 auch und hat trotzdem keine.',
        },
      },
    },
    state: {
      question: 'Was wird in der rekurrenten Form nach Token t behalten?',
      options: {
        outer: {
          text: 'Die Summe der $\\varphi(k)v^{\\top}$ aller Token bisher',
          why: 'Das ist S, D × d_v.',
        },
        keys: { text: 'Die Summe der φ(k) aller Token bisher', why: 'Das ist z, für den Nenner.' },
        list: {
          text: 'Alle Keys und Values bisher',
          why: 'Das ist der Cache der Softmax-Attention. Er wächst mit jedem Token; S und z nicht.',
        },
        queries: {
          text: 'Die Queries bisher',
          why: 'Eine Query liest den Zustand einmal und wird nie wieder gebraucht.',
        },
      },
    },
    identity: {
      question: 'Du nimmst die Identität als Feature Map und teilst durch q·Σk. Was stimmt?',
      options: {
        epsilon: {
          text: 'ε = 10⁻⁶ hält die Gewichte in Grenzen',
          why: 'Es hilft nur, wo der Nenner etwa so klein ist wie ε selbst.',
        },
        negative: {
          text: 'Gewichte können negativ sein und viel größer als 1',
          why: 'Immer dann, wenn der Nenner negativ ist oder nahe bei null liegt.',
        },
        seed: {
          text: 'Das passiert nur bei einem unglücklichen Seed',
          why: 'Probier in der Abbildung Seeds aus.',
        },
        unnormalised: {
          text: 'Ohne die Division ist sie harmlos: eine lineare Abbildung',
          why: 'Dann ist es $QK^{\\top}V$. So verwendet sie der Kurstext, und deshalb stimmen seine beiden Reihenfolgen überein.',
        },
      },
    },
  },

  tries: {
    sizes: {
      wide: { title: 'Zwei breite Token', text: 'Die Größen aus der Frage.' },
      long: { title: 'Acht schmale Token', text: 'Welcher Zähler ist stärker gewachsen?' },
      real: {
        title: 'Normalverteilte Zahlen',
        text: 'Haben beide Ergebnisse noch dieselben Bits, wenn die Zahlen nicht ganz sind?',
      },
    },
    tolerances: {
      handout: { title: 'Der Test des Kurstexts', text: 'rtol = 1e-5, keine absolute Toleranz.' },
      absolute: {
        title: 'Mit atol',
        text: 'Dasselbe rtol, und 1e-3 für die Rundung der Summanden.',
      },
      longer: {
        title: 'Eine längere Sequenz',
        text: 'Mehr und größere Summanden: Reicht dasselbe atol noch?',
      },
    },
    vectors: {
      near: { title: 'Kurze Vektoren', text: 's liegt bei 0, wo die Reihe anfängt.' },
      large: { title: 'Lange Vektoren', text: 's ist groß und positiv. Was ist jetzt größer?' },
      opposite: {
        title: 'Entgegengesetzte Vektoren',
        text: 's ist stark negativ und e^{s} fast 0. Was macht 1 + s + s²/2?',
      },
      elu: {
        title: 'ELU + 1',
        text: 'Zwei Features. Gibt es einen Grund, warum hier e^{s} herauskommen sollte?',
      },
    },
    maps: {
      elu: { title: 'ELU + 1', text: 'Alle Features positiv.' },
      relu: { title: 'ReLU mit zwei Spalten', text: 'Such nach Nennern, die null sind.' },
      taylor: { title: 'Taylor', text: 'Features beider Vorzeichen.' },
    },
    counts: {
      short: { title: 'Eine kurze Sequenz', text: 'n = 32: Welche Reihenfolge ist teurer?' },
      taylor: {
        title: 'Taylor-Features',
        text: 'd_k = 16, alle Produkte aus zweien, jedes einmal.',
      },
    },
  },

  references: {
    'transformers-are-rnns':
      'Die lineare Reihenfolge mit ELU + 1 und ihre rekurrente Form: Gleichungen 4 bis 6 und 16 bis 20.',
    'efficient-attention': 'Dieselbe Änderung der Reihenfolge, mit Softmax auf Q und K einzeln.',
    dissection: 'Attention als Kernglätter gelesen; welche Kerne taugen.',
    'fast-weights':
      'Der Zustand als Speicher, in den geschrieben und aus dem gelesen wird, und wie viel er fasst.',
    based: 'Die Taylor-Feature-Map, und was das Erinnern an Zahlen im Zustand kostet.',
    performer: 'Zufällige positive Features, die im Mittel stimmen.',
    goldberg: 'Auslöschung, und warum die letzten Stellen von der Reihenfolge abhängen.',
  },

  summary: [
    '$(QK^{\\top})V = Q(K^{\\top}V)$. Links kostet es $n^2(d_k + d_v)$ Multiply-Adds und $n^2$ Zahlen, rechts $2\\,n\\,d_k d_v$ und $d_k d_v$.',
    'Die Reihenfolgen runden verschieden. Vergleiche mit einem `atol` von der Größe der Rundung der Summanden; `rtol` allein versagt, wo sich Summanden wegheben.',
    'Die Exponentialfunktion macht aus Rang $d_k$ vollen Rang: Keine endliche Feature Map ergibt Softmax genau. Die Division ist harmlos: $z = \\sum_j \\varphi(k_j)$.',
    'Ein Kern ist eine Ähnlichkeit mit Feature Map; die Probe: Keine Gram-Matrix hat einen negativen Eigenwert. Taylor der Ordnung 2 ergibt $1 + s + s^2/2$.',
    'Kausale lineare Attention ist ein Zustand: $S_t = S_{t-1} + \\varphi(k_t)v_t^{\\top}$, $z_t = z_{t-1} + \\varphi(k_t)$, mit $D(d_v+1)$ Zahlen bei jedem $t$.',
    'Teile nur durch Nenner, die nicht verschwinden und das Vorzeichen nicht wechseln können: positive Features oder ein Produkt, das positiv bleibt.',
  ],
};
