import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { Pool } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type Chapters, chapters } from '../../../../src/models/held-out.ts';
import { logOf } from '../../../../src/models/on-page.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import type { Mark } from '../../../../src/plot/point-marks.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { words } from '../../words/sharing.ts';
import { SmallWindow } from '../shared/small-window.ts';
import { BATCH, KINDS, type Kind, LEARNING_RATE, type Row, share } from './share.ts';

const table = {
  steps: oneOf({ key: 'steps', values: ['40', '120', '400'], default: '40' }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const MARKS: Readonly<Record<Kind, Mark>> = {
  ...{ '4': 'circle', '2': 'square', '1': 'triangle', latent: 'diamond' },
};

/**
 * A trained model whose heads share keys and values: bytes, parameters and loss.
 *
 * @element attn-heads-sharing
 */
@customElement('attn-heads-sharing')
export class AttnHeadsSharing extends LabExperiment<Row, typeof table> {
  readonly table = table;
  protected override readonly keepsRows = true;
  /** What is asked is where the lines begin. */
  protected override readonly runsAnswers = true;

  /** On a phone the answers stand beside their question, and the run that measures them has the room. */
  private readonly small = new SmallWindow(this);
  protected override get hasRoomForAnswers(): boolean {
    return !this.small.matches;
  }

  get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { kind, losses } = (row ?? {}) as Partial<Row>;
    return kind !== undefined && KINDS.includes(kind) && losses !== undefined && losses.length > 0;
  }

  protected override describe({ steps, seed }: Values): string {
    return words.describe(steps, seed);
  }

  protected override get controls() {
    const steps = Object.fromEntries(table.steps.values.map((value) => [value, value]));
    return [choice('steps', { label: words.steps, options: steps }), seedKnob()];
  }

  protected override async *sweep({ steps, seed }: Values, ask: Ask) {
    const text: Chapters = await chapters(await logOf('causal-small'), ask.signal);
    const parts = new Map<Kind, number>();
    const pool = new Pool();
    const jobs = KINDS.map((kind) => ({
      kind,
      row: pool.run(
        (client, tools) => share(client, tools, kind, text, { steps: Number(steps), seed }),
        {
          signal: ask.signal,
          onProgress: (part) => {
            parts.set(kind, part);
            const sum = [...parts.values()].reduce((total, one) => total + one, 0);
            ask.onProgress(sum / KINDS.length);
          },
        },
      ),
    }));
    // A run that is stopped leaves jobs whose refusals nobody waits for.
    for (const { row } of jobs) row.catch(() => undefined);
    try {
      for (const [i, { row }] of jobs.entries()) {
        yield { row: await row, fraction: (i + 1) / jobs.length };
      }
    } finally {
      pool.dispose();
    }
  }

  private series(rows: readonly Row[]): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    return rows.map(({ kind, losses, bytes }) => ({
      ...{ id: kind, label: `${words.kinds[kind]}, ${words.bytes(formatBytes(bytes))}` },
      ...{ color: colors[KINDS.indexOf(kind)] ?? '', mark: MARKS[kind] },
      points: losses.map(({ step, loss }) => chartPoint(step, loss)),
    }));
  }

  private levels(result: readonly Row[]): readonly Level[] {
    const before = result[0]?.before;
    if (before === undefined) return [];
    const { guess, truth } = this.bothAnswers;
    return [
      { y: before, label: words.before, dashed: true },
      // What is asked is how much is added.
      ...(guess === undefined ? [] : [{ y: before + guess, label: nameOf('guess'), dashed: true }]),
      ...(truth === undefined ? [] : [{ y: before + truth, label: nameOf('truth') }]),
    ];
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    const { values, result } = shown;
    return html`<attn-line-chart
      .level=${4}
      .series=${this.series(result)}
      .levels=${this.levels(result)}
      .x=${{ linear: true, low: 0, high: Number(values.steps) }}
      .y=${{ linear: true }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  private cells({ kind, bytes, parameters, before, losses }: Row): readonly string[] {
    return [
      ...[words.kinds[kind], formatBytes(bytes), formatCount(parameters), formatNumber(before)],
      ...[losses[0], losses.at(-1)].map((one) => formatNumber(one?.loss ?? Number.NaN)),
    ];
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    return sheetTable({
      ...{ label: this.heading, columns: words.columns },
      rows: result.map((row) => this.cells(row)),
    });
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return result.flatMap(({ kind, losses }) => {
      const value = losses.at(-1)?.loss;
      return value === undefined ? [] : [{ label: words.kinds[kind], value }];
    });
  }

  protected override resultLine({ result }: Shown<Values, readonly Row[]>): string {
    const [each, one, latent] = ['4', '1', 'latent'].map((kind) =>
      result.find((row) => row.kind === kind),
    );
    const ends = ({ losses }: Row): readonly [string, string] => [
      formatNumber(losses[0]?.loss ?? Number.NaN),
      formatNumber(losses.at(-1)?.loss ?? Number.NaN),
    ];
    if (each && one && latent) {
      const bytes = [one, latent, each].map((row) => formatBytes(row.bytes));
      return words.result(formatNumber(each.before), bytes, ends(one), ends(latent));
    }
    const last = result.at(-1);
    return last ? words.part(words.kinds[last.kind], ...ends(last)) : '';
  }

  protected override summary(shown: Shown<Values, readonly Row[]>): string {
    return this.resultLine(shown);
  }

  protected caption({ values, result }: Shown<Values, readonly Row[]>): string {
    const { steps, seed } = values;
    return words.caption(result[0]?.chapter ?? '', steps, BATCH, formatTick(LEARNING_RATE), seed);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.flatMap(({ kind, bytes, parameters, losses }) =>
        losses.map(({ step, loss }) => [kind, bytes, parameters, step, loss]),
      ),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-sharing': AttnHeadsSharing;
  }
}
