/** Signed numbers as bars on either side of zero. */

import { paints } from '../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf } from '../../../src/plot/color.ts';
import { formatNumber } from '../../../src/plot/format.ts';
import { escapeXml, round } from '../../../src/plot/svg.ts';

export interface Bars {
  readonly values: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly scale: ColorScale;
  /** Above and below zero, for the reader of the axis. */
  readonly label: string;
  /** Beyond this size equal heights are equal ratios; the scale is linear if it is not given. */
  readonly symlog?: number;
  /** The values before a try, drawn as outlines where there are as many. */
  readonly before?: readonly number[];
  /** What stands under the bars. */
  readonly axis?: string;
}

const LEFT = 58;
const FOOT = 20;

/** The inside of an SVG, `width` × `height`. */
export function barsBody(
  { values, width, height, scale, label, symlog, before = [], axis }: Bars,
  dark: boolean,
) {
  const paint = paints[dark ? 'dark' : 'light'];
  const bend = (value: number): number =>
    symlog ? Math.sign(value) * Math.log1p(Math.abs(value) / symlog) : value;
  const ghosts = before.length === values.length ? before : [];
  const finite = [...values, ...ghosts].filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const [from, to] = [bend(low), bend(high)];
  const top = 18;
  const tall = height - top - FOOT;
  const y = (value: number): number => top + ((to - bend(value)) / (to - from || 1)) * tall;
  const each = (width - LEFT - 4) / Math.max(1, values.length);
  const bars = values.map((value, i) => {
    if (!Number.isFinite(value)) return '';
    const [a, b] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const x = LEFT + i * each;
    const fill = `rgb(${colorOf(scale, value, dark).join(',')})`;
    return `<rect data-i="${i}" x="${round(x + each * 0.08)}" y="${round(a)}" width="${round(Math.max(1, each * 0.84))}" height="${round(Math.max(0.7, b - a))}" fill="${fill}" stroke="${paint.muted}" stroke-width="${each > 8 ? 0.7 : 0}"/>`;
  });
  const outlines = ghosts.map((value, i) => {
    const [a, b] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return `<rect class="before" x="${round(LEFT + (i + 0.08) * each)}" y="${round(a)}" width="${round(Math.max(1, each * 0.84))}" height="${round(Math.max(0.7, b - a))}" fill="none" stroke="${paint.ink}" stroke-width="${each > 8 ? 1 : 0.6}" stroke-dasharray="2 2"/>`;
  });
  const tick = (value: number): string =>
    `<text x="${LEFT - 6}" y="${round(y(value))}" text-anchor="end">${escapeXml(formatNumber(value, 2))}</text>`;
  const ends = [low, high].filter((value) => value !== 0 && Math.abs(y(value) - y(0)) > 12);
  return `<g font-family="AL Sans, AL Sans Arial, system-ui, sans-serif" font-size="11" fill="${paint.muted}" dominant-baseline="central">${bars.join('')}${outlines.join('')}<path d="M${LEFT} ${round(y(0))}H${round(width - 4)}" stroke="${paint.ink}" stroke-width="1"/>${tick(0)}${ends.map(tick).join('')}<text x="${LEFT}" y="8">${escapeXml(label)}</text>${axis ? `<text x="${round(LEFT + (width - LEFT) / 2)}" y="${height - 8}" text-anchor="middle">${escapeXml(axis)}</text>` : ''}</g>`;
}
