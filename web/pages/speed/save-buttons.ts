/** The row of buttons that save a figure or copy its link, and what came of it. */
import { html, nothing } from 'lit';
import { speed as words } from '../../src/strings/speed.ts';

export interface Tools<Action extends string> {
  /** The label of each button and a description of what it does. */
  readonly actions: Readonly<Record<Action, readonly string[]>>;
  /** The name of the figure, if the page has several. */
  readonly of?: string;
  readonly disabled?: (action: Action) => boolean;
  readonly status: string;
  /** A link that could not be copied. */
  readonly link: string;
  readonly act: (action: Action) => void;
}

export const tools = <Action extends string>({
  actions,
  of,
  disabled,
  status,
  link,
  act,
}: Tools<Action>) =>
  html`<div class="tools" role="group" aria-label=${words.chart.tools}>
    ${(Object.keys(actions) as Action[]).map((action) => {
      const [text = '', does = ''] = actions[action];
      return html`<button
        class="button"
        type="button"
        title=${does}
        aria-label=${of ? `${does}: ${of}` : does}
        ?disabled=${disabled?.(action) ?? false}
        @click=${() => act(action)}
      >
        ${text}
      </button>`;
    })}
    <span class="status" role="status">${status}</span>
    ${
      link
        ? html`<input class="link" readonly aria-label=${words.files.linkShow} .value=${link} />`
        : nothing
    }
  </div>`;
