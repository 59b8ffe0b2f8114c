/** What the lines of a drawn picture are: a name beside a piece of the line. */
import { html, nothing } from 'lit';

export interface KeyEntry {
  readonly label: string;
  readonly color: string;
  readonly dashed?: boolean;
}

/** Who cannot see the picture has its sentence. */
export const key = (entries: readonly (KeyEntry | undefined)[]): unknown =>
  html`<p class="kernel-key" aria-hidden="true">
    ${entries.map((entry) =>
      entry
        ? html`<span class=${entry.dashed ? 'dashed' : ''} .style=${`--line:${entry.color}`}
            >${entry.label}</span
          >`
        : nothing,
    )}
  </p>`;
