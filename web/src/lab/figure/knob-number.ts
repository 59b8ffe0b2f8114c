import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { language } from '../../strings/language.ts';
import { adopt } from '../../styles/adopt.ts';
import type { Figure } from '../page/open-lab.ts';
import type { NumberKnob } from './figure.ts';
import { figureWords } from './figure-words.ts';
import css from './knob-number.css?inline';

adopt(css);

/** Every step of a small range is this wide; a range of many steps is `MOST_PX` wide in all. */
const STEP_PX = 6;
const MOST_PX = 300;

/** The value after a way of `dx` pixels: equal ways are equal steps, or equal ratios where the scale is logarithmic. */
export function dragged(from: number, dx: number, { min, max, step, log }: NumberKnob): number {
  const width = Math.min(MOST_PX, Math.max(1, (max - min) / step) * STEP_PX);
  const part = dx / width;
  return snapped(log ? from * (max / min) ** part : from + (max - min) * part, { min, max, step });
}

export function snapped(
  value: number,
  { min, max, step }: Pick<NumberKnob, 'min' | 'max' | 'step'>,
): number {
  const nearest = min + Math.round((value - min) / step) * step;
  return Number(Math.max(min, Math.min(max, nearest)).toPrecision(12));
}

/**
 * A number in the prose that is the value of a figure's knob: `[what it is](knob:figure.knob)` in the words of a lab. It
 * is dragged sideways or moved with the arrow keys, and the figure follows in place; one gesture is one entry of the
 * history. Until its figure is loaded it reads what it is.
 *
 * @element attn-knob-number
 * @attr {string} figure - The id of the figure's place.
 * @attr {string} knob
 * @attr {string} label - What it is, for screen readers.
 */
@customElement('attn-knob-number')
export class AttnKnobNumber extends LitElement {
  @property() figure = '';
  @property() knob = '';
  @property() label = '';

  private drag: { readonly from: number; readonly at: number; to: number } | undefined;
  private readonly onKnobs = ({ detail }: CustomEvent<string>): void => {
    if (detail === this.figure) this.requestUpdate();
  };

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('attn-figure-knobs', this.onKnobs);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('attn-figure-knobs', this.onKnobs);
  }

  private get element(): Figure | undefined {
    return this.closest('attn-lab')?.open?.figures.get(this.figure);
  }

  private set(value: number, draft: boolean): void {
    this.element?.set({ [this.knob]: value }, { draft });
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    const knob = this.element?.numberKnob(this.knob);
    if (!knob || knob.locked || event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.drag = { from: knob.value, at: event.clientX, to: knob.value };
  };

  private readonly onPointerMove = (event: PointerEvent): void => {
    const { drag } = this;
    const knob = this.element?.numberKnob(this.knob);
    if (!drag || !knob) return;
    const to = dragged(drag.from, event.clientX - drag.at, knob);
    if (to === drag.to) return;
    drag.to = to;
    this.set(to, true);
  };

  /** The gesture ends wherever the pointer is let go, or where the browser takes it away to scroll. */
  private readonly onPointerEnd = (): void => {
    const { drag } = this;
    this.drag = undefined;
    if (drag && drag.to !== drag.from) this.set(drag.to, false);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const knob = this.element?.numberKnob(this.knob);
    if (!knob || knob.locked || event.altKey || event.ctrlKey || event.metaKey) return;
    const { value, min, max, step } = knob;
    const to = {
      ArrowUp: value + step,
      ArrowRight: value + step,
      ArrowDown: value - step,
      ArrowLeft: value - step,
      PageUp: value + 10 * step,
      PageDown: value - 10 * step,
      Home: min,
      End: max,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = snapped(to, knob);
    if (next !== value) this.set(next, false);
  };

  override render() {
    const knob = this.element?.numberKnob(this.knob);
    if (!knob) return this.label;
    const { value, min, max, locked } = knob;
    const text = value.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 6 });
    return html`<span
      role="slider"
      tabindex=${locked ? nothing : 0}
      aria-label=${locked ? `${this.label}. ${figureWords.locked}` : this.label}
      title=${locked ? figureWords.locked : nothing}
      aria-valuemin=${min}
      aria-valuemax=${max}
      aria-valuenow=${value}
      aria-valuetext=${text}
      aria-disabled=${locked ? 'true' : nothing}
      @pointerdown=${this.onPointerDown}
      @pointermove=${this.onPointerMove}
      @pointerup=${this.onPointerEnd}
      @lostpointercapture=${this.onPointerEnd}
      @keydown=${this.onKey}
      >${text}</span
    >`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-knob-number': AttnKnobNumber;
  }
  interface GlobalEventHandlersEventMap {
    'attn-figure-knobs': CustomEvent<string>;
  }
}
