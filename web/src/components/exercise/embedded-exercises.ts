import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { exerciseList, type ListedExercise } from '../../exercises/exercise-list.ts';
import { forNow } from '../../strings/english-for-now.ts';
import { exercises } from '../../strings/exercises.ts';
import { problemText } from '../../strings/problem.ts';
import { theProgress } from './page-work.ts';
import { prose, type RenderedTex } from './prose.ts';

const words = exercises.embedded;

/**
 * Some exercises inside another page: each opens in its place.
 *
 * @element attn-write-it
 * @attr {string} address - The page of exercises, from here.
 */
@customElement('attn-write-it')
export class AttnWriteIt extends LitElement {
  /** The ids of the exercises to show. */
  @property({ attribute: false }) ids: readonly string[] = [];
  @property() address = '';

  @state() private list: readonly ListedExercise[] = [];
  @state() private formulas: RenderedTex = {};
  @state() private passed: ReadonlySet<string> = new Set();
  @state() private begun = '';
  @state() private failure = '';

  private stopListening: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void exerciseList.with(async () => {
      this.list = exerciseList.now.list;
    });
    import('virtual:formulas/exercises').then(
      ({ formulas }) => {
        this.formulas = formulas;
      },
      // When the formulas cannot be loaded, the TeX itself is shown.
      () => undefined,
    );
    const read = () => void this.read();
    this.stopListening = theProgress().listen({ onSaved: read, onReplaced: read });
    read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
  }

  private async read(): Promise<void> {
    const works = await theProgress().all();
    this.passed = new Set(works.flatMap((work) => (work.firstPassed ? [work.exercise] : [])));
  }

  private async begin(id: string): Promise<void> {
    this.failure = '';
    try {
      await import('./exercise.ts');
      this.begun = this.begun === id ? '' : id;
      await this.updateComplete;
    } catch (error) {
      const why = problemText(error);
      this.failure = exercises.page.failed(why);
    }
  }

  override render() {
    const own = this.ids.flatMap((id) => this.list.find((one) => one.id === id) ?? []);
    return html`<ul class="exercise-list">
        ${own.map(
          ({ id, title, summary, lang }) => html`<li>
            <div>
              <p class="exercise-title">
                <span lang=${lang ?? nothing}>${prose(title, this.formulas)}</span>
                ${lang && forNow ? html`<span class="fine">${forNow.short}</span>` : nothing}
                ${this.passed.has(id) ? html`<span class="passed">${words.passed}</span>` : nothing}
              </p>
              <p class="fine" lang=${lang ?? nothing}>${prose(summary, this.formulas)}</p>
            </div>
            <button
              class="button"
              type="button"
              aria-expanded=${String(this.begun === id)}
              aria-describedby="write-it-${id}"
              @click=${() => this.begin(id)}
            >
              ${this.begun === id ? words.close : words.open}
            </button>
            ${
              this.begun === id
                ? html`<attn-exercise
 class="opened"
                      level="3"
                      id=${id}
                      address=${this.address}
                    ></attn-exercise>`
                : nothing
            }
            <span class="visually-hidden" id="write-it-${id}" lang=${lang ?? nothing}>${title}</span>
          </li>`,
        )}
      </ul>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      <p class="fine"><a href=${this.address}>${words.all}</a></p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-write-it': AttnWriteIt;
  }
}
