/** Which of several points no other beats in both directions. Needs no page. */

export interface Priced {
  /** The less, the better, both. */
  readonly cost: number;
  readonly error: number;
}

/** The same kernel summed in another order is no gain. */
const ROUNDING = 1e-4;

/** The points on the front, the cheapest first; what is not finite is on none. */
export function front<P extends Priced>(points: readonly P[]): P[] {
  const found: P[] = [];
  const able = points.filter(({ cost, error }) => Number.isFinite(cost) && Number.isFinite(error));
  for (const point of [...able].sort((a, b) => a.cost - b.cost || a.error - b.error)) {
    const best = found.at(-1);
    if (!best || point.error < best.error * (1 - ROUNDING)) found.push(point);
  }
  return found;
}
