import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Die Attention-Matrix, die lineare Attention verbirgt',
  summary: 'Gewichte aus φ(q)·φ(k), jede Zeile durch ihre Summe geteilt.',
  task: [
    'Lineare Attention bildet ihre Gewichte nie, hat aber welche: Ihre Ausgabe ist $AV$ mit $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) \\,/\\, \\bigl(\\sum_l \\varphi(q_i)\\cdot\\varphi(k_l) + \\varepsilon\\bigr)$, wobei $\\varepsilon = 10^{-6}$ ist wie im Code des Papers.',
    'Schreibe `compute_implicit_attention(Q, K, feature_map)`. Die Funktion gibt $A$ zurück, mit einer Zeile für jede Query. `feature_map` ist $\\varphi$, eine Funktion von Matrix zu Matrix.',
    'Das $\\varepsilon$ ist für Queries da, die jeden Key verfehlen: Mit ReLU ist ihre Summe genau 0, und ihre Gewichte sollen dann 0 sein statt NaN. Es wird addiert und dient nicht als untere Grenze. Einen Faktor $1/\\sqrt d$ gibt es nicht.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    feature_map: 'φ, von n×d nach n×D',
  },
  results: {
    weights: 'A',
  },
  cases: {
    'by hand, ReLU; the last query misses every key':
      'von Hand, ReLU; die letzte Query verfehlt jeden Key',
    'six tokens, ELU + 1': 'sechs Token, ELU + 1',
    'more keys than queries, squared ReLU': 'mehr Keys als Queries, quadriertes ReLU',
    'tiny features, beside which ε counts': 'winzige Features, neben denen ε zählt',
    'one query, one key': 'eine Query, ein Key',
    'identity: a negative sum': 'Identität: eine negative Summe',
    'more queries than keys, ReLU with few columns':
      'mehr Queries als Keys, ReLU mit wenigen Spalten',
  },
  tolerance: 'Summen und Quotienten in float32; ε selbst verschiebt ein Gewicht um etwa 1e-6.',
  hints: [
    'Zuerst alle Ähnlichkeiten auf einmal, wie in der Standardreihenfolge: ein Matrizenprodukt, n×m.',
    'Die Gewichte jeder Query sollen sich zu 1 summieren. Über welche Achse der n×m-Matrix summierst du?',
    'Behalte die Summen als Spalte (keepdims=True), damit durch Broadcasting jede ganze Zeile geteilt wird, und addiere ε dazu.',
  ],
  variants: {
    'over-queries':
      'Deine Spalten summieren sich zu 1 statt deiner Zeilen: Du summierst über die Queries. Jede Query teilt durch ihre eigene Summe über die Keys.',
    'not-normalised':
      'Das sind die Ähnlichkeiten φ(q)·φ(k). Teile jede Zeile durch ihre Summe plus ε.',
    'no-epsilon':
      'Wo eine Query jeden Key verfehlt, teilst du 0 durch 0. Addiere ε = 1e-6 zur Summe.',
    'epsilon-as-floor':
      'Du benutzt ε als untere Grenze der Summe. Hier wird es addiert; neben winzigen Features ist das ein Unterschied.',
    'divided-by-all':
      'Alle deine Gewichte zusammen summieren sich zu 1. Jede Zeile soll das tun: Summiere über die Keys, mit keepdims=True.',
    'softmax-on-top':
      'Du hast φ(q)·φ(k) durch einen Softmax geschickt. φ ist ja dazu da, ohne ihn auszukommen: Teile durch die einfache Summe.',
    'keys-unmapped':
      'Die Queries sind durch die Feature Map gegangen, die Keys nicht. Sie gehört auf beide.',
    'map-unused':
      'Das sind Quotienten des bloßen q·k. Wende die Feature Map zuerst auf Q und auf K an, sonst wechseln Summen ihr Vorzeichen.',
    transposed:
      'Bei dir gehört eine Zeile zu einem Key. Die Zeilen einer Attention-Matrix sind die Queries.',
  },
  figure: {
    knobs: {
      n: 'Token n',
      d: 'Spalten d',
      seed: 'Seed',
      map: 'Map: 1 ELU + 1, 2 ReLU, 3 quadriertes ReLU',
    },
    rows: 'Query',
    cols: 'Key',
    caption:
      'Die impliziten Gewichte. ELU + 1 verteilt sie fast gleichmäßig; quadriertes ReLU bevorzugt wenige Keys, und bei wenigen Spalten sehen manche Queries gar keinen.',
  },
  where: 'Abschnitt 3.2; Lab 03, compute_implicit_attention(Q, K, feature_map)',
};
