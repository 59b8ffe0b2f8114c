/**
 * A painted pattern as text, as it stands in a link: `w8.s16.c12-3`. Each brush leaves one stroke, a letter with its
 * size; cells that the pen set stand one by one. What is kept is what any stroke keeps.
 */
import type { PatternChoice } from '#client';

export const BRUSHES = {
  window: 'w',
  stride: 's',
  blocks: 'b',
  random: 'r',
  sinks: 'k',
  powers: 'p',
  dilated: 'd',
} as const;
export type Brush = keyof typeof BRUSHES;
export const brushes = Object.keys(BRUSHES) as readonly Brush[];

/** Keys that a query sees with the dilated brush, its own included. */
const DILATED_KEYS = 8;
/** A link stays short enough for mail. */
export const MOST_CELLS = 400;

export interface Painted {
  /** The size of each brush that was used. */
  readonly strokes: ReadonlyMap<Brush, number>;
  /** Single cells, `row·n + column` as a pair. */
  readonly cells: readonly (readonly [row: number, column: number])[];
}

const brushOf = new Map(brushes.map((brush) => [BRUSHES[brush] as string, brush]));

/** The parts that cannot be read, as they stand there. */
export function unreadIn(written: string): readonly string[] {
  return written
    .split('.')
    .filter((part) => part !== '' && !/^(?:[wsbrkd][1-9]\d{0,4}|p|c\d{1,4}-\d{1,4})$/.test(part));
}

export function parsePainted(written: string): Painted {
  const strokes = new Map<Brush, number>();
  const cells: [number, number][] = [];
  for (const part of written.split('.')) {
    const cell = /^c(\d{1,4})-(\d{1,4})$/.exec(part);
    if (cell) {
      const [row, column] = [Number(cell[1]), Number(cell[2])];
      if (column <= row && cells.length < MOST_CELLS) cells.push([row, column]);
      continue;
    }
    const [, letter = '', size = '1'] = /^([a-z])([1-9]\d{0,4})?$/.exec(part) ?? [];
    const brush = brushOf.get(letter);
    if (brush) strokes.set(brush, brush === 'powers' ? 1 : Number(size));
  }
  return { strokes, cells };
}

export function printPainted({ strokes, cells }: Painted): string {
  return [
    ...[...strokes].map(([brush, size]) => BRUSHES[brush] + (brush === 'powers' ? '' : size)),
    ...cells.map(([row, column]) => `c${row}-${column}`),
  ].join('.');
}

export const withStroke = (painted: Painted, brush: Brush, size: number | undefined): Painted => {
  const strokes = new Map(painted.strokes);
  if (size === undefined) strokes.delete(brush);
  else strokes.set(brush, size);
  return { ...painted, strokes };
};

export function withCell(painted: Painted, row: number, column: number, keep: boolean): Painted {
  const others = painted.cells.filter(([i, j]) => i !== row || j !== column);
  return { ...painted, cells: keep ? [...others, [row, column] as const] : others };
}

/** The size of a stroke that reaches the cell under the pointer; undefined where it cannot. */
export function sizeAt(brush: Brush, row: number, column: number): number | undefined {
  const distance = row - column;
  if (distance < 0) return undefined;
  switch (brush) {
    case 'window':
    case 'blocks':
      return distance + 1;
    case 'sinks':
      return column + 1;
    case 'powers':
      return 1;
    default:
      return Math.max(1, distance);
  }
}

function choiceOf(brush: Brush, size: number, n: number, seed: number): PatternChoice {
  // A stroke that is larger than the text is as large as the text.
  const most = Math.min(size, n);
  switch (brush) {
    case 'window':
      return { id: 'local', parameters: { context: most } };
    case 'stride':
      return { id: 'strided', parameters: { stride: most } };
    case 'blocks':
      return { id: 'fixed', parameters: { block: most, summary: 0 } };
    case 'random':
      return { id: 'random', parameters: { keys: most, causal: 1 }, seed };
    case 'sinks':
      return { kind: 'mask', mask: { kind: 'causal', validKeys: most } };
    case 'powers':
      return { id: 'powers_of_two' };
    case 'dilated':
      return {
        id: 'dilated_window',
        parameters: { w: DILATED_KEYS - 1, dilation: most, causal: 1 },
      };
  }
}

/** Single cells as the lists that the core takes. */
function listsOf(cells: Painted['cells'], n: number): PatternChoice {
  const rows = Array.from({ length: n }, (): number[] => []);
  for (const [row, column] of cells) if (row < n) rows[row]?.push(column);
  const rowStart = new Int32Array(n + 1);
  rows.forEach((keys, i) => {
    rowStart[i + 1] = (rowStart[i] ?? 0) + keys.length;
  });
  const columns = Int32Array.from(rows.flatMap((keys) => keys.sort((a, b) => a - b)));
  return { kind: 'lists', rowStart, columns };
}

/** What the core is asked for. */
export function patternOf({ strokes, cells }: Painted, n: number, seed: number): PatternChoice {
  const of = [...strokes].map(([brush, size]) => choiceOf(brush, size, n, seed));
  if (cells.some(([row]) => row < n)) of.push(listsOf(cells, n));
  return of.length === 0 ? { id: 'none' } : { kind: 'union', of };
}
