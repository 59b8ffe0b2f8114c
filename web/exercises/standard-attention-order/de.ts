import type { WordsOf } from '../../src/exercises/words';
import { sizeKnobs } from '../de';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Attention in der Standardreihenfolge',
  summary: 'Zuerst die Scores jeder Query mit jedem Key, dann die Values.',
  task: [
    'Berechne $(QK^{\\top})V$ in der Reihenfolge, in der es dasteht. Zuerst die Scores $A = QK^{\\top}$: eine Zahl für jede Query und jeden Key. Dann die Ausgabe $AV$.',
    'Schreibe `standard_attention_order(Q, K, V)`. Die Funktion gibt zwei Matrizen zurück: die Ausgabe und die Scores, in dieser Reihenfolge.',
    'Hier gibt es keinen Softmax, keinen Faktor $1/\\sqrt d$ und keine Normierung: In diesem Lab geht es um die Reihenfolge der beiden Produkte. Achte auf die Form dessen, was in der Mitte steht.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
    V: 'Values',
  },
  results: {
    output: '(QKᵀ)V',
    scores: 'QKᵀ',
  },
  cases: {
    'two tokens, by hand': 'zwei Token, von Hand',
    'six tokens': 'sechs Token',
    'more keys than queries': 'mehr Keys als Queries',
    'one query, one key': 'eine Query, ein Key',
    'more queries than keys': 'mehr Queries als Keys',
    'entries around 30': 'Einträge um 30',
  },
  tolerance:
    'Die Referenz summiert Produkte in float32; Einträge, die sich fast aufheben, behalten weniger Stellen.',
  hints: [
    'Zwei Matrizenprodukte, sonst nichts. Schreib die drei Formen auf, bevor du den Code schreibst.',
    'Damit QKᵀ für Query i und Key j einen Eintrag hat, müssen die Zeilen von Q auf die Zeilen von K treffen: K wird dafür auf die Seite gelegt.',
    'Die Scores sind n×m. Sie multiplizieren V, das m×d_v ist, von links. Heb sie auf: Sie sind das zweite Ergebnis.',
  ],
  variants: {
    scaled:
      'Deine Scores sind um den Faktor √d zu klein. Softmax-Attention teilt dadurch; die einfachen Produkte hier nicht.',
    softmax:
      'Deine Scores sind durch einen Softmax gegangen: Jede Zeile summiert sich zu 1. Lass sie, wie sie sind, in diesem Lab geht es um die bloßen Produkte.',
    'rows-sum-to-one':
      'Du hast jede Zeile der Scores durch ihre Summe geteilt. Hier wird nichts normiert, und so eine Summe kann 0 sein.',
    swapped: 'Beide Matrizen stimmen, stehen aber am falschen Platz: Die Ausgabe kommt zuerst.',
    'scores-transposed':
      'Deine Scores liegen auf der Seite: Du gibst KQᵀ zurück, mit einer Zeile für jeden Key. Eine Zeile gehört zu einer Query.',
    'keys-as-values':
      'Deine Ausgabe besteht aus Keys: Die Scores müssen V multiplizieren, nicht K.',
    'output-only':
      'Du gibst nur die Ausgabe zurück. Verlangt sind auch die Scores, als zweites Ergebnis.',
  },
  figure: {
    knobs: sizeKnobs,
    rows: 'Query',
    cols: 'Key',
    caption:
      'Die Scores QKᵀ, n×n Stück: die Matrix, die in der linearen Reihenfolge nie entsteht. Zu gleichen Teilen positiv und negativ, denn es folgt kein Softmax.',
  },
  where: 'standard_attention_order(Q, K, V)',
};
