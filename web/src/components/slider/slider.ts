import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { shared } from '../shared.styles.ts';
import { NumberField } from './number-field.ts';
import { styles } from './slider.styles.ts';

/** Stops of the range control; the number field beside it is exact. */
const STOPS = 1000;

/**
 * A slider with a number field in step with it.
 *
 * @element attn-slider
 * @attr {number} min
 * @attr {number} max
 * @attr {number} step - What an arrow key adds; 1 for whole numbers.
 * @attr {boolean} log - Equal ways on the slider are equal ratios; needs `min` > 0.
 * @fires attn-input - While it moves. Detail: the number.
 * @fires attn-change - When the gesture has ended. Detail: the number.
 */
@customElement('attn-slider')
export class AttnSlider extends LitElement {
  static override styles = [shared, styles];
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  /** The symbol of the quantity, such as `d_k`; the part after `_` is set as a subscript. */
  @property() symbol = '';
  @property() label = '';
  /** Renders the label where it holds formulas. */
  @property({ attribute: false }) typeset: (label: string) => unknown = (label) => label;
  @property({ type: Number }) value = 0;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 1;
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) log = false;
  @property({ type: Boolean }) disabled = false;
  /** An error about the value that the owner of the slider reports. */
  @property() error = '';

  private readonly number = new NumberField(this);

  private toStop(value: number): number {
    const { min, max } = this;
    const part = this.log
      ? Math.log(value / min) / Math.log(max / min)
      : (value - min) / (max - min || 1);
    return Math.round(Math.max(0, Math.min(1, part)) * STOPS);
  }

  private fromStop(stop: number): number {
    const { min, max } = this;
    const part = stop / STOPS;
    return this.number.snap(this.log ? min * (max / min) ** part : min + (max - min) * part);
  }

  take(value: number, settled: boolean): void {
    this.number.forget();
    this.value = value;
    this.dispatchEvent(
      new CustomEvent<number>(settled ? 'attn-change' : 'attn-input', {
        detail: value,
        bubbles: true,
        composed: true,
      }),
    );
  }

  override render() {
    const [letter = '', below] = this.symbol.split('_');
    const stop = this.toStop(this.value);
    const error = this.number.problem || this.error;
    return html`<div class="line">
        <label for="number"
          >${
            this.symbol
              ? html`<span class="symbol">${letter}${below ? html`<sub>${below}</sub>` : nothing}</span>
                  <span class="name">${this.label}</span>`
              : this.typeset(this.label)
          }</label
        >
        ${this.number.render({
          id: 'number',
          disabled: this.disabled,
          error: error ? 'error' : undefined,
        })}
      </div>
      <input
        type="range"
        min="0"
        max=${STOPS}
        .value=${live(String(stop))}
        .style=${`--filled:${stop / (STOPS / 100)}%`}
        aria-label=${this.symbol ? `${this.symbol.replace('_', ' ')}, ${this.label}` : this.label.replace('_', ' ')}
        aria-valuetext=${this.number.written}
        ?disabled=${this.disabled}
        @keydown=${this.number.onKey}
        @input=${(event: Event) =>
          this.take(this.fromStop(Number((event.target as HTMLInputElement).value)), false)}
        @change=${(event: Event) =>
          this.take(this.fromStop(Number((event.target as HTMLInputElement).value)), true)}
      />
      ${error ? html`<p id="error" class="error" role="alert">${error}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-slider': AttnSlider;
  }
  interface HTMLElementEventMap {
    'attn-input': CustomEvent<number>;
    'attn-change': CustomEvent<number>;
  }
}
