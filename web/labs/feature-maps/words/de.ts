/** Die Wörter des Labs auf Deutsch. */
import type { LabWords } from '../../../src/lab/types.ts';

export const words: LabWords = {
  steps: {
    ways: 'Zwei Arten zu gewichten',
    curves: 'Was eine Map mit einer Zahl macht',
    beside: 'Zwei beliebige Maps nebeneinander',
    stars: 'Für jeden Stern eine Zahl',
    estimate: 'Die Exponentialfunktion schätzen',
    expand: 'Oder sie entwickeln',
    dead: 'Tote Zeilen und Gradienten',
    price: 'Was Güte kostet',
    honest: 'Was hier echt ist und was nicht',
  },
  prose: {
    ways: [
      'Attention beantwortet eine *Query* mit einem Mittelwert von *Values*. Wie viel jeder Value zählt, hängt davon ab, wie gut sein *Key* zur Query passt. Softmax-Attention misst das mit einer Exponentialfunktion:',
      '$$A_{ij} = \\frac{e^{\\,q_i \\cdot k_j/\\sqrt{d_k}}}{\\sum_l e^{\\,q_i \\cdot k_l/\\sqrt{d_k}}}$$',
      'Die Exponentialfunktion macht jedes Gewicht positiv und gute Treffer viel stärker. Sie bindet aber auch jede Query an jeden Key: Bei $n$ Token sind $n^2$ Gewichte zu berechnen, und daran führt kein Weg vorbei.',
      'Ersetze die Exponentialfunktion durch ein Skalarprodukt von *Features*, und der Knoten geht auf. Schick Query und Key erst durch eine Feature Map $\\varphi$ und multipliziere dann:',
      '$$\\tilde A_{ij} = \\frac{\\varphi(q_i)\\cdot\\varphi(k_j)}{\\varphi(q_i)\\cdot\\sum_l \\varphi(k_l)}$$',
      'Die Summe über die Keys enthält die Query nicht mehr. Sie wird also einmal berechnet und von allen Queries benutzt. Der Aufwand wächst mit $n$, nicht mit $n^2$. Das ist lineare Attention. Ihre Gewichte werden nie hingeschrieben, wenn sie läuft; darum heißen sie *implizit*. Die Abbildung oben schreibt sie hin, damit du sie ansehen kannst.',
      'Alles hängt also von $\\varphi$ ab. Das Bild der Differenz zeigt, was du mit deiner Wahl verlierst: Blau ist, wo die Feature Map zu wenig Gewicht gibt, Orange, wo sie zu viel gibt.',
      'Jeder Knopf hier unten stellt die Regler der Abbildung oben ein. Mit dem Zurück-Knopf deines Browsers kommst du wieder dorthin, wo du warst.',
    ],
    curves: [
      'Die meisten Maps arbeiten auf jeder Koordinate für sich; du kannst sie also als Kurve zeichnen. Die Abbildung bewegt einen Vektor auf einer Geraden durch den Ursprung und zeichnet die ersten Features, die dabei herauskommen, ihre Steigungen gestrichelt.',
      'Achte auf zweierlei. Wo ist die Kurve 0? Dort sagt die Koordinate nichts, und wo auch die Steigung 0 ist, lässt sich aus ihr nichts lernen. Die Tabelle unter den Kurven nennt beides, und auch, wo eine Zahl für float32 zu klein wird. Und wie schnell wächst die Kurve? Softmax verdoppelt ein Gewicht immer dann, wenn der Score um denselben Betrag steigt; auf der logarithmischen Achse ist solches Wachstum eine Gerade. Nimm exp und sieh nach, dann ELU + 1: Rechts von 0 flacht die Kurve ab.',
      'Am Ende zählt der *Kern*: $\\varphi(q)\\cdot\\varphi(k)$ über dem Score. Er hat weiter unten eine eigene Abbildung, in der du jede Map wählen kannst.',
    ],
    beside: [
      'Ein einzelnes Bild neben Softmax zeigt, wie eine Map versagt. Zwei Maps daneben zeigen, welches Versagen dir lieber ist. Alle drei Bilder haben dieselbe Farbskala: gleiche Farbe, gleiches Gewicht.',
      'Die Daten sind die, die du in der ersten Abbildung gewählt hast: ihr Satz, ihre Gauß-Matrizen oder deine eigenen. Ändere sie dort, und sie ändern sich hier.',
    ],
    ranking: [
      'Sieh dir genau diesen Fall an: Der Knopf stellt die erste Abbildung auf diese Daten, und die Maps wählst du hier.',
    ],
    stars: [
      'Kurstexte bewerten Feature Maps gern mit Sternen. Der Text hinter diesem Lab gibt ELU + 1 für die Annäherung an Softmax zwei Sterne, ReLU einen, quadriertem ReLU zwei und Zufallsfeatures vier. Für die ersten drei nennt er außerdem einen mittleren quadratischen Fehler und eine Korrelation, „erwartet“ für $n = 100$ Queries und Keys der Breite $64$ mit $N(0, 1)$-verteilten Einträgen.',
      'Einen Stern kann niemand prüfen. Eine Zahl schon, und die erste Prüfung braucht keinen einzigen Lauf: Frag, wie groß ein mittlerer quadratischer Fehler überhaupt sein kann.',
    ],
    bound: [
      'Beide Bilder enthalten Mittelwerte: Kein Gewicht ist negativ, jede Zeile summiert sich zu 1. Nimm aus jedem eine Zeile, $p$ und $a$. Dann ist $\\sum_j (p_j - a_j)^2 \\le \\sum_j p_j^2 + \\sum_j a_j^2 \\le 1 + 1$, und Gleichheit gilt nur, wenn beide alles Gewicht auf einen Key legen, jede auf einen anderen. Der Mittelwert über die $n$ Zellen einer Zeile ist also höchstens $2/n$, und damit auch der Mittelwert über alle Zeilen.',
      'Jeder mittlere quadratische Fehler, den der Kurstext abdruckt, ist größer. Keine Feature Map, kein Seed und keine Daten, die Mittelwerte ergeben, können ihn erzeugen.',
    ],
    registry: [
      'Also miss. Der Lauf unten nimmt jede Map des Registers auf denselben Ziehungen und behält den Median. Die Positivität ist *beobachtet*: das kleinste Gewicht, das herauskam, nicht das, was eine Formel verspricht. Die Zeit ist die der linearen Attention in deinem Browser, im Wechsel mit Softmax-Attention gemessen. Klick auf eine Spalte, um nach ihr zu sortieren.',
      'Lies den mittleren quadratischen Fehler neben seiner Grundlinie. Auch wer jedem Key dasselbe Gewicht gibt, hat einen; er steht in der Zeile unter der Tabelle. Die meisten Maps schlagen ihn kaum. Softmax selbst ist nah an gleichen Gewichten, wenn $n$ groß ist und die Scores skaliert sind; ein kleiner Fehler ist also kein Lob. Mehr sagen die Korrelation und der Fehler der Ausgabe: Legt die Map ihr Gewicht dorthin, wo Softmax es hinlegt, und was kommt in der nächsten Schicht an?',
      'Benutz dann den Schalter: Ohne den Faktor $1/\\sqrt{d_k}$, so wie in der Formel des Kurstexts, sind die Scores bei $d_k = 64$ achtmal so groß. Sieh nach, welche Zahlen das überleben.',
    ],
    random: [
      'Zufallsfeatures gehen einen anderen Weg. Sie ersetzen die Exponentialfunktion nicht, sie *schätzen* sie: $\\varphi(x)$ besteht aus $m$ Zahlen, die mit einer Zufallsmatrix entstehen, und der Mittelwert von $\\varphi(q)\\cdot\\varphi(k)$ über alle Zufallsmatrizen ist genau $e^{q\\cdot k/\\sqrt{d}}$. So eine Schätzung heißt erwartungstreu.',
      'Der Kurstext gibt ihnen vier Sterne und nennt sie eine exakte Annäherung. Er sagt außerdem „immer positiv“ und rät im selben Atemzug, sie aus $\\cos$ und $\\sin$ zu bauen.',
    ],
    variance: [
      'Erwartungstreu ist eine Aussage über den Mittelwert vieler Ziehungen. Ein Modell hat eine Ziehung. Wie weit eine einzelne danebenliegt, hängt von $\\lVert x + y\\rVert^2$ der skalierten Vektoren ab; für positive Features ist die relative Varianz $(e^{\\lVert x + y\\rVert^2} - 1)/m$. Das ist die Exponentialfunktion einer quadrierten Länge, die bei $N(0, 1)$-verteilten Einträgen etwa $2\\sqrt d$ ist. Das Vierfache an $m$ halbiert den Fehler; gegen eine Exponentialfunktion ist das wenig.',
      'Was hilft, sind kleinere Eingaben. Stell in der Abbildung unten „Eingaben mal“ auf 1 und führ sie aus; nimm dann einen kleineren Faktor, führ sie noch einmal aus und vergleiche die beiden Läufe: Die Linien fallen. Die gestrichelten Linien sagt Lemma 2 des Performer-Artikels voraus. Sie fallen wie $1/\\sqrt m$.',
      'Vergleiche dann die Arten. Orthogonale Zeilen helfen ein wenig. Die trigonometrische Form ist die aus dem Tipp des Kurstexts. Bei kleinen Eingaben schneidet sie gut ab. Bei größeren werden ihre Schätzungen negativ, und ihr Fehler ist dort am größten, wo Softmax am kleinsten ist; die zweite Abbildung unten zählt die negativen. Performer hat deshalb die positive Form eingeführt.',
    ],
    collapse: [
      'Bisher war die Frage, wie viele Features eine Größe der Eingaben braucht. Die nächste Abbildung fragt umgekehrt: Wie groß dürfen die Eingaben bei so vielen Features sein? Sie fährt den Faktor ab und markiert, wo die Attention der Zufallsfeatures schlechter wird als gleiche Gewichte. Jenseits davon sind sie zusammengebrochen.',
    ],
    taylor: [
      'Der dritte Weg: die Exponentialfunktion entwickeln, $e^s \\approx 1 + s + s^2/2$ mit $s = q\\cdot k/\\sqrt d$. Jeder Term ist ein Polynom in $q$ und $k$, also ein Skalarprodukt von Features: eines für die Konstante, $d$ für den linearen Term, $d^2$ für die Produkte. Zufällig ist daran nichts.',
      'Die Summe lässt sich als $\\tfrac12 + \\tfrac12(1 + s)^2$ schreiben. Sie fällt nie unter ein Halb, obwohl $\\varphi$ selbst negative Einträge hat. Sieh dir beide Enden der Achse an: Rechts bleibt sie hinter der Exponentialfunktion zurück, links kehrt sie um und *wächst*.',
      'Wie schlimm das ist, hängt davon ab, wo deine Scores liegen. Bei $N(0, 1)$-verteilten Einträgen und dem Faktor $1/\\sqrt d$ ist ihre Standardabweichung 1. Zwischen den gestrichelten Senkrechten weicht das Polynom um höchstens ein Zehntel von der Exponentialfunktion ab: Dort liegen die meisten Scores, und der Fehler kommt von den übrigen.',
    ],
    dead: [
      'Eine Map, die für die Hälfte aller Zahlen 0 ist, kann alles verlieren. Sind alle Koordinaten einer Query negativ, dann macht ReLU sie zum Nullvektor: $\\varphi(q)\\cdot\\varphi(k) = 0$ für jeden Key, ihr Nenner ist 0, ihre Ausgabe ist 0. Die Zeile ist tot, und weil auch die Steigung 0 ist, holt kein Gradient sie zurück.',
    ],
    counted: [
      'Bei unabhängigen Vorzeichen ist eine Query der Breite $d$ mit Wahrscheinlichkeit $2^{-d}$ tot, und eine Query und ein Key haben mit Wahrscheinlichkeit $(3/4)^d$ nichts gemeinsam. Das sind die gestrichelten Linien. Die Punkte sind in Ziehungen gezählt.',
    ],
    gradients: [
      'Bei üblichen Breiten sind wenige Zeilen tot. Der Rest muss noch lernen. Unten bekommt jede Map denselben Gradienten an ihrer Ausgabe, und der Rückwärtslauf sagt, was davon bei den Queries ankommt.',
      'Dreierlei kann schiefgehen, und für jedes gibt es eine Map. Ein Balken weit links von dem von Softmax, wie der von ELU + 1, ist ein Gradient, der überall fast verschwunden ist. Der Balken von ReLU liegt näher, aber öffne die Tabelle: Etwa die Hälfte der Einträge ist 0, und das Quadrat bringt sie nicht zurück. Weit rechts liegen die Maps, deren $\\varphi(q)\\cdot\\varphi(k)$ negativ sein kann: Wo ein Nenner der 0 nahe kommt, werden einzelne Zeilen riesig. Sie hielten jeden Mittelwert oben; darum zeigt die Abbildung Quantile.',
    ],
    price: [
      'Alles zugleich geht nicht. Mehr Features kosten Zeit und Speicher: Lineare Attention braucht etwa $2nD d_v$ Multiply-Adds und hält einen Zustand von $D\\,(d_v + 1)$ Zahlen. Softmax-Attention braucht $n^2(d_k + d_v)$. Lineare Attention lohnt sich also erst ab einer gewissen Länge, und die wächst mit $D$.',
    ],
    pareto: [
      'Jeder Punkt ist eine Map, hier gemessen: ihre Features oder ihre Zeit gegen ihren Fehler. Maps mit einem Regler für $D$ kommen mehrmals vor. Ein Punkt liegt auf der *Front*, wenn kein anderer in beidem mindestens so gut ist; die schnellste Map liegt immer darauf, egal, wie falsch sie ist. Alles über der Front ist auf diesen Daten und diesem Rechner ein schlechtes Geschäft.',
      'Ändere Daten und Länge, und die Front ändert sich. Darum geht es: Die beste Map gibt es nicht, es gibt eine beste Map für ein Budget.',
    ],
    honest: [
      'Die Rechnung ist echt: Ein Rechenkern in C++ berechnet jede Zahl auf dieser Seite in deinem Browser, und derselbe Seed gibt auf jedem Rechner dieselben Zahlen. Nur die Zeiten sind die deines Rechners.',
      'Die Sprache ist nicht echt: Der Satz geht durch ein zufälliges, *untrainiertes* Embedding. Seine Muster sagen, welche Wörter gleich und nah sind, nicht, was sie bedeuten.',
      'Und ein trainiertes Modell stellt sich auf seine Feature Map ein. Ein großer Unterschied hier sagt, dass die beiden nicht austauschbar sind, nicht, dass das Modell scheitern würde. Hedgehog und T2R haben Gewichte, die trainiert werden sollen; hier sind sie die Identität.',
    ],
  },
  predictions: {
    ranking: {
      question:
        'Queries und Keys der Breite 64 mit $N(0, 1)$-verteilten Einträgen, je 100. Die Gewichte welcher Map korrelieren am besten mit denen von Softmax?',
      options: {
        elu_plus_one: 'ELU + 1, die Map des ersten linearen Transformers',
        relu: 'ReLU, die von jedem Vektor die Hälfte wegwirft',
        squared_relu: 'Quadriertes ReLU, bei dem große Koordinaten mehr zählen',
      },
      why: [
        'ELU + 1 fügt jedem Feature beinahe eine Konstante hinzu: Ein großer Teil jedes Gewichts ist für alle Keys gleich, und der Rest geht darin unter. ReLU hat keinen solchen Sockel. Das Quadrat gibt einzelnen großen Koordinaten zu viel Einfluss. Der Kurstext setzt ReLU unter den dreien an die letzte Stelle; die Tabelle im nächsten Schritt hat die Zahlen.',
      ],
    },
    bound: {
      question:
        'Der Kurstext druckt für ELU + 1 bei $n = 100$ einen mittleren quadratischen Fehler von „0.0823“. Zwei Bilder aus 100 × 100 Gewichten, jede Zeile ein Mittelwert: Wie groß kann ihr mittlerer quadratischer Fehler *höchstens* sein?',
      why: [
        'Es ist $2/n$, und der Rechenkern der Seite liefert es mit jedem Vergleich. Vergleiche es mit der Zahl in Anführungszeichen.',
      ],
    },
    unbiased: {
      question:
        'Dieselben Gauß-Daten, Breite 64. Wessen Gewichte korrelieren besser mit Softmax: die von 128 positiven Zufallsfeatures, die die Exponentialfunktion erwartungstreu schätzen, oder die von ELU + 1, das nie dafür gedacht war?',
      options: {
        random: 'Die der Zufallsfeatures',
        elu: 'Die von ELU + 1',
      },
      why: [
        'Erwartungstreu heißt nicht nah. Bei dieser Breite streuen die Schätzungen so stark, dass ihr Mittelwert mit keinem $m$ zu erreichen ist, das du bezahlen könntest. Mit kleineren Eingaben kehrt es sich um; die Abbildung unten zeigt, wo.',
      ],
    },
    dead: {
      question:
        'Queries der Breite 4 mit $N(0, 1)$-verteilten Einträgen. Welcher Anteil davon wird unter ReLU zum Nullvektor?',
      why: [
        'Alle vier Koordinaten müssen negativ sein, jede mit Wahrscheinlichkeit ein Halb. Mit jeder weiteren Dimension halbiert sich der Anteil. Das ist kein Zufall dieses Seeds: Zieh in der Abbildung oben neue.',
      ],
    },
    time: {
      question:
        'Lineare Attention mit der Taylor-Map gegen Softmax-Attention, 1024 Token der Breite 64, jetzt in deinem Browser gemessen. Was ist schneller?',
      options: {
        softmax: 'Softmax-Attention',
        taylor: 'Lineare Attention mit der Taylor-Map',
      },
      why: [
        'Taylor hat $1 + d + d^2$ Features. Lineare Attention rechnet erst ab etwa $n^* = 2 D d_v/(d_k + d_v)$ Token weniger, und bei gleichen Breiten ist das $D$ selbst. Linear in $n$ sagt, wie etwas wächst, nicht, wo es anfängt.',
      ],
    },
  },
  checks: {
    average: {
      question: 'Was macht die impliziten Gewichte einer Zeile zu einem gewichteten Mittelwert?',
      options: {
        sum: {
          text: 'Dass sie durch ihre Summe geteilt werden.',
          why: 'Dann summieren sie sich zu 1, aber mit φ(x) = x sind manche negativ, und die Summe selbst kann 0 sein. Probier oben „Lass den Nenner das Vorzeichen wechseln“.',
        },
        sign: {
          text: 'Dass kein φ(q)·φ(k) der Zeile negativ und mindestens eines positiv ist und dass sie durch ihre Summe geteilt werden.',
          why: 'Dann liegen alle Gewichte zwischen 0 und 1 und summieren sich zu 1.',
        },
        wide: {
          text: 'Dass φ mehr Features hat, als es Koordinaten gibt.',
          why: 'ELU + 1 hat genauso viele, und seine Zeilen sind Mittelwerte.',
        },
        smooth: {
          text: 'Dass φ differenzierbar ist.',
          why: 'Das hilft beim Lernen. ReLU ist bei 0 nicht differenzierbar, und seine Gewichte sind ein Mittelwert, wo immer eine Zeile nicht tot ist.',
        },
      },
    },
    squared: {
      question:
        'In der Tabelle des Kurstexts steht: quadriertes ReLU, „✓ Always“ positiv. Was stimmt?',
      options: {
        always: {
          text: 'Immer positiv: Ein Quadrat kann nicht negativ sein.',
          why: 'Nicht negativ ist nicht dasselbe wie positiv. Das Quadrat von 0 ist 0.',
        },
        zeros: {
          text: 'Nie negativ, mit genau den Nullen von ReLU.',
          why: 'max(0, x)² ist 0, wo immer max(0, x) 0 ist. Die Steigung ist dort stetig, aber auch 0.',
        },
        fewer: {
          text: 'Manchmal 0, aber seltener als ReLU.',
          why: 'Die Nullen sind dieselben. Nur die Kurve daneben ist eine andere.',
        },
      },
    },
    impossible: {
      question:
        'Du lässt deinen eigenen Code laufen und bekommst einen mittleren quadratischen Fehler über $2/n$. Wonach suchst du?',
      options: {
        map: {
          text: 'Nach einer besseren Feature Map.',
          why: 'Keine Map kann das, solange beide Bilder Mittelwerte sind. Die Messung ist falsch, oder eines der Bilder ist kein Mittelwert.',
        },
        rows: {
          text: 'Nach Zeilen, die nicht durch ihre Summe geteilt wurden.',
          why: 'Sehr wahrscheinlich: Ohne die Division gibt es keine Schranke.',
        },
        negative: {
          text: 'Nach negativen Gewichten oder Nennern nahe 0.',
          why: 'Auch die zerstören den Mittelwert: Eine Zeile, die sich nur durch Auslöschung zu 1 summiert, kann beliebig groß sein.',
        },
        seed: {
          text: 'Nach einem unglücklichen Seed.',
          why: 'Die Schranke gilt für jeden Seed.',
        },
      },
    },
    unbiased: {
      question: 'Was verspricht „erwartungstreu“ über Zufallsfeatures?',
      options: {
        mean: {
          text: 'Der Mittelwert von φ(q)·φ(k) über alle Ziehungen ist die Exponentialfunktion.',
          why: 'Und sonst nichts. Wie weit eine Ziehung danebenliegt, ist die Varianz, und die wächst wie eine Exponentialfunktion der Längen der Vektoren.',
        },
        close: {
          text: 'Eine einzelne Ziehung ist nah an der Exponentialfunktion.',
          why: 'Nur wenn die Varianz klein ist, und das ist eine andere Frage. Die Abbildung oben misst sie.',
        },
        weights: {
          text: 'Die normierten Gewichte stimmen im Mittel.',
          why: 'Sie sind Quotienten zweier Schätzungen. Ein Quotient erwartungstreuer Schätzungen ist nicht erwartungstreu.',
        },
      },
    },
    taylor: {
      question: 'Kann die Taylor-Map der Ordnung 2 ein negatives Gewicht ergeben?',
      options: {
        yes: {
          text: 'Ja: Ihre Features können negativ sein.',
          why: 'Die Features schon, aber ihr Produkt ist ½ + ½(1 + s)², also mindestens ein Halb.',
        },
        no: {
          text: 'Nein: Der Kern ist eine Summe von Quadraten.',
          why: '½ und ½(1 + s)²: mindestens ½ für jeden Score. Mit einem Term mehr, s³/6, gälte das nicht.',
        },
        far: {
          text: 'Nur bei sehr negativen Scores.',
          why: 'Dort macht sie den umgekehrten Fehler: Sie wächst wieder und gibt dem schlechtesten Treffer Gewicht.',
        },
      },
    },
    front: {
      question: 'Eine Map liegt im Bild von Zeit gegen Fehler über der Front. Was folgt daraus?',
      options: {
        useless: {
          text: 'Sie ist unbrauchbar.',
          why: 'Andere Daten, eine andere Breite oder Training können sie verschieben. Hier ist nichts trainiert.',
        },
        dominated: {
          text: 'Auf diesen Daten und diesem Rechner ist eine andere Map mindestens so schnell und mindestens so nah.',
          why: 'Mehr sagt die Front nicht.',
        },
        slower: {
          text: 'Sie ist langsamer als Softmax.',
          why: 'Die Zeit von Softmax ist die senkrechte Linie. Ein Punkt kann links davon und über der Front liegen.',
        },
      },
    },
  },
  tries: {
    opening: {
      sign: {
        title: 'Lass den Nenner das Vorzeichen wechseln',
        text: 'Bei φ(x) = x hält nichts φ(q)·φ(k) positiv. Sieh zu, wie die Summen, durch die eine Zeile geteilt wird, die 0 kreuzen und wie die Gewichte dort explodieren. Die Warnungen unter der Abbildung zählen sie.',
      },
      dead: {
        title: 'Finde die toten Zeilen von ReLU',
        text: 'In zwei Dimensionen hat eine Query oft gar keinen positiven Eintrag. Dann ist φ(q) null, und die Zeile achtet auf nichts. Erhöhe d_k und sieh, wie bald das aufhört.',
      },
      sharp: {
        title: 'Schalte die Skalierung aus',
        text: 'Ohne 1/√d_k sieht Softmax größere Scores und wählt in jeder Zeile einen Gewinner. Die meisten Feature Maps können nicht folgen: Ihre Gewichte ändern sich zu langsam mit q·k.',
      },
      causal: {
        title: 'Nimm die kausale Maske dazu',
        text: 'Die erste Query sieht nur einen Key, also müssen beide Bilder dort übereinstimmen. Sieh, wie die Abweichung mit der Zahl der Keys wächst, zwischen denen zu wählen ist.',
      },
      random: {
        title: 'Erkauf dir Genauigkeit mit Zufallsfeatures',
        text: 'Zufallsfeatures schätzen die Exponentialfunktion selbst; im Grenzwert vieler Features sind sie exakt. Zieh ihre Zahl hinauf und herunter und nimm neue Seeds: Wie viele braucht es hier?',
      },
    },
    curves: {
      kink: {
        title: 'Quadriere das ReLU',
        text: 'Die Kurve verlässt die 0 ohne Knick. Wo sie 0 ist, bleibt sie 0, und ihre Steigung auch.',
      },
      underflow: {
        title: 'Geh mit exp weit nach links',
        text: 'Auf dem Papier ist e^{x} überall positiv. In float32 ist es ab einer Stelle genau 0; die Tabelle sagt, wo.',
      },
    },
    kernels: {
      elu: {
        title: 'Der Kern von ELU + 1',
        text: 'Er wächst, aber ganz anders als die Exponentialfunktion: So sieht „nie als Annäherung gedacht“ aus.',
      },
      relu: {
        title: 'ReLU neben Taylor',
        text: 'Zwei Kerne gegen die Exponentialfunktion. Welcher folgt ihr, und auf welchem Teil der Achse?',
      },
    },
    handout: {
      data: {
        title: 'Die Daten des Kurstexts in der ersten Abbildung',
        text: 'Hundert Gauß-Token der Breite 64. Die Bilder unten folgen.',
      },
    },
  },
  references: {
    attention:
      'Softmax-Attention und der Faktor $1/\\sqrt{d_k}$, der in der Formel des Kurstexts fehlt.',
    linear: 'Lineare Attention mit ELU + 1, und wie man sie als rekurrentes Netz liest.',
    performer:
      'Positive Zufallsfeatures, ihre Varianz (Lemma 2), und warum nicht $\\cos$ und $\\sin$.',
    based: 'Die Taylor-Map mit kleiner Breite, und was sie abrufen kann.',
    hedgehog: 'Maps, die darauf trainiert sind, die Gewichte von Softmax nachzuahmen.',
    t2r: 'ReLU mit einer gelernten Matrix davor.',
    cosformer: 'ReLU mit einer Vorliebe für nahe Positionen.',
  },
  summary: [
    'Lineare Attention ersetzt $e^{q\\cdot k/\\sqrt d}$ durch $\\varphi(q)\\cdot\\varphi(k)$, damit sich alle Queries die Summen über die Keys teilen.',
    'Ihre Zeilen sind nur dann Mittelwerte, wenn kein $\\varphi(q)\\cdot\\varphi(k)$ negativ ist und nicht alle 0 sind.',
    'Zwei Mittelwerte über $n$ Keys haben einen mittleren quadratischen Fehler von höchstens $2/n$. Eine größere Zahl ist ein Fehler der Messung.',
    'Ein kleiner mittlerer quadratischer Fehler ist kein Lob: Vergleiche ihn mit dem gleicher Gewichte, und sieh auf die Korrelation und den Fehler der Ausgabe.',
    'Erwartungstreu ist nicht nah. Die Varianz von Zufallsfeatures wächst mit der Exponentialfunktion von $\\lVert q + k\\rVert^2/\\sqrt d$ und fällt nur mit $1/m$.',
    'Die Taylor-Map der Ordnung 2 ist nah, solange die Scores bei 0 bleiben, nie negativ, und kostet $1 + d + d^2$ Features.',
    'ReLU tötet eine Query mit Wahrscheinlichkeit $2^{-d}$, und ihren Gradienten dazu. Quadriertes ReLU hat dieselben Nullen.',
    'Lineare Attention rechnet erst ab $n^* = 2 D d_v/(d_k + d_v)$ Token weniger als Softmax.',
  ],
};
