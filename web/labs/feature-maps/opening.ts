import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { CompareOptions, Comparison, CoreError, OrKept } from '#client';
import '../../src/components/heatmap/heatmap.ts';
import type { Cell, CellEventDetail, FigureAction } from '../../src/components/heatmap/heatmap.ts';
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { keepOut } from '../../src/components/room-for-text.ts';
import { MapFigure } from '../../src/figures/map-figure.ts';
import { parametersOf } from '../../src/figures/map-parameters.ts';
import {
  AT_FIGURE,
  type KeyNumber,
  type NumberKnob,
  sentence,
} from '../../src/lab/figure/figure.ts';
import { keptGaussian, keptOwn, keptText } from '../../src/lab/figure/kept-inputs.ts';
import {
  choice,
  type Knob,
  type KnobState,
  ownKnob,
  seedKnob,
  slider,
  toggle,
} from '../../src/lab/figure/knob.ts';
import { KnobError } from '../../src/lab/figure/knob-error.ts';
import type { FileKind } from '../../src/lab/figure/save-and-share.ts';
import type { Ask, FigureData } from '../../src/lab/types.ts';
import { formatCount } from '../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../src/plot/format.ts';
import type { View } from '../../src/plot/raster.ts';
import { onFirstMove } from '../../src/state/first-move.ts';
import { strings } from '../../src/strings/index.ts';
import { problemText } from '../../src/strings/problem.ts';
import { langOfMap } from '../../src/strings/registry.ts';
import type { CellExplainer } from './cell-explainer.ts';
import { type LabState, LETTERS, start, table } from './link-state.ts';
import {
  captionOf,
  dataText,
  entriesOf,
  namesTable,
  PICTURES,
  type Picture,
  type Result,
  type Shown,
  steadyScales,
  subtitleOf,
  titleOf,
} from './opening-result.ts';
import type { OwnInputs } from './own-inputs.ts';
import type { Letter } from './own-matrices.ts';
import { SharedData } from './shared-data.ts';

/** Numbers in the prose may move these. */
const SIZES = ['n', 'dK', 'dV'] as const;
/** The limit of the memory for pictures that are shown again without a new computation: 16 MiB. */
const MOST_ENTRIES = 2 ** 22;
/** φ of the map with which the page begins; the formulas of all maps come later. */
const FIRST_PHI: Readonly<Record<string, string>> = {
  elu_plus_one: 'φ(x) = max(0, x) + e^{min(0, x)}',
};
/** Modules that the first picture does not need are loaded when they are first used. */
const files = () => import('./save-and-share.ts');

/**
 * The lab's first figure: the knobs, the three pictures and what they say. Its Q, K and V are those
 * of the lab. It draws and it asks; every number about attention comes from the core.
 *
 * @element attn-feature-maps-lab
 */
