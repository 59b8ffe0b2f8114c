import { html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import {
  CancelledError,
  type CellExplanation,
  type Client,
  type CompareOptions,
  type Comparison,
  CoreError,
  type FeatureMapInfo,
  type OrKept,
  SupersededError,
} from '#client';
import { featureMapsOf } from '../../src/core.ts';
import '../../src/components/heatmap/heatmap.ts';
import '../../src/components/seed/seed.ts';
import '../../src/components/slider/slider.ts';
import type { Cell, CellEventDetail, FigureAction } from '../../src/components/heatmap/heatmap.ts';
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { parameterKnobs } from '../../src/figures/map-knobs.ts';
import { parametersOf } from '../../src/figures/map-parameters.ts';
import type { NumberKnob } from '../../src/lab/figure.ts';
import { messages, progressLine } from '../../src/lab/figure-messages.ts';
import { figureWords } from '../../src/lab/figure-words.ts';
import { keptGaussian, keptOwn, keptText, withKept } from '../../src/lab/kept-inputs.ts';
import { prose } from '../../src/lab/prose.ts';
import { RecentAnswers } from '../../src/lab/recent-answers.ts';
import { createTools } from '../../src/lab/tools.ts';
import { lockedNote, TriedFigure } from '../../src/lab/tried-figure.ts';
import type { Ask, FigurePlace, LabData, LabTools } from '../../src/lab/types.ts';
import { type Knobs, UrlStore } from '../../src/lab/url-store.ts';
import { differenceScale, sharedScale } from '../../src/plot/color.ts';
import { formatTick } from '../../src/plot/format.ts';
import type { View } from '../../src/plot/raster.ts';
import { onFirstMove } from '../../src/state/first-move.ts';
import { urlHistory } from '../../src/state/history.ts';
import { strings } from '../../src/strings/index.ts';
import { problemText } from '../../src/strings/problem.ts';
import { inLanguage, langOfMap } from '../../src/strings/registry.ts';
import { isDark, onThemeChange } from '../../src/styles/theme.ts';
import { type LabState, MAX_ROWS, start, table } from './link-state.ts';
import type { Letter, Own } from './own-matrices.ts';

interface Size {
  readonly rows: number;
  readonly cols: number;
}

const entriesOf = ({ softmax, implicit, difference, ...rest }: Comparison): number =>
  [softmax, implicit, difference, rest.softmaxOutput, rest.implicitOutput].reduce(
    (sum, { data }) => sum + data.length,
    0,
  );

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

type Picture = 'softmax' | 'implicit' | 'difference';

/** Their sliders are logarithmic. */
const SIZES = ['n', 'dK', 'dV'] as const;
/** The knobs that are folded away at first sight. */
const FOLDED = ['parameters', 'dK', 'dV', 'seed', 'scale', 'causal', 'sqrt'] as const;
const LETTERS: readonly Letter[] = ['q', 'k', 'v'];
const PICTURES: readonly Picture[] = ['softmax', 'implicit', 'difference'];
/** Modules that the first picture does not need are loaded when they are first used. */
const files = () => import('./save-and-share.ts');
const ownWork = () => import('./own-matrices.ts');
/** A result that takes longer is announced, and can be stopped. */
const PATIENCE_MS = 300;
const SPEAK_AFTER_MS = 1000;
/** Other figures use the same data, but they are not told of every value while a knob is dragged. */
const SETTLE_MS = 250;
/** The limit of the memory for pictures that are shown again without a new computation: 16 MiB. */
const MOST_ENTRIES = 2 ** 22;
const MOST_CELLS = 500;

/** A result, and all that it was computed from. */
interface Shown {
  readonly state: LabState;
  readonly input: OrKept<CompareOptions>;
  readonly tokens: readonly string[] | undefined;
  readonly comparison: Comparison;
  readonly map: FeatureMapInfo | undefined;
}

/** What is wrong, and the control beside which it is shown. */
interface Problem {
  readonly at: string;
  readonly message: string;
  /** The core itself failed, so that starting it anew may help. */
  readonly ofCore?: boolean;
}

/**
 * The lab's first figure: the knobs, the three pictures and what they say. Its Q, K and V are those
 * of the lab. It draws and it asks; every number about attention comes from the core.
 *
 * @element attn-feature-maps-lab
 */
@customElement('attn-feature-maps-lab')
export class AttnFeatureMapsLab extends TriedFigure<LabState> {
  /** Set by the shell before the element is connected, as for any figure of a lab. */
  @property({ attribute: false }) override place: FigurePlace | undefined;
  @property({ attribute: false }) tools: LabTools | undefined;
  @property({ attribute: false }) store: UrlStore | undefined;

  /** The data that the other figures of the lab use. */
  readonly labData: LabData;

  @state() private values!: LabState;
  @state() private maps: readonly FeatureMapInfo[] = [];
  @state() private own: Own = {};
  /** Why the matrices are not kept; empty while they are. */
  @state() private ownProblem = '';
  @state() private shown: Shown | undefined;
  @state() private problem: Problem | undefined;
  @state() private notices: readonly string[] = [];
  @state() private loadFailure = '';
  @state() private busy = false;
  @state() private progress = 0;
  @state() private status = '';
  @state() private linkToShow = '';
  @state() private spoken = '';
  /** Undoes the last action with one click, while this is offered. */
  @state() private undoable = false;
  @state() private cell: Cell | undefined;
  @state() private locked = false;
  @state() private view: View | undefined;
  @state() private explanation: CellExplanation | undefined;
  @state() private table: Picture | undefined;
  @state() private dark = isDark();
  /** Whether the knobs beyond the first three are unfolded; a link that sets one of them unfolds them. */
  @state() private knobsOpen = false;
  /** The picture that is in front where there is room for only one. */
  @state() private front: Picture = 'implicit';
  /** The panels below the pictures, once they are loaded. */
  @state() private later: typeof import('./opening-panels.ts') | undefined;

  @query('.status') private statusLine!: HTMLElement;

  declare protected knobs: Knobs<LabState>;
  private readonly listeners = new Set<() => void>();
  private settling: ReturnType<typeof setTimeout> | undefined;
  private told = '';
  private readonly undo: (() => void)[] = [];
  private abort: AbortController | undefined;
  private stopped = false;
  private readonly answers = new RecentAnswers<Comparison>(MOST_ENTRIES, entriesOf);
  private readonly explanations = new RecentAnswers<CellExplanation>(MOST_CELLS);
  private speakTimer: ReturnType<typeof setTimeout> | undefined;
  private explaining = false;
  private explained = '';

  constructor() {
    super();
    const lab = this;
    this.labData = {
      get caption() {
        const { shown } = lab;
        if (!shown) return '';
        const seed = shown.state.input === 'own' ? '' : strings.lab.caption.seed(shown.state.seed);
        return [lab.dataCaption(shown), seed].filter((part) => part !== '').join(', ');
      },
      get seed() {
        return lab.values.seed;
      },
      get causal() {
        return lab.values.causal;
      },
      get scale() {
        return lab.values.scale ? undefined : 1;
      },
      inputs: async ({ signal }: Ask) => {
        const found = await lab.inputs(lab.values, signal);
        return found && { qkv: found.qkv, tokens: found.tokens };
      },
      onChange: (listener) => {
        lab.listeners.add(listener);
        return () => lab.listeners.delete(listener);
      },
    };
  }

  /** The figure has no shadow root, so the page's type and colours apply; only its parts have shadow roots. */
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.moving) return;
    this.tools ??= createTools('feature-maps');
    this.store ??= new UrlStore(urlHistory(), location.search);
    this.knobs = this.store.knobs('', table, {
      ...(this.place?.values ? { values: this.place.values } : {}),
      start,
      onChange: () => {
        this.endTry();
        this.notices = this.read();
        this.status = '';
        this.undoable = false;
        this.refresh();
      },
    });
    this.notices = this.read();
    this.undo.push(
      () => this.knobs.dispose(),
      onThemeChange(() => {
        this.dark = isDark();
      }),
    );
    // A link that holds a cell asks how the cell was computed, so the panels are loaded at once.
    if (this.cell) this.loadLater();
    else this.undo.push(onFirstMove(() => this.loadLater()));
    void this.start();
  }

  /** A tall window shows the panels below the pictures without any move, so they are loaded at once. */
  private async watchBelow(): Promise<void> {
    // The placeholder stands where the pictures will be.
    await this.updateComplete;
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        this.loadLater();
      },
      { rootMargin: '0px 0px -96px' },
    );
    const below = this.querySelector('.below');
    if (below) watch.observe(below);
    this.undo.push(() => watch.disconnect());
  }

  private loadLater(): void {
    import('./opening-panels.ts').then(
      (later) => {
        this.later = later;
      },
      () => {
        // The next move tries again: the network may be back by then.
        this.undo.push(onFirstMove(() => this.loadLater()));
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.moving) return;
    for (const stop of this.undo.splice(0)) stop();
    clearTimeout(this.speakTimer);
    clearTimeout(this.settling);
    this.abort?.abort();
  }

  private get client(): Client | undefined {
    return this.tools?.client;
  }

  /** Reads the link and reports the values that could not be used. */
  private read(): string[] {
    this.values = this.knobs.values;
    this.knobsOpen ||= FOLDED.some((name) => this.values[name] !== this.knobs.defaults[name]);
    const { query, key } = this.values;
    this.cell = query > 0 && key > 0 ? { row: query - 1, col: key - 1 } : undefined;
    this.locked = this.cell !== undefined;
    const known = this.maps.length > 0 ? this.unknownMap() : [];
    return [...this.knobs.problems, ...known];
  }

  private unknownMap(): string[] {
    const { map } = this.values;
    if (this.maps.some(({ id }) => id === map)) return [];
    this.values = { ...this.values, map: this.knobs.defaults.map, parameters: '' };
    return [strings.lab.unknownMap(map)];
  }

  private async start(): Promise<void> {
    const { client } = this;
    if (!client) return;
    try {
      const [maps] = await Promise.all([
        featureMapsOf(client),
        this.restoreMatrices(),
        this.store?.ready,
      ]);
      this.maps = inLanguage(maps);
      this.notices = [...this.notices, ...this.unknownMap()];
      this.refresh();
    } catch (error) {
      if (error instanceof CancelledError) return;
      this.loadFailure = await problemText(error);
    }
  }

  private async restoreMatrices(): Promise<void> {
    const packed = new URLSearchParams(location.hash.slice(1)).get('m');
    if (packed) {
      const { own, problem } = await (await ownWork()).ownOfLink(packed);
      if (own) {
        this.own = own;
        this.ownId = this.values.own;
        return;
      }
      this.notices = [...this.notices, problem];
    }
    if (this.values.input === 'own') await this.loadOwn();
  }

  /** The id of the matrices in `own`, as the address has it; undefined before they were first wanted. */
  private ownId: string | undefined;
  private ownLoading: Promise<void> = Promise.resolve();

  /** Reads the matrices that the address names, or else those that an earlier visit kept, when they are wanted. */
  private loadOwn(): Promise<void> {
    const { own: id } = this.values;
    if (this.ownId !== id) {
      const first = this.ownId === undefined;
      this.ownId = id;
      this.ownLoading = this.readOwn(id, first);
    }
    return this.ownLoading;
  }

  private async readOwn(id: string, first: boolean): Promise<void> {
    const turn = this.ownTurn;
    const { keptOwn, lost } = await ownWork();
    const kept = await keptOwn(id);
    if (!kept) this.notices = [...this.notices, lost()];
    // A matrix that was dropped meanwhile is newer and stays.
    this.own = first || turn !== this.ownTurn ? { ...kept, ...this.own } : (kept ?? {});
    this.ownTurn++;
  }

  // ---- state ----

  private keep(patch: Partial<LabState>, options: { draft?: boolean } = {}): void {
    // What is shown during a try becomes the reader's own.
    this.endTry();
    const refused = this.knobs.set({ ...this.values, ...patch }, options);
    this.values = this.knobs.values;
    if (refused.length > 0) this.refuse(refused);
  }

  protected override refuse(keys: readonly string[]): void {
    this.status = figureWords.fixed(keys);
  }

  /** Sets knobs, as the reader does. `draft` says that the gesture goes on. */
  set(patch: Partial<LabState>, options?: { readonly draft?: boolean }): void {
    this.status = '';
    this.undoable = false;
    this.keep(patch, options);
    this.refresh();
  }

  /** A size, for the numbers in the prose; undefined for any other knob, and where the data has no such size. */
  numberKnob(name: string): NumberKnob | undefined {
    const size = SIZES.find((one) => one === name);
    const { input } = this.values;
    if (!size || input === 'own' || (size === 'n' && input !== 'gaussian')) return undefined;
    return {
      value: this.values[size],
      ...{ min: table[size].min, max: table[size].max, step: 1, log: true },
      locked: this.knobs.fixed(size),
    };
  }

  private forgetCell(): void {
    this.cell = undefined;
    this.locked = false;
    this.view = undefined;
  }

  protected override beforeTry(): void {
    this.querySelector('attn-seed')?.forget();
    this.status = '';
    this.undoable = false;
  }

  protected override onValues(): void {
    this.forgetCell();
    if (this.trying) this.values = this.trying.set;
    else this.notices = this.read();
    this.refresh();
  }

  private reset = (): void => {
    this.querySelector('attn-seed')?.forget();
    this.forgetCell();
    this.set(this.knobs.defaults);
    this.status = strings.lab.resetDone;
    this.undoable = true;
  };

  private get map(): FeatureMapInfo | undefined {
    return this.maps.find(({ id }) => id === this.values.map);
  }

  private parameters(state: LabState, map: FeatureMapInfo | undefined): Record<string, number> {
    return map ? parametersOf(state.parameters, map) : {};
  }

  // ---- asking the core ----

  protected override refresh(): void {
    this.tellKnobs();
    super.refresh();
  }

  protected override get answered(): boolean {
    return this.shown !== undefined;
  }

  protected override ask(): Promise<void> {
    return this.answer(this.values);
  }

  private async answer(state: LabState): Promise<void> {
    const { client } = this;
    if (!client || this.maps.length === 0) return;
    const abort = new AbortController();
    this.abort = abort;
    this.stopped = false;
    const slow = setTimeout(() => {
      this.progress = 0;
      this.busy = true;
    }, PATIENCE_MS);
    const { signal } = abort;
    try {
      await withKept(async () => {
        const inputs = await this.inputs(state, signal, 'input');
        if (!inputs) return;
        const map = this.maps.find(({ id }) => id === state.map);
        const input: OrKept<CompareOptions> = {
          ...inputs.qkv,
          featureMap: {
            id: state.map,
            parameters: this.parameters(state, map),
            seed: state.seed,
          },
          mask: { kind: state.causal ? 'causal' : 'full' },
          ...(state.scale ? {} : { scale: 1 }),
        };
        const comparison = await this.answers.of(input, () =>
          client.compareToSoftmax(input, {
            key: 'compare',
            signal,
            onProgress: (fraction) => {
              this.progress = fraction;
            },
          }),
        );
        this.show({ state, input, tokens: inputs.tokens, comparison, map });
        this.problem = undefined;
      });
    } catch (error) {
      await this.fail(error, state, abort);
    } finally {
      clearTimeout(slow);
      this.busy = false;
    }
  }

  private async fail(error: unknown, state: LabState, abort: AbortController): Promise<void> {
    if (error instanceof SupersededError) return;
    if (error instanceof CancelledError) {
      if (this.stopped) this.status = strings.lab.stopped;
      return;
    }
    if (!(error instanceof CoreError)) throw error;
    const words = await problemText(error);
    // The knobs may have moved while the words were fetched.
    if (abort !== this.abort) return;
    if (error.code === 'load') {
      this.loadFailure = words;
      return;
    }
    const { argument } = error;
    const trap = error.code === 'trap' || error.code === 'gone';
    const letter = LETTERS.find((name) => name === argument.toLowerCase());
    const at = trap
      ? 'figure'
      : letter
        ? state.input === 'own'
          ? letter
          : 'figure'
        : argument.startsWith('featureMap') || this.map?.parameters.some((p) => p.name === argument)
          ? 'map'
          : argument in { text: 0, n: 0, dK: 0, dV: 0, seed: 0, scale: 0 }
            ? argument
            : argument === 'maxTokens'
              ? 'text'
              : 'figure';
    // A control that is folded away could not show its error, so the knobs are unfolded.
    if (at !== 'figure') this.knobsOpen = true;
    this.problem = {
      at,
      ofCore: trap,
      message: trap ? strings.lab.coreFailed : sentence(words),
    };
  }

  /** @param queue a newer question with the same name takes this one's place */
  private async inputs(state: LabState, signal: AbortSignal, queue?: string) {
    const { client } = this;
    if (!client) return undefined;
    if (state.input === 'own') {
      await this.loadOwn();
      const { q, k, v } = this.own;
      const tall = LETTERS.find((name) => (this.own[name]?.matrix.rows ?? 0) > MAX_ROWS);
      if (tall) {
        const rows = this.own[tall]?.matrix.rows ?? 0;
        this.problem = { at: tall, message: strings.lab.tooLarge(rows, MAX_ROWS) };
        return undefined;
      }
      if (!q || !k || !v) {
        this.problem = undefined;
        return undefined;
      }
      const qkv = await keptOwn(client, { q: q.matrix, k: k.matrix, v: v.matrix }, { signal });
      return { qkv, tokens: undefined };
    }
    const { text, n, dK, dV, seed } = state;
    const call = { signal, ...(queue === undefined ? {} : { key: queue }) };
    if (state.input === 'text') {
      const asked = { text, dK, dV, seed, maxTokens: table.n.max };
      const { tokens, ...qkv } = await keptText(client, asked, call);
      return { qkv, tokens };
    }
    return { qkv: await keptGaussian(client, { n, dK, dV, seed }, call), tokens: undefined };
  }

  private show(shown: Shown): void {
    const before = this.shown?.comparison.softmax;
    const { softmax } = shown.comparison;
    if (before && (before.rows !== softmax.rows || before.cols !== softmax.cols)) {
      this.view = undefined;
    }
    if (this.cell && (this.cell.row >= softmax.rows || this.cell.col >= softmax.cols)) {
      this.cell = undefined;
      this.locked = false;
    }
    if (!this.shown) void this.watchBelow();
    this.shown = shown;
    this.announce(shown.comparison);
    void this.explain();
    this.tell();
  }

  /** Once the knobs rest, the figures that use the same data are told that it has changed. */
  private tell(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const { input, text, n, dK, dV, seed, scale, causal } = this.values;
      const { q, k, v } = this.own;
      const now = JSON.stringify([
        ...[input, seed, scale, causal],
        ...(input === 'own' ? [q, k, v].map((one) => one?.name) : [dK, dV]),
        ...(input === 'text' ? [text] : input === 'gaussian' ? [n] : [this.ownTurn]),
      ]);
      if (now === this.told) return;
      this.told = now;
      for (const listener of this.listeners) listener();
    }, SETTLE_MS);
  }

  private ownTurn = 0;
  /** Whose newest file could not be read. */
  @state() private refused: readonly Letter[] = [];

  /** Once the knobs rest: a reader who cannot see the pictures hears what became of them. */
  private announce(comparison: Comparison): void {
    clearTimeout(this.speakTimer);
    this.speakTimer = setTimeout(() => {
      this.spoken = strings.comparison.spoken(
        formatTick(comparison.mse),
        formatTick(comparison.correlation),
        comparison.negativeWeights,
      );
    }, SPEAK_AFTER_MS);
  }

  /** The cell under the cursor, or else the cell of the largest difference. */
  private get explainedCell(): Cell | undefined {
    const c = this.shown?.comparison;
    return this.cell ?? (c && { row: c.maxDifferenceRow, col: c.maxDifferenceCol });
  }

  private async explain(): Promise<void> {
    if (this.explaining) return;
    this.explaining = true;
    try {
      for (;;) {
        const { shown, client, explainedCell: cell } = this;
        if (!shown || !client || !cell) return;
        const asked = `${cell.row},${cell.col}`;
        const input = { ...shown.input, query: cell.row, key: cell.col };
        const explanation = await this.explanations.of(input, () =>
          client.explainCell(input, { key: 'explain' }),
        );
        const now = this.explainedCell;
        if (this.shown !== shown || !now || `${now.row},${now.col}` !== asked) continue;
        this.explanation = explanation;
        this.explained = asked;
        return;
      }
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      this.explanation = undefined;
      // The core was restarted: the pictures are asked for again, and then the cell.
      if (error.code === 'gone') this.refresh();
    } finally {
      this.explaining = false;
    }
  }

  // ---- the figure ----

  private onCell = (event: CustomEvent<CellEventDetail>): void => {
    const { cell, locked, settled } = event.detail;
    this.cell = cell;
    this.locked = locked;
    // A cell is no knob: it does not make a try the reader's own.
    if (settled && !this.trying) {
      const held = locked && cell;
      this.keep({ query: held ? cell.row + 1 : 0, key: held ? cell.col + 1 : 0 }, { draft: true });
    }
    const wanted = this.explainedCell;
    if (wanted && `${wanted.row},${wanted.col}` !== this.explained) void this.explain();
  };

  private visible = (row: number): number => {
    const { shown } = this;
    const cols = shown?.comparison.softmax.cols ?? 0;
    return shown?.state.causal ? Math.min(cols, row + 1) : cols;
  };

  private onAction(picture: Picture, action: FigureAction): void {
    switch (action) {
      case 'table':
        void import('../../src/components/matrix-table/matrix-table.ts');
        this.table = this.table === picture ? undefined : picture;
        break;
      case 'arcs':
        this.keep({ arcs: !this.values.arcs });
        break;
      case 'csv':
      case 'json':
      case 'svg':
      case 'png':
        void this.save(picture, action);
        break;
      case 'link':
        void this.copyLink();
        break;
    }
  }

  private async save(picture: Picture, kind: 'csv' | 'json' | 'svg' | 'png'): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const caption = this.caption();
    const { saveCsv, saveJson, savePng, saveSvg } = await files();
    this.status = await { csv: saveCsv, json: saveJson, png: savePng, svg: saveSvg }[kind]({
      picture,
      settings: { ...shown.state },
      name: `attention-labs-${shown.state.map}-${picture}-seed-${shown.state.seed}.${kind}`,
      matrix: shown.comparison[picture],
      scale: this.scales(shown)[picture === 'difference' ? 'difference' : 'weights'],
      visible: this.visible,
      view: this.view,
      labels: shown.tokens,
      arcs: this.values.arcs,
      heading: this.titleOf(picture),
      subtitle: this.subtitle(picture, shown),
      dark: this.dark,
      caption,
    });
  }

  private async copyLink(): Promise<void> {
    const { copyLink } = await files();
    const { status, refused } = await copyLink(this.values.input === 'own' ? this.own : {});
    this.status = status;
    this.linkToShow = refused ?? '';
    if (!refused) return;
    await this.updateComplete;
    this.statusLine.parentElement?.querySelector('input')?.select();
  }

  private titleOf(picture: Picture): string {
    const { lab } = strings;
    return {
      softmax: lab.softmaxTitle,
      implicit: lab.implicitTitle,
      difference: lab.differenceTitle,
    }[picture];
  }

  private subtitle(picture: Picture, shown: Shown | undefined): string {
    const { lab } = strings;
    if (picture === 'softmax') return lab.softmaxSub;
    if (picture === 'difference') return lab.differenceSub;
    return shown
      ? lab.implicitSub(shown.map?.label ?? shown.state.map, shown.comparison.featureDimension)
      : '';
  }

  /** The caption: every parameter of the picture, including the seed. */
  private caption(): string {
    const { shown } = this;
    if (!shown) return '';
    const { state, comparison, input, map } = shown;
    const words = strings.lab.caption;
    const { rows, cols } = comparison.softmax;
    const own = state.input === 'own';
    const parameters = (map?.parameters ?? [])
      .map(({ name, label }) => `${label} ${formatTick(input.featureMap.parameters?.[name] ?? 0)}`)
      .join(', ');
    const parts = [
      this.dataCaption(shown),
      own ? words.shape(rows, cols) : '',
      own && !map?.random ? '' : words.seed(state.seed),
      words.map(map?.label ?? state.map, parameters),
      words.dimension(comparison.featureDimension),
      words.scaled(formatTick(comparison.scale)),
      state.causal ? words.causal : words.full,
      state.sqrt ? words.sqrt : '',
    ];
    return `${parts.filter((part) => part !== '').join(', ')}.`;
  }

  private dataCaption({ state, input: { q, k, v } }: Pick<Shown, 'state' | 'input'>): string {
    const words = strings.lab.caption;
    const size = ({ rows, cols }: Size): string => strings.shape(rows, cols);
    if (state.input === 'own') return words.own(size(q), size(k), size(v));
    const what = state.input === 'text' ? words.text(q.rows) : words.gaussian(q.rows);
    return [what, words.dK(q.cols), words.dV(v.cols)].join(', ');
  }

  private scales({ comparison, state }: Shown) {
    const tone = this.values.sqrt && state ? 'sqrt' : 'linear';
    return {
      weights: sharedScale([comparison.softmaxRange, comparison.implicitRange], tone),
      difference: differenceScale(comparison.maxDifference, tone),
    } as const;
  }

  private lastScales:
    | { for: string; of: Comparison; value: ReturnType<AttnFeatureMapsLab['scales']> }
    | undefined;

  /** The same object as long as nothing changed, so that nothing is redrawn. */
  private steadyScales(shown: Shown) {
    const key = String(this.values.sqrt);
    if (this.lastScales?.of !== shown.comparison || this.lastScales.for !== key) {
      this.lastScales = { for: key, of: shown.comparison, value: this.scales(shown) };
    }
    return this.lastScales.value;
  }

  // ---- own matrices ----

  private async onMatrix(letter: Letter, value: NamedMatrix | undefined): Promise<void> {
    const { [letter]: _, ...rest } = this.own;
    this.own = value ? { ...rest, [letter]: value } : rest;
    this.ownTurn++;
    // The visitor has replaced the matrices of the link, so the matrices are taken out of the link.
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search);
    this.refresh();
    await this.loadOwn();
    const { idOfOwn, keepOwn } = await ownWork();
    const { own } = this;
    const id = idOfOwn(own);
    this.ownId = id;
    this.keep({ own: id });
    this.ownProblem = await keepOwn(id, own);
  }

  private async saveMatrix(letter: Letter): Promise<void> {
    const value = this.own[letter];
    if (value) this.status = await (await files()).saveMatrix(letter, value.matrix);
  }

  // ---- what is shown ----

  private knob(name: keyof LabState, content: (disabled: boolean) => unknown): unknown {
    if (this.knobs.hidden(name)) return nothing;
    return html`<div class="knob ${this.changed(name) ? 'changed' : ''}" data-knob=${name}>
      ${content(this.knobs.locked(name))}${this.knobs.locked(name) ? lockedNote() : nothing}
    </div>`;
  }

  /** The knobs that unfold: those that there are for this data and map, and that the link does not hide. */
  private get folded(): readonly (keyof LabState)[] {
    const { input } = this.values;
    const there = {
      parameters: (this.map?.parameters.length ?? 0) > 0,
      dK: input !== 'own',
      dV: input !== 'own',
      seed: this.seedMatters,
    };
    return FOLDED.filter(
      (name) => !this.knobs.hidden(name) && (there[name as keyof typeof there] ?? true),
    );
  }

  private get seedMatters(): boolean {
    return this.values.input !== 'own' || this.map?.random === true;
  }

  private renderMore(): unknown {
    const { folded } = this;
    if (folded.length === 0) return nothing;
    const changed = folded.filter((name) => this.changed(name)).length;
    return html`<button
      class="plain more-knobs"
      type="button"
      aria-expanded=${String(this.knobsOpen)}
      aria-controls="more-knobs"
      @click=${() => {
        this.knobsOpen = !this.knobsOpen;
      }}
    >
      ${this.knobsOpen ? figureWords.fewer : figureWords.more(folded.length, changed)}
    </button>`;
  }

  /** Which try is on, and what it changes. */
  private renderTrying(): unknown {
    const { trying } = this;
    if (!trying) return nothing;
    const own = this.knobs.values;
    const words = strings.lab;
    const named = (id: string): string => this.maps.find((map) => map.id === id)?.label ?? id;
    const said = (value: boolean): string => (value ? figureWords.on : figureWords.off);
    const one = <K extends keyof LabState>(
      name: K,
      label: unknown,
      say: (value: LabState[K]) => unknown,
    ): unknown =>
      this.changed(name)
        ? html` · ${label} ${say(own[name])} → <b>${say(trying.set[name])}</b>`
        : nothing;
    return html`<p class="trying">
      <span class="tried"
        >${figureWords.trying}: <strong lang=${this.tools?.lang ?? nothing}>${prose(trying.title)}</strong>
        ${one('map', 'φ', named)} ${one('input', words.input, (value) => words.inputs[value])}
        ${trying.set.input === 'gaussian' ? one('n', html`<span class="symbol">n</span>`, formatTick) : nothing}
        ${one('dK', html`<span class="symbol">d<sub>k</sub></span>`, formatTick)}
        ${one('dV', html`<span class="symbol">d<sub>v</sub></span>`, formatTick)}
        ${one('scale', rich(words.scale), said)} ${one('causal', rich(words.causal), said)}
        ${one('sqrt', rich(words.sqrt), said)}</span
      >
      <button class="plain" type="button" @click=${() => this.leaveTry()}>${figureWords.mine}</button>
    </p>`;
  }

  private errorFor(at: string): string {
    return this.problem?.at === at ? this.problem.message : '';
  }

  private slider(
    name: (typeof SIZES)[number] | 'seed',
    options: { symbol?: string; label: string },
  ) {
    return this.knob(
      name,
      (disabled) => html`<attn-slider
        .symbol=${options.symbol ?? ''}
        .label=${options.label}
        .min=${table[name].min}
        .max=${table[name].max}
        ?log=${name !== 'seed'}
        .value=${this.values[name]}
        .error=${this.errorFor(name)}
        ?disabled=${disabled}
        @attn-input=${(event: CustomEvent<number>) =>
          this.set({ [name]: event.detail }, { draft: true })}
        @attn-change=${(event: CustomEvent<number>) => this.set({ [name]: event.detail })}
      ></attn-slider>`,
    );
  }

  private checkbox(name: 'scale' | 'causal' | 'sqrt', label: string, note: string) {
    return this.knob(
      name,
      (disabled) => html`<label class="switch">
        <input
          type="checkbox"
          role="switch"
          .checked=${live(this.values[name])}
          ?disabled=${disabled}
          @change=${(event: Event) =>
            this.set({ [name]: (event.target as HTMLInputElement).checked })}
        />
        <span>${rich(label)}<small>${rich(note)}</small></span>
      </label>`,
    );
  }

  private error(at: string) {
    const message = this.errorFor(at);
    return message ? html`<p class="error" role="alert" id="error-${at}">${message}</p>` : nothing;
  }

  private renderMapKnobs() {
    const words = strings.lab;
    const { map } = this;
    return html`<div class="about-map">
      ${
        map
          ? html`<div class="phi">
                <span>${this.later?.formula(map.id) ?? ''}</span>
                <span class="sign" title=${words.positivity[map.positivity]}
                  >${words.sign[map.positivity]}</span
                >
              </div>
              <p class="fine" lang=${langOfMap(map.id) ?? nothing}>${rich(map.note)}</p>`
          : nothing
      }
      ${this.error('map')}
    </div>`;
  }

  private renderParameters(): unknown {
    const { map } = this;
    if (!map || map.parameters.length === 0) return nothing;
    return html`<div class="knob-group">
      ${this.knob('parameters', (disabled) =>
        parameterKnobs({
          map,
          printed: this.values.parameters,
          disabled,
          change: (parameters, draft) => this.set({ parameters }, { draft }),
        }),
      )}
    </div>`;
  }

  private renderSentence(disabled: boolean) {
    const words = strings.lab;
    const onText = (event: Event, draft: boolean): void => {
      const { value } = event.target as HTMLTextAreaElement;
      if (value.length > table.text.maxLength) {
        this.problem = { at: 'text', message: words.tooLong(value.length, table.text.maxLength) };
      } else this.set({ text: value }, { draft });
    };
    return html`<label class="visually-hidden" for="text">${words.sentence}</label>
      <textarea
        id="text"
        rows="3"
        spellcheck="false"
        .value=${live(this.errorFor('text') ? ((this.querySelector('#text') as HTMLTextAreaElement | null)?.value ?? this.values.text) : this.values.text)}
        ?disabled=${disabled}
        aria-invalid=${this.errorFor('text') ? 'true' : 'false'}
        aria-describedby="text-note ${this.errorFor('text') ? 'error-text' : ''}"
        @input=${(event: Event) => onText(event, true)}
        @change=${(event: Event) => onText(event, false)}
      ></textarea>
      ${this.error('text')}
      <p class="fine" id="text-note">${words.untrained}</p>`;
  }

  private renderInputKnobs() {
    const words = strings.lab;
    const { input } = this.values;
    if (input === 'own') void import('../../src/components/matrix-input/matrix-input.ts');
    const missing = LETTERS.filter((letter) => !this.own[letter]).map((l) => l.toUpperCase());
    return html`<fieldset class="knob-group">
      <legend>${words.input}</legend>
      ${this.knob(
        'input',
        (disabled) => html`<div class="segments">
          ${(['text', 'gaussian', 'own'] as const).map(
            (value) => html`<label
              ><input
                type="radio"
                name="input"
                value=${value}
                .checked=${live(input === value)}
                ?disabled=${disabled}
                @change=${() => {
                  this.refused = [];
                  this.set({ input: value, query: 0, key: 0 });
                }}
              /><span>${words.inputs[value]}</span></label
            >`,
          )}
        </div>`,
      )}
      ${
        input === 'text'
          ? this.knob('text', (disabled) => this.renderSentence(disabled))
          : input === 'gaussian'
            ? html`${this.slider('n', { symbol: 'n', label: words.n })}
                <p class="fine">${words.gaussianNote}</p>`
            : html`${LETTERS.map(
                (letter) => html`<attn-matrix-input
                    .letter=${letter.toUpperCase()}
                    .meaning=${words.letters[letter]}
                    .value=${this.own[letter]}
                    .error=${this.errorFor(letter)}
                    @attn-matrix=${(event: CustomEvent<NamedMatrix | undefined>) =>
                      this.onMatrix(letter, event.detail)}
                    @attn-matrix-refused=${(event: CustomEvent<boolean>) => {
                      const others = this.refused.filter((one) => one !== letter);
                      this.refused = event.detail ? [...others, letter] : others;
                    }}
                    @attn-matrix-save=${() => this.saveMatrix(letter)}
                  ></attn-matrix-input>`,
              )}
                <p class="fine">
                  ${missing.length > 0 ? html`<strong>${words.ownMissing(missing)}</strong> ` : nothing}
                  ${rich(words.ownNote)}
                </p>
                <p class="fine" role="status"><strong>${this.ownProblem}</strong></p>`
      }
    </fieldset>`;
  }

  private renderKnobs() {
    const words = strings.lab;
    const own = this.values.input === 'own';
    const { seedMatters } = this;
    return html`<section class="knobs" aria-label=${words.controls}>
      <div class="knob-panel" id="knob-panel">
        <div class="knob-group map-choice">
          ${this.knob(
            'map',
            (disabled) => html`<div class="choice">
              <label for="map">${words.featureMap}</label>
              <select
                id="map"
                ?disabled=${this.maps.length === 0 || disabled}
                aria-invalid=${this.errorFor('map') ? 'true' : 'false'}
                @change=${(event: Event) =>
                  this.set({ map: (event.target as HTMLSelectElement).value, parameters: '' })}
              >
                ${
                  this.maps.length === 0
                    ? html`<option>…</option>`
                    : this.maps.map(
                        ({ id, label }) =>
                          html`<option value=${id} .selected=${live(id === this.values.map)}>${label}</option>`,
                      )
                }
              </select>
            </div>`,
          )}
          ${this.renderMapKnobs()}
        </div>
        ${this.renderInputKnobs()} ${this.renderMore()}
        <div class="knob-more" id="more-knobs" ?hidden=${!this.knobsOpen}>
        ${this.renderParameters()}
        <div class="knob-group" ?hidden=${own && !seedMatters}>
          ${
            own
              ? nothing
              : html`${this.slider('dK', { symbol: 'd_k', label: words.dK })}
                ${this.slider('dV', { symbol: 'd_v', label: words.dV })}`
          }
          ${
            seedMatters
              ? this.knob(
                  'seed',
                  (disabled) => html`<attn-seed
                    .value=${this.values.seed}
                    .max=${table.seed.max}
                    .error=${this.errorFor('seed')}
                    ?disabled=${disabled}
                    @attn-change=${({ detail }: CustomEvent<number>) => this.set({ seed: detail })}
                  ></attn-seed>`,
                )
              : nothing
          }
        </div>
        <div class="knob-group">
          ${this.checkbox('scale', words.scale, words.scaleNote)}
          ${this.checkbox('causal', words.causal, words.causalNote)}
          ${this.checkbox('sqrt', words.sqrt, words.sqrtNote)} ${this.error('scale')}
        </div>
        </div>
        <button class="button reset" type="button" @click=${this.reset}>${words.reset}</button>
      </div>
    </section>`;
  }

  /** A matrix was refused, so that the pictures are not those of what the visitor gave last. */
  private get stillBefore(): boolean {
    const wrong = this.refused.length > 0 || LETTERS.some((letter) => this.errorFor(letter));
    return this.shown !== undefined && this.values.input === 'own' && wrong;
  }

  private renderFigure() {
    const { shown } = this;
    const scales = shown && this.steadyScales(shown);
    const dim = this.busy || (this.values.input === 'own' && shown?.state.input !== 'own');
    return html`<figure class="trio" id="figure" tabindex="-1">
      <div class="stage-head">${this.renderFlip()} ${this.renderTrying()}</div>
      <div class="pictures">
        ${PICTURES.map(
          (picture) => html`<attn-heatmap
            class=${picture === this.front ? 'front' : ''}
            .matrix=${shown?.comparison[picture]}
            .scale=${picture === 'difference' ? scales?.difference : scales?.weights}
            .visible=${this.visible}
            .rowLabels=${shown?.tokens}
            .colLabels=${shown?.tokens}
            .cell=${this.cell}
            .locked=${this.locked}
            .view=${this.view}
            .dark=${this.dark}
            .heading=${this.titleOf(picture)}
            .subtitle=${this.subtitle(picture, shown)}
            .quantity=${picture === 'difference' ? strings.heatmap.difference : strings.heatmap.weight}
            .waiting=${this.maps.length > 0 ? strings.lab.nothingYet : strings.heatmap.waiting}
            .tableOpen=${this.table === picture}
            .form=${this.values.arcs ? 'arcs' : 'cells'}
            files
            ?tokens=${shown ? shown.tokens !== undefined : this.values.input === 'text'}
            ?busy=${dim}
            @attn-action=${(event: CustomEvent<FigureAction>) => this.onAction(picture, event.detail)}
          ></attn-heatmap>`,
        )}
      </div>
      ${
        this.stillBefore
          ? html`<p class="notice still-before" role="status">${strings.lab.stillBefore}</p>`
          : nothing
      }
      ${this.renderExplanation()}
      <figcaption>${rich(this.caption())}</figcaption>
    </figure>`;
  }

  /** Where there is room for one picture only, these put another in its place. */
  private renderFlip(): unknown {
    return html`<fieldset class="flip">
      <legend class="visually-hidden">${strings.lab.figures}</legend>
      <div class="segments">
        ${PICTURES.map(
          (picture) => html`<label
            ><input
              type="radio"
              name="front"
              value=${picture}
              .checked=${live(picture === this.front)}
              @change=${() => {
                this.front = picture;
              }}
            /><span>${this.titleOf(picture)}</span></label
          >`,
        )}
      </div>
    </fieldset>`;
  }

  /** How the cell under the cursor came about, directly below the pictures that show it. */
  private renderExplanation(): unknown {
    const { shown, explanation, later } = this;
    return html`<div class="explained ${later ? '' : 'waiting'}">
      ${later?.explanation({
        explanation,
        labels: shown?.tokens,
        map: shown?.map?.label ?? '',
        chosen: this.cell !== undefined,
      })}
    </div>`;
  }

  private renderMessages() {
    return messages({
      notices: this.notices,
      dismiss: (notice) => {
        this.notices = this.notices.filter((other) => other !== notice);
      },
      loadFailure: this.loadFailure,
      error: this.error('figure'),
      restart: this.problem?.ofCore ? this.restartCore : undefined,
    });
  }

  /** What is under way is asked again by itself, see `withKept`. */
  private readonly restartCore = (): void => {
    this.client?.restart();
    this.refresh();
  };

  private renderProgress() {
    return progressLine({
      id: 'progress',
      busy: this.busy,
      progress: this.progress,
      stop: () => {
        this.stopped = true;
        this.abort?.abort();
      },
      restart: this.restartCore,
      status: this.status,
      undoable: this.undoable,
      link: this.linkToShow,
    });
  }

  private renderBelow() {
    const { shown, table, later } = this;
    return html`${
      table && shown
        ? later?.table({
            labels: shown.tokens,
            matrix: shown.comparison[table],
            heading: this.titleOf(table),
            cell: this.cell,
            visible: this.visible,
            close: () => {
              this.table = undefined;
            },
          })
        : nothing
    }
      <div class="below ${later ? '' : 'waiting'}">
        ${later?.comparison(shown?.comparison)}
      </div>`;
  }

  override render() {
    return html`<div class="bench">
        ${this.renderKnobs()}
        <div
          class="stage"
          role="region"
          aria-label=${strings.lab.figures}
          @attn-cell=${this.onCell}
          @attn-view=${(event: CustomEvent<View | undefined>) => {
            this.view = event.detail;
          }}
        >
          ${this.renderMessages()} ${this.renderFigure()} ${this.renderProgress()}
          ${this.renderBelow()}
        </div>
      </div>
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-feature-maps-lab': AttnFeatureMapsLab;
  }
}
