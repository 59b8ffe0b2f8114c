import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Zufallsfeatures für Softmax',
  summary: 'Positive Zufallsfeatures: Ihre Produkte sind im Mittel e^{q·k/√d}.',
  task: [
    "Sei $x' = x / d^{1/4}$. Für einen zufälligen Vektor $w$ mit Einträgen aus $N(0, 1)$ ist das Produkt von $e^{w\\cdot q' - \\lVert q'\\rVert^2/2}$ und $e^{w\\cdot k' - \\lVert k'\\rVert^2/2}$ im Mittel $e^{q\\cdot k/\\sqrt d}$, und eben das bildet Softmax aus den Scores. Mit $m$ solchen Vektoren, den Zeilen einer Matrix $W$, sind die Features $\\varphi(x) = \\tfrac{1}{\\sqrt m}\\, e^{W x' - \\lVert x'\\rVert^2/2}$: so viele, wie $W$ Zeilen hat.",
    'Schreibe `softmax_kernel_feature_map(x, projection_matrix)`. Zeile $i$ des Ergebnisses ist $\\varphi$ von Zeile $i$ von `x`; `projection_matrix` ist $W$, $m \\times d$, schon gezogen.',
    'Der Tipp im Kurstext spricht von Kosinus und Sinus. Sie schätzen dieselbe Zahl, können aber negativ sein und sind dort am schlechtesten, wo Softmax klein ist; der Artikel verwirft sie zugunsten dieser Exponentialfunktionen. Der Stabilität zuliebe wird hier nichts abgezogen: Das würde die Features ändern, wenn auch nicht die Gewichte.',
  ],
  parameters: {
    x: 'Queries oder Keys, in jeder Zeile einer',
    projection_matrix: 'W, in jeder Zeile ein zufälliger Vektor',
  },
  results: {
    phi: 'φ(x), alle Einträge positiv',
  },
  cases: {
    'by hand: d = 1, W = (0, 2)': 'von Hand: d = 1, W = (0, 2)',
    'five vectors, eight features': 'fünf Vektoren, acht Features',
    'fewer features than columns': 'weniger Features als Spalten',
    zeros: 'Nullen',
    'long vectors': 'lange Vektoren',
    'one feature': 'ein Feature',
    'as many features as columns and rows': 'so viele Features wie Spalten und Zeilen',
  },
  tolerance:
    'Die Referenz ist float32: eine Rundung von 1e-7 im Exponenten, mal Exponenten bis 50. Features dürfen bis 1e-8 klein sein.',
  hints: [
    'Schreib die drei Teile auf: die Projektionen W·x′ (n×m), eine Zahl ‖x′‖²/2 für jede Zeile (n×1) und den Faktor 1/√m.',
    'Skaliere zuerst x und benutze das skalierte x sowohl für die Projektionen als auch für die Normen. d ist die Anzahl der Spalten, und die Wurzel ist eine vierte.',
    'Die Norm einer Zeile wird von allen m Projektionen dieser Zeile abgezogen: Behalte sie als Spalte, mit keepdims=True.',
  ],
  variants: {
    'cosine-sine':
      'Du gibst Kosinus und Sinus zurück, 2m Stück. Die können negativ sein; die verlangten Exponentialfunktionen nicht.',
    'no-norm':
      'Der Term −‖x′‖²/2 fehlt. Ohne ihn bekommen lange Vektoren zu große Features, und das Mittel ist nicht e^{q·k/√d}.',
    'norm-not-halved': 'Du ziehst die ganze quadrierte Länge ab. Es ist die Hälfte davon.',
    'not-scaled':
      'x ist unskaliert eingegangen, also stehen deine Features für e^{q·k}. Softmax hat e^{q·k/√d}: Teile x zuerst durch d^{1/4}.',
    'square-root-of-d':
      'Du teilst x durch √d. Geteilt werden Queries und Keys, damit wäre q·k am Ende durch d geteilt: Jede Seite nimmt die vierte Wurzel.',
    'norm-of-unscaled':
      'Du ziehst die halbe quadrierte Länge von x ab. Nimm die von x′, dem skalierten Vektor.',
    'norm-of-all':
      'Du ziehst überall dieselbe Zahl ab: die Summe über die ganze Matrix. Jede Zeile hat ihre eigene Norm; summiere über ihre Spalten.',
    'not-averaged':
      'Der Faktor 1/√m fehlt: φ(q)·φ(k) wäre eine Summe von m Schätzungen statt ihres Mittels.',
    'divided-by-m':
      'Du teilst durch m. Der Faktor sitzt auf den Queries und auf den Keys, also nimmt jede Seite die Wurzel: 1/√m.',
  },
  figure: {
    knobs: { n: 'Token n', d: 'Spalten d', m: 'Features m', seed: 'Seed' },
    rows: 'Token',
    cols: 'Feature',
    caption:
      'φ zufälliger Vektoren: wenige große Einträge unter vielen kleinen. Das Mittel über die Features wird von diesen wenigen getragen, deshalb braucht es für Genauigkeit viele Features, und mit wachsendem d noch mehr.',
  },
  where: 'Lemma 1; Lab 03, softmax_kernel_feature_map(x, projection_matrix)',
};
