import { html, nothing, type PropertyValues, type ReactiveElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ref } from 'lit/directives/ref.js';
import { CancelledError, CoreError, SupersededError } from '#client';
import { formatNumber } from '../../plot/format.ts';
import type { Property, PropertyTable, StateOf } from '../../state/url.ts';
import { strings } from '../../strings/index.ts';
import { language } from '../../strings/language.ts';
import { problemText } from '../../strings/problem.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import type { UrlStore } from '../page/url-store.ts';
import type { Question } from '../questions/question.ts';
import { prose } from '../text/prose.ts';
import type { Ask, FigureData, FigurePlace, KnobValues, LabData, LabTools } from '../types';
import { messages, progressLine } from './figure-messages.ts';
import { figureWords as words } from './figure-words.ts';
import { Fit } from './fit.ts';
import { withKept } from './kept-inputs.ts';
import { type Knob, rangeOf } from './knob.ts';
import { KnobError } from './knob-error.ts';
import { RecentAnswers } from './recent-answers.ts';
import type { About, FileKind } from './save-and-share.ts';
import { showPopover, unfoldsInPlace } from './show-popover.ts';
import { lockedNote, TriedFigure, type Try } from './tried-figure.ts';

export type { SliderOptions } from './knob.ts';

/** A result that takes longer is announced, and can be stopped. */
const PATIENCE_MS = 300;
const SPEAK_AFTER_MS = 1000;
/** The same width as in bench.css. */
const SMALL = '(max-width: 56rem)';
/** At first sight a figure shows this many knobs; the others fold open. */
const FIRST_KNOBS = 3;
/** The place of a problem that no knob caused. */
export const AT_FIGURE = 'figure';

/** The last answer, and what it was computed from. */
export interface Shown<Values, Result> {
  readonly values: Values;
  readonly result: Result;
}

/** What is wrong, and the knob beside which it is shown. */
export interface Problem {
  readonly at: string;
  readonly message: string;
  /** The core itself failed, so that starting it anew may help. */
  readonly ofCore?: boolean;
}

/** A number of an answer that counts: what it is called, and how it is written. */
export interface KeyNumber {
  readonly label: string;
  readonly value: number;
  readonly text?: string;
}

/** A part of a figure, and the knobs beside it. */
export interface ViewSpec {
  /** What the ids within it begin with. */
  readonly id: string;
  /** The name of a picture (`pictures()`); all of the figure where it is left out. */
  readonly show?: string;
  /** The knobs beside it; the figure's first ones where they are left out. */
  readonly knobs?: readonly string[];
  /** The figure itself, in its own place. */
  readonly own?: boolean;
  readonly knobsInFigure?: unknown;
}

/** A knob that holds a number, for what moves it from outside the figure. */
export interface NumberKnob {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly log: boolean;
  /** The link fixes it, visible or not. */
  readonly locked: boolean;
}

/** The id of the try that shows what a question asks about. */
const tryOf = (question: string): string => `question-${question}`;

/** Words as a sentence. A symbol at its beginning, such as φ or f(x), stays what it is. */
export const sentence = (text: string): string =>
  (/^[a-zß-ÿ]{2}/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text) +
  (/[.!?]$/.test(text) ? '' : '.');

/**
 * A figure of a lab: knobs in the link, one question to the core at a time, the last answer on
 * screen. A subclass has a table of knobs, asks, and draws; `T` is the table's type.
 */
export abstract class LabFigure<
  Result,
  T extends PropertyTable = PropertyTable,
