import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { ImportError } from '../../import/error.ts';
import type { Choice } from '../../import/matrix-file.ts';
import { arrayReading, readingOfArray } from '../../import/reading.ts';
import { strings } from '../../strings/index.ts';
import { laterWords } from '../../strings/later.ts';
import { allInWords } from '../../strings/problem.ts';
import { rich } from '../rich-text/rich-text.ts';
import { shared } from '../shared.styles.ts';
import { unlessTyped } from '../unless-typed.ts';
import { styles } from './matrix-input.styles.ts';
import { type NamedMatrix, namedMatrix } from './named-matrix.ts';

export type { NamedMatrix } from './named-matrix.ts';

/** An axis of more entries gets a field for its number in place of a list. */
const MOST_OPTIONS = 256;

/** A choice in the page's language. */
interface SaidChoice {
  readonly choice: Choice;
  readonly words: readonly string[];
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
  @state() private choices: readonly SaidChoice[] = [];
  @query('input[type=file]') private input!: HTMLInputElement;
  private turn = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('value')) void this.sayNotes(this.value);
  }

  private async sayNotes(value: NamedMatrix | undefined): Promise<void> {
    const [notes, choices] = await Promise.all([
      allInWords(value?.notes ?? []),
      Promise.all(
        (value?.choices ?? []).map(async (choice) => ({ choice, words: await wordsOf(choice) })),
      ),
    ]);
    if (value !== this.value) return;
    this.notes = notes;
    this.choices = choices;
  }

  private async read(file: Blob, name: string, reading?: string): Promise<void> {
    this.reading = true;
    this.refuse('');
    const turn = ++this.turn;
    try {
      const value = await namedMatrix(file, name, { reading, letter: this.letter });
      // A file that came meanwhile, or a choice, is newer.
      if (turn !== this.turn) return;
      this.pasting = false;
      this.change(value);
    } catch (error) {
      if (turn !== this.turn) return;
      if (error instanceof ImportError) {
        const [seen = '', wanted = ''] = await allInWords([error.seen, error.wanted]);
        this.refuse(laterWords.matrix.cannotRead(name, seen, wanted));
      } else {
        this.refuse(laterWords.matrix.cannotOpen(name));
      }
    } finally {
      if (turn === this.turn) this.reading = false;
    }
  }

  /** Reads the same file in another way. */
  private choose(reading: string): void {
    const { value } = this;
    if (value?.source && reading !== value.reading) {
      void this.read(value.source, value.name, reading);
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
    void this.read(new Blob([text], { type: 'text/plain' }), laterWords.matrix.pasted);
  }

  private onPaste = (event: ClipboardEvent): void => {
    if (this.disabled) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    event.preventDefault();
    if (file) void this.read(file, file.name);
    else this.readText(text);
  };

  private onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file && !this.disabled) void this.read(file, file.name);
  };

  private async togglePasting(): Promise<void> {
    this.pasting = !this.pasting;
    await this.updateComplete;
    this.renderRoot.querySelector('textarea')?.focus();
  }

  private renderChoice({ choice, words }: SaidChoice): unknown {
    const { disabled, value } = this;
    const [about = '', other = ''] = words;
    if (choice.kind === 'other') {
      return html`<p class="note">
        ${about}
        <button class="quiet" type="button" ?disabled=${disabled} @click=${() => this.choose(choice.reading)}>
          ${other}
        </button>
      </p>`;
    }
    if (choice.kind === 'member') {
      return html`<label class="choice"
        >${laterWords.matrix.member}
        <select
          .value=${live(choice.member)}
          ?disabled=${disabled}
          @change=${(event: Event) =>
            this.choose(readingOfArray({ member: chosenIn(event), at: [] }))}
        >
          ${choice.members.map(
            (member) =>
              html`<option value=${member} ?selected=${member === choice.member}>${member}</option>`,
          )}
        </select></label
      >`;
    }
    const { place, length, index } = choice;
    const onIndex = (event: Event): void => {
      const { member, at } = arrayReading(value?.reading ?? '');
      const to = Math.min(length - 1, Math.max(0, Math.trunc(Number(chosenIn(event)) || 0)));
      this.choose(readingOfArray({ member, at: at.map((one, i) => (i === place ? to : one)) }));
    };
    return html`<label class="choice"
      >${laterWords.matrix.axis(about, length)}
      ${
        length > MOST_OPTIONS
          ? html`<input type="number" min="0" max=${length - 1} .value=${unlessTyped(String(index))}
              ?disabled=${disabled} @change=${onIndex} />`
          : html`<select .value=${live(String(index))} ?disabled=${disabled} @change=${onIndex}>
              ${Array.from(
                { length },
                (_, i) => html`<option value=${i} ?selected=${i === index}>${i}</option>`,
              )}
            </select>`
      }</label
    >`;
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
                      this.turn++;
                      this.reading = false;
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
          accept=".npy,.npz,.csv,.tsv,.txt,text/csv,text/plain"
          aria-label="${words.chooseLong} ${this.letter}"
          @change=${() => {
            const file = this.input.files?.[0];
            if (file) void this.read(file, file.name);
            this.input.value = '';
          }}
        />
      </div>
      ${this.notes.map((note) => html`<p class="note">${note}</p>`)}
      ${this.choices.map((one) => this.renderChoice(one))}
      ${error ? html`<p class="error" role="alert">${error}</p>` : nothing}`;
  }
}

const chosenIn = ({ target }: Event): string =>
  (target as HTMLInputElement | HTMLSelectElement).value;

const wordsOf = async (choice: Choice): Promise<readonly string[]> => {
  if (choice.kind === 'other') return allInWords([choice.about, choice.other]);
  return choice.kind === 'axis' ? allInWords([choice.axis]) : [];
};

declare global {
  interface HTMLElementTagNameMap {
    'attn-matrix-input': AttnMatrixInput;
  }
  interface HTMLElementEventMap {
    'attn-matrix': CustomEvent<NamedMatrix | undefined>;
    'attn-matrix-refused': CustomEvent<boolean>;
  }
}
