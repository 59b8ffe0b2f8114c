import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { CancelledError, CoreError, SupersededError } from '#client';
import '../components/seed/seed.ts';
import '../components/slider/slider.ts';
import { formatExact } from '../plot/format.ts';
import type { Property, PropertyTable, StateOf } from '../state/url.ts';
import { strings } from '../strings/index.ts';
import { language } from '../strings/language.ts';
import { problemText } from '../strings/problem.ts';
import { isDark, onThemeChange } from '../styles/theme.ts';
import { messages, progressLine } from './figure-messages.ts';
import { figureWords as words } from './figure-words.ts';
import { withKept } from './kept-inputs.ts';
import { KnobError } from './knob-error.ts';
import { formulaName } from './plain-text.ts';
import { prose } from './prose.ts';
import { RecentAnswers } from './recent-answers.ts';
import type { About } from './save-and-share.ts';
import { lockedNote, TriedFigure } from './tried-figure.ts';
import type { Ask, FigureData, FigurePlace, KnobValues, LabData, LabTools } from './types';
import type { UrlStore } from './url-store.ts';

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

export interface SliderOptions {
  readonly label: string;
  /** As in `<attn-slider>`: `d_k`. */
  readonly symbol?: string;
  readonly log?: boolean;
  readonly step?: number;
  /** An end that follows from other knobs; the others are stated in the table, for links too. */
  readonly max?: number;
  /** A line below the slider. */
  readonly note?: string;
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

/** How a knob and its values are called in one line. */
interface KnobName {
  readonly label: unknown;
  readonly say: (value: unknown) => unknown;
}

const nameOf = ({ symbol, label }: SliderOptions): unknown => {
  const [letter, below] = symbol?.split('_') ?? [];
  return letter
    ? html`<span class="symbol">${letter}${below ? html`<sub>${below}</sub>` : nothing}</span>`
    : label;
};

export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

/** The range of a knob, and how it is moved. */
function rangeOf(
  property: Property | undefined,
  options: Partial<SliderOptions> = {},
): Pick<NumberKnob, 'min' | 'max' | 'step' | 'log'> {
  const whole = property?.kind === 'integer';
  const limits = whole || property?.kind === 'number' ? property : undefined;
  const min = limits?.min ?? 0;
  const max = options.max ?? limits?.max ?? 1;
  const step = options.step ?? (whole ? 1 : Number(((max - min) / 200).toPrecision(1)));
  return { min, max, step, log: options.log ?? false };
}

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
  @state() private notices: readonly string[] = [];
  @state() private loadFailure = '';
  @state() private linkToShow = '';
  @state() private spoken = '';
  /** Whether the knobs beyond the first ones are unfolded; undefined before anything said so. */
  @state() private unfolded: boolean | undefined;

  /** The knobs that the last rendering offered, in order, and their names. */
  private readonly offered = new Map<string, KnobName | undefined>();
  private folded: readonly string[] = [];
  /** How the sliders that were drawn last move their knobs. */
  private readonly sliders = new Map<string, Partial<SliderOptions>>();
  private readonly ends: (() => void)[] = [];
  protected abort: AbortController | undefined;
  private stopped = false;
  /** The knobs were asked about, and what is shown is still the answer before. */
  private behind = false;
  private speakTimer: ReturnType<typeof setTimeout> | undefined;

  // ---- what a subclass says ----

