import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'In Heads zerlegen und wieder zusammenfügen',
  summary:
    'Zerschneide eine Matrix in Heads, dreh jeden lauter oder leiser und setz sie wieder nebeneinander.',
  task: [
    'Multi-Head-Attention zerschneidet die $d_{\\text{model}}$ Zahlen jedes Tokens in $h$ Stücke, lässt jeden Head an seinem eigenen Stück arbeiten und fügt die Stücke wieder zusammen. Hier besteht die Arbeit von Head $i$ nur darin, sein Stück mit einem Gate $g_i$ zu multiplizieren (ein Gate von 0 schaltet den Head ab).',
    'Mit $d_{\\text{head}} = d_{\\text{model}} / h$ gehören Head $i$ die Spalten von $i\\,d_{\\text{head}}$ bis vor $(i+1)\\,d_{\\text{head}}$ jedes Tokens. Gib zweierlei zurück: `heads`, den Stapel der Form $h \\times n \\times d_{\\text{head}}$ vor den Gates, mit $\\text{heads}[i, t, c] = X[t,\\ i\\,d_{\\text{head}} + c]$; und `merged`, die Heads nach ihren Gates an ihren alten Plätzen, $n \\times d_{\\text{model}}$.',
    'Stehen alle Gates auf 1, ist `merged` wieder `X`. `num_heads` teilt $d_{\\text{model}}$.',
  ],
  parameters: {
    X: 'ein Token in jeder Zeile',
    num_heads: 'h; teilt d_model',
    gates: 'ein Faktor für jeden Head',
  },
  results: {
    heads: 'die Heads vor ihren Gates',
    merged: 'die Heads nach ihren Gates, nebeneinander',
  },
  cases: {
    'two tokens, two heads, by hand': 'zwei Token, zwei Heads, von Hand',
    'three heads, one of them pruned': 'drei Heads, einer davon abgeschaltet',
    'as many heads as tokens': 'so viele Heads wie Token',
    'one head is the whole': 'ein Head ist das Ganze',
    'heads of width 1': 'Heads der Breite 1',
    'many tokens, all gates 1': 'viele Token, alle Gates 1',
    'a single token': 'ein einziges Token',
  },
  tolerance:
    'Zahlen werden nur verschoben und einmal multipliziert: eine Rundung von float32 (6e-8 des Werts).',
  hints: [
    'Schreib auf, wohin der Eintrag (Token t, Spalte j) von X muss: Head j // d_head, Spalte j % d_head.',
    'Die letzte Achse in zwei zu schneiden verschiebt nichts im Speicher: Aus n×d_model wird n×h×d_head. Erst dann hol die Achse der Heads nach vorn.',
    'Zusammenfügen ist Zerlegen rückwärts: Achse der Token nach vorn, n×h×d_head, dann die letzten beiden Achsen verbinden. Ein reshape verschiebt nie Zahlen, ein transpose schon.',
  ],
  variants: {
    'reshape-only':
      'Du hast mit reshape direkt h×n×d_head gemacht, deshalb hat jeder Head ganze Zeilen der ersten Token bekommen statt seiner Spalten von jedem Token. Zerschneide zuerst die Spalten, dann vertausche zwei Achsen.',
    interleaved:
      'Deine Heads haben jede h-te Spalte genommen, wie reihum verteilte Karten. Einem Head gehören benachbarte Spalten: Sieh nach, welche der beiden neuen Achsen die Heads zählt.',
    'merge-without-transpose':
      'Die Zerlegung stimmt, aber beim Zusammenfügen hast du die Achsen verbunden, als die Heads noch vorn standen; deshalb mischen die Zeilen von `merged` Token. Hol vor dem reshape die Token nach vorn.',
    'gates-forgotten':
      'Dein `merged` ist X, wie es war: Die Gates wurden nicht auf die Heads angewendet.',
    'gated-heads-returned':
      'Das erste Ergebnis soll die Heads enthalten, wie sie geschnitten wurden, vor ihren Gates; deine sind schon multipliziert.',
    'heads-added':
      'Du hast die Heads übereinander addiert. Zusammengefügt stehen sie nebeneinander, jeder in den Spalten, aus denen er kam, und das Ergebnis ist wieder n×d_model.',
  },
  figure: {
    knobs: {
      n: 'Token',
      heads: 'Heads',
      width: 'Breite eines Heads',
      pruned: 'abgeschalteter Head',
      seed: 'Seed',
    },
    rows: 'Token',
    cols: 'Features',
    caption:
      'Zusammengefügte Heads, einer davon abgeschaltet: Seine Spalten sind leer, und sie liegen nebeneinander.',
  },
  where: 'Abschnitt 2.3: ein Gate für jeden Head',
};
