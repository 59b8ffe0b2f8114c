/** What is read after the first picture was seen; comes with the visitor's first move. */
import { prose as allProse, registry } from 'virtual:formulas/all';
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { CellExplanation, FeatureMapInfo, Matrix } from '#client';
import '../../src/components/cell-explanation/cell-explanation.ts';
import '../../src/components/exercise/embedded.ts';
import type { Cell } from '../../src/components/heatmap/heatmap.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { strings } from '../../src/strings/index.ts';
import { later } from '../../src/strings/later.ts';
import css from './later.css?inline';
import { presets } from './presets.ts';
import type { LabState } from './state.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

const prose = allProse['feature-maps'] ?? {};

export interface Reading {
  readonly maps: readonly FeatureMapInfo[];
  /** The id of the map that is drawn. */
  readonly chosen: string;
  readonly apply: (patch: Partial<LabState>) => void;
}

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
  const words = later.table;
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
  /** The visitor is at a cell; else it is the one most worth a look. */
  readonly chosen: boolean;
}

const labelled = ({ explanation: e, labels }: Explained) =>
  [e && labels?.[e.query], e && labels?.[e.key]] as const;

/** Which cell it is about. */
export function explainedCell(explained: Explained): TemplateResult | undefined {
  const { explanation: e, chosen } = explained;
  if (!e) return undefined;
  const [query, key] = labelled(explained);
  return html`<strong>${strings.heatmap.cell(e.query + 1, query, e.key + 1, key)}.</strong>
    ${chosen ? '' : later.explanation.choice}`;
}

export function explanation(explained: Explained): TemplateResult {
  const [query = '', key = ''] = labelled(explained);
  return html`<attn-cell-explanation
    .explanation=${explained.explanation}
    .queryLabel=${query}
    .keyLabel=${key}
    .mapLabel=${explained.map}
  ></attn-cell-explanation>`;
}

/** The text below the figure, with the buttons that set the knobs. */
export function reading({ maps, chosen, apply }: Reading): TemplateResult {
  const words = later.prose;
  const columns = words.mapsColumns;
  return html`<div class="reading">
        <h2>${words.whatTitle}</h2>
        ${words.what.map((paragraph) =>
          /^\{\w+\}$/.test(paragraph)
            ? html`<div class="display-math">${rich(paragraph, prose)}</div>`
            : html`<p>${rich(paragraph, prose)}</p>`,
        )}
        <h2>${words.tryTitle}</h2>
        <p>${words.tryIntro}</p>
        <ol class="tries">
          ${presets(maps).map(({ id, patch }) => {
            const { title, text } = words.tries[id];
            return html`<li>
              <button class="button" type="button" @click=${() => apply(patch)}>${title}</button>
              <p>${rich(text, prose)}</p>
            </li>`;
          })}
        </ol>
      </div>
      <div class="wide">
        <attn-write-it
          lab="feature-maps"
          address="../../pages/exercises/index.html"
        ></attn-write-it>
      </div>
      <div class="wide">
        <h2>${words.mapsTitle}</h2>
        <p>${words.mapsIntro}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=${words.mapsTitle}>
          <table class="maps">
            <thead>
              <tr>
                ${Object.values(columns).map((column) => html`<th scope="col">${column}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${maps.map(
                (map) => html`<tr>
                  <th scope="row">
                    <button
                      class="plain"
                      type="button"
                      aria-pressed=${String(map.id === chosen)}
                      @click=${() => apply({ map: map.id, parameters: '' })}
                    >
                      ${map.label}
                    </button>
                  </th>
                  <td>${unsafeHTML(registry[map.id]?.phi ?? map.tex)}</td>
                  <td>${unsafeHTML(registry[map.id]?.dimension ?? map.dimensionTex)}</td>
                  <td>${strings.lab.positivity[map.positivity]}</td>
                  <td class="note">${rich(`${map.kernel} ${map.note}`)}</td>
                  <td><a href=${map.paper.url} rel="noopener">${map.paper.title}</a></td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </div>
      <div class="reading">
        <h2>${words.honestTitle}</h2>
        <p>${rich(words.honest)}</p>
        <h2>${words.sourcesTitle}</h2>
        <ul class="sources">
          ${words.sources.map((source) => html`<li>${rich(source)}</li>`)}
        </ul>
      </div>`;
}
