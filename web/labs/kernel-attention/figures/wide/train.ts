/** One training of a network beside its kernel, as the figure and its prediction ask for it. */
import type { Client, LinePoints, Matrix, WideTraining } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const SWEEP = [8, 32, 128, 512, 2048] as const;
export const FIRST_STEPS = 200;

const POINTS = { function: 'sine', n: 8, noise: 0, seed: 2 } as const;

/** `angles`: where the functions are wanted. Inputs are points on the unit circle, where all have one length. */
export async function trainWide(
  client: Client,
  how: {
    readonly width: number;
    readonly layers: number;
    readonly steps: number;
    readonly seed: number;
  },
  angles: Matrix,
  { signal, onProgress }: Ask,
): Promise<{ readonly points: LinePoints; readonly trained: WideTraining }> {
  const points = await client.linePoints(POINTS, { signal });
  const [x, z] = await Promise.all(
    [points.x, angles].map((on) => client.circlePoints({ angles: on }, { signal })),
  );
  const trained = await client.wideNetworkTraining(
    { x: x as Matrix, y: points.y, z: z as Matrix, ...how, biasStd: 0.1 },
    { signal, onProgress },
  );
  return { points, trained };
}
