import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Die Taylor-Feature-Map',
  summary: 'Features, deren Produkte 1 + s + s²/2 sind, der Anfang von eˢ.',
  task: [
    'Softmax-Attention gewichtet Keys mit $e^s$, wobei $s = q \\cdot k / \\sqrt{d}$. Based ersetzt $e^s$ durch sein Taylorpolynom der Ordnung 2, denn das ist ein Skalarprodukt endlich vieler Features:',
    '$$\\varphi(q) \\cdot \\varphi(k) = 1 + s + \\frac{s^2}{2}$$',
    'Schreibe $\\varphi$ für die Zeilen $x$ einer Matrix. Es hat $1 + d + d^2$ Features, in dieser Reihenfolge: eine konstante 1; die Einträge von $u = x / d^{1/4}$; und alle Produkte $u_i u_j / \\sqrt{2}$, das von $(i, j)$ an der Stelle $1 + d + i\\,d + j$.',
    'Warum das klappt: Die Produkte der Einträge von $u$ in Queries und Keys summieren sich zu $s$, weil $d^{1/4}$ auf beiden Seiten teilt; und die Produkte von Paaren summieren sich zu $s^2$, denn $\\left(\\sum_i a_i\\right)^2 = \\sum_{i,j} a_i a_j$. Nichts ist hier zufällig, und dieselbe Map gilt für Queries und Keys.',
  ],
  parameters: {
    x: 'Queries oder Keys',
  },
  results: {
    features: 'φ jeder Zeile',
  },
  cases: {
    'one number: 1, x, x²/√2': 'eine Zahl: 1, x, x²/√2',
    'width 4, by hand: 1, x/√2, products/√8': 'Breite 4, von Hand: 1, x/√2, Produkte/√8',
    'five rows of width 3': 'fünf Zeilen der Breite 3',
    'large entries': 'große Einträge',
    'sixteen rows of width 8': 'sechzehn Zeilen der Breite 8',
    'rows of 0': 'Zeilen aus 0',
    'one row of width 2': 'eine Zeile der Breite 2',
  },
  tolerance: 'Drei Rundungen von float32 pro Feature: 2e-7 seiner Größe.',
  hints: [
    'Bau drei Blöcke von Spalten und füge sie zusammen: eine Spalte Einsen, das skalierte x, alle Produkte.',
    'Die Produkte einer Zeile sind ihr äußeres Produkt mit sich selbst, Zeile für Zeile gelesen.',
    'x[:, :, None] * x[:, None, :] ist n×d×d; mach mit reshape n×d² daraus. Das ½ aus s²/2 wird geteilt: 1/√2 bei den Queries, 1/√2 bei den Keys.',
  ],
  variants: {
    'no-half':
      'Deinen Produkten fehlt der Faktor 1/√2: φ(q)·φ(k) wird 1 + s + s² statt 1 + s + s²/2.',
    'half-on-both-sides':
      'Du hast das ganze ½ in φ gesteckt. Es wirkt bei den Queries und bei den Keys, also hat das Produkt s²/4. Jede Seite nimmt die Wurzel.',
    'no-constant': 'Das konstante Feature 1 fehlt: Ohne es ist φ(q)·φ(k) nur s + s²/2.',
    'no-scale':
      'Dein x ist nicht durch d^(1/4) geteilt, also ist s gleich q·k statt q·k/√d, und das Polynom ist weit weg von dem Bereich, in dem es gut ist.',
    'scaled-by-root-d':
      'Du hast x durch √d geteilt. Das geschieht bei den Queries und bei den Keys, also ist s als q·k/d herausgekommen. Jede Seite nimmt d^(1/4).',
    'products-not-scaled':
      'Die linearen Features sind skaliert, die Produkte aber aus dem unskalierten x gebildet. Auch sie brauchen x / d^(1/4), einmal für jeden Faktor.',
    'squares-only':
      'Du hast nur die Quadrate xᵢ². Das Quadrat einer Summe hat auch gemischte Produkte: alle d² Paare (i, j).',
    'each-pair-once':
      'Du hast jedes Paar von Einträgen einmal behalten. Dann zählen gemischte Produkte nur halb so viel, wie sie sollen: (i, j) und (j, i) gehören beide hinein, insgesamt d² Produkte.',
    'no-linear-part': 'Die Features xᵢ selbst fehlen, und mit ihnen das s aus 1 + s + s²/2.',
  },
  figure: {
    knobs: { n: 'Zeilen', d: 'Breite', scale: 'Größe der Einträge', seed: 'Seed' },
    rows: 'Zeilen von x',
    cols: 'Features',
    caption: 'Die Features: eine Spalte Einsen, die skalierten Einträge, dann alle Produkte.',
  },
  where: 'Taylor linear attention; das Tutorial zu Kernen, „Feature map in this paper“',
};
