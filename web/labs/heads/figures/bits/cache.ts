import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatBytes } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import type { Mark } from '../../../../src/plot/point-marks.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { words as all } from '../../words/bits.ts';
import { CHANNELS, cacheErrors, D, type Errors, N, OFFSETS } from './cache-errors.ts';

const words = all.cache;

const table = {
  bits: oneOf({ key: 'bits', values: ['8', '4', '2'], default: '8' }),
  offset: integer({ key: 'offset', default: 0, min: 0, max: 60 }),
  channels: integer({ key: 'channels', default: CHANNELS, min: 1, max: 8 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

const LINES = ['row', 'column', 'float16', 'bfloat16'] as const;
const MARKS: readonly Mark[] = ['circle', 'square', 'diamond', 'triangle'];

interface Result {
  /** At each of the offsets of the axis. */
  readonly sweep: readonly Errors[];
  readonly here: Errors;
}

/**
 * The error of attention over a cache of fewer bits, as some channels of the keys stand out further and further.
 *
 * @element attn-heads-bits-cache
 */
@customElement('attn-heads-bits-cache')
export class AttnHeadsBitsCache extends LabFigure<Result, typeof table> {
  readonly table = table;
  protected override readonly firstKnobs = ['offset', 'bits'] as const;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ bits, offset, channels, seed }: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    const { signal } = ask;
    const qkv = await client.gaussianQkv({ n: N, dK: D, dV: D, seed }, { signal });
    const at = (where: number) =>
      cacheErrors(client, qkv, { bits: Number(bits), offset: where, channels, seed }, signal);
    const here = await at(offset);
    const sweep: Errors[] = [];
    for (const [i, where] of OFFSETS.entries()) {
      sweep.push(where === offset ? here : await at(where));
      ask.onProgress((i + 1) / OFFSETS.length);
    }
    return { sweep, here };
  }

  protected override get controls() {
    const bits = Object.fromEntries(table.bits.values.map((one) => [one, one]));
    return [
      slider('offset', { label: words.offset }),
      choice('bits', { label: words.bits, options: bits }),
      slider('channels', { label: words.channels }),
      seedKnob(),
    ];
  }

  private label(name: (typeof LINES)[number], bits: number): string {
    return name === 'row' || name === 'column' ? words.lines[name](bits) : words.lines[name];
  }

  private series({ sweep }: Result, bits: number, ghost?: boolean): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    return LINES.map((name, i) => ({
      ...{ id: `${name}${ghost ? '-before' : ''}`, label: this.label(name, bits) },
      ...{
        color: colors[i === 0 ? 1 : i === 1 ? 3 : i === 2 ? 2 : 4] ?? '',
        mark: MARKS[i] ?? 'circle',
      },
      ...(ghost && { model: true, unnamed: true, width: 1 }),
      points: sweep.map((errors) => chartPoint(errors.offset, errors[name])),
    }));
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const { ghost } = this;
    const before =
      ghost && ghost.values.bits !== values.bits
        ? this.series(ghost.result, Number(ghost.values.bits), true).slice(0, 2)
        : [];
    return html`<attn-line-chart
      .level=${4}
      .series=${[...this.series(result, Number(values.bits)), ...before]}
      .markers=${[{ x: values.offset, label: words.here, strong: true }]}
      .x=${{ linear: true, low: 0, high: table.offset.max }}
      .y=${{}}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { exactBytes, rowBytes, columnBytes } = result.here;
    return html`<p class="fine">
        ${words.sheet(formatBytes(exactBytes), formatBytes(rowBytes), formatBytes(columnBytes))}
      </p>
      ${sheetTable({
        ...{ label: this.heading, columns: words.sheetColumns },
        rows: result.sweep.map((errors) => [
          errors.offset,
          ...LINES.map((name) => formatNumber(errors[name])),
        ]),
      })}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return [
      { label: words.numbers.row, value: result.here.row },
      { label: words.numbers.column, value: result.here.column },
    ];
  }

  protected override resultLine({ values, result }: Shown<Values, Result>): string {
    const { row, column } = result.here;
    return words.result(
      ...([Number(values.bits), values.channels, String(values.offset)] as const),
      ...([formatNumber(row), formatNumber(column)] as const),
    );
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.resultLine(shown);
  }

  protected caption({ values }: Shown<Values, Result>): string {
    return words.caption(N, D, values.channels, values.seed);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: result.sweep.map((errors) => [errors.offset, ...LINES.map((name) => errors[name])]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-bits-cache': AttnHeadsBitsCache;
  }
}
