/** The steps on learning: the first machine, the representer theorem and support vectors. */
import { curveText } from '../../src/lab/questions/answer-scoring.ts';
import type { Ask, LabTools, Step } from '../../src/lab/types.ts';
import { learningWords } from './words/learning-figures.ts';

/** After so many steps the question asks what is left of the part that no data point sees. */
const AFTER = [0, 10, 20, 40, 80] as const;

async function beyond({ client }: LabTools, ask: Ask): Promise<string> {
  const { leftBeyond } = await import('./figures/descent/start.ts');
  return curveText(await leftBeyond(client, AFTER, ask));
}

/** How many points of the figure the machine with the squared loss keeps. */
async function squaredKeeps({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { x, y } = await client.planePoints(
    { pattern: 'moons', n: 40, noise: 0.3, seed: 1 },
    { signal },
  );
  const kernel = { id: 'rbf', parameters: { gamma: 1 } };
  const { alpha } = await client.kernelRidge(
    { x, y, kernel, lambda: 0.25, scaling: 'sum' },
    { signal },
  );
  return alpha.data.filter((one) => one !== 0).length;
}

/** How many of the four corners of XOR a line leaves on their side at best, as the machine finds it. */
async function xorByLine({ client }: LabTools, { signal }: Ask): Promise<string> {
  const x = { rows: 4, cols: 2, data: Float32Array.of(1, 1, -1, -1, -1, 1, 1, -1) };
  const y = { rows: 4, cols: 1, data: Float32Array.of(1, 1, -1, -1) };
  const { accuracy } = await client.supportVectorClassification(
    { x, y, kernel: { id: 'linear' }, c: 10 },
    { signal },
  );
  return accuracy === 1 ? 'line' : 'bend';
}

export const points: Step = {
  id: 'points',
  blocks: [
    { kind: 'prose', id: 'points', figure: { of: 'plane', show: 'plane' } },
    {
      kind: 'tries',
      id: 'points',
      figure: 'plane',
      tries: [
        { id: 'narrow', values: { gamma: 20 } },
        { id: 'cheap', values: { c: 0.1 } },
        { id: 'dear', values: { c: 1000 } },
        { id: 'votes', values: { machine: 'votes' } },
      ],
    },
    {
      kind: 'prediction',
      id: 'xor',
      figure: { of: 'plane', show: 'plane', knobs: ['c'] },
      answer: { kind: 'choice', options: ['line', 'bend'] },
      truth: xorByLine,
      values: { pattern: 'xor', kernel: 'linear' },
      reveal: [
        {
          kind: 'tries',
          id: 'xor',
          figure: 'plane',
          tries: [{ id: 'bumps', values: { pattern: 'xor' } }],
        },
      ],
    },
    { kind: 'check', id: 'far', options: ['moves', 'stays', 'margin'], right: ['stays'] },
    { kind: 'exercises', ids: ['svm-decision'] },
  ],
};

export const representer: Step = {
  id: 'representer',
  blocks: [
    { kind: 'prose', id: 'representer' },
    {
      kind: 'figure',
      figure: {
        id: 'descent',
        tag: 'attn-function-descent',
        load: () => learningWords.with(() => import('./figures/descent/descent.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'representer',
      figure: 'descent',
      tries: [
        { id: 'meet', values: { t: 400 } },
        {
          id: 'interpolate',
          values: { t: 400, lambda: 0.00001 },
          together: 'What a price does is seen at the end of the descent.',
        },
        { id: 'flat', values: { lambda: 5 } },
        { id: 'wild', values: { rate: 1.1 } },
      ],
    },
    {
      kind: 'prediction',
      id: 'beyond',
      figure: { of: 'descent', show: 'function', knobs: ['t'] },
      answer: {
        ...{ kind: 'curve', x: AFTER, xLabel: 'steps made', min: 0, max: 200, unit: '%' },
      },
      truth: beyond,
      values: { elsewhere: true, t: 40 },
    },
    { kind: 'prose', id: 'representerAfter' },
    {
      kind: 'check',
      id: 'needs',
      options: ['squared', 'norm', 'convex'],
      right: ['norm'],
    },
    { kind: 'exercises', ids: ['functional-gradient-step', 'kernel-ridge'] },
  ],
};

export const machines: Step = {
  id: 'machines',
  blocks: [
    { kind: 'prose', id: 'machines' },
    {
      kind: 'figure',
      figure: {
        id: 'smo',
        tag: 'attn-smo-steps',
        load: () => learningWords.with(() => import('./figures/smo/smo.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'machines',
      figure: 'smo',
      tries: [
        { id: 'begin', values: { t: 0 } },
        { id: 'end', values: { t: 400 } },
        {
          id: 'hard',
          values: { t: 400, c: 100 },
          together: 'How long a high price takes is seen only after many steps.',
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'kept',
      figure: { of: 'smo', show: 'alpha', knobs: ['c'] },
      answer: { kind: 'number', min: 0, max: 40, unit: 'points' },
      truth: squaredKeeps,
      values: { show: 'squared' },
    },
    { kind: 'check', id: 'away', options: ['same', 'little', 'new'], right: ['same'] },
    { kind: 'exercises', ids: ['smo-step'] },
  ],
};
