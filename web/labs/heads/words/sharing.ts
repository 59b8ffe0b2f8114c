import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const english = {
  heading: 'Shared keys and values',
  steps: 'Training steps after the change',
  kinds: { '4': 'a head each', '2': 'two heads', '1': 'one head', latent: 'latent vector' },
  x: 'steps of training after the change',
  y: 'held-out loss in nats a token',
  before: 'before',
  bytes: (bytes: string) => `${bytes} a token`,
  columns: [
    'keys and values',
    'bytes a token and layer',
    'parameters of the layer',
    'loss before',
    'after the change',
    'after training',
  ],
  describe: (steps: string, seed: number) => `${steps} steps, seed ${seed}`,
  result: (
    before: string,
    [one = '', latent = '', each = '']: readonly string[],
    [averaged, oneAfter]: readonly [string, string],
    [made, latentAfter]: readonly [string, string],
  ) =>
    `Before: ${before} at ${each} a token and layer. One averaged head (${one}): *${averaged}*, after training ${oneAfter}. A latent vector (${latent}): *${made}*, after training ${latentAfter}.`,
  part: (kind: string, changed: string, after: string) =>
    `With ${kind} of keys and values the loss is *${changed}*, after training ${after}.`,
  caption: (title: string, steps: string, batch: number, rate: string, seed: number) =>
    `The small causal model of this site (two layers of four heads), its heads averaged in groups as Ainslie et al. 2023 do, or made latent attention as Ji et al. 2025 do (one rotated key for all heads; the largest singular vectors of the other keys and the values), then ${steps} steps of ${batch} on the chapters before “${title}”, learning rate ${rate}, seed ${seed}. The loss is that on “${title}”, which no training saw. Four heads are trained on, too, as a control.`,
  data: ['keys_and_values', 'bytes', 'parameters', 'step', 'loss'],
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
