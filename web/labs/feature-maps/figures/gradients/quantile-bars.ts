/** Quantiles as bars on a logarithmic axis that has a place of its own for 0. The result is SVG text, as for all charts. */
import { axisPlace, domainOf, logTicks } from '../../../../src/plot/axis.ts';
import type { Paint } from '../../../../src/plot/chart-colors.ts';
import { formatTick } from '../../../../src/plot/format.ts';
import { markShape } from '../../../../src/plot/point-marks.ts';
import { escapeXml, line, round, text } from '../../../../src/plot/svg.ts';

export interface Bar {
  readonly label: string;
  /** At 10, 25, 50, 75 and 90 %; NaN where there is none. */
  readonly quantiles: readonly number[];
  readonly color: string;
  readonly strong?: boolean;
}

const ROW = 24;
const TOP = 8;
const FOOT = 44;
const ZERO = 34;

export const barsHeight = (count: number, width: number): number =>
  TOP + count * (width < 480 ? ROW + 14 : ROW) + FOOT;

export function drawBars(
  bars: readonly Bar[],
  { width, xLabel, zero, paint }: { width: number; xLabel: string; zero: string; paint: Paint },
): string {
  const narrow = width < 480;
  const pitch = narrow ? ROW + 14 : ROW;
  const gutter = narrow ? 4 : 16 + 6.6 * Math.max(...bars.map(({ label }) => label.length));
  const bottom = TOP + bars.length * pitch;
  const values = bars.flatMap(({ quantiles }) => quantiles.filter((x) => x > 0));
  const domain = domainOf(values, 1.3) ?? { low: 0.1, high: 10 };
  const [left, right] = [gutter + ZERO, width - 14];
  const axis = axisPlace(domain, left, right);
  const at = (value: number): number =>
    value > 0 ? Math.max(left, Math.min(right, axis.at(value))) : gutter + ZERO / 3;
  const parts: string[] = [];
  for (const tick of logTicks(domain, Math.max(2, (right - left) / 70))) {
    const x = axis.at(tick);
    parts.push(line(x, TOP, x, bottom, paint.rule));
    parts.push(text(x, bottom + 17, formatTick(tick), paint.muted, { anchor: 'middle' }));
  }
  const nothing = at(0);
  parts.push(line(nothing, TOP, nothing, bottom, paint.muted, { dash: '2 3', kind: 'axis' }));
  parts.push(text(nothing, bottom + 17, zero, paint.muted, { anchor: 'middle' }));
  parts.push(text((left + right) / 2, bottom + 37, xLabel, paint.muted, { anchor: 'middle' }));
  bars.forEach(({ label, quantiles, color, strong }, i) => {
    const y = TOP + i * pitch + (narrow ? pitch - 10 : pitch / 2);
    const weight = strong ? '600' : '';
    parts.push(
      narrow
        ? text(gutter, y - 9, label, paint.ink, { kind: 'ink', weight, halo: paint.paper })
        : text(gutter - 8, y + 4, label, paint.ink, { anchor: 'end', kind: 'ink', weight }),
    );
    const [p10, p25, p50, p75, p90] = quantiles as [number, number, number, number, number];
    if (!Number.isFinite(p50)) return;
    parts.push(`<g class="bar" data-map="${escapeXml(label)}">`);
    parts.push(line(at(p10), y, at(p90), y, color, { width: 1.5, kind: 'spread' }));
    parts.push(line(at(p25), y, at(p75), y, color, { width: 6, kind: 'spread' }));
    parts.push(
      `<g class="mark" fill="${paint.paper}" stroke="${color}" stroke-width="1.75">${markShape('circle', Number(round(at(p50))), y, 4.5)}</g></g>`,
    );
  });
  return parts.join('');
}
