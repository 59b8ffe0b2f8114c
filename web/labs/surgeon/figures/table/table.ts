import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { CoreError, Matrix, StageResult } from '#client';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import { keptText } from '../../../../src/lab/kept-inputs.ts';
import type { Try } from '../../../../src/lab/tried-figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import {
  boolean,
  integer,
  number,
  oneOf,
  type StateOf,
  seed,
  text,
} from '../../../../src/state/url.ts';
import { words } from '../../words/table.ts';
import { cellText, shareScale, signedScale } from '../draw.ts';

/** More words would leave no room for their numbers. */
const MOST_TOKENS = 8;
/** No text that fits into the field has more. */
const LONGEST = 800;
const D_V = 3;

type StageId = 'scale' | 'mask' | 'softmax';

/** The stages in the order that each value of the knob stands for. */
const ORDERS = {
  scaleMaskSoftmax: ['scale', 'mask', 'softmax'],
  maskScaleSoftmax: ['mask', 'scale', 'softmax'],
  scaleSoftmaxMask: ['scale', 'softmax', 'mask'],
  maskSoftmaxScale: ['mask', 'softmax', 'scale'],
  softmaxScaleMask: ['softmax', 'scale', 'mask'],
  softmaxMaskScale: ['softmax', 'mask', 'scale'],
} as const satisfies Record<string, readonly StageId[]>;
type Order = keyof typeof ORDERS;
const ORDER_NAMES = Object.keys(ORDERS) as readonly Order[];

const table = {
  text: text({ key: 'text', maxLength: 800, default: 'the cat sat on the mat' }),
  dK: integer({ key: 'dk', min: 1, max: 256, default: 16 }),
  size: number({ key: 'size', min: 0.1, max: 40, default: 1 }),
  seed: seed(),
  order: oneOf({ key: 'order', values: ORDER_NAMES, default: 'scaleMaskSoftmax' }),
  scale: oneOf({ key: 'scale', values: ['sqrt', 'width', 'none'], default: 'sqrt' }),
  mask: oneOf({
    key: 'mask',
    values: ['causal', 'reverse', 'earlier', 'inverted', 'none'],
    default: 'causal',
  }),
  fill: oneOf({
    key: 'fill',
    values: ['minusInfinity', 'minusBillion', 'zero'],
    default: 'minusInfinity',
  }),
  softmax: oneOf({ key: 'softmax', values: ['rows', 'columns', 'none'], default: 'rows' }),
  maximum: boolean({ key: 'maximum', default: true }),
};
type Table = typeof table;
type Values = StateOf<Table>;

export interface Answer {
  readonly tokens: readonly string[];
  /** How many tokens of the sentence are left out. */
  readonly left: number;
  readonly v: Matrix;
  readonly stages: StageResult;
}

/** A matrix on the table: what a stage made. */
export interface Made {
  readonly id: StageId | 'scores';
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly out: boolean;
}

const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

/** What a stage's knob says while the stage is taken out, and what it says when it is put back. */
const WHOLE = { scale: 'sqrt', mask: 'causal', softmax: 'rows' } as const;

/**
 * Attention in five stages side by side, to be operated on: the opening of the lab.
 *
 * @element attn-operating-table
 */
@customElement('attn-operating-table')
export class AttnOperatingTable extends LabFigure<Answer, Table> {
  override readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['text', 'mask', 'softmax'] as const;

  /** The output number whose way is marked. */
  @state() private row = 2;
  @state() private col = 0;
  /** What each stage did before it was taken out. */
  private readonly removed: Partial<Record<StageId, string>> = {};

  override get heading(): string {
    return words.heading;
  }

  /** On a phone, where the stages are a strip, the first one that a try changes is brought into it. */
  override tryOut(one: Try): readonly string[] {
    const refused = super.tryOut(one);
    const knobs = Object.keys(one.values).map((name) => `.sg-stage:has([data-knob=${name}])`);
    const stage = this.querySelector<HTMLElement>(`${knobs}`);
    const strip = stage?.parentElement;
    if (strip) strip.scrollLeft = stage.offsetLeft - strip.offsetLeft;
    return refused;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { inputs, left } = await this.read(values, signal);
    const { order, scale, mask, fill, softmax } = values;
    const [stages, v] = await Promise.all([
      client.attentionStages(
        {
          ...{ q: inputs.q, k: inputs.k, v: inputs.v, order, scale, mask, fill, softmax },
          subtractMaximum: values.maximum,
          queryFactor: values.size,
        },
        { signal },
      ),
      client.read<Matrix>(inputs.v, { signal }),
    ]);
    return { tokens: inputs.tokens, left, v, stages };
  }

