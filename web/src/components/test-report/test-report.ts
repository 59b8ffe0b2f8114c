import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Matrix } from '#client';
import { camelCase } from '../../exercises/camel-case.ts';
import { isSecret, toldFailure } from '../../exercises/told-failure.ts';
import type {
  CaseReport,
  CostReport,
  Exercise,
  Grade,
  Mismatch,
  RunError,
} from '../../exercises/types';
import { isArray } from '../../exercises/value-kinds.ts';
import { domainOf } from '../../plot/axis.ts';
import type { Series } from '../../plot/chart.ts';
import { seriesColors } from '../../plot/chart-colors.ts';
import type { ColorScale } from '../../plot/color.ts';
import { formatNumber, superscript } from '../../plot/format.ts';
import type { View } from '../../plot/raster.ts';
import { exercises, matrixWords } from '../../strings/exercises.ts';
import { runErrorText } from '../../strings/run-errors.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import type { Cell, CellEventDetail, FigureAction } from '../heatmap/heatmap.ts';
import '../heatmap/heatmap.ts';
import '../line-chart/line-chart.ts';
import { coded, prose } from '../exercise/prose.ts';
import type { HeldPoint } from '../line-chart/line-chart.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './test-report.styles.ts';
import { indexText, planeOf, shapeText, valueView } from './value-tables.ts';

const words = exercises.report;
const NO_ACTIONS: readonly FigureAction[] = ['table', 'png', 'csv', 'link'];

export interface LineDetail {
  readonly line: number;
  readonly column?: number;
}

/** |Δ| in units of 10^unit. */
interface Delta {
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly unit: number;
}

/** The window of cells of |Δ| that is shown. */
interface Look {
  readonly of: Mismatch;
  readonly cell?: Cell | undefined;
  readonly locked?: boolean;
  readonly view?: View | undefined;
}

type Outcome = 'passed' | 'failed' | 'none';
const ICONS: Readonly<Record<Outcome, string>> = {
  passed: 'M3 8.5l3.5 3.5L13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  none: 'M3.5 8h9',
};
const STATES: Readonly<Record<Outcome, string>> = {
  passed: words.passed,
  failed: words.failed,
  none: words.notRun,
};

/**
 * What a run said: the mistake that was recognised, the tests, and the cost.
 *
 * @element attn-test-report
 * @fires attn-line - A line of the code is to be looked at. Detail: `LineDetail`.
 */
