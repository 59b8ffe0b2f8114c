import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { camelCase } from '../../exercises/camel-case.ts';
import { loadExercise, loadJudgeWords, loadSolution, loadWords } from '../../exercises/catalog.ts';
import { exerciseList } from '../../exercises/exercise-list.ts';
import { type GradeProgress, grade } from '../../exercises/judge/grade.ts';
import { MAX_CODE, type Work, type WorkPatch } from '../../exercises/kept-work.ts';
import { languagesOf } from '../../exercises/languages.ts';
import type { ExercisePart } from '../../exercises/parts.ts';
import type { Phase, RunnableLanguage } from '../../exercises/sandbox/types.ts';
import { starter } from '../../exercises/starter.ts';
import { readSubmission, SubmissionError, summaryOf } from '../../exercises/submission.ts';
import { toldFailure } from '../../exercises/told-failure.ts';
import type { CaseReport, Exercise, Grade, Language, Parameter } from '../../exercises/types';
import {
  type ExerciseWords,
  gradeInLanguage,
  inLanguage,
  type JudgeWords,
} from '../../exercises/words.ts';
import { formatNumber } from '../../plot/format.ts';
import { forNow } from '../../strings/english-for-now.ts';
import { exercises as words } from '../../strings/exercises.ts';
import { language as pageLanguage } from '../../strings/language.ts';
import '../code-editor/code-editor.ts';
import type { AttnCodeEditor, CodeProblem } from '../code-editor/code-editor.ts';
import '../test-report/test-report.ts';
import type { LineDetail } from '../test-report/test-report.ts';
import { renderCpp } from './cpp-panel.ts';
import css from './exercise.css?inline';
import { facts } from './facts.ts';
import type { Knobs, Written } from './painter.ts';
import { fetchAhead } from './prefetch.ts';
import './picture.ts';
import { problemText } from '../../strings/problem.ts';
import { runErrorText } from '../../strings/run-errors.ts';
import { adopt } from '../../styles/adopt.ts';
import { type Ran, reports, theProgress } from './page-work.ts';
import type { KnobsDetail } from './picture.ts';
import { paragraph, plain, prose, type RenderedTex } from './prose.ts';
import { onPhase, restartAll, theSandbox, theTools } from './tools.ts';

adopt(css);

const files = () => import('./submission-files.ts');
const FONTS = ['400 1rem "AL Sans"', '400 1rem "AL Serif"'];
const PANES = ['code', 'picture'] as const;
type Pane = (typeof PANES)[number];

/** Code that someone else wrote: the page shows it and runs it only when the visitor asks. */
export interface ForeignCode {
  readonly code: string;
  /** A sentence that says where the code came from. */
  readonly notice: string;
}

export interface NextExercise {
  readonly id: string;
  readonly title: string;
  readonly lang?: 'en' | undefined;
  readonly href: string;
}

export interface GradedDetail {
  readonly exercise: string;
  readonly language: RunnableLanguage;
  readonly passed: boolean;
}

/**
 * One exercise: its task, an editor, a run with its report, and the picture that the function paints.
 *
 * @element attn-exercise
 * @attr {string} id - Which exercise: a folder of `web/exercises`.
 * @attr {string} language - `python`, `javascript` or `cpp`.
 * @attr {number} level - Of its heading.
 * @fires attn-language - Another language was chosen. Detail: the language.
 * @fires attn-knobs - A knob of the picture moved. Detail: `KnobsDetail`.
 * @fires attn-graded - A run ended with a grade. Detail: `GradedDetail`.
 * @fires attn-next - The link to the next exercise was pressed. Detail: its id. A listener that opens it in place
 *   prevents the default.
 */
@customElement('attn-exercise')
export class AttnExercise extends LitElement {
  @property({ reflect: true }) override id = '';
  @property() language: Language = 'python';
  @property({ type: Number }) level = 3;
  @property({ attribute: false }) knobs: Knobs = {};
  @property({ attribute: false }) foreign: ForeignCode | undefined;
  /** What the author of the link has taken away: `hints`, `solution`. */
  @property({ attribute: false }) hide: readonly string[] = [];
  /** The exercise to go on to after this one is passed, and where it is. */
  @property({ attribute: false }) next: NextExercise | undefined;

  /** Begins at the picture that kept code paints, where that code passed. */
  @property({ attribute: false }) atPicture = false;

  /** The exercise in the page's language. Code is judged by `specification`, which is English. */
  @state() private exercise: Exercise | undefined;
  @state() private formulas: RenderedTex = {};
  @state() private failure = '';
  @state() private code = '';
  @state() private work: Work | undefined;
  @state() private running = false;
  @state() private cases: GradeProgress | undefined;
  @state() private status = '';
  @state() private broken = '';
  @state() private problem = '';
  @state() private other: Work | undefined;
  /** A record of this exercise that a newer version of this page wrote. */
  @state() private newer: unknown;
  @state() private showOther = false;
  @state() private showForeign = true;
  /** The code that Undo would bring back, while Undo is offered. */
  @state() private earlier: string | undefined;
  @state() private solution: string | undefined;
  @state() private confirming = false;
  @state() private fileStatus = '';
  @state() private linkToShow = '';
  @state() private dropping = false;
  /** Whether the card of what there is in the language stands open. */
  @state() private card = false;
  /** Which pane is in view where there is room for one only. */
  @state() private pane: Pane = 'code';

  @query('attn-code-editor') private editor!: AttnCodeEditor;
  @query('.run-button') private runButton!: HTMLButtonElement;

