/** Points that the reader may add and take away. */
import { html } from 'lit';

interface Counted {
  readonly count: number;
  readonly most: number;
  readonly disabled: boolean;
  readonly words: { readonly add: string; readonly remove: string };
  readonly add: () => void;
  readonly remove: () => void;
}

export const addAndRemove = ({ count, most, disabled, words, add, remove }: Counted): unknown =>
  html`<button
      class="button"
      type="button"
      ?disabled=${disabled || count >= most}
      @click=${add}
    >
      ${words.add}
    </button>
    <button class="button" type="button" ?disabled=${disabled || count <= 1} @click=${remove}>
      ${words.remove}
    </button>`;
