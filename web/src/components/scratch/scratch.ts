import { html, LitElement, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { figuresOf } from '../../exercises/drawings.ts';
import type { Work } from '../../exercises/kept-work.ts';
import { exerciseModules } from '../../exercises/python/exercise-parts.ts';
import type { RunResult } from '../../exercises/types';
import { askBeforeLeaving } from '../../state/ask-before-leaving.ts';
import { pageStorage } from '../../state/page-host.ts';
import type { SavedWork } from '../../state/saved-work.ts';
import { exercises } from '../../strings/exercises.ts';
import { runErrorText } from '../../strings/run-errors.ts';
import '../code-editor/code-editor.ts';
import type { AttnCodeEditor, CodeProblem } from '../code-editor/code-editor.ts';
import { theProgress } from '../exercise/page-work.ts';
import { coded } from '../exercise/prose.ts';
import { onPhase, theSandbox } from '../exercise/tools.ts';
import { passedCode, renderParts, standings } from './parts.ts';
import { isPreset, ofDay42, others, type Preset, presets } from './presets.ts';

const words = exercises.scratch;
const KEY = 'scratch/python';
const SAVE_AFTER_MS = 250;
const USES_EXERCISE = /^\s*(?:from|import)\s+exercise\b/m;

/**
 * A sheet for any Python code, which runs in the same runtime as the exercises. It has no shadow root, so
 * the styles of an exercise apply.
 *
 * @element attn-scratch
 */
@customElement('attn-scratch')
export class AttnScratch extends LitElement {
  storage: SavedWork = pageStorage();
  /** The preset to begin with, from a link. What was kept on the sheet can be taken back. */
  @property() begin = '';

  @state() private code: string = presets.blank;
  @state() private preset: Preset = 'blank';
  @state() private running = false;
  @state() private status = '';
  @state() private result: RunResult | undefined;
  @state() private earlier: string | undefined;
  @state() private broken = '';
  /** Why the sheet is not kept; empty while it is. */
  @state() private problem = '';
  /** Imports that the code took for granted. */
  @state() private added = '';

  @query('attn-code-editor') private editor!: AttnCodeEditor;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopPhase: (() => void) | undefined;
  private stopAsking: (() => void) | undefined;
  private typed = false;
  /** What the student has written, for the module `exercise`. */
  @state() private works: readonly Work[] = [];
  @state() private onlyOwn = false;
  private stopListening: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopPhase = onPhase((phase, language) => {
      if (!this.running) return;
      const name = exercises.languages[language];
      if (phase === 'fetching') this.status = exercises.run.fetching(name);
      else if (phase === 'starting') this.status = exercises.run.starting(name);
      else if (phase === 'running') this.status = exercises.run.running;
    });
    this.stopAsking = askBeforeLeaving(() => !this.problem);
    const progress = theProgress();
    const read = (): void => void this.readWorks();
    this.stopListening = progress.listen({ onSaved: read, onReplaced: read });
    read();
    void this.storage.load(KEY).then((kept) => {
      if (kept.ok && typeof kept.value === 'string' && !this.typed) this.code = kept.value;
      if (isPreset(this.begin) && !this.typed) this.take(this.begin);
    });
  }

  private async readWorks(): Promise<void> {
    this.works = await theProgress().all();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopPhase?.();
    this.stopAsking?.();
    this.stopListening?.();
    if (this.running) theSandbox().stop();
    this.save();
  }

  private change(code: string): void {
    this.typed = true;
    this.code = code;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  private save(): void {
    clearTimeout(this.timer);
    if (!this.typed) return;
    void this.storage.save(KEY, this.code).then((saved) => {
      this.problem = saved.ok ? '' : saved.reason;
    });
  }

  /** Puts a preset on the sheet; what stood there can be taken back. */
  take(preset: Preset): void {
    this.preset = preset;
    this.earlier = this.code;
    this.change(presets[preset]);
    this.result = undefined;
    this.status = words.replaced;
  }

  private takeBack = (): void => {
    if (this.earlier === undefined) return;
    this.change(this.earlier);
    this.earlier = undefined;
    this.status = exercises.run.undone;
    this.editor.focus();
  };

  private press = (event: MouseEvent): void => {
    if (event.detail > 1) return;
    if (this.running) theSandbox().stop();
    else void this.run();
  };

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.broken = '';
    this.earlier = undefined;
    this.status = exercises.run.running;
    const started = performance.now();
    try {
      // The course texts' snippets take imports for granted.
      const { missingImports } = await import('../../exercises/python/course-modules.ts');
      const before = withoutStars(missingImports(this.code).before, this.code);
      const code = before + this.code;
      await this.readWorks();
      const modules = exerciseModules(passedCode(this.works), this.onlyOwn);
      const result = await theSandbox().run(
        { language: 'python', code, entry: '', cases: [], parameters: [], modules },
        { deadlines: [{ cases: 0, seconds: 30 }] },
      );
      this.added = before;
      this.result = shifted(result, before.split('\n').length - 1);
      if (result.drawings) await import('../drawing/drawing.ts');
      const { stopped, loadError } = this.result;
      if (stopped) this.status = exercises.run.stopped[stopped];
      else if (loadError) this.status = words.error(loadError.type, runErrorText(loadError));
      else this.status = words.done(Math.round(performance.now() - started).toString());
    } catch (error) {
      this.status = '';
      this.broken = exercises.run.broken(error instanceof Error ? error.message : String(error));
    } finally {
      this.running = false;
    }
  }

  private get problems(): readonly CodeProblem[] {
    const { line, column, type, message } = this.result?.loadError ?? {};
    if (line === undefined) return [];
    return [{ line, message: `${type}: ${message}`, ...(column ? { column } : {}) }];
  }

  override render() {
    const { result, running } = this;
    const line = result?.loadError?.line;
    const option = (name: Preset, title: string) =>
      html`<option value=${name} ?selected=${name === this.preset}>${title}</option>`;
    return html`<div
      class="exercise"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !running || event.defaultPrevented) return;
        event.preventDefault();
        theSandbox().stop();
      }}
    >
      <div class="work">
        <p class="preset">
          <label for="scratch-preset">${words.preset}</label>
          <select
            id="scratch-preset"
            @change=${(event: Event) =>
              this.take((event.target as HTMLSelectElement).value as Preset)}
          >
            ${others.map((name) => option(name, words.presets[name]))}
            <optgroup label=${words.day42Title}>
              ${ofDay42.map((name) => option(`day42${name}`, words.day42[name]))}
            </optgroup>
          </select>
        </p>
        <attn-code-editor
          .value=${this.code}
          .document=${'scratch'}
          .label=${words.label}
          .running=${running}
          .problems=${this.problems}
          @focusin=${() =>
            void theSandbox()
              .prefetch('python')
              .catch(() => undefined)}
          @attn-code=${({ detail }: CustomEvent<string>) => {
            this.earlier = undefined;
            this.change(detail);
          }}
          @attn-run=${() => void this.run()}
          @attn-stop=${() => theSandbox().stop()}
        ></attn-code-editor>
        <p class="unsafe ${this.problem ? 'notice' : ''}" role="status">${this.problem}</p>
        <div class="run-bar">
          <button class="main" type="button" @click=${this.press}>
            ${running ? exercises.run.stop : exercises.run.run}
          </button>
          <button
            class="button"
            type="button"
            @click=${() => {
              theSandbox().restart();
              this.broken = '';
              this.status = exercises.run.restarted(exercises.languages.python);
            }}
          >
            ${exercises.run.restart(exercises.languages.python)}
          </button>
        </div>
        <div class="run-status">
          <p class="status" role="status">${coded(this.status)}</p>
          ${
            line === undefined
              ? nothing
              : html`<button
                  class="plain"
                  type="button"
                  aria-label=${exercises.report.goTo(line)}
                  @click=${() => void this.editor.goTo(line)}
                >
                  ${exercises.report.line(line)}
                </button>`
          }
          ${
            this.earlier !== undefined && !running
              ? html`<button class="plain" type="button" @click=${this.takeBack}>
                  ${exercises.run.undo}
                </button>`
              : nothing
          }
        </div>
        ${this.broken ? html`<p class="error" role="alert">${this.broken}</p>` : nothing}
        ${
          result
            ? html`<section aria-label=${words.output}>
                ${
                  this.added
                    ? html`<p class="fine">${words.added} <code>${this.added.trim().replace(/\n/g, '; ')}</code></p>`
                    : nothing
                }
                ${
                  result.prints || !result.drawings
                    ? html`<pre class="output" tabindex="0">${result.prints || words.nothing}</pre>`
                    : nothing
                }
                ${
                  result.drawings
                    ? html`<attn-drawing
                        .figures=${figuresOf(result.drawings)}
                      ></attn-drawing>`
                    : nothing
                }
              </section>`
            : nothing
        }
        ${
          USES_EXERCISE.test(this.code) || result?.taken
            ? renderParts(standings(this.works, this.onlyOwn), {
                taken: result?.taken ?? [],
                onlyOwn: this.onlyOwn,
                choose: (onlyOwn) => {
                  this.onlyOwn = onlyOwn;
                },
              })
            : nothing
        }
      </div>
    </div>`;
  }
}

/** A name that a star import brings need not be imported again. */
const withoutStars = (before: string, code: string): string =>
  before.replace(/^from (\w+) import .*\n/gm, (line, module: string) =>
    new RegExp(`^from ${module} import \\*`, 'm').test(code) ? '' : line,
  );

/** Line numbers count from the sheet's first line, not from the imports put before it. */
function shifted(result: RunResult, lines: number): RunResult {
  const { loadError } = result;
  if (!loadError?.line || lines === 0) return result;
  return { ...result, loadError: { ...loadError, line: Math.max(1, loadError.line - lines) } };
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-scratch': AttnScratch;
  }
}
