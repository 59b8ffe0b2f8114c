/** What the charts of figures have in common: how they stand in a figure, their lines, and what was there before a try. */
import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import '../components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../components/line-chart/line-chart.ts';
import type { Axis } from '../plot/axis.ts';
import { chartPoint, type Level, type Marker, type Series, type Stretch } from '../plot/chart.ts';
import { seriesColors } from '../plot/chart-colors.ts';
import { lookOf, nameOf } from '../plot/names.ts';

export interface ChartSpec {
  readonly series: readonly Series[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x?: Axis;
  readonly y?: Axis;
  readonly levels?: readonly Level[];
  readonly markers?: readonly Marker[];
  readonly stretches?: readonly Stretch[];
  readonly formatY?: (value: number) => string;
  /** What a screen reader hears first. */
  readonly summary?: string;
}

/** `of`: what it is drawn from. While nothing of that changes, as when work reports its progress, it stays as it is. */
export const chart = (of: readonly unknown[], make: () => ChartSpec): unknown =>
  guard([...of], () => {
    const {
      series,
      xLabel,
      yLabel,
      x = {},
      y = {},
      levels = [],
      markers = [],
      stretches = [],
      formatY,
      summary = '',
    } = make();
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .x=${x}
      .y=${y}
      .xLabel=${xLabel}
      .yLabel=${yLabel}
      .levels=${levels}
      .markers=${markers}
      .stretches=${stretches}
      .formatY=${formatY}
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

/** The chart of a figure as a picture for a file. */
export const chartFile = (figure: HTMLElement, caption: string, heading: string): string =>
  figure.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';
