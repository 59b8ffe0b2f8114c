/**
 * `<attention-lab>`: a lab or an exercise in a page of someone else's. It is a frame that behaves, and no more: it is as
 * tall as its page, starts when the reader comes near it and not with nine others at once, and changes by message what
 * its attributes say, so that no work is lost. Built as one file with a stable name, `attention-lab.js`
 * (plugins/element.ts), and safe to import where there is no document. docs/embedding.md shows how it is used.
 *
 * @element attention-lab
 * @attr lab - a lab, by the name of its folder
 * @attr exercise - an exercise, by its id, in place of a lab
 * @attr step - the step of the lab, or the figure, where it begins
 * @attr query - what a link of the site has behind its `?`; every other attribute is one pair of it: `map="relu"`,
 *   `hide="seed,scale"`, `lock="n"`. Names in capitals go into `query`: HTML makes attributes small
 * @attr lang - the language of the page; that of the page around where it is left out
 * @attr base - the folder of the site; that of this file where it is left out
 * @attr loading - `lazy` (default), `eager`, or `click`
 * @attr poster - a picture until the lab is there; an element with `slot="poster"` does the same
 * @attr height - what is reserved until the page has said how tall it is, in pixels
 * @attr title - what the frame is called for a screen reader
 * @attr theme - `light`, `dark` or `auto`, whatever the system has
 * @attr font-size - of the page inside, in percent
 * @fires load - the page inside is there
 * @fires error - it will not come: `detail.reason` is `'address'` or `'silent'`
 * @fires resize - `detail.height`
 * @fires progress - `detail.state`, or `detail.name` and `detail.data`
 * @fires score - `detail.score` from 0 to 1, after a Run, and `detail.state`
 * @csspart frame - the iframe
 * @csspart poster - what stands in its place until then
 * @csspart start - the button of `loading="click"`
 * @csspart status - the line that says what is going on
 */
import type { LanguageId } from '../../strings/language.ts';
import { type Asked, addressOf, isOfQuery } from './address.ts';
import { BootQueue } from './boot-queue.ts';

declare const __VERSION__: string;
const VERSION = typeof __VERSION__ === 'string' ? __VERSION__ : '';
const NAME = 'attention-lab';
// Vite would take `new URL('.', import.meta.url)` for an asset.
const HERE = import.meta.url;

/** So many labs start at once. */
const AT_ONCE = 2;
/** A page that has not drawn after this time no longer holds up the next one, in milliseconds. */
const LONGEST_START = 12_000;
/** A page that has said nothing after this time will not come. */
const SILENT = 30_000;
/** So long may it take to hand over what was done. */
const LONGEST_PARK = 2000;
const TALLEST = 60_000;

const WORDS: Readonly<
  Record<LanguageId, Record<'open' | 'loading' | 'address' | 'silent' | 'tab', string>>
> = {
  en: {
    open: 'Open the lab',
    loading: 'Loading the lab …',
    address: 'This lab has no address.',
    silent: 'The lab does not answer.',
    tab: 'Open it in a tab of its own',
  },
  de: {
    open: 'Lab öffnen',
    loading: 'Das Lab wird geladen …',
    address: 'Dieses Lab hat keine Adresse.',
    silent: 'Das Lab antwortet nicht.',
    tab: 'In einem eigenen Tab öffnen',
  },
};

const CSS = `
:host { display: block; position: relative }
:host([hidden]) { display: none }
iframe { display: block; width: 100%; border: 0; box-sizing: content-box }
[part=poster] { position: absolute; inset: 0; z-index: 1; display: grid; place-items: center; overflow: hidden; pointer-events: none }
[part=poster] > * { grid-area: 1 / 1 }
[part=poster] img, ::slotted([slot=poster]) { max-width: 100%; max-height: 100% }
[part=start] { pointer-events: auto; font: inherit; padding: .6em 1.2em; cursor: pointer }
[part=status] { margin: 0; padding: .5em; font: .875em system-ui, sans-serif }
.room { min-height: var(--attention-lab-min-height, 20rem) }
:host([data-stage=ready]) :is([part=poster], [part=status], .instead), :host([data-stage=error]) :is(.room, [part=poster]) { display: none }
@media print { :host .instead.instead { display: block } }
`;