  private specification: Exercise | undefined;
  private told: ExerciseWords | undefined;
  private judge: JudgeWords | undefined;
  private readonly undo: (() => void)[] = [];
  private abort: AbortController | undefined;
  private loads = 0;
  private fetched = new Set<RunnableLanguage>();

  /** The element has no shadow root: the page's type and colours apply, and so does the formulas' style sheet. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const progress = theProgress();
    this.undo.push(
      progress.listen({
        onOther: (key, other) => {
          if (key !== this.key) return;
          this.other = other;
          this.showOther = false;
        },
        onReplaced: (keys) => {
          if (keys.includes(this.key)) void this.openWork();
        },
        onProblem: (reason) => {
          this.problem = reason ? words.kept.problem(reason) : '';
        },
      }),
      onPhase((phase, language) => this.onPhase(phase, language)),
    );
    this.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.undo.splice(0)) stop();
    this.removeEventListener('keydown', this.onKey);
    if (this.running) this.stop();
    void theProgress().flush();
  }

  protected override updated(): void {
    if (this.passes) void import('./after-passing.ts').catch(() => undefined);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('id') && this.id) void this.load();
    else if (changed.has('language') && this.exercise) void this.openWork();
    if (changed.has('foreign')) this.showForeign = true;
  }

  /** `lang` of the exercise's words, where they are not in the page's language yet. */
  private get wordsLang(): 'en' | undefined {
    return pageLanguage === 'en' || this.told ? undefined : 'en';
  }

  /** Undefined for English: a starter is in one language throughout. */
  private get starterWords() {
    return this.wordsLang ? undefined : words.starter;
  }

  /** The chosen language, or the first one of an exercise that cannot be solved in it. */
  private get chosen(): Language {
    const { specification, language } = this;
    const all = specification ? languagesOf(specification) : [language];
    return all.includes(language) ? language : (all[0] ?? language);
  }

  private get written(): RunnableLanguage | undefined {
    const { chosen } = this;
    return chosen === 'cpp' ? undefined : chosen;
  }

  private get key(): string {
    return `exercise/${this.id}/${this.chosen}`;
  }

  /** Whether the code in the editor passed when it was run last; undefined for other code than was run. */
  private get outcome(): boolean | undefined {
    const { last, work, code } = this;
    if (last) return last.written.code === code ? last.grade.passed : undefined;
    return work?.code === code ? work.grade?.passed : undefined;
  }

  private get passes(): boolean {
    return this.outcome === true;
  }

  private get last(): Ran | undefined {
    return reports.get(this.key);
  }

  // ---- loading ----

  private async load(): Promise<void> {
    const turn = ++this.loads;
    if (this.running) this.stop();
    this.failure = '';
    this.exercise = undefined;
    this.status = '';
    this.fileStatus = '';
    this.solution = undefined;
    this.confirming = false;
    this.broken = '';
    try {
      const [exercise, told, judge, tex] = await Promise.all([
        loadExercise(this.id),
        loadWords(this.id, pageLanguage),
        loadJudgeWords(pageLanguage),
        import('virtual:formulas/exercises'),
        // Names the exercises that this one builds on.
        exerciseList.with(async () => undefined),
      ]);
      if (turn !== this.loads) return;
      this.formulas = tex.formulas;
      this.specification = exercise;
      this.told = told;
      this.judge = judge;
      this.exercise = inLanguage(exercise, told);
      await this.openWork();
      if (turn === this.loads && this.atPicture) await this.openPicture();
    } catch (error) {
      if (turn !== this.loads) return;
      this.failure = words.page.failed(await problemText(error));
    }
  }

  private async openWork(): Promise<void> {
    const { exercise, written } = this;
    this.earlier = undefined;
    this.other = undefined;
    this.newer = undefined;
    this.solution = undefined;
    this.confirming = false;
    this.fileStatus = '';
    this.status = '';
    if (!exercise) return;
    if (!written) {
      this.work = undefined;
      return;
    }
    const { key } = this;
    const work = await theProgress().open(exercise.id, written);
    if (key !== this.key || exercise !== this.exercise) return;
    this.work = work;
    this.code = work?.code || starter(exercise, written, this.starterWords);
    this.other = theProgress().other(exercise.id, written);
    this.newer = theProgress().newerRecord(exercise.id, written);
    const { last } = this;
    if (last) {
      // The report itself says when it belongs to other code.
      if (last.written.code === this.code) this.status = this.summary(last.grade);
    } else if (work?.grade) {
      const { passed, cases } = work.grade;
      this.status = passed
        ? words.run.keptPassed
        : words.run.kept(cases.filter((one) => one.passed).length, cases.length);
    }
  }

  /** Lets kept code that passed paint the picture, as after a run, and brings the picture into view. */
  private async openPicture(): Promise<void> {
    const { key, written, code } = this;
    if (!written || !this.passes) return;
    this.painters.set(key, { code, language: written });
    this.requestUpdate();
    await this.updateComplete;
    this.show('picture');
    const picture = this.querySelector<HTMLElement>('.picture-pane');
    picture?.scrollIntoView({ block: 'start' });
  }

  private change(patch: WorkPatch): void {
    const { exercise, written } = this;
    if (!exercise || !written) return;
    // The kept record always holds the code, even before the student typed anything.
    const code = patch.code ?? this.code;
    this.work = theProgress().change(exercise.id, written, { ...patch, code });
  }

