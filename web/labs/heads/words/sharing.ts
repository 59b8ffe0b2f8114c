import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const english = {
  heading: 'Four heads of keys and values, two, one, and a latent vector',
  steps: 'Training steps after averaging',
  kinds: { '4': 'a head each', '2': 'two heads', '1': 'one head', latent: 'latent vector' },
  x: 'steps of training after averaging',
  y: 'held-out loss in nats a token',
  before: 'before',
  bytes: (bytes: string) => `${bytes} a token`,
  columns: [
    'keys and values',
    'bytes a token and layer',
    'parameters of the layer',
    'loss before',
    'averaged',
    'after training',
  ],
  none: 'must be trained so',
  lost: 'lost with its worker',
  describe: (steps: string, seed: number) => `${steps} steps, seed ${seed}`,
  result: (before: string, averaged: string, after: string, least: string, most: string) =>
    `One head for all four: ${least} a token and layer in place of ${most}. The loss goes from ${before} to *${averaged}* by averaging, and comes back to *${after}*.`,
  part: (kind: string, averaged: string) => `Averaged to ${kind}, the loss is *${averaged}*.`,
  caption: (title: string, steps: string, batch: number, rate: string, seed: number) =>
    `The small causal model of this site (two layers of four heads), its heads averaged in groups as Ainslie et al. 2023 do, then ${steps} steps of ${batch} on the chapters before “${title}”, learning rate ${rate}, seed ${seed}. The loss is that on “${title}”, which no training saw. Four heads are trained on, too, as a control.`,
  data: ['keys_and_values', 'bytes', 'parameters', 'step', 'loss'],
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
