import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { theProgress } from '../../components/exercise/page-work.ts';
import { exerciseList, type ListedExercise } from '../../exercises/exercise-list.ts';
import { language } from '../../strings/language.ts';
import {
  type CheckRecord,
  type LabRecord,
  type PredictionAnswer,
  type RecordsBefore,
  theRecords,
} from '../questions/answer-records.ts';
import { answerText } from '../questions/answer-scoring.ts';
import { langOfPart } from '../text/part-lang.ts';
import { paragraphs, prose } from '../text/prose.ts';
import type { LabWords, OpeningWords, Prediction } from '../types';
import { shellWords } from '../words/index.ts';
import type { OpenLab } from './open-lab.ts';
import { exercisesIn, questionsIn } from './step-progress.ts';

const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long' });

/**
 * What a reader takes along: the lab in a few sentences, what was predicted and what came out, what
 * was answered and written. It prints as a page of its own.
 *
 * @element attn-lab-summary
 */
@customElement('attn-lab-summary')
export class AttnLabSummary extends LitElement {
  @property({ attribute: false }) open!: OpenLab;
  @property({ attribute: false }) words!: LabWords;
  @property({ attribute: false }) opening!: OpeningWords;

  @state() private record: LabRecord | undefined;
  @state() private passed: ReadonlySet<string> = new Set();
  @state() private titles: ReadonlyMap<string, ListedExercise> = new Map();
  @state() private student = '';
  @state() private earlier: RecordsBefore | undefined;
  @state() private status = '';
  /** The progress of loading the whole lab for printing. */
  @state() private preparing: { readonly done: number; readonly of: number } | undefined;

  private stopPreparing: AbortController | undefined;
  private readonly ends: (() => void)[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const lab = this.open.lab.id;
    this.record = theRecords().get(lab);
    const readWorks = (): void => {
      void theProgress()
        .all()
        .then((works) => {
          this.passed = new Set(works.flatMap((work) => (work.firstPassed ? [work.exercise] : [])));
        });
    };
    readWorks();
    void theProgress()
      .student()
      .then((name) => {
        this.student = name;
      });
    void exerciseList.with(async () => {
      this.titles = new Map(exerciseList.now.list.map((one) => [one.id, one]));
    });
    const restore = (): void => {
      delete document.documentElement.dataset.print;
    };
    addEventListener('afterprint', restore);
    this.ends.push(
      theRecords().listen((changed) => {
        if (changed === lab) this.record = theRecords().get(lab);
      }),
      theProgress().listen({ onSaved: readWorks, onReplaced: readWorks }),
      () => removeEventListener('afterprint', restore),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends.splice(0)) end();
    this.stopPreparing?.abort();
  }

  /** Figures the reader never reached are not loaded, and `beforeprint` cannot wait for them. */
  private async printAll(): Promise<void> {
    const lab = this.closest('attn-lab');
    if (!lab || this.preparing) return;
    const abort = new AbortController();
    this.stopPreparing = abort;
    this.preparing = { done: 0, of: 0 };
    this.status = '';
    await this.updateComplete;
    this.querySelector<HTMLElement>('.stop')?.focus();
    const { loadWhole } = await import('./load-for-print.ts');
    await loadWhole(lab, abort.signal, (done, of) => {
      this.preparing = { done, of };
    });
    this.preparing = undefined;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.print-all')?.focus();
    if (abort.signal.aborted) this.status = shellWords.now.summary.stopped;
    else window.print();
  }

  private renderPrintAll(): unknown {
    const { preparing } = this;
    const said = shellWords.now.summary;
    if (!preparing) {
      return html`<button class="button print-all" type="button" @click=${() => this.printAll()}>
        ${said.printAll}
      </button>`;
    }
    const { done, of } = preparing;
    return html`<label for="summary-loading"
        >${done < of || of === 0 ? said.loading(done, of) : said.drawing}</label
      >
      <progress id="summary-loading" max=${Math.max(1, of)} value=${done}></progress>
      <button class="button stop" type="button" @click=${() => this.stopPreparing?.abort()}>
        ${said.stop}
      </button>`;
  }

  /** Prints the summary alone. */
  private print(): void {
    document.documentElement.dataset.print = 'summary';
    window.print();
  }

  private async reset(): Promise<void> {
    this.earlier = await theRecords().restore([[this.open.lab.id, undefined]]);
    this.status = shellWords.now.reset.done;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.undo')?.focus();
  }

