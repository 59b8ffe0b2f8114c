import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Ein Softmax, der nicht überläuft',
  summary:
    'Aus Zeilen von Logits werden Zeilen von Gewichten, auch wo exp der Logits unendlich wäre.',
  task: [
    'Schreibe `stable_softmax(logits)`: Aus jeder Zeile der Matrix werden Gewichte, die sich zu 1 summieren,',
    '$$p_{ij} = \\frac{e^{x_{ij}}}{\\sum_l e^{x_{il}}}$$',
    'So gerechnet, wie es dasteht, scheitert das: $e^{710}$ ist in float64 unendlich ($e^{89}$ in float32), und unendlich durch unendlich ist NaN. Eine Zeile ändert sich nicht, wenn du von allen ihren Logits dieselbe Zahl abziehst. Wähle diese Zahl so, dass nichts überlaufen kann und keine Zeile alle ihre Gewichte verliert.',
    'Ein Logit kann $-\\infty$ sein: Sein Gewicht ist 0. Keine Zeile ist durchgehend $-\\infty$.',
  ],
  parameters: {
    logits: 'eine Zeile für jede Query',
  },
  results: {
    weights: 'Zeilen, die sich zu 1 summieren',
  },
  cases: {
    'by hand: logits 0 and ln 3': 'von Hand: Logits 0 und ln 3',
    'random logits': 'zufällige Logits',
    'logits of ±1000': 'Logits von ±1000',
    'one logit far above its row’s mean': 'ein Logit weit über dem Mittel seiner Zeile',
    'some logits of −∞': 'einige Logits von −∞',
    'one column': 'eine Spalte',
    'more columns than rows': 'mehr Spalten als Zeilen',
  },
  tolerance: 'Der Rechenkern berechnet exp in float32: etwa sieben Stellen von jedem Gewicht.',
  hints: [
    'Welche Zahl darfst du von einer Zeile abziehen, damit das größte exp 1 ist?',
    'Zieh das größte Logit jeder Zeile ab, nicht das der ganzen Matrix: Eine Zeile weit darunter würde verschwinden.',
    'Dann exp, dann jede Zeile durch ihre eigene Summe teilen; behalte die Achse, über die du summierst.',
  ],
  variants: {
    'no-max':
      'Richtig für kleine Logits, NaN für Logits von 1000: exp läuft über, oder alle Gewichte einer Zeile verschwinden. Zieh vorher von jeder Zeile etwas ab.',
    'global-max':
      'Du ziehst das größte Logit der ganzen Matrix ab. Eine Zeile weit darunter verliert alle ihre Gewichte, und 0/0 ist NaN.',
    'mean-subtracted':
      'Du ziehst von jeder Zeile ihr Mittel ab. Ein Logit weit über dem Mittel läuft immer noch über: Welche ist die größte Zahl der Zeile?',
    'wrong-axis':
      'Deine Spalten summieren sich zu 1 und nicht deine Zeilen. Nimm Maximum und Summe entlang jeder Zeile.',
    'one-sum-for-all':
      'Alle deine Gewichte zusammen summieren sich zu 1. Teile jede Zeile durch ihre eigene Summe.',
    'one-row-of-all':
      'Du behandelst die ganze Matrix als eine Zeile: ein Maximum und eine Summe für alles. Jede Zeile hat von beidem ihr eigenes.',
    'axes-not-kept':
      'Deine Maxima und Summen der Zeilen liegen entlang der Spalten: Ohne keepdims=True sind sie eine Zeile aus Zahlen, und Eintrag j jeder Zeile trifft auf die von Zeile j. Behalte die Achse.',
    'sum-axis-not-kept':
      'Deine Zeilensummen liegen entlang der Spalten: Ohne keepdims=True sind sie eine Zeile aus Zahlen, und Spalte j wird durch die Summe von Zeile j geteilt. Behalte die Achse.',
    'not-normalised':
      'Deine Zeilen summieren sich nicht zu 1: Es fehlt das Teilen durch die Summe.',
    'log-weights': 'Du gibst Logarithmen der Gewichte zurück. Gib die Gewichte zurück.',
    'sum-along-columns':
      'Du teilst durch die Summen der Spalten. Jede Zeile hat eine eigene Summe: Aus ihr werden Gewichte, die sich zu 1 summieren.',
  },
  figure: {
    knobs: { n: 'Zeilen n', size: 'Größe der Logits', seed: 'Seed' },
    rows: 'Query',
    cols: 'Key',
    caption:
      'Gewichte zufälliger Logits. Je größer die Logits, desto näher kommt jede Zeile daran, einen einzigen Key zu wählen.',
  },
  where: 'Key Implementation Details, Numerical Stability',
};
