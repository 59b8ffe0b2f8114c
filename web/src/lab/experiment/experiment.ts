import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { askBeforeLeaving } from '../../state/ask-before-leaving.ts';
import type { PropertyTable, StateOf } from '../../state/url.ts';
import { language } from '../../strings/language.ts';
import { adopt } from '../../styles/adopt.ts';
import { LabFigure, type Shown } from '../figure/figure.ts';
import { prose } from '../text/prose.ts';
import type { Ask, KnobValues, RunTimes } from '../types';
import css from './experiment.css?inline';
import { experimentWords as words } from './experiment-words.ts';
import { keepRun, keptRuns, type Run, removeRun } from './kept-runs.ts';
import { machine } from './machine-description.ts';

export type { Run } from './kept-runs.ts';

adopt(css);

const timeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/**
 * A sweep that is started by a button. Rows are drawn as they arrive; Stop keeps them; runs are kept
 * in this browser, one is shown and others can be compared with it. Rows are plain data.
 */
export abstract class LabExperiment<Row, T extends PropertyTable = PropertyTable> extends LabFigure<
  readonly Row[],
  T
> {
  /** What was measured of the experiments of this lab. */
  @property({ attribute: false }) runTimes: RunTimes | undefined;
  /** Kept runs, the oldest first. */
  @state() protected runs: readonly Run<Row>[] = [];
  /** Times of the runs that are drawn beside the shown one. */
  @state() private beside: ReadonlySet<string> = new Set();
  @state() private shownTime = '';
  @state() private shownMachine = '';
  @state() private removed: Run<Row> | undefined;
  @state() protected running = false;
  /** By the time of a run, why it is not kept. */
  @state() private unkept: ReadonlyMap<string, string> = new Map();
  private stopAsking: (() => void) | undefined;

  /** Rows of an earlier run that need not be made again. The new run begins with them, and they are shown together. */
  protected beginning(_values: StateOf<T>, _ask: Ask): Promise<readonly Row[]> {
    return Promise.resolve([]);
  }

  /** Makes the rows that follow those of the beginning. */
  protected abstract sweep(
    values: StateOf<T>,
    ask: Ask,
    begun: readonly Row[],
  ): AsyncIterable<{ readonly row: Row; readonly fraction: number }>;

  /** The label that distinguishes a run in the list. */
  protected abstract describe(values: StateOf<T>): string;

  /** Whether the caption names the machine. */
  protected readonly measuresTime: boolean = false;

  /** Whether each row is kept as it arrives, so that a page that is left in the middle loses none. */
  protected readonly keepsRows: boolean = false;

  /** Knobs that only change how a run is drawn. */
  protected readonly viewKnobs: readonly string[] = [];

  /** A kept run may come from another version of this page: only rows that can be drawn are used. */
  protected isRow(_row: unknown): _row is Row {
    return true;
  }

  /** The runs to be drawn beside the shown one. */
  protected get compared(): readonly Run<Row>[] {
    return this.runs.filter(({ time }) => this.beside.has(time) && time !== this.shownTime);
  }

  protected valuesOf({ values }: Run<Row>): StateOf<T> {
    return { ...this.defaults, ...values } as StateOf<T>;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopAsking = askBeforeLeaving(() => this.unkept.size === 0);
    void this.loadRuns();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopAsking?.();
  }

  private async loadRuns(): Promise<void> {
    const found = await keptRuns<Row>(this.tools.lab, this.place.id);
    const runs = found.filter(({ rows }) => rows.every((row) => this.isRow(row)));
    const newer = this.runs.filter(({ time }) => !runs.some((run) => run.time === time));
    this.runs = [...runs, ...newer];
    // The settings of a link come first: at the start only a run made with these settings is shown.
    const same = runs.findLast((run) => this.isOf(run, this.values));
    if (same && !this.shown && !this.running) this.showRun(same);
  }

  /** The knobs that a run depends on. */
  private get setting(): readonly string[] {
    return Object.keys(this.table).filter((name) => !this.viewKnobs.includes(name));
  }

  /** Whether a run was made with these settings. */
  protected isOf(run: Run<Row>, values: StateOf<T>): boolean {
    const kept = this.valuesOf(run);
    return this.setting.every((name) => kept[name] === values[name]);
  }

  /** Moving a knob does not start a run. */
  protected override refresh(): void {}

  /** Whether a try starts a run: of an experiment that takes a few seconds. */
  protected readonly runsTries: boolean = false;
  /** Whether a question that is answered does, because its answer is what a run measures. */
  protected readonly runsAnswers: boolean = false;

  protected override onValues(): void {
    super.onValues();
    const { shown, trying, values } = this;
    if (!trying || this.running || !(trying.asked ? this.runsAnswers : this.runsTries)) return;
    // What is shown may be of these settings already.
    if (!shown || this.setting.some((name) => shown.values[name] !== values[name])) void this.run();
  }

  protected override compute(): Promise<readonly Row[]> {
    throw new Error('an experiment is run, not computed');
  }

  protected override get stoppedWords(): string {
    return words.stopped(this.shown?.result.length ?? 0);
  }

  /** Starts the run, or stops it. */
  protected async run(): Promise<void> {
    if (this.running) return;
    const { values } = this;
    this.running = true;
    this.status = '';
    this.removed = undefined;
    const time = new Date().toISOString();
    const rows: Row[] = [];
    let finished = false;
    const add = (more: readonly Row[]): void => {
      rows.push(...more);
      this.shownTime = time;
      this.shownMachine = machine();
      this.show({ values, result: [...rows] });
      if (this.keepsRows) {
        const run = { ...this.runOf(time, values, rows), finished: false };
        void keepRun(this.tools.lab, this.place.id, run);
      }
    };
    await this.asking(0, async (ask) => {
      ask.onProgress(0);
      const begun = await this.beginning(values, ask);
      if (ask.signal.aborted) return;
      if (begun.length > 0) add(begun);
      for await (const { row, fraction } of this.sweep(values, ask, begun)) {
        if (ask.signal.aborted) break;
        ask.onProgress(fraction);
        add([row]);
      }
      finished = !ask.signal.aborted;
    });
    this.running = false;
    if (finished) this.status = words.done(rows.length);
    else if (this.abort?.signal.aborted) this.status = this.stoppedWords;
    if (rows.length === 0) return;
    const run: Run<Row> = { ...this.runOf(time, values, rows), finished };
    this.runs = [...this.runs, run];
    await this.keep(run);
  }

  private runOf(
    time: string,
    values: StateOf<T>,
    rows: readonly Row[],
  ): Omit<Run<Row>, 'finished'> {
    return {
      ...{ v: 1, time, rows: [...rows], machine: machine(), version: this.tools.version },
      values: values as KnobValues,
    };
  }

  private async keep(run: Run<Row>): Promise<void> {
    this.note(run, await keepRun(this.tools.lab, this.place.id, run));
  }

  /** Notes why a run is not kept; an empty reason means that it is, or that nobody wants it any more. */
  private note({ time }: Run<Row>, reason: string): void {
    const unkept = new Map(this.unkept);
    if (reason) unkept.set(time, reason);
    else unkept.delete(time);
    this.unkept = unkept;
  }

  private showRun(run: Run<Row>): void {
    this.shownTime = run.time;
    this.shownMachine = run.machine;
    this.show({ values: this.valuesOf(run), result: run.rows });
  }

  private compare(time: string): void {
    const beside = new Set(this.beside);
    if (!beside.delete(time)) beside.add(time);
    this.beside = beside;
  }

  private async discard(run: Run<Row>): Promise<void> {
    this.runs = this.runs.filter(({ time }) => time !== run.time);
    this.removed = run;
    this.status = words.removed;
    if (this.shownTime === run.time) {
      this.shown = undefined;
      this.shownTime = '';
    }
    this.note(run, '');
    await removeRun(this.tools.lab, this.place.id, run.time);
    await this.updateComplete;
    this.querySelector<HTMLElement>('.undo-remove')?.focus();
  }

  private async undoRemove(): Promise<void> {
    const run = this.removed;
    if (!run) return;
    this.removed = undefined;
    this.status = '';
    this.runs = [...this.runs, run].sort((a, b) => (a.time < b.time ? -1 : 1));
    if (!this.shown) this.showRun(run);
    await this.keep(run);
  }

  protected override get measuredOn(): string {
    return this.measuresTime ? this.shownMachine : '';
  }

  protected override fileName(shown: Shown<StateOf<T>, readonly Row[]>): string {
    const time = this.shownTime.slice(0, 19).replace(/[:T]/g, '-');
    return `${super.fileName(shown)}${time ? `-${time}` : ''}`;
  }

  /** What stands at the axes of the chart that a run fills, where the picture of a run is a chart. */
  protected get axes(): { readonly x: string; readonly y: string } | undefined {
    return undefined;
  }

  /** How much there is to run, in the words of the figure. */
  protected get estimate(): string | undefined {
    return undefined;
  }

  /** Before the first run: its empty axes, and how long it takes. */
  protected override renderWaiting(): unknown {
    const { axes, estimate, runTimes, place } = this;
    const seconds = runTimes?.seconds[place.id];
    const measured = runTimes && seconds !== undefined ? { ...runTimes, seconds } : undefined;
    const lang = this.wordsLang ?? nothing;
    const said =
      estimate === undefined
        ? html`<p lang=${language}>${words.none(measured)}</p>`
        : html`<p lang=${lang}>${estimate}</p>`;
    return html`<div class="before-run">
      ${
        axes
          ? html`<p lang=${lang}>${axes.y}</p>
              <div class="axes">${said}</div>
              <p class="across" lang=${lang}>${axes.x}</p>`
          : said
      }
    </div>`;
  }

  protected override renderMessages(): unknown {
    const { shown } = this;
    const moved =
      shown &&
      !this.running &&
      this.setting.some((name) => shown.values[name] !== this.values[name]);
    if (this.veiled) return super.renderMessages();
    return html`${super.renderMessages()} ${this.renderNotKept()}
      <p class="run" lang=${language}>
        <button
          class="button primary"
          type="button"
          ?disabled=${this.running}
          @click=${() => this.run()}
        >
          ${this.running ? words.running : shown && !moved ? words.again : words.run}
        </button>
        ${moved ? html`<span class="fine">${words.other}</span>` : nothing}
      </p>`;
  }

  protected override renderKept(): unknown {
    return this.renderRuns();
  }

  /** What is lost with the page is said where it is seen, and once. */
  private renderNotKept(): unknown {
    if (!this.inOwnPlace) return nothing;
    const notKept = [...this.unkept.values()].at(-1);
    return html`<p class="not-kept ${notKept ? 'notice' : ''}" role="status" lang=${language}>
      ${notKept ? words.notKept(notKept) : nothing}
    </p>`;
  }

  private renderRuns(): unknown {
    const { runs, removed } = this;
    const undo = removed
      ? html`<p class="fine" lang=${language}>
          ${words.removed}
          <button class="plain undo-remove" type="button" @click=${() => this.undoRemove()}>
            ${words.undo}
          </button>
        </p>`
      : nothing;
    if (runs.length === 0) return undo;
    return html`<details class="runs" lang=${language}>
      <summary>${words.kept} (${runs.length})</summary>
      ${undo}
      <ul>
        ${runs.map((run) => {
          const { time, rows, finished } = run;
          const values = this.valuesOf(run);
          const text = this.describe(values);
          const name = `${timeFormat.format(new Date(time))}, ${text}`;
          const here = time === this.shownTime;
          return html`<li aria-current=${here ? 'true' : nothing}>
            <span>
              <time datetime=${time}>${timeFormat.format(new Date(time))}</time> · <span lang=${this.wordsLang ?? nothing}>${prose(text)}</span> ·
              ${words.rows(rows.length)}${finished ? nothing : ` · ${words.unfinished}`}
            </span>
            <span class="run-actions">
              <button
                class="plain"
                type="button"
                aria-label="${words.show}: ${name}"
                ?disabled=${here || this.running}
                @click=${() => this.showRun(run)}
              >
                ${words.show}
              </button>
              <label
                ><input
                  type="checkbox"
                  aria-label="${words.compare}: ${name}"
                  .checked=${this.beside.has(time)}
                  ?disabled=${here}
                  @change=${() => this.compare(time)}
                />${words.compare}</label
              >
              <button
                class="plain"
                type="button"
                aria-label="${words.link}: ${name}"
                @click=${() => this.copyLink(values)}
              >
                ${words.link}
              </button>
              <button
                class="plain"
                type="button"
                aria-label="${words.remove}: ${name}"
                ?disabled=${this.running && here}
                @click=${() => this.discard(run)}
              >
                ${words.remove}
              </button>
            </span>
          </li>`;
        })}
      </ul>
    </details>`;
  }
}
