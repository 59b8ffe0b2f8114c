/** The button that starts and stops, how far a run is, and what is said about it. */
import { html, nothing } from 'lit';
import { timing } from '#client';
import { formatTick } from '../../src/plot/format.ts';
import { speed as words } from '../../src/strings/speed.ts';

/** A run under way. */
export interface Run {
  readonly rounds: number;
  readonly done: number;
  /** 0 … 1. */
  readonly fraction: number;
  readonly secondsLeft: number | undefined;
}

export interface Bar {
  readonly run: Run | undefined;
  readonly ready: boolean;
  readonly measured: boolean;
  readonly press: (event: MouseEvent) => void;
}

/** The button is one element for start and stop, so that it keeps the keyboard's focus. */
export const mainButton = ({ run, ready, measured, press }: Bar) =>
  html`<button class="button main" type="button" ?disabled=${!ready} @click=${press}>
    ${run ? words.progress.stop : measured ? words.knobs.again : words.knobs.measure}
  </button>`;

/** From this resolution of the worker's clock on, in milliseconds, a run takes much longer. */
const COARSE = 1;

/** The status element is always present: screen readers announce only changes of an element that was there before. */
export function progress(
  run: Run | undefined,
  said: { readonly status: string; readonly more: string; readonly clockStep: number | undefined },
) {
  const { clockStep = 0 } = said;
  return html`<div class="run">
    ${
      run
        ? html`<progress aria-label=${words.progress.label} max="1" .value=${run.fraction}></progress>
            <p class="rounds">
              ${words.progress.step(run.done, run.rounds)}${
                run.secondsLeft === undefined ? '' : words.progress.left(run.secondsLeft)
              }
            </p>`
        : nothing
    }
    <p class="status ${run ? 'visually-hidden' : ''}" role="status">
      ${said.status}${said.more ? html`<span class="visually-hidden"> ${said.more}</span>` : nothing}
    </p>
    ${
      clockStep >= COARSE
        ? html`<p class="fine">
            ${words.progress.coarse(formatTick(clockStep), formatTick(timing.clockSteps * clockStep))}
          </p>`
        : nothing
    }
  </div>`;
}