> extends TriedFigure<StateOf<T>> {
  /** Whoever places the figure sets these before the element is connected. */
  @property({ attribute: false }) override place!: FigurePlace;
  @property({ attribute: false }) tools!: LabTools;
  @property({ attribute: false }) store!: UrlStore;
  /** The keys of an opening's knobs have no prefix. */
  @property({ type: Boolean }) opening = false;

  /** The table of the figure's knobs, by name, with keys that lack the figure's id. Literal names keep `values` typed. */
  abstract readonly table: T;
  /**
   * `lang` of the figure's own words: the lab's, unless a figure that several labs use says its own,
   * `figureWords.lang`.
   */
  protected get wordsLang(): 'en' | undefined {
    return this.tools.lang;
  }
  /** On phones the picture comes before the knobs, on the page and in the order of the Tab key. */
  readonly knobsLast: boolean = false;
  /** The knobs that are there at first sight; the first three unless a figure says otherwise. */
  protected readonly firstKnobs: readonly (keyof T & string)[] | undefined;
  /** What the knobs begin with where the address says nothing, if that is not the table's defaults. */
  protected readonly startValues: Partial<StateOf<T>> | undefined;
  /** The figure's name: its heading, its name for a screen reader and in files. */
  abstract get heading(): string;
  /** An opening may provide the Q, K and V that the other figures use. */
  readonly labData: LabData | undefined;

  @state() protected shown: Shown<StateOf<T>, Result> | undefined;
  @state() protected problem: Problem | undefined;
  @state() protected busy = false;
  /** From 0 to 1; NaN until something is known. */
  @state() protected progress = Number.NaN;
  @state() protected status = '';
  @state() protected undoable = false;
  @state() protected dark = isDark();
  @state() private turned = false;
  @state() private menu: typeof import('./save-menu.ts') | undefined;
  @state() private notices: readonly string[] = [];
  @state() private loadFailure = '';
  @state() private linkToShow = '';
  @state() private spoken = '';
  /** The ids of the views whose sheets are open: all knobs, tables, and what the picture was made from. */
  @state() private sheets: ReadonlySet<string> = new Set();
  /** The questions that stand before pictures, by their ids; see `prediction.ts`. */
  @state() private questions: ReadonlyMap<string, Question> = new Map();
  /** The answer before a try, which stays in the picture as a ghost. */
  @state() private earlier: Shown<StateOf<T>, Result> | undefined;

  /** The figure one of whose sheets lies over the page. */
  // biome-ignore lint/suspicious/noExplicitAny: a page holds figures of any kind.
  private static withSheet: LabFigure<any, any> | undefined;

  /** The elements that show a part of this figure elsewhere on the page. */
  private readonly views = new Set<ReactiveElement>();
  /** What the ids of the view begin with that is being rendered. */
  private scope = '';
  /** Whether the view that is being rendered is all of the figure, which draws its placed knobs within its picture. */
  protected whole = true;
  /** Knobs that the link had set when the page was opened: they are there at first sight, too. */
  private readonly broughtForward = new Set<string>();
  private readonly ends: (() => void)[] = [];
  protected abort: AbortController | undefined;
  private stopped = false;
  /** The knobs were asked about, and what is shown is still the answer before. */
  private behind = false;
  protected readonly fitting = new Fit(this);
  private speakTimer: ReturnType<typeof setTimeout> | undefined;

  // ---- what a subclass says ----

  /** Undefined where the reader has yet to give something: what is shown stays, and nothing is wrong. */
  protected abstract compute(values: StateOf<T>, ask: Ask): Promise<Result | undefined>;
  /** What has to be there before the values can be read: it is awaited before each question. */
  protected beforeAsking?(ask: Ask): Promise<void>;
  /** The knobs, in the order in which they are shown: `slider('n', { … })`. */
  protected abstract get controls(): readonly Knob<keyof T & string>[];
  /** What stands below the knobs and is none: a button, a line of help. */
  protected renderBelowKnobs?(): unknown;
  protected abstract renderResult(shown: Shown<StateOf<T>, Result>): unknown;
  /** What a view can show of the figure, by name, besides the whole `renderResult`: one picture each. */
  protected pictures(): Readonly<Record<string, (shown: Shown<StateOf<T>, Result>) => unknown>> {
    return {};
  }
  /** One sentence of the result, which stands under the picture. */
  protected resultLine(shown: Shown<StateOf<T>, Result>): string {
    return this.summary(shown);
  }
  /** The numbers of an answer that count. From them the page says what a try has changed. */
  protected keyNumbers(_shown: Shown<StateOf<T>, Result>): readonly KeyNumber[] {
    return [];
  }
  /** What a try has changed, in a sentence with both values. */
  protected difference(before: Shown<StateOf<T>, Result>, now: Shown<StateOf<T>, Result>): string {
    const then = new Map(this.keyNumbers(before).map((number) => [number.label, number]));
    let changed = false;
    const said = this.keyNumbers(now).flatMap(({ label, value, text = formatNumber(value) }) => {
      const old = then.get(label);
      const was = old && (old.text ?? formatNumber(old.value));
      if (was === undefined) return [];
      if (was === text) return [words.stays(label, text)];
      changed = true;
      return [words.becomes(label, was, text)];
    });
    // A question that asks about the reader's own knobs changes nothing.
    return changed ? `${sentence(said.join(', '))}` : this.resultLine(now);
  }
  /** Tables and statistics: they unfold with all the knobs. */
  protected renderDetails?(shown: Shown<StateOf<T>, Result>): unknown;
  /** Names every parameter and the seed; the text is for `prose()`. */
  protected abstract caption(shown: Shown<StateOf<T>, Result>): string;
  protected abstract data(shown: Shown<StateOf<T>, Result>): FigureData;
  /** A figure that is a chart returns a whole SVG file, drawn as on the page. */
  protected svg?(shown: Shown<StateOf<T>, Result>): string | Promise<string>;
  /** A figure made of pixels returns its canvas for the PNG file, which is otherwise made from the SVG. */
  protected canvases?(
    shown: Shown<StateOf<T>, Result>,
  ): readonly HTMLCanvasElement[] | Promise<readonly HTMLCanvasElement[]>;
  /** What a screen reader hears once the knobs rest; empty for nothing. */
  protected summary(_shown: Shown<StateOf<T>, Result>): string {
    return '';
  }
  /** Below the picture and its messages. */
  protected renderBelow?(): unknown;
  /** In place of a result that is not there, or will not come. */
  protected renderWithout(): unknown {
    return this.problem || this.loadFailure ? nothing : this.renderWaiting();
  }
  /** Shown in place of the result until there is one. */
  protected renderWaiting(): unknown {
    return html`<p class="waiting" aria-busy="true" lang=${language}>${strings.lab.busy}</p>`;
  }
  /** The knob that an error of the core is about; `AT_FIGURE` for none. */
  protected knobOf({ argument }: CoreError): string {
    const [first = ''] = argument.split('.');
    return [argument, first].find((name) => name in this.table) ?? AT_FIGURE;
  }

  /** What a figure cannot read in a text of its link, as whole sentences: `unreadable` of a list of points. */
  protected unreadable(_values: StateOf<T>): readonly string[] {
    return [];
  }

  private problemsOfLink(): readonly string[] {
    return [...(this.knobs?.problems ?? []), ...this.unreadable(this.values)];
  }

  /** Says something about the link or the reader's data, until it is dismissed or another link is read. */
  protected notice(text: string): void {
    if (!this.notices.includes(text)) this.notices = [...this.notices, text];
  }

  // ---- life ----

  /** The figure has no shadow root, so the page's type and colours apply; only its parts have shadow roots. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { id, values = {} } = this.place;
    this.knobs = this.store.knobs(this.opening ? '' : id, this.table, {
      values,
      ...(this.startValues && { start: this.startValues }),
      onChange: () => {
        this.notices = this.problemsOfLink();
        this.forgetMessages();
        this.endTry();
        this.onValues();
      },
    });
    this.notices = this.problemsOfLink();
    const { values: own, defaults } = this.knobs;
    for (const name of Object.keys(this.table)) {
      if (own[name] !== defaults[name]) this.broughtForward.add(name);
    }
    const { data } = this.tools;
    if (data && !this.opening) this.ends.push(data.onChange(() => this.refresh()));
    this.ends.push(
      onThemeChange(() => {
        this.dark = isDark();
      }),
    );
    if (this.knobsLast) this.watchWidth();
    document.addEventListener('keydown', this.onSheetKey);
    this.ends.push(() => document.removeEventListener('keydown', this.onSheetKey));
    // A question may have been answered before its figure came.
    for (const question of this.questions.values()) this.showAsked(question);
    this.refresh();
    void this.updateComplete.then(() => this.tellKnobs());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends.splice(0)) end();
    this.knobs?.dispose();
    clearTimeout(this.speakTimer);
    this.abort?.abort();
  }

  /** An element that shows a part of this figure is rendered again when the figure is. */
  addView(view: ReactiveElement): () => void {
    this.views.add(view);
    return () => this.views.delete(view);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // The knobs are moved, not rendered again, so they keep their state when a phone is turned.
    const bench = this.turned || changed.has('turned') ? this.querySelector('.bench') : null;
    const [first, last] = bench?.children ?? [];
    if (bench && first && last && first.matches('.knobs') === this.turned) bench.append(first);
    for (const view of this.views) view.requestUpdate();
  }

  private watchWidth(): void {
    const small = matchMedia(SMALL);
    const turn = (): void => {
      this.turned = small.matches;
    };
    turn();
    small.addEventListener('change', turn);
    this.ends.push(() => small.removeEventListener('change', turn));
  }

  // ---- knobs ----

  /** What the figure shows: the reader's own values, or those of the try that is on. */
  get values(): StateOf<T> {
    if (!this.knobs) throw new Error('a figure has its knobs once it is connected');
    return this.trying?.set ?? this.knobs.values;
  }

  protected get defaults(): StateOf<T> {
    return this.knobs?.defaults ?? this.values;
  }

  /** Sets knobs. `draft` says that the gesture goes on. A knob that is moved during a try makes the try the reader's own. */
  set(patch: Partial<StateOf<T>>, options: { readonly draft?: boolean } = {}): void {
    this.forgetMessages();
    this.endQuestions();
    const { trying } = this;
    this.endTry();
    const unread = this.unreadable(this.values);
    const refused = this.knobs?.set({ ...trying?.set, ...patch } as Partial<StateOf<T>>, options);
    if (refused?.length) this.refuse(refused);
    // What could not be read is over once the text is written anew.
    if (unread.length > 0) {
      const still = this.unreadable(this.values);
      this.notices = this.notices.filter((said) => !unread.includes(said) || still.includes(said));
    }
    this.onValues();
  }

  /** A knob that holds a number; undefined for any other name. */
  numberKnob(name: string): NumberKnob | undefined {
    const { knobs } = this;
    const property: Property | undefined = this.table[name];
    if (!knobs || (property?.kind !== 'integer' && property?.kind !== 'number')) return undefined;
    return {
      value: this.values[name] as number,
      ...rangeOf(property, this.controls.find((knob) => knob.name === name)?.range),
      locked: knobs.fixed(name),
    };
  }

  protected override refuse(keys: readonly string[]): void {
    this.status = words.fixed(keys);
  }

  protected reset(): void {
    this.forgetSeed();
    this.set(this.defaults);
    this.status = strings.lab.resetDone;
    this.undoable = true;
  }

  protected override beforeTry(): void {
    this.forgetSeed();
    this.forgetMessages();
    const { trying, shown } = this;
    if (trying && !trying.asked) return;
    // An answer to older values is not what was before the try.
    this.earlier = shown?.values === (trying?.set ?? this.knobs?.values) ? shown : undefined;
  }

  override tryOut(one: Try): readonly string[] {
    if (!one.asked) this.endQuestions();
    return super.tryOut(one);
  }

  protected override endTry(): void {
    if (this.trying?.asked) this.endQuestions();
    super.endTry();
    this.earlier = undefined;
  }

  /** The answer before the try that is on, for a picture that draws what was as a ghost. A question has no before. */
  protected get ghost(): Shown<StateOf<T>, Result> | undefined {
    const { trying, shown } = this;
    return trying && !trying.asked && shown?.values === trying.set ? this.earlier : undefined;
  }

  // ---- questions ----

  /** A question stands before the picture of its view until it is answered, or is over. A figure may have several. */
  pose(id: string, question: Question | undefined): void {
    const answered = question?.committed && !this.questions.get(id)?.committed;
    // What was answered before is over: the figure now shows what this one asks about.
    if (answered) this.endQuestions();
    const questions = new Map(this.questions);
    if (question) questions.set(id, question);
    else questions.delete(id);
    this.questions = questions;
    if (answered) this.showAsked(question);
    else if (!question?.committed && this.trying?.id === tryOf(id)) this.leaveTry();
  }

  /** Shows exactly what a question asks about, once it is answered. */
  private showAsked({ id, title, values, committed }: Question): void {
    if (values && committed) this.tryOut({ id: tryOf(id), title, values, asked: true });
  }

  /** Questions that are over: their numbers leave the picture when the reader moves a knob or begins a try. */
  private endQuestions(): void {
    const open = [...this.questions].filter(([, { committed }]) => !committed);
    if (open.length < this.questions.size) this.questions = new Map(open);
  }

  /** The reader's answer and the true one, for pictures that have an axis for them; undefined while there is none. */
  protected get bothAnswers(): {
    readonly guess?: number | undefined;
    readonly truth?: number | undefined;
  } {
    const { guess, truth } = this.questionHere ?? {};
    return {
      guess: typeof guess === 'number' ? guess : undefined,
      truth: typeof truth === 'number' ? truth : undefined,
    };
  }

  /** The question that was just answered in the view that is being rendered, for a picture that draws both answers. */
  protected get answeredHere(): Question | undefined {
    const { questionHere } = this;
    return questionHere?.committed && questionHere.truth !== undefined ? questionHere : undefined;
  }

  /** A seed that was typed and refused. */
  private forgetSeed(): void {
    this.querySelector('attn-seed')?.forget();
  }

  private forgetMessages(): void {
    this.status = '';
    this.undoable = false;
    this.linkToShow = '';
  }

  /** The knobs have new values. */
  protected override onValues(): void {
    this.requestUpdate();
    this.refresh();
    this.tellKnobs();
  }

  // ---- asking the core ----

  protected override get answered(): boolean {
    return this.shown !== undefined;
  }

  protected override ask(): Promise<void> {
    return this.answer();
  }

  private async answer(): Promise<void> {
    this.behind = true;
    await this.asking(PATIENCE_MS, async (ask) => {
      if (this.beforeAsking) await this.beforeAsking(ask);
      const { values } = this;
      const result = await withKept(() => this.compute(values, ask));
      if (ask.signal.aborted) return;
      if (result === undefined) this.problem = undefined;
      else this.show({ values, result });
    });
    this.behind = false;
  }

  protected show(shown: Shown<StateOf<T>, Result>): void {
    this.shown = shown;
    this.behind = false;
    this.problem = undefined;
    this.loadFailure = '';
    // Without a sentence of its own, a picture must not be told of with that of the picture before it.
    this.say(this.summary(shown));
  }

  /** Runs `work`, which can be stopped and whose failure is said where it belongs. */
  protected async asking(patience: number, work: (ask: Ask) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    // For whoever waits for the page to rest, before a patient reader is told so too.
    this.toggleAttribute('data-at-work', true);
    this.stopped = false;
    this.progress = Number.NaN;
    const slow = setTimeout(() => {
      this.busy = true;
    }, patience);
    try {
      await work({
        signal: abort.signal,
        onProgress: (fraction) => {
          this.progress = fraction;
        },
      });
    } catch (error) {
      await this.fail(error, abort);
    } finally {
      clearTimeout(slow);
      // One that was superseded ends after the next has begun.
      if (this.abort === abort) {
        this.busy = false;
        this.toggleAttribute('data-at-work', false);
      }
    }
  }

  /** Handles the rejection that Stop causes. */
  protected get stoppedWords(): string {
    return strings.lab.stopped;
  }

  private async fail(error: unknown, abort: AbortController): Promise<void> {
    if (error instanceof SupersededError) return;
    if (error instanceof CancelledError || this.abort?.signal.aborted) {
      if (this.stopped) this.status = this.stoppedWords;
      return;
    }
    const words = await problemText(error);
    // The knobs may have moved while the words were fetched.
    if (abort !== this.abort) return;
    if (error instanceof KnobError) {
      this.sayAt(error.at, error.message);
      return;
    }
    if (!(error instanceof CoreError)) {
      // A part of the site did not arrive, or this is a bug: the page goes on working.
      this.problem = { at: AT_FIGURE, message: sentence(words) };
      return;
    }
    if (error.code === 'load') {
      this.loadFailure = words;
      return;
    }
    const trap = error.code === 'trap' || error.code === 'gone';
    if (trap) this.problem = { at: AT_FIGURE, ofCore: true, message: strings.lab.coreFailed };
    else this.sayAt(this.knobOf(error), sentence(words));
  }

  /** What is wrong, beside its knob. One that is in the sheet could not show it, so it is brought to the picture. */
  private sayAt(at: string, message: string): void {
    this.broughtForward.add(at);
    this.problem = { at, message };
  }

  private readonly remembered: { forget(): void }[] = [];

  /** Keeps answers that took long, until the reader wants them computed again. The arguments are those of `RecentAnswers`. */
  protected recentAnswers<Answer>(
    most: number,
    sizeOf?: (answer: Answer) => number,
  ): RecentAnswers<Answer> {
    const answers = new RecentAnswers<Answer>(most, sizeOf);
    this.remembered.push(answers);
    return answers;
  }

  /** What is under way is asked again by itself, see `withKept`. */
  private readonly restartCore = (): void => {
    for (const answers of this.remembered) answers.forget();
    this.tools.client.restart();
    this.refresh();
  };

  protected stop(): void {
    this.stopped = true;
    this.abort?.abort();
  }

  /** Announces the picture to screen readers once the knobs rest. */
  protected say(text: string): void {
    clearTimeout(this.speakTimer);
    this.speakTimer = setTimeout(() => {
      this.spoken = text;
    }, SPEAK_AFTER_MS);
  }

  // ---- parts ----

  protected errorFor(at: string): string {
    return this.problem?.at === at ? this.problem.message : '';
  }

  /** The view that is being rendered is the figure itself, and not a part of it beside other text. */
  protected get inOwnPlace(): boolean {
    return this.scope === this.place.id;
  }

  /** An id that nothing else on the page has, in the view that is being rendered. */
  protected idFor(name: string): string {
    return `${this.scope || this.place.id}-${name}`;
  }

  protected error(at: string): unknown {
    const message = this.errorFor(at);
    return message
      ? html`<p class="error" role="alert" id=${this.idFor(`error-${at}`)}>${message}</p>`
      : nothing;
  }

  /** Whether a knob is there: neither the place nor the link hides it. */
  protected offers(name: keyof T & string): boolean {
    return !this.place.hide?.includes(name) && !this.knobs?.hidden(name);
  }

  /** The knobs that are offered now. */
  private knobsNow(): readonly Knob<keyof T & string>[] {
    return this.controls.filter(({ name, when = true }) => when && this.offers(name));
  }

  /** The names of the knobs at first sight, and those of the others. */
  private knobNames(wanted?: readonly string[]): readonly [readonly string[], readonly string[]] {
    const names = this.knobsNow()
      .filter(({ placed }) => !(placed && this.whole))
      .map(({ name }) => name);
    const first = wanted ?? this.firstKnobs ?? names.slice(0, FIRST_KNOBS);
    const there = names.filter(
      (name) => first.includes(name) || (!wanted && this.broughtForward.has(name)),
    );
    return [there, names.filter((name) => !there.includes(name))];
  }

  private renderKnobSet(names: readonly string[]): unknown {
    return this.knobsNow()
      .filter(({ name }) => names.includes(name))
      .map((knob) => this.drawKnob(knob));
  }

  /** A knob that stands in the picture, if it says so (`placed`). */
  protected placed(name: keyof T & string): unknown {
    const knob = this.knobsNow().find((one) => one.name === name && one.placed);
    return knob ? this.drawKnob(knob) : nothing;
  }

  private drawKnob({ name, draw }: Knob<keyof T & string>): unknown {
    const { knobs } = this;
    if (!knobs) return nothing;
    return html`<div class="knob ${this.changed(name) ? 'changed' : ''}" data-knob=${name}>
      ${draw({
        value: this.values[name] as string | number | boolean,
        property: this.table[name],
        id: this.idFor(name),
        disabled: knobs.locked(name),
        error: this.errorFor(name),
        problem: this.error(name),
        set: (value, draft = false) =>
          this.set({ [name]: value } as Partial<StateOf<T>>, { draft }),
      })}${knobs.locked(name) ? lockedNote() : nothing}
    </div>`;
  }

  /** Which try is on, and what it has changed. */
  private renderTrying(): unknown {
    const { trying } = this;
    if (!trying || trying.asked) return nothing;
    const own = this.begunFrom;
    const changes = this.knobsNow().filter(({ name }) => this.changed(name));
    return html`<p class="trying" lang=${language}>
      <span class="tried"
        >${words.trying}: <strong lang=${this.wordsLang ?? nothing}>${prose(trying.title)}</strong>${changes.map(
          ({ name, label, say }) => html`
            · <span lang=${this.wordsLang ?? nothing}>${label}</span> ${say(own?.[name])} →
            <b>${say(trying.set[name])}</b>`,
        )}</span
      >
      <button class="plain" type="button" @click=${() => this.leaveTry()}>${words.mine}</button>
    </p>`;
  }

  protected resetButton(): unknown {
    return html`<button class="plain reset" type="button" lang=${language} @click=${() => this.reset()}>
      ${words.reset}
    </button>`;
  }

  // ---- files and links ----

  /** The name of a file without its extension. */
  protected fileName(_shown: Shown<StateOf<T>, Result>): string {
    return `attention-labs-${this.tools.lab}-${this.place.id}`;
  }

  /** The machine, where the numbers depend on it. */
  protected get measuredOn(): string {
    return '';
  }

  protected fullCaption(shown: Shown<StateOf<T>, Result>): string {
    const { measuredOn } = this;
    const parts = [this.caption(shown), measuredOn && `${measuredOn}.`];
    return [...parts, words.version(this.tools.version)].filter(Boolean).join(' ');
  }

  /** The link of what is shown, which may lag behind the knobs. */
  protected linkOf(values: StateOf<T>): string {
    const address = new URL(location.href);
    address.search = this.knobs?.search(values) ?? location.search;
    address.hash = this.opening ? '' : this.place.id;
    return address.href;
  }

  /** What a file says about the figure. */
  protected aboutFile(name: string, shown: Shown<StateOf<T>, Result>): About {
    return {
      name,
      heading: this.heading,
      caption: this.fullCaption(shown),
      lab: this.tools.lab,
      figure: this.place.id,
      version: this.tools.version,
      link: this.linkOf(shown.values),
      settings: shown.values as KnobValues,
    };
  }

  protected async save(kind: FileKind): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const about = this.aboutFile(`${this.fileName(shown)}.${kind}`, shown);
    const { canvases } = this;
    const { saveFigure } = await import('./save-and-share.ts');
    this.status = await saveFigure(kind, about, {
      data: () => this.data(shown),
      svg: async () => (await this.svg?.(shown)) ?? '',
      canvases: canvases && (async () => canvases.call(this, shown)),
    });
  }

  /** Copies an address; a figure with data of its own puts them into it. Returns what to tell the visitor. */
  protected async copyAddress(address: string): Promise<{ status: string; refused?: string }> {
    const { copyLink } = await import('./save-and-share.ts');
    return copyLink(address);
  }

  protected async copyLink(values: StateOf<T> = this.values): Promise<void> {
    const { status, refused } = await this.copyAddress(this.linkOf(values));
    this.status = status;
    this.linkToShow = refused ?? '';
    if (!refused) return;
    await this.updateComplete;
    this.querySelector<HTMLInputElement>('input.link')?.select();
  }

  /** One menu for all that leaves the page, and for computing again. It comes when it is opened for the first time. */
  protected renderSave(): unknown {
    if (!this.shown) return nothing;
    const { menu } = this;
    const load = async (): Promise<void> => {
      try {
        this.menu ??= await import('./save-menu.ts');
      } catch (error) {
        this.status = await problemText(error);
      }
    };
    return html`<details
      class="figure-tools"
      lang=${language}
      @toggle=${load}
      @keydown=${menu?.closeMenu}
      @focusout=${menu?.closeMenu}
    >
      <summary>${words.save}</summary>
      ${menu?.saveMenu({
        heading: this.heading,
        kinds: [
          ...(this.svg || this.canvases ? (['png'] as const) : []),
          ...(this.svg ? (['svg'] as const) : []),
          ...(['csv', 'json'] as const),
        ],
        copy: () => this.copyLink(),
        link: () => this.linkOf(this.values),
        save: (kind) => this.save(kind),
      })}
    </details>`;
  }

  /** What an experiment says below its tools. */
  protected renderKept(): unknown {
    return nothing;
  }

  protected renderMessages(): unknown {
    return messages({
      notices: this.notices,
      dismiss: (notice) => {
        this.notices = this.notices.filter((other) => other !== notice);
      },
      loadFailure: this.loadFailure,
      error: this.error(AT_FIGURE),
      restart: this.problem?.ofCore ? this.restartCore : undefined,
    });
  }

  /** The button that began the work has become its Stop. */
  protected get stopsItself(): boolean {
    return false;
  }

  protected renderProgress(): TemplateResult {
    return progressLine({
      id: this.idFor('progress'),
      busy: this.busy,
      progress: this.progress,
      stop: this.stopsItself ? undefined : () => this.stop(),
      restart: this.restartCore,
      status: this.status,
      undoable: this.undoable,
      link: this.linkToShow,
    });
  }

  // ---- the sheet ----

  private openSheet(id: string, open: boolean, focus = true): void {
    const over = !unfoldsInPlace();
    // Sheets lie over the same part of the window.
    const sheets = new Set(open && over ? [] : this.sheets);
    if (open && over) {
      const other = LabFigure.withSheet;
      if (other && other !== this) other.sheets = new Set();
      LabFigure.withSheet = this;
    }
    if (open) sheets.add(id);
    else sheets.delete(id);
    this.sheets = sheets;
    // What unfolds in its place is reached from its button by the next Tab.
    if (!focus || !over) return;
    void this.updateComplete.then(async () => {
      for (const view of this.views) await view.updateComplete;
      const focused = document.getElementById(open ? `${id}-sheet` : `${id}-more`);
      focused?.focus({ preventScroll: true });
      if (open && focused) (await import('./bring-above.ts')).bringAbove(focused);
    });
  }

  /** Escape closes the sheet wherever the keyboard is: the picture beside it can be used while it is open. */
  private readonly onSheetKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const over = [...this.sheets].find((id) =>
      document.getElementById(`${id}-sheet`)?.matches(':popover-open'),
    );
    if (over === undefined) return;
    event.preventDefault();
    this.openSheet(over, false);
  };

  private renderSheetButton(id: string, further: readonly string[]): unknown {
    const open = this.sheets.has(id);
    // Before there is a result, a sheet without a knob would be empty.
    const about = this.shown !== undefined && !this.veiled;
    if (!open && !about && further.length === 0 && !this.renderBelowKnobs) return nothing;
    const changed = further.filter((name) => this.changed(name)).length;
    return html`<button
      class="plain more-knobs"
      type="button"
      id="${id}-more"
      lang=${language}
      aria-expanded=${String(open)}
      aria-controls="${id}-sheet"
      @click=${() => this.openSheet(id, !open)}
    >
      ${words.more(further.length, changed)}
    </button>`;
  }

  /** All further knobs, tables, and what the picture was made from: over the text, beside the picture that it changes. */
  private renderSheet(id: string, further: readonly string[]): unknown {
    // Where all of a page is wanted at once, what a figure has is wanted once.
    const once = id === this.place.id || !document.documentElement.matches('[data-unfolded]');
    const open = once && this.sheets.has(id);
    // Who goes on from its end with the keyboard would be behind it.
    const onLeave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
      const sheet = currentTarget as HTMLElement;
      if (!(relatedTarget instanceof Node) || !sheet.matches(':popover-open')) return;
      if (!sheet.closest('.bench, .view')?.contains(relatedTarget))
        this.openSheet(id, false, false);
    };
    return html`<div
      class="sheet"
      id="${id}-sheet"
      role="dialog"
      tabindex="-1"
      aria-label=${words.sheet(this.heading)}
      popover="manual"
      ?hidden=${!open}
      ${ref((element) => showPopover(element, open))}
      @focusout=${onLeave}
    >
      ${open ? this.renderInSheet(id, further) : nothing}
    </div>`;
  }

  private renderInSheet(id: string, further: readonly string[]): unknown {
    const { shown, veiled } = this;
    return html`<div class="sheet-head" lang=${language}>
        <p class="sheet-title" lang=${this.wordsLang ?? nothing}>${prose(this.heading)}</p>
        <button class="button" type="button" @click=${() => this.openSheet(id, false)}>
          ${words.closeSheet}
        </button>
      </div>
      <div class="knobs knob-group" role="group" aria-label="${strings.lab.controls}: ${this.heading}">
        ${this.renderKnobSet(further)} ${this.renderBelowKnobs?.() ?? nothing}
        ${
          shown
            ? html`<button class="plain" type="button" lang=${language} @click=${() => this.restartCore()}>
                ${strings.lab.computeAgain}
              </button>`
            : nothing
        }
      </div>
      ${shown && !veiled ? (this.renderDetails?.(shown) ?? nothing) : nothing}
      ${this.renderKept()}
      ${shown && !veiled ? html`<p class="about fine">${prose(this.fullCaption(shown))}</p>` : nothing}`;
  }

  // ---- views ----

  private questionOf(view: string): Question | undefined {
    return [...this.questions.values()].findLast((question) => question.view === view);
  }

  /** The question that stands before the picture of the view that is being rendered. */
  private get questionHere(): Question | undefined {
    return this.questionOf(this.scope);
  }

  /** A question that is not answered yet hides the picture that would answer it. */
  protected get veiled(): boolean {
    return this.questionHere !== undefined && !this.questionHere.committed;
  }

  /** The picture of a view, what stands before it while a question is open, or that there is none yet. */
  private renderPictureOf(show: string | undefined): unknown {
    const { shown, questionHere: question } = this;
    if (this.veiled && question) return question.draw.open(question, this.renderAsked?.(question));
    if (!shown) return this.renderWithout();
    const draw = show === undefined ? undefined : this.pictures()[show];
    return draw ? draw(shown) : this.renderResult(shown);
  }

  /** Whether guess and truth stand above the picture; beside the question they always do, as numbers. */
  protected get hasRoomForAnswers(): boolean {
    return true;
  }

  /** What an open question shows of the figure: its axes and data without the answer. */
  protected renderAsked?(question: Question): unknown;

  /** The sentence below the picture: the result, or what a try has changed of it. */
  private renderLine(): unknown {
    const { shown, ghost } = this;
    if (!shown || this.veiled) return nothing;
    const said = ghost ? this.difference(ghost, shown) : this.resultLine(shown);
    return said ? html`<p class="result-line">${prose(said)}</p>` : nothing;
  }

  private renderFigureElement(spec: ViewSpec, heading: unknown): unknown {
    const { shown, questionHere: asked } = this;
    const title = `${spec.id}-title`;
    return html`<figure
      id=${spec.own ? this.place.id : nothing}
      class=${shown && this.busy && this.behind && !this.veiled ? 'earlier' : nothing}
      tabindex="-1"
      aria-labelledby=${title}
    >
      <div class="stage-head">
        ${this.opening && spec.own ? html`<h2 id=${title}>${heading}</h2>` : html`<h3 id=${title}>${heading}</h3>`}
        ${this.veiled ? nothing : this.renderTrying()}
      </div>
      ${spec.knobsInFigure ?? nothing}
      ${asked?.committed && this.hasRoomForAnswers ? asked.draw.answers(asked) : nothing}
      <div class="picture">${this.renderPictureOf(spec.show)}</div>
      ${this.renderLine()}
      <figcaption>${shown && !this.veiled ? prose(this.fullCaption(shown)) : nothing}</figcaption>
    </figure>`;
  }

  /**
   * A part of the figure: one picture, one sentence of its result, a few knobs; everything else is in the sheet. The
   * figure itself is shown so in its own place, and `<attn-view>` shows it so elsewhere.
   */
  renderView(spec: ViewSpec): unknown {
    this.scope = spec.id;
    this.whole = spec.show === undefined;
    const [there, further] = this.knobNames(spec.knobs);
    const title = spec.show === undefined ? undefined : this.titles[spec.show];
    // Before a question is answered there is nothing that a knob could change.
    const knobs =
      there.length > 0 && !this.veiled
        ? html`<div class="knobs view-knobs" role="group" aria-label="${strings.lab.controls}: ${this.heading}">
            ${this.renderKnobSet(there)}
          </div>`
        : nothing;
    return html`<div class="view" lang=${this.wordsLang ?? nothing}>
      <div class="view-inner stage">
        ${this.renderMessages()}
        ${this.renderFigureElement({ ...spec, knobsInFigure: knobs }, prose(title ?? this.heading))}
        <div class="figure-foot">
          ${this.renderProgress()}
          ${this.veiled ? nothing : html`${this.renderSheetButton(spec.id, further)} ${this.resetButton()} ${this.renderSave()}`}
        </div>
        ${this.renderSheet(spec.id, further)}
      </div>
    </div>`;
  }

  /** The titles of the pictures that views show, by name. */
  protected get titles(): Readonly<Record<string, string>> {
    return {};
  }

  /** The opening: its first knobs beside the picture, which stays at full size. */
  private renderBench(): unknown {
    const { id } = this.place;
    this.scope = id;
    this.whole = true;
    const [there, further] = this.knobNames();
    return html`<div class="bench" lang=${this.wordsLang ?? nothing}>
      <section class="knobs" role="group" aria-label="${strings.lab.controls}: ${this.heading}">
        <div class="knob-panel">
          <div class="knob-group">
            ${this.renderKnobSet(there)}
            <p class="knob-more">${this.renderSheetButton(id, further)} ${this.resetButton()}</p>
          </div>
        </div>
      </section>
      <div class="stage">
        <div class="view"><div class="view-inner">
          ${this.renderMessages()}
          ${this.renderFigureElement({ id, own: true }, prose(this.heading))}
          <div class="figure-foot">${this.renderProgress()} ${this.renderSave()}</div>
          ${this.renderSheet(id, further)}
        </div></div>
        ${this.renderBelow?.()}
      </div>
    </div>`;
  }

  override render(): unknown {
    const { id, show, knobs } = this.place;
    const question = this.questionOf(id);
    // The sentence of the result would answer an open question.
    const spoken = question && !question.committed ? '' : this.spoken;
    return html`${
      this.opening
        ? this.renderBench()
        : this.renderView({ id, own: true, ...(show && { show }), ...(knobs && { knobs }) })
    }
      <p class="visually-hidden" role="status" lang=${this.wordsLang ?? nothing}>${spoken}</p>`;
  }
}
