/** Amounts of memory as squares to scale: equal areas are equally many bytes. */
import { html, nothing } from 'lit';
import { formatBytes } from './format.ts';

export interface Square {
  readonly id: string;
  readonly label: string;
  /** The bytes of its area. */
  readonly bytes: number;
  /** The part of them that is in use, from the bottom up; all of them where it is left out. */
  readonly filled?: number;
  /** What is written below the label in place of its bytes. */
  readonly text?: string;
}

/** The side of a square as a part of the longest side. What is smaller than a pixel is drawn as one. */
export const sideOf = ({ bytes }: Square, all: readonly Square[]): number => {
  const most = Math.max(...all.map((one) => one.bytes));
  return most > 0 ? Math.sqrt(bytes / most) : 0;
};

export function renderSquares(all: readonly Square[]): unknown {
  return html`<dl class="squares">
    ${all.map(
      (one) => html`<div class=${one.id}>
        <dt>
          <span class="square" aria-hidden="true" .style=${`--side-part:${sideOf(one, all)}`}
            >${
              one.filled === 0
                ? nothing
                : html`<span class="filled" .style=${`block-size:${100 * (one.filled ?? 1)}%`}></span>`
            }</span
          >
          ${one.label}
        </dt>
        <dd>${one.text ?? formatBytes(one.bytes)}</dd>
      </div>`,
    )}
  </dl>`;
}
