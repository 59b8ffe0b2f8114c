import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Matrix } from '#client';
import { figuresOf } from '../../exercises/drawings.ts';
import { compare } from '../../exercises/judge/compare.ts';
import type { CaseReport, Exercise, ExerciseFigure } from '../../exercises/types';
import { type Domain, domainOf } from '../../plot/axis.ts';
import type { Series } from '../../plot/chart.ts';
import { seriesColors } from '../../plot/chart-colors.ts';
import { type ColorScale, differenceScale } from '../../plot/color.ts';
import { formatNumber, formatTick } from '../../plot/format.ts';
import type { Mark } from '../../plot/point-marks.ts';
import type { View } from '../../plot/raster.ts';
import { matrixWords, exercises as words } from '../../strings/exercises.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import type {
  AttnHeatmap,
  Cell,
  CellEventDetail,
  FigureAction,
  HeatmapWords,
} from '../heatmap/heatmap.ts';
import '../heatmap/heatmap.ts';
import '../line-chart/line-chart.ts';
import type { HeldPoint } from '../line-chart/line-chart.ts';
import { shared } from '../shared.styles.ts';
import '../slider/slider.ts';
import {
  type Drawn,
  type Knobs,
  type Line,
  Painter,
  type Picture,
  pictureOfTest,
  settledKnobs,
  type Trouble,
  type Written,
} from './painter.ts';
import { styles } from './picture.styles.ts';
import { coded, plain, prose, type RenderedTex } from './prose.ts';
import { theSandbox, theTools } from './tools.ts';

export interface KnobsDetail {
  readonly knobs: Knobs;
  /** True while the knob is being dragged. */
  readonly draft: boolean;
}

const NO_ACTIONS: readonly FigureAction[] = ['table', 'link'];
const MARKS: readonly Mark[] = ['circle', 'square', 'diamond', 'triangle'];
/** A curve with more points than this is drawn without marks. */
const MOST_MARKS = 30;
/** A difference below this share of the reference's scale is rounding and is drawn as zero. */
const ROUNDING = 1e-4;
/** The common scale may be this many times wider than the reference's; larger values are clipped. */
const MOST_WIDER = 3;

/** For how long the difference drains once the tests pass, in milliseconds. */
const DRAIN = 900;

interface Difference {
  readonly matrix: Matrix;
  readonly scale: ColorScale;
}

interface Pictures {
  readonly scale: ColorScale;
  readonly reference: Matrix;
  readonly yours?: Matrix;
  readonly difference?: Difference;
  readonly largest?: number;
  readonly same: boolean;
}

/**
 * The figure of an exercise, painted by the core and by the student's function, with their
 * difference. Follows its knobs; the last good picture stays when the function fails.
 *
 * @element attn-exercise-picture
 * @fires attn-knobs - Detail: `KnobsDetail`.
 */
