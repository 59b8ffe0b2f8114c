/** Where a feature of a curve is zero, flat, or too small or too large for its type. */

/** Part of a line, both ends included. */
export interface Zone {
  readonly from: number;
  readonly to: number;
}

/** The longest runs of points for which `holds`. */
export function zones(t: ArrayLike<number>, holds: (point: number) => boolean): Zone[] {
  const found: Zone[] = [];
  let from: number | undefined;
  for (let i = 0; i <= t.length; i++) {
    const inside = i < t.length && holds(i);
    if (inside) from ??= t[i] as number;
    else if (from !== undefined) {
      found.push({ from, to: t[i - 1] as number });
      from = undefined;
    }
  }
  return found;
}

/** 2⁻¹²⁶: a float32 below it has lost digits. */
export const LEAST_NORMAL = 2 ** -126;

export interface FeatureZones {
  readonly zero: readonly Zone[];
  /** The derivative is exactly 0: no gradient comes through. */
  readonly flat: readonly Zone[];
  /** Not 0 but with few digits left. */
  readonly tiny: readonly Zone[];
  readonly notFinite: readonly Zone[];
}

export function featureZones(
  t: ArrayLike<number>,
  phi: (point: number) => number,
  slope: (point: number) => number,
): FeatureZones {
  return {
    zero: zones(t, (i) => phi(i) === 0),
    flat: zones(t, (i) => slope(i) === 0),
    tiny: zones(t, (i) => phi(i) !== 0 && Math.abs(phi(i)) < LEAST_NORMAL),
    notFinite: zones(t, (i) => !Number.isFinite(phi(i))),
  };
}

/** Of a points×D matrix, the columns that differ from all before them. */
export function differentColumns(matrix: {
  readonly rows: number;
  readonly cols: number;
  readonly data: ArrayLike<number>;
}): number[] {
  const { rows, cols, data } = matrix;
  const at = (row: number, col: number): number => data[row * cols + col] as number;
  const same = (a: number, b: number): boolean => {
    for (let row = 0; row < rows; row++) {
      if (!Object.is(at(row, a), at(row, b))) return false;
    }
    return true;
  };
  // Columns with the same ends and middle are few, so that hardly any are compared in full.
  const alike = new Map<string, number[]>();
  const found: number[] = [];
  for (let col = 0; col < cols; col++) {
    const key = [0, rows >> 2, rows >> 1, rows - 1].map((row) => at(row, col)).join();
    const others = alike.get(key) ?? [];
    if (others.some((other) => same(other, col))) continue;
    alike.set(key, [...others, col]);
    found.push(col);
  }
  return found;
}
