import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Matrix, RecurrentTrace } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, ownKnob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { Player } from '../../../../src/lab/figure/step-player.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import {
  type Drawing,
  matricesBody,
  type Outline,
  type PlacedMatrix,
  signedScale,
  svgOf,
  transposed,
} from '../../draw/matrices.ts';
import { inRoom, type Room } from '../../draw/room.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/state.ts';

adopt(css);

const MOST = 16;
const table = {
  map: oneOf({
    key: 'map',
    values: ['elu_plus_one', 'relu', 'taylor_compact', 'identity'],
    default: 'elu_plus_one',
  }),
  n: integer({ key: 'n', default: 8, min: 1, max: MOST }),
  dK: integer({ key: 'd', label: 'd_k', default: 2, min: 1, max: 3 }),
  dV: integer({ key: 'dv', label: 'd_v', default: 3, min: 1, max: 4 }),
  seed: seed(),
  t: integer({ key: 't', default: 3, min: 0, max: MOST }),
} as const;
type Values = StateOf<typeof table>;

interface Result {
  readonly v: Matrix;
  readonly trace: RecurrentTrace;
  readonly t: number;
}

const EDGE = 8;
const GAP = 18;
const CELL = 30;
/** How much larger a drawing becomes where it has room. */
const LARGEST = 1.3;
/** A title above a drawing, the clock and a title, and between two drawings, in pixels. */
const TITLE = 30;
const ABOVE = 84;
const BETWEEN = 14;

/** `rows` rows of a matrix; NaN, which is drawn as not there yet, from `known` on. */
const part = ({ cols, data }: Matrix, from: number, rows: number, known = rows): Matrix => ({
  rows,
  cols,
  data: data.slice(from * cols, (from + rows) * cols).fill(Number.NaN, known * cols),
});
const zeros = (rows: number, cols: number): Matrix => ({
  rows,
  cols,
  data: new Float32Array(rows * cols),
});

/**
 * Causal linear attention as a state that takes in one token after another.
 *
 * @element attn-kt-state
 */
