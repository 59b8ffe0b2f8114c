/** One memory as SVG text: its state, the value that is wanted, what comes back, and every key so far. */
import type { Matrix, PairMemoryTrace } from '#client';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { round } from '../../../../src/plot/svg.ts';

export const BOX = 128;
const STRIP = 15;
const GAP = 7;
const DOT = 8;
export const HEIGHT = BOX + GAP + 2 * STRIP + 3 + GAP + 2 * DOT + 4;

/** Values are signs, so that answers lie around −1 … 1. */
const SIGNS: ColorScale = {
  ...{ kind: 'diverging', low: -1, high: 1, tone: 'linear' },
  ...{ overLow: false, overHigh: false },
};

const css = (rgb: readonly number[]): string => `rgb(${rgb.join(',')})`;

/** One scale for a memory over all tokens, so that growth and fading are visible. */
export function stateScale({ states }: PairMemoryTrace): ColorScale {
  let high = 0;
  for (const value of states.data) high = Math.max(high, Math.abs(value));
  return { ...SIGNS, low: -(high || 1), high: high || 1, tone: 'sqrt' };
}

interface Drawn {
  readonly trace: PairMemoryTrace;
  readonly scale: ColorScale;
  readonly values: Matrix;
  /** Pairs written so far. */
  readonly t: number;
  /** The pair whose key is asked for. */
  readonly ask: number;
  readonly dark: boolean;
}

function state({ trace, scale, t, dark }: Drawn, cache: boolean): string {
  const { states, stateRows } = trace;
  const { cols } = states;
  const paint = paints[dark ? 'dark' : 'light'];
  const [w, h] = [BOX / cols, BOX / (stateRows < cols && !cache ? cols : stateRows)];
  const top = (BOX - h * stateRows) / 2;
  const cells: string[] = [];
  for (let i = 0; i < stateRows; i++) {
    for (let j = 0; j < cols; j++) {
      const there = t > 0 && (!cache || i < t);
      const value = there ? (states.data[((t - 1) * stateRows + i) * cols + j] as number) : 0;
      const fill = there ? css(colorOf(scale, value, dark)) : paint.paper;
      cells.push(
        `<rect x="${round(j * w)}" y="${round(top + i * h)}" width="${round(w)}" height="${round(h)}" fill="${fill}"/>`,
      );
    }
  }
  return `${cells.join('')}<rect x="0.5" y="${round(top + 0.5)}" width="${BOX - 1}" height="${round(h * stateRows - 1)}" fill="none" stroke="${paint.rule}"/>`;
}

function strip(
  y: number,
  row: ArrayLike<number>,
  dark: boolean,
  wanted?: ArrayLike<number>,
): string {
  const paint = paints[dark ? 'dark' : 'light'];
  const w = BOX / row.length;
  let most = 0;
  for (let j = 0; j < row.length; j++) most = Math.max(most, Math.abs(row[j] as number));
  return Array.from({ length: row.length }, (_, j) => {
    const value = (row[j] as number) / (most || 1);
    const fill = colorOf(SIGNS, value, dark);
    const wrong = wanted && !((row[j] as number) * (wanted[j] as number) > 0);
    const x = j * w;
    const cross = wrong
      ? `<path d="M${round(x + 2)} ${round(y + STRIP - 3)}L${round(x + w - 2)} ${round(y + 3)}" stroke="${inkOn(fill)}" stroke-width="1.5"/>`
      : '';
    return `<rect x="${round(x + 0.5)}" y="${round(y)}" width="${round(w - 1)}" height="${STRIP - 1}" rx="1.5" fill="${css(fill)}" stroke="${paint.rule}"/>${cross}`;
  }).join('');
}

/** In two rows where there are many. */
function dots({ trace, t, ask, dark }: Drawn, y: number): string {
  const paint = paints[dark ? 'dark' : 'light'];
  const n = trace.right.length;
  const each = n > 16 ? Math.ceil(n / 2) : n;
  const pitch = Math.min(DOT + 2, BOX / each);
  const size = Math.min(DOT, pitch - 1);
  return Array.from({ length: n }, (_, j) => {
    const [x, top] = [(j % each) * pitch, y + Math.floor(j / each) * (DOT + 2)];
    const at = (t - 1) * n + j;
    const there = t > 0 && j < t;
    const right = there && trace.found[at] === trace.wanted[at];
    const fill = right ? paint.accent : paint.paper;
    const line = there ? paint.accent : paint.rule;
    const ring =
      j === ask
        ? `<rect x="${round(x - 1.5)}" y="${round(top - 1.5)}" width="${round(size + 3)}" height="${round(size + 3)}" fill="none" stroke="${paint.ink}" stroke-width="1.5"/>`
        : '';
    return `<rect x="${round(x + 0.5)}" y="${round(top + 0.5)}" width="${round(size - 1)}" height="${round(size - 1)}" fill="${fill}" stroke="${line}"/>${ring}`;
  }).join('');
}

/** The content of an SVG of BOX × HEIGHT. */
export function memoryBody(drawn: Drawn, cache: boolean): string {
  const { trace, values, t, ask, dark } = drawn;
  const { cols } = values;
  const n = trace.right.length;
  const y = BOX + GAP;
  const parts = [state(drawn, cache)];
  if (ask < t) {
    const at = (t - 1) * n + ask;
    const row = (matrix: Matrix, i: number) => matrix.data.subarray(i * cols, (i + 1) * cols);
    const wanted = row(values, trace.wanted[at] as number);
    parts.push(strip(y, wanted, dark), strip(y + STRIP + 3, row(trace.answers, at), dark, wanted));
  }
  parts.push(dots(drawn, y + 2 * STRIP + 3 + GAP));
  return parts.join('');
}
