/**
 * Reads what Python's matplotlib recorded (`python/lib/matplotlib/pyplot.py`) or what an exercise expects of it. The
 * values come from a student's code, so nothing in them is taken for granted.
 */
import type { Matrix } from '#client';
import type { DictValue, Value } from './types.ts';
import { isArray, isDict } from './value-kinds.ts';

interface Axes {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
}
export interface DrawnImage extends Axes {
  readonly kind: 'image';
  readonly matrix: Matrix;
  /** One text for each column and row; undefined where the axis has its numbers, or nothing. */
  readonly colLabels: readonly string[] | undefined;
  readonly rowLabels: readonly string[] | undefined;
  /** What was written into the picture, by the place of its cell in the matrix's data. */
  readonly texts: ReadonlyMap<number, string>;
  /** The ends of the scale of colours. */
  readonly low: number;
  readonly high: number;
}
export interface DrawnLines extends Axes {
  readonly kind: 'lines';
  readonly xLog: boolean;
  readonly yLog: boolean;
  /** What was written between the lines, each text at its place on the axes. */
  readonly texts: readonly { readonly x: number; readonly y: number; readonly text: string }[];
  readonly lines: readonly {
    readonly label: string;
    readonly x: readonly number[];
    readonly y: readonly number[];
  }[];
}
export interface DrawnFigure {
  readonly title: string;
  /** Pictures in a row. */
  readonly cols: number;
  readonly parts: readonly (DrawnImage | DrawnLines)[];
}

/** An expected figure says nothing of its grid, and a grid of more columns than this has no room. */
const COLS = 4;

const listOf = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [];
const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: Value | undefined): number =>
  typeof value === 'number' ? value : Number.NaN;

/** Labels that only count the cells are left to the axis. */
function labelsOf(value: Value | undefined): readonly string[] | undefined {
  const labels = listOf(value).map(textOf);
  return labels.every((label, at) => label === String(at) || label === '') ? undefined : labels;
}

/** Each text belongs to the cell that it lies in; a text outside of the picture is left out. */
function textsOf(value: Value | undefined, rows: number, cols: number): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { entries } of listOf(value).filter(isDict)) {
    const [col, row] = [numberOf(entries.x), numberOf(entries.y)].map(Math.round) as [
      number,
      number,
    ];
    if (row >= 0 && row < rows && col >= 0 && col < cols)
      texts.set(row * cols + col, textOf(entries.text));
  }
  return texts;
}

function partOf({ entries }: DictValue): DrawnImage | DrawnLines | undefined {
  const axes = {
    title: textOf(entries.title),
    xName: textOf(entries.x_name),
    yName: textOf(entries.y_name),
  };
  const { image, lines } = entries;
  if (isArray(image)) {
    const [rows = 0, cols = 0] = image.shape;
    if (image.shape.length !== 2 || rows * cols === 0) return undefined;
    const matrix = { rows, cols, data: Float32Array.from(image.data) };
    const finite = matrix.data.filter(Number.isFinite);
    const ends = finite.reduce(
      ({ low, high }, entry) => ({ low: Math.min(low, entry), high: Math.max(high, entry) }),
      { low: Infinity, high: -Infinity },
    );
    const [low, high] = [numberOf(entries.low), numberOf(entries.high)];
    return {
      ...axes,
      kind: 'image',
      matrix,
      texts: textsOf(entries.texts, rows, cols),
      colLabels: labelsOf(entries.x_labels),
      rowLabels: labelsOf(entries.y_labels),
      low: Number.isFinite(low) ? low : Number.isFinite(ends.low) ? ends.low : 0,
      high: Number.isFinite(high) ? high : Number.isFinite(ends.high) ? ends.high : 1,
    };
  }
  const drawn = listOf(lines).filter(isDict);
  if (drawn.length === 0) return undefined;
  return {
    ...axes,
    kind: 'lines',
    xLog: entries.x_scale === 'log',
    yLog: entries.y_scale === 'log',
    texts: listOf(entries.texts)
      .filter(isDict)
      .map(({ entries: one }) => ({
        ...{ x: numberOf(one.x), y: numberOf(one.y), text: textOf(one.text) },
      })),
    lines: drawn.map(({ entries: { x, y, label } }) => ({
      label: textOf(label),
      x: isArray(x) ? [...x.data] : [],
      y: isArray(y) ? [...y.data] : [],
    })),
  };
}

function figureOf(value: Value): DrawnFigure {
  if (!isDict(value)) return { title: '', cols: 1, parts: [] };
  const parts = listOf(value.entries.axes ?? value.entries.pictures)
    .filter(isDict)
    .flatMap((one) => partOf(one) ?? []);
  const cols = numberOf(value.entries.cols);
  const wanted = Number.isFinite(cols) ? cols : parts.length;
  return {
    title: textOf(value.entries.title),
    cols: Math.max(1, Math.min(COLS, parts.length, wanted)),
    parts,
  };
}

/** The figures of a run, of a call's value, or of an expected value. */
export function figuresOf(value: Value | undefined): readonly DrawnFigure[] {
  const figures = Array.isArray(value)
    ? (value as readonly Value[])
    : isDict(value)
      ? listOf(value.entries.drawn ?? [value])
      : [];
  return figures.map(figureOf).filter(({ parts }) => parts.length > 0);
}