  /** The sentence of the home page may be longer than the table: then the table has its beginning. */
  private async read({ text, dK, seed }: Values, signal: AbortSignal) {
    const { client } = this.tools;
    const asked = { dK, dV: D_V, seed };
    const whole = await keptText(client, { ...asked, text, maxTokens: LONGEST }, { signal });
    const left = whole.tokens.length - MOST_TOKENS;
    if (left <= 0) return { inputs: whole, left: 0 };
    const beginning = whole.tokens.slice(0, MOST_TOKENS).join(' ');
    const short = { ...asked, text: beginning, maxTokens: MOST_TOKENS };
    return { inputs: await keptText(client, short, { signal }), left };
  }

  protected override knobOf(error: CoreError): string {
    return error.argument.startsWith('max') ? 'text' : super.knobOf(error);
  }

  // ---- knobs ----

  protected override renderKnobs(): unknown {
    return html`${this.knob(
      'text',
      (disabled) => html`<div class="choice with-note">
          <label for=${this.idFor('text')}>${words.text}</label>
          <input
            class="sg-text"
            id=${this.idFor('text')}
            .value=${live(this.values.text)}
            maxlength="800"
            ?disabled=${disabled}
            aria-invalid=${this.errorFor('text') ? 'true' : 'false'}
            @change=${(event: Event) => this.set({ text: (event.target as HTMLInputElement).value })}
          />
          ${this.renderLeft()}
        </div>
        ${this.error('text')}`,
      { label: words.text, say: String },
    )}
    ${this.slider('dK', { symbol: 'd_k', label: words.dK, log: true })}
    ${this.slider('size', { label: words.size, log: true, step: 0.1, note: words.sizeNote })}
    ${this.seed()}`;
  }

  private renderLeft(): unknown {
    const { tokens, left } = this.shown?.result ?? { tokens: [], left: 0 };
    if (left === 0) return nothing;
    return html`<p class="fine">${words.beginning(tokens.length, tokens.length + left)}</p>`;
  }

  private stages(values: Values): readonly StageId[] {
    return ORDERS[values.order];
  }

  private isOut(values: Values, id: StageId): boolean {
    return values[id] === 'none';
  }

  /** Exchanges a stage with its neighbour. A mask that crosses the softmax writes what is usual there. */
  private move(id: StageId, by: -1 | 1): void {
    const order = [...this.stages(this.values)];
    const at = order.indexOf(id);
    const other = order[at + by];
    if (other === undefined) return;
    order[at] = other;
    order[at + by] = id;
    const name = ORDER_NAMES.find((one) => ORDERS[one].every((stage, i) => stage === order[i]));
    if (!name) return;
    const crossed = new Set([id, other]);
    const late = order.indexOf('mask') > order.indexOf('softmax');
    const fill =
      crossed.has('mask') && crossed.has('softmax')
        ? { fill: late ? ('zero' as const) : ('minusInfinity' as const) }
        : {};
    this.set({ order: name, ...fill });
    void this.updateComplete.then(() => {
      const side = by < 0 ? 'earlier' : 'later';
      const buttons = this.querySelectorAll<HTMLButtonElement>(`[data-stage="${id}"] .sg-move`);
      const same = [...buttons].find((button) => button.dataset.side === side);
      (same?.disabled ? [...buttons].find((button) => !button.disabled) : same)?.focus();
    });
  }

  private toggleStage(id: StageId): void {
    const { values } = this;
    if (this.isOut(values, id)) {
      this.set({ [id]: this.removed[id] ?? WHOLE[id] } as Partial<Values>);
    } else {
      this.removed[id] = values[id];
      this.set({ [id]: 'none' } as Partial<Values>);
    }
  }

  // ---- the table ----

  private made({ values, result: { stages } }: Shown<Values, Answer>): readonly Made[] {
    const order = this.stages(values);
    const after = [stages.first, stages.second, stages.third];
    const softmaxAt = this.isOut(values, 'softmax') ? 3 : order.indexOf('softmax');
    const signed = signedScale(
      stages.scores,
      ...after.filter((_, i) => i < softmaxAt || softmaxAt === 3),
    );
    return [
      { id: 'scores', matrix: stages.scores, scale: signed, out: false },
      ...order.map((id, i) => ({
        id,
        matrix: after[i] as Matrix,
        scale: i >= softmaxAt ? shareScale(after[i] as Matrix) : signed,
        out: this.isOut(values, id),
      })),
    ];
  }

