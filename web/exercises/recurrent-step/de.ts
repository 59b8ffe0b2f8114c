import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Lineare Attention als rekurrenter Schritt',
  summary: 'Nimm ein Token auf und beantworte seine Query aus einem Zustand, der nie wächst.',
  task: [
    'Kausale lineare Attention braucht keinen Cache vergangener Token. Sie merkt sich nur eine Matrix $S = \\sum_j \\varphi(k_j)\\, v_j^\\top$ und einen Vektor $z = \\sum_j \\varphi(k_j)$ über die bisherigen Token: nach zehn Token genauso groß wie nach einer Million.',
    'Schreibe einen Schritt. `q` und `k` sind schon Features, $\\varphi(q_t)$ und $\\varphi(k_t)$. Nimm zuerst das neue Token in den Zustand auf, dann lies mit seiner Query:',
    '$$S_t = S_{t-1} + \\varphi(k_t)\\, v_t^\\top$$',
    '$$z_t = z_{t-1} + \\varphi(k_t)$$',
    '$$\\text{output} = \\frac{\\varphi(q_t)^\\top S_t}{\\varphi(q_t) \\cdot z_t + 10^{-6}}$$',
    'Gib die Ausgabe und den neuen Zustand zurück. Die $10^{-6}$ werden zum Nenner addiert, damit eine Query, deren Features alle 0 sind, 0 bekommt und nicht NaN. Einen Faktor $1/\\sqrt{d}$ gibt es hier nicht: Was skaliert wird, gehört zur Feature Map.',
  ],
  parameters: {
    S: 'bisherige Summe der φ(k)vᵀ',
    z: 'bisherige Summe der φ(k)',
    q: 'Features der Query des Tokens',
    k: 'Features des Keys des Tokens',
    v: 'der Value des Tokens',
  },
  results: {
    output: 'was die Query liest',
    S: 'das neue S',
    z: 'das neue z',
  },
  cases: {
    'the second token, by hand': 'das zweite Token, von Hand',
    'the first token: an empty state': 'das erste Token: ein leerer Zustand',
    'six features, values of width 4': 'sechs Features, Values der Breite 4',
    'a query whose features are all 0': 'eine Query, deren Features alle 0 sind',
    'as many features as values are wide': 'so viele Features, wie Values breit sind',
    'features of a thousandth': 'Features von je einem Tausendstel',
    'one feature, one value': 'ein Feature, ein Value',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Summen weniger Produkte sind auf 1e-6 ihrer Größe genau.',
  hints: [
    'Drei Zeilen: S wächst, z wächst, dann wird die Ausgabe aus dem neuen S und z gelesen.',
    'φ(k)vᵀ ist ein äußeres Produkt: Eintrag (a, b) ist k[a]·v[b], denn S hat D Zeilen und d_v Spalten.',
    'Die Query liest mit q @ S, einem Vektor aus d_v Zahlen, geteilt durch eine Zahl, q @ z + 1e-6.',
  ],
  variants: {
    'read-before-write':
      'Du hast aus dem Zustand gelesen, bevor das neue Token darin war; so sieht ein Token sich selbst nicht. Erst aktualisieren, dann lesen.',
    'z-not-updated':
      'Dein z ist geblieben, was es war. Jedes Token addiert sein φ(k) auch zu z, sonst weiß der Nenner nichts davon.',
    'no-normaliser': 'Der Nenner fehlt: Teile, was du liest, durch φ(q)·z + 1e-6.',
    'no-epsilon':
      'Eine Query, deren Features alle 0 sind, hat 0 durch 0 geteilt. Addiere die kleine Konstante zum Nenner.',
    'state-overwritten':
      'Dein neuer Zustand enthält nur das neue Token: Was davor kam, ist weg. Addiere zum Zustand, statt ihn zu ersetzen.',
    'outer-product-transposed':
      'Dein äußeres Produkt ist verkehrt herum, v φ(k)ᵀ. S hat eine Zeile für jedes Feature und eine Spalte für jeden Eintrag des Values.',
    'query-written':
      'Du hast die Features der Query in den Zustand geschrieben. Gespeichert werden Keys, Queries lesen nur.',
    'old-state-returned':
      'Deine Ausgabe stimmt, aber du hast den Zustand zurückgegeben, wie er hereinkam. Das nächste Token braucht den neuen.',
  },
  figure: {
    knobs: {
      features: 'Features',
      width: 'Breite der Values',
      memory: 'Gewicht der Vergangenheit',
      seed: 'Seed',
    },
    rows: 'Features',
    cols: 'Einträge des Values',
    caption:
      'Der Zustand S nach dem Schritt: Ohne Vergangenheit ist er ein einziges äußeres Produkt, und alle Zeilen gleichen sich bis auf einen Faktor, ebenso alle Spalten.',
  },
  where: 'Abschnitt 3.4, Gleichungen 16 bis 20; ε wie im Code dazu',
};
