import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Matrix } from '#client';
import type { Wording } from '#client/phrases';
import { ImportError, parseMatrixFile, readMatrixFile } from '../../import/matrix-file.ts';
import { strings } from '../../strings/index.ts';
import { laterWords } from '../../strings/later.ts';
import { allInWords } from '../../strings/problem.ts';
import { rich } from '../rich-text/rich-text.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './matrix-input.styles.ts';

/** A matrix and where it came from. */
export interface NamedMatrix {
  readonly name: string;
  readonly matrix: Matrix;
  /** What was done to the file's content. */
  readonly notes?: readonly Wording[];
}

/**
 * Takes one matrix: a file dropped or chosen, or text pasted. What cannot be read is named here,
 * and the matrix that was there stays.
 *
 * @element attn-matrix-input
 * @fires attn-matrix - Another matrix. Detail: `NamedMatrix`, undefined when it was removed.
 * @fires attn-matrix-refused - A file could not be read (detail true), or no longer stands in the way (false).
 * @fires attn-matrix-save - The matrix is to be saved as CSV.
 */
@customElement('attn-matrix-input')
export class AttnMatrixInput extends LitElement {
  static override styles = [shared, styles];

  @property() letter = '';
  @property() meaning = '';
  @property({ attribute: false }) value: NamedMatrix | undefined;
  /** What is wrong with this matrix compared with the others. */
  @property() error = '';
  @property({ type: Boolean }) disabled = false;

  @state() private over = false;
  @state() private pasting = false;
  @state() private reading = false;
  @state() private unreadable = '';
  /** What was done to the file's content, in the page's language. */
  @state() private notes: readonly string[] = [];
  @query('input') private input!: HTMLInputElement;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('value')) void this.sayNotes(this.value);
  }

  private async sayNotes(value: NamedMatrix | undefined): Promise<void> {
    const notes = await allInWords(value?.notes ?? []);
    if (value === this.value) this.notes = notes;
  }

  private async read(file: File | { name: string; bytes: Uint8Array }): Promise<void> {
    this.reading = true;
    this.refuse('');
    try {
      const matrix =
        file instanceof File ? await readMatrixFile(file) : await parseMatrixFile(file);
      this.pasting = false;
      const { rows, cols, data, notes } = matrix;
      this.change({ name: file.name, matrix: { rows, cols, data }, notes });
    } catch (error) {
      if (error instanceof ImportError) {
        const [seen = '', wanted = ''] = await allInWords([error.seen, error.wanted]);
        this.refuse(laterWords.matrix.cannotRead(file.name, seen, wanted));
      } else {
        this.refuse(laterWords.matrix.cannotOpen(file.name));
      }
    } finally {
      this.reading = false;
    }
  }

  /** Says why a file cannot be read; empty once that is over. */
  private refuse(why: string): void {
    if (why === this.unreadable) return;
    this.unreadable = why;
    this.dispatchEvent(
      new CustomEvent('attn-matrix-refused', { detail: why !== '', bubbles: true, composed: true }),
    );
  }

  private change(value: NamedMatrix | undefined): void {
    this.value = value;
    this.dispatchEvent(
      new CustomEvent<NamedMatrix | undefined>('attn-matrix', {
        detail: value,
        bubbles: true,
        composed: true,
      }),
    );
  }

  private readText(text: string): void {
    if (text.trim() === '') return;
    void this.read({ name: laterWords.matrix.pasted, bytes: new TextEncoder().encode(text) });
  }

  private onPaste = (event: ClipboardEvent): void => {
    if (this.disabled) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    event.preventDefault();
    if (file) void this.read(file);
    else this.readText(text);
  };

  private onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file && !this.disabled) void this.read(file);
  };

  private async togglePasting(): Promise<void> {
    this.pasting = !this.pasting;
    await this.updateComplete;
    this.renderRoot.querySelector('textarea')?.focus();
  }

  override render() {
    const words = laterWords.matrix;
    const { value } = this;
    const error = this.unreadable || this.error;
    return html`<div
        class="zone ${this.over ? 'over' : ''} ${value ? 'filled' : ''}"
        role="group"
        aria-label="${this.letter}, ${this.meaning}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => {
          this.over = false;
        }}
        @drop=${this.onDrop}
        @paste=${this.onPaste}
      >
        <span class="letter" aria-hidden="true">${this.letter}</span>
        <span class="what"
          >${this.reading ? words.reading : value ? value.name : rich(this.meaning)}
          <small
            >${value ? strings.shape(value.matrix.rows, value.matrix.cols) : words.drop}</small
          ></span
        >
        <span class="actions">
          <button class="quiet" type="button" ?disabled=${this.disabled}
            aria-label="${words.chooseLong} ${this.letter}" @click=${() => this.input.click()}>
            ${words.choose}
          </button>
          ${
            value
              ? html`<button class="quiet" type="button" aria-label="${words.saveLong} ${this.letter}"
                    @click=${() => this.dispatchEvent(new CustomEvent('attn-matrix-save', { bubbles: true, composed: true }))}>
                    ${words.save}</button
                  ><button class="quiet" type="button" ?disabled=${this.disabled}
                    aria-label="${words.removeLong} ${this.letter}"
                    @click=${() => {
                      this.refuse('');
                      this.change(undefined);
                    }}>
                    ${words.remove}
                  </button>`
              : html`<button class="quiet" type="button" ?disabled=${this.disabled}
                  aria-label="${words.pasteLong} ${this.letter}" aria-expanded=${String(this.pasting)}
                  @click=${this.togglePasting}>
                  ${words.paste}
                </button>`
          }
        </span>
        ${
          this.pasting
            ? html`<textarea
                aria-label="${words.pasteLong} ${this.letter}"
                placeholder=${words.placeholder}
                spellcheck="false"
                @change=${(event: Event) => this.readText((event.target as HTMLTextAreaElement).value)}
              ></textarea>`
            : nothing
        }
        <input
          type="file"
          accept=".npy,.csv,.tsv,.txt,text/csv,text/plain"
          aria-label="${words.chooseLong} ${this.letter}"
          @change=${() => {
            const file = this.input.files?.[0];
            if (file) void this.read(file);
            this.input.value = '';
          }}
        />
      </div>
      ${this.notes.map((note) => html`<p class="note">${note}</p>`)}
      ${error ? html`<p class="error" role="alert">${error}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-matrix-input': AttnMatrixInput;
  }
  interface HTMLElementEventMap {
    'attn-matrix': CustomEvent<NamedMatrix | undefined>;
    'attn-matrix-refused': CustomEvent<boolean>;
  }
}
