/** The steps on networks: wide ones that are kernel machines, and those that learn a kernel. */
import { curveText } from '../../src/lab/questions/answer-scoring.ts';
import type { Ask, LabTools, Step } from '../../src/lab/types.ts';
import { NOISE } from './figures/deep/noise.ts';
import { learningWords } from './words/learning-figures.ts';

const WIDTHS = [8, 32, 128, 512, 2048] as const;
const SEEDS = [1, 2, 3, 4] as const;

/** How far networks of these widths are from their kernel: means over a few random starts. */
async function nearer({ client }: LabTools, ask: Ask): Promise<string> {
  const { FIRST_STEPS, trainWide } = await import('./figures/wide/train.ts');
  const { lineGrid } = await import('../../src/figures/kernel/line-grid.ts');
  const z = lineGrid(-3.1, 3.1, 63);
  const means: number[] = [];
  for (const [i, width] of WIDTHS.entries()) {
    const differences: number[] = [];
    for (const seed of SEEDS) {
      const how = { width, layers: 1, steps: FIRST_STEPS, seed };
      const { trained } = await trainWide(client, how, z, {
        signal: ask.signal,
        onProgress: () => undefined,
      });
      differences.push(trained.difference);
    }
    const { mean } = await client.summarize({ values: differences }, { signal: ask.signal });
    means.push(mean);
    ask.onProgress((i + 1) / WIDTHS.length);
  }
  return curveText(means);
}

/** Whether new points are more likely with the learned kernel than with the RBF kernel alone. */
async function fooled({ client }: LabTools, ask: Ask): Promise<string> {
  const { trainDeep } = await import('./figures/deep/train.ts');
  const { plain, deep } = await trainDeep(client, { ...NOISE, seed: 1 }, ask);
  const [alone, learned] = [plain.curve.at(-1), deep.curve.at(-1)];
  const gain = (learned?.testLogDensity ?? 0) - (alone?.testLogDensity ?? 0);
  if (Math.abs(gain) < 0.02) return 'same';
  return gain > 0 ? 'higher' : 'lower';
}

export const wide: Step = {
  id: 'wide',
  formerlyIn: 'kernels',
  blocks: [
    { kind: 'prose', id: 'wide' },
    {
      kind: 'prediction',
      id: 'nearer',
      answer: {
        ...{ kind: 'curve', x: WIDTHS, xLabel: 'neurons', min: 0.001, max: 1, log: true },
      },
      truth: nearer,
      veils: ['still'],
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'network',
            tag: 'attn-wide-network',
            load: () => learningWords.with(() => import('./figures/wide/wide.ts')),
          },
        },
        {
          kind: 'tries',
          id: 'nearer',
          figure: 'network',
          tries: [
            { id: 'narrow', values: { width: 8 } },
            { id: 'broad', values: { width: 1024 } },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'still' },
    {
      kind: 'figure',
      figure: {
        id: 'still',
        tag: 'attn-wide-network',
        load: () => learningWords.with(() => import('./figures/wide/wide.ts')),
        show: 'sweep',
        knobs: ['steps'],
      },
    },
    { kind: 'exercises', ids: ['ntk-two-layer'] },
  ],
};

export const learned: Step = {
  id: 'learned',
  formerlyIn: 'kernels',
  blocks: [
    { kind: 'prose', id: 'learned' },
    {
      kind: 'figure',
      figure: {
        id: 'deep',
        tag: 'attn-deep-kernel',
        load: () => learningWords.with(() => import('./figures/deep/deep.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'deep',
      figure: 'deep',
      tries: [{ id: 'sine', values: { data: 'sine' } }],
    },
    {
      kind: 'prediction',
      id: 'fooled',
      answer: { kind: 'choice', options: ['higher', 'same', 'lower'] },
      truth: fooled,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'noise',
            tag: 'attn-deep-kernel',
            load: () => learningWords.with(() => import('./figures/deep/deep.ts')),
            values: NOISE,
            show: 'curves',
            knobs: ['hidden', 'n'],
          },
        },
        {
          kind: 'tries',
          id: 'fooled',
          figure: 'noise',
          tries: [
            { id: 'few', values: { hidden: 2 } },
            { id: 'many', values: { n: 40 } },
          ],
        },
      ],
    },
    { kind: 'check', id: 'likelihood', options: ['never', 'few', 'always'], right: ['few'] },
  ],
};
