/** Finds the points that no other point beats in both directions. This module needs no page. */

export interface Priced {
  /** Smaller is better for both values. */
  readonly cost: number;
  readonly error: number;
}

/** Errors that differ by less than this share count as equal: the same kernel summed in another order is no improvement. */
const ROUNDING = 1e-4;

/** The points on the front, the cheapest first. A point that is not finite is never on the front. */
export function front<P extends Priced>(points: readonly P[]): P[] {
  const found: P[] = [];
  const able = points.filter(({ cost, error }) => Number.isFinite(cost) && Number.isFinite(error));
  for (const point of [...able].sort((a, b) => a.cost - b.cost || a.error - b.error)) {
    const best = found.at(-1);
    if (!best || point.error < best.error * (1 - ROUNDING)) found.push(point);
  }
  return found;
}
