import { steps as stepsOfLabs } from 'virtual:labs/steps';
import { html, LitElement, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { plain } from '../../src/components/exercise/prose.ts';
import { unlessTyped } from '../../src/components/unless-typed.ts';
import { DRAWN } from '../../src/embed/obey-host.ts';
import { type Embedded, readable } from '../../src/embed/to-embed.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';
import { EXERCISE_PARTS } from '../../src/exercises/parts.ts';
import { download } from '../../src/export/download.ts';
import { spoken as inCharacters } from '../../src/lab/text/plain-text.ts';
import { type UrlHistory, urlHistory } from '../../src/state/history.ts';
import { namesKeptValue } from '../../src/state/long-values.ts';
import { embed as words } from '../../src/strings/embed.ts';
import {
  type LanguageId,
  langOf,
  language,
  languages,
  orEnglish,
} from '../../src/strings/language.ts';
import { problemText } from '../../src/strings/problem.ts';
import { type EmbedState, embedState } from './link-state.ts';
import type { PackageKind } from './make-package.ts';
import { type KnobsOfFigure, knobsIn, loadFigures } from './page-knobs.ts';
import {
  type Counted,
  countedOf,
  type List,
  listOf,
  type Offered,
  withCounted,
  withListed,
} from './query-lists.ts';
import { type Embedding, elementFile, SNIPPETS, type SnippetId } from './snippets.ts';

const { groups, list } = exerciseList.now;
/** The labs, in the order of the course. */
const labs = groups.filter(({ id }) => id in stepsOfLabs);

/** So often the page looks what has become of the lab in its frame, in milliseconds. */
const LOOK_EVERY = 400;

/** In place of a page that a policy or the network refused stands one of the browser's own. */
function isOurs(page: Window): boolean {
  try {
    return page.document !== null;
  } catch {
    return false;
  }
}

/**
 * Sets up a lab or an exercise for a course page, shows it in a frame, and says the lines to paste. The knobs of the lab
 * in the frame are those of the lines: whoever turns them there changes what is copied here.
 *
 * @element attn-embed-page
 */
@customElement('attn-embed-page')
export class AttnEmbedPage extends LitElement {
  @state() private values: EmbedState = embedState.defaults;
  @state() private notices: readonly string[] = [];
  @state() private figures: readonly KnobsOfFigure[] = [];
  @state() private loadingFigures = false;
  @state() private status: { readonly of: SnippetId; readonly text: string } | undefined;
  /** Where the lab goes: the line or the package that is shown. */
  @state() private goal: SnippetId | 'scorm' = 'iframe';
  @state() private kind: PackageKind = { scorm: '1.2', whole: false };
  @state() private packing: AbortController | undefined;
  @state() private packed = '';
  /** What was said of where the site is published, while this page is looked at on the instructor's own computer. */
  @state() private address = '';
  private url: UrlHistory | undefined;
  private looking: ReturnType<typeof setInterval> | undefined;
  private seen = '';
  /** What is scrolled to, as the step in the frame, stands below the lines where they stay in the window. */
  private readonly linesOver = new ResizeObserver(([entry]) => {
    const lines = entry?.target;
    const stays = lines && getComputedStyle(lines).position === 'sticky';
    const { style } = document.documentElement;
    style.scrollPaddingTop = stays ? `${lines.getBoundingClientRect().height}px` : '';
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.url = urlHistory();
    this.read(location.search);
    this.url.onChange((search) => this.read(search));
    this.looking = setInterval(() => this.look(), LOOK_EVERY);
    document.addEventListener('securitypolicyviolation', this.onRefused);
    void this.define();
  }

  protected override firstUpdated(): void {
    const lines = this.querySelector('.lines');
    if (lines) this.linesOver.observe(lines);
  }

  protected override updated(): void {
    // The policy of the site has no styles in markup.
    const around = this.querySelector<HTMLElement>('.around');
    if (around) around.style.maxWidth = this.values.width ? `${this.values.width}px` : '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.url?.dispose();
    clearInterval(this.looking);
    this.packing?.abort();
    this.linesOver.disconnect();
    document.removeEventListener('securitypolicyviolation', this.onRefused);
  }

  /** The element is the very file that the lines name. */
  private async define(): Promise<void> {
    try {
      await import(/* @vite-ignore */ elementFile({ site: this.site }));
    } catch (error) {
      this.notices = [...this.notices, await problemText(error)];
    }
  }

  private readonly onRefused = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'frame-src') this.notices = [words.noFrame];
  };

  private read(search: string): void {
    const { state, problems } = embedState.parse(search);
    const notices = problems.map(({ message }) => message);
    const { lab, exercise } = state;
    const known =
      exercise && !lab ? list.some(({ id }) => id === exercise) : !lab || lab in stepsOfLabs;
    if (!known) notices.push(words.unknown(lab || exercise));
    const first = !lab && (!exercise || !known) ? (labs[0]?.id ?? '') : '';
    this.values = known
      ? { ...state, lab: lab || first }
      : { ...embedState.defaults, lab: labs[0]?.id ?? '' };
    this.notices = notices;
    this.figures = [];
  }

  private set(patch: Partial<EmbedState>): void {
    this.values = embedState.clamp({ ...this.values, ...patch });
    this.status = undefined;
    this.url?.commit(embedState.print(this.values));
  }

  private choose(value: string): void {
    const [kind = '', id = ''] = value.split(':');
    // Knobs and steps of another page mean nothing on this one.
    this.set({ lab: '', exercise: '', step: '', query: '', [kind]: id });
    this.figures = [];
  }

  private get spoken(): LanguageId {
    const { language: chosen } = this.values;
    return chosen in languages ? (chosen as LanguageId) : language;
  }

  private get site(): string {
    return (
      new URL(language === 'en' ? '../../' : '../../../', location.href).href.split('?')[0] ?? ''
    );
  }

  private get embedding(): Embedding {
    const { values, spoken } = this;
    const site = this.published || this.site;
    return { ...values, site, language: spoken, title: this.heading };
  }

  /** Nobody else reaches the addresses of this page. */
  private get local(): boolean {
    return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(this.site).hostname);
  }

  /** The address that was said, with a slash at its end; empty where it is none. */
  private get published(): string {
    const address = URL.canParse(this.address) ? new URL(this.address) : undefined;
    const page = /[^/]*\.html$/;
    return address?.protocol.startsWith('http')
      ? `${address.origin}${address.pathname.replace(page, '').replace(/\/?$/, '/')}`
      : '';
  }

  private publish({ target }: Event): void {
    this.address = (target as HTMLInputElement).value.trim();
    this.status = undefined;
  }

  private get heading(): string {
    const { lab, exercise } = this.values;
    const found = lab ? labs.find(({ id }) => id === lab) : list.find(({ id }) => id === exercise);
    return plain(found?.title ?? '');
  }

  // ---- the lab in the frame ----

  private get page(): Window | undefined {
    const frame = this.querySelector('attention-lab')?.shadowRoot?.querySelector('iframe');
    return frame?.contentWindow ?? undefined;
  }

  /** The page in the frame is of this site, so what has become of its knobs is read from its address. */
  private look(): void {
    const { page } = this;
    if (!page || !isOurs(page) || !page.document.querySelector(DRAWN)) return;
    if (this.values.lab) {
      const figures = knobsIn(page.document);
      const keys = JSON.stringify(figures.map(({ id, knobs }) => [id, knobs.length]));
      if (keys !== JSON.stringify(this.figures.map(({ id, knobs }) => [id, knobs.length]))) {
        this.figures = figures;
      }
    }
    const { search } = page.location;
    if (search === this.seen) return;
    this.seen = search;
    const pairs = new URLSearchParams(search);
    pairs.delete('v');
    pairs.delete('id');
    pairs.delete('sent');
    // What is listed here may be on its way to the frame.
    const own = new URLSearchParams(this.values.query);
    for (const name of ['hide', 'lock', 'steps', 'exercises'] as const) {
      const names = own.get(name);
      if (names === null) pairs.delete(name);
      else pairs.set(name, names);
    }
    const query = readable(pairs);
    if (query !== this.values.query) this.set({ query });
  }

  private async all(): Promise<void> {
    const { page } = this;
    if (!page || !isOurs(page)) return;
    this.loadingFigures = true;
    await loadFigures(page.document);
    this.loadingFigures = false;
    this.look();
  }

  private async copy(of: SnippetId, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.status = { of, text: words.copied };
    } catch {
      const field = this.querySelector<HTMLTextAreaElement>(`#line-${of}`);
      field?.select();
      this.status = { of, text: words.select };
    }
  }

  // ---- what is shown ----

  private renderWhat(): unknown {
    const { lab, exercise, step, height, width } = this.values;
    const option = (kind: keyof Embedded, id: string, title: string, lang?: string) =>
      html`<option value="${kind}:${id}" lang=${lang ?? nothing} ?selected=${id === (kind === 'lab' ? lab : lab ? '' : exercise)}>
        ${plain(title)}
      </option>`;
    const size = (name: 'height' | 'width', value: string, least: number) => html`<p class="field">
      <label for=${name}>${words[name]}</label>
      <input id=${name} type="number" min=${least} max="5000" step="10" .value=${unlessTyped(value)}
        aria-describedby="${name}-note"
        @change=${({ target }: Event) => this.set({ [name]: Number((target as HTMLInputElement).value) })} />
      <span class="fine" id="${name}-note">${words[`${name}Note`]}</span>
    </p>`;
    return html`<p class="field">
        <label for="what">${words.what}</label>
        <select id="what" @change=${({ target }: Event) => this.choose((target as HTMLSelectElement).value)}>
          <optgroup label=${words.labs}>
            ${labs.map(({ id, title, lang }) => option('lab', id, title, lang))}
          </optgroup>
          ${groups.map(
            (
              group,
            ) => html`<optgroup label=${words.exercises(plain(group.title))} lang=${group.lang ?? nothing}>
              ${list
                .filter((one) => one.lab === group.id)
                .map(({ id, title, lang }) => option('exercise', id, title, lang))}
            </optgroup>`,
          )}
        </select>
      </p>
      <p class="field">
        <label for="in">${words.language}</label>
        <select id="in" @change=${({ target }: Event) => {
          const { value } = target as HTMLSelectElement;
          this.set({ language: value === language ? '' : value });
        }}>
          ${Object.entries(languages).map(
            ([id, name]) =>
              html`<option value=${id} lang=${id} ?selected=${id === this.spoken}>${name}</option>`,
          )}
        </select>
      </p>
      ${
        this.values.lab
          ? html`<p class="field">
              <label for="begin">${words.begin}</label>
              <select id="begin" @change=${({ target }: Event) => this.set({ step: (target as HTMLSelectElement).value })}>
                <option value="">${words.top}</option>
                ${this.steps.map(
                  ({
                    id,
                    title,
                    lang,
                  }) => html`<option value=${id} lang=${lang ?? nothing} ?selected=${id === step}>
                    ${title}
                  </option>`,
                )}
              </select>
            </p>`
          : nothing
      }
      <div class="sizes">${size('height', String(height), 200)} ${size('width', width ? String(width) : '', 0)}</div>`;
  }

  /** Where the site is, on a computer that nobody else reaches. */
  private renderSite(): unknown {
    if (!this.local) return nothing;
    const wrong = this.address !== '' && this.published === '';
    return html`<p class="notice" id="local">${words.local}</p>
      <p class="field published">
        <label for="published">${words.siteAddress}</label>
        <input id="published" type="url" placeholder="https://your.site/attention-labs/"
          aria-describedby="local ${wrong ? 'wrong-site' : ''}" aria-invalid=${wrong}
          .value=${unlessTyped(this.published || this.address)} @change=${this.publish} />
      </p>
      ${wrong ? html`<p class="error" role="alert" id="wrong-site">${words.wrongAddress}</p>` : nothing}`;
  }

  private get steps() {
    const { lab, query } = this.values;
    const by = stepsOfLabs[lab];
    if (!by) return [];
    const hidden = listOf(query, 'hide');
    return orEnglish(by).map((step) => ({
      ...step,
      title: inCharacters(step.title),
      lang: step.lang ?? langOf(by),
      shown: !hidden.includes(step.id),
      exercises: list.filter(({ place }) => place === `${lab}/${step.id}`).length,
    }));
  }

  private readonly mark = (kind: List, name: string, marked: boolean): void => {
    // A knob may have been turned just now.
    this.look();
    this.set({ query: withListed(this.values.query, kind, name, marked) });
  };

  private renderSteps(): unknown {
    const { steps } = this;
    if (steps.length === 0) return nothing;
    return html`<fieldset>
      <legend>${words.steps}</legend>
      <p class="fine">${words.stepsNote}</p>
      ${steps.map(
        ({ id, title, lang, shown, exercises }) => html`<label class="tick">
          <input type="checkbox" .checked=${live(shown)}
            @change=${({ target }: Event) => this.mark('hide', id, !(target as HTMLInputElement).checked)} />
          <span><span lang=${lang ?? nothing}>${title}</span>${
            exercises > 0
              ? html` <span class="count">${words.withExercises(exercises)}</span>`
              : nothing
          }</span>
        </label>`,
      )}
    </fieldset>`;
  }

  /** What of the lab can count for a grade: steps that ask something, and exercises, of what is shown. */
  private get offered(): Offered {
    const shown = this.steps.filter(({ shown }) => shown);
    return {
      steps: shown.filter(({ asks }) => asks).map(({ id }) => id),
      exercises: list
        .filter(({ place }) => shown.some(({ id }) => place === `${this.values.lab}/${id}`))
        .map(({ id }) => id),
    };
  }

  private renderCounts(): unknown {
    const { offered, steps } = this;
    if (offered.steps.length + offered.exercises.length === 0) return nothing;
    const counted = countedOf(this.values.query, offered);
    const row = (kind: Counted, id: string, title: string, lang: string | undefined) => html`<label
      class="tick"
    >
      <input type="checkbox" .checked=${live(counted[kind].includes(id))}
        @change=${({ target }: Event) => {
          this.look();
          const { checked } = target as HTMLInputElement;
          this.set({ query: withCounted(this.values.query, offered, kind, id, checked) });
        }} />
      <span><span lang=${lang ?? nothing}>${title}</span> <span class="count">${words.countKinds[kind]}</span></span>
    </label>`;
    const titles = new Map(steps.map((step) => [step.id, step]));
    return html`<details class="counts">
      <summary>${words.counts(counted.steps.length + counted.exercises.length)}</summary>
      <p class="fine">${words.countsNote}</p>
      ${offered.steps.map((id) => row('steps', id, titles.get(id)?.title ?? id, titles.get(id)?.lang))}
      ${offered.exercises.map((id) => {
        const one = list.find((exercise) => exercise.id === id);
        return row('exercises', id, plain(one?.title ?? id), one?.lang);
      })}
    </details>`;
  }

  private renderParts(): unknown {
    const { lab } = this.values;
    if (lab && !this.steps.some(({ exercises }) => exercises > 0)) return nothing;
    const hidden = listOf(this.values.query, 'hide');
    return html`<fieldset>
      <legend>${words.parts}</legend>
      ${EXERCISE_PARTS.map(
        (part) => html`<label class="tick">
          <input type="checkbox" .checked=${live(!hidden.includes(part))}
            @change=${({ target }: Event) => this.mark('hide', part, !(target as HTMLInputElement).checked)} />
          <span>${words.partNames[part]}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  private renderKnobs(): unknown {
    const { figures } = this;
    if (!this.values.lab) return nothing;
    const [hidden, locked] = [listOf(this.values.query, 'hide'), listOf(this.values.query, 'lock')];
    const tick = (kind: List, key: string, marked: boolean) => html`<td>
      <input type="checkbox" aria-label=${kind === 'hide' ? words.hide(key) : words.lock(key)} .checked=${live(marked)}
        @change=${({ target }: Event) => this.mark(kind, key, (target as HTMLInputElement).checked)} />
    </td>`;
    return html`<fieldset class="knob-list">
      <legend>${words.knobs}</legend>
      <p class="fine">${words.knobsNote}</p>
      ${
        figures.length === 0
          ? html`<p class="fine" role="status">${words.waiting}</p>`
          : figures.map(
              ({ heading, lang, knobs }) => html`<table>
                <caption lang=${lang || nothing}>${heading}</caption>
                <thead>
                  <tr>
                    <th scope="col"><span class="visually-hidden">${words.knob}</span></th>
                    <th scope="col">${words.hidden}</th>
                    <th scope="col">${words.locked}</th>
                  </tr>
                </thead>
                <tbody>
                  ${knobs.map(
                    ({ key, label }) => html`<tr>
                      <th scope="row"><span lang=${lang || nothing}>${label}</span> <code>${key}</code></th>
                      ${tick('hide', key, hidden.includes(key))} ${tick('lock', key, locked.includes(key))}
                    </tr>`,
                  )}
                </tbody>
              </table>`,
            )
      }
      ${
        figures.length === 0
          ? nothing
          : html`<button class="button" type="button" ?disabled=${this.loadingFigures} @click=${() => this.all()}>
              ${this.loadingFigures ? words.loading : words.all}
            </button>`
      }
    </fieldset>`;
  }

  private renderPreview(): unknown {
    const { lab, exercise, step, query, height } = this.values;
    return html`<section class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">${words.preview}</h2>
      <div class="around">
        <attention-lab
          base=${this.site}
          lab=${lab || nothing}
          exercise=${lab ? nothing : exercise}
          step=${step || nothing}
          query=${query || nothing}
          lang=${this.spoken}
          height=${height}
          loading="eager"
          title=${this.heading}
        ></attention-lab>
      </div>
    </section>`;
  }

  private renderLines(): unknown {
    const { embedding, goal } = this;
    const ids = Object.keys(SNIPPETS) as SnippetId[];
    return html`<section class="lines" aria-labelledby="lines-title">
      <h2 id="lines-title">${words.lines}</h2>
      ${namesKeptValue(SNIPPETS.link(embedding)) ? html`<p class="notice">${words.kept}</p>` : nothing}
      <p class="field goal">
        <label for="goal">${words.goal}</label>
        <select id="goal" @change=${({ target }: Event) => {
          this.goal = (target as HTMLSelectElement).value as typeof this.goal;
        }}>
          ${[...ids, 'scorm' as const].map(
            (id) => html`<option value=${id} ?selected=${id === goal}>
              ${(id === 'scorm' ? words.scorm : words.snippets[id])[0]}
            </option>`,
          )}
        </select>
      </p>
      ${ids.map((id) => {
        const [title, about] = words.snippets[id];
        const text = SNIPPETS[id](embedding);
        return html`<section aria-labelledby="of-${id}" ?hidden=${id !== goal}>
          <h3 class="visually-hidden" id="of-${id}">${title}</h3>
          <p class="fine">${about}</p>
          <textarea id="line-${id}" readonly spellcheck="false" aria-labelledby="of-${id}" rows=${Math.min(text.split('\n').length, 12)} .value=${text}></textarea>
          <div class="line">
            <button class="button" type="button" @click=${() => this.copy(id, text)}>
              ${words.copy}<span class="visually-hidden">: ${title}</span>
            </button>
            <p class="status" role="status">${this.status?.of === id ? this.status.text : ''}</p>
          </div>
        </section>`;
      })}
      ${this.renderPackages()}
    </section>`;
  }

  /** A page that came by https, as those of course systems do, shows no frame that comes by http. */
  private get reachable(): boolean {
    const { protocol, hostname } = new URL(this.embedding.site);
    return protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname);
  }

  private async pack(): Promise<void> {
    // A knob may have been turned just now.
    this.look();
    const packing = new AbortController();
    this.packing = packing;
    this.packed = words.packing;
    try {
      const { makePackage, nameOf } = await import('./make-package.ts');
      const { embedding, reachable } = this;
      const kind = { ...this.kind, whole: this.kind.whole || !reachable };
      const told = (files: number, bytes: number): void => {
        this.packed = words.packed(files, bytes / 2 ** 20);
      };
      const zip = await makePackage(embedding, kind, this.site, told, packing.signal);
      download(nameOf(embedding, kind), new Blob([zip], { type: 'application/zip' }));
      this.packed = words.downloaded(zip.length / 1024);
    } catch (error) {
      this.packed = packing.signal.aborted
        ? words.stopped
        : words.notPacked(error instanceof Error ? error.message : String(error));
    } finally {
      this.packing = undefined;
    }
  }

  /** The packages for a course system, made of what the page is set to, in the browser. */
  private renderPackages(): unknown {
    const { kind, packing, reachable } = this;
    const whole = kind.whole || !reachable;
    const choice = (
      is: boolean,
      [title, about]: readonly [string, string],
    ) => html`<label class="tick">
      <input type="radio" name="whole" ?disabled=${!is && !reachable} .checked=${live(whole === is)}
        @change=${() => {
          this.kind = { ...kind, whole: is };
        }} />
      <span>${title} <span class="count">${about}</span></span>
    </label>`;
    return html`<section class="package" aria-labelledby="of-scorm" ?hidden=${this.goal !== 'scorm'}>
      <h3 class="visually-hidden" id="of-scorm">${words.scorm[0]}</h3>
      <p class="fine">${words.scorm[1]}</p>
      <fieldset>
        <legend class="visually-hidden">${words.scorm[0]}</legend>
        ${choice(false, words.remote)} ${choice(true, words.whole)}
        ${reachable ? nothing : html`<p class="fine">${words.notReachable}</p>`}
        <p class="field">
          <label for="scorm">${words.version}</label>
          <select id="scorm" @change=${({ target }: Event) => {
            this.kind = {
              ...kind,
              scorm: (target as HTMLSelectElement).value as PackageKind['scorm'],
            };
          }}>
            ${(['1.2', '2004'] as const).map(
              (one) =>
                html`<option value=${one} ?selected=${one === kind.scorm}>${words.versions[one]}</option>`,
            )}
          </select>
        </p>
      </fieldset>
      <div class="line">
        <button class="button" type="button" ?disabled=${packing !== undefined} @click=${() => this.pack()}>
          ${words.pack}
        </button>
        ${
          packing
            ? html`<button class="button" type="button" @click=${() => packing.abort()}>${words.stop}</button>`
            : nothing
        }
        <p class="status" role="status">${this.packed}</p>
      </div>
    </section>`;
  }

  override render() {
    return html`<div class="messages">
        ${this.notices.map((notice) => html`<p class="notice" role="alert">${notice}</p>`)}
      </div>
      <div class="body">
        <form class="settings" aria-labelledby="settings-title" @submit=${(event: Event) => event.preventDefault()}>
          <h2 id="settings-title">${words.settings}</h2>
          ${this.renderSite()} ${this.renderWhat()} ${this.renderSteps()} ${this.renderCounts()} ${this.renderParts()} ${this.renderKnobs()}
        </form>
        <div class="beside">${this.renderLines()} ${this.renderPreview()}</div>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-embed-page': AttnEmbedPage;
  }
}
