import type { WordsOf } from '../../src/exercises/words';
import { sizeKnobs } from '../de';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'ReLU als Feature Map',
  summary: 'φ(x) = max(0, x): schnell, nie negativ und manchmal überall 0.',
  task: [
    '$\\varphi(x) = \\max(0, x)$, Eintrag für Eintrag: Was positiv ist, bleibt, der Rest wird 0.',
    'Schreibe `relu_feature_map(x)`. Die Funktion nimmt eine Matrix und gibt eine derselben Form zurück.',
    'Die Ähnlichkeit $\\varphi(q)\\cdot\\varphi(k)$ zählt nur Koordinaten, in denen beide positiv sind. Bei $d$ zufälligen Koordinaten ist sie mit der Wahrscheinlichkeit $(3/4)^d$ genau 0: für $d = 4$ bei etwa jedem dritten Paar. Eine Query, die jeden Key verfehlt, hat nichts, wodurch sie teilen könnte.',
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
    'one column': 'eine Spalte',
  },
  tolerance: 'Gerundet wird nur die Eingabe, und die ist schon float32.',
  hints: [
    'Jeder Eintrag wird für sich mit 0 verglichen.',
    'NumPy hat zwei Funktionen mit ähnlichen Namen: Die eine findet den größten Eintrag entlang einer Achse, die andere Eintrag für Eintrag den größeren aus zwei Arrays.',
    'np.maximum(x, 0) nimmt als zweites Argument eine Zahl und wiederholt sie für jeden Eintrag.',
  ],
  variants: {
    'largest-along-axis':
      'Du hast den größten Eintrag jeder Spalte bekommen: np.max(x, 0) liest die 0 als Achse. Du willst von jedem Eintrag und 0 das Größere.',
    'wrong-side': 'Du hast die negativen Einträge behalten und die positiven weggelassen.',
    absolute: 'Du hast die negativen Einträge umgedreht: Das ist |x|. Hier werden sie 0.',
    leaky:
      'Negative Einträge sickern durch, zu einem Hundertstel. Als Feature macht das Gewichte negativ; hier werden sie 0.',
    step: 'Du gibst für jeden positiven Eintrag 1 zurück. Gib den Eintrag selbst zurück.',
    'at-least-one': 'Du vergleichst mit 1: Alles Kleinere wurde auf 1 angehoben. Vergleiche mit 0.',
    squared: 'Du hast die positiven Einträge quadriert: Das ist die nächste Übung.',
  },
  figure: {
    knobs: sizeKnobs,
    rows: 'Token',
    cols: 'Feature',
    caption:
      'φ zufälliger Vektoren. Die Hälfte der Einträge ist 0. Mach d so klein, dass eine ganze Zeile leer ist: So ein Token sieht niemanden an und wird von niemandem gesehen.',
  },
  where: 'die Feature Map daraus ohne die gelernte Matrix; Lab 03, relu_feature_map(x)',
};
