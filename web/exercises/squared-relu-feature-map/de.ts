import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Quadriertes ReLU',
  summary: 'φ(x) = max(0, x)²: ein glatterer Beginn bei 0, und die Nullen von ReLU.',
  task: [
    '$\\varphi(x) = \\max(0, x)^2$, Eintrag für Eintrag. Bei 0 beginnt es mit der Steigung 0, sodass seine Ableitung keinen Sprung hat, und große Einträge zählen mehr als bei ReLU.',
    'Schreibe `squared_relu_feature_map(x)`. Die Funktion nimmt eine Matrix und gibt eine derselben Form zurück.',
    'Der Kurstext nennt es immer positiv. Das ist es nicht: Wo ReLU 0 ist, da ist es auch sein Quadrat.',
  ],
  parameters: {
    x: 'Queries oder Keys, in jeder Zeile einer',
  },
  results: {
    phi: 'φ(x), kein Eintrag negativ',
  },
  cases: {
    'by hand': 'von Hand',
    'five random vectors': 'fünf zufällige Vektoren',
    'no entry positive': 'kein Eintrag positiv',
    'large and small entries': 'große und kleine Einträge',
    'more columns than rows': 'mehr Spalten als Zeilen',
    'square matrix': 'quadratische Matrix',
  },
  tolerance: 'Ein Produkt in float32: 7 Stellen.',
  hints: [
    'Zwei Schritte: ReLU und ein Quadrat. Überleg dir ihre Reihenfolge.',
    'Wenn du zuerst quadrierst, ist nichts mehr negativ, und das Maximum hat nichts zu tun.',
    'x ** 2 quadriert jeden Eintrag; x @ x wäre ein Matrizenprodukt.',
  ],
  variants: {
    'square-first':
      'Negative Einträge sind als positive zurückgekommen: Du hast quadriert, bevor du das Maximum genommen hast.',
    'not-squared': 'Das ist ReLU. Das Quadrat fehlt.',
    'wrong-side': 'Du hast die negativen Einträge quadriert und die positiven weggelassen.',
    'signed-square':
      'Negative Einträge sind zu −x² geworden. Sie werden 0: Features dürfen nicht negativ sein.',
    doubled:
      'Du hast die Einträge verdoppelt, statt sie zu quadrieren: ** 2 ist das Quadrat, * 2 das Doppelte.',
    'largest-along-axis':
      'Du hast für jede Spalte eine Zahl bekommen: np.max(x, 0) liest die 0 als Achse. Du willst von jedem Eintrag und 0 das Größere.',
    summed:
      'Du hast die Quadrate jeder Zeile summiert. Das ist eine quadrierte Länge; die Feature Map hält ihre Einträge auseinander.',
  },
  figure: {
    knobs: {},
    y: 'φ(x)',
    caption: 'φ(x) = max(0, x)². Links flach, bei 0 ohne Knick, rechts steil.',
  },
  where: 'Squared ReLU; Lab 03, squared_relu_feature_map(x)',
};
