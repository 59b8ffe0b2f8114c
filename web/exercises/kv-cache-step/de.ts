import type { WordsOf } from '../../src/exercises/words';
import type { exercise } from './exercise';

export const words: WordsOf<typeof exercise> = {
  title: 'Ein Schritt mit KV-Cache',
  summary:
    'Nimm ein Token in den Cache auf und berechne seine Attention über alles, was darin liegt.',
  task: [
    'Ein Modell, das Text schreibt, erzeugt ein Token nach dem anderen. Die Keys und Values früherer Token ändern sich nie, deshalb werden sie in einem Cache aufgehoben: Ein Schritt berechnet eine Zeile der kausalen Attention statt aller.',
    'Schreibe einen Schritt. Der Cache enthält $t$ Keys und $t$ Values, die ältesten zuerst; $t$ kann 0 sein. Hänge $k$ und $v$ des neuen Tokens hinten an. Dann lass seine Query auf jeden Key schauen, der jetzt im Cache liegt, den eigenen eingeschlossen:',
    '$$\\text{output} = \\operatorname{softmax}\\!\\left(\\frac{K q}{\\sqrt{d_k}}\\right)^{\\!\\top} V$$',
    'mit $K$ aus $t + 1$ Zeilen und $V$ ebenso. Gib die Ausgabe und beide gewachsenen Caches zurück. Scores können bis 1000 groß werden: Zieh ihr Maximum ab, bevor du die Exponentialfunktion nimmst.',
  ],
  parameters: {
    q: 'die Query des neuen Tokens',
    k: 'der Key des neuen Tokens',
    v: 'der Value des neuen Tokens',
    K_cache: 'bisherige Keys, die ältesten zuerst',
    V_cache: 'bisherige Values, die ältesten zuerst',
  },
  results: {
    output: 'die Attention-Ausgabe des neuen Tokens',
    K_cache: 'Keys mit dem neuen am Ende',
    V_cache: 'Values mit dem neuen am Ende',
  },
  cases: {
    'one token in the cache, by hand': 'ein Token im Cache, von Hand',
    'an empty cache': 'ein leerer Cache',
    'six tokens, values wider than keys': 'sechs Token, Values breiter als Keys',
    'scores of 1000 and −1000': 'Scores von 1000 und −1000',
    'keys and values of one width': 'Keys und Values gleich breit',
    'width 1': 'Breite 1',
    'an empty cache and a large score': 'ein leerer Cache und ein großer Score',
  },
  tolerance:
    'Der Rechenkern rechnet in float32: Scores von ein paar Einheiten sind auf 1e-6 genau, und die Gewichte auch.',
  hints: [
    'Bilde zuerst die beiden gewachsenen Caches. Alles danach ist Attention mit einer einzigen Query.',
    'Ein Vektor hat eine Achse: Gib ihm eine zweite, sodass er eine Matrix mit einer Zeile ist, die du unten an den Cache anfügen kannst.',
    'Die Scores sind eine Zahl für jeden Key im Cache: K_cache @ q / √d_k. Nimm davon den Softmax und gewichte damit die Zeilen des gewachsenen V_cache.',
  ],
  variants: {
    'itself-forgotten':
      'Deine Caches sind gewachsen, aber die Query hat nur auf die alten Token geschaut. Ein Token sieht auch sich selbst: Nimm den Cache nach dem Anhängen.',
    prepended:
      'Dein neues Token steht vorn in den Caches. Sie sind nach der Zeit geordnet, das Älteste zuerst: Setz es hinter die anderen.',
    'key-into-values':
      'Der Key ist in beide Caches gewandert. Der Cache der Values nimmt `v`, das sogar eine andere Breite haben kann.',
    'old-caches-returned':
      'Deine Ausgabe stimmt, aber du hast die Caches zurückgegeben, wie sie hereinkamen. Der nächste Schritt braucht sie mit diesem Token darin.',
    'no-scale':
      'Deine Scores sind nicht durch √d_k geteilt, deshalb werden die Gewichte zu scharf.',
    'scaled-by-length':
      'Du hast die Scores durch die Wurzel aus der Anzahl der Token im Cache geteilt. Der Faktor gehört zur Breite der Keys, d_k, und ändert sich nicht von Schritt zu Schritt.',
    'no-max':
      'Ein Score von 1000 hat die Exponentialfunktion überlaufen lassen, und übrig blieb NaN. Zieh vorher den größten Score ab: Die Gewichte bleiben gleich.',
    'not-normalised':
      'Deine Gewichte summieren sich nicht zu 1: Teile die Exponentialwerte durch ihre Summe.',
    'wrong-axis':
      'Alle deine Gewichte sind 1: Dein Softmax läuft entlang der falschen Achse, und jeder Key wurde durch sich selbst geteilt. Er läuft über die Keys, und alle Gewichte zusammen ergeben 1.',
  },
  figure: {
    knobs: { tokens: 'Token im Cache', d: 'Breite der Keys', seed: 'Seed' },
    rows: 'das neue Token',
    cols: 'Token im Cache',
    caption:
      'Wie sehr das neue Token (letzte Spalte) auf jedes im Cache schaut. Die Values sind Einheitsvektoren, also ist die Ausgabe gleich den Gewichten.',
  },
  where: 'Test Attention Caching',
};
