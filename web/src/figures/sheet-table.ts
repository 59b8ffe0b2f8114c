/**
 * A table in the sheet of a figure, which scrolls in itself where a phone is narrower than its columns. The lab's style
 * sheet imports table.css.
 */
import { html, nothing } from 'lit';

export interface SheetTable {
  /** What a screen reader calls it. */
  readonly label: string;
  readonly caption?: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly unknown[])[];
}

export const sheetTable = ({ label, caption, columns, rows }: SheetTable): unknown =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table class="figure-table">
      ${caption ? html`<caption>${caption}</caption>` : nothing}
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([head, ...cells]) => html`<tr>
            <th scope="row">${head}</th>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
