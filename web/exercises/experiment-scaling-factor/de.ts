import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Was der Faktor 1/√d_k bewirkt',
  summary: 'Dieselben Queries und Keys mit dem Faktor und ohne: Wie scharf ist der Softmax?',
  task: [
    'Produkte zufälliger Queries und Keys wachsen wie $\\sqrt{d_k}$, und der Softmax großer Scores legt sich fast auf einen einzigen Key fest. Schreibe `experiment_scaling_factor(Q, K)`: Die Funktion misst das an einem Paar von Matrizen. Sie zieht selbst nichts Zufälliges, damit das Ergebnis bei jedem Lauf dasselbe ist.',
    'Bilde die Gewichte zweimal: den Softmax von $QK^\\top$ (unskaliert) und von $QK^\\top/\\sqrt{d_k}$ (skaliert), Zeile für Zeile. Gib ein Dict (in JavaScript ein Objekt, in C++ eine Map) mit vier Zahlen zurück:',
    '`max_unscaled` und `max_scaled`: das größte Gewicht jeder Zeile, gemittelt über die Zeilen.',
    '`entropy_unscaled` und `entropy_scaled`: die Entropie $-\\sum_j p_j\\ln p_j$ jeder Zeile in Nats, mit $0\\ln 0 = 0$, gemittelt über die Zeilen.',
    'Scores können bis ±2000 groß werden.',
  ],
  parameters: {
    Q: 'Queries',
    K: 'Keys',
  },
  results: {
    measures: 'max_unscaled, max_scaled, entropy_unscaled, entropy_scaled',
  },
  cases: {
    'two queries, by hand': 'zwei Queries, von Hand',
    'd_k = 4': 'd_k = 4',
    'd_k = 8, more keys than queries': 'd_k = 8, mehr Keys als Queries',
    'd_k = 64': 'd_k = 64',
    'scores of ±2000': 'Scores von ±2000',
    'one key': 'ein Key',
  },
  tolerance:
    'Der Rechenkern summiert die Scores in float32; ein unskalierter Score von 30 liegt um etwa 1e-5 daneben.',
  hints: [
    'Schreib den Softmax von Zeilen als eigene Funktion (du hast schon eine: stable_softmax) und ruf sie zweimal auf.',
    'd_k ist die Anzahl der Spalten von Q und K. Durch √d_k werden die Scores geteilt, vor dem Softmax.',
    'Setze für die Entropie im Logarithmus eine 1 an die Stelle eines Gewichts von 0; summiere in den Zeilen, dann nimm das Mittel.',
  ],
  variants: {
    'never-scaled': 'Deine skalierten Zahlen sind gleich den unskalierten: Der Faktor fehlt.',
    'scaled-by-d': 'Du teilst die Scores durch d_k. Der Faktor ist die Wurzel daraus.',
    multiplied:
      'Du multiplizierst mit √d_k, und das macht den Softmax noch schärfer. Teile dadurch.',
    'scaled-weights':
      'Du hast nach dem Softmax die Gewichte durch √d_k geteilt. Der Faktor gehört zu den Scores, davor.',
    'swapped-names': 'Du hast die beiden vertauscht: Skaliert ist das mit dem Faktor.',
    'picture-maximum':
      'Deine Maxima sind das größte Gewicht des ganzen Bildes. Nimm das größte jeder Zeile, dann das Mittel.',
    'wrong-axis':
      'Deine Spalten summieren sich zu 1 und nicht deine Zeilen. Der Softmax geht über die Keys jeder Query.',
    bits: 'Deine Entropien sind in Bits. Nimm den natürlichen Logarithmus: Nats.',
    'log-of-zero':
      'Deine Entropie ist NaN, wo ein Gewicht 0 ist, und das passiert, sobald die Scores groß sind. Zähle so ein Gewicht als 0.',
    'no-max':
      'Richtig für kleine Scores, NaN für Scores von 2000: exp läuft über. Zieh vorher von jeder Zeile den größten Score ab.',
    'entropy-summed': 'Deine Entropien sind Summen über alle Zeilen. Mittle über die Zeilen.',
  },
  figure: {
    knobs: { d_k: 'Breite d_k', n: 'Token n', seed: 'Seed' },
    y: 'mittleres größtes Gewicht, mittlere Entropie',
    caption:
      'Ohne den Faktor geht mit wachsendem d_k das größte Gewicht einer Zeile gegen 1 und die Entropie gegen 0. Mit ihm bleiben beide, wo sie sind; wo das ist, hängt von der Anzahl der Keys ab.',
  },
  where: 'Aufgabe 3a. Vaswani et al. 2017, Abschnitt 3.2.1',
};