@customElement('attn-exercise-picture')
export class AttnExercisePicture extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) exercise: Exercise | undefined;
  /** `lang` of the exercise's words, where they are not in the page's language yet. */
  @property({ attribute: false }) wordsLang: 'en' | undefined;
  @property({ attribute: false }) formulas: RenderedTex = {};
  @property({ attribute: false }) knobs: Knobs = {};
  /** The code of the last run, if it could be loaded. */
  @property({ attribute: false }) written: Written | undefined;
  /** The code of the last run passed its tests. */
  @property({ type: Boolean }) passed = false;
  /** The code that paints failed a test. */
  @property({ type: Boolean }) failed = false;
  /** The first test that failed, of those whose numbers are told: its inputs show what the knobs' may not. */
  @property({ attribute: false }) failing: CaseReport | undefined;
  /** The code was edited after that run. */
  @property({ type: Boolean }) stale = false;

  @state() private picture: Picture | undefined;
  /** The newest picture that the student's function painted; undefined once the code has changed. */
  @state() private good: Picture | undefined;
  @state() private trouble: Trouble | undefined;
  @state() private failure = '';
  @state() private cell: Cell | undefined;
  @state() private locked = false;
  @state() private view: View | undefined;
  @state() private dark = isDark();
  @state() private spoken = '';
  @state() private saved = '';
  /** The difference on its way to nothing; undefined where it stands still. */
  @state() private draining: Difference | undefined;

  /** A knob was moved since the run: the picture is that of the knobs. */
  @state() private byKnobs = false;
  /** The picture of the failed test, where the knobs' picture agrees with the reference. */
  private ofTest: Picture | undefined;
  private painter: Painter | undefined;
  private pictures: Pictures | undefined;
  private words: HeatmapWords | undefined;
  private stopTheme: (() => void) | undefined;
  private speakTimer: ReturnType<typeof setTimeout> | undefined;
  /** The last difference that was more than rounding: what drains once the tests pass. */
  private apart: Difference | undefined;
  private drainFrame = 0;
  /** Waits until the difference can be seen: in a narrow column it may be one flick away. */
  private watch: IntersectionObserver | undefined;
  private drained: Written | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopTheme = onThemeChange(() => {
      this.dark = isDark();
    });
    if (this.hasUpdated) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopTheme?.();
    this.painter?.end();
    this.painter = undefined;
    clearTimeout(this.speakTimer);
    this.stopDrain();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const all = changed as Map<PropertyKey, unknown>;
    if (changed.has('exercise')) this.begin();
    else if (changed.has('knobs') || changed.has('written')) {
      if (changed.has('written')) this.byKnobs = false;
      if (changed.has('written') && !this.written) {
        this.good = undefined;
        this.trouble = undefined;
      }
      // What earlier code could not paint is no fault of this one.
      if (
        changed.has('written') &&
        this.trouble &&
        this.picture?.written?.code !== this.written?.code
      ) {
        this.trouble = undefined;
        this.picture = this.good ?? this.picture;
      }
      this.ask();
    }
    const again = ['picture', 'good', 'failed', 'failing', 'byKnobs', 'written', 'trouble'];
    if (again.some((one) => all.has(one))) {
      this.ofTest = this.tested();
      this.pictures = this.compare(this.shown);
    }
    const { difference, same } = this.pictures ?? {};
    if (difference && !same) {
      this.apart = difference;
      this.stopDrain();
    }
  }

  protected override updated(): void {
    const { pictures, passed, stale, written, trouble } = this;
    if (!passed || stale || trouble || !pictures?.same || !written || this.drained === written)
      return;
    this.drained = written;
    this.beginDrain(this.apart ?? nothingMinus(pictures));
  }

  /** The difference of the code before, or all that was missing, fades from the picture once it is in view. */
  private beginDrain(from: Difference): void {
    this.stopDrain();
    const to = this.pictures?.difference?.matrix;
    const alike = to?.rows === from.matrix.rows && to.cols === from.matrix.cols;
    if (!alike || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const place = this.renderRoot.querySelector('.difference');
    if (!place) return;
    this.draining = from;
    this.watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.watch?.disconnect();
        const began = performance.now();
        const step = (now: number): void => {
          const left = 1 - Math.min(1, Math.max(0, now - began) / DRAIN);
          if (left === 0) {
            this.stopDrain();
            return;
          }
          this.draining = {
            ...from,
            matrix: { ...from.matrix, data: from.matrix.data.map((value) => value * left ** 2) },
          };
          this.drainFrame = requestAnimationFrame(step);
        };
        this.drainFrame = requestAnimationFrame(step);
      },
      { threshold: 0.25 },
    );
    this.watch.observe(place);
  }

  private stopDrain(): void {
    cancelAnimationFrame(this.drainFrame);
    this.watch?.disconnect();
    this.watch = undefined;
    this.draining = undefined;
  }

  private begin(): void {
    this.painter?.end();
    this.painter = undefined;
    this.stopDrain();
    this.apart = undefined;
    this.drained = undefined;
    this.picture = undefined;
    this.good = undefined;
    this.trouble = undefined;
    this.failure = '';
    this.cell = undefined;
    this.locked = false;
    this.view = undefined;
    const { exercise } = this;
    if (!exercise) return;
    const { draw } = exercise.figure;
    this.words = draw.kind === 'matrix' ? matrixWords(draw.rows, draw.cols) : undefined;
    this.painter = new Painter(
      exercise,
      theTools,
      theSandbox,
      (picture) => this.show(picture),
      (why) => {
        this.failure = words.picture.referenceFailed(why);
      },
    );
    this.ask();
  }

  private ask(): void {
    const { exercise } = this;
    if (!exercise) return;
    this.painter?.ask(settledKnobs(exercise.figure, this.knobs), this.written);
  }

  private show(picture: Picture): void {
    this.failure = '';
    this.saved = '';
    this.trouble = picture.trouble;
    this.picture = picture;
    if (picture.yours) this.good = picture;
    clearTimeout(this.speakTimer);
    // A screen reader would be flooded if every picture were announced while a knob moves.
    this.speakTimer = setTimeout(() => {
      this.spoken = this.said();
    }, 1000);
  }

  private said(): string {
    const { trouble, good, picture } = this;
    if (trouble) return plain(this.troubleText(trouble));
    return picture?.yours && good === picture ? this.verdict : '';
  }

  private setKnob(name: string, value: number, draft: boolean): void {
    this.knobs = { ...this.knobs, [name]: value };
    this.byKnobs = true;
    this.dispatchEvent(
      new CustomEvent<KnobsDetail>('attn-knobs', {
        detail: { knobs: this.knobs, draft },
        bubbles: true,
        composed: true,
      }),
    );
  }

  // ---- matrices ----

  /** The last good picture if there is one, else the reference alone. */
  private get shown(): Picture | undefined {
    if (this.ofTest) return this.ofTest;
    return this.trouble ? (this.good ?? this.picture) : this.picture;
  }

  /** The failed test as a picture, where the code painted a picture by the knobs that shows nothing of it. */
  private tested(): Picture | undefined {
    const { exercise, failed, failing, byKnobs, picture, written, trouble } = this;
    if (!exercise || !failed || !failing || byKnobs || trouble) return undefined;
    if (!picture?.yours || picture.written?.code !== written?.code) return undefined;
    if (!this.agrees(picture)) return undefined;
    const test = pictureOfTest(exercise, failing, picture.knobs, written);
    return test && !this.agrees(test) ? test : undefined;
  }

  private agrees(picture: Picture): boolean {
    const { yours, reference } = picture;
    if (yours?.kind === 'drawing') return this.sameDrawing(picture);
    if (reference.kind === 'matrix') return this.compare(picture)?.same ?? false;
    return this.lineDifference(picture).same;
  }

  private compare(shown: Picture | undefined): Pictures | undefined {
    const { exercise } = this;
    const draw = exercise?.figure.draw;
    if (!shown || draw?.kind !== 'matrix' || shown.reference.kind !== 'matrix') return undefined;
    const reference = shown.reference.matrix;
    const yours = shown.yours?.kind === 'matrix' ? shown.yours.matrix : undefined;
    const range = rangeOf(reference);
    const wide = yours ? rangeOf(yours) : range;
    const scale = commonScale(range, wide, draw.signed ?? false);
    if (!yours) return { scale, reference, same: false };
    const { matrix, largest } = distance(yours, reference);
    const extent = Math.max(Math.abs(range.low), Math.abs(range.high)) || 1;
    const same = largest <= ROUNDING * extent;
    const diverging = differenceScale(1, 'linear');
    const end = same ? extent : Math.min(largest, MOST_WIDER * extent);
    return {
      ...{ scale, reference, yours, largest, same },
      difference: {
        matrix,
        scale: {
          ...diverging,
          ...{ low: -end, high: end, overLow: largest > end, overHigh: largest > end },
        },
      },
    };
  }

  private renderMatrices(aside: TemplateResult) {
    const { pictures, dark, cell, locked, view, words: said } = this;
    const texts = words.picture;
    if (!said) return nothing;
    const { reference } = pictures ?? {};
    const aspect = reference ? Math.min(4, Math.max(1, reference.cols / reference.rows)) : 1;
    const one = (
      heading: string,
      matrix: Matrix | undefined,
      scale: ColorScale | undefined,
      waiting: string,
      subtitle: string,
      quantity: string,
      drains = false,
    ) => html`<attn-heatmap
      class=${drains ? 'difference' : ''}
      ?inert=${drains && this.draining !== undefined}
      .heading=${heading}
      .subtitle=${subtitle}
      .matrix=${matrix}
      .scale=${scale}
      .waiting=${waiting}
      .quantity=${quantity}
      .words=${said}
      .origin=${0}
      .aspect=${aspect}
      .cell=${cell}
      .locked=${locked}
      .view=${view}
      .dark=${dark}
      .without=${NO_ACTIONS}
    ></attn-heatmap>`;
    const { draw } = this.exercise?.figure ?? {};
    const size = (matrix: Matrix | undefined): string =>
      matrix && draw?.kind === 'matrix'
        ? texts.size(matrix.rows, matrix.cols, draw.rows, draw.cols)
        : '';
    const { yours, difference, scale, same, largest } = pictures ?? {};
    const differs =
      largest === undefined
        ? ''
        : same
          ? texts.same
          : Number.isFinite(largest)
            ? texts.differenceSubtitle(formatNumber(largest))
            : texts.differenceNoNumber;
    return html`<div
      class="pictures"
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
        this.cell = detail.cell;
        this.locked = detail.locked;
      }}
      @attn-action=${(event: CustomEvent<FigureAction>) => {
        const type = event.detail;
        if (type === 'png' || type === 'csv') void this.save(event.target as AttnHeatmap, type);
      }}
      @attn-view=${({ detail }: CustomEvent<View | undefined>) => {
        this.view = detail;
      }}
    >
      ${one(texts.yours, yours, yours && scale, texts.wait, size(yours), texts.value)}
      ${one(texts.reference, reference, scale, texts.waitReference, size(reference), texts.value)}
      ${one(
        texts.difference,
        (this.draining ?? difference)?.matrix,
        (this.draining ?? difference)?.scale,
        texts.waitDifference,
        differs,
        texts.difference,
        true,
      )}
      ${aside}
    </div>`;
  }

  private async save(heatmap: AttnHeatmap, type: 'png' | 'csv'): Promise<void> {
    const { matrix, scale, heading, subtitle, dark } = heatmap;
    const { id } = this.exercise ?? {};
    if (!matrix || !scale || !id) return;
    const name = `${id}-${heading.toLowerCase()}`;
    const file = { matrix, scale, heading, subtitle, dark, name, caption: this.fileCaption };
    await this.file(async ({ savePicture }) => savePicture(file, type));
  }

  private async saveCurves(type: 'svg' | 'csv'): Promise<void> {
    const { shown, exercise, dark } = this;
    const draw = exercise?.figure.draw;
    const chart = this.renderRoot.querySelector('attn-line-chart');
    if (draw?.kind !== 'curve' || !exercise || !chart) return;
    const of = (drawn: Drawn | undefined, who: string) =>
      linesOf(drawn).map(({ name, y }, _, all) => ({ name: lineName(who, name, all), values: y }));
    const columns = [
      { name: draw.x, values: draw.values },
      ...of(shown?.reference, words.picture.reference),
      ...of(shown?.yours, words.picture.yours),
    ];
    const { heading } = chart;
    const file = { chart: chart.chart(), columns, heading, dark, caption: this.fileCaption };
    await this.file(async ({ saveCurves }) => saveCurves({ ...file, name: exercise.id }, type));
  }

  /** Names every knob's value, except for the knob that is the x axis. */
  private get fileCaption(): string {
    const { exercise, shown } = this;
    if (!exercise || !shown) return '';
    const { draw, caption } = exercise.figure;
    if (shown.test !== undefined) return `${exercise.id}: ${shown.test}. ${plain(caption)}`;
    const knobs = Object.entries(shown.knobs)
      .filter(([name]) => draw.kind !== 'curve' || name !== draw.x)
      .map(([name, value]) => `${name} = ${value}`);
    return `${exercise.id}: ${knobs.join(', ')}. ${plain(caption)}`;
  }

  private async file(
    make: (files: typeof import('./picture-files.ts')) => Promise<string>,
  ): Promise<void> {
    try {
      this.saved = words.run.saved(await make(await import('./picture-files.ts')));
    } catch {
      this.saved = words.picture.notSaved;
    }
  }

  // ---- curves ----

  private lineDifference(shown: Picture | undefined): { same: boolean; largest: number } {
    const [mine, theirs] = [linesOf(shown?.yours), linesOf(shown?.reference)];
    let [largest, extent] = [0, 0];
    theirs.forEach(({ y }, line) => {
      y.forEach((value, i) => {
        const other = mine[line]?.y[i];
        if (Number.isFinite(value)) extent = Math.max(extent, Math.abs(value));
        if (other === value || (Number.isNaN(other) && Number.isNaN(value))) return;
        largest = Math.max(largest, Math.abs((other ?? Number.NaN) - value) || Infinity);
      });
    });
    return { same: largest <= ROUNDING * (extent || 1), largest };
  }

  private renderCurves() {
    const { shown, exercise, dark } = this;
    const draw = exercise?.figure.draw;
    if (draw?.kind !== 'curve') return nothing;
    const knobs = exercise?.figure.knobs ?? {};
    const texts = words.picture;
    // An axis that holds zero or a negative number cannot be logarithmic.
    const linear = { x: !draw.log || draw.values.some((x) => x <= 0), y: !draw.log };
    const colors = seriesColors[dark ? 'dark' : 'light'];
    const bare = draw.values.length > MOST_MARKS;
    const make = (drawn: Drawn | undefined, who: string, hollow: boolean): Series[] =>
      linesOf(drawn).map(({ name, y }, i, all) => ({
        id: `${who}-${i}`,
        label: lineName(who, name, all),
        color:
          (hollow && bare ? colors[2] : colors[((hollow ? 0 : 1) + 2 * i) % colors.length]) ?? '',
        mark: MARKS[i] ?? 'circle',
        ...{ hollow, bare },
        // Where both lines agree, the wider reference stays visible as a rim.
        ...(hollow && bare ? { width: 6 } : {}),
        points: draw.values.flatMap((x, k) => {
          const value = y[k] ?? Number.NaN;
          const fits = Number.isFinite(value) && (linear.y || value > 0);
          return fits ? [{ x, y: value, low: value, high: value }] : [];
        }),
      }));
    // The student's lines are drawn on top, because the reference would hide them.
    const series = [
      ...make(shown?.reference, texts.reference, true),
      ...make(shown?.yours, texts.yours, false),
    ];
    const points = series.flatMap((one) => one.points);
    const box = (values: readonly number[], even: boolean): Domain => {
      if (!even) return domainOf(values) ?? { low: 1, high: 10 };
      const [low, high] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)];
      if (!(high >= low)) return { low: 0, high: 1, linear: true };
      const room = 0.06 * (high - low || Math.abs(high) || 1);
      return { low: low - room, high: high + room, linear: true };
    };
    return html`<attn-line-chart
      class="chart"
      .words=${words.report.chart}
      .typeset=${prose}
      .heading=${texts.over(draw.y, knobs[draw.x]?.label ?? draw.x)}
      .series=${series}
      .x=${box(
        points.map(({ x }) => x),
        linear.x,
      )}
      .y=${box(
        points.map(({ y }) => y),
        linear.y,
      )}
      .xLabel=${knobs[draw.x]?.label ?? draw.x}
      .yLabel=${draw.y}
      .dark=${dark}
      .summary=${''}
      .describe=${({ series: id, point }: HeldPoint): string => {
        const held = series.find((one) => one.id === id);
        const at = held?.points[point];
        if (!held || !at) return '';
        return texts.point(
          held.label,
          `${draw.x} = ${formatTick(at.x)}`,
          `${draw.y} ${formatNumber(at.y, 4)}`,
        );
      }}
    >
      <div slot="tools" role="group" aria-label=${texts.files}>
        ${(['svg', 'csv'] as const).map(
          (type) => html`<button
            class="quiet"
            type="button"
            aria-label=${texts.save[type]}
            title=${texts.save[type]}
            ?disabled=${!shown}
            @click=${() => this.saveCurves(type)}
          >
            ${type.toUpperCase()}
          </button>`,
        )}
      </div>
    </attn-line-chart>`;
  }

  // ---- drawings ----

  /** What is said of a drawing; undefined for other pictures. */
  private get drawingVerdict(): string | undefined {
    const { yours, reference } = this.shown ?? {};
    const { exercise } = this;
    if (yours?.kind !== 'drawing' || reference?.kind !== 'drawing' || !exercise) return undefined;
    if (figuresOf(yours.value).length === 0) return words.drawing.nothing;
    if (!this.shown || this.sameDrawing(this.shown)) return this.matched;
    return words.drawing.differs;
  }

  private sameDrawing({ yours, reference }: Picture): boolean {
    const { exercise } = this;
    if (yours?.kind !== 'drawing' || reference.kind !== 'drawing' || !exercise) return false;
    const options = { ...exercise.tolerance, language: 'python' } as const;
    return compare(yours.value, reference.value, options) === undefined;
  }

  private renderDrawings() {
    const { shown } = this;
    void import('../drawing/drawing.ts');
    const one = (heading: string, drawn: Drawn | undefined, waiting: string) =>
      html`<section class="drawing" aria-label=${heading}>
        <h2>${heading}</h2>
        ${
          drawn?.kind === 'drawing'
            ? html`<attn-drawing .figures=${figuresOf(drawn.value)}></attn-drawing>`
            : html`<p class="caption">${waiting}</p>`
        }
      </section>`;
    const texts = words.picture;
    // A grid of pictures takes the whole width; two single pictures stand side by side.
    const both = [shown?.yours, shown?.reference];
    const grid = both.some(
      (drawn) =>
        drawn?.kind === 'drawing' && figuresOf(drawn.value).some(({ parts }) => parts.length > 1),
    );
    return html`<div class="drawings ${grid ? 'stacked' : ''}">
      ${one(texts.yours, shown?.yours, texts.wait)}
      ${one(texts.reference, shown?.reference, texts.waitReference)}
    </div>`;
  }

  // ---- all ----

  private renderKnob(
    name: string,
    { label, min, max, step = 1, toggle }: ExerciseFigure['knobs'][string],
    now: number,
  ) {
    if (toggle) {
      return html`<label class="switch">
        <input
          type="checkbox"
          role="switch"
          name=${name}
          .checked=${live(now === 1)}
          @change=${({ target }: Event) =>
            this.setKnob(name, (target as HTMLInputElement).checked ? 1 : 0, false)}
        />
        <span lang=${this.wordsLang ?? nothing}>${prose(label)}</span>
      </label>`;
    }
    return html`<attn-slider
      lang=${this.wordsLang ?? nothing}
      name=${name}
      .label=${label}
      .typeset=${prose}
      .min=${min}
      .max=${max}
      .step=${step}
      .log=${min > 0 && max / min >= 1000}
      .value=${now}
      @attn-input=${({ detail }: CustomEvent<number>) => this.setKnob(name, detail, true)}
      @attn-change=${({ detail }: CustomEvent<number>) => this.setKnob(name, detail, false)}
    ></attn-slider>`;
  }

  private troubleText(trouble: Trouble): string {
    const texts = words.picture;
    const kept = this.good ? ` ${texts.last}` : '';
    switch (trouble.kind) {
      case 'slow':
        return texts.slow(this.good !== undefined);
      case 'error':
        return `${texts.failed(trouble.message)}${kept}`;
      case 'parts':
        return `${texts.parts(trouble.wanted)}${kept}`;
      case 'shape':
        return `${texts.shape(trouble.actual || texts.noArray, trouble.wanted)}${kept}`;
    }
  }

  /** The picture is of code that ran before the code of the last run: that one is still painting. */
  private get behind(): boolean {
    const { shown, written, trouble } = this;
    return !trouble && shown?.yours !== undefined && shown.written?.code !== written?.code;
  }

  /** Of a picture that agrees although a test failed, and of one that agrees. */
  private get matched(): string {
    return this.failed ? words.picture.matchedHere : words.picture.matched;
  }

  /** How the picture compares with the reference. Of a picture of earlier code nothing is said. */
  private get verdict(): string {
    const { shown, pictures, trouble, written } = this;
    if (trouble || !shown?.yours || shown.written?.code !== written?.code) return '';
    const { test } = shown;
    if (test !== undefined) return words.picture.differsInTest(test);
    const drawing = this.drawingVerdict;
    if (drawing !== undefined) return drawing;
    const { same, largest = 0 } = pictures ?? this.lineDifference(shown);
    if (same) return this.matched;
    return Number.isFinite(largest)
      ? words.picture.differs(formatNumber(largest))
      : words.picture.differsNoNumber;
  }

  override render() {
    const { exercise, trouble } = this;
    if (!exercise) return nothing;
    const texts = words.picture;
    const { knobs, draw, caption } = exercise.figure;
    const set = settledKnobs(exercise.figure, this.knobs);
    const shown = Object.entries(knobs).filter(
      ([name]) => draw.kind !== 'curve' || name !== draw.x,
    );
    const told = html`<p class="caption" lang=${this.wordsLang ?? nothing}>
      ${prose(caption, this.formulas)}
    </p>`;
    const panel =
      shown.length > 0
        ? html`<div class="knobs" role="group" aria-label=${texts.knobs}>
            ${shown.map(([name, knob]) => this.renderKnob(name, knob, set[name] ?? knob.value))}
          </div>`
        : nothing;
    return html`<div class="head">
        <h2>${texts.title}</h2>
        <p class="verdict">${this.verdict}</p>
        ${(this.stale || this.behind) && this.written ? html`<p>${texts.old}</p>` : nothing}
      </div>
      ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
      ${trouble ? html`<p class="trouble">${coded(this.troubleText(trouble))}</p>` : nothing}
      ${draw.kind === 'matrix' ? this.renderMatrices(html`<div class="aside">${panel} ${told}</div>`) : html`${panel} ${draw.kind === 'drawing' ? this.renderDrawings() : this.renderCurves()}`}
      ${draw.kind === 'matrix' ? nothing : told}
      <p class="saved" role="status">${this.saved}</p>
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
  }
}

const lineName = (who: string, name: string, all: readonly Line[]): string =>
  all.length > 1 ? `${who}: ${name}` : who;

const linesOf = (drawn: Drawn | undefined): readonly Line[] =>
  drawn?.kind === 'curve' ? drawn.lines : [];

/** The range of the finite entries. */
function rangeOf({ data }: Matrix): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const value of data) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high >= low ? { low, high } : { low: 0, high: 1 };
}

/** Both pictures share one scale, so that they can be compared; one huge entry must not make the reference unreadable. */
function commonScale(
  range: { readonly low: number; readonly high: number },
  other: { readonly low: number; readonly high: number },
  signed: boolean,
): ColorScale {
  const most = MOST_WIDER * (Math.max(Math.abs(range.low), Math.abs(range.high)) || 1);
  const low = Math.max(-most, Math.min(0, range.low, other.low));
  const high = Math.min(most, Math.max(0, range.high, other.high));
  const over = { overLow: other.low < low, overHigh: other.high > high };
  if (signed) {
    const end = Math.max(-low, high) || 1;
    return { kind: 'diverging', low: -end, high: end, tone: 'linear', ...over };
  }
  return { kind: 'sequential', low, high: high > 0 ? high : 1, tone: 'linear', ...over };
}

/** The difference of an empty picture: before the first answer everything is missing. */
function nothingMinus({ reference }: Pictures): Difference {
  const { low, high } = rangeOf(reference);
  const end = Math.max(Math.abs(low), Math.abs(high)) || 1;
  const data = reference.data.map((value) => (Number.isFinite(value) ? -value : 0));
  return {
    matrix: { ...reference, data },
    scale: { ...differenceScale(1, 'linear'), low: -end, high: end },
  };
}

/** Yours minus the reference; equal infinities differ by nothing. */
function distance(yours: Matrix, reference: Matrix): { matrix: Matrix; largest: number } {
  let largest = 0;
  const data = yours.data.map((value, i) => {
    const wanted = reference.data[i] as number;
    if (Object.is(value, wanted) || value === wanted) return 0;
    const off = value - wanted;
    // NaN and infinities are as far as can be.
    largest = Math.max(largest, Math.abs(off) || Infinity);
    return off;
  });
  return { matrix: { ...yours, data }, largest };
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-exercise-picture': AttnExercisePicture;
  }
  interface HTMLElementEventMap {
    'attn-knobs': CustomEvent<KnobsDetail>;
  }
}
