import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type Comparison, CoreError, type FeatureMapInfo } from '#client';
import { featureMapsOf } from '../../../../src/core.ts';
import '../../../../src/components/heatmap/heatmap.ts';
import type {
  Cell,
  CellEventDetail,
  FigureAction,
} from '../../../../src/components/heatmap/heatmap.ts';
import { parameterKnobs } from '../../../../src/figures/map-knobs.ts';
import { choices, parametersOf, parameterText } from '../../../../src/figures/map-parameters.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, ownKnob, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type ColorScale, sharedScale } from '../../../../src/plot/color.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { drawFigure } from '../../../../src/plot/heatmap-picture.ts';
import type { View } from '../../../../src/plot/raster.ts';
import { boolean, type StateOf, text } from '../../../../src/state/url.ts';
import { strings } from '../../../../src/strings/index.ts';
import { inLanguage, langOfMap } from '../../../../src/strings/registry.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../figures.css?inline';
import { words as all } from '../words.ts';

adopt(css);

const words = all.now.maps;

const table = {
  left: text({ key: 'a', maxLength: 60, default: 'elu_plus_one' }),
  leftParameters: text({ key: 'apar', maxLength: 200, default: '' }),
  right: text({ key: 'b', maxLength: 60, default: 'relu' }),
  rightParameters: text({ key: 'bpar', maxLength: 200, default: '' }),
  sqrt: boolean({ key: 'sqrt', default: false }),
  arcs: boolean({ key: 'arcs', default: false }),
};
type Values = StateOf<typeof table>;
type Side = 'left' | 'right';
const SIDES: readonly Side[] = ['left', 'right'];
/** These buttons belong to the figure, not to each heatmap. */
const WITHOUT: readonly FigureAction[] = ['png', 'svg', 'csv', 'link', 'table'];

interface Result {
  readonly caption: string;
  readonly tokens: readonly string[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly causal: boolean;
  readonly maps: Readonly<Record<Side, { readonly info: FeatureMapInfo; readonly text: string }>>;
  readonly comparisons: Readonly<Record<Side, Comparison>>;
}

/**
 * Softmax and the implicit attention of any two maps, on one colour scale. The data is that of the lab's first figure.
 *
 * @element attn-two-maps
 */
@customElement('attn-two-maps')
export class AttnTwoMaps extends LabFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['left', 'right'] as const;

