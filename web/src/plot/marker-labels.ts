/** Where the words of a chart's upright lines stand. */
import { lengthWithin, type Place } from './svg.ts';

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

export interface PointLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** There is no room: the words would cover others. */
  readonly hidden: boolean;
}

type Segment = readonly [from: Place, to: Place];

/** About as high as a line of words, and how far it keeps from its point. */
const HIGH = 13;
const KEEP = 9;
/** What a line through words costs, as the height of what it covers. */
const LINE = 6;
/** The part of words that may lie over something. */
const COVERED = 0.15;

/**
 * Where the words of points stand: to the right if nothing is there, else where they cover least. The
 * first points come first; words that would cover too much of what is there are hidden. Points with no words (`wide` 0) are only kept free.
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
      const all = cost + LINE * struck;
      if (all < least - 1e-9) [best, least, covered, area] = [place, all, cost, own];
    }
    const hidden = covered > COVERED * wide * HIGH;
    if (area && !hidden) taken.push(area);
    const { x: px, y: py, anchor } = best as (typeof places)[0];
    return { x: px, y: py, anchor, hidden };
  });
}
