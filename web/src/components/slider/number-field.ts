import { html, nothing, type ReactiveControllerHost } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatExact } from '../../plot/format.ts';
import { strings } from '../../strings/index.ts';
import { readNumber } from './read-number.ts';

/** The element that has the field. */
interface Owner extends Pick<ReactiveControllerHost, 'requestUpdate'> {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** What an arrow key adds; 1 for whole numbers. */
  readonly step: number;
  /** The number was typed or stepped to; `settled` when the gesture has ended. */
  take(value: number, settled: boolean): void;
}

/** The keys that change the number, and by how many steps. */
const STEPS: Readonly<Record<string, number>> = {
  PageUp: 10,
  PageDown: -10,
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
};

/**
 * The field in which a number is typed. It is no `type=number`, because that writes numbers in the browser's language
 * and not in the page's.
 */
export class NumberField {
  /** What is wrong with the text that was typed. */
  problem = '';
  /** The text that is being typed, or is no valid number: a new rendering must not lose it. */
  private draft: string | undefined;

  constructor(private readonly owner: Owner) {}

  get whole(): boolean {
    const { step, min } = this.owner;
    return step === 1 && Number.isInteger(min);
  }

  /** The number as the page's language writes it. */
  get written(): string {
    return formatExact(this.owner.value);
  }

  snap(value: number): number {
    const { min, max, step } = this.owner;
    const snapped = min + Math.round((value - min) / step) * step;
    return Number(Math.max(min, Math.min(max, snapped)).toPrecision(12));
  }

  /** What was typed no longer counts. */
  forget(): void {
    this.problem = '';
    this.draft = undefined;
    // The number may be what it was while its text is another: "2,50".
    this.owner.requestUpdate();
  }

  /** For a control beside the field too. */
  readonly onKey = (event: KeyboardEvent): void => {
    const steps = STEPS[event.key];
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { value, step } = this.owner;
    this.owner.take(this.snap(value + steps * step), true);
  };

  /** What arrow keys do in a number field of the browser; those to the sides move in the text. */
  private readonly onFieldKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') this.onKey(event);
  };

  private read(text: string): number | undefined {
    const { min, max } = this.owner;
    const value = readNumber(text, this.whole);
    const fits = value >= min && value <= max && (!this.whole || Number.isInteger(value));
    return fits ? value : undefined;
  }

  private onType(event: Event, settled: boolean): void {
    const text = (event.target as HTMLInputElement).value;
    const { min, max } = this.owner;
    const value = this.read(text);
    if (value !== undefined) this.owner.take(value, settled);
    // "2," becomes "2,5" with the next key.
    if (value === undefined || !settled) this.draft = text;
    if (value === undefined && settled) {
      const seen = text.trim() === '' ? strings.slider.nothing : text;
      const [from, to] = [formatExact(min), formatExact(max)];
      this.problem = this.whole
        ? strings.slider.whole(seen, min, max)
        : strings.slider.number(seen, from, to);
      this.owner.requestUpdate();
    }
  }

  /** Whoever types a number and takes it back ends without a change. */
  private readonly onLeave = (): void => {
    if (this.draft === undefined || this.read(this.draft) === undefined) return;
    this.draft = undefined;
    this.owner.requestUpdate();
  };

  /** `error` is the id of the element that says what is wrong, while something is. */
  render({
    id,
    disabled,
    error,
  }: {
    readonly id: string;
    readonly disabled: boolean;
    readonly error: string | undefined;
  }): unknown {
    const { written, owner } = this;
    return html`<input
      id=${id}
      type="text"
      role="spinbutton"
      inputmode=${this.whole && owner.min >= 0 ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-valuemin=${owner.min}
      aria-valuemax=${owner.max}
      aria-valuenow=${owner.value}
      aria-valuetext=${written}
      .value=${live(this.draft ?? written)}
      ?disabled=${disabled}
      aria-invalid=${error ? 'true' : 'false'}
      aria-describedby=${error ?? nothing}
      @input=${(event: Event) => this.onType(event, false)}
      @change=${(event: Event) => this.onType(event, true)}
      @keydown=${this.onFieldKey}
      @blur=${this.onLeave}
    />`;
  }
}
