import { LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Figure } from '../page/open-lab.ts';
import type { ViewSpec } from './figure.ts';
import { focusIn, keepFocusIn } from './figure-messages.ts';
import { Fit } from './fit.ts';

/**
 * A part of a figure beside the text that speaks of it: one picture, one sentence of its result, the knobs that are
 * spoken of. The figure owns values, answers and memory, so that a knob moved here shows there, and nothing is computed
 * twice.
 *
 * @element attn-view
 */
@customElement('attn-view')
export class AttnView extends LitElement {
  @property({ attribute: false }) figure: Figure | undefined;
  @property({ attribute: false }) spec!: ViewSpec;

  protected readonly fitting = new Fit(this);
  private leave: (() => void) | undefined;
  /** Whether the view is in the window, or will be soon. */
  private near = false;
  private readonly sight = new IntersectionObserver(
    (entries) => {
      this.near = entries.at(-1)?.isIntersecting ?? false;
      if (this.near) this.requestUpdate();
    },
    { rootMargin: '50%' },
  );
  private watched: Figure | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sight.observe(this);
    addEventListener('beforeprint', this.now);
    this.requestUpdate();
  }

  /** What is printed is drawn first, wherever it stands. */
  private readonly now = (): void => {
    this.near = true;
    this.requestUpdate();
  };

  /** While a knob is dragged, only what can be seen follows; the others are drawn when they come near. */
  protected override shouldUpdate(): boolean {
    return this.near || !this.hasAttribute('data-drawn');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight.disconnect();
    removeEventListener('beforeprint', this.now);
    this.leave?.();
    this.watched = undefined;
  }

  protected override willUpdate(): void {
    if (this.watched === this.figure) return;
    this.leave?.();
    this.watched = this.figure;
    this.leave = this.figure?.addView(this);
  }

  protected override update(changed: PropertyValues): void {
    const focused = focusIn(this);
    super.update(changed);
    keepFocusIn(focused);
  }

  override render(): unknown {
    return this.figure?.renderView(this.spec) ?? nothing;
  }

  /** For whoever waits for the picture: as the figure's own attribute. */
  protected override updated(): void {
    this.toggleAttribute('data-drawn', this.figure?.hasAttribute('data-drawn') ?? false);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-view': AttnView;
  }
}
