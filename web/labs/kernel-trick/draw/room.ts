/** A picture that is told how much room it has, so that it chooses its cells, and what to leave out, itself. */
import { html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { boxSeen } from '../../../src/components/box-seen.ts';

/** In pixels. Where nothing limits the height, it is infinite. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** A sentence that takes another line must not make every cell a pixel smaller. */
const STEP = 12;

/**
 * The room is that of the view around it, less what stands above and below the picture there.
 *
 * @element attn-kt-room
 */
@customElement('attn-kt-room')
export class AttnKtRoom extends LitElement {
  @property({ attribute: false }) draw!: (room: Room) => unknown;

  @state() private width = 0;
  @state() private height = Number.POSITIVE_INFINITY;
  private readonly sizes = new ResizeObserver(() => this.measure());

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const view = this.closest('.view');
    for (const one of [view, view?.querySelector('.view-inner')]) {
      if (one) this.sizes.observe(one);
    }
    addEventListener('resize', this.measure);
    this.measure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    removeEventListener('resize', this.measure);
  }

  private readonly measure = (): void => {
    const view = this.closest<HTMLElement>('.view');
    const inner = view?.querySelector('.view-inner');
    const picture = view?.querySelector('.picture');
    if (!view || !inner || !picture || view.clientWidth === 0) return;
    this.width = view.clientWidth;
    const limit = Number.parseFloat(getComputedStyle(view).maxHeight);
    const tall = (one: Element | null): number => (one ? boxSeen(one).height : 0);
    // A sheet that is unfolded in its place stands below all of this.
    const sheet = inner.querySelector('.sheet:not([hidden], :popover-open)');
    const others = tall(inner) - tall(picture) - tall(sheet);
    const left = limit - others;
    this.height = Number.isFinite(left) ? STEP * Math.floor(left / STEP) : Number.POSITIVE_INFINITY;
  };

  override render(): unknown {
    const { width, height } = this;
    return width > 0 ? html`${this.draw({ width, height })}` : html``;
  }
}

/** A picture drawn by `draw` for the room that it gets. */
export const inRoom = (draw: (room: Room) => unknown): unknown =>
  html`<attn-kt-room .draw=${draw}></attn-kt-room>`;

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-room': AttnKtRoom;
  }
}