  /** Undefined where the reader has yet to give something: what is shown stays, and nothing is wrong. */
  protected abstract compute(values: StateOf<T>, ask: Ask): Promise<Result | undefined>;
  /** What has to be there before the values can be read: it is awaited before each question. */
  protected beforeAsking?(ask: Ask): Promise<void>;
  protected abstract renderKnobs(): unknown;
  /** Knobs that stand in the picture, each where it acts, and fold with the others. */
  protected renderPlacedKnobs?(): unknown;
  protected abstract renderResult(shown: Shown<StateOf<T>, Result>): unknown;
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
    if (this.moving) return;
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
    const { data } = this.tools;
    if (data && !this.opening) this.ends.push(data.onChange(() => this.refresh()));
    this.ends.push(
      onThemeChange(() => {
        this.dark = isDark();
      }),
    );
    if (this.knobsLast) this.watchWidth();
    this.refresh();
    void this.updateComplete.then(() => this.tellKnobs());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.moving) return;
    for (const end of this.ends.splice(0)) end();
    this.knobs?.dispose();
    clearTimeout(this.speakTimer);
    this.abort?.abort();
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

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.fold();
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
      ...rangeOf(property, this.sliders.get(name)),
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
      this.busy = false;
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

  /** What is wrong, beside its knob. One that is folded away could not show it, so the knobs are unfolded. */
  private sayAt(at: string, message: string): void {
    if (this.folded.includes(at)) this.unfolded = true;
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

  /** An id that no other figure of the page has. */
  protected idFor(name: string): string {
    return `${this.place.id}-${name}`;
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

  /** A knob, unless the place or the link hides it; disabled where the link locks it. */
  protected knob(
    name: keyof T & string,
    content: (disabled: boolean) => unknown,
    called?: KnobName,
  ): unknown {
    const { knobs } = this;
    if (!knobs || !this.offers(name)) return nothing;
    if (!this.offered.has(name)) this.offered.set(name, called);
    const folded = this.folded.includes(name);
    const more = this.folded[0] === name ? this.renderMore() : nothing;
    return html`${more}<div
        class="knob ${folded ? 'folded' : ''} ${this.changed(name) ? 'changed' : ''}"
        data-knob=${name}
        ?hidden=${folded && !this.unfolded}
      >
        ${content(knobs.locked(name))}${knobs.locked(name) ? lockedNote() : nothing}
      </div>`;
  }

  /** The knobs beyond the first ones are folded away. A link that sets one of them unfolds them. */
  private fold(): void {
    this.offered.clear();
    this.folded = [];
    // This rendering only tells which knobs there are.
    this.renderKnobs();
    this.renderPlacedKnobs?.();
    const names = [...this.offered.keys()];
    const first = this.firstKnobs ?? names.slice(0, FIRST_KNOBS);
    this.folded = names.filter((name) => !first.includes(name));
    const own = this.knobs?.values;
    if (
      this.unfolded === undefined &&
      this.folded.some((name) => own?.[name] !== this.defaults[name])
    ) {
      this.unfolded = true;
    }
  }

  private renderMore(): unknown {
    const changed = this.folded.filter((name) => this.changed(name)).length;
    return html`<button
      class="plain more-knobs"
      type="button"
      lang=${language}
      aria-expanded=${String(this.unfolded ?? false)}
      @click=${() => {
        this.unfolded = !this.unfolded;
      }}
    >
      ${this.unfolded ? words.fewer : words.more(this.folded.length, changed)}
    </button>`;
  }

  private renderTrying(): unknown {
    const { trying } = this;
    if (!trying) return nothing;
    const own = this.knobs?.values;
    const changes = [...this.offered].filter(([name, called]) => called && this.changed(name));
    return html`<p class="trying" lang=${language}>
      <span class="tried"
        >${words.trying}: <strong lang=${this.wordsLang ?? nothing}>${prose(trying.title)}</strong>${changes.map(
          ([name, called]) => html`
            · <span lang=${this.wordsLang ?? nothing}>${called?.label}</span> ${called?.say(own?.[name])} →
            <b>${called?.say(trying.set[name])}</b>`,
        )}</span
      >
      <button class="plain" type="button" @click=${() => this.leaveTry()}>${words.mine}</button>
    </p>`;
  }

  protected slider(name: keyof T & string, options: SliderOptions): unknown {
    const property: Property | undefined = this.table[name];
    const { min, max, step, log } = rangeOf(property, options);
    this.sliders.set(name, options);
    const move = (event: CustomEvent<number>, draft: boolean): void =>
      this.set({ [name]: event.detail } as Partial<StateOf<T>>, { draft });
    return this.knob(
      name,
      (disabled) => html`<attn-slider
          .symbol=${options.symbol ?? ''}
          .label=${options.label}
          .min=${min}
          .max=${max}
          .step=${step}
          ?log=${log}
          .value=${this.values[name] as number}
          .error=${this.errorFor(name)}
          ?disabled=${disabled}
          @attn-input=${(event: CustomEvent<number>) => move(event, true)}
          @attn-change=${(event: CustomEvent<number>) => move(event, false)}
        ></attn-slider>
        ${options.note ? html`<p class="fine">${prose(options.note)}</p>` : nothing}`,
      { label: nameOf(options), say: (value) => formatExact(Number(value)) },
    );
  }

  protected toggle(
    name: keyof T & string,
    { label, note }: { readonly label: string; readonly note?: string },
  ): unknown {
    return this.knob(
      name,
      (disabled) => html`<label class="switch">
          <input
            type="checkbox"
            role="switch"
            .checked=${live(this.values[name] as boolean)}
            ?disabled=${disabled}
            @change=${(event: Event) =>
              this.set({
                [name]: (event.target as HTMLInputElement).checked,
              } as Partial<StateOf<T>>)}
          />
          <span>${prose(label)}${note ? html`<small>${prose(note)}</small>` : nothing}</span>
        </label>
        ${this.error(name)}`,
      { label: prose(label), say: (value) => (value ? words.on : words.off) },
    );
  }

  /** Few options are shown side by side, many in a list. */
  protected choice(
    name: keyof T & string,
    {
      label,
      options,
      list = Object.keys(options).length > 4,
    }: {
      readonly label: string;
      readonly options: Readonly<Record<string, string>>;
      readonly list?: boolean;
    },
  ): unknown {
    const value = this.values[name] as string;
    const id = this.idFor(name);
    const choose = (chosen: string): void => this.set({ [name]: chosen } as Partial<StateOf<T>>);
    const drawn = (disabled: boolean): unknown =>
      list
        ? html`<div class="choice">
              <label for=${id}>${prose(label)}</label>
              <select
                id=${id}
                ?disabled=${disabled}
                aria-invalid=${this.errorFor(name) ? 'true' : 'false'}
                @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
              >
                ${Object.entries(options).map(
                  ([option, text]) =>
                    html`<option value=${option} .selected=${live(option === value)}>${text}</option>`,
                )}
              </select>
            </div>
            ${this.error(name)}`
        : html`<fieldset class="choice">
              <legend>${prose(label)}</legend>
              <div class="segments">
                ${Object.entries(options).map(
                  ([option, text]) => html`<label
                    ><input
                      type="radio"
                      name=${id}
                      value=${option}
                      aria-label=${formulaName(text) ?? nothing}
                      .checked=${live(option === value)}
                      ?disabled=${disabled}
                      @change=${() => choose(option)}
                    /><span>${prose(text)}</span></label
                  >`,
                )}
              </div>
            </fieldset>
            ${this.error(name)}`;
    return this.knob(name, drawn, {
      label: prose(label),
      say: (value) => prose(options[String(value)] ?? String(value)),
    });
  }

  /** A line of text, or `rows` lines. Its greatest length is stated in the table. */
  protected line(
    name: keyof T & string,
    { label, rows = 1 }: { readonly label: string; readonly rows?: number },
  ): unknown {
    const property: Property | undefined = this.table[name];
    const most = property?.kind === 'text' ? property.maxLength : undefined;
    const id = this.idFor(name);
    const value = this.values[name] as string;
    const invalid = this.errorFor(name) ? 'true' : 'false';
    const changed = (event: Event): void =>
      this.set({
        [name]: (event.target as HTMLInputElement | HTMLTextAreaElement).value,
      } as Partial<StateOf<T>>);
    const field = (disabled: boolean): unknown =>
      rows === 1
        ? html`<input
            id=${id}
            type="text"
            maxlength=${most ?? nothing}
            .value=${live(value)}
            ?disabled=${disabled}
            aria-invalid=${invalid}
            @change=${changed}
          />`
        : html`<textarea
            id=${id}
            rows=${rows}
            maxlength=${most ?? nothing}
            .value=${live(value)}
            ?disabled=${disabled}
            aria-invalid=${invalid}
            @change=${changed}
          ></textarea>`;
    return this.knob(
      name,
      (disabled) => html`<div class="choice">
          <label for=${id}>${label}</label>
          ${field(disabled)}
        </div>
        ${this.error(name)}`,
      { label, say: String },
    );
  }

  protected seed(name: keyof T & string = 'seed'): unknown {
    const property: Property | undefined = this.table[name];
    const most = property?.kind === 'integer' ? property.max : 2 ** 31 - 1;
    return this.knob(
      name,
      (disabled) => html`<attn-seed
        field=${this.idFor(name)}
        .value=${this.values[name] as number}
        .max=${most}
        .error=${this.errorFor(name)}
        ?disabled=${disabled}
        @attn-change=${({ detail }: CustomEvent<number>) =>
          this.set({ [name]: detail } as Partial<StateOf<T>>)}
      ></attn-seed>`,
      { label: strings.lab.seed, say: String },
    );
  }

  protected resetButton(): unknown {
    return html`<button class="button reset" type="button" lang=${language} @click=${() => this.reset()}>
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

  protected async save(kind: 'png' | 'svg' | 'csv' | 'json'): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const name = `${this.fileName(shown)}.${kind}`;
    const about = this.aboutFile(name, shown);
    const files = await import('./save-and-share.ts');
    switch (kind) {
      case 'png':
        this.status = this.canvases
          ? await files.saveCanvases(about, await this.canvases(shown))
          : await files.saveSvgAsPng(about, (await this.svg?.(shown)) ?? '');
        break;
      case 'svg':
        this.status = files.saveText(name, (await this.svg?.(shown)) ?? '', 'image/svg+xml');
        break;
      case 'csv':
        this.status = files.saveCsv(about, this.data(shown));
        break;
      case 'json':
        this.status = files.saveJson(about, this.data(shown));
        break;
    }
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

  /** The buttons below the figure. */
  protected renderTools(): unknown {
    if (!this.shown) return nothing;
    const button = (label: string, title: string, act: () => unknown) =>
      html`<button class="quiet" type="button" title=${title} aria-label=${title} @click=${act}>
        ${label}
      </button>`;
    return html`<div class="figure-tools" role="group" lang=${language} aria-label=${words.tools(this.heading)}>
      ${this.svg || this.canvases ? button('PNG', words.png, () => this.save('png')) : nothing}
      ${this.svg ? button('SVG', words.svg, () => this.save('svg')) : nothing}
      ${button('CSV', words.csv, () => this.save('csv'))}
      ${button('JSON', words.json, () => this.save('json'))}
      ${button('Link', words.link, () => this.copyLink())}
      ${button('↻', strings.lab.computeAgain, () => this.restartCore())}
    </div>`;
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

  protected renderProgress(): TemplateResult {
    return progressLine({
      id: this.idFor('progress'),
      busy: this.busy,
      progress: this.progress,
      stop: () => this.stop(),
      restart: this.restartCore,
      status: this.status,
      undoable: this.undoable,
      link: this.linkToShow,
    });
  }

  private renderPanel(): unknown {
    return html`<section class="knobs" role="group" aria-label="${strings.lab.controls}: ${this.heading}">
      <div class="knob-panel">
        <div class="knob-group">${this.renderKnobs()} ${this.resetButton()}</div>
      </div>
    </section>`;
  }

  private renderStage(): unknown {
    const { shown } = this;
    const title = this.idFor('title');
    // First, because what a try has changed is also said of the knobs that stand in the picture.
    const result = shown ? this.renderResult(shown) : nothing;
    return html`<div class="stage">
          ${this.renderMessages()}
          <figure
            id=${this.place.id}
            class=${shown && this.busy && this.behind ? 'earlier' : nothing}
            tabindex="-1"
            aria-labelledby=${title}
          >
            <div class="stage-head">
              ${
                this.opening
                  ? html`<h2 id=${title}>${prose(this.heading)}</h2>`
                  : html`<h3 id=${title}>${prose(this.heading)}</h3>`
              }
              ${this.renderTrying()}
            </div>
            ${shown ? result : this.renderWithout()}
            <figcaption>${shown ? prose(this.fullCaption(shown)) : nothing}</figcaption>
          </figure>
          <div class="figure-foot">${this.renderProgress()} ${this.renderTools()}</div>
          ${this.renderBelow?.()}
        </div>`;
  }

  override render(): unknown {
    const parts = ['knobs', 'stage'];
    // The parts are moved, not rendered again, so they keep their state when a phone is turned.
    return html`<div class="bench" lang=${this.wordsLang ?? nothing}>
        ${repeat(
          this.turned ? parts.reverse() : parts,
          (part) => part,
          (part) => (part === 'knobs' ? this.renderPanel() : this.renderStage()),
        )}
      </div>
      <p class="visually-hidden" role="status" lang=${this.wordsLang ?? nothing}>${this.spoken}</p>`;
  }
}
