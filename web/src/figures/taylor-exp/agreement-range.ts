/** How far about s = 0 an estimate stays within a relative error. */

export interface Agreement {
  /** Undefined if the estimate stays within the error up to the end of the range. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The range for errors sorted by s; undefined if the error is too large even at s = 0. */
export function agreement(
  s: ArrayLike<number>,
  errors: ArrayLike<number>,
  tolerance: number,
): Agreement | undefined {
  let middle = 0;
  for (let i = 1; i < s.length; i++) {
    if (Math.abs(s[i] as number) < Math.abs(s[middle] as number)) middle = i;
  }
  const holds = (i: number): boolean => (errors[i] as number) <= tolerance;
  if (!holds(middle)) return undefined;
  const leaves = (step: 1 | -1): number | undefined => {
    for (let i = middle + step; i >= 0 && i < s.length; i += step) {
      if (holds(i)) continue;
      const [inside, outside] = [errors[i - step] as number, errors[i] as number];
      const [a, b] = [s[i - step] as number, s[i] as number];
      // Between the two points the error is taken as straight.
      return Number.isFinite(outside)
        ? a + ((b - a) * (tolerance - inside)) / (outside - inside)
        : a;
    }
    return undefined;
  };
  return { from: leaves(-1), to: leaves(1) };
}
