/** Values of a test as people read them: small matrices, a window where they are not small. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ArrayValue, Dtype, Language, Value } from '../../exercises/types';
import { isArray, isGiven } from '../../exercises/value-kinds.ts';
import { formatNumber, withoutZeros } from '../../plot/format.ts';
import { exercises } from '../../strings/exercises.ts';
import { plain, prose } from '../exercise/prose.ts';

const words = exercises.report;
/** Cells along one side that are shown at once. */
const WINDOW = 6;
const DIGITS = 5;
/** Matrices of a stack that are shown at once. */
const MOST_PLANES = 4;

/** An array as rows and columns: an array with more axes shows its last two, at `index` of the others. */
export interface Plane {
  readonly rows: number;
  readonly cols: number;
  readonly get: (row: number, col: number) => number;
  /** The leading indices, where there are some. */
  readonly lead: readonly number[];
  /** Where the marked entry is. */
  readonly at: readonly [row: number, col: number];
}

export function planeOf(
  { shape, data }: ArrayValue,
  index: readonly number[] = [],
): Plane | undefined {
  const cols = shape.at(-1) ?? 1;
  const rows = shape.length > 1 ? (shape.at(-2) as number) : 1;
  if (data.length === 0) return undefined;
  const lead = shape.slice(0, -2).map((_, axis) => index[axis] ?? 0);
  const offset = lead.reduce((sum, at, axis) => sum * (shape[axis] as number) + at, 0);
  const [row, col] = [shape.length > 1 ? (index.at(-2) ?? 0) : 0, index.at(-1) ?? 0];
  return {
    ...{ rows, cols, lead },
    at: [row, col],
    get: (i, j) => data[(offset * rows + i) * cols + j] as number,
  };
}

export const indexText = (index: readonly number[]): string => `[${index.join(', ')}]`;
export const shapeText = (value: Value | undefined): string => {
  if (!isArray(value)) return typeof value === 'number' ? words.scalar : '';
  return value.shape.length === 0 ? words.scalar : value.shape.join('×');
};

const truth = (value: boolean, language: Language): string =>
  language === 'python' ? (value ? 'True' : 'False') : String(value);

const number = (value: number, dtype: Dtype, language: Language): string => {
  if (dtype === 'bool') return truth(value !== 0, language);
  return Number.isInteger(value) && Math.abs(value) < 1e6
    ? String(value).replace('-', '−')
    : // As code writes it, in every language: the messages beside the table do so too.
      withoutZeros(formatNumber(value, DIGITS)).replace(',', '.');
};

export interface ValueOptions {
  readonly caption: string;
  /** The language in whose notation values are written. */
  readonly language: Language;
  /** The entry to mark and to have in the window. */
  readonly index?: readonly number[] | undefined;
}

/** The name of a part of a value is code already, so it is not marked up again. */
const set = (caption: string) => (caption.includes('[') ? caption : prose(caption));

export function valueView(value: Value | undefined, options: ValueOptions): TemplateResult {
  const { caption, language } = options;
  if (isArray(value) && value.shape.length > 0) {
    const planes = options.index ? 1 : value.shape.slice(0, -2).reduce((a, b) => a * b, 1);
    if (value.shape.length !== 3 || planes > MOST_PLANES) return arrayTable(value, options);
    return html`${Array.from({ length: planes }, (_, i) => arrayTable(value, options, [i, 0, 0]))}`;
  }
  const line = (text: unknown) =>
    html`<div class="single"><span class="what">${set(caption)}</span> ${text}</div>`;
  if (value === undefined || value === null) {
    // A function without a `return` gives undefined, which is kept as null.
    return line(language === 'python' ? 'None' : 'undefined');
  }
  if (isArray(value))
    return line(html`<b>${number(value.data[0] ?? Number.NaN, value.dtype, language)}</b>`);
  if (typeof value === 'number') return line(html`<b>${number(value, 'float64', language)}</b>`);
  if (typeof value === 'boolean') return line(html`<b>${truth(value, language)}</b>`);
  if (typeof value === 'string') return line(html`<b>“${value}”</b>`);
  // Words, such as the tokens of a sentence, stand in one line.
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) {
    return line(html`<b>${value.map((one) => `“${one}”`).join(', ')}</b>`);
  }
  if (isGiven(value)) return line(words.given(value.name));
  const parts: (readonly [string, Value])[] = Array.isArray(value)
    ? value.map((part: Value, i) => [`[${i}]`, part] as const)
    : Object.entries('entries' in value ? value.entries : {});
  if (parts.length > 0 && parts.every(([, part]) => typeof part === 'number')) {
    return html`<div class="single">
      <span class="what">${set(caption)}</span>
      ${parts.map(
        ([name, part]) =>
          html`<span class="named"
            >${Array.isArray(value) ? nothing : html`${prose(name)} `}<b
              >${number(part as number, 'float64', language)}</b
            ></span
          >`,
      )}
    </div>`;
  }
  return html`${parts.map(([name, part]) => valueView(part, { ...options, caption: `${caption}${name.startsWith('[') ? name : `['${name}']`}` }))}`;
}

const span = (around: number, all: number): number[] => {
  const from = Math.max(0, Math.min(all - WINDOW, around - Math.floor(WINDOW / 2)));
  return Array.from({ length: Math.min(WINDOW, all) }, (_, i) => from + i);
};

function arrayTable(
  array: ArrayValue,
  { caption, index, language }: ValueOptions,
  around: readonly number[] | undefined = index,
): TemplateResult {
  const plane = planeOf(array, around);
  const shape = `${array.shape.join('×')}`;
  if (!plane) {
    return html`<div class="single">
      <span class="what">${set(caption)}</span> ${shape}, ${words.empty}
    </div>`;
  }
  const { rows, cols, get, lead, at } = plane;
  const [shownRows, shownCols] = [span(at[0], rows), span(at[1], cols)];
  const cut = shownRows.length < rows || shownCols.length < cols;
  const window = cut
    ? words.window(
        shownRows[0] ?? 0,
        shownRows.at(-1) ?? 0,
        rows,
        shownCols[0] ?? 0,
        shownCols.at(-1) ?? 0,
        cols,
      )
    : '';
  const which = lead.length > 0 ? words.slice(indexText(lead)) : '';
  const more = [which, window].filter(Boolean).join(', ');
  return html`<div
    class="scroll"
    tabindex="0"
    role="group"
    aria-label="${words.table(plain(caption))}"
  >
    <table>
      <caption>
        <span class="what">${set(caption)}</span> ${shape}${
          more ? html`<span class="fine">${more}</span>` : nothing
        }
      </caption>
      <thead>
        <tr>
          <td></td>
          ${shownCols.map((col) => html`<th scope="col">${col}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${shownRows.map(
          (row) => html`<tr>
            <th scope="row">${row}</th>
            ${shownCols.map((col) => {
              const here = index && row === at[0] && col === at[1];
              return html`<td class=${here ? 'here' : ''}>${number(get(row, col), array.dtype, language)}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
