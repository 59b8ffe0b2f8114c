import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { exercises as words } from '../../strings/exercises.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './code-editor.styles.ts';
import type { Editor } from './codemirror.ts';

export type EditorLanguage = 'python' | 'javascript';

/** Something to mark in the text. */
export interface CodeProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

/**
 * A field for code. A plain text field until it is first focused; CodeMirror, fetched then, takes
 * over what was typed meanwhile, and where it cannot be fetched the plain field goes on working.
 *
 * Ctrl or Cmd and Enter runs, Ctrl or Cmd and `.` or Escape stops. Tab indents; Escape, then Tab
 * leaves the field, which a line below it says.
 *
 * @element attn-code-editor
 * @fires attn-code - The text was changed here. Detail: the text.
 * @fires attn-run
 * @fires attn-stop
 */
@customElement('attn-code-editor')
export class AttnCodeEditor extends LitElement {
  static override styles = [shared, styles];
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  @property() value = '';
  /** Names the text. A text with another name has its own history: Undo never leads from one into the other. */
  @property() document = '';
  @property() language: EditorLanguage = 'python';
  @property() label = '';
  @property({ type: Boolean }) running = false;
  @property({ type: Boolean }) readonly = false;
  @property({ attribute: false }) problems: readonly CodeProblem[] = [];

  /** `plain`: the text field. `rich`: CodeMirror. */
  @state() private shown: 'plain' | 'rich' = 'plain';

  @query('textarea') private plain: HTMLTextAreaElement | null | undefined;
  @query('.mount') private mount!: HTMLElement;

  private editor: Editor | undefined;
  private loading: Promise<void> | undefined;
  private composing = false;
  private builtFor = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.editor?.destroy();
    this.editor = undefined;
    this.shown = 'plain';
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { editor } = this;
    if (!editor) return;
    if (changed.has('language') && changed.get('language') !== undefined) {
      void this.rebuild();
      return;
    }
    if (changed.has('document')) {
      if (changed.get('document') !== undefined) editor.replaceDocument(this.value);
    } else if (changed.has('value')) editor.setText(this.value);
    if (changed.has('problems')) editor.setProblems(this.problems);
  }

  override focus(): void {
    if (this.editor) this.editor.focus();
    else this.plain?.focus();
  }

  /** Puts the cursor at a line. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.enrich();
    if (this.editor) {
      this.editor.goTo(line, column);
      return;
    }
    const { plain } = this;
    if (!plain) return;
    const lines = this.value.split('\n').slice(0, Math.max(0, line - 1));
    const at = lines.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    plain.focus();
    plain.setSelectionRange(at, at);
  }

  private fire(name: 'attn-run' | 'attn-stop'): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
  }

  private changed(text: string): void {
    this.value = text;
    this.dispatchEvent(
      new CustomEvent<string>('attn-code', { detail: text, bubbles: true, composed: true }),
    );
  }

  /** CodeMirror in place of the plain field; stays plain where it cannot be fetched. */
  private enrich(): Promise<void> {
    this.loading ??= this.build().catch(() => {
      // The next focus tries again: the network may be back by then.
      this.loading = undefined;
    });
    return this.loading;
  }

  private async build(): Promise<void> {
    const { Editor } = await import('./codemirror.ts');
    while (this.composing) {
      await new Promise((resolve) => addEventListener('compositionend', resolve, { once: true }));
    }
    const { language } = this;
    let focused = false;
    const editor = await Editor.make(() => {
      const { plain } = this;
      // The host delegates its focus, so only the shadow root's active element tells where the focus is.
      focused = plain !== null && plain !== undefined && this.shadowRoot?.activeElement === plain;
      return {
        parent: this.mount,
        root: this.shadowRoot as ShadowRoot,
        text: plain?.value ?? this.value,
        language,
        label: this.label,
        describedBy: 'keys',
        selection: { anchor: plain?.selectionStart ?? 0, head: plain?.selectionEnd ?? 0 },
        readOnly: this.readonly,
        onChange: (text) => this.changed(text),
        onRun: () => this.fire('attn-run'),
        onStop: () => {
          if (!this.running) return false;
          this.fire('attn-stop');
          return true;
        },
      };
    }, language);
    if (!this.isConnected) {
      editor.destroy();
      this.loading = undefined;
      return;
    }
    const top = this.plain?.scrollTop ?? 0;
    this.editor = editor;
    this.builtFor = language;
    this.shown = 'rich';
    await this.updateComplete;
    if (focused) editor.focus();
    this.mount.querySelector('.cm-scroller')?.scrollTo({ top });
    editor.setProblems(this.problems);
    if (this.language !== this.builtFor) await this.rebuild();
  }

  /** Changes the language of the syntax colours. */
  private async rebuild(): Promise<void> {
    const had = this.shadowRoot?.activeElement;
    const focused = had !== null && had !== undefined && this.mount.contains(had);
    this.editor?.destroy();
    this.editor = undefined;
    this.shown = 'plain';
    this.loading = undefined;
    await this.updateComplete;
    if (focused) this.plain?.focus();
    await this.enrich();
  }

  private onKey = (event: KeyboardEvent): void => {
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === 'Enter') {
      event.preventDefault();
      this.fire('attn-run');
    } else if ((mod && event.key === '.') || (event.key === 'Escape' && this.running)) {
      event.preventDefault();
      this.fire('attn-stop');
    }
  };

  override render() {
    const { shown, value } = this;
    return html`<div class="box">
        <div class="mount" ?hidden=${shown === 'plain'}></div>
        ${
          shown === 'plain'
            ? html`<textarea
                .style=${`--lines:${value.split('\n').length}`}
                aria-label=${this.label}
                aria-describedby="keys"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                ?readonly=${this.readonly}
                .value=${live(value)}
                @focus=${() => void this.enrich()}
                @keydown=${this.onKey}
                @compositionstart=${() => {
                  this.composing = true;
                }}
                @compositionend=${() => {
                  this.composing = false;
                }}
                @input=${(event: Event) =>
                  this.changed((event.target as HTMLTextAreaElement).value)}
              ></textarea>`
            : nothing
        }
      </div>
      <pre class="print" aria-hidden="true">${value}</pre>
      <p class="note" id="keys">${words.editor.keys(shown === 'rich')}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-code-editor': AttnCodeEditor;
  }
  interface HTMLElementEventMap {
    'attn-code': CustomEvent<string>;
    'attn-run': CustomEvent<void>;
    'attn-stop': CustomEvent<void>;
  }
}
