import { html, nothing, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { CoreError, Matrix, StageResult } from '#client';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptText } from '../../../../src/lab/figure/kept-inputs.ts';
import {
  type Knob,
  type KnobPlace,
  type KnobState,
  ownKnob,
  seedKnob,
  slider,
} from '../../../../src/lab/figure/knob.ts';
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
import { cellText, matrixParts, shareScale, signedScale, sumText } from '../draw.ts';
import { rowParts, type Strip } from './row.ts';

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
  /** What each row sums to, where it should be 1: from the softmax on, and of the weights in any case. */
  readonly sums?: readonly number[] | undefined;
}

const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

const orderWords = Object.fromEntries(
  ORDER_NAMES.map((name) => [name, ORDERS[name].map((id) => words.stages[id]).join(' → ')]),
);

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
  protected override readonly firstKnobs = ['text', 'dK', 'size'] as const;

  /** The output number whose way is marked. */
  @state() private row = 2;
  @state() private col = 0;
  /** Stage knobs that the reader has moved: they stay below the matrices of their stages. */
  private readonly moved = new Set<string>();
  /** What each stage did before it was taken out. */
  private readonly removed: Partial<Record<StageId, string>> = {};

  override get heading(): string {
    return words.heading;
  }

  override set(patch: Partial<Values>, options: { readonly draft?: boolean } = {}): void {
    for (const name of Object.keys(patch)) this.moved.add(name);
    super.set(patch, options);
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

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const place = (name: string): KnobPlace => ({
      placed: name === 'order' || this.moved.has(name),
    });
    const stage = <Name extends keyof Table & string>(
      name: Name,
      label: string,
      options: Readonly<Record<string, string>>,
    ): Knob<Name> =>
      ownKnob(
        name,
        {
          label,
          say: (value) => options[String(value)] ?? String(value),
          draw: (state) => this.drawList(state, label, options),
        },
        place(name),
      );
    return [
      ownKnob('text', { label: words.text, draw: (state) => this.drawText(state) }),
      slider('dK', { symbol: 'd_k', label: words.dK, log: true }),
      slider('size', { label: words.size, log: true, step: 0.1, note: words.sizeNote }),
      stage('scale', words.scale, words.scales),
      stage('mask', words.mask, words.masks),
      stage('fill', words.fill, words.fills),
      stage('softmax', words.softmax, words.axes),
      ownKnob(
        'maximum',
        {
          label: words.maximum,
          say: (value) => (value ? words.yes : words.no),
          draw: ({ value, disabled, set }) => html`<label class="sg-check"
            ><input
              type="checkbox"
              .checked=${live(value as boolean)}
              ?disabled=${disabled}
              @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
            />
            <span>${words.maximum}</span></label
          >`,
        },
        place('maximum'),
      ),
      // At the stages themselves the arrows say it.
      stage('order', words.order, orderWords),
      seedKnob(),
    ];
  }

  /** The picture follows while one types. */
  private drawText({ value, id, disabled, error, problem, set }: KnobState): unknown {
    const typed = (draft: boolean) => (event: Event) =>
      set((event.target as HTMLInputElement).value, draft);
    return html`<div class="choice with-note">
        <label for=${id}>${words.text}</label>
        <input
          class="sg-text"
          id=${id}
          .value=${live(value as string)}
          maxlength="800"
          ?disabled=${disabled}
          aria-invalid=${error ? 'true' : 'false'}
          @input=${typed(true)}
          @change=${typed(false)}
        />
        ${this.renderLeft()}
      </div>
      ${problem}`;
  }

  private drawList(
    { value, disabled, problem, set }: KnobState,
    label: string,
    options: Readonly<Record<string, string>>,
  ): unknown {
    return html`<label class="sg-choice">
        <span>${label}</span>
        <select
          ?disabled=${disabled}
          @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
        >
          ${Object.entries(options).map(
            ([option, text]) =>
              html`<option value=${option} .selected=${live(value === option)}>${text}</option>`,
          )}
        </select>
      </label>
      ${problem}`;
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
    const sums = [stages.firstSums, stages.secondSums, stages.rowSums];
    return [
      { id: 'scores', matrix: stages.scores, scale: signed, out: false },
      ...order.map((id, i) => ({
        id,
        matrix: after[i] as Matrix,
        scale: i >= softmaxAt ? shareScale(after[i] as Matrix) : signed,
        out: this.isOut(values, id),
        sums: i >= Math.min(softmaxAt, 2) ? Array.from(sums[i] ?? []) : undefined,
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
      sums,
    }: {
      readonly name: string;
      /** What each row sums to, where it should be 1. */
      readonly sums?: readonly number[] | undefined;
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
                ${sums ? html`<th class="sum" scope="col" title=${words.sumTitle}>Σ</th>` : nothing}
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
            ${
              sums
                ? html`<td class="sum ${Math.abs((sums[i] ?? Number.NaN) - 1) < 1e-3 ? '' : 'off'}">
                    ${sumText(sums[i] ?? Number.NaN)}
                  </td>`
                : nothing
            }
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
      class="${blocked ? 'blocked' : Number.isNaN(value) ? 'nan' : ''} ${marked ? 'marked' : ''}"
      .style=${blocked || Number.isNaN(value) ? '' : `background:rgb(${fill.join(' ')});color:${inkOn(fill)}`}
    >
      <span>${cellText(value)}</span>
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

  private renderStageKnobs(id: StageId): unknown {
    switch (id) {
      case 'scale':
        return this.placed('scale');
      case 'mask':
        return html`${this.placed('mask')} ${this.placed('fill')}`;
      case 'softmax':
        return html`${this.placed('softmax')} ${this.placed('maximum')}`;
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
      ...this.made(shown).map(({ id, matrix, out, sums }) => ({
        name: words.made[id] + (out ? ` (${words.outShort})` : ''),
        numbers: of(matrix, row),
        sum: sums?.[row],
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
    if (found.length === 0 && n > 1 && s.meanMax >= SATURATED) {
      found.push(words.saturated(formatNumber(s.meanMax)));
    }
    if (found.length === 0) found.push(values.mask === 'none' ? words.rightUnmasked : words.right);
    else if (values.mask === 'none' && s.outputError <= TINY) found.push(words.rightUnmasked);
    if (s.meanMax >= 0) {
      found.push(words.sharp(formatNumber(s.meanMax), formatNumber(s.effectiveKeys)));
    }
    return found;
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { tokens, v } = shown.result;
    const [row, col] = this.picked(shown.result);
    const order = this.stages(this.values);
    const made = this.made(shown);
    const summed = made.filter(({ sums }) => sums).length;
    return html`<div class="sg-stages" data-row=${row} .style=${`--tokens:${tokens.length};--sums:${summed}`}>
      ${made.map(({ id, matrix, scale, out, sums }, i) => {
        // The heads follow the knobs at once, the matrices when the core has answered.
        const stage = i === 0 ? undefined : order[i - 1];
        const name = words.stages[id];
        return html`<section role="group"
          class="sg-stage ${out ? 'out' : ''} ${sums ? 'with-sums' : ''}"
          data-stage=${stage ?? id}
          aria-label=${name}
        >
          ${
            stage
              ? this.renderStageHead(this.values, stage)
              : html`<div class="sg-head"><h3>${rich(name)}</h3></div>`
          }
          ${this.renderMatrix(matrix, scale, { name, tokens, columns: tokens, marked: true, sums })}
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
      <section role="group" class="sg-stage sg-product" data-stage="output" aria-label=${words.stages.output}>
        <div class="sg-head"><h3>${words.stages.output}</h3></div>
        <div class="sg-pair">
          <div>
            <p class="sg-name">${words.values}</p>
            ${this.renderMatrix(v, signedScale(v), { name: words.values, tokens, marked: true, markedColumn: col })}
          </div>
          <div>
            <p class="sg-name">=</p>
            ${this.renderOutput(shown)}
          </div>
        </div>
      </section>
    </div>`;
  }

  protected override renderDetails(shown: Shown<Values, Answer>): unknown {
    return html`<div class="sg-said">
        <h3>${words.diagnosis}</h3>
        <ul>
          ${this.findings(shown).map((one) => html`<li>${rich(one)}</li>`)}
        </ul>
      </div>
      ${this.renderTrace(shown)}
      <p class="fine">${words.pick}</p>`;
  }

  protected override pictures() {
    return {
      weights: (shown: Shown<Values, Answer>) => this.renderWeights(shown),
      row: (shown: Shown<Values, Answer>) => this.renderRow(shown),
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  private orderOf(values: Values): string {
    const order = this.stages(values)
      .filter((id) => !this.isOut(values, id))
      .map((id) => words.stages[id]);
    return words.orderOf(order);
  }

  /** The last matrix before the values, with the sums of its rows. What a try has changed is framed. */
  private renderWeights(shown: Shown<Values, Answer>): unknown {
    const { tokens, stages } = shown.result;
    const before = this.ghost?.result;
    const same = before?.tokens.join() === tokens.join();
    const { body, width, height } = matrixParts(
      {
        ...{ name: '', matrix: stages.third, scale: shareScale(stages.third) },
        ...{ rows: tokens, cols: tokens, sums: Array.from(stages.rowSums) },
        before: same ? before?.stages.third : undefined,
      },
      this.dark,
    );
    return html`<p class="sg-order">${rich(this.orderOf(shown.values))}</p>
      <div class="sg-mini sg-weights">
        <svg
          data-square
          viewBox="0 0 ${width} ${height}"
          role="img"
          aria-label="${words.titles.weights}. ${this.findings(shown)[0]}"
        >
          ${svg`${unsafeSVG(body)}`}
        </svg>
      </div>`;
  }

  /** The marked row in every stage, as bars. */
  private renderRow(shown: Shown<Values, Answer>): unknown {
    const { tokens } = shown.result;
    const [row] = this.picked(shown.result);
    const of = ({ cols, data }: Matrix): readonly number[] =>
      Array.from(data.subarray(row * cols, (row + 1) * cols));
    const { ghost } = this;
    const earlier = ghost && this.made(ghost);
    const strips = this.made(shown).map(({ id, matrix, out, sums }, i): Strip => {
      const was = earlier?.[i]?.matrix;
      return {
        name: words.made[id] + (out ? ` (${words.outShort})` : ''),
        values: of(matrix),
        before: was && was.cols === matrix.cols && row < was.rows ? of(was) : undefined,
        sum: sums?.[row],
      };
    });
    const { body, width, height } = rowParts(strips, tokens, this.dark);
    return html`<label class="sg-choice sg-which">
        <span>${words.query}</span>
        <select
          @change=${(event: Event) => {
            this.row = Number((event.target as HTMLSelectElement).value);
          }}
        >
          ${tokens.map(
            (token, i) =>
              html`<option value=${i} .selected=${live(i === row)}>${i + 1} ${token}</option>`,
          )}
        </select>
      </label>
      <svg
        class="sg-row"
        data-square
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label=${words.rowOf(tokens[row] ?? '')}
      >
        ${svg`${unsafeSVG(body)}`}
      </svg>`;
  }

  /** The first of what is said, and what the picture then is like. */
  protected override resultLine(shown: Shown<Values, Answer>): string {
    return this.findings(shown)[0] ?? '';
  }

  protected override keyNumbers({ result: { stages: s } }: Shown<Values, Answer>): KeyNumber[] {
    const { numbers } = words;
    const share = (label: string, value: number): KeyNumber => ({
      ...{ label, value, text: percent(Math.max(0, value)) },
    });
    return [
      { label: numbers.nan, value: s.nanRows, text: String(s.nanRows) },
      ...(s.infiniteRows === 0 && s.nanRows === 0
        ? [{ label: numbers.off, value: s.rowsOff, text: String(s.rowsOff) }]
        : []),
      share(numbers.blocked, s.blockedShare),
      ...(s.meanMax >= 0
        ? [
            { label: numbers.largest, value: s.meanMax },
            { label: numbers.keys, value: s.effectiveKeys },
          ]
        : []),
      share(numbers.away, s.outputError > TINY ? s.outputError : 0),
    ];
  }

  /** What is wrong now, and the numbers that a try has changed. */
  protected override difference(before: Shown<Values, Answer>, now: Shown<Values, Answer>): string {
    const then = new Map(this.keyNumbers(before).map((number) => [number.label, number]));
    const say = ({ value, text }: KeyNumber): string => text ?? formatNumber(value);
    const changes = this.keyNumbers(now).flatMap((number) => {
      const old = then.get(number.label);
      if (!old || !Number.isFinite(number.value) || say(old) === say(number)) return [];
      return [words.becomes(number.label, say(old), say(number))];
    });
    const found = this.findings(now)[0] ?? '';
    // A long sentence leaves room for one more number.
    const most = found.length > LONG ? 1 : 2;
    return changes.length > 0 ? `${found} ${words.changes(changes.slice(0, most))}` : found;
  }

  // ---- captions and files ----

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    return words.caption({
      ...{ n: result.tokens.length, dK: values.dK, size: formatTick(values.size) },
      ...{ order: this.orderOf(values), seed: values.seed },
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

/** Letters. */
const LONG = 90;
/** Float32 sums of eight products differ by less than this. */
const TINY = 1e-5;
/** Rows whose largest weights are this large on average pass hardly any gradient on to their scores. */
const SATURATED = 0.95;

const written = (x: number): string => (Number.isNaN(x) ? 'NaN' : formatNumber(x));

declare global {
  interface HTMLElementTagNameMap {
    'attn-operating-table': AttnOperatingTable;
  }
}
