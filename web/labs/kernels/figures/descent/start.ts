/** What the descent begins with, for the figure and for the question about it. */
import type { Client } from '#client';
import { column } from '../../../../src/figures/kernel/line-grid.ts';

export const POINTS = 12;
/** Where the bump without a data point begins, and how high it is. */
export const ELSEWHERE = { at: 3.4, height: 1.5 } as const;
export const FIRST = { lambda: 0.01, gamma: 4, rate: 0.5, seed: 1 } as const;

/** A function that is one bump at no data point. */
export const startOf = () => ({
  elsewhere: column([ELSEWHERE.at]),
  start: column([...Array<number>(POINTS).fill(0), ELSEWHERE.height]),
});

/** How much of the squared norm of the part that no data point sees is left after so many steps, in percent. */
export async function leftBeyond(
  client: Client,
  steps: readonly number[],
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly number[]> {
  const { x, y } = await client.linePoints(
    { function: 'sine', n: POINTS, noise: 0.2, seed: FIRST.seed },
    { signal },
  );
  const kernel = { id: 'rbf', parameters: { gamma: FIRST.gamma } };
  const given = { ...{ x, y, kernel, lambda: FIRST.lambda }, ...startOf() };
  const { largestRate } = await client.functionalDescent(
    { ...given, steps: 1, learningRate: 1e-6 },
    { signal },
  );
  const { curve } = await client.functionalDescent(
    { ...given, steps: Math.max(...steps), learningRate: FIRST.rate * largestRate },
    { signal },
  );
  const begin = curve[0]?.orthogonalSquared ?? Number.NaN;
  return steps.map((t) => (100 * (curve[t]?.orthogonalSquared ?? Number.NaN)) / begin);
}
