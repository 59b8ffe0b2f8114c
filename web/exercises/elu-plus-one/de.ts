import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'ELU + 1, das positiv bleibt',
  summary:
    'φ(x) = ELU(x) + 1, in exakter Rechnung positiv. Sorg dafür, dass es das auf dem Computer bleibt.',
  task: [
    '$\\varphi(x) = \\operatorname{ELU}(x) + 1$ ist $x + 1$ für $x > 0$ und sonst $e^x$. Es ist immer positiv, sagt der Kurstext, sodass kein Nenner $\\varphi(q)\\cdot\\sum\\varphi(k)$ verschwinden kann.',
    'Rechnest du erst ELU und dann $+1$, stimmt das nicht: $e^{-80} - 1$ wird auf $-1$ gerundet, und $-1 + 1 = 0$. In float32 passiert das ab $x = -17.4$ abwärts.',
    'Schreibe `elu_plus_one(x)`. Die Funktion nimmt eine Matrix und gibt $\\varphi$ jedes Eintrags zurück, auf fünf Stellen richtig, wie klein er auch sei, auch neben großen Einträgen. (Die Matrizen in JavaScript sind float32 und werden bei winzigen Einträgen nicht bewertet.)',
  ],
  parameters: {
    x: 'Queries oder Keys, in jeder Zeile einer',
  },
  results: {
    phi: 'φ(x), alle Einträge positiv',
  },
  cases: {
    'by hand': 'von Hand',
    'six random vectors': 'sechs zufällige Vektoren',
    'far below 0': 'weit unter 0',
    'far above 0': 'weit über 0',
    'zeros of both signs': 'Nullen mit beiden Vorzeichen',
    'both ends in one row': 'beide Enden in einer Zeile',
    'more columns than rows': 'mehr Spalten als Zeilen',
  },
  tolerance:
    'Kein absoluter Anteil: Ein Feature von 1e-35 zählt so viel wie eines von 1. float32 behält 7 Stellen.',
  hints: [
    'Rechne beide Zweige auf Papier aus, mit dem + 1 darin. Einer wird einfacher.',
    'Unter 0 ist die Map e^x allein. Zieh nie 1 ab, um sie danach wieder zu addieren.',
    'np.where wertet beide Zweige aus: Wo x gleich 1000 ist, läuft das ungenutzte e^x über. Gib ihm das Kleinere von x und 0.',
  ],
  variants: {
    'lost-to-rounding':
      'Weit unter 0 haben deine Features ihre Stellen verloren oder sind zu 0 geworden: Du ziehst von e^x die 1 ab und addierst sie wieder. Setz das + 1 in die Zweige ein.',
    elu: 'Das ist ELU ohne das + 1: Unter 0 ist es negativ, bis hinab zu −1.',
    'relu-plus-one': 'Alles unter 0 ist zu 1 geworden: Das ist ReLU + 1. Unter 0 ist die Map e^x.',
    'cut-line':
      'Du führst die Gerade x + 1 unter 0 weiter und schneidest sie bei 0 ab. Von 0 abwärts biegt die Map in e^x ein und erreicht 0 nie.',
    'exponential-everywhere':
      'Du hast auf beiden Seiten e^x genommen. Für x > 0 ist die Map die Gerade x + 1, und die läuft nicht über.',
    'masks-multiplied':
      'Für große x bekommst du NaN: 0 · ∞. Du multiplizierst beide Zweige mit Masken; wähle stattdessen zwischen ihnen, oder verhindere, dass e^x überläuft.',
    softplus:
      'Das ist Softplus, ln(1 + e^x): auch glatt und positiv, aber bei 0 gleich 0.69, wo diese Map 1 ist.',
    'sides-exchanged': 'Die Zweige sind vertauscht: e^x gilt für x ≤ 0, die Gerade für x > 0.',
  },
  figure: {
    knobs: {},
    y: 'φ(x)',
    caption:
      'φ(x) auf einer logarithmischen Achse: eine Gerade abwärts, so weit du siehst, nie 0. Das ist es, was positiv für einen Nenner bedeutet.',
  },
  where: 'Gleichung 7; Lab 03, elu_plus_one(x)',
};
