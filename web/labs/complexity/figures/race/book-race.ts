import { book } from 'virtual:book';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import { keepOut } from '../../../../src/components/room-for-text.ts';
import { machine } from '../../../../src/lab/experiment/machine-description.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { formatBytes, formatCount, formatPlain } from '../format.ts';
import { longestFitting } from '../longest-fitting.ts';
import { renderSquares } from '../squares.ts';
import { pageAt } from './page.ts';
import { Race, type Runner } from './race.ts';
import { chaptersOf, ownText, type RaceText } from './texts.ts';

const { race: words } = figureWords.now;

const table = {
  text: oneOf({ key: 'text', values: ['book', 'own'], default: 'book' }),
  cache: oneOf({ key: 'cache', values: ['8', '32', '64', '128'], default: '32' }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

/** Columns of queries, keys and values of the one head. */
const WIDTH = 64;
const MEBIBYTE = 2 ** 20;
/** The characters of a page: as many as its place has room for. */
const PAGE = { wide: 430, narrow: 125 };
/** The most characters of a text of one's own. They are some 100,000 tokens, of which 65,536 fill the cache of 32 MiB. */
const LONGEST_TEXT = 400_000;
/** The picture follows the race at most this often; where motion is unwelcome, less often. */
const REDRAW_MILLISECONDS = { moving: 100, calm: 1000 };

interface Answer {
  readonly runners: readonly Runner[];
  readonly titles: readonly string[];
  readonly sections: readonly string[];
  /** The limit of this page's memory, and the length whose n×n weights alone would fill it. */
  readonly limit: number;
  readonly weightsEnd: number;
  readonly machine: string;
}

type ShownRace = Shown<Values, Answer>;

/**
 * A race of softmax attention and linear attention through a whole book.
 *
 * @element attn-book-race
 */
@customElement('attn-book-race')
export class AttnBookRace extends LabFigure<Answer, Table> {
  override readonly table = table;

  @state() private running = false;
  /** What the reader has pasted; it is in no link. */
  @state() private pasted = '';
  /** The length of a text that the field has no room for. */
  @state() private keptOut: number | undefined;
  @state() private loading = false;
  private loaded: RaceText | undefined;
  private race: Race | undefined;
  private lines:
    | {
        readonly dark: boolean;
        readonly samples: readonly Runner['samples'][];
        readonly series: readonly Series[];
      }
    | undefined;
  private walls: readonly Marker[] = [];
  /** The settings of `race`. */
  private of: Values | undefined;

  override get heading(): string {
    return words.heading;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A figure that is only moved to another place of the page is connected again at once, and its race goes on.
    queueMicrotask(() => {
      if (!this.isConnected) this.giveUp();
    });
  }

  /** Moving a knob starts nothing. */
  protected override refresh(): void {}

  protected override compute(): Promise<Answer> {
    throw new Error('a race is run, not computed');
  }

  protected override get stopsItself(): boolean {
    return this.running;
  }

  protected override get stoppedWords(): string {
    return words.stopped;
  }

  private giveUp(): void {
    this.abort?.abort();
    this.race?.dispose();
    this.race = undefined;
  }

  private async text(signal: AbortSignal): Promise<RaceText> {
    if (this.values.text === 'own') return ownText(this.pasted);
    if (this.loaded) return this.loaded;
    this.loading = true;
    try {
      const answer = await fetch(book.address, { signal });
      if (!answer.ok) throw new Error(words.missing);
      this.loaded = chaptersOf(await answer.text());
      return this.loaded;
    } catch (error) {
      if (signal.aborted) throw error;
      throw new Error(words.missing);
    } finally {
      this.loading = false;
    }
  }

  /** Whether the race that is shown can go on: nothing was changed, and somebody is not at the end. */
  private get resumable(): boolean {
    return this.race !== undefined && !this.race.finished && !this.moved;
  }

  private get moved(): boolean {
    const { of, values } = this;
    return (
      of !== undefined &&
      (Object.keys(table) as (keyof Table)[]).some((name) => of[name] !== values[name])
    );
  }

  private async begin(values: Values, signal: AbortSignal): Promise<void> {
    this.race?.dispose();
    this.race = undefined;
    const { client } = this.tools;
    const { sections, titles } = await this.text(signal);
    const race = await Race.create(client, {
      ...{ sections, d: WIDTH, seed: values.seed },
      cacheBytes: Number(values.cache) * MEBIBYTE,
    });
    if (signal.aborted) {
      race.dispose();
      return;
    }
    this.race = race;
    this.of = values;
    const { limit } = await client.memoryInfo(undefined, { signal });
    const weightsEnd = await longestFitting(client, limit, { signal });
    this.show({
      values,
      result: { runners: race.state, titles, sections, limit, weightsEnd, machine: machine() },
    });
  }

  /** Starts the race, or goes on with it. */
  private async run(again: boolean): Promise<void> {
    if (this.running) return;
    // The question before the race is over; its numbers make room for the race.
    if (!this.trying) this.set({});
    const { values } = this;
    this.running = true;
    this.status = '';
    await this.asking(0, async ({ signal, onProgress }) => {
      if (again || !this.resumable) await this.begin(values, signal);
      const { race } = this;
      if (!race) return;
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const pause = calm ? REDRAW_MILLISECONDS.calm : REDRAW_MILLISECONDS.moving;
      let drawn = 0;
      try {
        await race.run(signal, () => {
          if (performance.now() - drawn < pause) return;
          drawn = performance.now();
          onProgress(race.fraction);
          this.showState(race);
        });
      } catch (error) {
        // What lived in the worker is gone, or this would not have failed.
        race.dispose();
        this.race = undefined;
        throw error;
      }
      this.showState(race);
    });
    this.running = false;
    const { race } = this;
    // What was read is shown still, and there is no more to read: the worker has its memory back.
    if (race?.finished) race.dispose();
    if (race?.finished) this.status = words.over;
    else if (race && this.abort?.signal.aborted) this.status = this.stoppedWords;
    if (race && this.shown) this.say(this.verdict(this.shown).replaceAll('*', ''));
  }

  private showState(race: Race): void {
    const { shown } = this;
    if (shown) this.show({ ...shown, result: { ...shown.result, runners: race.state } });
  }

  // ---- the picture ----

  private placeOf({ now }: Runner, titles: readonly string[]): string {
    return titles[now.section] ?? '';
  }

  private facts(runner: Runner): readonly (readonly [string, string])[] {
    const { now, milliseconds, tokensPerSecond, secondsLeft } = runner;
    // A cache that is too small for the book ends the race of softmax attention before the book does.
    const left = now.capacity < now.tokens ? words.leftToWall : words.left;
    return [
      [words.read, words.of(formatCount(now.position), formatCount(now.tokens))],
      [words.kept, formatBytes(now.bytes)],
      [words.clock, words.seconds(formatPlain(milliseconds / 1000))],
      [
        words.pace,
        tokensPerSecond === undefined
          ? words.nothingYet
          : words.perSecond(formatCount(Math.round(tokensPerSecond))),
      ],
      [left, this.leftWords(runner, secondsLeft)],
    ];
  }

  private leftWords({ end }: Runner, seconds: number | undefined): string {
    if (end) return words.ends[end];
    if (seconds === undefined) return words.nothingYet;
    return seconds < 90
      ? words.about(words.seconds(String(Math.ceil(seconds))))
      : words.about(words.minutes(String(Math.ceil(seconds / 60))));
  }

  /** The book as a bar: how far the reader is, where its memory ends, and the words it has just read. */
  private renderRunner(runner: Runner, { titles }: Answer): unknown {
    const { id, now, end, tokensPerSecond } = runner;
    const share = (tokens: number): number => (100 * tokens) / now.tokens;
    const place = this.placeOf(runner, titles);
    const wall = now.capacity < now.tokens ? now.capacity : undefined;
    const head = this.idFor(`runner-${id}`);
    const speed = end
      ? words.ends[end]
      : tokensPerSecond === undefined
        ? words.nothingYet
        : words.perSecond(formatCount(Math.round(tokensPerSecond)));
    return html`<section role="group" class="runner ${id} ${end ?? ''}" aria-labelledby=${head}>
      <h4 id=${head}>${words.runners[id]} <span class="speed">${speed}</span></h4>
      <div class="track">
        <span class="covered" .style=${`inline-size:${share(now.position)}%`}></span>
        ${
          wall === undefined
            ? nothing
            : html`<span class="wall" title=${words.wall(formatCount(wall))} .style=${`inset-inline-start:${share(wall)}%`}></span>`
        }
      </div>
      <p class="place">
        ${place ? html`<strong lang="en">${place}</strong>` : html`<strong>${words.atTheStart}</strong>`}
        ${wall === undefined ? nothing : html`<span class="wall-at">${words.wall(formatCount(wall))}</span>`}
      </p>
    </section>`;
  }

  /** The page of the slower reader, with the other one on it as long as it is there: where both are in the text. */
  private renderPage({ runners, sections }: Answer): unknown {
    const [slower, faster] = [...runners].sort((a, b) => a.now.position - b.now.position);
    if (!slower || !faster) return nothing;
    const text = sections[slower.now.section] ?? '';
    const same = slower.now.section === faster.now.section;
    const length = this.offsetWidth < 480 ? PAGE.narrow : PAGE.wide;
    const { pieces, together } = pageAt(
      text,
      slower.place,
      same ? faster.place : text.length + 1,
      length,
    );
    const mark = ({ id }: Runner) => html`<span class="mark ${id}"></span>`;
    const own = this.of?.text === 'own';
    return html`<div class="page-read" role="group" aria-label=${words.page}>
      <p class="fine">
        ${mark(slower)} ${words.isHere[slower.id]}
        <span class="one ${faster.id}">${words.alone[faster.id]}</span>
      </p>
      <p class="text" lang=${own ? nothing : 'en'}>
        ${pieces.map(
          ({ text, by }, i) =>
            html`<span class="${by} ${by === 'one' ? faster.id : ''}">${text}</span>${
              i === 0 ? mark(slower) : i === 1 && together ? mark(faster) : nothing
            }`,
        )}
      </p>
    </div>`;
  }

  /** What both keep, to scale: the state has its size from the first token on, the cache fills. */
  private renderMemory({ values, result: { runners } }: ShownRace): unknown {
    const [linear, softmax] = runners;
    if (!linear || !softmax) return nothing;
    const room = Number(values.cache) * MEBIBYTE;
    return renderSquares([
      {
        ...{ id: 'cache', label: words.cacheBox, bytes: room },
        filled: softmax.now.bytes / room,
        text: words.of(formatBytes(softmax.now.bytes), formatBytes(room)),
      },
      { id: 'state', label: words.stateBox, bytes: linear.now.bytes },
    ]);
  }

  /** Where the race is, in one sentence. */
  private verdict({ values, result }: ShownRace): string {
    const { runners, titles } = result;
    const [linear, softmax] = runners;
    if (!linear || !softmax || softmax.now.position === 0) return '';
    const seconds = ({ milliseconds }: Runner): string => formatPlain(milliseconds / 1000);
    const first = linear.end
      ? words.linearDone(
          formatCount(linear.now.tokens),
          seconds(linear),
          formatBytes(linear.now.bytes),
        )
      : words.linearReads(formatCount(linear.now.position));
    const place = this.placeOf(softmax, titles);
    if (softmax.end === 'full') {
      return words.full(
        first,
        formatBytes(Number(values.cache) * MEBIBYTE),
        formatCount(softmax.now.position),
        seconds(softmax),
        place,
      );
    }
    return softmax.end === 'read'
      ? words.bothDone(
          first,
          seconds(softmax),
          formatPlain(softmax.milliseconds / linear.milliseconds),
          formatBytes(softmax.now.bytes),
        )
      : words.behind(first, formatCount(softmax.now.position), seconds(softmax), place);
  }

  /** The same lines as long as no point has come, so that the chart is not drawn again with every word. */
  private series({ runners }: Answer): readonly Series[] {
    const { lines, dark } = this;
    const samples = runners.map((runner) => runner.samples);
    if (lines?.dark === dark && samples.every((one, i) => one === lines.samples[i])) {
      return lines.series;
    }
    const series = this.linesOf(runners);
    this.lines = { dark, samples, series };
    return series;
  }

  private linesOf(runners: readonly Runner[]): readonly Series[] {
    return runners.map(
      (runner): Series => ({
        ...{ id: runner.id, label: words.runners[runner.id] },
        ...lookOf(runner.id, this.dark),
        points: runner.samples.map(({ tokens, milliseconds }) => chartPoint(tokens, milliseconds)),
      }),
    );
  }

  private markers({ runners }: Answer): readonly Marker[] {
    const full = runners.find(({ end }) => end === 'full')?.now.position;
    if (full !== this.walls[0]?.x) {
      this.walls =
        full === undefined ? [] : [{ x: full, label: words.wall(formatCount(full)), strong: true }];
    }
    return this.walls;
  }

  /** While it runs, a screen reader hears nothing of it: it would never end. */
  protected override summary(): string {
    return '';
  }

  protected override resultLine(shown: ShownRace): string {
    return this.verdict(shown);
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    // While it runs, nothing can be changed, and the picture has their room.
    const when = !this.running;
    return [
      choice('cache', { label: words.cache, options: words.caches }, { when }),
      choice('text', { label: words.text, options: words.texts }, { when }),
      seedKnob('seed', { when }),
    ];
  }

  private renderPaste(): unknown {
    const id = this.idFor('pasted');
    const { keptOut } = this;
    return html`<div class="own-text knob-alone">
      <label for=${id}>${words.paste}</label>
      <textarea
        id=${id}
        rows="3"
        .value=${this.pasted}
        aria-invalid=${keptOut === undefined ? 'false' : 'true'}
        aria-describedby=${keptOut === undefined ? nothing : `${id}-error`}
        @beforeinput=${(event: InputEvent) => {
          this.keptOut = keepOut(event, LONGEST_TEXT);
        }}
        @input=${(event: Event) => {
          this.pasted = (event.target as HTMLTextAreaElement).value;
          this.race?.dispose();
          this.race = undefined;
        }}
      ></textarea>
      ${
        keptOut === undefined
          ? nothing
          : html`<p class="error" id="${id}-error" role="alert">
              ${words.tooLong(formatCount(keptOut), formatCount(LONGEST_TEXT))}
            </p>`
      }
      <p class="fine">${words.pasteNote}</p>
    </div>`;
  }

  protected override renderMessages(): unknown {
    const { resumable, running, loading } = this;
    if (this.veiled) return super.renderMessages();
    const own = this.values.text === 'own';
    const empty = own && this.pasted.trim() === '';
    const start =
      this.values.text === 'book' && !this.loaded
        ? words.load(formatBytes(book.bytes), formatBytes(book.zipped))
        : words.start;
    return html`${super.renderMessages()}
      ${own && !running ? this.renderPaste() : nothing}
      <p class="run">
        <button
          class="button primary"
          type="button"
          ?disabled=${!running && empty}
          @click=${() => (running ? this.stop() : this.run(false))}
        >
          ${loading ? words.loading : running ? words.stop : resumable ? words.resume : start}
        </button>
        ${
          resumable && !running
            ? html`<button class="button" type="button" @click=${() => this.run(true)}>
                ${words.again}
              </button>`
            : nothing
        }
        ${this.moved && !running ? html`<span class="fine">${words.other}</span>` : nothing}
      </p>`;
  }

  protected override renderWaiting(): unknown {
    return html`<p class="waiting">${words.nothing}</p>`;
  }

  protected override renderResult(shown: ShownRace): unknown {
    const { result } = shown;
    return html`<div class="race">
        ${result.runners.map((runner) => this.renderRunner(runner, result))}
      </div>
      ${this.renderPage(result)} ${this.renderMemory(shown)} ${this.renderClock(shown, 'wide')}`;
  }

  /** Time over tokens, as far as both are: below the race, and where a window has no room for that, in the sheet. */
  private renderClock({ result }: ShownRace, where: 'wide' | 'narrow'): unknown {
    if (!result.runners.some(({ samples }) => samples.length > 1)) return nothing;
    return html`<attn-line-chart
      class="clock-${where}"
      .level=${4}
      .series=${this.series(result)}
      .markers=${this.markers(result)}
      .xLabel=${words.x}
      .yLabel=${words.y}
    ></attn-line-chart>`;
  }

  protected override renderDetails(shown: ShownRace): unknown {
    const { result } = shown;
    const { runners, weightsEnd, limit } = result;
    const [first] = runners;
    const of = runners.map((runner) => this.facts(runner));
    const names = first ? this.facts(first).map(([name]) => name) : [];
    const softmax = runners.find(({ id }) => id === 'softmax');
    return html`${this.renderClock(shown, 'narrow')}
      <table class="figure-table counts facts">
        <thead>
          <tr>
            <td></td>
            ${runners.map(({ id }) => html`<th scope="col">${words.runners[id]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${names.map(
            (name, i) => html`<tr>
              <th scope="row">${of[1]?.[i]?.[0] === name ? name : `${name} · ${of[1]?.[i]?.[0] ?? ''}`}</th>
              ${runners.map(({ id }, k) => html`<td class=${id}>${of[k]?.[i]?.[1] ?? ''}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
      ${
        softmax && weightsEnd < softmax.now.tokens
          ? html`<p class="weights-end">${words.weights(formatBytes(limit), formatCount(weightsEnd))}</p>`
          : nothing
      }`;
  }

  protected override get measuredOn(): string {
    return this.shown?.result.machine ?? '';
  }

  protected override caption({ values, result }: ShownRace): string {
    const n = result.runners[0]?.now.tokens ?? 0;
    return words.caption(words.sources[values.text], formatCount(n), WIDTH, values.seed);
  }

  protected override data({ result }: ShownRace): FigureData {
    return {
      columns: ['reader', 'tokens', 'milliseconds', 'bytes_kept'],
      rows: result.runners.flatMap(({ id, samples }) =>
        samples.map(({ tokens, milliseconds, bytes }) => [id, tokens, milliseconds, bytes]),
      ),
    };
  }

  /** Until there is a chart, the file is a table. */
  protected override async svg(shown: ShownRace): Promise<string> {
    const charts = [...this.querySelectorAll('attn-line-chart')];
    const chart = charts.find(({ offsetWidth }) => offsetWidth > 0) ?? charts[0];
    if (chart) return chart.svg(this.fullCaption(shown), words.clockTitle);
    const { fileOf, tablePicture } = await import('../../../../src/plot/picture-file.ts');
    const [first] = shown.result.runners;
    const names = first ? this.facts(first).map(([name]) => name) : [];
    const cells = shown.result.runners.map((runner) =>
      [words.runners[runner.id], ...this.facts(runner).map(([, value]) => value)].map((words) => ({
        words,
      })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(['', ...names], cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-book-race': AttnBookRace;
  }
}
