/** A kernel alone and one on a network, trained on the same points, as the figure and its question ask for it. */
import type { Client, DeepKernelTrained, LinePoints, Matrix } from '#client';
import { lineGrid } from '../../../../src/figures/kernel/line-grid.ts';
import type { Ask } from '../../../../src/lab/types.ts';

export const TESTS = 100;
export const grid = lineGrid(-3.2, 3.2, 129);

export interface DeepOptions {
  readonly data: 'step' | 'chirp' | 'sine' | 'nothing';
  readonly n: number;
  readonly hidden: number;
  readonly steps: number;
  readonly noise: number;
  readonly seed: number;
}

export interface DeepAnswer {
  readonly points: LinePoints;
  readonly truth: Matrix;
  readonly plain: DeepKernelTrained;
  readonly deep: DeepKernelTrained;
}

/** `keep` returns an earlier training of the same kernel, or makes one. */
export async function trainDeep(
  client: Client,
  { data, n, hidden, steps, noise, seed }: DeepOptions,
  ask: Ask,
  keep: (hidden: number, make: () => Promise<DeepKernelTrained>) => Promise<DeepKernelTrained> = (
    _,
    make,
  ) => make(),
): Promise<DeepAnswer> {
  const { signal } = ask;
  const of = { function: data, noise };
  const points = await client.linePoints({ ...of, n, seed }, { signal });
  // Its own seed, so that no new point is a training point.
  const tests = await client.linePoints({ ...of, n: TESTS, seed: 2 ** 31 + seed }, { signal });
  const truth = await client.lineFunction({ function: data, x: grid }, { signal });
  const given = { x: points.x, y: points.y, xTest: tests.x, yTest: tests.y, z: grid };
  const train = (neurons: number): Promise<DeepKernelTrained> =>
    keep(neurons, () =>
      client.deepKernelTraining({ ...given, hidden: neurons, features: 2, steps, seed }, ask),
    );
  return { points, truth, plain: await train(0), deep: await train(hidden) };
}
