/**
 * Lays out weights as lines between words: pure, from tokens, weights and a width to places and curves. Rows that look
 * at themselves stand on one line, with what they take from earlier words above it and from later words below it;
 * rows that look at other words stand above them.
 */
import type { Matrix } from '#client';
import { type ColorScale, colorOf, type Rgb } from './color.ts';
import { escapeXml, round } from './svg.ts';
import { shownToken } from './tokens.ts';

/** Beyond this number of words, each word shows only its strongest lines. */
export const MOST_COMPLETE = 40;
/** The lines of all words together where they are thinned. */
const MOST_LINES = 800;
/** The size of the words, in pixels. */
export const WORD_SIZE = 14;
const GAP = 12;
/** Words that stand on their side are at least this far apart. */
const TURNED_PITCH = 18;
/** Longer words are cut. */
const MOST_WORD = 110;
const LINE_HEIGHT = 22;
/** The room between words and lines. */
const AIR = 6;
const MOST_STROKE = 13;

export interface ArcWords {
  readonly rows: readonly string[];
  /** The words of the keys where they are not those of the queries. */
  readonly cols?: readonly string[] | undefined;
  readonly width: number;
  /** The number of keys that query `row` sees, from key 0 on. */
  readonly visible: (row: number) => number;
  /** The width of a text at `WORD_SIZE`. */
  readonly measure: (text: string) => number;
  /** The height of the arc from the first word to the last; it follows from the width unless given. */
  readonly rise?: number | undefined;
}

export interface ArcWeights {
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly visible: (row: number) => number;
}

/** The places of the words, which depend on the words and the width alone. */
export interface ArcPlaces {
  readonly width: number;
  readonly height: number;
  /** The words stand on their side. */
  readonly turned: boolean;
  readonly queries: readonly ArcWord[];
  /** The words of the keys: the same as `queries` where all words stand on one line. */
  readonly keys: readonly ArcWord[];
  /** The largest width of a line. */
  readonly stroke: number;
  /** The height of an arc as wide as the picture. */
  readonly rise: number;
}

export interface ArcWord {
  readonly text: string;
  /** The middle of the word's box. */
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly tall: number;
}

/** A cubic Bézier curve: four places, x before y. */
export type Curve = readonly [
  ...[x0: number, y0: number, x1: number, y1: number],
  ...[x2: number, y2: number, x3: number, y3: number],
];

export interface Arc {
  readonly row: number;
  readonly col: number;
  readonly value: number;
  readonly curve: Curve;
  /** From 0 to 1: the share of the largest value that the scale has. */
  readonly strength: number;
  readonly width: number;
}

/** How many lines a word keeps: undefined for all. */
export const keptPerWord = (rows: number, cols: number): number | undefined => {
  if (Math.max(rows, cols) <= MOST_COMPLETE) return undefined;
  const kept = Math.max(1, Math.floor(MOST_LINES / rows));
  return kept < cols ? kept : undefined;
};

/** Whether queries and keys are the same words, so that one line of words is enough. */
export const onOneLine = (rows: readonly string[], cols: readonly string[] | undefined): boolean =>
  cols === undefined ||
  cols === rows ||
  (cols.length === rows.length && cols.every((word, i) => word === rows[i]));

/** The middles of words that follow each other on a line as wide as `width`, or wider where they need it. */
function spread(
  widths: readonly number[],
  width: number,
  turned: boolean,
): { readonly xs: readonly number[]; readonly width: number } {
  const count = widths.length;
  if (turned) {
    const all = Math.max(width, count * TURNED_PITCH);
    return { xs: widths.map((_, i) => ((i + 0.5) * all) / count), width: all };
  }
  const spare = (width - widths.reduce((sum, one) => sum + one, 0)) / count;
  let at = 0;
  const xs = widths.map((one) => {
    const x = at + (one + spare) / 2;
    at += one + spare;
    return x;
  });
  return { xs, width };
}

