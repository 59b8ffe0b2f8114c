import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { decimal } from '../../plot/format.ts';
import { strings } from '../../strings/index.ts';
import { shared } from '../shared.styles.ts';
import { readNumber } from './read-number.ts';
import { styles } from './slider.styles.ts';

/** Stops of the range control; the number field beside it is exact. */
const STOPS = 1000;

/**
 * A slider with a number field in step with it. The field is no `type=number`, because that writes numbers in the
 * browser's language and not in the page's.
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
  /** The text that is being typed, or is no valid number: a new rendering must not lose it. */
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
    // The number may be what it was while its text is another: "2,50".
    this.requestUpdate();
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

  /** What arrow keys do in a number field of the browser. */
  private onFieldKey = (event: KeyboardEvent): void => {
    if (['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(event.key)) this.onRangeKey(event);
  };

  private get whole(): boolean {
    return this.step === 1 && Number.isInteger(this.min);
  }

  private read(text: string): number | undefined {
    const { min, max, whole } = this;
    const value = readNumber(text, whole);
    const fits = value >= min && value <= max && (!whole || Number.isInteger(value));
    return fits ? value : undefined;
  }

  private onType(event: Event, name: 'attn-input' | 'attn-change'): void {
    const text = (event.target as HTMLInputElement).value;
    const { min, max, whole } = this;
    const value = this.read(text);
    if (value !== undefined) this.set(value, name);
    // "2," becomes "2,5" with the next key.
    if (value === undefined || name === 'attn-input') this.draft = text;
    if (value === undefined && name === 'attn-change') {
      const seen = text.trim() === '' ? strings.slider.nothing : text;
      const [from, to] = [decimal(String(min)), decimal(String(max))];
      this.typed = whole
        ? strings.slider.whole(seen, min, max)
        : strings.slider.number(seen, from, to);
    }
  }

  /** Whoever types a number and takes it back ends without a change. */
  private onLeave = (): void => {
    if (this.draft === undefined || this.read(this.draft) === undefined) return;
    this.draft = undefined;
    this.requestUpdate();
  };

  override render() {
    const [letter = '', below] = this.symbol.split('_');
    const stop = this.toStop(this.value);
    const error = this.typed || this.error;
    const written = decimal(String(this.value));
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
          type="text"
          role="spinbutton"
          inputmode=${this.whole && this.min >= 0 ? 'numeric' : 'decimal'}
          autocomplete="off"
          aria-valuemin=${this.min}
          aria-valuemax=${this.max}
          aria-valuenow=${this.value}
          aria-valuetext=${written}
          .value=${live(this.draft ?? written)}
          ?disabled=${this.disabled}
          aria-invalid=${error ? 'true' : 'false'}
          aria-describedby=${error ? 'error' : nothing}
          @input=${(event: Event) => this.onType(event, 'attn-input')}
          @change=${(event: Event) => this.onType(event, 'attn-change')}
          @keydown=${this.onFieldKey}
          @blur=${this.onLeave}
        />
      </div>
      <input
        type="range"
        min="0"
        max=${STOPS}
        .value=${live(String(stop))}
        .style=${`--filled:${stop / (STOPS / 100)}%`}
        aria-label=${this.symbol ? `${this.symbol.replace('_', ' ')}, ${this.label}` : this.label.replace('_', ' ')}
        aria-valuetext=${written}
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
