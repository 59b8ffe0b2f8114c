import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Wie weit weg von Softmax?',
  summary:
    'Mittlerer quadratischer Fehler, größter Unterschied und Korrelation zweier Attention-Matrizen.',
  task: [
    'Vergleiche zwei Attention-Matrizen derselben Queries und Keys: Softmax-Attention $P = \\operatorname{softmax}(QK^{\\top}/\\sqrt d)$ und die implizite Attention $A$ einer Feature Map, $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) \\,/\\, \\bigl(\\sum_l \\varphi(q_i)\\cdot\\varphi(k_l) + 10^{-6}\\bigr)$. Der Kurstext lässt das $1/\\sqrt d$ in seiner Formel weg; Softmax-Attention hat es.',
    'Schreibe `compare_to_softmax(Q, K, feature_map)`. Die Funktion gibt drei benannte Zahlen über alle $n \\cdot m$ Zellen zurück: `mse`, das Mittel von $(A - P)^2$; `max_diff`, das größte $|A - P|$; und `correlation`, den Korrelationskoeffizienten nach Pearson zwischen den Zellen von $A$ und $P$.',
    'Logits können groß sein. Der Softmax muss das aushalten.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    feature_map: 'φ, von n×d nach n×D',
  },
  results: {
    metrics: 'mse, max_diff und correlation',
  },
  cases: {
    'two queries, three keys, ReLU': 'zwei Queries, drei Keys, ReLU',
    'eight tokens, ELU + 1': 'acht Token, ELU + 1',
    'more keys than queries, squared ReLU': 'mehr Keys als Queries, quadriertes ReLU',
    'logits in the thousands, ELU + 1': 'Logits im Tausenderbereich, ELU + 1',
    'one query, ReLU': 'eine Query, ReLU',
    'more queries than keys, ELU + 1': 'mehr Queries als Keys, ELU + 1',
    'a query that misses every key, ReLU': 'eine Query, die jeden Key verfehlt, ReLU',
  },
  tolerance:
    'Beide Matrizen sind in der Referenz float32, und die Korrelation teilt zwei kleine Summen.',
  hints: [
    'Bilde zuerst die beiden n×m-Matrizen. Vielleicht hast du für beide schon Funktionen.',
    'Zieh für den Softmax von jeder Zeile ihr größtes Logit ab, bevor du exp nimmst: e^1000 ist keine Zahl, die ein Computer darstellen kann.',
    'np.corrcoef(a, b) zweier flach gemachter Matrizen ist eine 2×2-Matrix: Die Korrelation steht neben der Diagonale.',
  ],
  variants: {
    'no-scale':
      'Dein Softmax ist schärfer als verlangt: Der Faktor 1/√d fehlt. Er hält die Logits zufälliger Vektoren in der Nähe von 1.',
    'softmax-over-queries':
      'Dein Softmax läuft über die Queries: Seine Spalten summieren sich zu 1. Jede Query verteilt ihr Gewicht auf die Keys.',
    'no-max-subtraction':
      'Logits im Tausenderbereich ergeben NaN: exp läuft über, und übrig bleibt ∞/∞. Zieh vorher von jeder Zeile ihr größtes Logit ab; der Quotient bleibt gleich.',
    'as-the-text-has-it':
      'Dein Softmax ist die Formel des Kurstexts, so wie sie dasteht. Zwei Dinge fehlen: der Faktor 1/√d, und das größte Logit jeder Zeile, das abgezogen werden muss, bevor exp überläuft.',
    'no-epsilon':
      'Wo eine Query jeden Key verfehlt, sind deine impliziten Gewichte 0/0. Addiere 1e-6 zur Summe der Zeile: So eine Zeile hat dann die Gewichte 0.',
    'implicit-over-queries':
      'Deine impliziten Gewichte summieren sich die Spalten hinab zu 1. Jede Query teilt durch ihre eigene Summe über die Keys, wie beim Softmax.',
    'implicit-not-normalised':
      'Du vergleichst den Softmax mit dem bloßen φ(q)·φ(k). Teile zuerst jede Zeile durch ihre Summe, damit beides Gewichte sind.',
    'sum-of-squares':
      'Dein mse wächst mit der Anzahl der Zellen: Du summierst die Quadrate. Nimm ihr Mittel.',
    root: 'Dein mse ist die Wurzel des mittleren Quadrats. Ohne die Wurzel ist es das mittlere Quadrat.',
    'mean-then-square':
      'Du quadrierst den mittleren Unterschied, und der ist fast 0, weil sich beide Zeilen zu 1 summieren. Erst quadrieren, dann mitteln.',
    'signed-maximum':
      'Dein max_diff sieht nur Zellen, in denen A über P liegt. Nimm Beträge: Zu wenig zählt so viel wie zu viel.',
    cosine:
      'Deine Korrelation ist zu hoch: Sie ist der Kosinus der beiden Matrizen. Zieh vorher von jeder das mittlere Gewicht ab.',
    'mean-of-rows':
      'Du mittelst eine Korrelation pro Zeile. Hier zählen alle Zellen als eine lange Liste: Mach beide Matrizen flach.',
    'whole-matrix':
      'Deine Korrelation ist eine 2×2-Matrix: np.corrcoef liefert alle Paare. Nimm den Eintrag neben der Diagonale.',
  },
  figure: {
    knobs: {
      n: 'Token n',
      d: 'Spalten d',
      scale: 'Größe der Einträge',
      map: 'Map: 1 ELU + 1, 2 ReLU, 3 quadriertes ReLU',
      seed: 'Seed',
    },
    y: 'Korrelation mit Softmax',
    caption:
      'Die Korrelation über der Größe der Einträge. Große Logits lassen Softmax einzelne Keys auswählen; keine dieser Maps folgt ihm dahin.',
  },
  where: 'compare_to_softmax(Q, K, feature_map)',
};
