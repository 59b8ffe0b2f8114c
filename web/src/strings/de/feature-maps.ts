/** Was das Register des Rechenkerns über Feature Maps sagt, auf Deutsch, nach ihrer Id. */
import type { FeatureMapWords, ParameterWords } from '../registry.ts';
import { elu_plus_one, labels } from './first-feature-maps.ts';

const floor: ParameterWords = {
  label: 'Untergrenze',
  description: 'Kleinere Features werden auf sie angehoben.',
};
const stabilize: ParameterWords = {
  label: 'stabilisieren',
  description: 'Vor exp den größten Exponenten abziehen (Queries: je Zeile, Keys: über alle).',
};
const random: Readonly<Record<string, ParameterWords>> = {
  features: { label: 'm', description: 'Wie viele zufällige Projektionen gezogen werden.' },
  orthogonal: {
    label: 'orthogonal',
    description: 'Die Zeilen der Projektion sind blockweise zu je d orthogonal (0: unabhängig).',
  },
  row_norms: {
    label: 'Zeilenlängen',
    description:
      'Die Zeilen der Projektion sind so lang wie normalverteilte (0: alle √d lang; Schätzungen von e^{q·k/√d} sind dann im Mittel zu klein).',
  },
};
const onAverage = 'Im Mittel gleich e^{q·k/√d}';
/** Maps, die nicht zur Wahl stehen, weil eine andere dieselben Gewichte hat. */
const otherLabels: Readonly<Record<string, string>> = {
  taylor_compact: 'Taylor, kompakt',
  t2r: 'T2R',
};
const mimicked =
  'Nicht in geschlossener Form: W wird so trainiert, dass die Gewichte Softmax nachahmen.';

