/** Where the words of a chart's upright lines stand. */

export interface MarkerLabel {
  /** Above the plot, from 0 next to it. */
  readonly row: number;
  /** To the left of its line instead of to the right. */
  readonly left: boolean;
}

const LABEL_GAP = 8;
/**
 * Rows for the words of upright lines, so that none covers another or the line of another. Words
 * stand to the right of their line; those of the last lines to the left, where the edge demands it.
 */
export function labelRows(
  labels: readonly { readonly at: number; readonly wide: number }[],
  from: number,
  to: number,
): MarkerLabel[] {
  const at = (i: number): number => labels[i]?.at ?? 0;
  const order = labels.map((_, i) => i).sort((a, b) => at(a) - at(b));
  const reach = (i: number): number => (labels[i]?.wide ?? 0) + LABEL_GAP;
  /** Above all those before it whose lines its words would cross. */
  const stairs = (some: readonly number[], rows: number[]): void => {
    some.forEach((i, k) => {
      const crossed = some.slice(0, k).filter((j) => Math.abs(at(j) - at(i)) <= reach(i));
      rows[i] = 1 + Math.max(-1, ...crossed.map((j) => rows[j] ?? 0));
    });
  };
  const made = (turned: number): MarkerLabel[] | undefined => {
    const rights = order.slice(0, order.length - turned).reverse();
    const lefts = order.slice(order.length - turned);
    if (rights.some((i) => at(i) + reach(i) > to) || lefts.some((i) => at(i) - reach(i) < from)) {
      return undefined;
    }
    const rows: number[] = [];
    stairs(rights, rows);
    stairs(lefts, rows);
    const ends = Math.max(...rights.map((i) => at(i) + reach(i)));
    const starts = Math.min(...lefts.map((i) => at(i) - reach(i)));
    if (ends > starts) {
      // One group above the other, where its lines pass beside the words of the lower one.
      const [lower, upper] =
        ends < Math.min(...lefts.map(at))
          ? [rights, lefts]
          : starts > Math.max(...rights.map(at))
            ? [lefts, rights]
            : [];
      if (!lower || !upper) return undefined;
      const height = 1 + Math.max(...lower.map((i) => rows[i] ?? 0));
      for (const i of upper) rows[i] = (rows[i] ?? 0) + height;
    }
    return labels.map((_, i) => ({ row: rows[i] ?? 0, left: lefts.includes(i) }));
  };
  for (let turned = 0; turned <= labels.length; turned++) {
    const found = made(turned);
    if (found) return found;
  }
  // No room at all: a row each, towards the wider side.
  return labels.map((_, i) => ({ row: i, left: at(i) - from > to - at(i) }));
}
