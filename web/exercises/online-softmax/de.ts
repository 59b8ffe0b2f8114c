import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Online-Softmax wie in FlashAttention',
  summary: 'Exakte Attention in Blöcken von Keys, ohne je die n×m-Matrix zu halten.',
  task: [
    'Softmax scheint eine ganze Zeile von Scores auf einmal zu brauchen: ihr Maximum und ihre Summe. FlashAttention kommt mit einem Block von Keys nach dem anderen aus. Für jede Query merkt es sich dreierlei: den bisher größten Score $m$, die bisherige Summe $\\ell = \\sum_j e^{s_j - m}$ und die bisher gewichteten Values $o = \\sum_j e^{s_j - m} v_j$.',
    "Ein neuer Block bringt Scores $s_j = q \\cdot k_j / \\sqrt{d_k}$ und ein neues Maximum $m' = \\max(m, \\max_j s_j)$. Was bisher summiert ist, wurde vom alten Maximum aus gemessen, also wird es auf das neue umgerechnet:",
    "$$\\ell' = e^{m - m'} \\ell + \\sum_j e^{s_j - m'}$$",
    "$$o' = e^{m - m'} o + \\sum_j e^{s_j - m'} v_j$$",
    'Beginne mit $m = -\\infty$, $\\ell = 0$, $o = 0$ und nimm jeweils `block_size` Keys; der letzte Block kann kürzer sein. Gib für jede Query die Ausgabe $o / \\ell$ zurück und $m + \\ln \\ell$, den Logarithmus der Summe von $e^{s_j}$ über alle Keys. Ein Array mit $n \\times m$ Einträgen darf nie entstehen.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
    block_size: 'Keys in einem Block, mindestens 1',
  },
  results: {
    output: 'Ausgabe der Attention',
    logsumexp: 'ln Σ exp(Score) jeder Query',
  },
  cases: {
    'one query, growing scores, blocks of 1': 'eine Query, wachsende Scores, Blöcke von 1',
    'five queries, eight keys, blocks of 3': 'fünf Queries, acht Keys, Blöcke von 3',
    'all keys in one block': 'alle Keys in einem Block',
    'scores from 1000 down to −1000': 'Scores von 1000 bis hinab zu −1000',
    'scores near 800 beside scores near −800': 'Scores um 800 neben Scores um −800',
    'sixteen by sixteen, blocks of 4': 'sechzehn mal sechzehn, Blöcke von 4',
    'blocks of 1': 'Blöcke von 1',
    'a last block of one key': 'ein letzter Block aus einem Key',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Scores von ein paar Einheiten sind auf 1e-6 genau, und Gewichte und Logarithmen auch.',
  cost: 'n·block_size Einträge auf einmal',
  hints: [
    'Halte m und ℓ als Spalten (n×1) und o als n×d_v. Aktualisiere alle drei in einer Schleife über Blöcke von Keys.',
    'Der Faktor exp(m − m′) ist 1 für Queries, deren Maximum geblieben ist, und 0 im ersten Block, in dem m noch −∞ ist. Er multipliziert sowohl ℓ als auch o.',
    'Pro Block: Scores, neues Maximum, Gewichte = exp(Scores − neues Maximum), Faktor; dann ℓ, o, m. Teile einmal durch ℓ, ganz am Ende.',
  ],
  variants: {
    'output-not-rescaled':
      'Als das Maximum gewachsen ist, ist deine Summe auf das neue umgezogen, die gewichteten Values sind aber beim alten geblieben. Beide brauchen den Faktor exp(m − m′).',
    'sum-not-rescaled':
      'Als das Maximum gewachsen ist, sind deine gewichteten Values auf das neue umgezogen, die Summe ist aber beim alten geblieben. Beide brauchen den Faktor exp(m − m′).',
    'nothing-rescaled':
      'Jeder Block wird von einem anderen Maximum aus gemessen, und du addierst sie, als wäre es dasselbe. Rechne zuerst das bisher Summierte auf das neue Maximum um.',
    'max-of-block-only':
      'Dein Maximum folgt dem letzten Block auch dann, wenn der kleiner ist. Dann explodiert der Faktor exp(m − m′): Das laufende Maximum darf nur wachsen.',
    'one-maximum-for-all':
      'Du misst alle Queries von einem Maximum aus. Eine Query, deren Scores weit darunter liegen, verliert alle ihre Gewichte, und 0/0 ist NaN: Jede Query, also jede Zeile, behält ihr eigenes Maximum.',
    'factor-upside-down':
      'Dein Faktor ist exp(m′ − m), also verkehrt herum: Ein größeres Maximum muss die alten Summen kleiner machen.',
    'normalised-per-block':
      'Du hast in jedem Block normiert und die Ergebnisse addiert. Blöcke zählen nicht gleich viel: Addiere unnormierte Summen und teile einmal, am Ende.',
    'not-divided':
      'Du hast die gewichtete Summe der Values zurückgegeben, wie sie ist. Teile sie am Ende durch ℓ.',
    'last-block-dropped':
      'Die Keys des letzten, kürzeren Blocks fehlen in deinen Summen. Mach weiter, solange ein Block vor dem Ende beginnt.',
    'logsumexp-without-max':
      'Das zweite Ergebnis ist nur ln ℓ. Die Summe ist vom Maximum aus gemessen, und das muss dazuaddiert werden.',
    'no-scale':
      'Deine Scores sind nicht durch √d_k geteilt, deshalb werden die Gewichte zu scharf.',
    'whole-matrix':
      'Deine Zahlen stimmen, aber es gab alle n×m Scores gleichzeitig. Halte nie mehr als einen Block davon.',
    'wrong-axis':
      'Dein Maximum und deine Summe laufen über die Queries eines Blocks, entlang der falschen Achse. Jede Query, eine Zeile, hat ein eigenes Maximum und eine eigene Summe, über die Keys.',
    'sum-over-queries':
      'Deine Summe ℓ läuft über die Queries eines Blocks. Sie läuft über seine Keys: eine Summe je Query, eine Spalte mit n Einträgen.',
  },
  figure: {
    knobs: {
      n: 'Token',
      d: 'Breite der Keys',
      block: 'Keys in einem Block',
      scale: 'Größe der Einträge',
      seed: 'Seed',
    },
    rows: 'Queries',
    cols: 'Keys',
    caption:
      'Die Gewichte, auf die deine Summen hinauslaufen: Die Values sind Einheitsvektoren. Die Größe eines Blocks darf man nicht sehen.',
  },
  where: 'Algorithmus 1; erste Bonusaufgabe von Project 4',
};