export function arcPlaces(options: ArcWords): ArcPlaces {
  const { rows, cols, visible, measure } = options;
  const one = onOneLine(rows, cols);
  const lists = (one ? [rows] : [rows, cols ?? rows]).map((list) => list.map(shownToken));
  const sizes = lists.map((list) => list.map((word) => Math.min(MOST_WORD, measure(word))));
  const needed = sizes.map((list) => list.reduce((sum, size) => sum + size + GAP, 0));
  const turned = Math.max(...needed) > options.width;
  // Both lines are as wide as the wider one, so that words at the same place stand below each other.
  const wide = Math.max(...sizes.map((list) => spread(list, options.width, turned).width));
  const places = sizes.map((list) => spread(list, wide, turned).xs);
  const tall = turned ? Math.max(...sizes.flat()) + 4 : LINE_HEIGHT;
  const pitch = wide / Math.max(...lists.map((list) => list.length));
  const stroke = Math.max(2, Math.min(MOST_STROKE, pitch * 0.45));
  const words = (line: number, y: number): ArcWord[] =>
    (lists[line] ?? []).map((word, i) => ({
      ...{ text: word, x: places[line]?.[i] ?? 0, y },
      wide: turned ? LINE_HEIGHT : (sizes[line]?.[i] ?? 0),
      tall,
    }));
  if (!one) {
    const between = Math.max(110, Math.min(280, options.width * 0.36));
    const height = 2 * tall + between;
    const queries = words(0, tall / 2);
    const keys = words(1, height - tall / 2);
    return { width: wide, height, turned, stroke, rise: between, queries, keys };
  }
  // A causal mask leaves nothing below the words.
  const ahead = rows.some((_, i) => visible(i) > i + 1);
  const { rise = highest(wide) } = options;
  const y = rise + 2 * AIR + tall / 2;
  const height = y + tall / 2 + (ahead ? rise + 2 * AIR : AIR);
  const queries = words(0, y);
  return { width: wide, height, turned, stroke, rise, queries, keys: queries };
}

/** The height of the arc from the first word to the last, unless it is given. */
const highest = (width: number): number => Math.max(56, Math.min(210, width * 0.24));

/** The curve from query `row` to key `col`. */
export function arcCurve(places: ArcPlaces, row: number, col: number): Curve {
  const from = places.queries[row] as ArcWord;
  const to = places.keys[col] as ArcWord;
  if (places.queries !== places.keys) {
    const [top, bottom] = [from.y + from.tall / 2, to.y - to.tall / 2];
    const middle = (top + bottom) / 2;
    return [from.x, top, from.x, middle, to.x, middle, to.x, bottom];
  }
  const above = from.y - from.tall / 2 - AIR / 2;
  if (row === col) {
    // A word that looks at itself: a loop above it, wide enough that a thick line leaves its inside open.
    const size = Math.min(38, places.width / places.queries.length);
    const top = above - size;
    return [from.x - 1, above, from.x - size, top, from.x + size, top, from.x + 1, above];
  }
  const side = col < row ? -1 : 1;
  const base = side < 0 ? above : from.y + from.tall / 2 + AIR / 2;
  const share = Math.abs(to.x - from.x) / places.width;
  // A curve reaches three quarters of the way to its handles.
  const handle = base + (side * (places.rise * share ** 0.8)) / 0.75;
  return [from.x, base, from.x, handle, to.x, handle, to.x, base];
}

/** The entries of a row that are largest in size, at most `most`, among those that the mask keeps. */
function strongest(matrix: Matrix, row: number, seen: number, most: number): readonly number[] {
  const start = row * matrix.cols;
  const end = Math.min(seen, matrix.cols);
  const size = (col: number): number => Math.abs(matrix.data[start + col] as number);
  const best: number[] = [];
  // Sorting whole rows of a long text would take half a second.
  for (let col = 0; col < end; col++) {
    const own = size(col);
    if (!(own > 0 && Number.isFinite(own))) continue;
    if (end <= most) {
      best.push(col);
      continue;
    }
    let at = best.length;
    while (at > 0 && size(best[at - 1] as number) < own) at--;
    if (at >= most) continue;
    best.splice(at, 0, col);
    if (best.length > most) best.pop();
  }
  return best;
}

const toned = (share: number, { tone }: ColorScale): number =>
  tone === 'sqrt' ? Math.sqrt(share) : share;

/** The size that the scale draws as strong as it can. */
const extentOf = ({ low, high }: ColorScale): number =>
  Math.max(Math.abs(low), Math.abs(high)) || 1;

