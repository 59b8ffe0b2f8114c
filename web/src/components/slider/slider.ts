import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { strings } from '../../strings/index.ts';
import { shared } from '../shared.styles.ts';
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

  /** An error about the text that was typed. */
  @state() private typed = '';
  /** The typed text while it is no valid number: a new rendering must not lose it. */
  private draft: string | undefined;

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
    return this.snap(this.log ? min * (max / min) ** part : min + (max - min) * part);
  }

  private snap(value: number): number {
    const { min, max, step } = this;
    const snapped = min + Math.round((value - min) / step) * step;
    return Number(Math.max(min, Math.min(max, snapped)).toPrecision(12));
  }

  private set(value: number, name: 'attn-input' | 'attn-change'): void {
    this.typed = '';
    this.draft = undefined;
    this.value = value;
    this.dispatchEvent(
      new CustomEvent<number>(name, { detail: value, bubbles: true, composed: true }),
    );
  }

  private onRangeKey = (event: KeyboardEvent): void => {
    const jump = {
      PageUp: 10,
      PageDown: -10,
      ArrowUp: 1,
      ArrowRight: 1,
      ArrowDown: -1,
      ArrowLeft: -1,
    }[event.key];
    if (jump === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.set(this.snap(this.value + jump * this.step), 'attn-change');
  };

  private onType(event: Event, name: 'attn-input' | 'attn-change'): void {
    const field = event.target as HTMLInputElement;
    const value = Number(field.value);
    const { min, max, step } = this;
    const whole = step === 1 && Number.isInteger(min);
    const fits =
      field.value.trim() !== '' &&
      value >= min &&
      value <= max &&
      (!whole || Number.isInteger(value));
    if (fits) {
      this.set(value, name);
      return;
    }
    this.draft = field.value;
    if (name === 'attn-change') {
      const seen = field.value.trim() === '' ? strings.slider.nothing : field.value;
      this.typed = whole
        ? strings.slider.whole(seen, min, max)
        : strings.slider.number(seen, min, max);
    }
  }

  override render() {
    const [letter = '', below] = this.symbol.split('_');
    const stop = this.toStop(this.value);
    const error = this.typed || this.error;
    return html`<div class="line">
        <label for="number"
          >${
            this.symbol
              ? html`<span class="symbol">${letter}${below ? html`<sub>${below}</sub>` : nothing}</span>
                  <span class="name">${this.label}</span>`
              : this.typeset(this.label)
          }</label
        >
        <input
          id="number"
          type="number"
          inputmode="decimal"
          min=${this.min}
          max=${this.max}
          step=${this.step === 1 ? 1 : 'any'}
          .value=${live(this.draft ?? String(this.value))}
          ?disabled=${this.disabled}
          aria-invalid=${error ? 'true' : 'false'}
          aria-describedby=${error ? 'error' : nothing}
          @input=${(event: Event) => this.onType(event, 'attn-input')}
          @change=${(event: Event) => this.onType(event, 'attn-change')}
        />
      </div>
      <input
        type="range"
        min="0"
        max=${STOPS}
        .value=${live(String(stop))}
        .style=${`--filled:${stop / (STOPS / 100)}%`}
        aria-label=${this.symbol ? `${this.symbol.replace('_', ' ')}, ${this.label}` : this.label.replace('_', ' ')}
        aria-valuetext=${String(this.value)}
        ?disabled=${this.disabled}
        @keydown=${this.onRangeKey}
        @input=${(event: Event) =>
          this.set(this.fromStop(Number((event.target as HTMLInputElement).value)), 'attn-input')}
        @change=${(event: Event) =>
          this.set(this.fromStop(Number((event.target as HTMLInputElement).value)), 'attn-change')}
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