@customElement('attn-kt-state')
export class AttnKtState extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  private readonly answers = this.recentAnswers<Omit<Result, 't'>>(8);
  private readonly player = new Player(() => ({
    step: this.values.t,
    total: this.values.n,
    perSecond: 1.2,
    jump: (step) => step + 1,
    moved: () => {
      this.requestUpdate();
      this.refresh();
    },
    settle: (t, draft) => this.set({ t }, { draft }),
  }));

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.player.halt();
  }

  protected async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { map, n, dK, dV, seed } = values;
    const answer = await this.answers.of([map, n, dK, dV, seed], async () => {
      const client = this.tools.client;
      const qkv = await keptGaussian(client, { n, dK, dV, seed }, { signal });
      const [trace, v] = await Promise.all([
        client.recurrentTrace({ ...qkv, featureMap: { id: map } }, { signal }),
        client.read<Matrix>(qkv.v, { signal }),
      ]);
      return { v, trace };
    });
    return { ...answer, t: Math.min(this.player.head ?? values.t, n) };
  }

  protected override readonly firstKnobs = ['map', 't'] as const;
  protected override get controls() {
    return [
      choice('map', { label: words.map, options: words.maps }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('dK', { label: words.d, symbol: 'd_k' }),
      slider('dV', { label: words.dV, symbol: 'd_v' }),
      seedKnob(),
      ownKnob(
        't',
        { label: words.scrub, draw: ({ disabled }) => this.player.render(words, disabled) },
        { placed: true },
      ),
    ];
  }

  /** The key from the left and the value from above meet in S; the query reads it from below. */
  private stateDrawing({ v, trace, t }: Result): Drawing {
    const { featureDimension: D, phiQ, phiK, s, z, numerator, sum, output } = trace;
    const dV = v.cols;
    const i = t - 1;
    const some = (matrix: Matrix, rows = 1): Matrix =>
      t > 0 ? part(matrix, i * rows, rows) : part(matrix, 0, rows, 0);
    const state = t > 0 ? part(s, i * D, D) : zeros(D, dV);
    const keySum = transposed(t > 0 ? part(z, i, 1) : zeros(1, D));
    const x = EDGE + D * CELL + GAP;
    const xz = x + dV * CELL + GAP;
    const top = 26;
    const y = top + CELL + GAP + 14;
    const below = y + D * CELL + GAP;
    const last = below + CELL + 34;
    // S has one colour scale over all tokens, so that its growth is visible.
    const all = signedScale(s, z);
    const own = (matrix: Matrix) => signedScale(matrix);
    const matrices: PlacedMatrix[] = [
      { id: 'v', name: 'vᵀ', matrix: some(v), scale: own(v), x, y: top, side: 'above' },
      {
        ...{ id: 'k', name: 'φ(k)', matrix: transposed(some(phiK)), scale: own(phiK) },
        ...{ x: x - GAP - CELL, y, side: 'above' },
      },
      { id: 's', name: 'S', matrix: state, scale: all, x, y, side: 'above' },
      { id: 'z', name: 'z', matrix: keySum, scale: all, x: xz, y, side: 'above' },
      {
        ...{ id: 'q', name: 'φ(q)ᵀ', matrix: some(phiQ), scale: own(phiQ) },
        ...{ x: EDGE, y: below, side: 'below' },
      },
      {
        ...{ id: 'numerator', name: 'φ(q)ᵀS', matrix: some(numerator), scale: own(numerator) },
        ...{ x, y: below, side: 'below' },
      },
      {
        ...{ id: 'sum', name: 'φ(q)·z', matrix: some(sum), scale: own(sum) },
        ...{ x: xz, y: below, side: 'below' },
      },
      { id: 'o', name: 'oᵀ', matrix: some(output), scale: own(output), x, y: last, side: 'below' },
    ];
    return { width: xz + Math.max(CELL + 34, 96), height: last + CELL + 26, cell: CELL, matrices };
  }

  private outputsDrawing({ trace, t }: Result): Drawing {
    const { output, parallel } = trace;
    const scale = signedScale(output, parallel);
    const cell = output.rows > 10 ? 22 : 26;
    // Room for the words above a narrow matrix.
    const each = Math.max(output.cols * cell + 24, 150);
    const x = (each - output.cols * cell) / 2;
    const y = 28;
    return {
      width: 2 * each,
      height: y + output.rows * cell + EDGE,
      cell,
      matrices: [
        {
          ...{ id: 'output', name: words.names.recurrent, scale, x, y, side: 'above' },
          matrix: part(output, 0, output.rows, t),
        },
        {
          ...{ id: 'parallel', name: words.names.parallel, scale, x: each + x, y, side: 'above' },
          matrix: parallel,
        },
      ],
    };
  }

  private stateOutlines({ t }: Result): Outline[] {
    return t > 0
      ? [
          { id: 's', kind: 'now' },
          { id: 'z', kind: 'now' },
        ]
      : [];
  }

  private outputOutlines({ t }: Result): Outline[] {
    return t > 0
      ? [
          { id: 'output', row: t - 1, kind: 'now' },
          { id: 'parallel', row: t - 1, kind: 'now' },
        ]
      : [];
  }

  /** Describes the state and the answer for screen readers. */
  private spelled({ v, trace, t }: Result): string {
    if (t === 0) return words.empty;
    const rowsOf = (matrix: Matrix, from: number, rows: number): string =>
      Array.from({ length: rows }, (_, i) =>
        [...part(matrix, from + i, 1).data].map((value) => formatNumber(value)).join(', '),
      ).join('; ');
    const { featureDimension: D, s, z, output } = trace;
    return [
      `v: ${rowsOf(v, t - 1, 1)}`,
      `S: ${rowsOf(s, (t - 1) * D, D)}`,
      `z: ${rowsOf(z, t - 1, 1)}`,
      `o: ${rowsOf(output, t - 1, 1)}`,
    ].join('. ');
  }

  /** A drawing as large as it is, or smaller where its place is. */
  private picture(
    drawing: Drawing,
    outlines: readonly Outline[],
    { width, height }: Room,
  ): TemplateResult {
    const share = Math.min(LARGEST, width / drawing.width, height / drawing.height);
    return html`<div class="kt-drawing" .style=${`width:${Math.floor(share * drawing.width)}px`}>
      ${unsafeHTML(svgOf(drawing, matricesBody(drawing, outlines, this.dark), this.dark))}
    </div>`;
  }

  private renderNow({ result }: Shown<Values, Result>, room: Room): TemplateResult {
    const { t } = result;
    return html`<section class="kt-part">
      <h4>${words.now(t)}</h4>
      <div
        class="kt-picture"
        role="img"
        aria-label="${words.picture(t)}. ${this.spelled(result)}"
      >
        ${this.picture(this.stateDrawing(result), this.stateOutlines(result), room)}
      </div>
    </section>`;
  }

  private renderAnswers(
    { result }: Shown<Values, Result>,
    room: Room,
    title: unknown,
  ): TemplateResult {
    return html`<section class="kt-part">
      ${title}
      <div class="kt-picture" role="img" aria-label=${words.outputs}>
        ${this.picture(this.outputsDrawing(result), this.outputOutlines(result), room)}
      </div>
    </section>`;
  }

  /** Beside the state all answers, where both have room. */
  protected renderResult(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    return html`${this.placed('t')}
      ${inRoom(({ width, height }) => {
        const room = { width, height: Math.max(150, height - ABOVE) };
        const [now, answers] = [this.stateDrawing(result), this.outputsDrawing(result)];
        const both = now.width + answers.width + BETWEEN <= width;
        return html`<div class="kt-beside">
          ${this.renderNow(shown, room)} ${both ? this.renderAnswers(shown, room, html`<h4>${words.all}</h4>`) : nothing}
        </div>`;
      })}`;
  }

  /** The clock is among the knobs of a view that shows a part. */
  protected override pictures() {
    return {
      now: (shown: Shown<Values, Result>) =>
        inRoom(({ width, height }) =>
          this.renderNow(shown, { width, height: Math.max(150, height - TITLE) }),
        ),
      answers: (shown: Shown<Values, Result>) =>
        inRoom(({ width, height }) =>
          this.renderAnswers(shown, { width, height: Math.max(150, height) }, nothing),
        ),
    };
  }

  protected override get titles() {
    return { answers: words.compared };
  }

  protected override resultLine({ values, result }: Shown<Values, Result>): string {
    const { t, trace } = result;
    if (t === 0) return words.empty;
    const { dK, dV } = values;
    return words.size(trace.featureDimension * (dV + 1), t, t * (dK + dV));
  }

  protected override renderDetails({ result: { t, trace } }: Shown<Values, Result>): unknown {
    return html`${
      t === 0
        ? nothing
        : html`<p>${words.sums(formatNumber(trace.sum.data[t - 1] ?? Number.NaN))}</p>`
    }
      <p>${words.difference(formatNumber(trace.maxDifference))}</p>`;
  }

  protected override keyNumbers({ values, result }: Shown<Values, Result>): readonly KeyNumber[] {
    const value = result.trace.featureDimension * (values.dV + 1);
    return [{ label: words.held, value, text: String(value) }];
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    const { n, dK, dV, map, seed } = values;
    const features = result.trace.featureDimension;
    return words.caption({ n, d: dK, dV, map: words.maps[map], features, seed });
  }

  protected override summary({ values, result }: Shown<Values, Result>): string {
    if (this.player.playing) return '';
    const { trace, t } = result;
    const numbers = trace.featureDimension * (values.dV + 1);
    return words.summary(t, numbers, formatNumber(trace.maxDifference));
  }

  protected data({ result: { trace } }: Shown<Values, Result>): FigureData {
    const { sum, denominator, s, z, output, parallel } = trace;
    return {
      columns: words.columns,
      rows: Array.from(sum.data, (value, i) => [i + 1, value, denominator.data[i] as number]),
      matrices: { S: s, z, output, parallel },
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const { result } = shown;
    const [left, right] = [this.stateDrawing(result), this.outputsDrawing(result)];
    const size = { width: left.width + right.width, height: Math.max(left.height, right.height) };
    const one = matricesBody(left, this.stateOutlines(result), this.dark);
    const two = matricesBody(right, this.outputOutlines(result), this.dark);
    const body = `${one}<g transform="translate(${left.width} 0)">${two}</g>`;
    const title = `${this.heading}: ${words.at(String(result.t), String(shown.values.n))}`;
    return fileOf({ body, ...size }, { title, caption: this.fullCaption(shown) }, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-state': AttnKtState;
  }
}
