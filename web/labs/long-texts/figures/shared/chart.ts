/** What the charts of this lab have in common: how they stand in a figure, and in a file. */
import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import type { Axis } from '../../../../src/plot/axis.ts';
import type { Level, Marker, Series, Stretch } from '../../../../src/plot/chart.ts';

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

/** The chart of a figure as a picture for a file. */
export const chartFile = (figure: HTMLElement, caption: string, heading: string): string =>
  figure.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';
