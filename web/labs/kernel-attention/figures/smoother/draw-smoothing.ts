/** A mean over keys on a line, as SVG text: values, the weights at a query, and the mean at every query. */
import {
  across,
  axes,
  curve,
  dot,
  down,
  type Plot,
  type Point,
  paintOf,
  placed,
} from '../../../../src/figures/kernel/plot.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { line, round } from '../../../../src/plot/svg.ts';

export interface Smoothed {
  readonly pairs: readonly Point[];
  /** The keys and values that smooth: the pairs, or what was learned. */
  readonly keys: readonly number[];
  readonly values: readonly number[];
  readonly xs: readonly number[];
  readonly outputs: Float32Array;
  /** The output and the weights at the query. */
  readonly atQuery: number;
  readonly weights: Float32Array;
}

export const PLOT: Plot = { width: 680, height: 360, x: [-3.2, 3.2], y: [-2.5, 2.5] };
/** How high the handle of the query stands. */
export const HANDLE = 2.25;
/** Pixels for a weight of 1. */
const WEIGHT = 130;

export const weightColor = (dark: boolean): string =>
  seriesColors[dark ? 'dark' : 'light'][1] ?? '';

export const besideColor = (dark: boolean): string =>
  seriesColors[dark ? 'dark' : 'light'][5] ?? '';

interface Drawing {
  readonly at: number;
  readonly dark: boolean;
  /** What the weights and the curve were: outlines and a dashed line. */
  readonly before?: Smoothed | undefined;
  /** Other weights of the same keys, as outlines. */
  readonly beside?: Float32Array | undefined;
  /** Keys and values were learned: they have crosses. */
  readonly learned?: boolean;
  /** The query is moved by a handle at the upper end of its line. */
  readonly handle?: boolean;
}

export function drawSmoothing(
  now: Smoothed,
  { at, dark, before, beside, learned = false, handle = false }: Drawing,
): string {
  const paint = paintOf(dark);
  const color = weightColor(dark);
  const parts = [axes(PLOT, dark)];
  const base = PLOT.height - 14;
  now.keys.forEach((key, i) => {
    const height = WEIGHT * (now.weights[i] as number);
    const x = across(PLOT, key);
    parts.push(
      `<rect x="${round(x - 5)}" y="${round(base - Math.max(0, height))}" width="10" height="${round(Math.abs(height))}" fill="${color}" fill-opacity="0.55"/>`,
    );
  });
  beside?.forEach((weight, i) => {
    const height = Math.max(0, WEIGHT * weight);
    parts.push(
      `<rect class="beside" x="${round(across(PLOT, now.keys[i] ?? 0) - 8)}" y="${round(base - height)}" width="16" height="${round(height)}" fill="none" stroke="${besideColor(dark)}" stroke-width="2"/>`,
    );
  });
  before?.keys.forEach((was, i) => {
    const height = Math.max(0, WEIGHT * (before.weights[i] as number));
    parts.push(
      `<rect class="before" x="${round(across(PLOT, was) - 6)}" y="${round(base - height)}" width="12" height="${round(height)}" fill="none" stroke="${paint.muted}"/>`,
    );
  });
  if (before) {
    parts.push(curve(PLOT, before.xs, before.outputs, paint.muted, { width: 1.5, dash: '3 4' }));
  }
  const q = across(PLOT, at);
  parts.push(line(q, 10, q, base, paint.accent, { dash: '4 4' }));
  if (handle) {
    const top = down(PLOT, HANDLE);
    parts.push(
      `<path d="M${round(q - 9)} ${round(top - 7)}H${round(q + 9)}L${round(q)} ${round(top + 9)}Z" fill="${paint.accent}"/>`,
    );
  }
  parts.push(curve(PLOT, now.xs, now.outputs, paint.accent, { width: 2.5 }));
  if (learned) {
    now.keys.forEach((key, i) => {
      const [x, y] = placed(PLOT, { x: key, y: now.values[i] as number });
      parts.push(
        `<path d="M${round(x - 5)} ${round(y)}H${round(x + 5)}M${round(x)} ${round(y - 5)}V${round(y + 5)}" stroke="${color}" stroke-width="2"/>`,
      );
    });
  }
  for (const pair of now.pairs) {
    parts.push(dot(placed(PLOT, pair), 5.5, paint.paper, paint.ink, 2));
  }
  parts.push(dot([q, down(PLOT, now.atQuery)], 6, paint.accent, paint.paper, 2));
  return parts.join('');
}