  /** Loads everything a run needs: the run then begins at once and works offline. */
  private prefetch(): void {
    const { written, exercise } = this;
    if (!written || !exercise) return;
    if (this.fetched.has(written)) {
      void fetchAhead(exercise.id);
      return;
    }
    this.fetched.add(written);
    const all = [
      theSandbox().prefetch(written),
      // A mistake is recognised by running each known mistake in Python.
      theSandbox().prefetch('python'),
      loadSolution(exercise.id, 'python'),
      theTools(),
      // Characters that only reports contain are in a font file of their own.
      ...FONTS.map((font) => document.fonts.load(font, '[#φ')),
    ];
    void Promise.all(all).then(
      () => fetchAhead(exercise.id),
      () => {
        // When this fails, Run says what is missing, and the next focus tries again.
        this.fetched.delete(written);
      },
    );
  }

  // ---- typing ----

  private typed(code: string): void {
    this.code = code;
    this.earlier = undefined;
    this.change({ code });
  }

  /** Puts other code into the editor and keeps the code that was there for Undo. */
  private put(code: string, status: string): void {
    this.earlier = this.code;
    this.code = code;
    this.change({ code });
    this.status = status;
  }

  private startOver = (): void => {
    const { exercise, written } = this;
    if (exercise && written)
      this.put(starter(exercise, written, this.starterWords), words.run.resetDone);
  };

  private takeBack = (): void => {
    const { earlier } = this;
    if (earlier === undefined) return;
    this.code = earlier;
    this.change({ code: earlier });
    this.earlier = undefined;
    this.status = words.run.undone;
    this.editor.focus();
  };

  private async takeOther(): Promise<void> {
    const { exercise, written } = this;
    if (!exercise || !written) return;
    const mine = this.code;
    await theProgress().takeOther(exercise.id, written);
    this.work = await theProgress().open(exercise.id, written);
    this.code = this.work?.code ?? this.code;
    this.earlier = mine;
    this.status = words.other.taken;
    this.editor.focus();
  }

  private async keepMine(): Promise<void> {
    const { exercise, written } = this;
    if (!exercise || !written) return;
    await theProgress().keepMine(exercise.id, written);
    this.status = words.other.kept;
    this.editor.focus();
  }

  // ---- running ----

  private press = (event: MouseEvent): void => {
    // The second click of a double click means what the first one did.
    if (event.detail > 1) return;
    if (this.running) this.stop();
    else void this.run();
  };

  private onKey = (event: KeyboardEvent): void => {
    if (!this.running) return;
    const stops = event.key === 'Escape' || (event.key === '.' && (event.ctrlKey || event.metaKey));
    if (!stops || event.defaultPrevented) return;
    event.preventDefault();
    this.stop();
  };

  /** For a runner that hangs, or whose memory is gone. The code stays as it is. */
  private restart = (): void => {
    this.abort?.abort();
    restartAll();
    this.broken = '';
    if (this.written) this.status = words.run.restarted(words.languages[this.written]);
  };

  private stop(): void {
    this.abort?.abort();
    theSandbox().stop();
  }

  private onPhase(phase: Phase, language: RunnableLanguage): void {
    if (!this.running) return;
    const name = words.languages[language];
    if (phase === 'fetching') this.status = words.run.fetching(name);
    else if (phase === 'starting') this.status = words.run.starting(name);
    else if (phase === 'running' && !this.cases) this.status = words.run.running;
  }

