import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { strings } from '../../strings/index.ts';
import { language } from '../../strings/language.ts';
import { NumberField } from '../slider/number-field.ts';

/**
 * The seed of what is random: a number field and a button that takes the next seed. It has no shadow root, so that the
 * type of the other knobs applies.
 *
 * @element attn-seed
 * @fires attn-change - Another seed was chosen. Detail: the number.
 */
@customElement('attn-seed')
export class AttnSeed extends LitElement {
  @property({ type: Number }) value = 0;
  @property({ type: Number }) max = 2 ** 31 - 1;
  @property({ type: Boolean }) disabled = false;
  /** The id of the field; no other on the page has it. */
  @property() field = 'seed';
  /** An error about the seed that the owner reports. */
  @property() error = '';

  readonly min = 0;
  readonly step = 1;
  private readonly number = new NumberField(this);

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('value')) this.number.forget();
  }

  /** A seed that is half typed is none: the figure does not follow every key. */
  take(value: number, settled: boolean): void {
    if (!settled) return;
    this.number.forget();
    this.dispatchEvent(new CustomEvent<number>('attn-change', { detail: value, bubbles: true }));
  }

  /** What was typed no longer counts. */
  forget(): void {
    this.number.forget();
  }

  override render() {
    const { value, max, disabled, field } = this;
    const error = this.number.problem || this.error;
    const errorId = `${field}-error`;
    return html`<div class="seed">
        <label for=${field}>${strings.lab.seed}</label>
        ${this.number.render({ id: field, disabled, error: error ? errorId : undefined })}
        <button
          lang=${language}
          class="button"
          type="button"
          ?disabled=${disabled}
          @click=${() => this.take((value + 1) % (max + 1), true)}
        >
          ${strings.lab.newSeed}
        </button>
      </div>
      ${error ? html`<p class="error" role="alert" id=${errorId}>${error}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-seed': AttnSeed;
  }
}
