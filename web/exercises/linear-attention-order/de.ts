import type { WordsOf } from '../../src/exercises/words';
import { sizeKnobs } from '../de';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Attention in der linearen Reihenfolge',
  summary: 'Zuerst Keys und Values: Die n×n-Matrix entsteht nie.',
  task: [
    'Matrizenprodukte sind assoziativ: $(\\varphi(Q)\\varphi(K)^{\\top})V = \\varphi(Q)(\\varphi(K)^{\\top}V)$. Rechts entsteht nirgends etwas mit $n$ Zeilen und $n$ Spalten.',
    'Schreibe `linear_attention_order(Q, K, V, feature_map)`. Die Funktion gibt $\\varphi(Q)\\,(\\varphi(K)^{\\top}V)$ zurück, wobei `feature_map` das $\\varphi$ ist: eine Funktion, die eine Matrix nimmt und eine mit ebenso vielen Zeilen liefert. Wende sie auf die Queries und auf die Keys an. Keine Normierung: Der Quotient kommt im nächsten Lab.',
    'Mit der Identität als Feature Map ist das Ergebnis das der Standardreihenfolge. Außer den Zahlen wird auch die Arbeit bewertet: Sie darf mit $n$ wachsen, nicht mit $n^2$.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
    feature_map: 'φ, von n×d nach n×D',
  },
  results: {
    output: 'φ(Q)(φ(K)ᵀV)',
  },
  cases: {
    'two tokens, by hand, identity': 'zwei Token, von Hand, Identität',
    'six tokens, ELU + 1': 'sechs Token, ELU + 1',
    'more keys than queries, ReLU': 'mehr Keys als Queries, ReLU',
    'one query, squared ReLU': 'eine Query, quadriertes ReLU',
    'more queries than keys, ELU + 1': 'mehr Queries als Keys, ELU + 1',
    'values alone negative, identity': 'nur die Values negativ, Identität',
  },
  tolerance:
    'Die Referenz summiert Produkte in float32; Einträge, die sich fast aufheben, behalten weniger Stellen.',
  cost: '2·n·D·d_v Multiply-Adds',
  hints: [
    'Fang rechts an: Welche zwei Matrizen kannst du zuerst multiplizieren, sodass n aus der Form des Ergebnisses verschwindet?',
    'φ(K)ᵀ ist D×m und V ist m×d_v. Ihr Produkt hat D Zeilen und d_v Spalten, egal wie lang der Text ist.',
    'Übrig bleibt φ(Q), n×D, mal dieses Produkt. Wenn dir irgendwo eine n×m-Matrix begegnet, ist es die Standardreihenfolge.',
  ],
  variants: {
    quadratic:
      'Die Zahlen stimmen, die Reihenfolge nicht: Du bildest φ(Q)φ(K)ᵀ, und das hat n² Einträge. Multipliziere zuerst die Keys mit den Values.',
    normalised:
      'Du teilst durch φ(q)·Σφ(k). Das macht aus den Scores Gewichte und kommt im nächsten Lab; hier ist nur der Zähler verlangt.',
    'map-unused':
      'Dein Ergebnis ist Q(KᵀV), egal welche Feature Map du bekommst. Wende sie auf Q und auf K an, bevor du multiplizierst.',
    'queries-unmapped':
      'Die Keys sind durch die Feature Map gegangen, die Queries nicht. Sie gehört auf beide.',
    'keys-unmapped':
      'Die Queries sind durch die Feature Map gegangen, die Keys nicht. Sie gehört auf beide.',
    'values-mapped':
      'Du hast die Feature Map auch auf V angewendet. Values werden summiert; verglichen werden nur Q und K.',
    'map-last':
      'Du hast die Feature Map auf das fertige Produkt angewendet. Sie muss auf jede Query und jeden Key wirken, bevor die beiden sich treffen.',
    scaled:
      'Deine Ausgabe ist um √d zu klein. Dieser Faktor gehört zur Softmax-Attention; die lineare Reihenfolge hat keinen.',
  },
  figure: {
    knobs: sizeKnobs,
    rows: 'Query',
    cols: 'Value',
    caption:
      'Die Ausgabe φ(Q)(φ(K)ᵀV) mit ELU + 1. Ihre Einträge wachsen mit n, weil noch nichts geteilt wird; das Größte auf dem Weg zu ihr war D×d_v.',
  },
  where: 'linear_attention_order(Q, K, V, feature_map)',
};
