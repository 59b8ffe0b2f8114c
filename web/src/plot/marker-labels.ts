/** Places the labels of a chart's lines and of its points. */
import { type Box, lengthWithin, type Place, sharedArea, within } from './svg.ts';

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

export type Anchor = 'start' | 'middle' | 'end';
export type Segment = readonly [from: Place, to: Place];

/** What labels must not cover. */
export interface Obstacles {
  /** Words that have their places already. */
  readonly words: readonly Box[];
  readonly lines: readonly Segment[];
}

/** The approximate height of a line of text above and below the level that it is written on. */
const ABOVE = 10;
const BELOW = 3;
const HIGH = ABOVE + BELOW;
/** The penalty of a line through a label, as the height of what it covers. */
const LINE = 6;
/** Half the size of a point's mark. */
const MARK = 5;

/** The box of words that are written at a place. */
export function wordsBox(x: number, y: number, wide: number, anchor: Anchor = 'start'): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
  return { left, right: left + wide, top: y - ABOVE, bottom: y + BELOW };
}

export const markBox = (x: number, y: number): Box => ({
  ...{ left: x - MARK, right: x + MARK, top: y - MARK, bottom: y + MARK },
});

const struckLength = (box: Box, lines: readonly Segment[]): number =>
  lines.reduce((sum, [from, to]) => sum + lengthWithin(from, to, box), 0);

/**
 * How long the lines within a box are between two places of its width. Their lengths up to each whole pixel are summed
 * once, because a label is tried at many places and a curve may have hundreds of lines.
 */
function lengthsAlong(box: Box, lines: readonly Segment[]): (from: number, to: number) => number {
  const pixels = Math.ceil(box.right - box.left);
  const sums = new Float64Array(pixels + 1);
  for (const [a, b] of lines) {
    const part = within(a, b, box);
    if (!part) continue;
    const [from, to] = part.map((share) => a[0] + share * (b[0] - a[0]) - box.left) as [
      number,
      number,
    ];
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    const long = (part[1] - part[0]) * Math.hypot(b[0] - a[0], b[1] - a[1]);
    const last = Math.min(Math.floor(end), pixels - 1);
    for (let px = Math.min(Math.floor(start), last); px <= last; px++) {
      const share = end > start ? (Math.min(px + 1, end) - Math.max(px, start)) / (end - start) : 1;
      sums[px + 1] = (sums[px + 1] ?? 0) + share * long;
    }
  }
  for (let px = 0; px < pixels; px++) sums[px + 1] = (sums[px + 1] ?? 0) + (sums[px] ?? 0);
  const upTo = (x: number): number => {
    const at = Math.max(0, Math.min(pixels, x - box.left));
    const [low, high] = [sums[Math.floor(at)] ?? 0, sums[Math.ceil(at)] ?? 0];
    return low + (at % 1) * (high - low);
  };
  return (from, to) => upTo(to) - upTo(from);
}

const coveredArea = (box: Box, others: readonly Box[]): number =>
  others.reduce((sum, other) => sum + sharedArea(box, other), 0);

export interface LevelLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor;
}

/** The distance of a level's label from the ends of its line, and between the places that are tried. */
const INSET = 6;
const STEP = 12;
/** The level of a label below its line. */
const UNDER = 15;

/**
 * Places the labels of horizontal lines where they cover least: above their lines at the ends if nothing is there, then
 * below them, then along them. `above` is the level of a label above its line.
 */
