import { html, LitElement, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { ForeignCode } from '../../src/components/exercise/exercise.ts';
import { facts } from '../../src/components/exercise/facts.ts';
import { theProgress } from '../../src/components/exercise/page-work.ts';
import { plain, prose, type RenderedTex } from '../../src/components/exercise/prose.ts';
import { unlessTyped } from '../../src/components/unless-typed.ts';
import { exerciseList, type ListedExercise } from '../../src/exercises/exercise-list.ts';
import {
  type Before,
  type ImportStep,
  keyOf,
  newerIn,
  type Work,
} from '../../src/exercises/kept-work.ts';
import { isOfThisPage, pageOf } from '../../src/exercises/page-of.ts';
import type { Language } from '../../src/exercises/types';
import {
  isBlank,
  type LabRecord,
  mergedRecords,
  type RecordsBefore,
  recordsIn,
  theRecords,
} from '../../src/lab/questions/answer-records.ts';
import { type UrlHistory, urlHistory } from '../../src/state/history.ts';
import { englishForNow, forNow } from '../../src/strings/english-for-now.ts';
import { exercises as words } from '../../src/strings/exercises.ts';
import { language, languages } from '../../src/strings/language.ts';
import { problemText } from '../../src/strings/problem.ts';
import { type PageState, pageState, printKnobs, readKnobs, withOldNames } from './link-state.ts';

const { groups, list } = exerciseList.now;
/** The title of a lab or of another group of exercises. */
const titleOf = (group: string): string => groups.find(({ id }) => id === group)?.title ?? group;
const listed = (id: string): ListedExercise | undefined => list.find((one) => one.id === id);
/** `lang` of that title. */
const langOf = (group: string) => groups.find(({ id }) => id === group)?.lang ?? nothing;
/** The groups that have an exercise. */
const LABS = groups.map(({ id }) => id).filter((id) => list.some(({ lab }) => lab === id));
const MARKS = {
  none: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11',
  begun: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 2.5v11',
  passed: 'M2.5 8.5l4 4l7-9',
} as const;

type Standing = keyof typeof MARKS;

/** What reading a file would do to the answers in a lab. */
interface LabStep {
  readonly record: LabRecord;
  readonly existing: LabRecord | undefined;
}

/** Which exercises of the list are shown; level 0 is any. */
interface Filter {
  readonly text: string;
  readonly level: (typeof LEVELS)[number];
  readonly open: boolean;
}
const LEVELS = [0, 1, 2, 3] as const;

/** The links to the page in other languages, and what they said before. */
const switches = [...document.querySelectorAll('attn-language-switch a')].map((link) => ({
  link,
  said: link.textContent,
}));

/** Says beside a link to another language that the exercise is in English there, before it is followed. */
function remarkOn(one: ListedExercise | undefined): void {
  for (const { link, said } of switches) {
    const lacked = one?.lacks?.find((id) => id === link.getAttribute('hreflang'));
    if (!lacked || lacked === 'en') {
      link.replaceChildren(said);
      continue;
    }
    const remark = Object.assign(document.createElement('small'), {
      lang: lacked,
      textContent: englishForNow[lacked].short,
    });
    link.replaceChildren(languages[lacked], ' ', remark);
  }
}

const files = () => import('../../src/components/exercise/submission-files.ts');

/**
 * The page of exercises: the list of all, or one of them, and what is kept of a student's work.
 *
 * @element attn-exercises-page
 */
@customElement('attn-exercises-page')
export class AttnExercisesPage extends LitElement {
  @state() private values: PageState = pageState.defaults;
  @state() private notices: readonly string[] = [];
  @state() private works: readonly Work[] = [];
  @state() private foreign: ForeignCode | undefined;
  @state() private formulas: RenderedTex = {};
  @state() private ready = false;
  @state() private failure = '';
  @state() private status = '';
  @state() private problem = '';
  @state() private earlier: Before | undefined;
  @state() private earlierAnswers: RecordsBefore = [];
  @state() private plan: readonly ImportStep[] | undefined;
  @state() private labPlan: readonly LabStep[] = [];
  @state() private student = '';
  @state() private scratch = false;
  /** The preset that the sheet begins with. */
  private sheet = '';
  @state() private filter: Filter = { text: '', level: 0, open: false };
  @state() private labToReset = LABS[0] ?? '';

  @query('.opening-one') private opening: HTMLElement | null | undefined;

  private url: UrlHistory | undefined;
  private others: readonly (readonly [string, string])[] = [];
  /** What the link takes away: hints, the solution. */
  @state() private hide: ReadonlySet<string> = new Set();
  private readonly undo: (() => void)[] = [];

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const progress = theProgress();
    this.url = urlHistory();
    this.notices = this.read(location.search);
    this.undo.push(
      this.url.onChange((search) => {
        this.notices = this.read(search);
        void this.readHash();
      }),
      progress.listen({
        onSaved: () => void this.refresh(),
        onReplaced: () => void this.refresh(),
        onProblem: (reason) => {
          this.problem = reason ? words.kept.problem(reason) : '';
        },
      }),
    );
    const onHash = (): void => void this.readHash();
    addEventListener('hashchange', onHash);
    this.undo.push(() => removeEventListener('hashchange', onHash));
    void this.readHash();
    void this.refresh();
    void progress.student().then((name) => {
      this.student = name;
    });
    void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.undo.splice(0)) stop();
    this.url?.dispose();
  }

  /** The code of an exercise is loaded when one is opened. */
  private async begin(): Promise<void> {
    this.failure = '';
    try {
      const tex = await import('virtual:formulas/exercises');
      this.formulas = tex.formulas;
      if (!this.values.id) return;
      await import('../../src/components/exercise/exercise.ts');
      this.ready = true;
    } catch (error) {
      this.failure = words.page.failed(await problemText(error));
    }
  }

  private read(search: string): string[] {
    const { state, problems, others, hide } = pageState.parse(withOldNames(search));
    this.values = state;
    this.hide = hide;
    this.others = others;
    const notices = problems.map(({ message }) => message);
    if (state.id && !this.current) {
      notices.push(words.page.unknown(state.id));
      this.values = pageState.defaults;
    }
    document.title = words.page.documentTitle(
      this.current ? plain(this.current.title) : words.page.title,
    );
    remarkOn(this.current);
    if (this.values.id && !this.ready) void this.begin();
    if (this.values.sheet) void this.openScratch(this.values.sheet);
    return notices;
  }

  private get current() {
    return listed(this.values.id);
  }

  private set(patch: Partial<PageState>, { draft = false } = {}): void {
    this.values = { ...this.values, ...patch };
    const search = pageState.print(this.values, { hide: this.hide, others: this.others });
    if (draft) this.url?.draft(search);
    else this.url?.commit(search);
  }

  /** The link holds code: the page shows it and runs it only when the visitor asks. */
  private async readHash(): Promise<void> {
    const packed = new URLSearchParams(location.hash.slice(1)).get('code');
    if (!packed) return;
    try {
      const { unpackText } = await import('../../src/state/pack-text.ts');
      this.foreign = { code: await unpackText(packed), notice: words.foreign.link };
    } catch {
      this.notices = [...this.notices, words.foreign.damaged];
    }
  }

  /** The code is taken out of the address, so that Back and reload do not bring it again. */
  private foreignSettled = (): void => {
    this.foreign = undefined;
    history.replaceState(null, '', `${location.pathname}${location.search}`);
  };

  private address(id: string): string {
    const state = id
      ? { ...pageState.defaults, id, language: this.values.language }
      : pageState.defaults;
    const printed = pageState.print(state, { hide: this.hide, others: this.others });
    const one = listed(id);
    return isOfThisPage(one) ? printed || location.pathname : `./${pageOf(one)}${printed}`;
  }

  /** Opens another view of this page without loading the page again. */
  private go(event: MouseEvent, id: string): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      return;
    }
    // Another page shows it, and the link leads there.
    if (!isOfThisPage(listed(id))) return;
    event.preventDefault();
    this.open(id);
  }

  private open(id: string): void {
    this.foreign = undefined;
    if (location.hash) history.replaceState(null, '', `${location.pathname}${location.search}`);
    this.notices = [];
    this.set({ id, knobs: '' });
    this.notices = this.read(location.search);
    window.scrollTo(0, 0);
    void this.updateComplete.then(() => this.opening?.focus({ preventScroll: true }));
  }

  // ---- what is kept ----

  private async refresh(): Promise<void> {
    this.works = await theProgress().all();
  }

  private standing(id: string): Standing {
    const works = this.works.filter((work) => work.exercise === id);
    if (works.some(({ firstPassed }) => firstPassed)) return 'passed';
    return works.length > 0 ? 'begun' : 'none';
  }

  private passedIn(id: string): string[] {
    return this.works
      .filter(({ exercise, firstPassed }) => exercise === id && firstPassed)
      .map(({ language }) => words.languages[language]);
  }

  private get passed(): number {
    return list.filter(({ id }) => this.standing(id) === 'passed').length;
  }

  private async export(): Promise<void> {
    const { saveProgress } = await files();
    this.tell(words.kept.exported(await saveProgress(theProgress())));
  }

  private async submitAll(): Promise<void> {
    await theProgress().flush();
    const { saveSubmission } = await files();
    const works = await theProgress().all();
    this.tell(words.kept.exported(await saveSubmission(theProgress(), works, 'all')));
  }

  private async readFile(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const text = await file.text();
      const plan = await theProgress().plan(text);
      const left = newerIn(text);
      this.labPlan = await Promise.all(
        recordsIn(text).map(async (record) => {
          const mine = await theRecords().open(record.lab);
          return { record, existing: isBlank(mine) ? undefined : mine };
        }),
      );
      this.plan = plan;
      this.tell(left > 0 ? words.kept.newerLeft(left) : '');
      await this.updateComplete;
      this.querySelector<HTMLElement>('.plan h3')?.focus();
    } catch (error) {
      this.plan = undefined;
      this.tell(await problemText(error));
    }
  }

  private get planned(): readonly Work[] {
    return (this.plan ?? []).filter(({ kind }) => kind !== 'same').map(({ work }) => work);
  }

  private async apply(): Promise<void> {
    const [works, labs] = [this.planned, this.labPlan];
    this.plan = undefined;
    this.earlier = await theProgress().replace(works);
    this.earlierAnswers = await theRecords().restore(
      labs.map(({ record, existing }) => [
        record.lab,
        existing ? mergedRecords(existing, record) : record,
      ]),
    );
    this.tell(words.kept.imported(works.length + labs.length));
    await this.focusStatus();
  }

  private async reset(): Promise<void> {
    const lab = this.labToReset;
    const ids = new Set(list.filter((one) => one.lab === lab).map(({ id }) => id));
    const keys = this.works
      .filter(({ exercise }) => ids.has(exercise))
      .map(({ exercise, language }) => keyOf(exercise, language));
    const answered = !isBlank(await theRecords().open(lab));
    if (keys.length === 0 && !answered) {
      this.earlier = undefined;
      this.tell(words.kept.resetNothing(titleOf(lab)));
      return;
    }
    this.earlier = await theProgress().remove(keys);
    this.earlierAnswers = answered ? await theRecords().restore([[lab, undefined]]) : [];
    this.tell(words.kept.resetDone(titleOf(lab), keys.length + (answered ? 1 : 0)));
    await this.focusStatus();
  }

  private async takeBack(): Promise<void> {
    const { earlier, earlierAnswers } = this;
    if (!earlier) return;
    this.earlier = undefined;
    this.earlierAnswers = [];
    await theProgress().restore(earlier);
    await theRecords().restore(earlierAnswers);
    this.tell(words.kept.undone);
  }

  private async focusStatus(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>('.kept .undo')?.focus();
  }

  private tell(status: string): void {
    this.status = status;
  }

  // ---- what is shown ----

  private mark(standing: Standing) {
    return html`<svg class="mark ${standing}" viewBox="0 0 16 16" aria-hidden="true">
      <path d=${MARKS[standing]} />
    </svg>`;
  }

  private get filtered(): readonly ListedExercise[] {
    const { text, level, open } = this.filter;
    const wanted = text.trim().toLowerCase();
    return list.filter(
      ({ id, title, summary, difficulty }) =>
        (wanted === '' ||
          `${id} ${plain(title)} ${plain(summary)}`.toLowerCase().includes(wanted)) &&
        (level === 0 || difficulty === level) &&
        !(open && this.standing(id) === 'passed'),
    );
  }

  /** An exercise to begin with: easy, short, and nothing has to come before it. */
  private renderFirst() {
    const first = list.find(
      ({ id, difficulty, minutes, buildsOn }) =>
        difficulty === 1 && minutes <= 5 && buildsOn.length === 0 && this.standing(id) !== 'passed',
    );
    if (!first) return nothing;
    const { id, title, lang, ...about } = first;
    return html`<p class="first-one">
      ${words.page.first}
      <a
        lang=${lang ?? nothing}
        href=${this.address(id)}
        @click=${(event: MouseEvent) => this.go(event, id)}
        >${prose(title, this.formulas)}</a
      >, ${words.facts.minutes(about.minutes)}
    </p>`;
  }

  private renderFilter(fit: number) {
    const texts = words.page.filter;
    const { text, level, open } = this.filter;
    const set = (part: Partial<Filter>): void => {
      this.filter = { ...this.filter, ...part };
    };
    return html`<form
      class="filter"
      role="search"
      aria-label=${texts.label}
      @submit=${(event: Event) => event.preventDefault()}
    >
      <label
        >${texts.search}
        <input
          type="search"
          .value=${live(text)}
          @input=${(event: Event) => set({ text: (event.target as HTMLInputElement).value })}
      /></label>
      <label
        >${texts.level}
        <select
          @change=${(event: Event) => set({ level: LEVELS[(event.target as HTMLSelectElement).selectedIndex] ?? 0 })}
        >
          ${LEVELS.map(
            (one) => html`<option
              .selected=${level === one}
            >
              ${one === 0 ? texts.all : words.facts.difficulty[one]}
            </option>`,
          )}
        </select></label
      >
      <label class="tick"
        ><input
          type="checkbox"
          .checked=${live(open)}
          @change=${(event: Event) => set({ open: (event.target as HTMLInputElement).checked })}
        />${texts.open}</label
      >
      <p class="fine" role="status">${fit === list.length ? '' : texts.found(fit, list.length)}</p>
    </form>`;
  }

  private renderList() {
    const fitting = this.filtered;
    return html`<div class="opening">
        <h1 class="opening-one" tabindex="-1">${words.page.title}</h1>
        <p class="lead">${words.page.lead}</p>
        <p class="fine total">${words.page.summary(this.passed, list.length)}</p>
        ${this.renderFirst()}
      </div>
      <div class="body">
        ${this.renderFilter(fitting.length)}
        ${LABS.map((lab) => {
          const shown = fitting.filter((one) => one.lab === lab);
          if (shown.length === 0) return nothing;
          const some = list.filter((one) => one.lab === lab);
          const passed = some.filter(({ id }) => this.standing(id) === 'passed').length;
          return html`<section class="lab" aria-labelledby="lab-${lab}">
            <div class="lab-head">
              <h2 id="lab-${lab}" lang=${langOf(lab)}>${titleOf(lab)}</h2>
              <p class="fine">${words.page.labSummary(passed, some.length)}</p>
            </div>
            <ol>
              ${shown.map(({ id, title, summary, lang, ...about }) => {
                const standing = this.standing(id);
                const languages = this.passedIn(id);
                return html`<li>
                  ${this.mark(standing)}
                  <div>
                    <a
                      lang=${lang ?? nothing}
                      href=${this.address(id)}
                      @click=${(event: MouseEvent) => this.go(event, id)}
                      >${prose(title, this.formulas)}</a
                    >
                    <p class="about" lang=${lang ?? nothing}>${prose(summary, this.formulas)}</p>
                    ${facts(about, this.formulas)}
                    ${lang && forNow ? html`<p class="fine for-now">${forNow.short}</p>` : nothing}
                  </div>
                  <span class="fine standing"
                    >${
                      languages.length > 0
                        ? words.page.passedIn(languages)
                        : words.page.states[standing]
                    }</span
                  >
                </li>`;
              })}
            </ol>
          </section>`;
        })}
        ${this.renderKept()}
      </div>`;
  }

  private renderKept() {
    const texts = words.kept;
    return html`<section class="kept" aria-labelledby="kept-title">
      <h2 id="kept-title">${texts.title}</h2>
      <p>${texts.intro}</p>
      <p class=${this.problem ? 'notice' : ''} role="status">${this.problem}</p>
      <div class="buttons">
        <button class="button" type="button" @click=${() => this.export()}>${texts.export}</button>
        <button
          class="button"
          type="button"
          @click=${() => this.querySelector<HTMLInputElement>('.kept input[type=file]')?.click()}
        >
          ${texts.import}
        </button>
        <input
          type="file"
          hidden
          aria-label=${texts.import}
          accept="application/json,.json"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            const [file] = input.files ?? [];
            input.value = '';
            void this.readFile(file);
          }}
        />
      </div>
      <div class="line">
        <p class="status" role="status">${this.status}</p>
        ${
          this.earlier
            ? html`<button class="plain undo" type="button" @click=${() => this.takeBack()}>
                ${texts.undo}
              </button>`
            : nothing
        }
      </div>
      ${this.renderPlan()}
      <div class="pairs">
        <p>
          <label for="student">${texts.student}</label>
          <input
            id="student"
            autocomplete="name"
            maxlength="120"
            aria-describedby="student-note"
            .value=${unlessTyped(this.student)}
            @change=${(event: Event) => {
              this.student = (event.target as HTMLInputElement).value.trim();
              void theProgress().setStudent(this.student);
            }}
          />
          <button class="button" type="button" @click=${() => this.submitAll()}>
            ${texts.submission}
          </button>
          <span id="student-note" class="fine">${texts.studentNote}</span>
        </p>
        <p>
          <label for="reset-lab">${texts.reset}</label>
          <select
            id="reset-lab"
            @change=${(event: Event) => {
              this.labToReset = (event.target as HTMLSelectElement).value;
            }}
          >
            ${LABS.map((lab) => html`<option value=${lab} lang=${langOf(lab)}>${titleOf(lab)}</option>`)}
          </select>
          <button class="button" type="button" @click=${() => this.reset()}>
            ${texts.resetButton}
          </button>
        </p>
      </div>
    </section>`;
  }

  private renderPlan() {
    const { plan } = this;
    if (!plan) return nothing;
    const texts = words.kept.plan;
    const when = (iso: string): string =>
      iso
        ? new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
        : '';
    const count = this.planned.length + this.labPlan.length;
    return html`<section class="plan" aria-labelledby="plan-title">
      <h3 id="plan-title" tabindex="-1">${texts.title}</h3>
      ${
        plan.length + this.labPlan.length === 0
          ? html`<p>${texts.nothing}</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label=${texts.table}>
              <table>
                <thead>
                  <tr>
                    ${Object.values(texts.columns).map((name) => html`<th scope="col">${name}</th>`)}
                  </tr>
                </thead>
                <tbody>
                  ${plan.map(({ work, kind, existing }) => {
                    const title = list.find(({ id }) => id === work.exercise)?.title;
                    return html`<tr>
                      <th scope="row">
                        ${texts.step(title ? plain(title) : work.exercise, words.languages[work.language])}
                      </th>
                      <td>${texts[kind]}</td>
                      <td>${existing ? when(existing.changed) : ''}</td>
                      <td>${when(work.changed)}</td>
                    </tr>`;
                  })}
                  ${this.labPlan.map(
                    ({ record: { lab, changed }, existing }) => html`<tr>
                      <th scope="row">${texts.labStep(titleOf(lab))}</th>
                      <td>${existing ? texts.joins : texts.new}</td>
                      <td>${existing ? when(existing.changed) : ''}</td>
                      <td>${when(changed)}</td>
                    </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
      <div class="buttons">
        <button class="button" type="button" ?disabled=${count === 0} @click=${() => this.apply()}>
          ${texts.apply(count)}
        </button>
        <button
          class="button"
          type="button"
          @click=${() => {
            this.plan = undefined;
          }}
        >
          ${texts.cancel}
        </button>
      </div>
    </section>`;
  }

  /** The lab of an exercise, which leads back to the step where the exercise stands. */
  private renderPlace({ lab, place }: (typeof list)[number]): unknown {
    const title = html`<span lang=${langOf(lab)}>${titleOf(lab)}</span>`;
    if (place === undefined) return title;
    const [id, step] = place.split('/');
    const remark = forNow && langOf(lab) === 'en' ? ` (${forNow.short})` : '';
    return html`<a class="to-lab" href="../../labs/${id}/index.html#${step}">${title}${remark}</a>`;
  }

  private renderOne() {
    const { values, current, ready, failure } = this;
    if (!current) return nothing;
    const place = list.indexOf(current);
    const inLab = list.filter(({ lab }) => lab === current.lab);
    const [before, after] = [list[place - 1], list[place + 1]];
    const standing = this.standing(current.id);
    const languages = this.passedIn(current.id);
    const step = (one: (typeof list)[number] | undefined, label: string, rel: string) =>
      one
        ? html`<a
            rel=${rel}
            href=${this.address(one.id)}
            @click=${(event: MouseEvent) => this.go(event, one.id)}
            ><span class="fine">${label}</span> <span lang=${one.lang ?? nothing}>${prose(one.title, this.formulas)}</span>${one.lang && forNow ? html` <small>${forNow.short}</small>` : nothing}</a
          >`
        : html`<span></span>`;
    return html`<div class="one">
      <p class="fine crumb opening-one" tabindex="-1">
        <a href=${this.address('')} @click=${(event: MouseEvent) => this.go(event, '')}
          >${words.page.all}</a
        >
        · ${this.renderPlace(current)}, ${inLab.indexOf(current) + 1} / ${inLab.length} ·
        <span class="standing"
          >${this.mark(standing)}
          ${languages.length > 0 ? words.page.passedIn(languages) : words.page.states[standing]}</span
        >
      </p>
      ${
        failure
          ? html`<div class="notice" role="alert">
              <p>${failure}</p>
              <button class="button" type="button" @click=${() => this.begin()}>
                ${words.page.retry}
              </button>
            </div>`
          : ready
            ? html`<attn-exercise
                level="1"
                id=${current.id}
                .language=${values.language as Language}
                .knobs=${readKnobs(values.knobs)}
                .hide=${[...this.hide]}
                .atPicture=${location.hash === '#picture'}
                .foreign=${this.foreign}
                .next=${after && { ...after, href: this.address(after.id) }}
                @attn-next=${(event: CustomEvent<string>) => {
                  if (!isOfThisPage(after)) return;
                  event.preventDefault();
                  this.open(event.detail);
                }}
                @attn-language=${({ detail }: CustomEvent<Language>) =>
                  this.set({ language: detail })}
                @attn-knobs=${({ detail }: HTMLElementEventMap['attn-knobs']) =>
                  this.set({ knobs: printKnobs(detail.knobs) }, { draft: detail.draft })}
                @attn-foreign-settled=${this.foreignSettled}
              ></attn-exercise>`
            : html`<h1 lang=${current.lang ?? nothing}>${prose(current.title, this.formulas)}</h1>
                <p class="fine" role="status">${words.page.loading}</p>`
      }
      <nav class="steps" aria-label=${words.page.nav}>
        ${step(before, words.page.previous, 'prev')} ${step(after, words.page.next, 'next')}
      </nav>
    </div>`;
  }

  private renderScratch() {
    const texts = words.scratch;
    return html`<section class="scratch" aria-labelledby="scratch-title">
      <h2 id="scratch-title">${texts.title}</h2>
      <p class="intro">${texts.intro}</p>
      ${
        this.scratch
          ? html`<attn-scratch .begin=${this.sheet}></attn-scratch>`
          : html`<button class="button" type="button" @click=${() => this.openScratch()}>
              ${texts.open}
            </button>`
      }
    </section>`;
  }

  /** @param preset what a link wants on the sheet */
  private async openScratch(preset = ''): Promise<void> {
    try {
      // The scratch sheet uses the style sheet of the exercise.
      await import('../../src/components/exercise/exercise.ts');
      await import('../../src/components/scratch/scratch.ts');
      const { isPreset } = await import('../../src/components/scratch/presets.ts');
      const open = this.querySelector('attn-scratch');
      if (open && isPreset(preset)) open.take(preset);
      this.sheet = preset;
      this.scratch = true;
      await this.updateComplete;
      const sheet = this.querySelector('attn-scratch');
      if (!preset) sheet?.scrollIntoView({ block: 'nearest' });
      else {
        // A reload brings what was written on the sheet since, and not the preset again.
        this.set({ sheet: '' }, { draft: true });
        sheet?.closest('section')?.scrollIntoView();
      }
    } catch (error) {
      this.notices = [...this.notices, words.page.failed(await problemText(error))];
    }
  }

  override render() {
    return html`<div class="messages">
        ${this.notices.map((notice) => html`<p class="notice" role="alert">${notice}</p>`)}
      </div>
      ${this.current ? this.renderOne() : this.renderList()} ${this.renderScratch()}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-exercises-page': AttnExercisesPage;
  }
}
