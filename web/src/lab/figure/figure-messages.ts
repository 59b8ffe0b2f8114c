/** The messages above and below a figure: errors, progress, and what was done. */
import { html, nothing, type TemplateResult } from 'lit';
import { strings } from '../../strings/index.ts';
import { language } from '../../strings/language.ts';

export interface Messages {
  /** Values of the link that could not be used. */
  readonly notices: readonly string[];
  readonly dismiss: (notice: string) => void;
  /** Why the core could not start; empty when it could. */
  readonly loadFailure: string;
  /** An error that no knob caused, ready to show. */
  readonly error: unknown;
  /** Restarts the core and asks again; given where the core failed. */
  readonly restart?: (() => void) | undefined;
}

const restartButton = (restart: () => void): TemplateResult =>
  html`<button class="button restart" type="button" lang=${language} @click=${restart}>
    ${strings.lab.restartCore}
  </button>`;

export function messages({
  notices,
  dismiss,
  loadFailure,
  error,
  restart,
}: Messages): TemplateResult {
  const words = strings.lab;
  return html`<div class="messages" lang=${language}>
    ${notices.map(
      (notice) => html`<p class="notice" role="alert">
        ${notice}
        <button class="plain" type="button" @click=${() => dismiss(notice)}>
          ${words.dismiss}
        </button>
      </p>`,
    )}
    ${
      loadFailure
        ? html`<div class="failure" role="alert">
            <p class="failure-text"><strong>${words.loadFailed}</strong> ${loadFailure}</p>
            <p class="failure-text">${words.loadHelp}</p>
            <button class="button" type="button" @click=${() => location.reload()}>
              ${words.reload}
            </button>
          </div>`
        : nothing
    }
    ${error} ${restart ? restartButton(restart) : nothing}
  </div>`;
}

export interface Progress {
  /** The id of the progress bar. */
  readonly id: string;
  readonly busy: boolean;
  /** From 0 to 1; NaN until something is known. */
  readonly progress: number;
  /** Undefined where the figure's own button stops. */
  readonly stop: (() => void) | undefined;
  /** Restarts the core, for a worker that does not even stop. */
  readonly restart: () => void;
  readonly status: string;
  readonly undoable: boolean;
  /** A link that could not be copied to the clipboard; empty if there is none. */
  readonly link: string;
}

export function progressLine(line: Progress): TemplateResult {
  const { id, busy, progress, stop, restart, status, undoable, link } = line;
  const words = strings.lab;
  return html`<div lang=${language} class="progress ${busy ? 'on' : ''}">
    ${
      busy
        ? html`<label for=${id}>${words.busy}</label>
            <progress id=${id} max="1" value=${Number.isNaN(progress) ? nothing : progress}></progress>
            ${
              stop
                ? html`<button class="button" type="button" @click=${stop}>${words.stop}</button>
                    ${restartButton(restart)}`
                : nothing
            }`
        : html`<span class="status" role="status" tabindex="-1">${status}</span>
            ${
              undoable
                ? html`<button class="plain" type="button" @click=${() => history.back()}>
                    ${words.undo}
                  </button>`
                : nothing
            }
            ${
              link
                ? html`<input class="link" readonly aria-label=${words.linkShow} .value=${link} />`
                : nothing
            }`
    }
  </div>`;
}

/** Where in `host` the focus of the keyboard is before `host` is rendered again: what has it, and what holds that. */
export function focusIn(host: Element): readonly [Element, Element | null] | undefined {
  const one = document.activeElement;
  return one && host.contains(one) ? [one, one.closest('.progress, figure')] : undefined;
}

/**
 * What has the focus may go with a new picture, or with the end of what was at work and its Stop button: what the line
 * of progress says now has the focus instead, or the figure of the picture.
 */
export function keepFocusIn(before: ReturnType<typeof focusIn>): void {
  const [one, holder] = before ?? [];
  if (!holder?.isConnected || one?.isConnected) return;
  const next = holder.matches('figure') ? holder : holder.querySelector('.status');
  (next as HTMLElement | null)?.focus({ preventScroll: true });
}
