import type { KernelChoice } from '#client';
import type { Ask, Lab, LabTools, Step } from '../../src/lab/types.ts';
import { machines, points, representer } from './learning-steps.ts';
import { figureWords } from './words/figures.ts';

/** Whether a search of this many sets of points finds a witness against a kernel. */
async function refuted({ client }: LabTools, kernel: KernelChoice, ask: Ask): Promise<boolean> {
  const { report } = await client.witnessSearch({ kernel, points: 4, d: 2, tries: 600 }, ask);
  return !report.positiveSemidefinite;
}

/** Which of the four functions have a witness. */
async function notKernels(tools: LabTools, ask: Ask): Promise<string> {
  const { offered } = await import('./figures/shared/kernels.ts');
  const [sigmoid, elu, sum, product] = [
    await refuted(tools, offered.sigmoid, ask),
    await refuted(tools, offered.elu, ask),
    await refuted(tools, offered.sum, ask),
    await refuted(tools, offered.product, ask),
  ];
  if (sum || product) return sigmoid || elu ? 'all' : 'combinations';
  if (sigmoid && elu) return 'both';
  return sigmoid ? 'sigmoid' : 'none';
}

/** The height of the plane of which the question about the circle asks. */
const CUT = 4;

async function radiusAt({ client }: LabTools, { signal }: Ask): Promise<number> {
  const x = { rows: 1, cols: 2, data: Float32Array.of(0, 0) };
  return (await client.liftToParaboloid({ x, a: 0, b: 0, c: CUT }, { signal })).radius;
}

async function priceOfWiggles({ client }: LabTools, ask: Ask): Promise<number> {
  const { pricePaid } = await import('./figures/bumps/functions.ts');
  return pricePaid(client, ask);
}

const steps: readonly Step[] = [
  points,
  {
    id: 'lifted',
    blocks: [
      { kind: 'prose', id: 'lifted' },
      {
        kind: 'prediction',
        id: 'circle',
        answer: { kind: 'number', min: 0, max: 4 },
        truth: radiusAt,
        values: { c: CUT },
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'lift',
              tag: 'attn-kernel-lift',
              load: () => import('./figures/lift/lift.ts'),
            },
          },
          { kind: 'prose', id: 'liftedAfter' },
          {
            kind: 'tries',
            id: 'lifted',
            figure: 'lift',
            tries: [
              { id: 'above', values: { pitch: 90 } },
              { id: 'tilt', values: { a: -1 } },
              { id: 'noise', values: { noise: 0.4 } },
            ],
          },
        ],
      },
    ],
  },
  {
    id: 'called',
    blocks: [
      { kind: 'prose', id: 'called' },
      {
        kind: 'prediction',
        id: 'which',
        answer: { kind: 'choice', options: ['none', 'sigmoid', 'both', 'combinations', 'all'] },
        truth: notKernels,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'definite',
              tag: 'attn-kernel-definiteness',
              load: () => figureWords.with(() => import('./figures/definiteness/definiteness.ts')),
            },
          },
          {
            kind: 'tries',
            id: 'which',
            figure: 'definite',
            tries: [
              { id: 'product', values: { kernel: 'product' } },
              { id: 'elu', values: { kernel: 'elu' } },
              { id: 'difference', values: { kernel: 'difference' } },
            ],
          },
        ],
      },
      {
        kind: 'check',
        id: 'finite',
        options: ['proof', 'nothing', 'refutes'],
        right: ['refutes'],
      },
      { kind: 'exercises', ids: ['gram-matrix', 'is-positive-semidefinite'] },
    ],
  },
  {
    id: 'bumps',
    blocks: [
      { kind: 'prose', id: 'bumps' },
      {
        kind: 'figure',
        figure: {
          id: 'function',
          tag: 'attn-kernel-bumps',
          load: () => figureWords.with(() => import('./figures/bumps/bumps.ts')),
        },
      },
      {
        kind: 'tries',
        id: 'bumps',
        figure: 'function',
        tries: [
          { id: 'rough', values: { kernel: 'laplacian' } },
          { id: 'least', values: { show: 'least' } },
        ],
      },
      {
        kind: 'prediction',
        id: 'price',
        figure: { of: 'function', knobs: ['width'] },
        answer: { kind: 'number', min: 1, max: 1000, log: true, unit: 'times' },
        truth: priceOfWiggles,
        values: { show: 'wiggle' },
      },
      { kind: 'check', id: 'norm', options: ['same', 'values', 'smooth'], right: ['smooth'] },
      { kind: 'prose', id: 'mean' },
      {
        kind: 'figure',
        figure: {
          id: 'samples',
          tag: 'attn-kernel-discrepancy',
          load: () => figureWords.with(() => import('./figures/discrepancy/discrepancy.ts')),
        },
      },
      {
        kind: 'tries',
        id: 'mean',
        figure: 'samples',
        tries: [
          { id: 'alike', values: { shift: 0 } },
          {
            id: 'wider',
            values: { shift: 0, spread: 2.5 },
            together: 'Another spread is seen by itself only where the means are equal.',
          },
        ],
      },
      { kind: 'exercises', ids: ['rkhs-norm'] },
    ],
  },
  representer,
  machines,
  {
    id: 'handout',
    blocks: [
      { kind: 'prose', id: 'handout' },
      { kind: 'check', id: 'infinite', options: ['finite', 'limits', 'basis'], right: ['limits'] },
    ],
  },
];

export const lab: Lab = {
  id: 'kernels',
  number: 4,
  part: 'kernels',
  requires: ['kernel-trick'],
  opening: { id: 'plane', tag: 'attn-kernel-plane' },
  steps,
  references: [
    {
      id: 'aronszajn',
      title: 'Aronszajn, Theory of Reproducing Kernels (1950)',
      url: 'https://doi.org/10.1090/S0002-9947-1950-0051437-7',
      where: 'Part I, sections 1 and 2',
    },
    {
      id: 'gretton',
      title: 'Gretton et al., A Kernel Two-Sample Test (2012)',
      url: 'https://jmlr.org/papers/v13/gretton12a.html',
      where: 'Lemma 6',
    },
    {
      id: 'representer',
      title: 'Schölkopf, Herbrich and Smola, A Generalized Representer Theorem (2001)',
      url: 'https://doi.org/10.1007/3-540-44581-1_27',
      where: 'Theorem 1',
    },
    {
      id: 'smo',
      title: 'Fan, Chen and Lin, Working Set Selection Using Second Order Information (2005)',
      url: 'https://www.jmlr.org/papers/v6/fan05a.html',
      where: 'Algorithm 2',
    },
  ],
  next: 'kernel-attention',
  words: { en: () => import('./words/en.md') },
};
