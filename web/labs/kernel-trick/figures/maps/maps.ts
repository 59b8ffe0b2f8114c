import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Comparison } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { barRows } from '../../draw/bar-rows.ts';
import { table as numbers } from '../../draw/figure-parts.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/maps.ts';

adopt(css);

const MAPS = ['relu', 'elu_plus_one', 'exp', 'taylor_compact', 'softmax_kernel'] as const;
type MapId = (typeof MAPS)[number];

const table = {
  n: integer({ key: 'n', default: 100, min: 4, max: 256 }),
  d: integer({ key: 'd', default: 64, min: 1, max: 64 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;
type Result = Readonly<Record<MapId, Comparison>>;

/**
 * Linear attention with several maps, each compared with softmax.
 *
 * @element attn-kt-maps
 */
@customElement('attn-kt-maps')
export class AttnKtMaps extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ n, d, seed }: Values, { signal, onProgress }: Ask): Promise<Result> {
    const client = this.tools.client;
    const qkv = await keptGaussian(client, { n, dK: d, dV: d, seed }, { signal });
    const found: [MapId, Comparison][] = [];
    for (const [i, id] of MAPS.entries()) {
      const comparison = await client.compareToSoftmax(
        { ...qkv, featureMap: { id, seed } },
        { signal },
      );
      found.push([id, comparison]);
      onProgress((i + 1) / MAPS.length);
    }
    return Object.fromEntries(found) as Result;
  }

  protected override readonly firstKnobs = ['d', 'n'] as const;
  protected override get controls() {
    return [
      slider('n', { label: words.n, symbol: 'n' }),
      slider('d', { label: words.d, symbol: 'd' }),
      seedKnob(),
    ];
  }

  private rows(result: Result): readonly (readonly [string, ...string[]])[] {
    return MAPS.map((id) => {
      const { featureDimension, correlation, mse, uniformMse, outputError } = result[id];
      return [
        words.maps[id],
        String(featureDimension),
        formatNumber(correlation),
        formatNumber(mse / uniformMse),
        formatNumber(outputError),
      ];
    });
  }

  protected renderResult({ result }: Shown<Values, Result>): unknown {
    const rows = MAPS.map((id) => {
      const { outputError } = result[id];
      return { name: words.maps[id], bars: [{ to: outputError, text: formatNumber(outputError) }] };
    });
    return barRows({ label: words.columns[4], rows, mark: { at: 1, label: words.axis } });
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(result))}
      <p class="fine">${words.note}</p>`;
  }

  protected override resultLine({ result }: Shown<Values, Result>): string {
    const by = (worth: (comparison: Comparison) => number): MapId =>
      MAPS.reduce((a, b) => (worth(result[b]) < worth(result[a]) ? b : a));
    const [best, worst] = [by((one) => one.outputError), by((one) => -one.outputError)];
    const say = (id: MapId) => [words.maps[id], formatNumber(result[id].outputError)] as const;
    return words.line(...say(best), ...say(worst));
  }

  protected caption({ values: { n, d, seed } }: Shown<Values, Result>): string {
    return words.caption(n, d, seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const best = MAPS.reduce((a, b) => (result[b].mse < result[a].mse ? b : a));
    return words.summary(words.maps[best]);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: [...words.columns, 'MSE'],
      rows: MAPS.map((id) => {
        const { featureDimension, correlation, mse, uniformMse, outputError } = result[id];
        return [id, featureDimension, correlation, mse / uniformMse, outputError, mse];
      }),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const cells = this.rows(shown.result).map((row) => row.map((words) => ({ words })));
    const about = {
      title: this.heading,
      caption: `${words.note} ${this.fullCaption(shown)}`,
    };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-maps': AttnKtMaps;
  }
}