export function placeLevels(
  levels: readonly { readonly at: number; readonly above: number; readonly wide: number }[],
  box: Box,
  { words, lines }: Obstacles,
  marks: readonly Box[] = [],
): LevelLabel[] {
  const taken = [...words];
  const { left, right, bottom } = box;
  const drawn = lines.filter((ends) => ends.flat().every(Number.isFinite));
  return levels.map(({ at, above, wide }) => {
    const under = at + UNDER;
    const heights = under + BELOW < bottom ? [above, under] : [above];
    const [start, end] = [left + INSET, right - INSET - wide];
    const along: number[] = [];
    for (let from = start + STEP; from < end; from += STEP) along.push(from);
    const places: readonly LevelLabel[] = [
      ...heights.flatMap((y): LevelLabel[] => [
        { x: start, y, anchor: 'start' },
        ...(end > start ? [{ x: right - INSET, y, anchor: 'end' } as const] : []),
      ]),
      ...along.flatMap((x) => heights.map((y): LevelLabel => ({ x, y, anchor: 'start' }))),
    ];
    const struck = new Map(
      heights.map((y) => [
        y,
        lengthsAlong({ left, right, top: y - ABOVE, bottom: y + BELOW }, drawn),
      ]),
    );
    const band = {
      ...box,
      top: Math.min(...heights) - ABOVE,
      bottom: Math.max(...heights) + BELOW,
    };
    const near = marks.filter((mark) => sharedArea(mark, band) > 0);
    let [best, least] = [places[0] as LevelLabel, Infinity];
    for (const place of places) {
      const own = wordsBox(place.x, place.y, wide, place.anchor);
      // Words over words can be read least.
      // The right end need not lie on a whole pixel from the left one, as all other places do.
      const length =
        place.anchor === 'end'
          ? struckLength(own, drawn)
          : (struck.get(place.y)?.(own.left, own.right) ?? 0);
      const cost = LINE * (length + coveredArea(own, taken)) + coveredArea(own, near);
      if (cost < least - 1) [best, least] = [place, cost];
      if (least < 1) break;
    }
    taken.push(wordsBox(best.x, best.y, wide, best.anchor));
    return best;
  });
}

export interface PointLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor;
  /** Whether the label is hidden, because it has no free place beside its point. */
  readonly hidden: boolean;
}

/** The distance of a label from its point. */
const KEEP = 9;
/** The part of another point's mark that a label may cover. */
const COVERED_MARK = 0.25;
/** The length of the lines that may pass through a label: one that crosses it is no harm, one along it is. */
const STRUCK = 2 * HIGH;
/** The penalty of a label that is not three times as near to its own point as to any other. */
const UNCLEAR = 600;

/** The distance of a point from a box. */
const distance = (x: number, y: number, { left, right, top, bottom }: Box): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

/**
 * Places the labels of points: to the right if nothing is there, and otherwise where they cover least. The first
 * points are placed first. A label is hidden where it would cover other words or a point, or where it would seem to
 * belong to another point. Points without a label (`wide` 0) are only kept free.
 */
export function placeLabels(
  points: readonly { readonly x: number; readonly y: number; readonly wide: number }[],
  room: Box,
  { words, lines }: Obstacles = { words: [], lines: [] },
): PointLabel[] {
  const taken = [...words];
  const marks = points.map(({ x, y }) => markBox(x, y));
  return points.map(({ x, y, wide }, i) => {
    const none: PointLabel = { x, y, anchor: 'start', hidden: true };
    if (wide === 0) return none;
    const [over, under] = [y - KEEP, y + KEEP + 9];
    const places: readonly Omit<PointLabel, 'hidden'>[] = [
      { x: x + KEEP, y: y + 4, anchor: 'start' },
      { x: x - KEEP, y: y + 4, anchor: 'end' },
      { x, y: over, anchor: 'middle' },
      { x, y: under, anchor: 'middle' },
      { x: x + 6, y: over, anchor: 'start' },
      { x: x + 6, y: under, anchor: 'start' },
      { x: x - 6, y: over, anchor: 'end' },
      { x: x - 6, y: under, anchor: 'end' },
    ];
    let [best, least, area]: [PointLabel, number, Box | undefined] = [none, Infinity, undefined];
    for (const place of places) {
      const own = wordsBox(place.x, place.y, wide, place.anchor);
      const inside = sharedArea(own, room) > wide * HIGH - 1e-6;
      if (!inside || coveredArea(own, taken) > 0) continue;
      // A long label could cover a whole point with a small part of itself.
      const most = Math.max(...marks.map((mark) => sharedArea(own, mark))) / (2 * MARK) ** 2;
      const struck = struckLength(own, lines);
      if (most > COVERED_MARK || struck > STRUCK) continue;
      const near = distance(x, y, own);
      const other = points.reduce(
        (min, point, k) => (k === i ? min : Math.min(min, distance(point.x, point.y, own))),
        3 * near,
      );
      // A label beside its point reaches far from it, so it may seem to belong to a point above or below its other end.
      if (other < (place.anchor === 'middle' ? near : 2 * near) - 1e-9) continue;
      const cost = coveredArea(own, marks) + LINE * struck + UNCLEAR * (1 - other / (3 * near));
      if (cost < least - 1e-9) [best, least, area] = [{ ...place, hidden: false }, cost, own];
    }
    if (area) taken.push(area);
    return best;
  });
}
