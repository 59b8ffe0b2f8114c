import { html, LitElement, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import {
  CancelledError,
  type Client,
  CoreError,
  type KernelInfo,
  type WorkerDownload,
} from '#client';
import { theCore } from '../../src/core.ts';
import { browserOf } from '../../src/lab/experiment/machine-description.ts';
import '../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart, HeldPoint } from '../../src/components/line-chart/line-chart.ts';
import '../../src/components/slider/slider.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { domainOf } from '../../src/plot/axis.ts';
import { drawLines, type Marker, type Series, standalone } from '../../src/plot/chart.ts';
import { paints, seriesColors } from '../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../src/plot/format.ts';
import type { Mark } from '../../src/plot/point-marks.ts';
import { type UrlHistory, urlHistory } from '../../src/state/history.ts';
import { pageStorage } from '../../src/state/page-host.ts';
import type { SavedWork } from '../../src/state/saved-work.ts';
import { speed as words } from '../../src/strings/speed.ts';
import { isDark, onThemeChange } from '../../src/styles/theme.ts';
import { type Answer, binaryName, elsewhere, sentence, verdict } from './answer.ts';
import { here } from './build-in-use.ts';
import { mainButton, progress, type Run } from './run-bar.ts';
import './recorded-run.ts';
import { problemText } from '../../src/strings/problem.ts';
import { MAX_GUESS, MIN_GUESS, type SpeedState, speedState, urlKey } from './link-state.ts';
import { type Findings, findingsOf, measure } from './measure.ts';
import {
  bestPeak,
  completeRounds,
  keptOf,
  lengths,
  type Measurement,
  measurementToCsv,
  type Place,
  type Row,
  readMeasurement,
  rowsOf,
  secondsLeft,
  subjects,
} from './measurement.ts';
import { duels, overhead, percent, reading, results, stay } from './result-tables.ts';
import { tools } from './save-buttons.ts';

const files = () => import('./save-and-share.ts');
/** Each binary keeps its own measurement, so that they can be compared. */
const keyOf = (build: string): string => `speed/measurement/${build}`;
/** The picture of a running measurement is drawn at most this often: drawing takes time from the measurement. */
const REDRAW_MS = 250;

const MARKS: readonly Mark[] = [
  'circle',
  'square',
  'triangle',
  'circle',
  'triangle',
  'diamond',
  'square',
];
const milliseconds = (value: number): string => formatNumber(value);
const round = (n: number): string => String(Math.round(n));

/** A measurement and what follows from it. */
interface Shown {
  readonly measurement: Measurement | undefined;
  readonly findings: Findings | undefined;
  readonly rows: readonly Row[];
}

/**
 * The page "How fast is this?": a measurement, what runs here, and a recorded one beside other
 * libraries.
 *
 * @element attn-speed-page
 */
@customElement('attn-speed-page')
export class AttnSpeedPage extends LitElement {
  /** Set before the element is connected to replace it. */
  client: Client | undefined;
  storage: SavedWork = pageStorage();

  @state() private values: SpeedState = speedState.defaults;
  @state() private notices: readonly string[] = [];
  @state() private kernels: KernelInfo | undefined;
  @state() private downloads: readonly WorkerDownload[] = [];
  @state() private loadFailure = '';
  @state() private measurement: Measurement | undefined;
  @state() private findings: Findings | undefined;
  @state() private rows: readonly Row[] = [];
  /** The run in progress. */
  @state() private current: Run | undefined;
  @state() private status = '';
  /** The progress in words for screen readers. */
  @state() private statusMore = '';
  @state() private fileStatus = '';
  /** The measurement that Forget removed, until something new is measured. */
  @state() private forgotten: Shown | undefined;
  @state() private problem = '';
  @state() private linkToShow = '';
  @state() private tableLength = 0;
  @state() private dark = isDark();
  @state() private knobsOpen = false;

  @query('attn-line-chart') private chart!: AttnLineChart;
  @query('.main') private main!: HTMLButtonElement;

  private url: UrlHistory | undefined;
  private hide: ReadonlySet<string> = new Set();
  private lock: ReadonlySet<string> = new Set();
  private others: readonly (readonly [string, string])[] = [];
  private readonly undo: (() => void)[] = [];
  private abort: AbortController | undefined;
  private started = 0;

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.client = theCore('full');
    this.url = urlHistory();
    this.notices = this.read(location.search);
    this.undo.push(
      this.url.onChange((search) => {
        this.notices = this.read(search);
      }),
      onThemeChange(() => {
        this.dark = isDark();
      }),
    );
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.undo.splice(0)) stop();
    this.url?.dispose();
    this.abort?.abort();
  }

  private read(search: string): string[] {
    const parsed = speedState.parse(search);
    this.values = parsed.state;
    this.hide = parsed.hide;
    this.lock = parsed.lock;
    this.others = parsed.others;
    return parsed.problems.map(({ message }) => message);
  }

  private set(patch: Partial<SpeedState>, { draft = false } = {}): void {
    const { hide, lock, others } = this;
    // Whoever asks: what the author of the link has fixed stays.
    const fixed = (name: string): boolean => {
      const key = urlKey(
        name === 'guessed' ? 'guess' : (name as Exclude<keyof SpeedState, 'guessed'>),
      );
      return hide.has(key) || lock.has(key);
    };
    const free = Object.entries(patch).filter(([name]) => !fixed(name));
    this.values = { ...this.values, ...Object.fromEntries(free) };
    const search = speedState.print(this.values, { hide, lock, others });
    if (draft) this.url?.draft(search);
    else this.url?.commit(search);
  }

  private async start(): Promise<void> {
    const { client } = this;
    if (!client) return;
    try {
      const [kernels, downloads] = [await client.kernelInfo(), await client.workerDownloads()];
      // At once, because each makes the page taller.
      this.kernels = kernels;
      this.downloads = downloads;
    } catch (error) {
      if (error instanceof CancelledError) return;
      this.loadFailure = await problemText(error);
      return;
    }
    const kept = await this.storage.load(this.key);
    const measurement = kept.ok ? readMeasurement(kept.value) : undefined;
    if (!measurement || this.current || this.measurement) return;
    if (!(await this.show(measurement))) return;
    const date = new Date(measurement.date).toLocaleDateString('en', { dateStyle: 'long' });
    this.tell(words.progress.kept(date, elsewhere(measurement.place, this.place)));
  }

  private get key(): string {
    return keyOf(this.client?.build ?? '');
  }

  private tell(status: string, more = ''): void {
    this.status = status;
    this.statusMore = more;
  }

  private get place(): Place {
    return {
      build: this.client?.build ?? '',
      kernels: this.kernels?.name ?? '',
      lanes: this.kernels?.lanes ?? 1,
      fused: this.kernels?.fusedMultiplyAdd ?? false,
      browser: browserOf(navigator.userAgent),
      cores: navigator.hardwareConcurrency ?? 0,
    };
  }

  // ---- measuring ----

  private press = (event: MouseEvent): void => {
    // The second click of a double click means what the first one did.
    if (event.detail > 1) return;
    if (this.current) this.abort?.abort();
    else void this.run();
  };

  private async run(): Promise<void> {
    const { client } = this;
    if (!client || this.current) return;
    const abort = new AbortController();
    this.abort = abort;
    const before: Shown = { ...this.shown };
    const rounds = Number(this.values.rounds);
    this.started = performance.now();
    this.current = { rounds, done: 0, fraction: 0, secondsLeft: undefined };
    this.tell(words.progress.started(rounds, this.values.largest));
    this.problem = '';
    this.forgotten = undefined;
    this.findings = undefined;
    let drawn = 0;
    try {
      const made = await measure(client, {
        largest: Number(this.values.largest),
        rounds,
        // The first answer counts.
        guess: before.measurement ? before.measurement.guess : this.guess,
        place: this.place,
        signal: abort.signal,
        onStep: (sofar, fraction) => {
          const now = performance.now();
          if (now - drawn < REDRAW_MS) return;
          drawn = now;
          this.measurement = sofar;
          this.rows = rowsOf(sofar);
          this.current = {
            ...{ rounds, done: completeRounds(sofar), fraction },
            secondsLeft: secondsLeft(now - this.started, fraction),
          };
        },
      });
      const kept = keptOf(made, before.measurement);
      if (!kept) {
        this.shown = before;
        this.tell(this.whyNothing(made, before));
        return;
      }
      await this.show(kept);
      const { answer } = this;
      this.tell(
        kept.finished
          ? words.progress.done(kept.rounds)
          : words.progress.stopped(completeRounds(kept)),
        answer && sentence(answer),
      );
      void this.save(kept).then((refused) => {
        if (refused) this.tell(`${this.status} ${refused}`, this.statusMore);
      });
    } catch (error) {
      if (error instanceof CancelledError) return;
      this.shown = before;
      this.tell('');
      const message = await problemText(error);
      if (error instanceof CoreError && error.code === 'load') this.loadFailure = message;
      else this.problem = words.progress.failed(message);
    } finally {
      this.current = undefined;
    }
  }

  private whyNothing(made: Measurement, { measurement: before }: Shown): string {
    const { stoppedAtOnce, stoppedBefore, stoppedEarly } = words.progress;
    if (before?.finished) return stoppedBefore;
    return rowsOf(made).length > 0 ? stoppedEarly : stoppedAtOnce;
  }

  /** Returns why it could not be saved. */
  private async save(measurement: Measurement): Promise<string | undefined> {
    const saved = await this.storage.save(this.key, measurement);
    return saved.ok ? undefined : saved.reason;
  }

  private get shown(): Shown {
    const { measurement, findings, rows } = this;
    return { measurement, findings, rows };
  }

  private set shown({ measurement, findings, rows }: Shown) {
    this.measurement = measurement;
    this.findings = findings;
    this.rows = rows;
  }

  /** Returns whether it is still the one that is shown: it may be forgotten before its findings are there. */
  private async show(measurement: Measurement): Promise<boolean> {
    this.measurement = measurement;
    this.rows = rowsOf(measurement);
    this.tableLength = this.rows.reduce((most, { n }) => Math.max(most, n), 0);
    const findings = this.client && (await findingsOf(this.client, measurement));
    if (this.measurement !== measurement) return false;
    this.findings = findings;
    return true;
  }

  private async forget(): Promise<void> {
    this.forgotten = this.shown;
    this.shown = { measurement: undefined, findings: undefined, rows: [] };
    // The pressed button disappears, so the focus moves.
    this.main.focus();
    await this.storage.remove(this.key);
    this.tell(words.progress.forgotten);
  }

  private async remember(shown: Shown): Promise<void> {
    this.shown = shown;
    this.forgotten = undefined;
    this.main.focus();
    // A visitor who is told that it is back may reload the page.
    const refused = shown.measurement && (await this.save(shown.measurement));
    this.tell([words.progress.back, refused].filter(Boolean).join(' '));
  }

  // ---- the figure ----

  private get series(): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const share = this.values.show === 'rate';
    return subjects.map(({ id, kind }, i) => {
      const points = this.rows
        .filter((row) => row.id === id)
        .flatMap((row) => {
          if (!share) return [{ x: row.n, y: row.median, low: row.low, high: row.high }];
          if (!row.share) return [];
          // A ratio of the two fastest samples has no spread.
          return [{ x: row.n, y: row.share, low: row.share, high: row.share }];
        });
      const fit = share ? undefined : this.findings?.fits[id];
      return {
        id,
        label: words.mechanisms[id] ?? id,
        color: colors[i] ?? '',
        mark: MARKS[i] ?? 'circle',
        hollow: kind === 'linear',
        points,
        ...(fit
          ? { fit: { x: fit.x, y: [...fit.line], low: [...fit.low], high: [...fit.high] } }
          : {}),
      };
    });
  }

  /** What the visitor said; undefined if they did not, or a link hides the question. */
  private get guess(): number | undefined {
    if (this.hide.has(urlKey('guess'))) return undefined;
    const { measurement, values } = this;
    if (measurement) return measurement.guess;
    return values.guessed ? values.guess : undefined;
  }

  private get answer(): Answer | undefined {
    const [first] = this.findings?.duels ?? [];
    const { measurement } = this;
    if (!first?.measured || !measurement) return undefined;
    return {
      said: this.guess,
      seen: first.measured,
      predicted: first.predicted,
      where: elsewhere(measurement.place, this.place) || words.answer.here,
    };
  }

  /** Whether the guess can still be made. */
  private get asking(): boolean {
    const key = urlKey('guess');
    return !this.measurement && !this.hide.has(key) && !this.lock.has(key);
  }

  private get markers(): readonly Marker[] {
    const { answer, guess, values } = this;
    // Crossings are not marked when shares of the peak are shown: they compare times.
    if (values.show === 'rate' && this.measurement) return [];
    const said: Marker[] =
      guess !== undefined
        ? [{ x: guess, label: words.guess.line(guess), strong: true }]
        : this.asking
          ? [{ x: values.guess, label: words.guess.open, strong: true, dashed: true }]
          : [];
    if (!answer) return said;
    const { seen, predicted } = answer;
    return [
      ...said,
      ...(seen.kind === 'between'
        ? [{ x: seen.n, label: words.chart.measured(round(seen.n)) }]
        : []),
      ...(predicted === undefined
        ? []
        : [{ x: predicted, label: words.chart.predicted(round(predicted)), dashed: true }]),
    ];
  }

  private describe = ({ series, point }: HeldPoint): string => {
    const row = this.rows.filter(({ id }) => id === series)[point];
    if (!row) return '';
    const said = words.chart.point(
      words.mechanisms[row.id] ?? row.id,
      row.n,
      milliseconds(row.median),
      milliseconds(row.low),
      milliseconds(row.high),
    );
    return row.gigaflops && row.share
      ? `${said}; ${words.chart.rates(formatNumber(row.gigaflops), percent(row.share))}`
      : said;
  };

  private caption(share = false): string {
    const { measurement } = this;
    if (!measurement) return '';
    const { place, rounds, date, clockStep, finished } = measurement;
    const where = `${binaryName(place.build)}, ${place.browser}, ${place.cores} logical cores`;
    const best = bestPeak(measurement);
    return words.chart.caption(
      where,
      words.chart.samples(completeRounds(measurement), rounds, share),
      date.slice(0, 10),
      best ? words.chart.peak(formatNumber((2 * best) / 1e9)) : '',
      clockStep ? words.chart.clock(formatTick(clockStep)) : '',
      finished,
    );
  }

  private svg(): string {
    const model = this.chart.chart();
    const paint = paints[this.dark ? 'dark' : 'light'];
    const { width, height } = model.frame;
    return standalone({
      inside: drawLines({ ...model, paint, at: undefined }),
      width,
      height,
      title: this.chart.heading,
      caption: this.caption(this.values.show === 'rate'),
      legend: model.named ? [] : model.series,
      paint,
    });
  }

  private async act(action: 'png' | 'svg' | 'csv' | 'json' | 'link'): Promise<void> {
    const { measurement } = this;
    const { copyLink, savePng, saveText } = await files();
    this.linkToShow = '';
    if (action === 'link') {
      const { status, refused } = await copyLink();
      this.fileStatus = status;
      this.linkToShow = refused ?? '';
      return;
    }
    if (!measurement) return;
    const name = `attention-labs-speed-${measurement.date.slice(0, 10)}.${action}`;
    if (action === 'png') this.fileStatus = await savePng(name, this.svg());
    if (action === 'svg') this.fileStatus = saveText(name, this.svg(), 'image/svg+xml');
    if (action === 'csv') {
      this.fileStatus = saveText(name, measurementToCsv(measurement, this.caption()), 'text/csv');
    }
    if (action === 'json') {
      const { findings } = this;
      const whole = {
        format: 'attention-labs/speed',
        caption: this.caption(),
        ...measurement,
        findings: findings && {
          duels: findings.duels,
          slopes: Object.fromEntries(
            Object.entries(findings.fits).map(([id, { slope, slopeInterval, x }]) => [
              id,
              { slope, interval: slopeInterval, fittedTo: x },
            ]),
          ),
        },
      };
      this.fileStatus = saveText(name, `${JSON.stringify(whole, null, 1)}\n`, 'application/json');
    }
  }

  // ---- what is shown ----

  private knob(
    name: Parameters<typeof urlKey>[0],
    content: (disabled: boolean) => unknown,
  ): unknown {
    const key = urlKey(name);
    return this.hide.has(key) ? nothing : content(this.lock.has(key));
  }

  private segments(
    name: 'largest' | 'rounds' | 'show',
    legend: string,
    options: readonly (readonly [value: string, label: string])[],
    note = '',
  ) {
    return this.knob(
      name,
      (disabled) => html`<fieldset class="knob-group">
        <legend>${legend}</legend>
        <div class="segments">
          ${options.map(
            ([value, label]) => html`<label
              ><input
                type="radio"
                name=${name}
                value=${value}
                .checked=${live(this.values[name] === value)}
                ?disabled=${disabled}
                @change=${() => this.set({ [name]: value })}
              /><span>${label}</span></label
            >`,
          )}
        </div>
        ${note ? html`<p class="fine">${note}</p>` : nothing}
      </fieldset>`,
    );
  }

  private renderKnobs() {
    const { knobs } = words;
    return html`<section
      class="knobs ${this.knobsOpen ? 'open' : ''}"
      aria-label=${words.controls}
    >
      <div class="knob-bar">
        ${mainButton({
          run: this.current,
          ready: this.kernels !== undefined,
          measured: this.measurement !== undefined,
          press: this.press,
        })}
        <button
          class="button knob-toggle"
          type="button"
          aria-expanded=${String(this.knobsOpen)}
          aria-controls="knob-panel"
          @click=${() => {
            this.knobsOpen = !this.knobsOpen;
          }}
        >
          ${words.controls}
        </button>
      </div>
      ${progress(this.current, {
        status: this.status,
        more: this.statusMore,
        clockStep: this.measurement?.clockStep,
      })}
      <div class="knob-panel" id="knob-panel">
        ${this.segments(
          'largest',
          knobs.largest,
          ['256', '512', '1024', '2048', '4096'].map((n) => [n, n] as const),
        )}
        ${this.segments(
          'rounds',
          knobs.rounds,
          ['5', '15', '31'].map((n) => [n, n] as const),
          knobs.roundsNote,
        )}
        ${this.segments('show', knobs.show, [
          ['time', knobs.shows.time],
          ['rate', knobs.shows.rate],
        ])}
        ${this.renderForget()}
      </div>
    </section>`;
  }

  private renderForget() {
    const { forgotten, measurement } = this;
    const offer = (label: string, act: () => Promise<void>) =>
      html`<div class="knob-group">
        <button class="button reset" type="button" @click=${() => void act()}>${label}</button>
      </div>`;
    if (this.current) return nothing;
    if (forgotten) return offer(words.knobs.undo, () => this.remember(forgotten));
    return measurement ? offer(words.knobs.forget, () => this.forget()) : nothing;
  }

  private renderMessages() {
    return html`<div class="messages">
      ${
        this.notices.length > 0
          ? html`<div class="notice" role="alert">
              ${
                this.notices.length === 1
                  ? this.notices
                  : html`<ul>
                      ${this.notices.map((notice) => html`<li>${notice}</li>`)}
                    </ul>`
              }
              <button
                class="plain"
                type="button"
                @click=${() => {
                  this.notices = [];
                }}
              >
                ${words.dismiss}
              </button>
            </div>`
          : nothing
      }
      ${
        this.loadFailure
          ? html`<div class="failure" role="alert">
              <p class="failure-text"><strong>${words.loadFailed}</strong> ${this.loadFailure}</p>
              <p class="failure-text">${words.loadHelp}</p>
              <button class="button" type="button" @click=${() => location.reload()}>
                ${words.reload}
              </button>
            </div>`
          : nothing
      }
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
    </div>`;
  }

  private renderGuess() {
    if (this.measurement) return verdict(this.answer, this.guess);
    return this.knob(
      'guess',
      (disabled) => html`<div class="guess">
        <h2>${words.guess.title}</h2>
        <p>${words.guess.ask}</p>
        <attn-slider
          symbol="n"
          .label=${words.guess.label}
          .min=${MIN_GUESS}
          .max=${MAX_GUESS}
          log
          .value=${this.values.guess}
          ?disabled=${disabled}
          @attn-input=${(event: CustomEvent<number>) =>
            this.set({ guess: event.detail, guessed: true }, { draft: true })}
          @attn-change=${(event: CustomEvent<number>) =>
            this.set({ guess: event.detail, guessed: true })}
        ></attn-slider>
      </div>`,
    );
  }

  private renderFigure() {
    const { series, markers, rows, values } = this;
    const share = values.show === 'rate';
    const largest = this.measurement?.lengths.at(-1) ?? Number(values.largest);
    const shortest = lengths(256)[0] ?? 32;
    const ends = this.measurement ? [this.guess ?? shortest] : [MIN_GUESS, MAX_GUESS];
    const x = domainOf([shortest, largest, ...ends], 1.1);
    const seen = series.flatMap(({ points }) => points.flatMap((p) => [p.low, p.high]));
    const y = share ? domainOf([...seen, 1], 1.1) : domainOf(seen, 1.25);
    const best = this.measurement && bestPeak(this.measurement);
    const { chart } = words;
    const caption = this.caption(share);
    return html`<figure id="figure" tabindex="-1">
      <attn-line-chart
        .words=${chart}
        .heading=${chart.title[values.show]}
        .series=${series}
        .markers=${markers}
        .x=${x ?? { low: 16, high: 4096 }}
        .y=${y ?? { low: 0.01, high: 30 }}
        .xLabel=${chart.x}
        .yLabel=${share ? chart.rate : chart.time}
        .formatY=${share ? (value: number) => `${formatTick(100 * value)} %` : undefined}
        .levels=${share && best ? [{ y: 1, label: chart.limit(formatNumber((2 * best) / 1e9)) }] : []}
        .describe=${this.describe}
        .summary=${rows.length > 0 ? chart.summary(series.length, shortest, largest) : ''}
        .grip=${this.asking ? values.guess : undefined}
        .dark=${this.dark}
        @attn-grip=${(event: CustomEvent<{ value: number; done: boolean }>) => {
          const n = Math.max(MIN_GUESS, Math.min(MAX_GUESS, Math.round(event.detail.value)));
          this.set({ guess: n, guessed: true }, { draft: !event.detail.done });
        }}
      ></attn-line-chart>
      ${caption ? html`<figcaption>${rich(caption)}</figcaption>` : nothing}
      ${tools({
        actions: chart.actions,
        disabled: (action) => action !== 'link' && rows.length === 0,
        status: this.fileStatus,
        link: this.linkToShow,
        act: (action) => void this.act(action),
      })}
    </figure>`;
  }

  override render() {
    const { measurement } = this;
    return html`<div class="bench">
        ${this.renderKnobs()}
        <div class="stage" role="region" aria-label=${words.figure}>
          ${this.renderMessages()} ${this.renderGuess()} ${this.renderFigure()}
          ${duels(this.findings)}
          ${results({
            measurement,
            rows: this.rows,
            findings: this.findings,
            length: this.tableLength,
            choose: (length) => {
              this.tableLength = length;
            },
          })}
          ${measurement ? [stay(measurement), overhead(measurement)] : nothing}
        </div>
      </div>
      ${here({
        build: this.client?.build,
        kernels: this.kernels,
        downloads: this.downloads,
        failed: this.loadFailure !== '',
      })}
      ${reading(measurement, this.kernels)}
      <attn-recorded
        .length=${this.values.length}
        .build=${this.values.build}
        .dark=${this.dark}
        @attn-choose=${(event: CustomEvent<Partial<SpeedState>>) => this.set(event.detail)}
      ></attn-recorded>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-speed-page': AttnSpeedPage;
  }
}
