/** What the charts of this lab have in common: how they stand in a figure, their colours, and what was there before a try. */
import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import '../../../../src/components/line-chart/line-chart.ts';
import type { Axis } from '../../../../src/plot/axis.ts';
import {
  chartPoint,
  type Level,
  type Marker,
  type Series,
  type Stretch,
} from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';

interface ChartSpec {
  readonly series: readonly Series[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x?: Axis;
  readonly y?: Axis;
  readonly formatY?: (value: number) => string;
  readonly levels?: readonly Level[];
  readonly markers?: readonly Marker[];
  readonly stretches?: readonly Stretch[];
  /** What a screen reader hears first. */
  readonly summary?: string;
}

/** `of`: what it is drawn from. While nothing of that changes, as when work reports its progress, it stays as it is. */
export const chart = (of: readonly unknown[], make: () => ChartSpec): unknown =>
  guard([...of], () => {
    const { series, xLabel, yLabel, formatY, summary = '', ...rest } = make();
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .x=${rest.x ?? {}}
      .y=${rest.y ?? {}}
      .formatY=${formatY}
      .xLabel=${xLabel}
      .yLabel=${yLabel}
      .levels=${rest.levels ?? []}
      .markers=${rest.markers ?? []}
      .stretches=${rest.stretches ?? []}
      .summary=${summary}
    ></attn-line-chart>`;
  });

export const colorAt = (index: number, dark: boolean): string =>
  seriesColors[dark ? 'dark' : 'light'][index] ?? '';

export const pointsAlong = (xs: ArrayLike<number>, ys: ArrayLike<number>) =>
  Array.from(xs, (x, i) => chartPoint(x, ys[i] ?? Number.NaN));

/** A line that was there before a try. */
export const lineBefore = (id: string, points: Series['points'], dark: boolean): Series => ({
  ...lookOf('ghost', dark),
  ...{ id: `${id}-before`, label: nameOf('ghost'), model: true, unnamed: true, points },
});
