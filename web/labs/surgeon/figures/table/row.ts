/** One row of attention in every stage, as bars below each other: SVG text. */
import { paints } from '../../../../src/plot/chart-colors.ts';
import { escapeXml, round } from '../../../../src/plot/svg.ts';
import { cellText, sumText } from '../draw.ts';

/** The row in one stage. */
export interface Strip {
  readonly name: string;
  readonly values: readonly number[];
  /** The same before a try. */
  readonly before?: readonly number[] | undefined;
  readonly sum?: number | undefined;
}

const NAMES = 74;
const COLUMN = 40;
const SUMS = 46;
const TALL = 54;
const BAR = 30;

const drawn = (value: number): boolean => Number.isFinite(value) && Math.abs(value) < 1e6;

export function rowParts(
  strips: readonly Strip[],
  tokens: readonly string[],
  dark: boolean,
): { readonly body: string; readonly width: number; readonly height: number } {
  const paint = paints[dark ? 'dark' : 'light'];
  const width = NAMES + tokens.length * COLUMN + SUMS;
  const parts: string[] = [];
  const text = (x: number, y: number, said: string, fill: string, anchor = 'middle', kind = '') =>
    parts.push(
      `<text class="${kind}" x="${round(x)}" y="${round(y)}" font-size="12" text-anchor="${anchor}" fill="${fill}">${escapeXml(said)}</text>`,
    );
  strips.forEach(({ name, values, before, sum }, k) => {
    const all = [...values, ...(before ?? [])].filter(drawn);
    const low = Math.min(0, ...all);
    const high = Math.max(0, ...all);
    const scale = BAR / (high - low || 1);
    const zero = k * TALL + 18 + high * scale;
    text(0, k * TALL + 18 + BAR / 2, name, paint.ink, 'start');
    parts.push(
      `<line x1="${NAMES}" x2="${width - SUMS}" y1="${round(zero)}" y2="${round(zero)}" stroke="${paint.rule}"/>`,
    );
    const bar = (x: number, value: number, look: string): void => {
      if (!drawn(value)) return;
      const tall = Math.abs(value) * scale;
      parts.push(
        `<rect ${look} x="${round(x + 5)}" y="${round(value > 0 ? zero - tall : zero)}" width="${COLUMN - 10}" height="${round(Math.max(0.5, tall))}"/>`,
      );
    };
    values.forEach((value, j) => {
      const x = NAMES + j * COLUMN;
      bar(x, value, `fill="${paint.accent}"`);
      const was = before?.[j];
      if (was !== undefined && was !== value) {
        bar(x, was, `fill="none" stroke="${paint.muted}" stroke-dasharray="3 2"`);
      }
      const top = drawn(value) && value > 0 ? zero - value * scale : zero;
      text(
        x + COLUMN / 2,
        top - 3,
        cellText(value),
        Number.isNaN(value) ? '' : paint.ink,
        'middle',
        Number.isNaN(value) ? 'nan' : '',
      );
    });
    if (sum !== undefined) {
      const off = !(Math.abs(sum - 1) < 1e-3);
      text(width, k * TALL + 18 + BAR / 2, `Σ ${sumText(sum)}`, paint.ink, 'end', off ? 'off' : '');
    }
  });
  const bottom = strips.length * TALL + 14;
  tokens.forEach((token, j) => {
    const short = token.length > 6 ? `${token.slice(0, 5)}…` : token;
    text(NAMES + (j + 0.5) * COLUMN, bottom - 2, short, paint.muted);
  });
  return { body: parts.join(''), width, height: bottom + 4 };
}