@customElement('attn-feature-maps-lab')
export class AttnFeatureMapsLab extends MapFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly startValues = start;
  /** On a phone the picture says first what the knobs change. */
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['map', 'input', 'text', 'n', 'own'] as const;
  protected override readonly argumentKnobs = { maxTokens: 'text' };
  get heading(): string {
    return strings.lab.openingTitle;
  }

  @state() private cell: Cell | undefined;
  @state() private locked = false;
  @state() private view: View | undefined;
  /** The picture that is also shown as a table. */
  @state() private asTable: Picture | undefined;
  /** The panels of the sheet and of views, once they are loaded. */
  @state() private later: typeof import('./opening-panels.ts') | undefined;
  private loading = false;

  private readonly waits: (() => void)[] = [];
  private ready: Promise<void> | undefined;
  private readonly answers = this.recentAnswers<Comparison>(MOST_ENTRIES, entriesOf);
  private readonly scales = steadyScales();
  private readonly again = (): void => this.refresh();
  /** The visitor's own matrices. Few visitors bring any, so this comes when it is first wanted; see `wantOwn`. */
  private own: OwnInputs | undefined;
  private ownWanted: Promise<OwnInputs> | undefined;
  /** The data that the other figures of the lab use. */
  override readonly labData = new SharedData({
    values: () => this.values,
    onScreen: () => (this.shown ? dataText(this.shown) : ''),
    inputs: async (ask) => {
      await this.beforeAsking();
      return this.inputs(this.values, ask.signal);
    },
  });
  /** Comes with the panels, because nobody sees an explanation before. */
  private explainer: CellExplainer | undefined;

  // ---- life ----

  constructor() {
    super();
    // The pictures fire these, and so do the panels below them.
    this.addEventListener('attn-cell', this.onCell);
    this.addEventListener('attn-view', ({ detail }) => {
      this.view = detail;
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.readCell();
    // A link that holds a cell asks how it was computed, and one with another map wants that map's φ: both come at once.
    if (this.cell || !(this.values.map in FIRST_PHI)) this.loadLater();
    else this.waits.push(onFirstMove(() => this.loadLater()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.waits.splice(0)) end();
    removeEventListener('online', this.again);
    this.labData.dispose();
  }

  private loadLater(): void {
    if (this.loading) return;
    this.loading = true;
    import('./opening-panels.ts').then(
      (later) => {
        this.later = later;
        this.explainer = new later.CellExplainer({
          wanted: () => this.explained,
          changed: () => this.requestUpdate(),
          gone: this.again,
        });
        void this.explainer.explain(this.tools.client);
        return this.readMaps(this.tools.client);
      },
      () => {
        // The next move tries again: the network may be back by then.
        this.loading = false;
        this.waits.push(onFirstMove(() => this.loadLater()));
      },
    );
  }

  // ---- values ----

  /** A map that the core does not know is said in a notice, and the default stands in its place. */
  override get values(): LabState {
    const values = super.values;
    return this.isKnown(values.map)
      ? values
      : { ...values, map: this.defaults.map, parameters: '' };
  }

  /** Before the maps are there, every name may be one. */
  private isKnown(map: string): boolean {
    return !this.hasMaps || this.mapOf(map) !== undefined;
  }

  protected override unreadable(): readonly string[] {
    const { map } = super.values;
    return this.isKnown(map) ? [] : [strings.lab.unknownMap(map)];
  }

  override set(patch: Partial<LabState>, options: { readonly draft?: boolean } = {}): void {
    const { map, parameters } = this.values;
    const { trying, locked, cell } = this;
    const set: Partial<LabState> = {
      // Those of the picture, which are the link's if it could be read.
      ...(!trying && { map, parameters }),
      // A cell that was held during a try becomes the reader's own with it.
      ...(trying && locked && cell && { query: cell.row + 1, key: cell.col + 1 }),
      // Another map has other parameters, and a cell of other data is another cell.
      ...(patch.map !== undefined && { parameters: '' }),
      ...(patch.input !== undefined && { query: 0, key: 0 }),
      ...patch,
    };
    if (patch.input !== undefined) this.own?.forgetRefused();
    super.set(set, options);
  }

  /** A size, where the data has it. */
  override numberKnob(name: string): NumberKnob | undefined {
    const { input } = this.values;
    const size = SIZES.find((one) => one === name);
    const there = size === 'n' ? input === 'gaussian' : input !== 'own';
    return size && there ? super.numberKnob(size) : undefined;
  }

  protected override onValues(): void {
    this.readCell();
    super.onValues();
  }

  protected override beforeTry(): void {
    super.beforeTry();
    this.forgetCell();
  }

  override leaveTry(): void {
    if (this.trying) this.forgetCell();
    super.leaveTry();
  }

  protected override reset(): void {
    this.forgetCell();
    super.reset();
  }

  private forgetCell(): void {
    this.cell = undefined;
    this.locked = false;
    this.view = undefined;
  }

  /** The held cell is that of the link. One that is only pointed at stays. */
  private readCell(): void {
    const { query, key } = this.values;
    if (query > 0 && key > 0) {
      this.cell = { row: query - 1, col: key - 1 };
      this.locked = true;
    } else if (this.locked) {
      this.cell = undefined;
      this.locked = false;
    }
  }

  // ---- asking the core ----

  protected override beforeAsking(): Promise<void> {
    this.ready ??= this.begin().catch((error: unknown) => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }

  private async begin(): Promise<void> {
    await Promise.all([
      // A link may show another map than the page begins with.
      this.values.map in FIRST_PHI
        ? this.readFirstMaps(this.tools.client)
        : this.readMaps(this.tools.client),
      // Matrices that a link holds.
      /[#&]m=/.test(location.hash) && this.wantOwn().then((own) => own.ofLink()),
      // Long texts that the address names.
      this.store.ready,
    ]);
    for (const text of this.unreadable()) this.notice(text);
  }

  protected override async compute(values: LabState, ask: Ask): Promise<Result | undefined> {
    const map = this.mapOf(values.map);
    const inputs = map && (await this.inputs(values, ask.signal, 'input'));
    if (!inputs) return undefined;
    const input: OrKept<CompareOptions> = {
      ...inputs.qkv,
      featureMap: {
        id: map.id,
        parameters: parametersOf(values.parameters, map),
        seed: values.seed,
      },
      mask: { kind: values.causal ? 'causal' : 'full' },
      ...(values.scale ? {} : { scale: 1 }),
    };
    const comparison = await this.answers.of(input, () =>
      this.tools.client.compareToSoftmax(input, { key: 'compare', ...ask }),
    );
    const { tokens, keys } = inputs;
    return { input, tokens, keys, comparison, map };
  }

  /**
   * Q, K and V in the core; undefined while own matrices are incomplete.
   *
   * @param queue a newer question with the same name takes this one's place
   */
  private async inputs(values: LabState, signal: AbortSignal, queue?: string) {
    const { client } = this.tools;
    const { input, text, n, dK, dV, seed } = values;
    const call = { signal, ...(queue === undefined ? {} : { key: queue }) };
    if (input === 'text') {
      const asked = { text, dK, dV, seed, maxTokens: table.n.max };
      const { tokens, ...qkv } = await keptText(client, asked, call);
      return { qkv, tokens, keys: tokens };
    }
    if (input === 'own') return this.ownInputs(signal);
    const qkv = await keptGaussian(client, { n, dK, dV, seed }, call);
    return { qkv, tokens: undefined, keys: undefined };
  }

  private wantOwn(): Promise<OwnInputs> {
    this.ownWanted ??= import('./own-inputs.ts').then(
      ({ OwnInputs: Inputs }) => {
        this.own = new Inputs({
          named: () => this.values,
          say: (text) => this.notice(text),
          changed: () => this.requestUpdate(),
        });
        return this.own;
      },
      (error: unknown) => {
        this.ownWanted = undefined;
        throw error;
      },
    );
    return this.ownWanted;
  }

  private async ownInputs(signal: AbortSignal) {
    let own: OwnInputs;
    try {
      own = await this.wantOwn();
      await own.load();
    } catch (error) {
      // A part of the page did not arrive. It is asked for again when the network is back, and with the next knob.
      addEventListener('online', this.again, { once: true });
      throw new KnobError('input', sentence(await problemText(error)));
    }
    const { tooLarge, matrices } = own;
    if (tooLarge) throw new KnobError(tooLarge.at, tooLarge.message);
    const [q, k, v] = LETTERS.map((letter) => matrices[letter]?.matrix);
    if (!q || !k || !v) return undefined;
    const { names } = own;
    const qkv = await keptOwn(this.tools.client, { q, k, v }, { signal });
    return { qkv, tokens: names?.tokens, keys: names?.keys };
  }

  protected override knobOf(error: CoreError): string {
    const { argument } = error;
    const letter = LETTERS.find((name) => name === argument.toLowerCase());
    if (letter) return this.values.input === 'own' ? letter : AT_FIGURE;
    const at = super.knobOf(error);
    return at === AT_FIGURE && argument.startsWith('featureMap') ? 'map' : at;
  }

  protected override show(shown: Shown): void {
    const before = this.shown?.result.comparison.softmax;
    const { rows, cols } = shown.result.comparison.softmax;
    if (before && (before.rows !== rows || before.cols !== cols)) this.view = undefined;
    if (this.cell && (this.cell.row >= rows || this.cell.col >= cols)) {
      this.cell = undefined;
      this.locked = false;
    }
    super.show(shown);
    void this.explainer?.explain(this.tools.client);
    this.labData.tell(() => {
      const { own } = this;
      return [...LETTERS.map((letter) => own?.matrices[letter]?.name), own?.turn ?? 0];
    });
  }

  protected override summary({ result: { comparison } }: Shown): string {
    const { mse, correlation, negativeWeights } = comparison;
    return strings.comparison.spoken(formatTick(mse), formatTick(correlation), negativeWeights);
  }

  /** The cell under the cursor, or else the cell of the largest difference. */
  private cellOf({ result }: Shown): Cell {
    const { maxDifferenceRow: row, maxDifferenceCol: col } = result.comparison;
    return this.cell ?? { row, col };
  }

  private get explained() {
    const { shown } = this;
    return shown && { input: shown.result.input, cell: this.cellOf(shown) };
  }

  /** Both weights of a cell; before one is chosen, those that differ most. */
  protected override resultLine(shown: Shown): string {
    // The font of arrows and quotation marks is none of the first load.
    if (!this.later) {
      return `${this.keyNumbers(shown)
        .map(({ label, value }) => `${label} ${formatNumber(value)}`)
        .join(', ')}.`;
    }
    return this.later.resultLine(shown.result, this.cellOf(shown), this.cell !== undefined);
  }

  protected override keyNumbers({ result }: Shown): readonly KeyNumber[] {
    const words = strings.comparison;
    const { correlation, outputError } = result.comparison;
    return [
      { label: words.correlation, value: correlation },
      { label: words.outputError, value: outputError },
    ];
  }

  /** What breaks an average is said too. */
  protected override difference(before: Shown, now: Shown): string {
    const broken = this.later?.broken(now.result) ?? [];
    return [super.difference(before, now), ...broken].join(' ');
  }

  // ---- own matrices ----

  private async onMatrix(letter: Letter, value: NamedMatrix | undefined): Promise<void> {
    const inputs = await this.wantOwn();
    inputs.put(letter, value);
    this.refresh();
    try {
      await inputs.keep((named) => this.set(named));
    } catch (error) {
      this.notice(sentence(await problemText(error)));
    }
  }

  private async saveMatrix(letter: Letter): Promise<void> {
    const value = this.own?.matrices[letter];
    if (value) this.status = await (await files()).saveMatrix(letter, value);
  }

  /** A matrix was refused, so that the pictures are not those of what the visitor gave last. */
  private get stillBefore(): boolean {
    const wrong =
      (this.own?.refused.length ?? 0) > 0 || LETTERS.some((letter) => this.errorFor(letter));
    return this.shown !== undefined && this.values.input === 'own' && wrong;
  }

  // ---- files and links ----

  protected override caption(shown: Shown): string {
    return captionOf(shown);
  }

  /** Nothing here depends on the machine or the version, and the line has many numbers already. */
  protected override fullCaption(shown: Shown): string {
    return captionOf(shown);
  }

  /** The weights of some pictures; the tokens, where there are any, are their rows. */
  protected override data({ result }: Shown, pictures = PICTURES): FigureData {
    const { tokens, keys, comparison } = result;
    return {
      ...namesTable(tokens, keys),
      matrices: Object.fromEntries(pictures.map((picture) => [picture, comparison[picture]])),
    };
  }

  private async savePicture(picture: Picture, kind: FileKind): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const { map, comparison, tokens, keys } = shown.result;
    const name = `attention-labs-${map.id}-${picture}-seed-${shown.values.seed}.${kind}`;
    const heading = titleOf(picture);
    const options = {
      ...{ heading, subtitle: subtitleOf(picture, shown), matrix: comparison[picture] },
      ...{ scale: this.scaleOf(picture, shown), visible: this.visible, view: this.view },
      ...{ labels: tokens, keys, arcs: this.values.arcs, dark: this.dark },
    };
    const about = { ...this.aboutFile(name, shown), heading, figure: picture };
    const data = this.data(shown, [picture]);
    this.status = await (await files()).savePicture(kind, { about, options, data });
  }

  protected override async copyAddress(address: string) {
    const own = (this.values.input === 'own' && this.own?.matrices) || {};
    return (await files()).copyWithMatrices(address, own);
  }

  /** Each picture has its own. */
  protected override renderSave(): unknown {
    return nothing;
  }

  // ---- knobs ----

  protected override mapKnob(label: string): Knob<'map'> {
    const words = strings.lab;
    const knob = super.mapKnob(label);
    return {
      ...knob,
      draw: (state) => {
        const { map } = this;
        return html`${knob.draw(state)}
          <div class="about-map">
            <div class="phi">
              <span>${this.later?.formula(this.values.map) ?? rich(FIRST_PHI[this.values.map] ?? '')}</span>
              ${
                map
                  ? html`<span class="sign" title=${words.positivity[map.positivity]}
                      >${words.sign[map.positivity]}</span
                    >`
                  : nothing
              }
            </div>
            ${map ? html`<p class="fine" lang=${langOfMap(map.id) ?? nothing}>${rich(map.note)}</p>` : nothing}
          </div>`;
      },
    };
  }

  private drawText({ id, disabled, error, problem, set }: KnobState): unknown {
    const words = strings.lab;
    const typed = (): string | undefined =>
      document.querySelector<HTMLTextAreaElement>(`textarea#${id}`)?.value;
    const most = table.text.maxLength;
    const refuse = (length: number): void => {
      this.problem = { at: 'text', message: words.tooLong(formatCount(length), formatCount(most)) };
    };
    const onText = (event: Event, draft: boolean): void => {
      const { value } = event.target as HTMLTextAreaElement;
      if (value.length <= most) set(value, draft);
      else refuse(value.length);
    };
    return html`<label class="visually-hidden" for=${id}>${words.sentence}</label>
      <textarea
        id=${id}
        dir="auto"
        rows="3"
        spellcheck="false"
        .value=${live((error && typed()) || this.values.text)}
        ?disabled=${disabled}
        aria-invalid=${error ? 'true' : 'false'}
        aria-describedby="${id}-note ${error ? this.idFor('error-text') : ''}"
        @beforeinput=${(event: InputEvent) => {
          const length = keepOut(event);
          if (length !== undefined) refuse(length);
        }}
        @input=${(event: Event) => onText(event, true)}
        @change=${(event: Event) => onText(event, false)}
      ></textarea>
      ${problem}
      <p class="fine text-note" id="${id}-note">${words.untrained}</p>`;
  }

  private drawOwn({ disabled }: KnobState): unknown {
    const { own } = this;
    return own?.draw?.({
      ...{ own, disabled },
      errorFor: (letter) => this.errorFor(letter),
      take: (letter, value) => this.onMatrix(letter, value),
      save: (letter) => this.saveMatrix(letter),
    });
  }

  protected override get controls(): readonly Knob<keyof LabState>[] {
    const words = strings.lab;
    const { input } = this.values;
    const made = { when: input !== 'own' };
    return [
      this.mapKnob(words.featureMap),
      choice('input', { label: words.input, options: words.inputs }),
      ownKnob(
        'text',
        { label: words.sentence, draw: (state) => this.drawText(state) },
        { when: input === 'text' },
      ),
      slider(
        'n',
        { symbol: 'n', label: words.n, log: true, note: words.gaussianNote },
        { when: input === 'gaussian' },
      ),
      ownKnob(
        'own',
        { label: words.inputs.own, draw: (state) => this.drawOwn(state) },
        { when: input === 'own' },
      ),
      this.parametersKnob(),
      slider('dK', { symbol: 'd_k', label: words.dK, log: true }, made),
      slider('dV', { symbol: 'd_v', label: words.dV, log: true }, made),
      seedKnob('seed', { when: input !== 'own' || (this.map?.random ?? false) }),
      toggle('scale', { label: words.scale, note: words.scaleNote }),
      toggle('causal', { label: words.causal, note: words.causalNote }),
      toggle('sqrt', { label: words.sqrt, note: words.sqrtNote }),
    ];
  }

  // ---- the pictures ----

  private readonly onCell = ({ detail }: CustomEvent<CellEventDetail>): void => this.choose(detail);

  private choose({ cell, locked, settled }: CellEventDetail): void {
    this.cell = cell;
    this.locked = locked;
    // A cell is no knob: nothing is asked for it, and it does not make a try the reader's own.
    if (settled && !this.trying) {
      const held = locked && cell;
      const place = { query: held ? cell.row + 1 : 0, key: held ? cell.col + 1 : 0 };
      const { values } = this;
      this.knobs?.set(place, { draft: true });
      // The answer is still that of these values, also for a try, which shows what was before it.
      if (this.shown?.values === values) this.shown = { ...this.shown, values: this.values };
    }
    void this.explainer?.explain(this.tools.client);
  }

  private readonly visible = (row: number): number => {
    const cols = this.shown?.result.comparison.softmax.cols ?? 0;
    return this.shown?.values.causal ? Math.min(cols, row + 1) : cols;
  };

  private scaleOf(picture: Picture, { result }: Shown) {
    const { weights, difference } = this.scales(result.comparison, this.values.sqrt);
    return picture === 'difference' ? difference : weights;
  }

  private onAction(picture: Picture, action: FigureAction): void {
    switch (action) {
      case 'table':
        void import('../../src/components/matrix-table/matrix-table.ts');
        this.loadLater();
        this.asTable = this.asTable === picture ? undefined : picture;
        // The table stands in the sheet.
        if (this.asTable) {
          this.querySelector<HTMLElement>('.more-knobs[aria-expanded="false"]')?.click();
        }
        break;
      case 'arcs':
        this.set({ arcs: !this.values.arcs });
        break;
      case 'link':
        void this.copyLink();
        break;
      case 'embed':
        void files().then(({ goToEmbed }) => goToEmbed(this.linkOf(this.values)));
        break;
      default:
        void this.savePicture(picture, action);
    }
  }

  private renderMatrix(picture: Picture, shown: Shown | undefined): unknown {
    const { input, arcs } = this.values;
    const { heatmap, lab } = strings;
    // Own matrices are wanted, and those of another choice are still shown.
    const other = input === 'own' && shown?.values.input !== 'own';
    return html`<attn-heatmap
      .matrix=${shown?.result.comparison[picture]}
      .scale=${shown && this.scaleOf(picture, shown)}
      .visible=${this.visible}
      .rowLabels=${shown?.result.tokens}
      .colLabels=${shown?.result.keys}
      .cell=${this.cell}
      .locked=${this.locked}
      .view=${this.view}
      .dark=${this.dark}
      .heading=${titleOf(picture)}
      .subtitle=${subtitleOf(picture, shown)}
      .quantity=${picture === 'difference' ? heatmap.difference : heatmap.weight}
      .waiting=${other ? lab.nothingYet : heatmap.waiting}
      .tableOpen=${this.asTable === picture}
      .form=${arcs ? 'arcs' : 'cells'}
      files
      ?tokens=${shown ? shown.result.tokens !== undefined : input === 'text'}
      ?busy=${this.busy || other}
      @attn-action=${(event: CustomEvent<FigureAction>) => this.onAction(picture, event.detail)}
    ></attn-heatmap>`;
  }

  /** The numbers that compare the pictures, large; what they were before a try stands beside them. */
  private renderNumbers(shown: Shown): unknown {
    const { ghost } = this;
    const before = ghost && this.keyNumbers(ghost);
    return html`<dl class="key-numbers">
      ${this.keyNumbers(shown).map(({ label, value }, i) => {
        const was = before?.[i]?.value;
        return html`<div>
          <dt>${label}</dt>
          <dd>
            ${was === undefined ? nothing : html`<s>${formatNumber(was)}</s> `}${
              Number.isFinite(value) ? formatNumber(value) : strings.comparison.undefined
            }
          </dd>
        </div>`;
      })}
    </dl>`;
  }

  private renderPictures(shown: Shown | undefined): unknown {
    return html`<div class="trio">
      <div class="pictures">${PICTURES.map((picture) => this.renderMatrix(picture, shown))}</div>
      ${shown ? this.renderNumbers(shown) : nothing}
      ${
        this.stillBefore
          ? html`<p class="notice still-before" role="status">${strings.lab.stillBefore}</p>`
          : nothing
      }
    </div>`;
  }

  protected override renderResult(shown: Shown): unknown {
    return this.renderPictures(shown);
  }

  /** The frames of the pictures are there from the start. */
  protected override renderWithout(): unknown {
    return this.renderPictures(undefined);
  }

  protected override pictures() {
    const matrices = (pictures: readonly Picture[], shown: Shown): unknown =>
      html`<div class="small trio">
        <div class="pictures">${pictures.map((picture) => this.renderMatrix(picture, shown))}</div>
      </div>`;
    return {
      /** All three, small, and the two numbers that compare them. */
      both: (shown: Shown) => html`${matrices(PICTURES, shown)} ${this.renderNumbers(shown)}`,
      difference: (shown: Shown) => html`<div class="one">${matrices(['difference'], shown)}</div>`,
      /** One row as bars. */
      row: (shown: Shown) => this.renderRow(shown),
      /** How one cell came about, and a picture in which to point at another. */
      cell: (shown: Shown) =>
        html`<div class="cell-view">
          ${matrices(['difference'], shown)} ${this.renderExplanation(shown, 'steps')}
        </div>`,
    };
  }

  protected override get titles() {
    const { views } = strings.lab;
    return { ...views, difference: titleOf('difference') };
  }

  private renderRow(shown: Shown): unknown {
    this.loadLater();
    return (
      this.later?.rowBars({
        result: shown.result,
        earlier: this.ghost?.result,
        cell: this.cellOf(shown),
        chosen: this.cell !== undefined,
        visible: this.visible,
        dark: this.dark,
        choose: (cell) => this.choose({ cell, locked: true, settled: true }),
      }) ?? this.renderWaiting()
    );
  }

  /** How the cell under the cursor came about, with a heading or alone. */
  private renderExplanation(shown: Shown, part: 'explanation' | 'steps'): unknown {
    this.loadLater();
    return html`<div class="explained">
      ${this.later?.[part]({
        explanation: this.explainer?.explanation,
        ...{ labels: shown.result.tokens, keys: shown.result.keys },
        map: shown.result.map.label,
        chosen: this.cell !== undefined,
      })}
    </div>`;
  }

  /** One picture as a table. */
  private renderTable(shown: Shown): unknown {
    const { asTable, later } = this;
    if (!asTable) return nothing;
    return later?.table({
      ...{ labels: shown.result.tokens, keys: shown.result.keys },
      matrix: shown.result.comparison[asTable],
      heading: titleOf(asTable),
      cell: this.cell,
      visible: this.visible,
      close: () => {
        this.asTable = undefined;
      },
    });
  }

  protected override renderDetails(shown: Shown): unknown {
    return html`${this.renderTable(shown)} ${this.later?.comparison(shown.result.comparison)}
    ${this.later ? this.renderExplanation(shown, 'explanation') : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-feature-maps-lab': AttnFeatureMapsLab;
  }
}
