import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Was eine Feature Map taugt',
  summary:
    'Sechs Zahlen: wie nah die Ausgabe der von Softmax-Attention kommt und was schiefgehen kann.',
  task: [
    'Sei $P = \\operatorname{softmax}(QK^{\\top}/\\sqrt d)$, seien $s_i = \\sum_l \\varphi(q_i)\\cdot\\varphi(k_l)$ die Nenner, und sei $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) / (s_i + 10^{-6})$.',
    'Schreibe `analyze_feature_map_quality(feature_map, Q, K, V)`, die Map zuerst. Die Funktion gibt sechs benannte Zahlen zurück. Von den Ausgaben $AV$ und $PV$, jede als eine lange Liste von Zahlen genommen: `output_error`, $\\lVert AV - PV\\rVert / \\lVert PV\\rVert$, und `output_cosine`, den Kosinus ihres Winkels. Von den Gewichten: `correlation`, den Korrelationskoeffizienten nach Pearson über alle Zellen von $A$ und $P$.',
    'Und was schiefgehen kann, als Anteile zwischen 0 und 1: `negative_weights`, der Anteil der Zellen von $A$, die unter 0 liegen; `negative_denominators` und `zero_denominators`, der Anteil der Zeilen mit $s_i < 0$ und mit $s_i = 0$, bevor etwas addiert wird.',
  ],
  parameters: {
    feature_map: 'φ, von n×d nach n×D',
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
  },
  results: {
    quality:
      'output_error, output_cosine, correlation, negative_weights, negative_denominators, zero_denominators',
  },
  cases: {
    'eight tokens, ELU + 1': 'acht Token, ELU + 1',
    'ReLU, by hand; one query misses every key': 'ReLU, von Hand; eine Query verfehlt jeden Key',
    'identity, by hand: sums of both signs': 'Identität, von Hand: Summen mit beiden Vorzeichen',
    'more keys than queries, squared ReLU': 'mehr Keys als Queries, quadriertes ReLU',
    'identity: a sum that cancels to 0': 'Identität: eine Summe, die sich zu 0 aufhebt',
    'one query, ReLU': 'eine Query, ReLU',
    'logits in the thousands, ELU + 1': 'Logits im Tausenderbereich, ELU + 1',
  },
  tolerance:
    'Gewichte und Ausgaben sind in der Referenz float32, und die Korrelation teilt zwei kleine Summen.',
  hints: [
    'Bilde P, die Summen s und A nacheinander und behalte alle drei; alles andere wird daraus abgelesen.',
    'Ein Anteil ist das Mittel von Ja oder Nein: (A < 0).mean() in NumPy. Sieh dir für die Nenner s selbst an, vor dem 1e-6.',
    'Bei den Ausgaben sind Norm und Kosinus die einer langen Liste: np.linalg.norm einer Matrix ohne Achse tut genau das.',
  ],
  variants: {
    'no-scale': 'Dein Softmax ist schärfer als verlangt: Der Faktor 1/√d fehlt.',
    'no-max-subtraction':
      'Logits im Tausenderbereich ergeben NaN: exp läuft über, und übrig bleibt ∞/∞. Zieh vorher von jeder Zeile ihr größtes Logit ab; der Quotient bleibt gleich.',
    'as-the-text-has-it':
      'Dein Softmax ist die Formel des Kurstexts, so wie sie dasteht. Zwei Dinge fehlen: der Faktor 1/√d, und das größte Logit jeder Zeile, das abgezogen werden muss, bevor exp überläuft.',
    'no-epsilon':
      'Wo ein Nenner 0 ist, sind deine Gewichte NaN oder unendlich. Addiere 1e-6 zu ihm, wenn du teilst.',
    'absolute-error':
      'Dein output_error hängt davon ab, wie groß die Values sind. Teile ihn durch die Größe der Softmax-Ausgabe.',
    'relative-to-the-map':
      'Dein output_error ist relativ zur Ausgabe der Map selbst. Verglichen wird mit Softmax: Teile durch die Größe von PV.',
    'inner-product':
      'Dein output_cosine ist ein Skalarprodukt: Es kann größer als 1 werden. Teile durch beide Längen.',
    'mean-of-cosines':
      'Du mittelst einen Kosinus pro Query. Nimm die ganze Ausgabe als eine lange Liste: Eine Zeile mit kleinen Einträgen soll wenig zählen.',
    'correlation-of-outputs':
      'Deine Korrelation vergleicht die Ausgaben. Verlangt ist die der Gewichte, A und P.',
    counts:
      'Du zählst Zellen und Zeilen. Verlangt sind Anteile zwischen 0 und 1: Teile durch ihre Anzahl.',
    'epsilon-first':
      'Du findest keinen Nenner, der 0 ist, weil du ihn ansiehst, nachdem du 1e-6 addiert hast. Sieh vorher nach.',
    'zero-counts-as-negative':
      'Dein negative_denominators enthält auch die, die 0 sind. Eine Summe von 0 hat ihren eigenen Anteil.',
    'sums-over-queries':
      'Deine Nenner laufen über die Queries. Jede Query hat einen, summiert über die Keys.',
    'softmax-over-queries':
      'Dein Softmax läuft entlang der falschen Achse: Seine Spalten summieren sich zu 1. Jede Query verteilt ihr Gewicht auf die Keys, also summiert sich ihre Zeile zu 1.',
  },
  figure: {
    knobs: {
      n: 'Token n',
      d: 'Spalten d',
      scale: 'Größe der Einträge',
      map: 'Map: 1 ELU + 1, 2 ReLU, 3 quadriertes ReLU',
      seed: 'Seed',
    },
    y: '‖AV − PV‖ / ‖PV‖',
    caption:
      'Relativer Fehler der Ausgabe über der Größe von Queries und Keys. Bei 1 ist die Ausgabe der von Softmax-Attention nicht näher, als es lauter Nullen wären. ReLU und sein Quadrat versagen auch bei kleinen Einträgen: Dort ist Softmax fast gleichverteilt, sie sind es nicht.',
  },
  where: 'analyze_feature_map_quality(feature_map, Q, K, V)',
};
