/** Draws ratios as dots, one row for each case, as SVG text. */
import { axisPlace, domainOf, logTicks } from './axis.ts';
import type { Paint } from './chart-colors.ts';
import { formatTick } from './format.ts';
import { type Look, paintedMark } from './point-marks.ts';
import { line, text } from './svg.ts';

export interface Dot extends Look {
  readonly label: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface DotRow {
  readonly label: string;
  readonly dots: readonly Dot[];
}

export interface DotChart {
  readonly width: number;
  readonly rows: readonly DotRow[];
  readonly xLabel: string;
  readonly paint: Paint;
  /** The width of the column of labels; with 0, each label is above its row. */
  readonly gutter: number;
}

const ROW = 30;
const HEAD = 20;
const FOOT = 46;

export const dotsHeight = ({ rows, gutter }: Pick<DotChart, 'rows' | 'gutter'>): number =>
  HEAD + rows.length * (gutter > 0 ? ROW : ROW + 16) + FOOT;

/** Draws ratios on a logarithmic axis, one row for each case, with the line of "equally fast". */
export function drawDots(chart: DotChart): string {
  const { rows, paint, width, gutter } = chart;
  const pitch = gutter > 0 ? ROW : ROW + 16;
  const dots = rows.flatMap((row) => row.dots);
  const domain = domainOf([1, ...dots.flatMap(({ low, high }) => [low, high])], 1.2) ?? {
    low: 0.5,
    high: 2,
  };
  const [left, right] = [gutter + 8, width - 16];
  const bottom = HEAD + rows.length * pitch;
  const x = axisPlace(domain, left, right);
  const parts: string[] = [];
  // Where labels are above their rows, no line passes through them.
  const pieces =
    gutter > 0
      ? [[HEAD, bottom] as const]
      : rows.map((_, i) => [HEAD + i * pitch + 20, HEAD + (i + 1) * pitch] as const);
  const upright = (place: number, color: string, over = 0, more?: Parameters<typeof line>[5]) => {
    for (const [from, to] of pieces) {
      parts.push(line(place, from - 1.5 * over, place, to + over, color, more));
    }
  };
  for (const tick of logTicks(domain, Math.max(2, (right - left) / 60))) {
    const place = x.at(tick);
    upright(place, paint.rule);
    parts.push(text(place, bottom + 17, `${formatTick(tick)}×`, paint.muted, { anchor: 'middle' }));
  }
  upright(x.at(1), paint.ink, gutter > 0 ? 4 : 0, { width: 1.5, kind: 'one' });
  parts.push(
    text((left + right) / 2, bottom + 37, chart.xLabel, paint.muted, { anchor: 'middle' }),
  );
  rows.forEach(({ label, dots: found }, i) => {
    const y = HEAD + i * pitch + (gutter > 0 ? pitch / 2 : pitch / 2 + 9);
    parts.push(
      gutter > 0
        ? text(gutter, y + 4, label, paint.ink, { anchor: 'end', kind: 'ink', size: 13 })
        : text(left - 4, y - 14, label, paint.ink, { kind: 'ink', size: 13, halo: paint.paper }),
    );
    if (i > 0) {
      const edge = HEAD + i * pitch;
      parts.push(line(gutter > 0 ? 0 : left, edge, right, edge, paint.rule));
    }
    for (const dot of found) {
      parts.push(
        line(x.at(dot.low), y, x.at(dot.high), y, dot.color, { width: 2, kind: 'spread' }),
      );
      parts.push(paintedMark(dot, x.at(dot.median), y, paint.paper, 5));
    }
  });
  return parts.join('');
}
