/** The panels below the first figure: the table, the comparison, the explanation of a cell. They are loaded with the visitor's first move. */
import { registry } from 'virtual:formulas';
import { html, type TemplateResult } from 'lit';
import type { CellExplanation, Comparison, Matrix } from '#client';
import '../../src/components/cell-explanation/cell-explanation.ts';
import '../../src/components/comparison/comparison.ts';
import type { Cell } from '../../src/components/heatmap/heatmap.ts';
import { drawnFormula } from '../../src/components/rich-text/drawn-formula.ts';
import { strings } from '../../src/strings/index.ts';

export { CellExplainer } from './cell-explainer.ts';

/** One picture as a table. */
export interface Table {
  readonly matrix: Matrix;
  readonly heading: string;
  readonly labels: readonly string[] | undefined;
  readonly cell: Cell | undefined;
  readonly visible: (row: number) => number;
  readonly close: () => void;
}

export function table({ matrix, heading, labels, cell, visible, close }: Table): TemplateResult {
  const words = strings.table;
  return html`<section class="block" aria-labelledby="table-title">
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
      .colLabels=${labels}
    ></attn-matrix-table>
  </section>`;
}

/** How one cell came about. */
export interface Explained {
  readonly explanation: CellExplanation | undefined;
  readonly labels: readonly string[] | undefined;
  readonly map: string;
  /** True if the visitor chose the cell; else it is the cell of the largest difference. */
  readonly chosen: boolean;
}

const labelled = ({ explanation: e, labels }: Explained) =>
  [e && labels?.[e.query], e && labels?.[e.key]] as const;

/** φ of a map, as markup. */
export const formula = (map: string): unknown => drawnFormula(registry[map]?.phi ?? '');

/** How far the pictures are apart. */
export const comparison = (shown: Comparison | undefined): TemplateResult =>
  html`<section class="block" aria-labelledby="comparison-title">
    <h2 id="comparison-title">${strings.comparison.title}</h2>
    <attn-comparison .comparison=${shown}></attn-comparison>
  </section>`;

/** Which cell it is about. */
function explainedCell(explained: Explained): TemplateResult | undefined {
  const { explanation: e, chosen } = explained;
  if (!e) return undefined;
  const [query, key] = labelled(explained);
  return html`<strong>${strings.heatmap.cell(e.query + 1, query, e.key + 1, key)}.</strong>
    ${chosen ? '' : strings.explanation.choice}`;
}

/** How the cell under the cursor came about. */
export function explanation(explained: Explained): TemplateResult {
  const [query = '', key = ''] = labelled(explained);
  return html`<section class="block explanation" aria-labelledby="explanation-title">
    <div class="block-head">
      <h2 id="explanation-title">${strings.explanation.title}</h2>
      <p class="fine">${explainedCell(explained)}</p>
    </div>
    <attn-cell-explanation
      .explanation=${explained.explanation}
      .queryLabel=${query}
      .keyLabel=${key}
      .mapLabel=${explained.map}
    ></attn-cell-explanation>
  </section>`;
}
