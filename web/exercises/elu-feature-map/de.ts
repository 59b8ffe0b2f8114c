import type { WordsOf } from '../../src/exercises/words';
import { sizeKnobs } from '../de';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'ELU + 1',
  summary: 'Die Feature Map des ersten linearen Transformers: überall positiv.',
  task: [
    '$\\operatorname{ELU}(x)$ ist $x$ für $x > 0$ und sonst $e^x - 1$, nie unter $-1$. Eins mehr macht es positiv: $\\varphi(x) = \\operatorname{ELU}(x) + 1$, also $x + 1$ für $x > 0$ und sonst $e^x$.',
    'Schreibe `elu_feature_map(x)`. Die Funktion nimmt eine Matrix und gibt $\\varphi$ jedes Eintrags zurück.',
    'Einträge können groß sein. Ein Zweig, der nicht gewählt wird, darf das Ergebnis nicht verderben.',
  ],
  parameters: {
    x: 'Queries oder Keys, in jeder Zeile einer',
  },
  results: {
    phi: 'φ(x), alle Einträge positiv',
  },
  cases: {
    'by hand': 'von Hand',
    'five random vectors': 'fünf zufällige Vektoren',
    'large entries': 'große Einträge',
    'zeros of both signs': 'Nullen mit beiden Vorzeichen',
    'more columns than rows': 'mehr Spalten als Zeilen',
    'one column': 'eine Spalte',
  },
  tolerance:
    'Die Referenz ist float32: 7 Stellen. Ohne absoluten Anteil: e^x − 1 + 1 in zwei Schritten verliert die Stellen kleiner Features.',
  hints: [
    'Entscheide für jeden Eintrag nach seinem Vorzeichen. In NumPy nimmt np.where(condition, a, b) Eintrag für Eintrag aus a oder aus b.',
    'Setz das + 1 zuerst in beide Zweige ein: e^x − 1 + 1 ist einfach e^x.',
    'np.where berechnet für alle Einträge beide Zweige. Wo x gleich 1000 ist, ist e^x unendlich: harmlos, wenn es nicht gewählt wird, schädlich, wenn du es mit 0 multiplizierst.',
  ],
  variants: {
    elu: 'Das ist ELU selbst, unter 0 negativ. Addiere 1: Die Features müssen positiv sein, damit es die Gewichte sind.',
    'one-only-above':
      'Das + 1 hat nur die Einträge über 0 erreicht: Die darunter sind immer noch ELU, um 1 zu klein.',
    'one-only-below':
      'Die Einträge über 0 sind um 1 zu klein. Dort ist ELU(x) gleich x, also φ(x) gleich x + 1; nur dann ist φ bei 0 stetig.',
    'too-much-below':
      'Die Einträge unter 0 sind um 1 zu groß. Dort ist ELU gleich e^x − 1, und das + 1 nimmt dieses − 1 wieder weg.',
    'sides-exchanged':
      'Die Zweige sind vertauscht: Die Exponentialfunktion gilt für x ≤ 0, die Gerade für x > 0.',
    'exponential-everywhere':
      'Du hast auf beiden Seiten e^x genommen. Für x > 0 ist die Map die Gerade x + 1, und die läuft nicht über.',
    'masks-multiplied':
      'Für große x bekommst du NaN: 0 · ∞. Du multiplizierst beide Zweige mit Masken; wähle stattdessen zwischen ihnen, oder verhindere, dass e^x überläuft.',
    'relu-plus-one':
      'Alles unter 0 ist zu 1 geworden: Das ist ReLU + 1. Dort soll die Map gegen 0 fallen, wie e^x es tut.',
  },
  figure: {
    knobs: sizeKnobs,
    rows: 'Token',
    cols: 'Feature',
    caption:
      'φ zufälliger Vektoren. Alle Einträge sind positiv; die unter 1 kommen von negativen x. Summen positiver Produkte unterscheiden sich von Key zu Key nur wenig, deshalb sind die Gewichte dieser Map fast gleich.',
  },
  where: 'Gleichung 7',
};
