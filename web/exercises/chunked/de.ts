import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Kausale lineare Attention in Chunks',
  summary:
    'Maskierte Produkte innerhalb eines Chunks, ein Zustand zwischen den Chunks: kausal und linear in n.',
  task: [
    'Token für Token ist kausale lineare Attention linear in $n$, kann aber keine Matrizenprodukte nutzen; mit einer Maske über $n \\times n$ Scores kann sie das, ist aber quadratisch. In Chunks hat sie beides.',
    '`Q` und `K` sind schon Features, mit $\\varphi(q_i)$ und $\\varphi(k_i)$ in ihren Zeilen. Nimm jeweils `chunk_size` Token (der letzte Chunk kann kürzer sein) mit dem Zustand $S$, $z$ aller Chunks davor, am Anfang 0. Für die Zeilen eines Chunks, $Q_c$, $K_c$, $V_c$:',
    '$$O_c = \\frac{Q_c S + A V_c}{Q_c z + A \\mathbf{1} + 10^{-6}}$$',
    'mit $A = \\operatorname{tril}(Q_c K_c^\\top)$, und jede Zeile wird durch ihren eigenen Nenner geteilt. $\\operatorname{tril}$ behält die Diagonale: Ein Token sieht sich selbst. Danach wächst $S$ um $K_c^\\top V_c$ und $z$ um die Summe der Zeilen von $K_c$. Das Ergebnis darf nicht von `chunk_size` abhängen, und bei festem Wert muss die Arbeit mit $n$ wachsen, nicht mit $n^2$.',
  ],
  parameters: {
    Q: 'Features der Queries',
    K: 'Features der Keys',
    V: 'Values',
    chunk_size: 'Token in einem Chunk, mindestens 1',
  },
  results: {
    output: 'eine Zeile für jedes Token',
  },
  cases: {
    'equal features: means of the past, by hand':
      'gleiche Features: Mittel der Vergangenheit, von Hand',
    'eight tokens, chunks of 3': 'acht Token, Chunks von 3',
    'chunks of 1: the recurrent form': 'Chunks von 1: die rekurrente Form',
    'queries without features': 'Queries ohne Features',
    'a chunk longer than the sequence': 'ein Chunk länger als die Sequenz',
    'twenty-five tokens, a last chunk of one': 'fünfundzwanzig Token, ein letzter Chunk aus einem',
    'features of a thousandth': 'Features von je einem Tausendstel',
  },
  tolerance:
    'Der Rechenkern rechnet in float32 und addiert in anderer Reihenfolge: Summen positiver Features sind auf 1e-6 ihrer Größe genau.',
  cost: 'n·(2·D·d_v + C·(D + d_v)) Multiply-Adds mit Chunks aus C Token',
  hints: [
    'Fang mit dem rekurrenten Schritt an und lass einen Schritt einen ganzen Chunk aufnehmen: S wächst um K_cᵀV_c.',
    'Was ein Token sieht, besteht aus zwei Teilen: den Chunks davor (über S und z) und dem eigenen Chunk bis zu ihm selbst (über tril). Addiere beide, im Zähler wie im Nenner.',
    'Pro Chunk: A = tril(q @ k.T), Zähler q @ S + A @ v, Nenner q @ z + Zeilensummen von A + 1e-6, und erst dann aktualisiere S und z.',
  ],
  variants: {
    'inside-not-causal':
      'Innerhalb eines Chunks sehen deine Token spätere: Chunks von 1 stimmen, größere nicht. Maskiere die Produkte im Chunk.',
    'itself-left-out':
      'Deine Token sehen sich selbst nicht: Behalte die Diagonale der Produkte im Chunk.',
    'state-not-carried':
      'Jeder Chunk hat neu angefangen oder kannte nur den direkt davor. S und z müssen sich über alle Chunks aufsummieren.',
    'state-never-read':
      'Deine Chunks wissen nichts von den Chunks davor: Der Teil, der aus dem Zustand kommt, fehlt.',
    'own-chunk-twice':
      'Der Chunk war schon im Zustand, bevor seine Queries gelesen haben; so zählen seine Token doppelt (und spätere werden gesehen). Erst lesen, dann S und z aktualisieren.',
    'no-normaliser':
      'Der Nenner fehlt: Teile jede Zeile durch das, was ihre Query getroffen hat, plus 1e-6.',
    'normaliser-of-state-only':
      'Dein Nenner zählt nur die Chunks davor. Die Token des eigenen Chunks bis zur Query gehören auch hinein.',
    'no-epsilon':
      'Eine Query, deren Features alle 0 sind, hat 0 durch 0 geteilt. Addiere die kleine Konstante zum Nenner.',
    'last-chunk-dropped':
      'Die Token des letzten, kürzeren Chunks haben keine Ausgabe bekommen. Mach weiter, solange ein Chunk vor dem Ende beginnt.',
    'one-chunk':
      'Deine Zahlen stimmen, aber die Produkte aller Paare von Token wurden berechnet. Maskiere immer nur innerhalb eines Chunks.',
  },
  figure: {
    knobs: { n: 'Token', features: 'Features', chunk: 'Token in einem Chunk', seed: 'Seed' },
    rows: 'Token',
    cols: 'Token, die sie sehen',
    caption:
      'Die Gewichte, auf die deine Summen hinauslaufen: Die Values sind Einheitsvektoren. Die Größe eines Chunks darf man nicht sehen.',
  },
  where: 'Abschnitt 3.3: Chunks; die Formel mit dem Nenner aus Transformers are RNNs',
};