@customElement('attn-test-report')
export class AttnTestReport extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) grade: Grade | undefined;
  @property({ attribute: false }) exercise: Exercise | undefined;
  /** `lang` of the exercise's words, where they are not in the page's language yet. */
  @property({ attribute: false }) wordsLang: 'en' | undefined;
  /** The code was edited after the run. */
  @property({ type: Boolean }) stale = false;

  /** The name of the open case: the first that failed, until the student opens another. */
  @state() private open: ReadonlyMap<string, boolean> = new Map();
  @state() private look: Look | undefined;
  @state() private dark = isDark();
  private stopTheme: (() => void) | undefined;
  private scales = new WeakMap<Mismatch, Delta | null>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopTheme = onThemeChange(() => {
      this.dark = isDark();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopTheme?.();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The mistake's message comes later than the tests, and must not close what was opened.
    if (changed.has('grade') && changed.get('grade')?.cases !== this.grade?.cases) {
      this.open = new Map();
    }
  }

  /** The sentence that says what is wrong; null where nothing is. */
  get finding(): HTMLElement | null {
    return this.renderRoot.querySelector('.message, .why, .cost.failed .verdict');
  }

  private goTo({ line, column }: RunError): void {
    if (line === undefined) return;
    this.dispatchEvent(
      new CustomEvent<LineDetail>('attn-line', {
        detail: { line, ...(column ? { column } : {}) },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private errorText(error: RunError): TemplateResult {
    const { type, line } = error;
    return html`<strong>${type}:</strong> ${coded(runErrorText(error))}
      ${
        line
          ? html`<button
              class="plain"
              type="button"
              aria-label=${words.goTo(line)}
              @click=${() => this.goTo(error)}
            >
              ${words.line(line)}
            </button>`
          : nothing
      }`;
  }

  private status(outcome: Outcome): TemplateResult {
    return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d=${ICONS[outcome]} />
      </svg>
      <span class="state">${STATES[outcome]}</span>`;
  }

  private renderCase(one: CaseReport, secret: boolean, first: boolean) {
    const { name, hidden, passed, outcome } = one;
    const result: Outcome = passed ? 'passed' : outcome ? 'failed' : 'none';
    const head = html`${this.status(result)}
      <span class="name" lang=${this.wordsLang ?? nothing}>${prose(name)}</span>
      <span class="fine">${hidden ? words.hiddenName : nothing}</span>`;
    if (!outcome || (secret && hidden)) {
      return html`<li class=${result}><div class="flat">${head}</div></li>`;
    }
    const open = this.open.get(name) ?? first;
    return html`<li class=${result}>
      <details
        .open=${open}
        @toggle=${(event: Event) => {
          const now = (event.target as HTMLDetailsElement).open;
          if (now !== (this.open.get(name) ?? first)) {
            this.open = new Map([...this.open, [name, now]]);
          }
        }}
      >
        <summary>${head}</summary>
        ${open ? this.renderBody(one) : nothing}
      </details>
    </li>`;
  }

  private renderBody({ outcome, mismatch, expected, args }: CaseReport) {
    const { error, prints, value } = outcome ?? {};
    const parameters = this.exercise?.parameters ?? [];
    const language = this.grade?.language ?? 'python';
    const spelled = (name: string): string => (language === 'javascript' ? camelCase(name) : name);
    const index = mismatch?.index;
    const part = mismatch?.part ?? '';
    return html`<div class="body">
      ${error ? html`<p class="why">${this.errorText(error)}</p>` : nothing}
      ${mismatch ? html`<p class="why">${coded(mismatch.message)}</p>` : nothing}
      ${mismatch ? this.renderFacts(mismatch) : nothing}
      ${
        prints
          ? html`<div>
              <h3>${words.printed}</h3>
              <pre tabindex="0">${prints}</pre>
            </div>`
          : nothing
      }
      <div class="matrices">
        ${
          error
            ? nothing
            : valueView(mismatch ? mismatch.actual : value, {
                caption: `${words.actual}${part}`,
                ...{ index, language },
              })
        }
        ${valueView(mismatch?.expected ?? expected, {
          caption: `${words.expected}${mismatch ? part : ''}`,
          ...{ index, language },
        })}
        ${mismatch ? this.renderDelta(mismatch) : nothing}
      </div>
      <div>
        <h3>${words.arguments}</h3>
        <div class="matrices">
          ${args.map((arg, i) => valueView(arg, { caption: spelled(parameters[i]?.name ?? `[${i}]`), language }))}
        </div>
      </div>
    </div>`;
  }

  private renderFacts(mismatch: Mismatch) {
    const { index, maxAbsolute, maxRelative, unbounded, wrong, of } = mismatch;
    const { reason, actual, expected } = mismatch;
    const facts: (readonly [string, string])[] = [];
    if (reason === 'shape') {
      const [mine, theirs] = [shapeText(actual), shapeText(expected)];
      if (mine && theirs) {
        facts.push([`${words.shapeSeen}, ${words.actual.toLowerCase()}`, mine]);
        facts.push([`${words.shapeSeen}, ${words.expected.toLowerCase()}`, theirs]);
      }
    }
    if (index && index.length > 0) facts.push([words.firstDifference, indexText(index)]);
    const several = wrong !== undefined && of !== undefined && of > 1;
    if (several) facts.push([words.differ, words.of(wrong, of)]);
    const error = (size: number): string =>
      unbounded || (size === 0 && wrong) ? words.notFinite : formatNumber(size);
    // The picture of the differences also has the entries that are within the tolerance.
    const { absolute, relative } = several ? words.largestOfThese : words.largest;
    if (maxAbsolute !== undefined) facts.push([absolute, error(maxAbsolute)]);
    if (maxRelative !== undefined) facts.push([relative, error(maxRelative)]);
    if (facts.length === 0) return nothing;
    return html`<dl>
      ${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`;
  }

  /** |Δ| of two arrays of the same shape; of a stack, the plane that holds the first difference. */
  private delta(mismatch: Mismatch) {
    const known = this.scales.get(mismatch);
    if (known !== undefined) return known;
    const { actual, expected, index } = mismatch;
    let made: Delta | null = null;
    if (isArray(actual) && isArray(expected) && `${actual.shape}` === `${expected.shape}`) {
      const [mine, theirs] = [planeOf(actual, index), planeOf(expected, index)];
      if (mine && theirs && mine.rows * mine.cols > 1) {
        const { rows, cols } = mine;
        const data = Float64Array.from({ length: rows * cols }, (_, i) => {
          const [row, col] = [Math.floor(i / cols), i % cols];
          const [a, b] = [mine.get(row, col), theirs.get(row, col)];
          return Object.is(a, b) ? 0 : Math.abs(a - b);
        });
        const largest = data.reduce((m, v) => (Number.isFinite(v) ? Math.max(m, v) : m), 0);
        // Cells and ticks have room for short numbers only.
        const power = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
        const unit = power < -2 || power > 2 ? power : 0;
        for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) / 10 ** unit;
        const high = largest / 10 ** unit;
        const scale = { kind: 'sequential', low: 0, high: high || 1, tone: 'linear' } as const;
        made = {
          unit,
          matrix: { rows, cols, data: Float32Array.from(data) },
          scale: { ...scale, overLow: false, overHigh: false },
        };
      }
    }
    this.scales.set(mismatch, made);
    return made;
  }

  private renderDelta(mismatch: Mismatch) {
    const delta = this.delta(mismatch);
    if (!delta) return nothing;
    const { matrix, scale, unit } = delta;
    const { look } = this;
    const { cell, locked = false, view } = look?.of === mismatch ? look : {};
    return html`<attn-heatmap
      class="delta"
      .heading=${unit === 0 ? words.difference : words.differenceUnit(superscript(unit))}
      .subtitle=${words.differenceHeading}
      .matrix=${matrix}
      .scale=${scale}
      .words=${matrixWords(words.row, words.column)}
      .quantity=${words.difference}
      .origin=${0}
      .aspect=${Math.min(4, Math.max(1, matrix.cols / matrix.rows))}
      .dark=${this.dark}
      .cell=${cell}
      .locked=${locked}
      .view=${view}
      .without=${NO_ACTIONS}
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
        this.look = { of: mismatch, cell: detail.cell, locked: detail.locked, view };
      }}
      @attn-view=${({ detail }: CustomEvent<View | undefined>) => {
        this.look = { of: mismatch, cell, locked, view: detail };
      }}
    ></attn-heatmap>`;
  }

  private renderCost({ passed, points, slope, maxSlope, message }: CostReport) {
    const texts = words.cost;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const known = points.filter(({ work }) => work > 0);
    const start = known[0];
    const flat = (x: number, y: number) => ({ x, y, low: y, high: y });
    const fitted = Number.isFinite(slope) && known.length > 1;
    const logs = known.map(({ n, work }) => [Math.log(n), Math.log(work)] as const);
    const mean = (axis: 0 | 1): number =>
      logs.reduce((sum, pair) => sum + pair[axis], 0) / (logs.length || 1);
    // The core fitted the slope; the drawn line has this slope and goes through the mean of the points.
    const y = known.map(({ n }) => Math.exp(mean(1) + slope * (Math.log(n) - mean(0))));
    const series: Series[] = [
      {
        ...{ id: 'work', label: texts.work, color: colors[1] ?? '', mark: 'circle' },
        points: known.map(({ n, work }) => flat(n, work)),
        ...(fitted ? { fit: { x: known.map(({ n }) => n), y, low: y, high: y } } : {}),
      },
      {
        ...{ id: 'allowed', label: texts.allowed(formatNumber(maxSlope)), color: colors[2] ?? '' },
        ...{ mark: 'diamond', hollow: true },
        points: start ? known.map(({ n }) => flat(n, start.work * (n / start.n) ** maxSlope)) : [],
      },
    ];
    const all = series.flatMap((one) => one.points);
    return html`<section class="cost ${passed ? 'passed' : 'failed'}">
      <h2>${texts.title}</h2>
      <p class="verdict">
        ${this.status(passed ? 'passed' : 'failed')}
        <span>${passed ? texts.passed : texts.failed}. ${prose(message)}</span>
      </p>
      <p>
        ${fitted ? texts.slope(formatNumber(slope), formatNumber(maxSlope)) : texts.noSlope}
      </p>
      <attn-line-chart
        .words=${words.chart}
        .heading=${texts.chart}
        .series=${series}
        .x=${domainOf(all.map(({ x }) => x)) ?? { low: 1, high: 10 }}
        .y=${
          domainOf(
            all.map(({ y }) => y),
            1.4,
          ) ?? { low: 1, high: 10 }
        }
        .xLabel=${texts.xLabel}
        .yLabel=${texts.yLabels[this.exercise?.cost?.of ?? 'work']}
        .dark=${this.dark}
        .summary=${fitted ? texts.slope(formatNumber(slope), formatNumber(maxSlope)) : texts.noSlope}
        .describe=${({ series: id, point }: HeldPoint): string => {
          const held = series.find((one) => one.id === id);
          const at = held?.points[point];
          return held && at ? texts.point(held.label, at.x, formatNumber(at.y, 4)) : '';
        }}
      ></attn-line-chart>
      <div class="scroll" tabindex="0" role="region" aria-label=${texts.table}>
        <table>
          <thead>
            <tr>
              ${Object.values(texts.columns).map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${points.map(
              ({ n, work, counts }) => html`<tr>
                <th scope="row">${n}</th>
                <td>${work}</td>
                <td>${counts.multiplyAdds}</td>
                <td>${counts.touched}</td>
                <td>${counts.bytes}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  override render() {
    const { grade, stale } = this;
    if (!grade) return nothing;
    const { cases, variant, loadError, prints, cost, seed } = grade;
    const secret = isSecret(cases);
    const firstFailed = toldFailure(cases);
    return html`${stale ? html`<p class="stale">${exercises.run.stale}</p>` : nothing}
      ${
        variant
          ? html`<div class="message">
              <h3>${words.recognised}</h3>
              <p lang=${this.wordsLang ?? nothing}>${prose(variant.message)}</p>
            </div>`
          : nothing
      }
      ${
        loadError
          ? html`<div class="message error">
              <h3>${words.loadError}</h3>
              <p>${this.errorText(loadError)}</p>
            </div>`
          : nothing
      }
      ${
        prints
          ? html`<h3>${words.printedTop}</h3>
              <pre tabindex="0">${prints}</pre>`
          : nothing
      }
      <h2>${words.title}</h2>
      <ul class="cases">
        ${repeat(
          cases,
          ({ name }) => name,
          (one) => this.renderCase(one, secret, one === firstFailed),
        )}
      </ul>
      ${
        secret && cases.some(({ hidden, outcome }) => hidden && outcome)
          ? html`<p class="fine">${words.hidden}</p>`
          : nothing
      }
      ${cases.some(({ drawn }) => drawn) ? html`<p class="fine seed">${words.seed(seed)}</p>` : nothing}
      ${cost ? this.renderCost(cost) : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-test-report': AttnTestReport;
  }
  interface HTMLElementEventMap {
    'attn-line': CustomEvent<LineDetail>;
  }
}
