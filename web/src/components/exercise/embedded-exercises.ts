import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { exerciseList, type ListedExercise } from '../../exercises/exercise-list.ts';
import { addressWith } from '../../exercises/parts.ts';
import type { Language } from '../../exercises/types.ts';
import { forNow } from '../../strings/english-for-now.ts';
import { exercises } from '../../strings/exercises.ts';
import { problemText } from '../../strings/problem.ts';
import type { NextExercise } from './exercise.ts';
import { facts } from './facts.ts';
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
  /** What the link takes away from them: hints, the solution. */
  @property({ attribute: false }) hide: readonly string[] = [];

  @state() private list: readonly ListedExercise[] = [];
  @state() private formulas: RenderedTex = {};
  /** The exercises that are passed, and a language in which each is. */
  @state() private passed: ReadonlyMap<string, Language> = new Map();
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
    const first = works.filter(({ firstPassed }) => firstPassed);
    this.passed = new Map(first.map(({ exercise, language }) => [exercise, language]));
  }

  private async begin(id: string): Promise<void> {
    this.failure = '';
    try {
      await import('./exercise.ts');
      this.begun = this.begun === id ? '' : id;
      await this.updateComplete;
    } catch (error) {
      const why = await problemText(error);
      this.failure = exercises.page.failed(why);
    }
  }

  /** The page of an exercise, with the kept code of the reader and the picture that it paints. */
  private pictureOf(id: string): string {
    const language = this.passed.get(id);
    const inOther = language && language !== 'python' ? `&in=${language}` : '';
    return `${addressWith(this.address, this.hide, id)}${inOther}#picture`;
  }

  /** The next exercise of the lab: in this list, else on the page of exercises. */
  private nextOf(id: string): NextExercise | undefined {
    const at = this.list.findIndex((one) => one.id === id);
    const [here, next] = [this.list[at], this.list[at + 1]];
    if (!here || next?.lab !== here.lab) return undefined;
    return { ...next, href: addressWith(this.address, this.hide, next.id) };
  }

  /** Opens it in its place and brings it there; an exercise of another step is a page of its own. */
  private async goOn(event: CustomEvent<string>): Promise<void> {
    const { detail: id } = event;
    if (!this.ids.includes(id)) return;
    event.preventDefault();
    await this.begin(id);
    await this.updateComplete;
    const button = this.querySelector<HTMLElement>(`[aria-describedby="write-it-${id}"]`);
    button?.focus({ preventScroll: true });
    button?.closest('li')?.scrollIntoView({ block: 'start' });
  }

  override render() {
    const own = this.ids.flatMap((id) => this.list.find((one) => one.id === id) ?? []);
    return html`<ul class="exercise-list">
        ${own.map(
          ({ id, title, summary, lang, ...about }) => html`<li>
            <div>
              <p class="exercise-title">
                <span lang=${lang ?? nothing}>${prose(title, this.formulas)}</span>
                ${lang && forNow ? html`<span class="fine">${forNow.short}</span>` : nothing}
                ${
                  this.passed.has(id)
                    ? html`<span class="passed">${words.passed}</span>
                        <a class="fine to-picture" href=${this.pictureOf(id)}>${words.picture}</a>`
                    : nothing
                }
              </p>
              <p class="fine" lang=${lang ?? nothing}>${prose(summary, this.formulas)}</p>
              ${facts(about, this.formulas)}
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
                      .hide=${this.hide}
                      .next=${this.nextOf(id)}
                      @attn-next=${(one: CustomEvent<string>) => this.goOn(one)}
                    ></attn-exercise>`
                : nothing
            }
            <span class="visually-hidden" id="write-it-${id}" lang=${lang ?? nothing}>${title}</span>
          </li>`,
        )}
      </ul>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      <p class="fine"><a href=${addressWith(this.address, this.hide)}>${words.all}</a></p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-write-it': AttnWriteIt;
  }
}
