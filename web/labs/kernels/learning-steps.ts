/** The steps on learning: the representer theorem, support vectors, wide networks and learned kernels. */
import type { Ask, LabTools, Step } from '../../src/lab/types.ts';
import { learningWords } from './words/learning-figures.ts';

/** What the descent does to a start that no data point sees, from the squared norms of its part beyond their span. */
async function beyond({ client }: LabTools, { signal }: Ask): Promise<string> {
  const column = (...values: number[]) => ({
    ...{ rows: values.length, cols: 1 },
    data: Float32Array.from(values),
  });
  const { x, y } = await client.linePoints({ function: 'sine', n: 6, noise: 0.2 }, { signal });
  const elsewhere = column(3.4);
  const start = column(0, 0, 0, 0, 0, 0, 1.5);
  const { curve } = await client.functionalDescent(
    {
      ...{ x, y, kernel: { id: 'rbf', parameters: { gamma: 4 } }, elsewhere, start },
      ...{ lambda: 0.1, learningRate: 0.2, steps: 60 },
    },
    { signal },
  );
  const [first, last] = [curve[0]?.orthogonalSquared ?? 0, curve.at(-1)?.orthogonalSquared ?? 0];
  if (last > 1.01 * first) return 'grows';
  return last < 0.5 * first ? 'shrinks' : 'stays';
}

/** How many of 40 overlapping points the machine with the squared loss keeps. */
async function squaredKeeps({ client }: LabTools, { signal }: Ask): Promise<string> {
  const n = 40;
  const { x, y } = await client.planePoints(
    { pattern: 'moons', n, noise: 0.3, seed: 1 },
    { signal },
  );
  const kernel = { id: 'rbf', parameters: { gamma: 1 } };
  const given = { x, y, kernel };
  const ridge = await client.kernelRidge({ ...given, lambda: 0.25, scaling: 'sum' }, { signal });
  const machine = await client.supportVectorClassification({ ...given, c: 2 }, { signal });
  const kept = ridge.alpha.data.filter((alpha) => alpha !== 0).length;
  if (kept === n) return 'all';
  if (kept === machine.supportVectors) return 'same';
  return kept < machine.supportVectors ? 'fewer' : 'more';
}

/** By what network and kernel come nearer to each other at sixteen times the width, from the power of their distance. */
async function nearer({ client }: LabTools, ask: Ask): Promise<string> {
  const { trainWide } = await import('./figures/wide/train.ts');
  const { lineGrid } = await import('./figures/line-grid.ts');
  const z = lineGrid(-3.1, 3.1, 63);
  const widths: number[] = [];
  const differences: number[] = [];
  for (const width of [64, 1024]) {
    for (const seed of [1, 2, 3, 4]) {
      const how = { width, layers: 1, steps: 300, seed };
      widths.push(width);
      differences.push((await trainWide(client, how, z, ask)).trained.difference);
    }
  }
  const { slope } = await client.fitSlope({ x: widths, y: differences }, { signal: ask.signal });
  // Sixteen to the power of −½ is a quarter; the bounds lie halfway to 1 and to a sixteenth.
  if (slope > -1 / 4) return 'same';
  return slope > -3 / 4 ? 'four' : 'sixteen';
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
    { kind: 'prose', id: 'points' },
    {
      kind: 'prediction',
      id: 'xor',
      answer: { kind: 'choice', options: ['line', 'bend'] },
      truth: xorByLine,
      reveal: [
        {
          kind: 'tries',
          id: 'xor',
          figure: 'plane',
          tries: [
            { id: 'line', values: { pattern: 'xor', kernel: 'linear' } },
            { id: 'bumps', values: { pattern: 'xor', kernel: 'rbf' } },
          ],
        },
      ],
    },
    {
      kind: 'tries',
      id: 'points',
      figure: 'plane',
      tries: [
        { id: 'narrow', values: { gamma: 20 } },
        { id: 'cheap', values: { c: 0.1 } },
        { id: 'dear', values: { c: 1000, gamma: 5 } },
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
        { id: 'interpolate', values: { t: 400, lambda: 0.00001, rate: 0.9 } },
        { id: 'flat', values: { t: 400, lambda: 5 } },
        { id: 'wild', values: { t: 40, rate: 1.1 } },
      ],
    },
    {
      kind: 'prediction',
      id: 'beyond',
      answer: { kind: 'choice', options: ['grows', 'stays', 'shrinks'] },
      truth: beyond,
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
        { id: 'hard', values: { t: 400, c: 100, noise: 0.1 } },
      ],
    },
    {
      kind: 'prediction',
      id: 'kept',
      answer: { kind: 'choice', options: ['fewer', 'same', 'more', 'all'] },
      truth: squaredKeeps,
      reveal: [
        {
          kind: 'tries',
          id: 'squared',
          figure: 'smo',
          tries: [{ id: 'squared', values: { show: 'squared' } }],
        },
      ],
    },
    { kind: 'exercises', ids: ['smo-step'] },
    { kind: 'check', id: 'away', options: ['same', 'little', 'new'], right: ['same'] },
  ],
};

export const wide: Step = {
  id: 'wide',
  blocks: [
    { kind: 'prose', id: 'wide' },
    {
      kind: 'prediction',
      id: 'nearer',
      answer: { kind: 'choice', options: ['same', 'four', 'sixteen'] },
      truth: nearer,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'network',
            tag: 'attn-wide-network',
            load: () => learningWords.with(() => import('./figures/wide/wide.ts')),
          },
        },
      ],
    },
    { kind: 'prose', id: 'deep' },
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
      tries: [
        { id: 'sine', values: { data: 'sine' } },
        { id: 'fooled', values: { data: 'nothing', n: 12, noise: 0.5, hidden: 128, steps: 600 } },
      ],
    },
    { kind: 'check', id: 'likelihood', options: ['never', 'few', 'always'], right: ['few'] },
    { kind: 'exercises', ids: ['ntk-two-layer'] },
  ],
};
