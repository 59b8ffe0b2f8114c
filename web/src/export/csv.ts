/** Matrices as CSV that reads back bit for bit. */
import type { Matrix } from '#client';
import { runSliced } from '../import/run-in-slices.js';

export interface CsvOptions {
  /** One name a row, one a column; where only one is given the other counts from 0. */
  readonly rowLabels?: readonly string[];
  readonly colLabels?: readonly string[];
  /** Written above the table, each line behind `# `. */
  readonly comment?: string;
}

/** The matrix as CSV text. Large ones take a while, so the page keeps breathing meanwhile. */
export function matrixToCsv(matrix: Matrix, options: CsvOptions = {}): Promise<string> {
  return runSliced(writeCsv(matrix, options));
}

function* writeCsv(matrix: Matrix, options: CsvOptions): Generator<void, string> {
  const { rows, cols, data } = matrix;
  const { rowLabels, colLabels, comment } = options;
  const named = rowLabels !== undefined || colLabels !== undefined;
  const lines: string[] = [];
  if (comment !== undefined) {
    for (const line of comment.split(/\r\n|\n|\r/)) lines.push(`# ${line}`);
  }
  if (named) {
    // The empty corner is what tells names from numbers when this file is read again.
    const labels = Array.from({ length: cols }, (_, j) => colLabels?.[j] ?? String(j));
    lines.push(['', ...labels.map(quoteCell)].join(','));
  }
  // A first line or column that counts could be read as names again, unless its numbers have a decimal mark.
  const whole = (i: number, j: number): boolean =>
    data[i * cols + j] === (data[0] as number) + i + j;
  const counts = !named && rows > 1 && (Object.is(data[0], 0) || data[0] === 1);
  const marked = {
    row: counts && every(cols, (j) => whole(0, j)),
    column: counts && cols > 1 && every(rows, (i) => whole(i, 0)),
  };
  for (let i = 0; i < rows; i++) {
    const cells: string[] = named ? [quoteCell(rowLabels?.[i] ?? String(i))] : [];
    for (let j = 0; j < cols; j++) {
      const mark = (i === 0 && marked.row) || (j === 0 && marked.column) ? '.0' : '';
      cells.push(shortestFloat32(data[i * cols + j] as number) + mark);
      if (j % 128 === 127) yield;
    }
    lines.push(cells.join(','));
    yield;
  }
  return `${lines.join('\n')}\n`;
}

function every(count: number, is: (i: number) => boolean): boolean {
  for (let i = 0; i < count; i++) if (!is(i)) return false;
  return true;
}

export interface Column {
  readonly name: string;
  readonly values: readonly number[];
}

/** Named columns as CSV text; a number is written so that it reads back as it is. */
export function columnsToCsv(columns: readonly Column[], comment: string): string {
  const rows = Math.max(0, ...columns.map(({ values }) => values.length));
  const number = (value = Number.NaN): string =>
    Number.isFinite(value) ? String(value) : shortestFloat32(value);
  return `${[
    ...comment.split(/\r\n|\n|\r/).map((line) => `# ${line}`),
    columns.map(({ name }) => quoteCell(name)).join(','),
    ...Array.from({ length: rows }, (_, i) =>
      columns.map(({ values }) => number(values[i])).join(','),
    ),
  ].join('\n')}\n`;
}

export type Cell = string | number | null;

/** A table with a head as CSV text; what is missing is an empty cell. */
export function tableToCsv(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  comment: string,
): string {
  const cell = (value: Cell): string => {
    if (value === null) return '';
    if (typeof value === 'string') return quoteCell(value);
    return Number.isFinite(value) ? String(value) : shortestFloat32(value);
  };
  return `${[
    ...comment.split(/\r\n|\n|\r/).map((line) => `# ${line}`),
    head.map(quoteCell).join(','),
    ...rows.map((row) => row.map(cell).join(',')),
  ].join('\n')}\n`;
}

/** The shortest decimal that gives this float32 again; `nan`, `inf` and `-inf` as NumPy writes them. */
export function shortestFloat32(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const survives = (digits: number): boolean =>
    Math.fround(Number(value.toPrecision(digits))) === value;
  // 9 digits always suffice; most weights need 7 to 9, so the search starts there.
  let digits = 7;
  while (digits < 9 && !survives(digits)) digits++;
  while (digits > 1 && survives(digits - 1)) digits--;
  return String(Number(value.toPrecision(digits)));
}

/** Semicolons and tabs too: a reader would take them for what separates the cells. */
function quoteCell(label: string): string {
  return /^$|[",;\t\n\r#]|^\s|\s$/.test(label) ? `"${label.replace(/"/g, '""')}"` : label;
}