  private renderMatrix(
    matrix: Matrix,
    scale: ColorScale,
    {
      name,
      tokens,
      columns,
      marked,
      markedColumn,
    }: {
      readonly name: string;
      readonly tokens: readonly string[];
      readonly columns?: readonly string[] | undefined;
      readonly marked?: boolean;
      readonly markedColumn?: number | undefined;
    },
  ): unknown {
    const row = Math.min(this.row, matrix.rows - 1);
    return html`<table class="sg-matrix" aria-label=${name}>
      ${
        columns
          ? html`<thead>
              <tr>
                <td></td>
                ${columns.map((token) => html`<th scope="col" title=${token}><span>${token}</span></th>`)}
              </tr>
            </thead>`
          : nothing
      }
      <tbody>
        ${tokens.map(
          (token, i) => html`<tr
            class=${marked && i === row ? 'marked' : ''}
            @pointerenter=${() => {
              if (marked) this.row = i;
            }}
          >
            <th scope="row" title=${token}>${token}</th>
            ${Array.from({ length: matrix.cols }, (_, j) =>
              this.renderCell(matrix, scale, i, j, j === markedColumn),
            )}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private renderCell(
    { cols, data }: Matrix,
    scale: ColorScale,
    i: number,
    j: number,
    marked: boolean,
  ): unknown {
    const value = data[i * cols + j] as number;
    const blocked = value === -Infinity;
    const fill = colorOf(scale, value, this.dark);
    return html`<td
      class="${blocked ? 'blocked' : ''} ${marked ? 'marked' : ''}"
      .style=${blocked ? '' : `background:rgb(${fill.join(' ')});color:${inkOn(fill)}`}
    >
      ${cellText(value)}
    </td>`;
  }

  private renderStageHead(values: Values, id: StageId): unknown {
    const name = words.stages[id];
    const order = this.stages(values);
    const at = order.indexOf(id);
    const out = this.isOut(values, id);
    const move = (by: -1 | 1, side: 'earlier' | 'later', sign: string) =>
      html`<button
        class="sg-move"
        type="button"
        data-side=${side}
        title=${words[side](name)}
        aria-label=${words[side](name)}
        ?disabled=${at + by < 0 || at + by > 2}
        @click=${() => this.move(id, by)}
      >
        ${sign}
      </button>`;
    return html`<div class="sg-head">
      ${move(-1, 'earlier', '←')}
      <h3>${name}</h3>
      ${move(1, 'later', '→')}
      <button
        class="sg-out"
        type="button"
        aria-pressed=${String(out)}
        title=${out ? words.putBack(name) : words.takeOut(name)}
        aria-label=${out ? words.putBack(name) : words.takeOut(name)}
        @click=${() => this.toggleStage(id)}
      >
        ${out ? words.backShort : words.outShort}
      </button>
    </div>`;
  }

  protected override renderPlacedKnobs(): unknown {
    return (['scale', 'mask', 'softmax'] as const).map((id) => this.renderStageKnobs(id));
  }

  private renderStageKnobs(id: StageId): unknown {
    const small = <Name extends keyof Table & string>(
      name: Name,
      label: string,
      options: Readonly<Record<string, string>>,
    ) =>
      this.knob(
        name,
        (disabled) => html`<label class="sg-choice">
            <span>${label}</span>
            <select
              ?disabled=${disabled}
              @change=${(event: Event) =>
                this.set({ [name]: (event.target as HTMLSelectElement).value } as Partial<Values>)}
            >
              ${Object.entries(options).map(
                ([option, text]) =>
                  html`<option
                    value=${option}
                    .selected=${live(this.values[name] === option)}
                  >
                    ${text}
                  </option>`,
              )}
            </select>
          </label>
          ${this.error(name)}`,
        { label, say: (value) => options[String(value)] ?? String(value) },
      );
    switch (id) {
      case 'scale':
        return small('scale', words.scale, words.scales);
      case 'mask':
        return html`${small('mask', words.mask, words.masks)}
        ${small('fill', words.fill, words.fills)}`;
      case 'softmax':
        return html`${small('softmax', words.softmax, words.axes)}
        ${this.knob(
          'maximum',
          (disabled) => html`<label class="sg-check"
            ><input
              type="checkbox"
              .checked=${live(this.values.maximum)}
              ?disabled=${disabled}
              @change=${(event: Event) =>
                this.set({ maximum: (event.target as HTMLInputElement).checked })}
            />
            <span>${words.maximum}</span></label
          >`,
          { label: words.maximum, say: String },
        )}`;
    }
  }

  private renderOutput({ result }: Shown<Values, Answer>): unknown {
    const { tokens, stages } = result;
    const { output } = stages;
    const scale = signedScale(output);
    const [row, col] = this.picked(result);
    return html`<table class="sg-matrix output" aria-label=${words.stages.output}>
      <tbody @keydown=${(event: KeyboardEvent) => this.onKey(event, output)}>
        ${tokens.map(
          (token, i) => html`<tr class=${i === row ? 'marked' : ''}>
            <th scope="row" title=${token}>${token}</th>
            ${Array.from({ length: output.cols }, (_, c) => {
              const value = output.data[i * output.cols + c] as number;
              const fill = colorOf(scale, value, this.dark);
              const here = i === row && c === col;
              return html`<td class=${here ? 'picked' : ''} .style=${`background:rgb(${fill.join(' ')});color:${inkOn(fill)}`}>
                <button
                  type="button"
                  tabindex=${here ? '0' : '-1'}
                  data-at="${i},${c}"
                  aria-pressed=${String(here)}
                  aria-label=${words.cell(token, c + 1, cellText(value))}
                  @pointerenter=${() => this.pick(i, c)}
                  @focus=${() => this.pick(i, c)}
                  @click=${() => this.pick(i, c)}
                >
                  ${cellText(value)}
                </button>
              </td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private picked({ stages: { output } }: Answer): readonly [number, number] {
    return [Math.min(this.row, output.rows - 1), Math.min(this.col, output.cols - 1)];
  }

  private pick(row: number, col: number): void {
    this.row = row;
    this.col = col;
  }

  private onKey(event: KeyboardEvent, { rows, cols }: Matrix): void {
    const step = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      Home: [0, -cols],
      End: [0, cols],
    }[event.key];
    if (!step) return;
    event.preventDefault();
    const within = (x: number, most: number): number => Math.max(0, Math.min(most - 1, x));
    const [row, col] = [
      within(this.row + (step[0] ?? 0), rows),
      within(this.col + (step[1] ?? 0), cols),
    ];
    this.pick(row, col);
    this.querySelector<HTMLButtonElement>(`.output [data-at="${row},${col}"]`)?.focus();
  }

  /** The way of one output number, key by key. */
  private renderTrace(shown: Shown<Values, Answer>): unknown {
    const { tokens, v, stages } = shown.result;
    const [row, col] = this.picked(shown.result);
    const of = ({ cols, data }: Matrix, i: number): readonly number[] =>
      Array.from(data.subarray(i * cols, (i + 1) * cols));
    const lines = [
      ...this.made(shown).map(({ id, matrix, out }, i) => ({
        name: words.made[id] + (out ? ` (${words.outShort})` : ''),
        numbers: of(matrix, row),
        sum: i === 3 ? this.sumOf(shown.result, row) : undefined,
      })),
      {
        name: words.value(col + 1),
        numbers: tokens.map((_, j) => v.data[j * v.cols + col] as number),
        sum: undefined,
      },
      {
        name: words.product,
        numbers: of(stages.products, row * stages.output.cols + col),
        sum: stages.output.data[row * stages.output.cols + col],
      },
    ];
    return html`<div class="sg-trace scroll" role="region" tabindex="0" aria-label=${words.trace(tokens[row] ?? '', col + 1)}>
      <table>
        <caption>${words.trace(tokens[row] ?? '', col + 1)}</caption>
        <thead>
          <tr>
            <th scope="col">${words.step}</th>
            ${tokens.map((token) => html`<th scope="col">${token}</th>`)}
            <th scope="col">${words.sum}</th>
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            ({ name, numbers, sum }) => html`<tr>
              <th scope="row">${name}</th>
              ${numbers.map((x) => html`<td>${written(x)}</td>`)}
              <td>${sum === undefined ? '' : html`<b>${written(sum)}</b>`}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** The core's sum of a row, where it has one for exactly this row. */
  private sumOf({ stages }: Answer, row: number): number | undefined {
    return stages.rowSums[row];
  }

  // ---- what goes wrong ----

  private findings({ values, result }: Shown<Values, Answer>): readonly string[] {
    const { stages: s, tokens } = result;
    const n = tokens.length;
    const token = (i: number): string => tokens[i] ?? '';
    const found: string[] = [];
    if (s.nanRows > 0) {
      const i = s.firstNanRow;
      const sees = s.blocked.data.subarray(i * n, (i + 1) * n).some((x) => x === 0);
      const reason = sees ? words.overflow : words.nothingToSee;
      found.push(reason(i + 1, token(i)));
      if (s.nanRows > 1) found.push(words.moreRows(s.nanRows));
    }
    if (s.infiniteRows > 0) {
      found.push(words.infinite(s.firstInfiniteRow + 1, token(s.firstInfiniteRow)));
    }
    if (s.negativeWeights > 0) found.push(words.negative(s.negativeWeights));
    // Where weights are infinite, sums say nothing.
    if (s.rowsOff > 0 && s.infiniteRows === 0) {
      found.push(
        words.off(s.rowsOff, n, s.worstRow + 1, token(s.worstRow), formatNumber(s.worstSum)),
      );
    }
    const blocked = s.blockedShare > 0;
    if (blocked && values.mask === 'causal') found.push(words.leak(percent(s.blockedShare)));
    else if (blocked) found.push(words.leakWide(percent(s.blockedShare)));
    if (s.futureShare > 0 && !(blocked && values.mask === 'causal')) {
      found.push(words.future(percent(s.futureShare)));
    }
    if (s.outputError > TINY) found.push(words.away(percent(s.outputError)));
    if (found.length === 0) found.push(values.mask === 'none' ? words.rightUnmasked : words.right);
    else if (values.mask === 'none' && s.outputError <= TINY) found.push(words.rightUnmasked);
    if (s.meanMax >= 0) {
      found.push(words.sharp(formatNumber(s.meanMax), formatNumber(s.effectiveKeys)));
    }
    return found;
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { values, result } = shown;
    const { tokens, v } = result;
    const [row, col] = this.picked(result);
    const order = this.stages(this.values);
    const made = this.made(shown);
    const columns = tokens;
    return html`<div class="sg-said" data-row=${row}>
        <h3>${words.diagnosis}</h3>
        <ul>
          ${this.findings({ values, result }).map((one) => html`<li>${rich(one)}</li>`)}
        </ul>
      </div>
      <div class="sg-stages">
        ${made.map(({ id, matrix, scale, out }, i) => {
          // The heads follow the knobs at once, the matrices when the core has answered.
          const stage = i === 0 ? undefined : order[i - 1];
          const name = words.stages[id];
          return html`<section
            class="sg-stage ${out ? 'out' : ''}"
            data-stage=${stage ?? id}
            aria-label=${name}
          >
            ${
              stage
                ? this.renderStageHead(this.values, stage)
                : html`<div class="sg-head"><h3>${rich(name)}</h3></div>`
            }
            ${this.renderMatrix(matrix, scale, { name, tokens, columns, marked: true })}
            ${
              stage
                ? html`<div class="sg-knobs">
                    ${out ? html`<p class="fine">${words.out}</p>` : nothing}
                    ${this.renderStageKnobs(stage)}
                  </div>`
                : nothing
            }
          </section>`;
        })}
        <section class="sg-stage sg-product" data-stage="output" aria-label=${words.stages.output}>
          <div class="sg-head"><h3>${words.stages.output}</h3></div>
          <div class="sg-pair">
            <div>
              <p class="sg-name">${words.values}</p>
              ${this.renderMatrix(v, signedScale(v), { name: words.values, tokens, markedColumn: col })}
            </div>
            <div>
              <p class="sg-name">=</p>
              ${this.renderOutput(shown)}
            </div>
          </div>
        </section>
      </div>
      ${this.renderTrace(shown)}
      <p class="fine">${words.pick}</p>`;
  }

  // ---- captions and files ----

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    const order = this.stages(values)
      .filter((id) => !this.isOut(values, id))
      .map((id) => words.stages[id]);
    return words.caption({
      ...{ n: result.tokens.length, dK: values.dK, size: formatTick(values.size) },
      ...{ order: words.orderOf(order), seed: values.seed },
    });
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.findings(shown).join(' ');
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    const { tokens, stages } = result;
    const n = tokens.length;
    return {
      columns: words.columns,
      rows: tokens.flatMap((query, i) =>
        tokens.map((key, j) => {
          const at = ({ data }: Matrix): number => data[i * n + j] as number;
          return [
            ...[`${i + 1} ${query}`, `${j + 1} ${key}`, at(stages.blocked)],
            ...[stages.scores, stages.first, stages.second, stages.third].map(at),
          ];
        }),
      ),
      matrices: { v: result.v, output: stages.output },
    };
  }

  protected override async svg(shown: Shown<Values, Answer>): Promise<string> {
    const { tablePicture } = await import('../matrix-file.ts');
    return tablePicture(
      this.made(shown),
      shown.result,
      { title: this.heading, caption: this.fullCaption(shown) },
      this.dark,
    );
  }
}

/** Float32 sums of eight products differ by less than this. */
const TINY = 1e-5;

const written = (x: number): string => (Number.isNaN(x) ? 'NaN' : formatNumber(x));

declare global {
  interface HTMLElementTagNameMap {
    'attn-operating-table': AttnOperatingTable;
  }
}