const LOOKS = ['theme', 'font-size'];

const queue = new BootQueue(AT_ONCE);
let sheet: CSSStyleSheet | undefined;

/**
 * `idle`: not near enough, or not pressed yet. `waiting`: others start first. `parked`: taken out of memory until it is
 * asked for.
 */
export type Stage = 'idle' | 'waiting' | 'loading' | 'ready' | 'error' | 'parked';

// In Node there is nothing to derive from, and nothing is defined.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class AttentionLab extends Base {
  static readonly version = VERSION;

  private frame: HTMLIFrameElement | undefined;
  /** What the page in the frame was asked to show last. */
  private shown: Asked | undefined;
  /** The page inside has spoken. */
  private alive = false;
  private kept: unknown;
  /** The last question for the kept work, while the page around has not said what it is. */
  private question: unknown;
  private leave: (() => void) | undefined;
  private readonly timers: ReturnType<typeof setTimeout>[] = [];
  /** Ends the wait for the page inside, which is to be parked. */
  private parked: (() => void) | undefined;
  private readonly ends: (() => void)[] = [];
  private resolve!: (self: this) => void;
  private reject!: (reason: Error) => void;
  private promise!: Promise<this>;

  constructor() {
    super();
    this.promiseAgain();
  }

  /** Resolves when the page inside is there. */
  get ready(): Promise<this> {
    return this.promise;
  }

  /**
   * The student's work, as the page inside made it: opaque, to be kept and given back. Setting it, to `null` where there
   * is none yet, says that the page around keeps it; only then does the page inside hand over work and scores.
   */
  get state(): unknown {
    return this.kept;
  }
  set state(state: unknown) {
    this.kept = state;
    if (this.question !== undefined) this.answer(this.question);
    this.question = undefined;
  }

  connectedCallback(): void {
    // Set before the element was defined, by a script that came first.
    if (Object.hasOwn(this, 'state')) {
      const { state } = this;
      Reflect.deleteProperty(this, 'state');
      this.state = state;
    }
    this.draw();
    const watch = new MutationObserver((changes) => {
      const counts = ({ attributeName: name }: MutationRecord): boolean =>
        name !== null &&
        (isOfQuery(name) || ['lab', 'exercise', 'step', 'query', 'lang', 'base'].includes(name));
      if (changes.some(counts)) this.follow();
      if (changes.some(({ attributeName: name }) => LOOKS.includes(`${name}`))) this.look();
    });
    watch.observe(this, { attributes: true });
    addEventListener('message', this.hear);
    this.ends.push(
      () => watch.disconnect(),
      () => removeEventListener('message', this.hear),
    );
    this.begin();
  }

  disconnectedCallback(): void {
    for (const end of this.ends.splice(0)) end();
    // The browser has thrown the page in the frame away. Where the element is put again, it begins anew.
    this.empty();
  }

  /** `moveBefore` keeps the page in the frame, and nothing has to begin anew. */
  connectedMoveCallback(): void {}

  private get words() {
    return WORDS[(this.spoken.split('-')[0] ?? '') as LanguageId] ?? WORDS.en;
  }

  private get spoken(): string {
    return this.closest<HTMLElement>('[lang]')?.lang.toLowerCase() ?? '';
  }

  private get asked(): Asked | undefined {
    const pairs = Array.from(this.attributes, ({ name, value }) => [name, value] as const);
    const given = this.getAttribute('base');
    const [path, from] =
      given === null ? ['.', HERE] : [given.replace(/\/?$/, '/'), document.baseURI];
    return URL.canParse(path, from)
      ? addressOf(pairs, new URL(path, from).href, this.spoken)
      : undefined;
  }

  private piece(name: string): HTMLElement {
    return this.shadowRoot?.querySelector(`[part=${name}]`) as HTMLElement;
  }

  private set stage(stage: Stage) {
    this.dataset.stage = stage;
    this.piece('start').hidden =
      stage !== 'parked' && (stage !== 'idle' || this.getAttribute('loading') !== 'click');
    const said = { idle: '', waiting: this.words.loading, loading: this.words.loading };
    this.say(said[stage as keyof typeof said] ?? '');
  }

  private say(text: string, link?: string): void {
    const status = this.piece('status');
    status.textContent = text;
    if (!link) return;
    const { tab } = this.words;
    status.append(
      ' ',
      Object.assign(document.createElement('a'), {
        href: link,
        target: '_blank',
        textContent: tab,
      }),
    );
  }

  private draw(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(CSS);
    }
    root.adoptedStyleSheets = [sheet];
    root.innerHTML =
      '<div class="place room"></div><div part="poster"><slot name="poster"><img alt="" hidden></slot><button part="start" type="button"></button></div><p part="status" role="status"></p><slot class="instead"></slot>';
    this.piece('start').addEventListener('click', () => this.load());
  }

  private promiseAgain(): void {
    this.promise = new Promise<this>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever does not ask hears of it by the event.
    this.promise.catch(() => undefined);
  }

  private get place(): HTMLElement {
    return this.shadowRoot?.querySelector('.place') as HTMLElement;
  }

  private begin(): void {
    const [poster, height] = [this.getAttribute('poster'), Number(this.getAttribute('height'))];
    const image = this.piece('poster').querySelector('img') as HTMLImageElement;
    image.hidden = !poster;
    if (poster) image.src = poster;
    if (height > 0) this.place.style.minHeight = `${Math.min(height, TALLEST)}px`;
    this.piece('start').textContent = this.words.open;
    this.stage = 'idle';
    const loading = this.getAttribute('loading');
    if (loading === 'click') return;
    if (loading === 'eager') {
      this.load();
      return;
    }
    const near = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        this.load();
      },
      { rootMargin: '600px' },
    );
    near.observe(this.place);
    this.ends.push(() => near.disconnect());
  }

  /** Loads the page, when its turn comes. */
  load(): void {
    if (this.leave || this.frame || !this.isConnected) return;
    if (!this.asked) {
      this.fail('address');
      return;
    }
    this.stage = 'waiting';
    this.leave = queue.enter(() => this.show());
  }

  private show(): void {
    const { asked } = this;
    if (!asked) {
      this.fail('address');
      return;
    }
    this.stage = 'loading';
    const frame = document.createElement('iframe');
    frame.part.add('frame');
    frame.allow = 'clipboard-write';
    frame.title =
      this.title || `Attention Labs: ${this.getAttribute('lab') ?? this.getAttribute('exercise')}`;
    frame.style.minHeight = this.place.style.minHeight;
    frame.className = 'room';
    this.frame = frame;
    this.shown = asked;
    frame.src = asked.page + asked.search + asked.hash;
    this.timers.push(
      setTimeout(() => this.started(), LONGEST_START),
      setTimeout(() => this.fail('silent'), SILENT),
    );
    this.place.style.display = 'none';
    this.place.before(frame);
  }

  /** The page has drawn: the next one may start. */
  private started(): void {
    this.leave?.();
  }

  private empty(): void {
    this.leave?.();
    this.leave = undefined;
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.frame?.remove();
    this.frame = undefined;
    this.shown = undefined;
    this.question = undefined;
    this.place.style.display = '';
    if (this.alive || this.dataset.stage === 'error') this.promiseAgain();
    this.alive = false;
  }

  /**
   * Takes the page out of memory, once it has handed over what was done there; `load()`, or the reader's press, brings it
   * back as the attributes say. To be called before the element is moved, too, which would end the page without a word.
   */
  park(): Promise<void> {
    return new Promise((done) => {
      const end = (): void => {
        this.parked = undefined;
        const height = this.frame?.clientHeight;
        this.empty();
        if (height) this.place.style.minHeight = `${height}px`;
        this.stage = 'parked';
        done();
      };
      if (!this.alive) return end();
      this.parked = end;
      this.timers.push(setTimeout(end, LONGEST_PARK));
      this.post({ type: 'attention-labs:park' });
    });
  }

  private look(): void {
    const [theme, size] = LOOKS.map((name) => this.getAttribute(name));
    this.post({ type: 'attention-labs:look', theme, size });
  }

  private fail(reason: 'address' | 'silent'): void {
    if (this.alive) return;
    const link = this.asked && this.asked.page + this.asked.search + this.asked.hash;
    this.leave?.();
    this.stage = 'error';
    this.say(this.words[reason], link);
    this.reject(new Error(`${NAME}: ${reason}`));
    this.tell('error', { reason });
  }

  /**
   * `load`, `error` and `resize` do not rise, as those of other elements do not: the page around has listeners on its
   * window by these names that are about the window.
   */
  private tell(name: string, detail: object, rises = false): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: rises, composed: rises }));
  }

  /** The attributes are others: what the page shows is set by message, and another page is loaded. */
  private follow(): void {
    const { asked, shown } = this;
    if (!this.frame) {
      if (this.dataset.stage === 'error') {
        this.empty();
        this.load();
      }
      return;
    }
    if (asked?.page !== shown?.page) {
      this.empty();
      this.load();
    } else if (this.alive) this.set();
  }

  private set(): void {
    const { asked, shown } = this;
    if (!asked || (asked.search === shown?.search && asked.hash === shown.hash)) return;
    const { search } = asked;
    const step = asked.hash === shown?.hash ? '' : asked.hash.slice(1);
    this.shown = asked;
    this.post({ type: 'attention-labs:set', search, step });
  }

  private post(message: object): void {
    if (this.shown)
      this.frame?.contentWindow?.postMessage(message, new URL(this.shown.page).origin);
  }

  private answer(id: unknown): void {
    this.post({ subject: 'SPLICE.getState.response', message_id: id, state: this.kept });
  }

  /** Only the frame's own page is heard. */
  private readonly hear = ({ source, origin, data }: MessageEvent): void => {
    const { frame, shown } = this;
    if (!frame || !shown || source !== frame.contentWindow) return;
    if (origin !== new URL(shown.page).origin || typeof data !== 'object' || !data) return;
    switch (data.type ?? data.subject) {
      case 'attention-labs:hello':
        this.live();
        break;
      case 'attention-labs:drawn':
        this.started();
        break;
      case 'attention-labs:parked':
        this.parked?.();
        break;
      case 'attention-labs:height': {
        const { height } = data;
        if (!Number.isFinite(height) || height <= 0) break;
        frame.style.minHeight = '0';
        frame.style.height = `${Math.min(height, TALLEST)}px`;
        this.tell('resize', { height });
        break;
      }
      case 'SPLICE.getState':
        if (this.kept === undefined) this.question = data.message_id;
        else this.answer(data.message_id);
        break;
      case 'SPLICE.reportScoreAndState': {
        const { score, state } = data;
        if (this.kept !== undefined) this.kept = state;
        this.tell('progress', { state }, true);
        if (Number.isFinite(score) && score >= 0 && score <= 1)
          this.tell('score', { score, state }, true);
        break;
      }
      case 'SPLICE.sendEvent':
        this.tell('progress', { name: data.name, data: data.data }, true);
    }
  };

  private live(): void {
    if (LOOKS.some((name) => this.hasAttribute(name))) this.look();
    // A page greets again when it can do more, and when the reader has reloaded it.
    if (this.alive) return;
    this.alive = true;
    this.stage = 'ready';
    this.set();
    this.resolve(this);
    this.tell('load', {});
  }
}

const registry = globalThis.customElements;
const first = registry?.get(NAME) as typeof AttentionLab | undefined;
if (first && first.version !== VERSION) {
  console.warn(`<${NAME}> ${VERSION} is not used: ${first.version} came first on this page.`);
}
if (!first) registry?.define(NAME, AttentionLab);

declare global {
  interface HTMLElementTagNameMap {
    'attention-lab': AttentionLab;
  }
}
