/** Was das erste Bild über Feature Maps sagt: wie die heißen, die zur Wahl stehen, und alles über die eine, die es zeigt. */
import type { FeatureMapWords } from '../registry.ts';

export const labels: Readonly<Record<string, string>> = {
  elu_plus_one: 'ELU + 1',
  relu: 'ReLU',
  squared_relu: 'ReLU²',
  identity: 'Identität',
  exp: 'exp',
  square: 'Quadrat',
  taylor: 'Taylor, Ordnung 2',
  cosformer: 'cosFormer',
  softmax_kernel: 'FAVOR+ (positive Zufallsfeatures)',
  softmax_kernel_hyperbolic: 'Hyperbolische Zufallsfeatures',
  softmax_kernel_trig: 'Trigonometrische Zufallsfeatures',
  relu_kernel: 'ReLU-Zufallsfeatures',
  hedgehog: 'Hedgehog',
  hedgehog_exp: 'Hedgehog, Exponentialform',
  hedgehog_joint: 'Hedgehog, ein Softmax',
  rebased: 'ReBased',
  dpfp: 'DPFP',
};

export const elu_plus_one: Omit<FeatureMapWords, 'label'> = {
  kernel:
    'Nicht der Exponentialkern und nie so gemeint: eine positive Ähnlichkeit, die sich billig summieren lässt.',
  note: 'Positiv, also verschwindet der Nenner nicht; die Gewichte bleiben nah an überall gleichen.',
  where: 'Gleichung 7',
  parameters: {
    temperature: {
      label: 'Temperatur',
      description: 'Multipliziert x vor der Abbildung (PosELU).',
    },
  },
};

/** Von den anderen Feature Maps erst einmal nur die Namen. */
export const featureMaps: Readonly<Record<string, FeatureMapWords>> = Object.fromEntries(
  Object.entries(labels).map(([id, label]) => {
    const words = id === 'elu_plus_one' ? elu_plus_one : undefined;
    return [id, { label, ...(words ?? { kernel: '', note: '', where: '', parameters: {} }) }];
  }),
);