/** The lines, weak ones first. Of one word all; of all words the strongest where there are too many. */
export function arcsOf(options: ArcWeights, places: ArcPlaces, only?: number): Arc[] {
  const { matrix, visible, scale } = options;
  const extent = extentOf(scale);
  const kept = keptPerWord(matrix.rows, matrix.cols) ?? matrix.cols;
  const rows = only === undefined ? Array.from({ length: matrix.rows }, (_, i) => i) : [only];
  const arcs: Arc[] = [];
  for (const row of rows) {
    const most = only === undefined ? kept : matrix.cols;
    for (const col of strongest(matrix, row, visible(row), most)) {
      const value = matrix.data[row * matrix.cols + col] as number;
      const strength = toned(Math.min(1, Math.abs(value) / extent), scale);
      const width = strength * places.stroke;
      arcs.push({ row, col, value, strength, width, curve: arcCurve(places, row, col) });
    }
  }
  return arcs.sort((a, b) => a.strength - b.strength);
}

/** The largest entries of a row in order of size, for the sentence about it. */
export const rowInWords = (
  matrix: Matrix,
  row: number,
  seen: number,
  most: number,
): readonly { readonly col: number; readonly value: number }[] =>
  [...strongest(matrix, row, seen, most)]
    .map((col) => ({ col, value: matrix.data[row * matrix.cols + col] as number }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.col - b.col)
    .slice(0, most);

/** The colours of positive and negative lines: the ends of the scale of differences, which differ for every eye. */
export interface ArcColors {
  readonly positive: string;
  readonly negative: string;
  readonly ink: string;
  readonly muted: string;
}

const css = (rgb: Rgb): string => `rgb(${rgb.join(',')})`;

export function arcColors(dark: boolean): ArcColors {
  const scale: ColorScale = {
    ...{ kind: 'diverging', low: -1, high: 1, tone: 'linear', overLow: false, overHigh: false },
  };
  return {
    positive: css(colorOf(scale, 2 / 3, dark)),
    negative: css(colorOf(scale, -2 / 3, dark)),
    ink: dark ? '#e9e7e1' : '#1e1d1a',
    muted: dark ? '#a9a59c' : '#5f5b53',
  };
}

/** A weak line is pale too, but never so pale that it could not be seen. */
export const arcOpacity = (strength: number): number => 0.15 + 0.75 * strength;

/** Dashes, because the sign must not be told by colour alone. */
const dashOf = (width: number): readonly number[] => [
  Math.max(3, width),
  Math.max(2.5, width * 0.7),
];

export function paintArcs(
  context: CanvasRenderingContext2D,
  arcs: readonly Arc[],
  colors: Pick<ArcColors, 'positive' | 'negative'>,
): void {
  context.lineCap = 'butt';
  for (const { curve, value, width, strength } of arcs) {
    const negative = value < 0;
    context.globalAlpha = arcOpacity(strength);
    context.strokeStyle = negative ? colors.negative : colors.positive;
    context.lineWidth = Math.max(0.4, width);
    context.setLineDash(negative ? [...dashOf(width)] : []);
    context.beginPath();
    const [x0, y0, ...rest] = curve;
    context.moveTo(x0, y0);
    context.bezierCurveTo(...rest);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

/** Words and lines as the content of an SVG file. */
export function arcsSvg(places: ArcPlaces, arcs: readonly Arc[], colors: ArcColors): string {
  const lines = arcs.map(({ curve, value, width, strength }) => {
    const [x0, y0, x1, y1, x2, y2, x3, y3] = curve.map(round);
    const dash = value < 0 ? ` stroke-dasharray="${dashOf(width).map(round).join(' ')}"` : '';
    return `<path d="M${x0} ${y0}C${x1} ${y1} ${x2} ${y2} ${x3} ${y3}" fill="none" stroke="${
      value < 0 ? colors.negative : colors.positive
    }" stroke-width="${Math.max(0.4, width).toFixed(2)}" stroke-opacity="${arcOpacity(strength).toFixed(2)}"${dash}/>`;
  });
  const all = places.queries === places.keys ? places.queries : [...places.queries, ...places.keys];
  // Not `text` of svg.ts, which would set a subscript in a word such as `a_b`.
  const words = all.map(({ text: word, x, y }) => {
    const turn = places.turned ? ' rotate(-90)' : '';
    return `<text class="ink" transform="translate(${round(x)} ${round(y)})${turn}" dy="0.35em" fill="${colors.ink}" font-size="${WORD_SIZE}" text-anchor="middle">${escapeXml(word)}</text>`;
  });
  return [...lines, ...words].join('');
}
