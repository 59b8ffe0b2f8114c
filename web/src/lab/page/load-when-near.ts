import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { shellWords } from '../words/index.ts';
import { quiet, released } from './when-idle.ts';

/** Content is fetched when its place is this far below the window. */
const MARGIN = '700px';

/**
 * A place whose content is fetched when the reader comes near.
 *
 * @element attn-load-when-near
 */
@customElement('attn-load-when-near')
export class AttnLoadWhenNear extends LitElement {
  /** Fetches the content and returns what to show. */
  @property({ attribute: false }) load: () => Promise<unknown> = async () => nothing;

  @state() private content: unknown;
  @state() private failed = false;

  private loading: Promise<void> | undefined;
  private watch: IntersectionObserver | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observe();
  }

  private observe(): void {
    this.watch?.disconnect();
    if (this.content !== undefined) return;
    this.watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting))
          void quiet().then(() => this.now());
      },
      { rootMargin: MARGIN },
    );
    this.watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch?.disconnect();
  }

  /** Loads the content without waiting for the reader to scroll near. */
  now(): Promise<void> {
    this.watch?.disconnect();
    this.failed = false;
    this.loading ??= this.load().then(
      async (content) => {
        // It moves what stands below it, which may be pressed right now.
        await released();
        this.content = content;
        await this.updateComplete;
      },
      (error: unknown) => {
        this.loading = undefined;
        this.failed = true;
        console.warn(error);
      },
    );
    return this.loading;
  }

  override render() {
    const words = shellWords.now.load;
    if (this.content !== undefined) return this.content;
    return this.failed
      ? html`<p class="notice" role="alert">
          ${words.failed}
          <button class="plain" type="button" @click=${() => this.now()}>${words.retry}</button>
        </p>`
      : html`<p class="fine loading-near">
          <span class="waits">${words.waiting}</span><span class="missing">${words.missing}</span>
        </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-load-when-near': AttnLoadWhenNear;
  }
}
