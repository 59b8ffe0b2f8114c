import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Sind beide Reihenfolgen gleich?',
  summary:
    'Vergleiche (QKᵀ)V mit Q(KᵀV) an echten Zahlen und sag, wann zwei Ergebnisse als gleich gelten.',
  task: [
    'In exakter Rechnung ist $(QK^{\\top})V = Q(K^{\\top}V)$. Ein Computer rundet nach jedem Schritt, sodass zwei Reihenfolgen zwei Ergebnisse liefern. Miss, wie weit sie auseinanderliegen.',
    'Schreibe `verify_associativity(Q, K, V)`. Berechne $S = (QK^{\\top})V$ und $L = Q(K^{\\top}V)$ und gib drei benannte Ergebnisse zurück: `max_abs_difference`, das größte $|S - L|$; `max_rel_difference`, das größte $|S - L| / |L|$ unter den Einträgen mit $L \\ne 0$ (0, wenn es keine gibt); und `equal`: ob in jedem Eintrag $|S - L| \\le 10^{-3} + 10^{-5}\\,|L|$ gilt.',
    'Wozu die $10^{-3}$? Der Kurstext verlangt nur `rtol=1e-5`. In float32 scheitert das für $n = 100$, $d = 64$ mit jedem Seed, den wir probiert haben, obwohl nichts falsch ist: Wo sich ein Eintrag fast aufhebt, ist ein kleiner Unterschied im Verhältnis zu ihm groß.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
  },
  results: {
    report: 'max_abs_difference, max_rel_difference und equal',
  },
  cases: {
    'whole numbers: no rounding at all': 'ganze Zahlen: gar keine Rundung',
    'eight random tokens': 'acht zufällige Token',
    'the standard order loses a 1 beside 2⁶⁰': 'die Standardreihenfolge verliert eine 1 neben 2⁶⁰',
    'the same, with small values': 'dasselbe mit kleinen Values',
    'the linear order loses a 2': 'die lineare Reihenfolge verliert eine 2',
    'both results are 0': 'beide Ergebnisse sind 0',
    'more keys than queries': 'mehr Keys als Queries',
    'only one of four entries differs': 'nur einer von vier Einträgen weicht ab',
  },
  tolerance:
    'Die Referenz rundet auf float32, Python auf float64: Unterschiede, die nur Rundung sind (unter 5e-4), werden nicht bewertet.',
  hints: [
    'Klammern bestimmen die Reihenfolge: (Q @ K.T) @ V und Q @ (K.T @ V) sind verschiedene Rechnungen.',
    'Bilde Beträge, bevor du nach dem Größten suchst: Ein Unterschied von −1 ist so schlimm wie einer von 1.',
    'Behalte für den relativen Unterschied nur die Einträge, in denen L nicht 0 ist, und denk daran, dass es vielleicht keine gibt. `equal` fragt alle Einträge, jeden mit seiner eigenen Schranke.',
  ],
  variants: {
    'same-order-twice':
      'Deine beiden Ergebnisse unterscheiden sich nie: Du rechnest zweimal in derselben Reihenfolge. Ohne Klammern ist Q @ K.T @ V schon (QKᵀ)V.',
    signed:
      'Ein Unterschied ist negativ herausgekommen und lag damit unter jeder Schranke. Nimm zuerst seinen Betrag.',
    'relative-bound-only':
      'Dein `equal` sagt Nein, wo sich ein Eintrag fast aufhebt: Eine Schranke nur relativ zu |L| lässt ihm keinen Spielraum. Addiere die absoluten 1e-3.',
    'exactly-equal':
      'Dein `equal` verlangt dieselben Bits. Schon die Rundung macht zufällige Eingaben verschieden; erlaube |S − L| ≤ 1e-3 + 1e-5·|L|.',
    'relative-to-standard':
      'Dein relativer Unterschied teilt durch |S|. Teile durch |L|, das Ergebnis der linearen Reihenfolge.',
    mean: 'Du mittelst die Unterschiede. Ein Eintrag, der weit danebenliegt, versteckt sich unter vielen guten; nimm den größten.',
    'zero-over-zero':
      'Dein relativer Unterschied ist keine Zahl, wo L gleich 0 ist: 0/0. Lass diese Einträge weg.',
    'one-is-enough':
      'Dein `equal` ist wahr, sobald ein Eintrag übereinstimmt. Es müssen alle sein.',
  },
  figure: {
    knobs: { n: 'Token n', d: 'Spalten d', seed: 'Seed' },
    y: 'größtes |S − L|',
    caption:
      'Der größte Unterschied über der Anzahl der Token: reine Rundung. Die Referenz rundet auf float32 (7 Stellen), Python und C++ auf float64 (16 Stellen): Dazwischen liegen neun Zehnerpotenzen, und beide wachsen mit n.',
  },
  where: 'verify_associativity(Q, K, V)',
};
