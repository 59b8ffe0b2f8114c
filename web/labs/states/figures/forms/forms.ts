import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { MixerForms, SequenceMixerInfo } from '#client';
import tableCss from '../../../../src/figures/table.css?inline';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/forms.ts';
import { looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';
import { rowChart } from '../row-chart.ts';

adopt(tableCss);
adopt(css);

/** Sums of a hundred terms in float32 keep five digits; a wrong decay or chunk changes the first one. */
const TOLERANCE = 1e-4;
/** The ends of the axis: what is equal to the last bit lies at the low one. */
const [LEAST, MOST] = [1e-9, 1];

const table = {
  n: integer({ key: 'n', default: 96, min: 4, max: 256 }),
  chunk: integer({ key: 'chunk', default: 16, min: 1, max: 64 }),
  dModel: oneOf({ key: 'd', values: ['16', '32', '64'], default: '32' }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

interface Row {
  readonly info: SequenceMixerInfo;
  readonly forms: Pick<MixerForms, 'largest' | 'recurrentDifference' | 'chunkedDifference'>;
}

/**
 * The output of every mixer all at once, token by token and in chunks, and how far they differ.
 *
 * @element attn-states-forms
 */
@customElement('attn-states-forms')
export class AttnStatesForms extends LabFigure<readonly Row[], typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute(values: Values, ask: Ask): Promise<readonly Row[]> {
    const { client } = this.tools;
    const { n, chunk, seed } = values;
    const dModel = Number(values.dModel);
    const { q: x } = await client.gaussianQkv({ n, dK: dModel, dV: 1, seed }, ask);
    const infos = await mixersOf(client);
    const rows: Row[] = [];
    for (const [i, info] of infos.entries()) {
      const mixer = { id: info.id, dModel, length: n };
      const { largest, recurrentDifference, chunkedDifference } = await client.compareMixerForms(
        { mixer, x, seed, chunk },
        { signal: ask.signal },
      );
      rows.push({ info, forms: { largest, recurrentDifference, chunkedDifference } });
      ask.onProgress((i + 1) / infos.length);
    }
    return rows;
  }

  protected override get controls() {
    const widths = Object.fromEntries(table.dModel.values.map((d) => [d, d]));
    return [
      slider('chunk', { label: words.chunk, log: true }),
      slider('n', { label: words.n, symbol: 'n' }),
      choice('dModel', { label: words.dModel, options: widths }),
      seedKnob(),
    ];
  }

  private agrees({ forms }: Row): boolean {
    const most = TOLERANCE * forms.largest;
    const { recurrentDifference, chunkedDifference } = forms;
    return recurrentDifference <= most && !(chunkedDifference > most);
  }

  private texts(row: Row): readonly string[] {
    const { largest, recurrentDifference, chunkedDifference } = row.forms;
    return [
      formatNumber(largest),
      formatNumber(recurrentDifference),
      Number.isNaN(chunkedDifference) ? words.none : formatNumber(chunkedDifference),
      this.agrees(row) ? words.agree : words.differ,
    ];
  }

  private verdict(rows: readonly Row[]): string {
    const agreeing = rows.filter((row) => this.agrees(row)).length;
    return words.verdict(agreeing, rows.length, formatNumber(TOLERANCE));
  }

  protected renderResult({ result }: Shown<Values, readonly Row[]>): unknown {
    const looks = looksOf(
      result.map(({ info }) => info.id),
      this.dark,
    );
    return html`<p class="st-small">${words.key}</p>
      ${rowChart({
        label: this.heading,
        rows: result.map(({ info, forms }) => {
          const share = (difference: number): number =>
            Number.isNaN(difference) ? difference : Math.max(LEAST, difference / forms.largest);
          return {
            ...{ name: modelName(info.id, info.label), look: looks.get(info.id) as Look },
            ...{ at: share(forms.recurrentDifference), also: share(forms.chunkedDifference) },
            text: this.agrees({ info, forms }) ? words.agree : words.differ,
          };
        }),
        ...{ low: LEAST, high: MOST, log: true, limit: TOLERANCE, dark: this.dark },
        ends: [words.equal, words.whole],
      })}`;
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    return modelTable(
      this.heading,
      words.columns,
      result.map((row) => modelRow(modelName(row.info.id, row.info.label), this.texts(row))),
    );
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    const most = Math.max(
      ...result.flatMap(({ forms: { largest, recurrentDifference, chunkedDifference } }) =>
        [recurrentDifference, chunkedDifference]
          .filter((difference) => !Number.isNaN(difference))
          .map((difference) => difference / largest),
      ),
    );
    return [{ label: words.most, value: most }];
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(values.n, values.chunk, Number(values.dModel), values.seed);
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    return this.verdict(result);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.map(({ info, forms }) => {
        const { largest, recurrentDifference, chunkedDifference } = forms;
        const chunked = Number.isNaN(chunkedDifference) ? null : chunkedDifference;
        return [info.id, info.label, largest, recurrentDifference, chunked, TOLERANCE * largest];
      }),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    const cells = shown.result.map((row) =>
      [modelName(row.info.id, row.info.label), ...this.texts(row)].map((text) => ({ words: text })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-forms': AttnStatesForms;
  }
}
