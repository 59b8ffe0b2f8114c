import { html, LitElement, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import {
  CancelledError,
  CoreError,
  createFullClient,
  type FullClient,
  type KernelInfo,
  type WorkerDownload,
} from '#client/full';
import '../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart, HeldPoint } from '../../src/components/line-chart/line-chart.ts';
import '../../src/components/slider/slider.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import {
  domainOf,
  drawLines,
  type Mark,
  type Marker,
  paints,
  type Series,
  seriesColors,
  standalone,
} from '../../src/plot/chart.ts';
import { formatNumber, formatTick } from '../../src/plot/format.ts';
import { type UrlHistory, urlHistory } from '../../src/state/history.ts';
import { type SavedWork, savedWork } from '../../src/state/saved.ts';
import { speed as words } from '../../src/strings/en-speed.ts';
import { isDark, onThemeChange } from '../../src/styles/theme.ts';
import { here } from './here.ts';
import './recorded.ts';
import { type Findings, findingsOf, measure } from './measure.ts';
import {
  bestPeak,
  browserOf,
  type Crossing,
  lengths,
  type Measurement,
  measurementToCsv,
  type Place,
  type Row,
  readMeasurement,
  rowsOf,
  subjects,
} from './measurement.ts';
import { crossingText, duels, overhead, percent, reading, results, stay } from './results.ts';
import { MAX_GUESS, MIN_GUESS, type SpeedState, speedState, urlKey } from './state.ts';

const files = () => import('./files.ts');
const KEPT = 'speed/measurement';
/** Pictures of a measurement under way; more often would take the machine's time. */
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

/**
 * The page "How fast is this?": what runs here, a measurement of it, and a recorded one beside other
 * libraries.
 *
 * @element attn-speed-page
 */
@customElement('attn-speed-page')
export class AttnSpeedPage extends LitElement {
  /** Set before the element is connected to replace it. */
  client: FullClient | undefined;
  storage: SavedWork = savedWork();

  @state() private values: SpeedState = speedState.defaults;
  @state() private notices: readonly string[] = [];
  @state() private kernels: KernelInfo | undefined;
  @state() private downloads: readonly WorkerDownload[] = [];
  @state() private loadFailure = '';
  @state() private measurement: Measurement | undefined;
  @state() private findings: Findings | undefined;
  @state() private rows: readonly Row[] = [];
  @state() private running = false;
  @state() private fraction = 0;
  @state() private status = '';
  @state() private problem = '';
  @state() private linkToShow = '';
  @state() private tableLength = 0;
  @state() private dark = isDark();
  @state() private knobsOpen = false;

  @query('attn-line-chart') private chart!: AttnLineChart;