  private async undo(): Promise<void> {
    const { earlier } = this;
    if (!earlier) return;
    this.earlier = undefined;
    await theRecords().restore(earlier);
    this.status = shellWords.now.reset.undone;
  }

  private langOf(part: string): 'en' | typeof nothing {
    return langOfPart(this.words, part, this.open.tools.lang) ?? nothing;
  }

  private say(block: Prediction, answer: PredictionAnswer): unknown {
    const said = answerText(block, this.words.predictions[block.id], answer);
    if (block.answer.kind !== 'choice') return said;
    return html`<span lang=${this.langOf(`predictions.${block.id}`)}>${prose(said)}</span>`;
  }

  private result(record: CheckRecord | undefined): string {
    const words = shellWords.now.summary;
    if (!record) return words.notYet;
    if (record.rightAt === undefined) return words.checkResults.wrong;
    return record.rightAt === 1
      ? words.checkResults.first
      : words.checkResults.later(record.rightAt);
  }

  private table(
    title: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): unknown {
    if (rows.length === 0) return nothing;
    return html`<h3>${title}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead>
            <tr>
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([first, ...rest]) => html`<tr>
                <th scope="row">${first}</th>
                ${rest.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  override render() {
    const { open, words, record, opening } = this;
    const said = shellWords.now.summary;
    const { reset } = shellWords.now;
    const blocks = open.lab.steps.flatMap((step) => step.blocks);
    const questions = [...questionsIn(blocks)];
    const ids = exercisesIn(blocks);
    return html`<div class="summary">
      <p class="on-paper">${said.of(`${open.lab.number}. ${opening.title}`)}</p>
      <p class="on-paper">${this.student}</p>
      <p class="on-paper">${said.date(dateFormat.format(new Date()))}</p>
      <div class="take-along">
        <h3>${said.takeAlong}</h3>
        <div lang=${this.langOf('summary')}>${paragraphs(words.summary)}</div>
      </div>
      ${this.table(
        said.predictions,
        [said.question, said.first, said.truth],
        questions.flatMap((block) => {
          if (block.kind !== 'prediction') return [];
          const kept = record?.predictions[block.id];
          return [
            [
              html`<span lang=${this.langOf(`predictions.${block.id}`)}>${prose(words.predictions[block.id]?.question ?? block.id)}</span>`,
              kept ? this.say(block, kept.first) : said.notYet,
              kept?.firstTruth === undefined ? '' : this.say(block, kept.firstTruth),
            ],
          ];
        }),
      )}
      ${this.table(
        said.checks,
        [said.question, said.result],
        questions.flatMap((block) =>
          block.kind === 'check'
            ? [
                [
                  html`<span lang=${this.langOf(`checks.${block.id}`)}>${prose(words.checks[block.id]?.question ?? block.id)}</span>`,
                  this.result(record?.checks[block.id]),
                ],
              ]
            : [],
        ),
      )}
      ${this.table(
        said.exercises,
        [said.exerciseColumn, said.result],
        ids.map((id) => [
          html`<span lang=${this.titles.get(id)?.lang ?? nothing}
            >${prose(this.titles.get(id)?.title ?? id)}</span
          >`,
          this.passed.has(id) ? said.exercise.passed : said.exercise.open,
        ]),
      )}
      <div class="summary-tools">
        <p>
          <label for="summary-name">${said.name}</label>
          <input
            id="summary-name"
            autocomplete="name"
            maxlength="120"
            .value=${this.student}
            @change=${(event: Event) => {
              this.student = (event.target as HTMLInputElement).value.trim();
              void theProgress().setStudent(this.student);
            }}
          />
          <button class="button primary" type="button" @click=${() => this.print()}>
            ${said.print}
          </button>
        </p>
        <p>${this.renderPrintAll()}</p>
        <p>
          <button class="plain" type="button" @click=${() => this.reset()}>${reset.button}</button>
          <span role="status">${this.status}</span>
          ${
            this.earlier
              ? html`<button class="plain undo" type="button" @click=${() => this.undo()}>
                  ${reset.undo}
                </button>`
              : nothing
          }
        </p>
        ${theRecords().problem ? html`<p class="fine">${theRecords().problem}</p>` : nothing}
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-lab-summary': AttnLabSummary;
  }
}
