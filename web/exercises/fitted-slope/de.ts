import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Bestimme den Exponenten der Kosten',
  summary:
    'Gezählt oder gemessen über n: Welche Potenz von n ist es? Eine Ausgleichsgerade über Logarithmen.',
  task: [
    'Wenn die Kosten $c\\cdot n^p$ betragen, dann ist $\\log\\text{cost} = \\log c + p\\,\\log n$: Über Logarithmen ist das eine Gerade, und ihre Steigung ist der Exponent $p$.',
    'Schreibe `fitted_slope(n, cost)`. Mit $x_i = \\log n_i$ und $y_i = \\log\\text{cost}_i$ gibt die Funktion die Steigung der Ausgleichsgeraden nach der Methode der kleinsten Quadrate zurück:',
    '$$p = \\frac{\\sum_i (x_i-\\bar x)(y_i-\\bar y)}{\\sum_i (x_i-\\bar x)^2}$$',
    'Alle Zahlen sind positiv, und es gibt mindestens drei Punkte. Die Punkte liegen nicht genau auf einer Geraden, deshalb zählt jeder von ihnen, nicht nur der erste und der letzte.',
  ],
  parameters: {
    n: 'Längen',
    cost: 'was jede Länge gekostet hat',
  },
  results: {
    slope: 'der Exponent',
  },
  cases: {
    'four lengths by hand: cost = n²': 'vier Längen von Hand: Kosten = n²',
    'multiply-adds of the standard order': 'Multiply-Adds der Standardreihenfolge',
    'noisy timings': 'verrauschte Zeitmessungen',
    'a cost that does not grow': 'Kosten, die nicht wachsen',
    'lengths in no order, unevenly spaced': 'Längen ungeordnet und in ungleichen Abständen',
    'a cost that falls': 'Kosten, die fallen',
    'beyond two thousand million': 'jenseits von zwei Milliarden',
  },
  tolerance:
    'Ein paar Logarithmen und Summen in float64; die Basis des Logarithmus steht dir frei.',
  hints: [
    'Logarithmiere zuerst beide Listen. Welche Basis du nimmst, ist egal: Sie kürzt sich heraus.',
    'Zieh von jeder Liste von Logarithmen ihren Mittelwert ab.',
    'Die Steigung ist die Summe der Produkte, geteilt durch die Summe der Quadrate von x.',
  ],
  variants: {
    'no-logs':
      'Du hast die Gerade an die Zahlen selbst angepasst. Das ergibt Kosten pro Token und keinen Exponenten: Logarithmiere zuerst beide.',
    'log-of-cost-only': 'Du hast nur die Kosten logarithmiert. Logarithmiere auch n.',
    'log-of-n-only': 'Du hast nur n logarithmiert. Logarithmiere auch die Kosten.',
    'ends-only':
      'Deine Steigung benutzt nur die beiden Enden. Bei einer Ausgleichsgeraden zählen auch die Punkte dazwischen.',
    'through-origin':
      'Deine Gerade muss durch den Ursprung gehen. Zieh zuerst die Mittelwerte ab, dann darf der Faktor c beliebig sein.',
    'swapped-axes':
      'Du hast log n über den logarithmierten Kosten aufgetragen. Der Exponent ist die umgekehrte Steigung, die der Kosten über n: Teile durch die Quadrate der anderen.',
    correlation:
      'Du hast die Korrelation zurückgegeben, eine Zahl zwischen −1 und 1. Teile nur durch die Quadrate von x.',
  },
  figure: {
    knobs: { power: 'wahrer Exponent', noise: 'Rauschen', seed: 'Seed' },
    y: 'angepasste Steigung',
    caption:
      'Die angepasste Steigung über dem wahren Exponenten, jeweils aus sechs verrauschten Messungen. Ohne Rauschen ist es die Diagonale.',
  },
  where: 'O(n²) gegen O(n)',
};