  private url: UrlHistory | undefined;
  private hide: ReadonlySet<string> = new Set();
  private lock: ReadonlySet<string> = new Set();
  private others: readonly (readonly [string, string])[] = [];
  private readonly undo: (() => void)[] = [];
  private abort: AbortController | undefined;

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.client ??= createFullClient();
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
    this.client?.dispose();
    this.client = undefined;
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
    this.values = { ...this.values, ...patch };
    const { hide, lock, others } = this;
    const search = speedState.print(this.values, { hide, lock, others });
    if (draft) this.url?.draft(search);
    else this.url?.commit(search);
  }

  private async start(): Promise<void> {
    const { client } = this;
    if (!client) return;
    try {
      this.kernels = await client.kernelInfo();
      this.downloads = await client.workerDownloads();
    } catch (error) {
      if (error instanceof CancelledError) return;
      this.loadFailure = error instanceof Error ? error.message : String(error);
      return;
    }
    const kept = await this.storage.load(KEPT);
    const measurement = kept.ok ? readMeasurement(kept.value) : undefined;
    if (!measurement || this.running || this.measurement) return;
    await this.show(measurement);
    const date = new Date(measurement.date).toLocaleDateString('en', { dateStyle: 'long' });
    this.status = words.progress.kept(date);
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

  private async run(): Promise<void> {
    const { client } = this;
    if (!client || this.running) return;
    const abort = new AbortController();
    this.abort = abort;
    const before = this.measurement;
    this.running = true;
    this.fraction = 0;
    this.status = '';
    this.problem = '';
    this.findings = undefined;
    let drawn = 0;
    try {
      const made = await measure(client, {
        largest: Number(this.values.largest),
        rounds: Number(this.values.rounds),
        // The first answer counts.
        guess: before?.guess ?? this.values.guess,
        place: this.place,
        signal: abort.signal,
        onStep: (sofar, fraction) => {
          this.fraction = fraction;
          if (performance.now() - drawn < REDRAW_MS) return;
          drawn = performance.now();
          this.measurement = sofar;
          this.rows = rowsOf(sofar);
        },
      });
      if (rowsOf(made).length > 0) {
        await this.show(made);
        const complete = this.completeRounds(made);
        this.status = made.finished
          ? words.progress.done(made.rounds)
          : words.progress.stopped(complete);
        const kept = await this.storage.save(KEPT, made);
        if (!kept.ok) this.status = `${this.status} ${kept.reason}`;
      } else {
        this.measurement = before;
        this.rows = before ? rowsOf(before) : [];
        this.findings = before && (await findingsOf(client, before));
        this.status = words.progress.stopped(0);
      }
    } catch (error) {
      if (error instanceof CancelledError) return;
      if (!(error instanceof CoreError)) throw error;
      if (error.code === 'load') this.loadFailure = error.message;
      else this.problem = words.progress.failed(error.message);
    } finally {
      this.running = false;
    }
  }

  private completeRounds({ samples, lengths: all }: Measurement): number {
    const counts = subjects.flatMap(({ id }) => all.map((n) => samples[id]?.[n]?.length ?? 0));
    return Math.min(...counts);
  }

  private async show(measurement: Measurement): Promise<void> {
    this.measurement = measurement;
    this.rows = rowsOf(measurement);
    this.tableLength = this.rows.reduce((most, { n }) => Math.max(most, n), 0);
    if (this.client) this.findings = await findingsOf(this.client, measurement);
  }

  private async forget(): Promise<void> {
    this.measurement = undefined;
    this.findings = undefined;
    this.rows = [];
    await this.storage.remove(KEPT);
    this.status = words.progress.forgotten;
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
          // min to min has no spread of its own.
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

  /** The question of the page, answered. */
  private get answer():
    | { said: number; seen: Crossing; predicted: number | undefined }
    | undefined {
    const [first] = this.findings?.duels ?? [];
    if (!first?.measured || !this.measurement) return undefined;
    return { said: this.measurement.guess, seen: first.measured, predicted: first.predicted };
  }

  private get markers(): readonly Marker[] {
    const { answer } = this;
    const guess = this.measurement?.guess ?? this.values.guess;
    const said: Marker = { x: guess, label: words.guess.line(guess), strong: true };
    if (!answer) return [said];
    const { seen, predicted } = answer;
    return [
      said,
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

  private get caption(): string {
    const { measurement } = this;
    if (!measurement) return '';
    const { place, rounds, date, clockStep, finished } = measurement;
    const where = `${words.here.builds[place.build]?.split(':')[0] ?? place.build}, ${place.browser}, ${place.cores} logical cores`;
    const best = bestPeak(measurement);
    return words.chart.caption(
      where,
      rounds,
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
      caption: this.caption,
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
      this.status = status;
      this.linkToShow = refused ?? '';
      return;
    }
    if (!measurement) return;
    const name = `attention-labs-speed-${measurement.date.slice(0, 10)}.${action}`;
    if (action === 'png') this.status = await savePng(name, this.svg());
    if (action === 'svg') this.status = saveText(name, this.svg(), 'image/svg+xml');
    if (action === 'csv') {
      this.status = saveText(name, measurementToCsv(measurement, this.caption), 'text/csv');
    }
    if (action === 'json') {
      const { findings, caption } = this;
      const whole = {
        format: 'attention-labs/speed',
        caption,
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
      this.status = saveText(name, `${JSON.stringify(whole, null, 1)}\n`, 'application/json');
    }
  }

  // ---- what is shown ----

  private knob(name: keyof SpeedState, content: (disabled: boolean) => unknown): unknown {
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
                ?disabled=${disabled || (this.running && name !== 'show')}
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
    const ready = this.kernels !== undefined;
    return html`<section
      class="knobs ${this.knobsOpen ? 'open' : ''}"
      aria-label=${words.controls}
    >
      <div class="knob-bar">
        ${
          this.running
            ? html`<button class="button main" type="button" @click=${() => this.abort?.abort()}>
                ${words.progress.stop}
              </button>`
            : html`<button
                class="button main"
                type="button"
                ?disabled=${!ready}
                @click=${() => void this.run()}
              >
                ${this.measurement ? knobs.again : knobs.measure}
              </button>`
        }
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
        ${
          this.measurement && !this.running
            ? html`<div class="knob-group">
                <button class="button reset" type="button" @click=${() => void this.forget()}>
                  ${knobs.forget}
                </button>
              </div>`
            : nothing
        }
      </div>
    </section>`;
  }

  private renderMessages() {
    return html`<div class="messages">
      ${this.notices.map(
        (notice) => html`<p class="notice" role="alert">
          ${notice}
          <button
            class="plain"
            type="button"
            @click=${() => {
              this.notices = this.notices.filter((other) => other !== notice);
            }}
          >
            ${words.dismiss}
          </button>
        </p>`,
      )}
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
    if (this.measurement) return this.renderAnswer();
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
            this.set({ guess: event.detail }, { draft: true })}
          @attn-change=${(event: CustomEvent<number>) => this.set({ guess: event.detail })}
        ></attn-slider>
      </div>`,
    );
  }

  private renderAnswer() {
    const { answer } = this;
    if (!answer) {
      const guess = this.measurement?.guess ?? 0;
      return html`<div class="guess"><p class="verdict">${words.guess.line(guess)}</p></div>`;
    }
    const { said, seen } = answer;
    const times = Math.max(said / seen.n, seen.n / said);
    const exact = seen.kind === 'between';
    const verdict = !exact
      ? ''
      : times < 1.5
        ? words.answer.close
        : (said > seen.n ? words.answer.early : words.answer.late)(formatTick(times));
    return html`<div class="guess" role="status">
      <p class="verdict">
        <strong>${words.answer.lead(said, crossingText(seen))}</strong> ${verdict}
      </p>
      <p>${rich(words.answer.why)}</p>
    </div>`;
  }

  private renderProgress() {
    const done = this.measurement ? this.completeRounds(this.measurement) : 0;
    return html`<div class="progress ${this.running ? 'on' : ''}">
      ${
        this.running
          ? html`<label for="progress">${words.progress.label}</label>
              <progress id="progress" max="1" .value=${this.fraction}></progress>
              <span class="fine">${words.progress.step(done, Number(this.values.rounds))}</span>
              <button class="button" type="button" @click=${() => this.abort?.abort()}>
                ${words.progress.stop}
              </button>`
          : html`<span class="status" role="status">${this.status}</span>
              ${
                this.linkToShow
                  ? html`<input
                      class="link"
                      readonly
                      aria-label=${words.files.linkShow}
                      .value=${this.linkToShow}
                    />`
                  : nothing
              }`
      }
    </div>`;
  }

  private renderFigure() {
    const { series, markers, rows, values } = this;
    const share = values.show === 'rate';
    const largest = this.measurement?.lengths.at(-1) ?? Number(values.largest);
    const shortest = lengths(256)[0] ?? 32;
    const guess = this.measurement?.guess ?? values.guess;
    const x = domainOf([shortest, largest, guess, ...(this.measurement ? [] : [16, 4096])], 1.1);
    const y = domainOf(
      series.flatMap(({ points }) => points.flatMap((p) => [p.low, p.high])),
      1.25,
    );
    const { chart } = words;
    const open = !this.measurement && !this.lock.has(urlKey('guess'));
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
        .describe=${this.describe}
        .summary=${rows.length > 0 ? chart.summary(series.length, shortest, largest) : ''}
        .grip=${open ? values.guess : undefined}
        .dark=${this.dark}
        @attn-grip=${(event: CustomEvent<{ value: number; done: boolean }>) => {
          const n = Math.max(MIN_GUESS, Math.min(MAX_GUESS, Math.round(event.detail.value)));
          this.set({ guess: n }, { draft: !event.detail.done });
        }}
      ></attn-line-chart>
      ${this.caption ? html`<figcaption>${rich(this.caption)}</figcaption>` : nothing}
      <div class="tools" role="group" aria-label=${chart.tools}>
        ${(Object.keys(chart.actions) as (keyof typeof chart.actions)[]).map(
          (name) => html`<button
            class="button"
            type="button"
            title=${chart.actions[name][1]}
            aria-label=${chart.actions[name][1]}
            ?disabled=${name !== 'link' && rows.length === 0}
            @click=${() => void this.act(name)}
          >
            ${chart.actions[name][0]}
          </button>`,
        )}
      </div>
    </figure>`;
  }

  override render() {
    const { measurement } = this;
    return html`${here({
      build: this.client?.build,
      kernels: this.kernels,
      downloads: this.downloads,
      failed: this.loadFailure !== '',
    })}
      <div class="bench">
        ${this.renderKnobs()}
        <div class="stage" role="region" aria-label=${words.figure}>
          ${this.renderMessages()} ${this.renderGuess()} ${this.renderFigure()}
          ${this.renderProgress()} ${duels(this.findings)}
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
