/** Places the labels of a chart's vertical lines and of its points. */
import { lengthWithin, type Place } from './svg.ts';

export interface MarkerLabel {
  /** The row above the plot; row 0 is next to the plot. */
  readonly row: number;
  /** Whether the label is to the left of its line instead of to the right. */
  readonly left: boolean;
}

const LABEL_GAP = 8;
/**
 * Chooses rows for the labels of vertical lines, so that no label covers another or crosses the line of another.
 * Labels are to the right of their lines; those of the last lines are to the left where the edge requires it.
 */
export function labelRows(
  labels: readonly { readonly at: number; readonly wide: number }[],
  from: number,
  to: number,
): MarkerLabel[] {
  const at = (i: number): number => labels[i]?.at ?? 0;
  const order = labels.map((_, i) => i).sort((a, b) => at(a) - at(b));
  const reach = (i: number): number => (labels[i]?.wide ?? 0) + LABEL_GAP;
  /** Places each label above all earlier ones whose lines it would cross. */
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
      // One group is placed above the other where its lines pass beside the labels of the lower group.
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
  // There is no room at all, so every label gets a row of its own, on the wider side of its line.
  return labels.map((_, i) => ({ row: i, left: at(i) - from > to - at(i) }));
}

export interface PointLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Whether the label is hidden, because it would cover others. */
  readonly hidden: boolean;
}

type Segment = readonly [from: Place, to: Place];

/** The approximate height of a line of text, and its distance from its point. */
const HIGH = 13;
const KEEP = 9;
/** The penalty of a line through a label, as the height of what it covers. */
const LINE = 6;
/** The part of a label that may lie over something. */
const COVERED = 0.15;
/** The area of a point's mark. */
const MARK_AREA = 100;
/** The part of another point's mark that a label may cover. */
const COVERED_MARK = 0.25;

/**
 * Places the labels of points: to the right if nothing is there, and otherwise where they cover least. The first
 * points are placed first, and a label that would cover too much is hidden. Points without a label (`wide` 0) are
 * only kept free.
 */
export function placeLabels(
  points: readonly { readonly x: number; readonly y: number; readonly wide: number }[],
  box: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  },
  lines: readonly Segment[] = [],
): PointLabel[] {
  type Area = readonly [left: number, top: number, right: number, bottom: number];
  const taken: Area[] = points.map(({ x, y }) => [x - 5, y - 5, x + 5, y + 5]);
  const marks = [...taken];
  const overlap = (a: Area, b: Area): number =>
    Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  return points.map(({ x, y, wide }) => {
    const places: readonly (Omit<PointLabel, 'hidden'> & { readonly from: number })[] = [
      { x: x + KEEP, y: y + 4, anchor: 'start', from: x + KEEP },
      { x: x - KEEP, y: y + 4, anchor: 'end', from: x - KEEP - wide },
      { x, y: y - KEEP, anchor: 'middle', from: x - wide / 2 },
      { x, y: y + KEEP + 9, anchor: 'middle', from: x - wide / 2 },
      { x: x + 6, y: y - KEEP, anchor: 'start', from: x + 6 },
      { x: x + 6, y: y + KEEP + 9, anchor: 'start', from: x + 6 },
      { x: x - 6, y: y - KEEP, anchor: 'end', from: x - 6 - wide },
      { x: x - 6, y: y + KEEP + 9, anchor: 'end', from: x - 6 - wide },
    ];
    if (wide === 0) return { x, y, anchor: 'start', hidden: true };
    let [best, least, covered, area] = [places[0], Infinity, 0, taken[0]];
    let mark = 0;
    for (const place of places) {
      const own: Area = [place.from, place.y - HIGH + 3, place.from + wide, place.y + 3];
      const inside = overlap(own, [box.left, box.top, box.right, box.bottom]);
      // Labels stay within the frame even if they then touch.
      const cost =
        taken.reduce((sum, other) => sum + overlap(own, other), 0) +
        3 * Math.max(0, wide * HIGH - inside);
      const [left, top, right, bottom] = own;
      const struck = lines.reduce(
        (sum, [from, to]) => sum + lengthWithin(from, to, { left, top, right, bottom }),
        0,
      );
      const most = Math.max(...marks.map((other) => overlap(own, other) / MARK_AREA));
      // A long label could cover a whole point with a small part of itself.
      const all = cost + LINE * struck + (most > COVERED_MARK ? wide * HIGH : 0);
      if (all < least - 1e-9) {
        [best, least, covered, area] = [place, all, cost, own];
        mark = most;
      }
    }
    const hidden = covered > COVERED * wide * HIGH || mark > COVERED_MARK;
    if (area && !hidden) taken.push(area);
    const { x: px, y: py, anchor } = best as (typeof places)[0];
    return { x: px, y: py, anchor, hidden };
  });
}
