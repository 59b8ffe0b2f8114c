import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Finde die Kreuzung',
  summary: 'Ab wie vielen Token braucht die lineare Reihenfolge weniger Multiply-Adds?',
  task: [
    'Eine Feature Map $\\varphi$ macht aus den $d$ Spalten von $Q$ und $K$ je $D$. Dann sind $\\varphi(Q)$ und $\\varphi(K)$ von der Form $n\\times D$, und $V$ ist $n\\times d_v$.',
    'Die Standardreihenfolge rechnet weiterhin mit $Q$ und $K$ selbst: $n^2 d + n^2 d_v$ Multiply-Adds. Die lineare Reihenfolge rechnet mit den Features: $2\\,n\\,D\\,d_v$. (Die Normierung und die Feature Map selbst bleiben außen vor.)',
    'Schreibe `crossover(d, d_v, D)`: die Länge $n^*$, bei der beide gleich viel kosten. Sie muss keine ganze Zahl sein; runde sie nicht.',
  ],
  parameters: {
    d: 'Spalten von Q und K',
    d_v: 'Spalten von V',
    D: 'Features von φ',
  },
  results: {
    n_star: 'die Länge, bei der beide gleich viel kosten',
  },
  cases: {
    'by hand': 'von Hand',
    'as many features as columns': 'so viele Features wie Spalten',
    'Taylor features of 16 columns': 'Taylor-Features von 16 Spalten',
    'one column each': 'je eine Spalte',
    'values narrower than keys': 'Values schmaler als Keys',
    'many random features': 'viele Zufallsfeatures',
    'fewer features than columns': 'weniger Features als Spalten',
  },
  tolerance: 'Eine Division in float64; die Reihenfolge der Faktoren steht dir frei.',
  hints: [
    'Setze die beiden Anzahlen gleich. Was lässt sich auf beiden Seiten kürzen?',
    'Nach dem Teilen durch n steht auf der einen Seite n·(d + d_v). Was bleibt auf der anderen?',
    'Löse nach n auf. Probe von Hand: Mit d = d_v = D ist die Antwort D.',
  ],
  variants: {
    'one-product-of-linear':
      'Deine Antwort ist die Hälfte von n*. Die lineare Reihenfolge hat zwei Produkte, KᵀV und Q mal dieses Ergebnis, und beide kosten n·D·d_v.',
    'always-D':
      'Du hast D zurückgegeben. Das stimmt nur, wo d = d_v ist; im Allgemeinen reden beide Breiten mit.',
    'one-product-of-standard':
      'Deine Standardreihenfolge enthält nur ihr erstes Produkt, n²·d. Die Scores mal V kosten noch einmal n²·d_v.',
    'keys-for-values':
      'Deine lineare Reihenfolge zählt 2·n·D·d. Ihre Produkte summieren φ(k)vᵀ, dort zählt also die Breite von V und nicht die von K.',
    'd-for-D':
      'Du hast d genommen, wo D hingehört. d ist die Breite von Q und K; die lineare Reihenfolge arbeitet mit deren Features, und davon gibt es D.',
    rounded: 'Du hast gerundet. n* muss keine ganze Zahl sein; gib es zurück, wie es herauskommt.',
    'with-normaliser':
      'Du hast die Normierung mitgezählt. Die Aufgabe lässt sie weg: Die lineare Reihenfolge kostet 2·n·D·d_v.',
    'upside-down': 'Dein Bruch steht auf dem Kopf: Du hast 1/n* zurückgegeben.',
  },
  figure: {
    knobs: { d: 'Spalten von Q und K, d', d_v: 'Spalten von V, d_v', features: 'Features D' },
    y: 'Kreuzung n*',
    caption:
      'Die Kreuzung über der Anzahl der Features. Unter der Linie braucht die Standardreihenfolge weniger Multiply-Adds, darüber die lineare.',
  },
  where: 'The Math in Detail',
};
