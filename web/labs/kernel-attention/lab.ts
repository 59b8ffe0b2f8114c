import type { Ask, Lab, LabTools, Step } from '../../src/lab/types.ts';
import { learned, wide } from './network-steps.ts';
import { figureWords } from './words/figures.ts';

/** Which weights softmax attention reproduces without more, on the line that the figure opens with. */
async function equalTo(tools: LabTools, ask: Ask): Promise<string> {
  const { differenceAtFirst } = await import('./figures/smoother/first-pairs.ts');
  const rounding = 1e-5;
  const exponential = await differenceAtFirst(tools.client, 'exponential', ask);
  const gaussian = await differenceAtFirst(tools.client, 'rbf', ask);
  const both = [exponential < rounding, gaussian < rounding];
  if (both[0] && both[1]) return 'both';
  if (both[0]) return 'exponential';
  return both[1] ? 'gaussian' : 'neither';
}

/** By how much fewer multiply-adds features take, at the length and with the knobs that the figure begins with. */
async function fewerProducts({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { implicitSmoothing, explicitSmoothing } = await client.kernelTrickCosts(
    { n: 2 ** 15, d: 4, dV: 1, D: 64 },
    { signal },
  );
  return implicitSmoothing / explicitSmoothing;
}

const steps: readonly Step[] = [
  {
    id: 'smoother',
    formerlyIn: 'kernels',
    blocks: [
      { kind: 'prose', id: 'smoother' },
      {
        kind: 'prediction',
        id: 'equal',
        answer: { kind: 'choice', options: ['both', 'exponential', 'gaussian', 'neither'] },
        truth: equalTo,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'smooth',
              tag: 'attn-kernel-smoother',
              load: () => figureWords.with(() => import('./figures/smoother/smoother.ts')),
            },
          },
          {
            kind: 'tries',
            id: 'smoother',
            figure: 'smooth',
            tries: [
              { id: 'attention', values: { name: 'attention' } },
              { id: 'width', values: { ladder: 'width' } },
              { id: 'keys', values: { ladder: 'keys' } },
              { id: 'values', values: { ladder: 'values' } },
            ],
          },
        ],
      },
      { kind: 'prose', id: 'projected' },
      {
        kind: 'figure',
        figure: {
          id: 'projections',
          tag: 'attn-kernel-projected',
          load: () => figureWords.with(() => import('./figures/projected/projected.ts')),
        },
      },
      {
        kind: 'tries',
        id: 'projected',
        figure: 'projections',
        tries: [{ id: 'one', values: { same: true } }],
      },
      { kind: 'check', id: 'symmetric', options: ['scale', 'softmax', 'roles'], right: ['roles'] },
      { kind: 'exercises', ids: ['nadaraya-watson-is-attention'] },
    ],
  },
  {
    id: 'uses',
    formerlyIn: 'kernels',
    blocks: [
      { kind: 'prose', id: 'uses' },
      {
        kind: 'figure',
        figure: {
          id: 'features',
          tag: 'attn-kernel-approximation',
          load: () => figureWords.with(() => import('./figures/approximation/approximation.ts')),
        },
      },
      {
        kind: 'tries',
        id: 'uses',
        figure: 'features',
        tries: [
          { id: 'output', values: { show: 'output' } },
          { id: 'narrow', values: { gamma: 2 } },
          {
            id: 'wide',
            values: { d: 16, gamma: 0.0625 },
            together: 'γ = 1/d keeps the distances of the points as large as they were.',
          },
        ],
      },
      { kind: 'prose', id: 'costs' },
      {
        kind: 'prediction',
        id: 'fewer',
        answer: { kind: 'number', min: 1, max: 10_000, log: true, unit: 'times' },
        truth: fewerProducts,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'costs',
              tag: 'attn-kernel-approximation',
              load: () =>
                figureWords.with(() => import('./figures/approximation/approximation.ts')),
              values: { show: 'cost' },
              knobs: ['features', 'd'],
            },
          },
          {
            kind: 'tries',
            id: 'costs',
            figure: 'costs',
            tries: [
              { id: 'more', values: { features: 1024 } },
              { id: 'time', values: { show: 'time' } },
            ],
          },
        ],
      },
      { kind: 'check', id: 'explicit', options: ['always', 'long', 'never'], right: ['long'] },
      { kind: 'exercises', ids: ['random-fourier-features', 'nystrom'] },
    ],
  },
  wide,
  learned,
  { id: 'handout', blocks: [{ kind: 'prose', id: 'handout' }] },
];

export const lab: Lab = {
  id: 'kernel-attention',
  number: 5,
  part: 'kernels',
  requires: ['kernels'],
  opening: { id: 'line', tag: 'attn-smoothing-line' },
  steps,
  references: [
    {
      id: 'tsai',
      title: 'Tsai et al., Transformer Dissection (2019)',
      url: 'https://arxiv.org/abs/1908.11775',
      where: 'Section 2',
    },
    {
      id: 'features',
      title: 'Rahimi and Recht, Random Features for Large-Scale Kernel Machines (2007)',
      url: 'https://papers.nips.cc/paper/3182-random-features-for-large-scale-kernel-machines',
      where: 'Theorem 1',
    },
    {
      id: 'ntk',
      title: 'Jacot, Gabriel and Hongler, Neural Tangent Kernel (2018)',
      url: 'https://arxiv.org/abs/1806.07572',
      where: 'Theorems 1 and 2',
    },
    {
      id: 'deep',
      title: 'Wilson et al., Deep Kernel Learning (2016)',
      url: 'https://arxiv.org/abs/1511.02222',
      where: 'Section 3',
    },
    {
      id: 'promises',
      title:
        'Ober, Rasmussen and van der Wilk, Promises and Pitfalls of Deep Kernel Learning (2021)',
      url: 'https://arxiv.org/abs/2102.12108',
      where: 'Section 4',
    },
  ],
  words: { en: () => import('./words/en.md') },
};