  private async run(): Promise<void> {
    const { exercise, specification, written } = this;
    if (!exercise || !specification || !written || this.running) return;
    const { code, key } = this;
    const ran: Written = { code, language: written };
    const abort = new AbortController();
    this.abort = abort;
    this.running = true;
    this.cases = undefined;
    this.broken = '';
    this.earlier = undefined;
    this.fileStatus = '';
    this.status = words.run.running;
    this.prefetch();
    this.change({ runs: (this.work?.runs ?? 0) + 1 });
    try {
      const [tools, python] = await Promise.all([theTools(), loadSolution(exercise.id, 'python')]);
      const graded = await grade(
        specification,
        { python: python ?? '' },
        code,
        written,
        { ...tools, run: theSandbox().run },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            this.cases = progress;
          },
          // The tests' results are shown at once; recognising the mistake takes a moment longer.
          onGrade: (sofar) => {
            if (exercise === this.exercise) {
              reports.set(key, { written: ran, grade: sofar });
              this.requestUpdate();
            }
          },
        },
      );
      if (exercise !== this.exercise || !this.isConnected) return;
      if (abort.signal.aborted) this.status = words.run.stopped.user;
      else {
        reports.set(key, { written: ran, grade: graded });
        this.finish(graded, ran);
      }
    } catch (error) {
      if (exercise !== this.exercise) return;
      if (abort.signal.aborted) this.status = words.run.stopped.user;
      else {
        this.status = '';
        this.broken = words.run.broken(await problemText(error));
      }
    } finally {
      if (this.abort === abort) {
        this.running = false;
        this.cases = undefined;
      }
    }
  }

  private finish(graded: Grade, { code, language }: Written): void {
    this.status = this.summary(graded);
    void this.bringIntoView();
    // The student typed meanwhile, so the grade belongs to other code.
    if (code === this.code && language === this.chosen) {
      const time = new Date().toISOString();
      this.change({
        grade: summaryOf(graded, time),
        ...(graded.passed && !this.work?.firstPassed ? { firstPassed: time } : {}),
      });
    }
    this.dispatchEvent(
      new CustomEvent<GradedDetail>('attn-graded', {
        detail: { exercise: graded.exercise, language, passed: graded.passed },
        bubbles: true,
        composed: true,
      }),
    );
  }

  /** The result is to be seen, and what is wrong, which stands below it; where they are, nothing moves. */
  private async bringIntoView(): Promise<void> {
    await this.updateComplete;
    const report = this.querySelector('attn-test-report');
    await report?.updateComplete;
    report?.finding?.scrollIntoView({ block: 'nearest' });
    this.querySelector('.run-status')?.scrollIntoView({ block: 'nearest' });
  }

  private summary({ passed, cases, cost, stopped, loadError }: Grade): string {
    const texts = words.run;
    if (stopped) return texts.stopped[stopped];
    if (loadError) return texts.notLoaded;
    if (passed) return texts.passed(cases.length);
    const right = cases.filter((one) => one.passed).length;
    if (right === cases.length && cost && !cost.passed) return texts.failedCost;
    return texts.failed(right, cases.length);
  }

  /** The line at which the code failed, for the editor to mark. */
  private get problems(): readonly CodeProblem[] {
    const { last } = this;
    if (!last || last.written.code !== this.code) return [];
    const { loadError, cases } = last.grade;
    const errors = [loadError, ...cases.map(({ outcome }) => outcome?.error)];
    const found = new Map<number, CodeProblem>();
    for (const error of errors) {
      if (!error) continue;
      const { line, column, type } = error;
      if (line === undefined || found.has(line)) continue;
      found.set(line, {
        ...{ line, message: `${type}: ${runErrorText(error)}` },
        ...(column ? { column } : {}),
      });
    }
    return [...found.values()];
  }

  /** The picture is painted by the code of the last run, if that code could be loaded. */
  private get painted(): Written | undefined {
    const { key, last, painters } = this;
    if (last && !last.grade.loadError && !last.grade.stopped) painters.set(key, last.written);
    // Code that does not run paints nothing, and the picture of the code before it stays.
    return painters.get(key);
  }

  /** The failed test that the report opens: the first one whose numbers are told. */
  private get failing(): CaseReport | undefined {
    const { last, exercise, told, judge } = this;
    if (!last || !exercise) return undefined;
    return toldFailure(gradeInLanguage(last.grade, exercise, told, judge).cases);
  }

  private readonly painters = new Map<string, Written>();

  // ---- hints ----

  private hides(part: ExercisePart): boolean {
    return this.hide.includes(part);
  }

  private takeHint = (): void => {
    if (this.hides('hints')) return;
    this.change({ hints: Math.min(3, this.hintsTaken + 1) });
    void this.updateComplete.then(() => {
      // The button may be gone, so the focus goes to the hint.
      this.querySelector<HTMLElement>('.hints li:last-child')?.focus();
    });
  };

  private get hintsTaken(): number {
    return this.work?.hints ?? 0;
  }

  /** The focus goes to the question, and back to where it came from. */
  private async ask(confirming: boolean): Promise<void> {
    this.confirming = confirming;
    await this.updateComplete;
    const place = confirming ? '.hints .notice .button:last-child' : '.hints .buttons .solve';
    this.querySelector<HTMLElement>(place)?.focus();
  }

  private async showSolution(record: boolean): Promise<void> {
    const { exercise, chosen: language } = this;
    if (!exercise || this.hides('solution')) return;
    const text = await loadSolution(exercise.id, language).catch(() => undefined);
    if (text === undefined) {
      this.status = words.hints.failed;
      return;
    }
    if (record) this.change({ solutionSeen: true });
    this.confirming = false;
    this.solution = text;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.solution pre')?.focus();
  }

  // ---- files ----

  private async openFile(file: File | undefined): Promise<void> {
    if (!file) return;
    if (file.size > MAX_CODE) {
      this.fileStatus = words.foreign.tooLong(file.name);
      return;
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      if (text.includes('\0')) throw new TypeError('not text');
      const code = this.codeIn(text).replace(/\r\n?/g, '\n');
      if (code === '') {
        this.fileStatus = words.foreign.none(file.name);
        return;
      }
      this.foreign = { code, notice: words.foreign.file(file.name) };
      this.showForeign = true;
      await this.updateComplete;
      this.querySelector<HTMLElement>('.foreign button')?.focus();
    } catch {
      this.fileStatus = words.foreign.unreadable(file.name);
    }
  }

  /** A file of code is taken whole; from a submission, the code for this exercise. Empty when there is none. */
  private codeIn(text: string): string {
    if (!text.trimStart().startsWith('{')) return text;
    try {
      const { submission } = readSubmission(text);
      const one = submission.exercises.find(
        ({ exercise, language }) => exercise === this.id && language === this.chosen,
      );
      return one?.code ?? '';
    } catch (error) {
      // JavaScript may begin with a brace too, so text is refused only when it is JSON.
      return error instanceof SubmissionError && !isJson(text) ? text : '';
    }
  }

  private useForeign = (): void => {
    const { foreign } = this;
    if (!foreign) return;
    this.put(foreign.code, words.foreign.used);
    this.leaveForeign();
  };

  private leaveForeign = (): void => {
    this.foreign = undefined;
    this.dispatchEvent(new CustomEvent('attn-foreign-settled', { bubbles: true }));
    this.editor.focus();
  };

  private async saveCode(): Promise<void> {
    const { exercise, written } = this;
    if (!exercise || !written) return;
    const name = `${exercise.id}.${written === 'python' ? 'py' : 'js'}`;
    this.fileStatus = words.run.saved((await files()).save(name, this.code, 'text/plain'));
  }

  private async saveSubmission(): Promise<void> {
    const { exercise } = this;
    if (!exercise) return;
    if (this.work === undefined) this.change({});
    await theProgress().flush();
    const works = (await theProgress().all()).filter((work) => work.exercise === exercise.id);
    const { saveSubmission } = await files();
    this.fileStatus = words.run.saved(await saveSubmission(theProgress(), works, exercise.id));
  }

  /** The address of the exercise as it is shown, without the code. */
  private get own(): URL {
    const page = new URL(this.address ?? location.href, location.href);
    const language = this.chosen === 'python' ? '' : `&in=${this.chosen}`;
    // Whoever gets the link gets what its author left of the page.
    const hidden = this.hide.length > 0 ? `&hide=${this.hide.join(',')}` : '';
    page.search = `?v=1&id=${this.exercise?.id}${language}${hidden}`;
    page.hash = '';
    return page;
  }

  private async embed(): Promise<void> {
    (await files()).goToEmbed(this.own.href);
  }

  private async copyLink(): Promise<void> {
    this.linkToShow = '';
    if (!this.exercise) return;
    const link = await (await files()).linkTo(this.own.href, this.code);
    if (link === undefined) {
      this.fileStatus = words.run.linkLong;
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      this.fileStatus = words.run.linkCopied;
    } catch {
      this.fileStatus = words.run.linkShow;
      this.linkToShow = link;
    }
  }

  /** The page of exercises, where this element stands on another one. */
  @property() address: string | undefined;

  // ---- what is shown ----

  private heading(): TemplateResult {
    const title = prose(this.exercise?.title ?? '', this.formulas);
    const lang = this.wordsLang ?? nothing;
    if (this.level === 1) return html`<h1 lang=${lang}>${title}</h1>`;
    return this.level === 2
      ? html`<h2 lang=${lang}>${title}</h2>`
      : html`<h3 class="title" lang=${lang}>${title}</h3>`;
  }

  /** `below` is the level to tell after the report and the picture, whose own headings are of level 2. */
  private sub(text: string, below = 4): TemplateResult {
    return this.level === 1 ? html`<h2>${text}</h2>` : html`<h4 aria-level=${below}>${text}</h4>`;
  }

  private renderParameter({ name, type, shape, what, default: value }: Parameter, code: boolean) {
    const { types, optional } = words.task;
    const spelled = this.chosen === 'javascript' ? camelCase(name) : name;
    return html`<div>
      <dt>${code ? html`<code>${spelled}</code>` : prose(spelled)}</dt>
      <dd>
        <span lang=${this.wordsLang ?? nothing}>${prose(what, this.formulas)}</span>
        <span class="fine"
          >${types[type]}${shape ? html` ${prose(shape)}` : nothing}${value === undefined ? '' : `, ${optional}`}</span
        >
      </dd>
    </div>`;
  }

  /** A sentence of the page around a text of the exercise, which may be in another language. */
  private around(sentence: (text: string) => string, text: string) {
    if (!this.wordsLang) return prose(sentence(text), this.formulas);
    const [before = '', after = ''] = sentence('\n').split('\n');
    return html`${prose(before, this.formulas)}<span lang=${this.wordsLang}
        >${prose(text, this.formulas)}</span
      >${prose(after, this.formulas)}`;
  }

  private renderTask(exercise: Exercise) {
    const { task, parameters, results, cost } = exercise;
    const texts = words.task;
    const lang = this.wordsLang ?? nothing;
    return html`<section class="task" aria-label=${texts.title}>
      <div lang=${lang}>${task.map((text) => paragraph(text, this.formulas))}</div>
      ${this.sub(texts.takes)}
      <dl class="signature">${parameters.map((one) => this.renderParameter(one, true))}</dl>
      ${this.sub(
        results[0]?.type === 'drawing'
          ? texts.draws
          : results.length > 1
            ? texts.inOrder
            : texts.returns,
      )}
      <dl class="signature">${results.map((one) => this.renderParameter(one, false))}</dl>
      ${
        cost
          ? html`<p class="fine">
              <strong>${texts.costTitle}.</strong>
              ${this.around(
                (wanted) => texts.cost(wanted, formatNumber(cost.maxSlope), cost.of ?? 'work'),
                cost.wanted,
              )}
            </p>`
          : nothing
      }
      ${
        this.chosen === 'javascript'
          ? html`<p class="fine"><strong>${texts.javascriptTitle}.</strong> ${texts.javascript}</p>`
          : nothing
      }
    </section>`;
  }

  /** How the results are compared, and where the exercise comes from. */
  private renderNotes({ tolerance, source }: Exercise) {
    const texts = words.task;
    const lang = this.wordsLang ?? nothing;
    return html`<div class="notes">
      <p class="fine">
        <strong>${texts.toleranceTitle}.</strong>
        ${this.around(
          (reason) =>
            texts.tolerance(
              formatNumber(tolerance.rtol, 1),
              formatNumber(tolerance.atol, 1),
              reason,
            ),
          tolerance.reason,
        )}
      </p>
      <p class="fine">
        <strong>${texts.source}</strong>
        ${source.url ? html`<a href=${source.url} rel="noopener">${source.title}</a>` : source.title}${
          source.where ? html`, <span lang=${lang}>${source.where}</span>` : ''
        }.
      </p>
    </div>`;
  }

  private renderHints({ hints }: Exercise) {
    const texts = words.hints;
    const [noHints, noSolution] = [this.hides('hints'), this.hides('solution')];
    if (noHints && noSolution) return html`<p class="fine hints">${texts.bothHidden}</p>`;
    const taken = noHints ? 0 : this.hintsTaken;
    const passed = this.work?.firstPassed !== undefined;
    const { solution, confirming } = this;
    const may = passed || taken >= 3;
    return html`<div class="hints">
      ${this.sub(texts.title, 3)}
      ${
        taken > 0
          ? html`<ol>
              ${hints
                .slice(0, taken)
                .map(
                  (hint) =>
                    html`<li tabindex="-1" lang=${this.wordsLang ?? nothing}>${prose(hint, this.formulas)}</li>`,
                )}
            </ol>`
          : html`<p class="fine">${noHints ? texts.hintsHidden : texts.none}</p>`
      }
      ${noSolution ? html`<p class="fine">${texts.solutionHidden}</p>` : nothing}
      <div class="buttons">
        ${
          taken < 3 && !noHints
            ? html`<button class="button" type="button" @click=${this.takeHint}>
                ${texts.next(taken + 1)}
              </button>`
            : nothing
        }
        ${
          may && !this.passes && !noSolution && solution === undefined && !confirming
            ? html`<button
                class="button solve"
                type="button"
                @click=${() => {
                  if (passed || this.work?.solutionSeen) void this.showSolution(false);
                  else void this.ask(true);
                }}
              >
                ${passed ? texts.after : texts.solution}
              </button>`
            : nothing
        }
      </div>
      ${
        confirming
          ? html`<div class="notice" role="alertdialog" aria-label=${texts.solution}>
              <p>${texts.confirm}</p>
              <button class="button" type="button" @click=${() => this.showSolution(true)}>
                ${texts.yes}
              </button>
              <button class="button" type="button" @click=${() => this.ask(false)}>
                ${texts.no}
              </button>
            </div>`
          : nothing
      }
      ${
        solution === undefined || noSolution
          ? nothing
          : html`<div class="solution">
              ${this.sub(texts.solutionTitle(words.languages[this.chosen]))}
              <pre tabindex="0">${lines(solution)}</pre>
              <button
                class="plain"
                type="button"
                @click=${() => {
                  this.solution = undefined;
                }}
              >
                ${texts.hide}
              </button>
            </div>`
      }
    </div>`;
  }

  private renderLanguages() {
    return html`<fieldset class="segments languages">
      <legend class="visually-hidden">${words.run.language}</legend>
      ${languagesOf(this.specification ?? {}).map(
        (language) => html`<label>
          <input
            type="radio"
            name="language-${this.id}"
            .checked=${live(language === this.chosen)}
            ?disabled=${this.running}
            @change=${() => {
              this.language = language;
              this.dispatchEvent(
                new CustomEvent<Language>('attn-language', { detail: language, bubbles: true }),
              );
            }}
          /><span>${words.languages[language]}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  /** The languages, and beside them what opens the card of the chosen one. */
  private renderHead(exercise: Exercise) {
    const { card } = this;
    return html`<div class="work-head">
        ${this.renderLanguages()}
        <button
          class="button at-hand-button"
          type="button"
          aria-expanded=${String(card)}
          aria-controls="at-hand-${this.id}"
          @click=${() => this.showCard(!card)}
        >
          ${words.run.atHand}
        </button>
      </div>
      <div class="card" id="at-hand-${this.id}" ?hidden=${!card}>
        ${
          card
            ? html`<attn-at-hand
                .exercise=${exercise}
                .language=${this.chosen}
                .wordsLang=${this.wordsLang}
                .formulas=${this.formulas}
                @attn-close=${() => this.showCard(false)}
              ></attn-at-hand>`
            : nothing
        }
      </div>`;
  }

  /** The focus goes to the card, and back to what opened it. */
  private async showCard(shown: boolean): Promise<void> {
    try {
      if (shown) await import('./at-hand.ts');
    } catch (error) {
      this.status = words.page.failed(await problemText(error));
      return;
    }
    this.card = shown;
    await this.updateComplete;
    const place = this.querySelector<LitElement>('attn-at-hand');
    await place?.updateComplete;
    (place ?? this.querySelector<HTMLElement>('.at-hand-button'))?.focus();
  }

  private renderNotices() {
    const { foreign, other, problem, showForeign, showOther } = this;
    const when = (iso: string): string =>
      new Date(iso).toLocaleString(pageLanguage, { dateStyle: 'medium', timeStyle: 'short' });
    return html`<div class="unsafe ${problem ? 'notice' : ''}">
        <p role="status">${problem}</p>
        ${
          problem
            ? html`<button class="button" type="button" @click=${() => this.saveCode()}>
                  ${words.run.saveCode}
                </button>
                ${isFramed() ? html`<p class="fine">${words.kept.framed}</p>` : nothing}`
            : nothing
        }
      </div>
      ${
        this.newer === undefined
          ? nothing
          : html`<section class="notice newer" aria-label=${words.kept.newerSave}>
              <p>${words.kept.newer}</p>
              <button class="button" type="button" @click=${() => this.saveNewer()}>
                ${words.kept.newerSave}
              </button>
            </section>`
      }
      ${
        foreign
          ? html`<section class="notice foreign" aria-label=${words.foreign.show}>
              <p role="alert">${foreign.notice}</p>
              <button class="button" type="button" @click=${this.useForeign}>
                ${words.foreign.use}
              </button>
              <button class="button" type="button" @click=${this.leaveForeign}>
                ${words.foreign.leave}
              </button>
              ${showForeign ? html`<pre tabindex="0">${foreign.code}</pre>` : nothing}
            </section>`
          : nothing
      }
      ${
        other
          ? html`<section class="notice other" aria-label=${words.other.show}>
              <p role="alert">${words.other.text(when(other.changed))}</p>
              <button class="button" type="button" @click=${() => this.takeOther()}>
                ${words.other.take}
              </button>
              <button class="button" type="button" @click=${() => this.keepMine()}>
                ${words.other.keep}
              </button>
              <button
                class="button"
                type="button"
                aria-expanded=${String(showOther)}
                @click=${() => {
                  this.showOther = !this.showOther;
                }}
              >
                ${words.other.show}
              </button>
              ${showOther ? html`<pre tabindex="0">${other.code}</pre>` : nothing}
            </section>`
          : nothing
      }`;
  }

  private async saveNewer(): Promise<void> {
    const { saveNewer } = await import('../../state/newer-file.ts');
    this.status = words.run.saved(saveNewer(`${this.id}-${this.chosen}`, 'works', this.newer));
  }

  private get step(): string {
    const { cases } = this;
    if (!cases) return this.status;
    const { doing, done, of } = cases;
    if (doing === 'cases') return done === 0 ? this.status : words.run.step(done, of);
    return doing === 'cost' ? words.run.measuring : words.run.recognising;
  }

  private renderBar() {
    const texts = words.run;
    const { running, cases } = this;
    return html`<div class="run-bar">
        <button class="main run-button" type="button" @click=${this.press}>
          ${running ? texts.stop : texts.run}
        </button>
        <button class="button" type="button" ?disabled=${running} @click=${this.startOver}>
          ${texts.reset}
        </button>
        ${
          this.written
            ? html`<button class="button" type="button" @click=${this.restart}>
                ${texts.restart(words.languages[this.written])}
              </button>`
            : nothing
        }
        ${
          running && cases
            ? html`<progress
                max=${cases.of}
                .value=${cases.done}
                aria-label=${texts.progress}
              ></progress>`
            : nothing
        }
      </div>
      <div class="run-status">
        <p class="status" role="status">${running ? this.step : this.status}</p>
        ${
          this.earlier !== undefined && !running
            ? html`<button class="plain" type="button" @click=${this.takeBack}>
                ${texts.undo}
              </button>`
            : nothing
        }
        ${
          this.passes && !running
            ? html`<button class="plain to-after" type="button" @click=${this.goToAfter}>
                  ${texts.toAfter}
                </button>
                ${this.renderNext()}`
            : nothing
        }
      </div>
      ${this.broken ? html`<p class="error" role="alert">${this.broken}</p>` : nothing}`;
  }

  private goToAfter = (): void => {
    const after = this.querySelector('attn-after-passing');
    after?.scrollIntoView({ block: 'start' });
    after?.focus();
  };

  /** What comes after passing; it and our solution are loaded only then. */
  private renderAfter(written: RunnableLanguage) {
    if (!this.passes) return nothing;
    const { code, last } = this;
    return html`<attn-after-passing
      .specification=${this.specification}
      .written=${{ code, language: written }}
      .ran=${last}
      .hide=${this.hide}
      .formulas=${this.formulas}
      .address=${this.address ?? location.href}
      .level=${this.level === 1 ? 2 : 4}
    ></attn-after-passing>`;
  }

  /** Beside the result, because there one looks after a run. */
  private renderNext() {
    const { next } = this;
    if (!next) return nothing;
    return html`<a
      class="main next-exercise"
      rel="next"
      href=${next.href}
      @click=${(event: MouseEvent) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
          return;
        const detail = next.id;
        const asked = new CustomEvent<string>('attn-next', {
          ...{ detail, bubbles: true, cancelable: true },
        });
        if (!this.dispatchEvent(asked)) event.preventDefault();
      }}
      >${words.page.next}: <span lang=${next.lang ?? nothing}>${prose(next.title, this.formulas)}</span>${
        next.lang && forNow ? html` <small>${forNow.short}</small>` : nothing
      }</a
    >`;
  }

  private renderFiles() {
    const texts = words.run;
    return html`<details class="files">
      <summary>${texts.more}</summary>
      <div class="buttons">
        <button class="button" type="button" @click=${() => this.saveSubmission()}>
          ${texts.submission}
        </button>
        <button class="button" type="button" @click=${() => this.saveCode()}>
          ${texts.saveCode}
        </button>
        <button
          class="button"
          type="button"
          @click=${() => this.querySelector<HTMLInputElement>('.files input[type=file]')?.click()}
        >
          ${texts.file}
        </button>
        <button class="button" type="button" @click=${() => this.copyLink()}>${texts.link}</button>
        <button class="button" type="button" @click=${() => this.embed()}>${texts.embed}</button>
        <input
          type="file"
          hidden
          aria-label=${texts.file}
          accept=".py,.js,.mjs,.txt,text/*"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            const [file] = input.files ?? [];
            input.value = '';
            void this.openFile(file);
          }}
        />
      </div>
      <p class="status" role="status">${this.fileStatus}</p>
      ${
        this.linkToShow
          ? html`<input class="link" readonly aria-label=${texts.linkShow} .value=${this.linkToShow} />`
          : nothing
      }
    </details>`;
  }

  /** Editor, Run and result: what is on the screen together with the picture. */
  private renderCode(exercise: Exercise, written: RunnableLanguage) {
    const { chosen: language, code } = this;
    const label = words.editor.label(plain(exercise.title), words.languages[language]);
    return html`<div
      class="work ${this.dropping ? 'dropping' : ''}"
      @dragover=${(event: DragEvent) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        this.dropping = true;
      }}
      @dragleave=${() => {
        this.dropping = false;
      }}
      @drop=${(event: DragEvent) => {
        this.dropping = false;
        const [file] = event.dataTransfer?.files ?? [];
        if (!file) return;
        event.preventDefault();
        void this.openFile(file);
      }}
    >
      ${this.renderHead(exercise)} ${this.renderNotices()}
      <attn-code-editor
        .value=${code}
        .document=${this.key}
        .language=${written}
        .label=${label}
        .running=${this.running}
        .problems=${this.problems}
        @focusin=${() => this.prefetch()}
        @attn-code=${({ detail }: CustomEvent<string>) => this.typed(detail)}
        @attn-run=${() => void this.run()}
        @attn-stop=${() => this.stop()}
      ></attn-code-editor>
      ${this.renderBar()}
    </div>`;
  }

  private renderReport(exercise: Exercise) {
    const { code, last } = this;
    return html`<div class="work outcome">
      <attn-test-report
        .grade=${last && gradeInLanguage(last.grade, exercise, this.told, this.judge)}
        .exercise=${exercise}
        .wordsLang=${this.wordsLang}
        .stale=${last !== undefined && last.written.code !== code}
        @attn-line=${({ detail }: CustomEvent<LineDetail>) => this.goToLine(detail)}
      ></attn-test-report>
      ${this.renderHints(exercise)} ${this.renderFiles()}
    </div>`;
  }

  private goToLine({ line, column }: LineDetail): void {
    void this.show('code');
    void this.editor.goTo(line, column);
  }

  /** Brings a pane into view, where there is room for one only. */
  private show(pane: Pane): void {
    this.pane = pane;
    const panes = this.querySelector<HTMLElement>('.panes');
    const wanted = panes?.querySelector<HTMLElement>(`.${pane}-pane`);
    if (!panes || !wanted) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    panes.scrollTo({ left: wanted.offsetLeft, behavior: calm ? 'auto' : 'smooth' });
  }

  /** The pane that a flick brought into view. */
  private flicked = (event: Event): void => {
    const panes = event.currentTarget as HTMLElement;
    const { scrollLeft, scrollWidth, clientWidth } = panes;
    if (scrollWidth > clientWidth)
      this.pane = scrollLeft > (scrollWidth - clientWidth) / 2 ? 'picture' : 'code';
  };

  private renderPanes(exercise: Exercise, written: RunnableLanguage) {
    const { painted, pane } = this;
    const texts = words.panes;
    return html`<div class="pane-switch segments" role="group" aria-label=${texts.label}>
        ${PANES.map(
          (one) => html`<button
            type="button"
            aria-pressed=${String(pane === one)}
            @click=${() => this.show(one)}
          >
            ${texts[one]}
          </button>`,
        )}
      </div>
      <div class="panes" @scroll=${this.flicked}>
        <div class="code-pane ${pane === 'code' ? 'shown' : ''}">${this.renderCode(exercise, written)}</div>
        <div class="picture-pane ${pane === 'picture' ? 'shown' : ''}">
          <attn-exercise-picture
            .exercise=${exercise}
            .wordsLang=${this.wordsLang}
            .formulas=${this.formulas}
            .knobs=${this.knobs}
            .written=${painted}
            .passed=${this.passes}
            .failed=${painted?.code === this.code && this.outcome === false}
            .failing=${this.failing}
            .stale=${painted !== undefined && painted.code !== this.code}
            @attn-knobs=${({ detail }: CustomEvent<KnobsDetail>) => {
              this.knobs = detail.knobs;
            }}
          ></attn-exercise-picture>
        </div>
      </div>
      ${this.renderReport(exercise)}`;
  }

  private renderCpp(exercise: Exercise) {
    const cpp = renderCpp(
      this.specification ?? exercise,
      (text) => this.sub(text),
      this.status,
      (status) => {
        this.status = status;
      },
    );
    return html`<div class="work native">${this.renderHead(exercise)} ${cpp}</div>`;
  }

  override render() {
    const { exercise, failure, written } = this;
    if (failure) {
      return html`<div class="notice" role="alert">
        <p>${failure}</p>
        <button class="button" type="button" @click=${() => void this.load()}>
          ${words.page.retry}
        </button>
      </div>`;
    }
    if (!exercise) return html`<p class="fine" role="status">${words.page.loading}</p>`;
    return html`<article class="exercise" aria-busy=${String(this.running)}>
      <header class="exercise-head">
        ${this.heading()}
        ${this.level === 1 ? facts(exercise, this.formulas) : nothing}
        ${this.wordsLang && forNow ? html`<p class="fine english-for-now">${forNow.exercise}</p>` : nothing}
      </header>
      <div class="sheet">
        ${this.renderTask(exercise)}
        ${written ? this.renderPanes(exercise, written) : this.renderCpp(exercise)}
        ${this.renderNotes(exercise)}
      </div>
      ${written && !this.running ? this.renderAfter(written) : nothing}
    </article>`;
  }

  /** Puts the focus on Run, for the page that embeds this element. */
  override focus(): void {
    if (this.editor) this.editor.focus();
    else this.runButton?.focus();
  }
}

/** Whether the page is within another one. */
const isFramed = (): boolean => window.top !== window;

/** The rest of a line that does not fit is indented further than its beginning, so that the code's indentation stays readable. */
const lines = (code: string): TemplateResult[] =>
  code
    .trimEnd()
    .split('\n')
    .map((line) => {
      const inset = line.search(/\S|$/) + 4;
      return html`<span .style=${`padding-left:${inset}ch;text-indent:-${inset}ch`}>${line}${'\n'}</span>`;
    });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-exercise': AttnExercise;
  }
  interface HTMLElementEventMap {
    'attn-language': CustomEvent<Language>;
    'attn-graded': CustomEvent<GradedDetail>;
    'attn-next': CustomEvent<string>;
  }
}
