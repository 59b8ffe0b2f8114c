/** The panels below the first figure: the table, the comparison, the explanation of a cell. They are loaded with the visitor's first move. */
import { registry } from 'virtual:formulas';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { CellExplanation, Comparison, Matrix } from '#client';
import '../../src/components/cell-explanation/cell-explanation.ts';
import '../../src/components/comparison/comparison.ts';
import type { Cell } from '../../src/components/heatmap/heatmap.ts';
import { drawnFormula } from '../../src/components/rich-text/drawn-formula.ts';
import { formatNumber, formatTick } from '../../src/plot/format.ts';
import { lookOf } from '../../src/plot/names.ts';
import { strings } from '../../src/strings/index.ts';
import { laterWords } from '../../src/strings/later.ts';
import { adopt } from '../../src/styles/adopt.ts';
import css from './opening-panels.css?inline';
import { type Result, titleOf } from './opening-result.ts';

export { CellExplainer } from './cell-explainer.ts';

adopt(css);

/** One picture as a table. */
export interface Table {
  readonly matrix: Matrix;
  readonly heading: string;
  readonly labels: readonly string[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly cell: Cell | undefined;
  readonly visible: (row: number) => number;
  readonly close: () => void;
}

export function table({
  matrix,
  heading,
  labels,
  keys,
  cell,
  visible,
  close,
}: Table): TemplateResult {
  const words = laterWords.table;
  return html`<section role="group" class="block" aria-labelledby="table-title">
    <div class="block-head">
      <h2 id="table-title">${words.title}</h2>
      <button class="plain" type="button" @click=${close}>${words.close}</button>
    </div>
    <attn-matrix-table
      .matrix=${matrix}
      .heading=${heading}
      .cell=${cell}
      .visible=${visible}
      .rowLabels=${labels}
      .colLabels=${keys}
    ></attn-matrix-table>
  </section>`;
}

/** How one cell came about. */
export interface Explained {
  readonly explanation: CellExplanation | undefined;
  readonly labels: readonly string[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly map: string;
  /** True if the visitor chose the cell; else it is the cell of the largest difference. */
  readonly chosen: boolean;
}

const labelled = ({ explanation: e, labels, keys }: Explained) =>
  [e && labels?.[e.query], e && keys?.[e.key]] as const;

/** φ of a map, as markup. */
export const formula = (map: string): unknown => drawnFormula(registry[map]?.phi ?? '');

/** How far the pictures are apart. */
export const comparison = (shown: Comparison | undefined): TemplateResult =>
  html`<section role="group" class="block" aria-labelledby="comparison-title">
    <h2 id="comparison-title">${laterWords.comparison.title}</h2>
    <attn-comparison .comparison=${shown}></attn-comparison>
  </section>`;

/** What of a picture is no average. */
export function broken({ comparison }: Result): readonly string[] {
  const { softmax, negativeWeights, nonPositiveDenominators, keptCells } = comparison;
  const words = laterWords.comparison;
  return [
    ...(negativeWeights > 0 ? [words.negative(negativeWeights, keptCells)[0]] : []),
    ...(nonPositiveDenominators > 0
      ? [words.denominators(nonPositiveDenominators, softmax.rows)[0]]
      : []),
  ];
}

/** Both weights of a cell, and what is wrong in the picture. `chosen` as below. */
export function resultLine(result: Result, { row, col }: Cell, chosen: boolean): string {
  const { tokens, keys, comparison } = result;
  const { softmax, implicit } = comparison;
  const at = row * softmax.cols + col;
  const [a, b] = [softmax, implicit].map(({ data }) => formatNumber(data[at] ?? Number.NaN));
  const cell = strings.heatmap.cell(row + 1, tokens?.[row], col + 1, keys?.[col]);
  const words = laterWords.comparison;
  return [words.weights(cell, a ?? '', b ?? '', !chosen), ...broken(result)].join(' ');
}

/** Which cell it is about. */
function explainedCell(explained: Explained): TemplateResult | undefined {
  const { explanation: e, chosen } = explained;
  if (!e) return undefined;
  const [query, key] = labelled(explained);
  return html`<strong>${strings.heatmap.cell(e.query + 1, query, e.key + 1, key)}.</strong>
    ${chosen ? '' : laterWords.explanation.choice}`;
}

/** How the cell under the cursor came about. */
export function explanation(explained: Explained): TemplateResult {
  return html`<section role="group" class="block explanation" aria-labelledby="explanation-title">
    <div class="block-head">
      <h2 id="explanation-title">${laterWords.explanation.title}</h2>
      <p class="fine">${explainedCell(explained)}</p>
    </div>
    ${steps(explained)}
  </section>`;
}

/** The steps alone, for a view that has a title of its own. */
export function steps(explained: Explained): TemplateResult {
  const [query = '', key = ''] = labelled(explained);
  return html`<attn-cell-explanation
    .explanation=${explained.explanation}
    .queryLabel=${query}
    .keyLabel=${key}
    .mapLabel=${explained.map}
  ></attn-cell-explanation>`;
}

/** The row that is shown as bars, and what is beside it. */
export interface RowBars {
  readonly result: Result;
  /** What was shown before a try. */
  readonly earlier: Result | undefined;
  readonly cell: Cell;
  /** Whether the key is pointed at. */
  readonly chosen: boolean;
  readonly visible: (row: number) => number;
  readonly dark: boolean;
  readonly choose: (cell: Cell) => void;
}

/** The key of the largest weight of a row. */
const largestOf = ({ data, cols }: Matrix, row: number): number => {
  const weights = data.subarray(row * cols, (row + 1) * cols);
  return weights.indexOf(Math.max(...weights));
};

const [WIDE, TALL, LEFT, HEAD] = [640, 128, 60, 28];
/** From so many keys on their words have no room. */
const MOST_WORDS = 24;
/** Up to so many bars each is an element of its own, which names its key and its weight. */
const MOST_BARS = 128;

/** The weights of one row as bars, softmax above and implicit below, on one axis. */
export function rowBars(bars: RowBars): TemplateResult {
  const { result, earlier, cell, dark } = bars;
  const { row } = cell;
  const { tokens, keys: labels, comparison } = result;
  const { rows } = comparison.softmax;
  const col = bars.chosen ? cell.col : undefined;
  const rowOf = ({ data, cols }: Matrix): readonly number[] => [
    ...data.subarray(row * cols, row * cols + bars.visible(row)),
  ];
  const softmax = rowOf(comparison.softmax);
  const implicit = rowOf(comparison.implicit);
  const was = earlier?.comparison.implicit;
  const before = was?.cols === comparison.implicit.cols && row < was.rows ? rowOf(was) : undefined;
  const titles = [titleOf('softmax'), titleOf('implicit')] as const;
  const choose = (to: number): void =>
    bars.choose({ row: to, col: largestOf(comparison.softmax, to) });
  const finite = [...softmax, ...implicit, ...(before ?? [])].filter(Number.isFinite);
  const high = Math.max(1e-9, ...finite);
  const low = Math.min(0, ...finite);
  const pitch = (WIDE - LEFT) / Math.max(1, softmax.length);
  const words = labels !== undefined && softmax.length <= MOST_WORDS;
  const foot = words ? 62 : 26;
  const panel = (values: readonly number[], top: number, kind: string, title: string): unknown => {
    const at = (value: number): number => top + HEAD + ((high - value) / (high - low)) * TALL;
    const box = (value: number, i: number, name: string): unknown =>
      Number.isFinite(value)
        ? svg`<rect class="${name} ${i === col ? 'current' : ''}" x=${LEFT + i * pitch + pitch * 0.12} width=${pitch * 0.76}
            y=${Math.min(at(value), at(0))} height=${Math.max(0.5, Math.abs(at(value) - at(0)))}
            stroke=${name === 'ghost' ? lookOf('ghost', dark).color : 'none'}
            ><title>${labels?.[i] ?? i + 1}: ${formatNumber(value)}</title></rect>`
        : nothing;
    // Thousands of elements would hold the page up: many bars are one path, and the current one stands apart. Keys
    // narrower than a unit of the picture share a bar, which reaches as far up and down as any of theirs.
    const many = (all: readonly number[], name: string): unknown => {
      if (all.length <= MOST_BARS) return all.map((value, i) => box(value, i, name));
      const tenth = (value: number): number => Math.round(10 * value) / 10;
      const shared = Math.ceil(all.length / (WIDE - LEFT));
      const wide = tenth(0.9 * shared * pitch);
      const bar = (from: number): string => {
        const values = all.slice(from, from + shared).filter(Number.isFinite);
        if (values.length === 0) return '';
        const [up, down] = [at(Math.max(0, ...values)), at(Math.min(0, ...values))].map(tenth);
        return `M${tenth(LEFT + from * pitch)} ${down}V${up}h${wide}V${down}`;
      };
      const starts = Array.from({ length: Math.ceil(all.length / shared) }, (_, i) => i * shared);
      return svg`<path class=${name} d=${starts.map(bar).join('')}
        stroke=${name === 'ghost' ? lookOf('ghost', dark).color : 'none'} />
        ${col === undefined || all[col] === undefined ? nothing : box(all[col], col, name)}`;
    };
    return svg`<text class="title" x="0" y=${top + 18}>${title}</text>
      <text x=${LEFT - 6} y=${top + HEAD + 10} text-anchor="end">${formatTick(high)}</text>
      <text x=${LEFT - 6} y=${at(0)} text-anchor="end">0</text>
      <line x1=${LEFT} x2=${WIDE} y1=${at(0)} y2=${at(0)} />
      ${many(values, kind)}
      ${kind === 'implicit' && before ? many(before, 'ghost') : nothing}`;
  };
  const below = 2 * (HEAD + TALL) + 12;
  const button = (to: number, name: string, sign: string) =>
    html`<button
      class="quiet"
      type="button"
      aria-label=${name}
      title=${name}
      ?disabled=${to < 0 || to >= rows}
      @click=${() => choose(to)}
    >
      ${sign}
    </button>`;
  const { query, key } = laterWords.table;
  return html`<div class="row-bars">
    <p class="which">
      ${button(row - 1, `${query} ${row}`, '←')} ${laterWords.table.queryOf(row + 1, tokens?.[row])}
      ${button(row + 1, `${query} ${row + 2}`, '→')}
    </p>
    <svg viewBox="0 0 ${WIDE} ${below + foot}" role="img" aria-label=${`${titles.join(', ')}: ${query} ${row + 1}`}>
      ${panel(softmax, 0, 'softmax', titles[0])} ${panel(implicit, HEAD + TALL + 6, 'implicit', titles[1])}
      ${
        words
          ? labels
              .slice(0, softmax.length)
              .map(
                (word, i) =>
                  svg`<text transform="translate(${LEFT + (i + 0.6) * pitch} ${below + 4}) rotate(-90)" text-anchor="end">${word}</text>`,
              )
          : svg`<text x=${WIDE} y=${below + 16} text-anchor="end">${key} 1 … ${softmax.length}</text>`
      }
    </svg>
  </div>`;
}
