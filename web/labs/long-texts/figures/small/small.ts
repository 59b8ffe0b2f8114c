import { customElement } from 'lit/decorators.js';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { formatBytes } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { AXES, type SmallCache, smallCaches } from './small-caches.ts';

const words = decodingWords.now.small;

const table = {
  axis: oneOf({ key: 'axis', values: AXES, default: 'channel' }),
  exact: integer({ key: 'exact', min: 0, max: 64, default: 0 }),
};
type Values = StateOf<typeof table>;
type All = Shown<Values, readonly SmallCache[]>;

const nameOf = ({ kind, bits = 0, heads = 0, latent = 0 }: SmallCache): string => {
  if (kind === 'exact') return words.exactCache;
  if (kind === 'bits') return words.bits(bits);
  return kind === 'grouped' ? words.grouped(heads) : words.latent(latent);
};

/**
 * Bytes a token of smaller caches, against the loss of the trained reader with them.
 *
 * @element attn-long-small
 */
@customElement('attn-long-small')
export class AttnLongSmall extends LabExperiment<SmallCache, typeof table> {
  override readonly table = table;
  protected override readonly runsTries = true;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is SmallCache {
    const { kind, bytes, loss } = (row ?? {}) as Partial<SmallCache>;
    return typeof kind === 'string' && [bytes, loss].every(Number.isFinite);
  }

  protected override describe({ axis, exact }: Values): string {
    return words.describe(words.axes[axis], exact);
  }

  protected override sweep(values: Values, ask: Ask) {
    return smallCaches(this.tools.client, values, ask);
  }

  protected override get controls() {
    return [
      choice('axis', { label: words.axis, options: words.axes }),
      slider('exact', { label: words.exact }),
    ];
  }

  protected renderResult(shown: All): unknown {
    const look = { exact: 'softmax', bits: 'linear', grouped: 'window', latent: 'decay' } as const;
    return chart([shown, this.dark], () => ({
      series: (['exact', 'bits', 'grouped', 'latent'] as const).map((kind) => ({
        ...lookOf(look[kind], this.dark),
        ...{ id: kind, label: words.kinds[kind] },
        points: shown.result
          .filter((row) => row.kind === kind)
          .map((row) => ({ ...chartPoint(row.bytes, row.loss), label: nameOf(row) })),
      })),
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override keyNumbers({ result }: All): readonly KeyNumber[] {
    // What settings of whole numbers change.
    const few = result.filter(({ kind, bits = 0 }) => kind === 'bits' && bits <= 4);
    return few.map((row) => ({
      label: nameOf(row),
      value: row.loss,
      text: formatNumber(row.loss),
    }));
  }

  protected override resultLine({ result }: All): string {
    const exact = result.find(({ kind }) => kind === 'exact');
    const last = result.findLast(({ kind }) => kind === 'bits');
    if (!exact || !last) return '';
    return words.line(
      ...([last.bits ?? 0, formatNumber(exact.bytes / last.bytes, 2)] as const),
      ...([formatNumber(exact.loss, 3), formatNumber(last.loss, 3)] as const),
    );
  }

  protected override summary(shown: All): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override renderDetails({ result }: All): unknown {
    return sheetTable({
      ...{ label: this.heading, columns: words.heads },
      rows: result.map((row) => [nameOf(row), formatBytes(row.bytes), formatNumber(row.loss, 4)]),
    });
  }

  protected caption({ values }: All): string {
    return words.caption(words.axes[values.axis], values.exact);
  }

  protected data({ result }: All): FigureData {
    return { columns: words.columns, rows: result.map((row) => [row.id, row.bytes, row.loss]) };
  }

  protected override svg(shown: All): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-small': AttnLongSmall;
  }
}
