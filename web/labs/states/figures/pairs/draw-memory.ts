/** A value as an icon, and one memory as SVG text for a file: its state, what comes back, and every key so far. */
import type { Matrix, PairMemoryTrace } from '#client';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { round } from '../../../../src/plot/svg.ts';

export const BOX = 128;
const GAP = 7;
/** The side of an icon. */
export const ICON = 36;
const DOT = 8;
export const HEIGHT = BOX + GAP + ICON + GAP + 2 * DOT + 4;

/** Values are signs, so that answers lie around −1 … 1. */
const SIGNS: ColorScale = {
  ...{ kind: 'diverging', low: -1, high: 1, tone: 'linear' },
  ...{ overLow: false, overHigh: false },
};

const css = (rgb: readonly number[]): string => `rgb(${rgb.join(',')})`;

/** One scale for a memory over all tokens, so that growth and fading are visible. */
export function stateScale({ states }: Pick<PairMemoryTrace, 'states'>): ColorScale {
  let high = 0;
  for (const value of states.data) high = Math.max(high, Math.abs(value));
  return { ...SIGNS, low: -(high || 1), high: high || 1, tone: 'sqrt' };
}

export const rowOf = ({ data, cols }: Matrix, i: number): Float32Array =>
  data.subarray(i * cols, (i + 1) * cols) as Float32Array;

/** How tall the icon of a value with so many entries is. */
export const iconHeight = (entries: number): number => {
  const across = Math.ceil(Math.sqrt(entries));
  return (ICON / across) * Math.ceil(entries / across);
};

/** The entries of a value in rows of cells, as square as they fit; crossed where a sign is not the wanted one. */
export function valueIcon(
  row: ArrayLike<number>,
  dark: boolean,
  wanted?: ArrayLike<number>,
): string {
  const across = Math.ceil(Math.sqrt(row.length));
  const cell = ICON / across;
  const paint = paints[dark ? 'dark' : 'light'];
  let most = 0;
  for (let j = 0; j < row.length; j++) most = Math.max(most, Math.abs(row[j] as number));
  return Array.from({ length: row.length }, (_, j) => {
    const fill = colorOf(SIGNS, (row[j] as number) / (most || 1), dark);
    const [x, y] = [(j % across) * cell, Math.floor(j / across) * cell];
    const wrong = wanted && !((row[j] as number) * (wanted[j] as number) > 0);
    const cross = wrong
      ? `<path d="M${round(x + 2)} ${round(y + cell - 2)}L${round(x + cell - 2)} ${round(y + 2)}" stroke="${inkOn(fill)}" stroke-width="1.5"/>`
      : '';
    return `<rect x="${round(x + 0.5)}" y="${round(y + 0.5)}" width="${round(cell - 1)}" height="${round(cell - 1)}" fill="${css(fill)}" stroke="${paint.rule}" stroke-width="0.5"/>${cross}`;
  }).join('');
}

export interface Drawn {
  readonly trace: PairMemoryTrace;
  readonly scale: ColorScale;
  readonly values: Matrix;
  /** The first pair with each pair's key. */
  readonly first: ArrayLike<number>;
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
  const [w, h] = [BOX / cols, BOX / stateRows];
  const cells: string[] = [];
  for (let i = 0; i < stateRows; i++) {
    for (let j = 0; j < cols; j++) {
      const there = t > 0 && (!cache || i < t);
      const value = there ? (states.data[((t - 1) * stateRows + i) * cols + j] as number) : 0;
      const fill = there ? css(colorOf(scale, value, dark)) : paint.paper;
      cells.push(
        `<rect x="${round(j * w)}" y="${round(i * h)}" width="${round(w)}" height="${round(h)}" fill="${fill}"/>`,
      );
    }
  }
  return `${cells.join('')}<rect x="0.5" y="0.5" width="${BOX - 1}" height="${BOX - 1}" fill="none" stroke="${paint.rule}"/>`;
}

/** A dot for each key, filled where its newest value comes back; in two rows where there are many. */
export function keyDots({ trace, first, t, ask, dark }: Drawn): string {
  const paint = paints[dark ? 'dark' : 'light'];
  const n = first.length;
  const keys = Array.from(first, (from, j) => (from === j ? j : -1)).filter((j) => j >= 0);
  const each = keys.length > 16 ? Math.ceil(keys.length / 2) : keys.length;
  const pitch = Math.min(DOT + 2, BOX / each);
  const size = Math.min(DOT, pitch - 1);
  return keys
    .map((j, i) => {
      const [x, top] = [(i % each) * pitch, Math.floor(i / each) * (DOT + 2)];
      const at = (t - 1) * n + j;
      const there = t > 0 && j < t;
      const fill = there && trace.found[at] === trace.wanted[at] ? paint.accent : paint.paper;
      const ring =
        first[j] === first[ask]
          ? `<rect x="${round(x - 1.5)}" y="${round(top - 1.5)}" width="${round(size + 3)}" height="${round(size + 3)}" fill="none" stroke="${paint.ink}" stroke-width="1.5"/>`
          : '';
      return `<rect x="${round(x + 0.5)}" y="${round(top + 0.5)}" width="${round(size - 1)}" height="${round(size - 1)}" fill="${fill}" stroke="${there ? paint.accent : paint.rule}"/>${ring}`;
    })
    .join('');
}

/** The wanted value of the key that is asked for; undefined before it was written. */
export function wantedValue({ trace, values, first, t, ask }: Drawn): Float32Array | undefined {
  if (ask >= t) return undefined;
  return rowOf(values, trace.wanted[(t - 1) * first.length + ask] as number);
}

export const answerIcon = (drawn: Drawn): string => {
  const wanted = wantedValue(drawn);
  const { trace, first, t, ask, dark } = drawn;
  return wanted ? valueIcon(rowOf(trace.answers, (t - 1) * first.length + ask), dark, wanted) : '';
};

/** The content of an SVG of BOX × HEIGHT. */
export const memoryBody = (drawn: Drawn, cache: boolean): string =>
  [
    state(drawn, cache),
    `<g transform="translate(0 ${BOX + GAP})">${answerIcon(drawn)}</g>`,
    `<g transform="translate(0 ${BOX + GAP + ICON + GAP})">${keyDots(drawn)}</g>`,
  ].join('');
