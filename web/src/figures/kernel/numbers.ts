/** Names and values below a picture. */
import { html } from 'lit';

export const numbers = (rows: readonly (readonly [name: string, value: string])[]): unknown =>
  html`<dl class="kernel-numbers">
    ${rows.map(
      ([name, value]) => html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
    )}
  </dl>`;