const withoutLabels: Readonly<Record<string, Omit<FeatureMapWords, 'label'>>> = {
  elu_plus_one,
  relu: {
    kernel:
      'Nicht der Exponentialkern: Es zählen nur Koordinaten, in denen Query und Key beide positiv sind.',
    note: 'Bei wenigen Dimensionen kann eine Query jeden Key verfehlen: Ihre ganze Zeile ist null.',
    where: 'die Feature Map dort, mit W als Einheitsmatrix',
    parameters: { floor },
  },
  squared_relu: {
    kernel: 'Nicht der Exponentialkern: der von ReLU, in dem große Koordinaten mehr zählen.',
    note: 'Eine stetige Steigung, aber genau die Nullen von ReLU.',
    where: 'Aktivierung „squared ReLU“',
    parameters: {},
  },
  identity: {
    kernel: 'Das bloße Skalarprodukt q·k.',
    note: 'Der Nenner wechselt das Vorzeichen, normierte Gewichte explodieren also: nur ohne Normierung verwenden.',
    where: 'das bloße Produkt, das dort verbessert wird',
    parameters: {},
  },
  exp: {
    kernel: 'Eine Summe von e^{q_i + k_i} über die Koordinaten: nicht e^{q·k}.',
    note: 'Läuft in float32 über x = 88,7 über, wenn sie nicht stabilisiert ist.',
    where: 'die Softmax-Normierung dort, vor der Division',
    parameters: { stabilize },
  },
  square: {
    kernel: 'Nicht der Exponentialkern: blind für die Vorzeichen der Koordinaten.',
    note: 'Entgegengesetzte Vektoren sehen gleich aus.',
    where: 'veröffentlichter Code, Feature Map „Square“',
    parameters: {},
  },
  taylor: {
    kernel: '1 + s + s²/2 mit s = q·k/√d: das Taylorpolynom der Exponentialfunktion, nie unter ½.',
    note: 'Nah an Softmax, solange |s| nicht weit über 1 liegt; wächst für stark negative s wieder.',
    where: 'lineare Attention mit Taylor',
    parameters: {},
  },
  taylor_compact: {
    kernel: 'Derselbe Kern wie Taylor, jedes gemischte Produkt nur einmal behalten.',
    note: 'Dieselben Gewichte mit wenig mehr als der Hälfte der Features.',
    where: 'lineare Attention mit Taylor',
    parameters: {
      upper: {
        label: 'Reihenfolge',
        description: 'Reihenfolge der gemischten Produkte: 0 unter der Diagonale, 1 darüber.',
      },
    },
  },
  cosformer: {
    kernel: 'Der Kern von ReLU mal cos(π(i − j)/2M): eine Vorliebe für nahe Positionen.',
    note: 'Keine Kosinus-Ähnlichkeit; die Länge M muss vorher bekannt sein.',
    where: 'Umgewichtung mit dem Kosinus',
    parameters: {},
  },
  softmax_kernel: {
    kernel: 'Im Mittel über W gleich e^{q·k/√d}, solange nicht stabilisiert wird.',
    note: 'Erwartungstreu ist nicht genau: Die Varianz wächst wie e^{‖q + k‖²/√d}. Das Stabilisieren verhindert den Überlauf; sein ε zieht alle Gewichte zueinander.',
    where: 'Lemma 1',
    parameters: {
      ...random,
      stabilize,
      epsilon: {
        label: 'ε',
        description: 'Wird zu jedem Feature addiert, wenn stabilisiert wird.',
      },
    },
  },
  softmax_kernel_hyperbolic: {
    kernel: `${onAverage}, mit weniger Varianz als die einseitige Form.`,
    note: 'Zwei Features für jede Projektion. Sie erreichen e^{‖w‖²/2} mit ‖w‖² nahe d: Ab etwa d = 128 kann float32 überlaufen, wenn nicht stabilisiert wird.',
    where: 'Lemma 1, Form mit cosh',
    parameters: { ...random, stabilize },
  },
  softmax_kernel_trig: {
    kernel: `${onAverage}; einzelne Ziehungen können negativ sein.`,
    note: 'Am schlechtesten gerade dort, wo Softmax klein ist: Darum hat Performer sie aufgegeben. Läuft in float32 über ‖x‖² = 177·√d über, wenn nicht stabilisiert wird.',
    where: 'der trigonometrische Schätzer, gegen den dort argumentiert wird',
    parameters: {
      ...random,
      stabilize,
      softmax_factor: {
        label: 'Softmax-Faktor',
        description:
          'Mit exp der halben quadrierten Norm multiplizieren; bei 0 bleibt der Gauß-Kern.',
      },
    },
  },
  relu_kernel: {
    kernel: 'Nicht der Exponentialkern: ein Arkuskosinus-Kern der Richtungen, plus ε.',
    note: 'Die verallgemeinerte Attention von Performer.',
    where: 'verallgemeinerte Attention',
    parameters: {
      ...random,
      epsilon: { label: 'ε', description: 'Wird zu jedem Feature addiert.' },
    },
  },
  hedgehog: {
    kernel: mimicked,
    note: 'Hier ist W die Einheitsmatrix, nichts ist trainiert.',
    where: 'Feature Map „Hedgehog“',
    parameters: { floor },
  },
  hedgehog_exp: {
    kernel: mimicked,
    note: 'Sicher vor Überlauf: Das größte Feature jeder Hälfte ist 1.',
    where: 'veröffentlichter Code, Variante mit Exponentialfunktion',
    parameters: { floor },
  },
  hedgehog_joint: {
    kernel: 'Nicht in geschlossener Form; eine zweite Definition unter demselben Namen.',
    note: 'Wie in flash-linear-attention: ein Softmax über beide Hälften.',
    where: 'wie in flash-linear-attention implementiert',
    parameters: {},
  },
  t2r: {
    kernel: 'Nicht in geschlossener Form: W und b werden trainiert.',
    note: 'Hier ist W die Einheitsmatrix, also ist es ReLU, bis du ihm Gewichte gibst.',
    where: 'gelernte Feature Map',
    parameters: {},
  },
  rebased: {
    kernel:
      '(y_q·y_k)²/d von Vektoren nach einer Layer-Norm: nie negativ, blind für das Vorzeichen.',
    note: 'Verstärkung und Verschiebung werden gelernt; hier sind sie 1 und 0.',
    where: 'lernbarer Kern',
    parameters: {
      layer_norm: { label: 'Layer-Norm', description: 'Zuerst jede Zeile normieren.' },
      layer_norm_epsilon: {
        label: 'ε der Layer-Norm',
        description: 'Wird unter der Wurzel zur Varianz addiert.',
      },
    },
  },
  dpfp: {
    kernel: 'Nicht der Exponentialkern: dünn besetzte Produkte, die Richtungen auseinanderhalten.',
    note: 'flash-linear-attention schreibt −max(0, x) für die zweite Hälfte; diese Variante kann negativ sein.',
    where: 'deterministische Projektion ohne Parameter',
    parameters: {
      nu: {
        label: 'ν',
        description: 'Wie viele Verschiebungen von z mit ihm multipliziert werden.',
      },
      fla: { label: 'fla-Variante', description: '1: z = [max(0, x), −max(0, x)].' },
    },
  },
};

export const featureMaps: Readonly<Record<string, FeatureMapWords>> = Object.fromEntries(
  Object.entries(withoutLabels).map(([id, words]) => [
    id,
    { label: labels[id] ?? otherLabels[id] ?? id, ...words },
  ]),
);
