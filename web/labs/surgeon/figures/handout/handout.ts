import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ScalingCell } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { QUOTED } from '../../course-quotes.ts';
import { figureWords } from '../../words/figures.ts';
import { chartFile, colors, ghostly, numbers } from '../parts.ts';

const words = figureWords.now.handout;

const table = {
  n: integer({ key: 'n', min: 2, max: 64, default: 4 }),
  draws: integer({ key: 'draws', min: 2, max: 40, default: 20 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = readonly ScalingCell[];

/**
 * The course text's table of largest weights beside the measured one.
 *
 * @element attn-handout-scaling
 */
@customElement('attn-handout-scaling')
export class AttnHandoutScaling extends LabFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute({ n, draws, seed }: Values, ask: Ask): Promise<Result> {
    const { cells } = await this.tools.client.scalingExperiment(
      { dK: QUOTED.map(({ dK }) => dK), n: [n], draws, seed, gradients: false },
      ask,
    );
    return cells;
  }

  protected override readonly firstKnobs = ['n'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [slider('n', { symbol: 'n', label: words.n, log: true }), seedKnob()];
  }

  private at(cells: Result, dK: number, scaled: boolean): ScalingCell | undefined {
    return cells.find((cell) => cell.dK === dK && cell.scaled === scaled);
  }

  private rows({ result }: Shown<Values, Result>) {
    return QUOTED.map((quoted) => {
      const [off, on] = [this.at(result, quoted.dK, false), this.at(result, quoted.dK, true)];
      const say = (x: number | undefined): string => formatNumber(x ?? Number.NaN);
      return [
        String(quoted.dK),
        `“${quoted.without}”`,
        say(off?.rowMax.mean),
        say(off?.pictureMax.mean),
        `“${quoted.with}”`,
        say(on?.rowMax.mean),
      ] as const;
    });
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { ghost } = this;
    const before = ghost ? ghostly(this.series(ghost).slice(0, 2), this.dark) : [];
    const series = [...before, ...this.series(shown)];
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .x=${{ count: 'binary' }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.dK}
      .yLabel=${words.y}
      .describe=${({ series: id, point }: { series: string; point: number }) => {
        const one = series.find((line) => line.id === id);
        const at = one?.points[point];
        return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
      }}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  /** What was measured as lines, what is quoted as hollow points. */
  private series({ result }: Shown<Values, Result>): readonly Series[] {
    const paint = colors(this.dark);
    const look = (scaled: boolean) => ({
      color: paint[scaled ? 3 : 1] ?? '',
      mark: scaled ? ('square' as const) : ('circle' as const),
    });
    const measured = [false, true].map((scaled) => ({
      ...look(scaled),
      id: scaled ? 'with' : 'without',
      label: scaled ? words.measuredWith : words.measuredWithout,
      points: QUOTED.map(({ dK }) =>
        chartPoint(dK, this.at(result, dK, scaled)?.rowMax.mean ?? Number.NaN),
      ),
    }));
    const quoted: Series = {
      ...{ id: 'quoted', label: words.quoted, color: paint[2] ?? '', mark: 'diamond' },
      ...{ hollow: true, line: 'none' },
      points: QUOTED.flatMap(({ dK, ...said }) =>
        [said.without, said.with].map((value) => chartPoint(dK, Number(value))),
      ),
    };
    return [...measured, quoted];
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    const on = this.at(result, 64, true);
    return on
      ? [
          { label: words.meanLargest, value: on.rowMax.mean },
          { label: words.pictureLargest, value: on.pictureMax.mean },
        ]
      : [];
  }

  protected override caption({ values: { n, draws, seed } }: Shown<Values, Result>): string {
    return words.caption(n, draws, seed);
  }

  protected override summary({ values, result }: Shown<Values, Result>): string {
    const on = this.at(result, 64, true);
    return on
      ? words.sentence(values.n, formatNumber(on.rowMax.mean), formatNumber(on.pictureMax.mean))
      : '';
  }

  protected override data(shown: Shown<Values, Result>): FigureData {
    return { columns: words.columns, rows: this.rows(shown) };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-handout-scaling': AttnHandoutScaling;
  }
}
