import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { AttentionPatterns, HeadDistances, Matrix, ScoredHead } from '#client';
import '../../../../src/components/heatmap/heatmap.ts';
import '../../../../src/components/line-chart/line-chart.ts';
import type {
  Cell,
  CellEventDetail,
  FigureAction,
} from '../../../../src/components/heatmap/heatmap.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, line, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { paints, seriesColors } from '../../../../src/plot/chart-colors.ts';
import { type ColorScale, sharedScale } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import { fileOf, type Picture } from '../../../../src/plot/picture-file.ts';
import { rasterize, wholeView } from '../../../../src/plot/raster.ts';
import { text as svgText } from '../../../../src/plot/svg.ts';
import { boolean, integer, oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { problemText } from '../../../../src/strings/problem.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { words } from '../../words/own.ts';
import { pixels } from '../shared/pixels.ts';
import { SmallWindow } from '../shared/small-window.ts';
import { drawTree } from './draw-tree.ts';
import { evenDrift, LAYERS, TOKENS } from './drift.ts';
import css from './own.css?inline';
import { fromFiles, fromReader, type Source } from './source.ts';
import { type Groups, groupsOf, shownToken } from './token-groups.ts';

adopt(css);

/** So many cells of pairs of heads are compared in about a second; beyond, only heads of one layer are. */
const MOST_COMPARED = 6e7;
/** With more words than these, lines cannot be told apart, and the matrix is shown. */
const MOST_LINED = 96;
/** On a phone so many words have room beside a matrix. */
const MOST_WORDS = 12;
/** The side of a small picture, in pixels of its own. */
const THUMB = 64;
/** Files and links are in the figure's own menu, and the form is its view. */
const WITHOUT: readonly FigureAction[] = [
  ...(['png', 'svg', 'csv', 'json', 'link', 'embed', 'table', 'arcs'] as const),
];
const VIEWS = ['grid', 'lines', 'cells', 'statistics', 'tree', 'rollout', 'snippet'] as const;

const table = {
  view: oneOf({ key: 'view', values: VIEWS, default: 'grid' }),
  which: integer({ key: 'head', default: 0, min: 0, max: 4095 }),
  between: oneOf({ key: 'between', values: ['all', 'aa', 'ab', 'ba', 'bb'], default: 'all' }),
  words: boolean({ key: 'words', default: true }),
  special: boolean({ key: 'special', default: false }),
  text: text({
    key: 'text',
    maxLength: 240,
    default: 'The captain looked at the sea. The sea was calm, and the captain slept.',
  }),
} as const;
type Values = StateOf<typeof table>;

interface Thumb {
  readonly light: ImageData;
  readonly dark: ImageData;
}

interface Base {
  readonly source: Source;
  /** Of a model that has learned nothing, for the picture that is about it. */
  readonly drift: readonly number[];
  readonly queries: Groups;
  readonly keys: Groups;
}
interface One extends Base {
  readonly kind: 'lines' | 'cells';
  readonly matrix: Matrix;
  readonly patterns: AttentionPatterns;
  readonly leftOut: number;
}
type Result = Base &
  (
    | { readonly kind: 'none' | 'square' | 'snippet' }
    | One
    | {
        readonly kind: 'grid';
        readonly thumbs: readonly Thumb[];
        readonly confidence: readonly number[];
      }
    | {
        readonly kind: 'statistics';
        readonly heads: readonly ScoredHead[];
        readonly even: number;
        readonly evenDistance: number;
      }
    | {
        readonly kind: 'tree';
        readonly distances: HeadDistances;
        /** The first head of those that are compared. */
        readonly from: number;
        readonly onlyLayer: number | undefined;
      }
    | { readonly kind: 'rollout'; readonly rollout: Matrix; readonly uniform: Matrix }
  );

/** Small pictures look alike in both themes' colours when each has its own. */
const scaleOf = (matrix: Matrix): ColorScale => {
  let most = 0;
  for (const one of matrix.data) if (one > most) most = one;
  return sharedScale([[0, most]], 'sqrt');
};

const percent = (share: number): string => `${formatNumber(share * 100, 2)} %`;
/** Shares below a hundredth of a per cent have no digits that matter. */
const LEAST_SHARE = 1e-4;
const smallShare = (share: number): string =>
  share < LEAST_SHARE ? `< ${percent(LEAST_SHARE)}` : percent(share);

/**
 * Attention weights from a file, or of the reader on two sentences: all heads, one, how they spread, how far apart they
 * are, and what the layers make of them together.
 *
 * @element attn-heads-own
 */
@customElement('attn-heads-own')
export class AttnHeadsOwn extends LabFigure<Result, typeof table> {
  readonly table = table;
  protected override readonly firstKnobs = ['view', 'which'] as const;
  /** A phone has room for the cells of a matrix, not for what stands around them. */
  private readonly small = new SmallWindow(this);
  private drift: readonly number[] | undefined;
  @state() private file: Source | undefined;
  @state() private refused = '';
  @state() private copied = '';
  @state() private cell: Cell | undefined;
  @state() private locked = false;

  get heading(): string {
    return words.heading;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.file?.dispose();
    this.file = undefined;
  }

  private at(source: Source, which: number): readonly [layer: number, head: number] {
    const at = Math.min(which, source.layers * source.heads - 1);
    return [Math.floor(at / source.heads), at % source.heads];
  }

  private called(source: Source, which: number): string {
    const [layer, head] = this.at(source, which);
    return words.head(layer + 1, head + 1);
  }

  protected async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    const { signal } = ask;
    const source = this.file ?? (await fromReader(client, values.text, ask));
    const { view, between } = values;
    const whole = view === 'statistics' || view === 'tree' || view === 'rollout';
    const sentence = (side: string): 0 | 1 | undefined =>
      between === 'all' || whole ? undefined : side === 'a' ? 0 : 1;
    const { words: merge, special } = values;
    const queries = groupsOf(source.queryTokens, {
      ...{ words: merge, special, sentence: sentence(between.charAt(0)) },
    });
    const keys = groupsOf(source.tokens, {
      ...{ words: merge, special, sentence: sentence(between.charAt(1)) },
    });
    this.drift ??= await evenDrift(client, signal);
    const base: Base = { source, queries, keys, drift: this.drift };
    if (view === 'snippet') return { ...base, kind: 'snippet' };
    if (queries.labels.length === 0 || keys.labels.length === 0) return { ...base, kind: 'none' };
    const merged = async (weights: readonly Matrix[]) =>
      client.mergeAttention(
        { weights, queryGroups: [...queries.groups], keyGroups: [...keys.groups] },
        { signal },
      );
    if (view === 'lines' || view === 'cells') {
      const [layer, head] = this.at(source, values.which);
      const { weights, leftOut } = await merged([await source.head(layer, head, ask)]);
      const matrix = weights[0] as Matrix;
      const patterns = await client.analyzeAttentionPatterns({ weights: matrix }, { signal });
      const many = Math.max(queries.labels.length, keys.labels.length) > MOST_LINED;
      const kind = many ? 'cells' : view;
      return { ...base, kind, matrix, patterns, leftOut: leftOut[0] ?? 0 };
    }
    const square = source.queryTokens.length === source.tokens.length;
    if (whole && !square) return { ...base, kind: 'square' };
    const mask = { kind: source.causal ? 'causal' : 'full' } as const;
    if (view === 'rollout') {
      const layers: (readonly Matrix[])[] = [];
      for (let l = 0; l < source.layers; l++) {
        layers.push(await source.layer(l, ask));
        ask.onProgress(l / (source.layers + 1));
      }
      const { rollout, uniform } = await client.attentionRollout({ layers, mask }, { signal });
      const { weights } = await merged([rollout.at(-1) as Matrix, uniform.at(-1) as Matrix]);
      return {
        ...base,
        kind: 'rollout',
        rollout: weights[0] as Matrix,
        uniform: weights[1] as Matrix,
      };
    }
    const cells = queries.labels.length * keys.labels.length;
    const all = source.layers * source.heads;
    const few = (all * all * cells) / 2 <= MOST_COMPARED;
    const [chosen] = this.at(source, values.which);
    const causal = source.causal && between === 'all' && square;
    const thumbs: Thumb[] = [];
    const confidence: number[] = [];
    const heads: ScoredHead[] = [];
    const compared: Matrix[] = [];
    let [even, evenDistance] = [Number.NaN, Number.NaN];
    for (let l = 0; l < source.layers; l++) {
      if (view === 'tree' && !few && l !== chosen) continue;
      const { weights } = await merged(await source.layer(l, ask));
      if (view === 'tree') compared.push(...weights);
      if (view === 'grid') {
        for (const matrix of weights) {
          thumbs.push({
            light: await this.thumb(matrix, causal, false),
            dark: await this.thumb(matrix, causal, true),
          });
          const { meanMax } = await client.analyzeAttentionPatterns(
            { weights: matrix },
            { signal },
          );
          confidence.push(meanMax);
        }
      }
      if (view === 'statistics') {
        const labels = [...new Set(keys.labels)];
        const tokens = keys.labels.map((label) => labels.indexOf(label));
        const scored = await client.headScores({ weights, tokens, mask, shuffles: 0 }, { signal });
        heads.push(...scored.heads);
        even = scored.uniform.entropy;
        evenDistance = scored.uniform.meanDistance;
      }
      ask.onProgress((l + 1) / (source.layers + 1));
    }
    if (view === 'grid') return { ...base, kind: 'grid', thumbs, confidence };
    if (view === 'statistics') return { ...base, kind: 'statistics', heads, even, evenDistance };
    const distances = await client.headDistances({ texts: [compared], mask }, { signal });
    return {
      ...{ ...base, kind: 'tree', distances, from: few ? 0 : chosen * source.heads },
      onlyLayer: few ? undefined : chosen,
    };
  }

  private async thumb(matrix: Matrix, causal: boolean, dark: boolean): Promise<ImageData> {
    const made = await rasterize({
      ...{ matrix, view: wholeView(matrix), scale: scaleOf(matrix), dark },
      ...{
        visible: causal ? (row) => row + 1 : () => matrix.cols,
        maxWidth: THUMB,
        maxHeight: THUMB,
      },
    });
    return made as ImageData;
  }

  // ---- knobs ----

  protected override get controls() {
    const source = this.shown?.result.source;
    const most = source ? source.layers * source.heads - 1 : table.which.max;
    const { view } = this.values;
    return [
      choice('view', { label: words.view, options: words.views, list: true }),
      slider(
        'which',
        { label: words.which, max: Math.max(1, most) },
        { when: view === 'lines' || view === 'cells' || view === 'tree' },
      ),
      choice('between', { label: words.between, options: words.betweens, list: true }),
      toggle('words', { label: words.words }),
      toggle('special', { label: words.special }, { when: this.file !== undefined }),
      line('text', { label: words.text, rows: 2 }, { when: this.file === undefined }),
    ];
  }

  private async choose(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length === 0) return;
    await this.take(files);
  }

  /** Takes files in place of the example. What was there stays where they cannot be read. */
  async take(files: readonly File[]): Promise<void> {
    try {
      const source = await fromFiles(this.tools.client, files);
      this.file?.dispose();
      this.file = source;
      this.refused = '';
      this.cell = undefined;
      this.refresh();
    } catch (error) {
      this.refused = words.cannot(await problemText(error));
    }
  }

  private back(): void {
    this.file?.dispose();
    this.file = undefined;
    this.refused = '';
    this.refresh();
  }

  // ---- picture ----

  private renderSource({ source }: Result): unknown {
    return html`<div class="ho-source">
      <p class="ho-from">${source.name === undefined ? words.example : words.from(source.name)}</p>
      <label class="button ho-choose"
        >${words.choose}<input
          class="visually-hidden"
          type="file"
          multiple
          accept=".npz,.npy,.json"
          @change=${(event: Event) => this.choose(event)}
      /></label>
      ${
        this.file
          ? html`<button class="plain" type="button" @click=${() => this.back()}>${words.back}</button>`
          : nothing
      }
      ${this.refused ? html`<p class="error" role="alert">${this.refused}</p>` : nothing}
    </div>`;
  }

  protected override get titles() {
    return { drift: words.driftTitle };
  }

  protected override pictures() {
    return {
      drift: (shown: Shown<Values, Result>) => this.renderDrift(shown),
    };
  }

  private renderDrift({ result }: Shown<Values, Result>): unknown {
    const { guess, truth } = this.bothAnswers;
    const series: Series = {
      ...{ id: 'drift', label: words.driftLine, unnamed: true, mark: 'circle' },
      color: seriesColors[this.dark ? 'dark' : 'light'][1] ?? '',
      points: result.drift.map((share, i) => chartPoint(i + 1, 100 * share)),
    };
    return html`<attn-line-chart
      .level=${4}
      .series=${[series]}
      .levels=${[
        ...(guess === undefined ? [] : [{ y: guess, label: nameOf('guess'), dashed: true }]),
        ...(truth === undefined ? [] : [{ y: truth, label: nameOf('truth') }]),
      ]}
      .x=${{ linear: true, whole: true, low: 1, high: LAYERS }}
      .y=${{ linear: true, low: 0, high: 100 }}
      .xLabel=${words.driftX}
      .yLabel=${words.driftY}
      .dark=${this.dark}
      .summary=${this.driftLine(result)}
    ></attn-line-chart>`;
  }

  private driftLine({ drift }: Result): string {
    const [first, last] = [drift[0], drift.at(-1)].map((share) => percent(share ?? Number.NaN));
    return words.said.drift(TOKENS, first ?? '', LAYERS, last ?? '');
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    // Where files come from stands in the views that begin with it.
    const begins = shown.result.kind === 'grid' || shown.result.kind === 'snippet' || this.refused;
    return html`${
      this.small.matches && !begins ? nothing : this.renderSource(shown.result)
    }${this.renderKind(shown)}`;
  }

  private renderKind({ values, result }: Shown<Values, Result>): unknown {
    switch (result.kind) {
      case 'none':
        return html`<p class="ho-empty">${words.nothing}</p>`;
      case 'square':
        return html`<p class="ho-empty">${words.square}</p>`;
      case 'snippet':
        return this.renderSnippet();
      case 'grid':
        return this.renderGrid(result);
      case 'lines':
      case 'cells':
        return html`${
          result.kind === values.view ? nothing : html`<p class="fine">${words.manyWords}</p>`
        }<div class="ho-one ${result.kind}">
          ${this.heatmap(
            result,
            result.matrix,
            this.called(result.source, values.which),
            result.kind,
          )}
        </div>`;
      case 'statistics':
        return this.renderStatistics(result);
      case 'tree':
        return html`${
          result.onlyLayer === undefined
            ? nothing
            : html`<p class="fine">${words.onlyLayer(result.onlyLayer + 1)}</p>`
        }<div class="ho-tree">${unsafeHTML(this.drawTree(result, this.small.matches).svg)}</div>`;
      case 'rollout':
        return html`<div class="ho-two">
          ${this.heatmap(result, result.rollout, words.rolloutTitle, 'cells', [])}
          ${this.heatmap(result, result.uniform, words.uniformTitle, 'cells', [])}
        </div>`;
    }
  }

  private renderSnippet(): unknown {
    return html`<pre class="ho-code" tabindex="0"><code>${words.snippet}</code></pre>
      <p class="ho-from">
        <button
          class="button"
          type="button"
          @click=${async () => {
            await navigator.clipboard.writeText(words.snippet);
            this.copied = words.copied;
          }}
        >
          ${words.copy}
        </button>
        <span role="status">${this.copied}</span> ${words.snippetNote}
      </p>`;
  }

  private renderGrid(result: Extract<Result, { kind: 'grid' }>): unknown {
    const { source, thumbs } = result;
    return html`<div
      class="ho-grid"
      .style=${`--columns:${source.heads};--lines:${source.layers}`}
      @click=${(event: Event) => {
        const which = (event.target as Element).closest('button')?.dataset.which;
        if (which !== undefined) this.set({ view: 'lines', which: Number(which) });
      }}
    >
      ${thumbs.map((thumb, which) => {
        const [layer, head] = this.at(source, which);
        return html`${
          head === 0 ? html`<span class="ho-layer" aria-hidden="true">${layer + 1}</span>` : nothing
        }<button
          type="button"
          data-which=${which}
          title=${words.head(layer + 1, head + 1)}
          aria-label=${words.open(layer + 1, head + 1)}
          .image=${this.dark ? thumb.dark : thumb.light}
        >
          <canvas></canvas>
        </button>`;
      })}
    </div>`;
  }

  protected override updated(changed: Parameters<LabFigure<Result>['updated']>[0]): void {
    super.updated(changed);
    for (const button of this.querySelectorAll<
      HTMLButtonElement & { image?: ImageData; drawn?: ImageData }
    >('.ho-grid button')) {
      const { image } = button;
      const canvas = button.querySelector('canvas');
      if (!image || !canvas || button.drawn === image) continue;
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.putImageData(image, 0, 0);
      button.drawn = image;
    }
  }

  private heatmap(
    result: Result,
    matrix: Matrix,
    heading: string,
    form: 'lines' | 'cells',
    // A view of its own has the lines of one head; two pictures side by side turn into lines by themselves.
    without: readonly FigureAction[] = WITHOUT,
  ): unknown {
    const { source } = result;
    const same = source.queryTokens.length === source.tokens.length;
    const causal = source.causal && this.values.between === 'all' && same;
    if (this.small.matches && form === 'cells') {
      return this.renderSmallCells(result, matrix, heading, causal);
    }
    return html`<attn-heatmap
      .matrix=${matrix}
      .scale=${scaleOf(matrix)}
      .visible=${causal ? (row: number) => row + 1 : undefined}
      .rowLabels=${result.queries.labels}
      .colLabels=${result.keys.labels}
      .cell=${this.cell}
      .locked=${this.locked}
      .dark=${this.dark}
      .heading=${heading}
      .without=${without}
      .form=${form === 'lines' ? 'arcs' : 'cells'}
      tokens
      ?busy=${this.busy}
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
        this.cell = detail.cell;
        this.locked = detail.locked;
      }}
    ></attn-heatmap>`;
  }

  /** On a phone: the cells, with the words where there are few of them. */
  private renderSmallCells(
    { kind, queries, keys }: Result,
    matrix: Matrix,
    heading: string,
    causal: boolean,
  ): unknown {
    const picture = pixels(matrix, {
      ...{ dark: this.dark, scale: scaleOf(matrix), causal, title: heading },
    });
    const few = Math.max(matrix.rows, matrix.cols) <= MOST_WORDS && kind === 'cells';
    const side = (labels: readonly string[], name: string): unknown =>
      html`<div class="ho-words ${name}" aria-hidden="true">
        ${labels.map((label) => html`<span>${label}</span>`)}
      </div>`;
    return html`<div class="ho-small ${few ? 'worded' : ''}" data-square>
      <p>${heading}</p>
      ${few ? html`${side(keys.labels, 'keys')}${side(queries.labels, 'queries')}` : nothing}
      ${picture}
    </div>`;
  }

  private renderStatistics({
    source,
    heads,
    even,
    evenDistance,
  }: Extract<Result, { kind: 'statistics' }>) {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const marks = ['circle', 'square', 'diamond', 'triangle', 'down', 'cross', 'plus'] as const;
    const series: readonly Series[] = Array.from({ length: source.layers }, (_, layer) => ({
      ...{ id: `layer${layer}`, label: words.layer(layer + 1), line: 'none', unnamed: true },
      ...{
        color: colors[layer % colors.length] ?? '',
        mark: marks[layer % marks.length] ?? 'circle',
      },
      points: heads
        .slice(layer * source.heads, (layer + 1) * source.heads)
        .map(({ scores }) => chartPoint(scores.meanDistance, scores.entropy)),
    }));
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${[{ y: even, label: words.evenly, dashed: true }]}
      .x=${{ linear: true, low: 0, ...(Number.isFinite(evenDistance) && { high: Math.max(evenDistance * 1.6, ...heads.map(({ scores }) => scores.meanDistance)) }) }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${words.views.statistics}
    ></attn-line-chart>`;
  }

  private drawTree({ distances, from, source }: Extract<Result, { kind: 'tree' }>, small = false) {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const names = Array.from(distances.leafOrder, (head) =>
      this.short(source, from + Number(head)),
    );
    const said = { axis: words.tree, label: words.altTree(distances.js.rows) };
    return drawTree(distances, names, paint, said, small);
  }

  /** "2.3": layer 2, head 3. */
  private short(source: Source, which: number): string {
    const [layer, head] = this.at(source, which);
    return `${layer + 1}.${head + 1}`;
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    return this.whole ? this.lineOfWhole(shown) : this.driftLine(shown.result);
  }

  private lineOfWhole({ values, result }: Shown<Values, Result>): string {
    const { source } = result;
    switch (result.kind) {
      case 'grid': {
        const top = result.confidence.indexOf(Math.max(...result.confidence));
        const share = percent(result.confidence[top] ?? Number.NaN);
        return words.said.grid(source.layers, source.heads, this.called(source, top), share);
      }
      case 'lines':
      case 'cells': {
        const { patterns, leftOut } = result;
        const said = words.said.one(
          this.called(source, values.which),
          formatNumber(patterns.meanEffectiveKeys, 2),
          percent(patterns.meanMax),
        );
        return leftOut > 0.0005
          ? `${said.replace(/\.$/, '')}; ${words.hidden(percent(leftOut))}.`
          : said;
      }
      case 'statistics': {
        const entropies = result.heads.map(({ scores }) => scores.entropy);
        return words.said.statistics(
          formatNumber(Math.min(...entropies), 2),
          formatNumber(Math.max(...entropies), 2),
          formatNumber(result.even, 2),
        );
      }
      case 'tree': {
        const { merges, largest } = result.distances;
        const [a = 0, b = 0, near = Number.NaN] = merges.data;
        return words.said.tree(
          ...([
            this.called(source, result.from + a),
            this.called(source, result.from + b),
          ] as const),
          formatNumber(near, 3),
          smallShare(near / largest),
        );
      }
      case 'rollout': {
        const { rows, cols, data } = result.rollout;
        const at = (rows - 1) * cols;
        return words.said.rollout(
          result.queries.labels.at(-1) ?? '',
          percent(data[at] ?? Number.NaN),
          percent(result.uniform.data[at] ?? Number.NaN),
        );
      }
      case 'snippet':
        return words.said.snippet;
      case 'none':
        return words.nothing;
      case 'square':
        return words.square;
    }
  }

  /** Of the whole figure: without what a question asks for. */
  protected override summary(shown: Shown<Values, Result>): string {
    return this.lineOfWhole(shown);
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return result.kind === 'lines' || result.kind === 'cells'
      ? [{ label: words.effective, value: result.patterns.meanEffectiveKeys }]
      : [];
  }

  /** Another view is another picture, of which nothing has become more or less. */
  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    return before.values.view === now.values.view
      ? super.difference(before, now)
      : this.resultLine(now);
  }

  private statisticsRows({ source, heads }: Extract<Result, { kind: 'statistics' }>) {
    return heads.map(({ scores }, which) => [
      this.short(source, which),
      scores.entropy,
      scores.meanDistance,
      scores.confidence,
      scores.previousToken,
      scores.firstToken,
      scores.currentToken,
    ]);
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { leftOut } = result.source;
    return html`${
      leftOut.length > 0 ? html`<p class="fine">${words.leftOut(leftOut.join(', '))}</p>` : nothing
    }${
      result.kind === 'statistics'
        ? sheetTable({
            ...{ label: words.views.statistics, columns: words.columns },
            rows: this.statisticsRows(result).map(([name, ...numbers]) => [
              name,
              ...numbers.map((one) => formatNumber(Number(one))),
            ]),
          })
        : nothing
    }`;
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    const { source } = result;
    const shape = words.shape(
      ...([source.layers, source.heads, source.queryTokens.length, source.tokens.length] as const),
    );
    const what = [
      values.words ? words.what.words : words.what.tokens,
      values.special ? words.what.special : words.what.hidden,
      ...(result.kind === 'statistics' || result.kind === 'tree' || result.kind === 'rollout'
        ? [words.what[result.kind]]
        : []),
    ];
    const from = source.name === undefined ? words.example : words.from(source.name);
    return words.caption(from, shape, what.join(' '));
  }

  protected data({ values, result }: Shown<Values, Result>): FigureData {
    const { source } = result;
    switch (result.kind) {
      case 'statistics':
        return { columns: words.columns, rows: this.statisticsRows(result) };
      case 'grid':
        return {
          columns: [words.columns[0] ?? '', words.columns[3] ?? ''],
          rows: result.confidence.map((one, which) => [this.short(source, which), one]),
        };
      case 'tree': {
        const { js, merges } = result.distances;
        return {
          columns: ['a', 'b', words.tree],
          rows: Array.from({ length: js.rows * js.rows }, (_, i) => [
            this.short(source, result.from + Math.floor(i / js.rows)),
            this.short(source, result.from + (i % js.rows)),
            js.data[i] ?? null,
          ]),
          matrices: { merges },
        };
      }
      case 'rollout':
        return {
          columns: [],
          rows: [],
          matrices: { rollout: result.rollout, uniform: result.uniform },
        };
      case 'lines':
      case 'cells': {
        const { matrix, queries, keys } = result;
        const [layer, head] = this.at(source, values.which);
        return {
          columns: words.ofCells,
          rows: Array.from(matrix.data, (weight, i) => [
            ...[layer + 1, head + 1, queries.labels[Math.floor(i / matrix.cols)] ?? ''],
            ...[keys.labels[i % matrix.cols] ?? '', weight],
          ]),
        };
      }
      default:
        return {
          columns: ['token'],
          rows: source.tokens.map((token) => [shownToken(token)]),
        };
    }
  }

  protected override async svg(shown: Shown<Values, Result>): Promise<string> {
    const { dark, heading } = this;
    const about = { title: heading, caption: this.fullCaption(shown) };
    const { result } = shown;
    if (result.kind === 'statistics')
      return this.querySelector('attn-line-chart')?.svg(about.caption, heading) ?? '';
    return fileOf(await this.picture(shown), about, dark);
  }

  private async picture({ values, result }: Shown<Values, Result>): Promise<Picture> {
    const { arcsPicture, heatmapPicture } = await import('../../../../src/plot/heatmap-picture.ts');
    const { source, queries, keys } = result;
    const causal = source.causal && values.between === 'all';
    const options = (matrix: Matrix, heading: string) => ({
      ...{ matrix, heading, subtitle: '', dark: this.dark, scale: scaleOf(matrix) },
      ...{ labels: queries.labels, keys: keys.labels },
      visible: causal ? (row: number) => row + 1 : () => matrix.cols,
    });
    switch (result.kind) {
      case 'lines':
        return arcsPicture(
          options(result.matrix, this.called(source, values.which)),
          queries.labels,
        );
      case 'cells':
        return heatmapPicture(options(result.matrix, this.called(source, values.which)));
      case 'rollout': {
        const left = await heatmapPicture(options(result.rollout, words.rolloutTitle));
        const right = await heatmapPicture(options(result.uniform, words.uniformTitle));
        return {
          body: `${left.body}<g transform="translate(${left.width} 0)">${right.body}</g>`,
          ...{ width: left.width + right.width, height: Math.max(left.height, right.height) },
        };
      }
      case 'tree':
        return this.drawTree(result);
      case 'grid': {
        const side = 70;
        const images = [...this.querySelectorAll<HTMLCanvasElement>('.ho-grid canvas')];
        const body = images.map(
          (canvas, which) =>
            `<image x="${(which % source.heads) * side}" y="${Math.floor(which / source.heads) * side}" width="64" height="64" image-rendering="pixelated" href="${canvas.toDataURL()}"/>`,
        );
        return { body: body.join(''), width: source.heads * side, height: source.layers * side };
      }
      default: {
        const lines = words.snippet.split('\n');
        const ink = paints[this.dark ? 'dark' : 'light'].ink;
        const body = lines.map((one, i) => svgText(0, 16 + i * 18, one, ink));
        return { body: body.join(''), width: 900, height: 20 + lines.length * 18 };
      }
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-own': AttnHeadsOwn;
  }
}
