/** The function that the figure of bumps begins with, and the second one, for the figure and for the question about it. */
import type { Client, KernelChoice, Matrix } from '#client';
import { column } from '../../../../src/figures/kernel/line-grid.ts';
import type { Point } from '../../../../src/figures/kernel/plot.ts';

export const START: readonly Point[] = [
  { x: -2, y: 1 },
  { x: -0.5, y: -1.2 },
  { x: 0.6, y: 1.5 },
  { x: 2.2, y: -0.7 },
];
export const FIRST_WIDTH = 0.7;
export const MOST = 8;
/** Where f and the second function have the same values. */
export const PLACES: readonly number[] = [-2.25, -0.75, 0.75, 2.25];
/** Between them the second function is by 1 higher. */
const BETWEEN: readonly number[] = [-3, -1.5, 0, 1.5, 3];

/** Bumps of this width, whatever the kernel calls it. */
export function widthOf(
  kernel: 'rbf' | 'laplacian' | 'matern_32' | 'matern_52',
  width: number,
): KernelChoice {
  if (kernel === 'rbf') return { id: kernel, parameters: { gamma: 1 / (2 * width * width) } };
  if (kernel === 'laplacian') return { id: kernel, parameters: { gamma: 1 / width } };
  return { id: kernel, parameters: { length: width } };
}

export const functionOf = (bumps: readonly Point[]) => ({
  x: column(bumps.map(({ x }) => x)),
  alpha: column(bumps.map(({ y }) => y)),
});

/** The function of least norm that has the values of f at the marked places, and is by 1 higher between them. */
export async function wiggled(
  client: Client,
  kernel: KernelChoice,
  f: { readonly x: Matrix; readonly alpha: Matrix },
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly x: Matrix; readonly alpha: Matrix }> {
  const z = column([...PLACES, ...BETWEEN]);
  const values = await client.rkhsValues({ kernel, ...f, z }, { signal });
  const y = column(Array.from(values.data, (value, i) => value + (i < PLACES.length ? 0 : 1)));
  const made = await client.rkhsInterpolation({ kernel, z, y }, { signal });
  return { x: made.points, alpha: made.alpha };
}

/** How many times as large the squared norm of the second function is, for the function that the figure begins with. */
export async function pricePaid(
  client: Client,
  { signal }: { readonly signal: AbortSignal },
): Promise<number> {
  const kernel = widthOf('rbf', FIRST_WIDTH);
  const f = functionOf(START);
  const g = await wiggled(client, kernel, f, { signal });
  const [first, second] = [
    await client.rkhsSquaredNorm({ kernel, ...f }, { signal }),
    await client.rkhsSquaredNorm({ kernel, ...g }, { signal }),
  ];
  return second / first;
}
