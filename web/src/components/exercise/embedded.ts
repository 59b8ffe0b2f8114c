import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { exerciseList, type ListedExercise } from '../../exercises/list.ts';
import type { Exercise } from '../../exercises/types';
import { exercises } from '../../strings/exercises.ts';
import { plain } from './prose.ts';

const words = exercises.embedded;

/**
 * The exercises of a lab inside its page: a choice, and the exercise itself once someone begins.
 *
 * @element attn-write-it
 * @attr {string} lab
 * @attr {string} address - The page of exercises, from here.
 */
@customElement('attn-write-it')
export class AttnWriteIt extends LitElement {
  @property() lab: Exercise['lab'] = 'feature-maps';
  @property() address = '';

  @state() private list: readonly ListedExercise[] = [];
  @state() private chosen = '';
  @state() private begun = false;
  @state() private failure = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void exerciseList.with(async () => {
      this.list = exerciseList.now;
    });
  }

  private get own() {
    return this.list.filter(({ lab }) => lab === this.lab);
  }

  private async begin(): Promise<void> {
    this.failure = '';
    try {
      await import('./exercise.ts');
      this.begun = true;
      await this.updateComplete;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.failure = exercises.page.failed(why);
    }
  }

  override render() {
    const { own, begun } = this;
    const id = this.chosen || own[0]?.id;
    if (!id) return nothing;
    return html`<h2>${words.title}</h2>
      <p>${words.intro}</p>
      <p class="pick">
        <label for="write-it">${words.choose}</label>
        <select
          id="write-it"
          @change=${(event: Event) => {
            this.chosen = (event.target as HTMLSelectElement).value;
          }}
        >
          ${own.map((one) => html`<option value=${one.id}>${plain(one.title)}</option>`)}
        </select>
        ${
          begun
            ? nothing
            : html`<button class="button" type="button" @click=${() => this.begin()}>
                ${words.open}
              </button>`
        }
        <a href=${this.address}>${words.all}</a>
      </p>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      ${
        begun
          ? html`<attn-exercise level="3" id=${id} address=${this.address}></attn-exercise>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-write-it': AttnWriteIt;
  }
}