  @state() private maps: readonly FeatureMapInfo[] = [];
  @state() private cell: Cell | undefined;
  @state() private locked = false;
  @state() private view: View | undefined;
  private lastScale: { of: Result; sqrt: boolean; value: ColorScale } | undefined;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { client, data } = this.tools;
    if (this.maps.length === 0) this.maps = await inLanguage(await featureMapsOf(client));
    const inputs = await data?.inputs(ask);
    if (!data || !inputs) throw new CoreError('value', all.now.source.missing, 'data');
    const { causal, scale, seed } = data;
    const side = (name: Side) => {
      const info = this.maps.find(({ id }) => id === values[name]);
      if (!info) throw new CoreError('value', strings.lab.unknownMap(values[name]), name);
      const printed = values[`${name}Parameters`];
      return { info, text: parameterText(printed, info), parameters: parametersOf(printed, info) };
    };
    const maps = { left: side('left'), right: side('right') };
    const compare = (name: Side) =>
      client.compareToSoftmax(
        {
          ...inputs.qkv,
          featureMap: { id: maps[name].info.id, parameters: maps[name].parameters, seed },
          mask: { kind: causal ? 'causal' : 'full' },
          ...(scale === undefined ? {} : { scale }),
        },
        {
          signal: ask.signal,
          onProgress: (part) => ask.onProgress((part + SIDES.indexOf(name)) / SIDES.length),
        },
      );
    const comparisons = { left: await compare('left'), right: await compare('right') };
    const { tokens, keys } = inputs;
    return { caption: data.caption, tokens, keys, causal, maps, comparisons };
  }

  protected override show(shown: Shown<Values, Result>): void {
    const before = this.shown?.result.comparisons.left.softmax;
    const { rows, cols } = shown.result.comparisons.left.softmax;
    if (before && (before.rows !== rows || before.cols !== cols)) {
      this.view = undefined;
      this.cell = undefined;
      this.locked = false;
    }
    super.show(shown);
  }

  protected override get controls(): readonly Knob<keyof Values>[] {
    const map = (side: Side) => {
      const options = choices(this.maps, this.values[side]);
      return choice(side, { label: words[side], options, list: true });
    };
    const parameters = (side: Side) => {
      const info = this.maps.find(({ id }) => id === this.values[side]);
      return ownKnob(
        `${side}Parameters`,
        {
          label: `${words[side]}: ${info?.parameters.map(({ label }) => label).join(', ') ?? ''}`,
          say: (printed) => (info && parameterText(String(printed), info)) || '–',
          draw: ({ value, disabled, problem, set }) =>
            html`${parameterKnobs({ map: info, disabled, printed: String(value), change: set })}
            ${problem}`,
        },
        { when: (info?.parameters.length ?? 0) > 0 },
      );
    };
    return [
      ...SIDES.map(map),
      ...SIDES.map(parameters),
      toggle('sqrt', { label: words.sqrt, note: words.sqrtNote }),
    ];
  }

  /** Another map has other parameters. */
  override set(patch: Partial<Values>, options: { readonly draft?: boolean } = {}): void {
    const fresh: Partial<Record<`${Side}Parameters`, string>> = {};
    for (const side of SIDES) {
      const name = `${side}Parameters` as const;
      if (patch[side] !== undefined && patch[side] !== this.values[side]) fresh[name] = '';
    }
    super.set({ ...fresh, ...patch }, options);
  }

  /** The same object as long as nothing changed, so that nothing is redrawn. */
  private scale(result: Result): ColorScale {
    const { sqrt } = this.values;
    if (this.lastScale?.of !== result || this.lastScale.sqrt !== sqrt) {
      const { left, right } = result.comparisons;
      const value = sharedScale(
        [left.softmaxRange, left.implicitRange, right.implicitRange],
        sqrt ? 'sqrt' : 'linear',
      );
      this.lastScale = { of: result, sqrt, value };
    }
    return this.lastScale.value;
  }

  private matrices({ comparisons: { left, right }, maps }: Result) {
    const sub = ({ featureDimension }: Comparison) => words.sub(featureDimension);
    return [
      [left.softmax, strings.lab.softmaxTitle, strings.lab.softmaxSub],
      [left.implicit, maps.left.info.label, sub(left)],
      [right.implicit, maps.right.info.label, sub(right)],
    ] as const;
  }

  private seen = (row: number): number => {
    const { shown } = this;
    const cols = shown?.result.comparisons.left.softmax.cols ?? 0;
    return shown?.result.causal ? Math.min(cols, row + 1) : cols;
  };

  private numbers({ comparisons }: Result) {
    const row = (name: keyof typeof words.rows, of: (c: Comparison) => number) =>
      [words.rows[name], of(comparisons.left), of(comparisons.right)] as const;
    return [
      row('correlation', (c) => c.correlation),
      row('mse', (c) => c.mse),
      row('outputError', (c) => c.outputError),
      row('negative', (c) => c.negativeWeights),
      row('denominators', (c) => c.nonPositiveDenominators),
    ];
  }

  protected override renderResult({ result }: Shown<Values, Result>): unknown {
    return html`<div
      class="pictures"
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
        this.cell = detail.cell;
        this.locked = detail.locked;
      }}
      @attn-action=${({ detail }: CustomEvent<FigureAction>) => {
        if (detail === 'arcs') this.set({ arcs: !this.values.arcs });
      }}
      @attn-view=${({ detail }: CustomEvent<View | undefined>) => {
        this.view = detail;
      }}
    >
      ${this.matrices(result).map(
        ([matrix, heading, subtitle]) => html`<attn-heatmap
          .matrix=${matrix}
          .scale=${this.scale(result)}
          .visible=${this.seen}
          .rowLabels=${result.tokens}
          .colLabels=${result.keys}
          .cell=${this.cell}
          .locked=${this.locked}
          .view=${this.view}
          .dark=${this.dark}
          .heading=${heading}
          .subtitle=${subtitle}
          .without=${WITHOUT}
          .form=${this.values.arcs ? 'arcs' : 'cells'}
          ?tokens=${result.tokens !== undefined}
          ?busy=${this.busy}
        ></attn-heatmap>`,
      )}
    </div>`;
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { maps, comparisons } = result;
    const counted = [words.rows.negative, words.rows.denominators];
    const said = (name: string, value: number): string =>
      counted.includes(name) ? String(value) : formatNumber(value);
    return html`<table class="measures">
        <caption class="visually-hidden">
          ${words.table}
        </caption>
        <thead>
          <tr>
            <th scope="col">${words.measure}</th>
            ${SIDES.map(
              (side) =>
                html`<th scope="col" lang=${langOfMap(maps[side].info.id) ?? nothing}
                  >${maps[side].info.label}</th
                >`,
            )}
          </tr>
        </thead>
        <tbody>
          ${this.numbers(result).map(
            ([name, a, b]) => html`<tr>
              <th scope="row">${name}</th>
              <td>${said(name, a)}</td>
              <td>${said(name, b)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="fine">${words.uniform(formatNumber(comparisons.left.uniformMse))}</p>`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    const { maps, comparisons } = result;
    return SIDES.flatMap((side) => {
      const { label } = maps[side].info;
      const { correlation, outputError } = comparisons[side];
      return [
        { label: `${words.rows.correlation}, ${label}`, value: correlation },
        { label: `${words.rows.outputError}, ${label}`, value: outputError },
      ];
    });
  }

  protected override resultLine({ result }: Shown<Values, Result>): string {
    const { maps, comparisons } = result;
    return SIDES.map((side) => {
      const { correlation, outputError } = comparisons[side];
      const numbers = [formatNumber(correlation), formatNumber(outputError)] as const;
      return words.line(maps[side].info.label, ...numbers);
    }).join(' ');
  }

  private name({ info, text }: Result['maps'][Side]): string {
    return text ? `${info.label} (${text})` : info.label;
  }

  protected override caption({ result }: Shown<Values, Result>): string {
    const { caption, maps, comparisons, causal } = result;
    const { scaled, causal: masked, full } = strings.lab.caption;
    const data = [caption, scaled(formatTick(comparisons.left.scale)), causal ? masked : full].join(
      ', ',
    );
    return words.caption(data, this.name(maps.left), this.name(maps.right));
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const { maps, comparisons } = result;
    const said = (side: Side): string => formatTick(comparisons[side].correlation);
    return words.spoken(maps.left.info.label, said('left'), maps.right.info.label, said('right'));
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    const { maps, comparisons } = result;
    return {
      columns: [words.measure, this.name(maps.left), this.name(maps.right)],
      rows: this.numbers(result),
      matrices: {
        softmax: comparisons.left.softmax,
        left: comparisons.left.implicit,
        right: comparisons.right.implicit,
      },
    };
  }

  protected override canvases({ result }: Shown<Values, Result>): Promise<HTMLCanvasElement[]> {
    return Promise.all(
      this.matrices(result).map(([matrix, heading, subtitle]) =>
        drawFigure({
          matrix,
          heading,
          subtitle,
          scale: this.scale(result),
          visible: this.seen,
          view: this.view,
          ...{ labels: result.tokens, keys: result.keys },
          arcs: this.values.arcs,
          dark: this.dark,
        }),
      ),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-two-maps': AttnTwoMaps;
  }
}
