import { html, nothing, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { KernelChoice, SupportVectorSurface } from '#client';
import { boxSeen } from '../../../../src/components/box-seen.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, ownKnob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { prose } from '../../../../src/lab/text/prose.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { number, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { words } from '../../words/plane.ts';
import {
  areaColor,
  borderOf,
  colorsOf,
  fromPicture,
  linesOf,
  pointMark,
  SIDE,
  surfaceRectangles,
  type Theme,
  toPicture,
} from './draw-plane.ts';
import {
  gridOf,
  labelsOf,
  MOST_POINTS,
  matrixOf,
  type PlanePoint,
  placesOf,
  pointsFrom,
  pointsOf,
  REACH,
  rowsOf,
  textOf,
  unreadOf,
} from './points.ts';
import { surface } from './surface.ts';

const KERNELS = ['linear', 'polynomial', 'rbf', 'laplacian'] as const;

const table = {
  /** What the picture shows: the support vector machine, or the points' weighted vote. */
  machine: oneOf({ key: 'machine', values: ['vectors', 'votes'], default: 'vectors' }),
  kernel: oneOf({ key: 'kernel', values: KERNELS, default: 'rbf' }),
  c: number({ key: 'C', min: 0.01, max: 1000, default: 10 }),
  gamma: number({ key: 'gamma', min: 0.02, max: 50, default: 1 }),
  pattern: oneOf({
    key: 'pattern',
    values: ['moons', 'xor', 'rings', 'blobs', 'none'],
    default: 'moons',
  }),
  next: oneOf({ key: 'next', values: ['up', 'down'], default: 'up' }),
  /** The reader's own points; none: those of the pattern. */
  points: text({ key: 'points', default: '' }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly points: readonly PlanePoint[];
  /** None while all points have one colour, and where the points vote. */
  readonly machine?: SupportVectorSurface | undefined;
  readonly vote?: Vote;
  /** The points alone, as long as the module that has the machine is on its way. */
  readonly coming?: true;
}

/** What the points say together about every place of the grid, and how many of themselves they get right. */
interface Vote {
  readonly values: Float32Array;
  /** The same at the points themselves. */
  readonly own: Float32Array;
  readonly right: number;
}

const KEYS = ['up', 'down', 'above', 'below', 'line', 'margin', 'kept', 'bounded'] as const;
/** A vote has no margin, and no point is kept rather than another. */
const VOTE_KEYS = 5;
const PATTERN = { n: 24, noise: 0.18 };
/** Pixels along a side. */
const GRID = 90;
/** As far from a point, in units of the picture, a hand still means that point. */
const NEAR = 18;
/** A finger that moved by more pixels has not tapped: it scrolls the page. */
const TAP = 10;
const DOUBLE_TAP_MS = 350;
/** Of a point. */
const WIDTH = 2;
const EMPTY = '-';
/** Of the gap at which the machine is done. */
const TOLERANCE = 1e-3;

const surfaceOf = ({ machine, vote }: Answer): Float32Array | undefined =>
  machine?.predictions.data ?? vote?.values;

/**
 * Points that can be put anywhere, and the decision surface that follows them: the opening of the lab.
 *
 * @element attn-kernel-plane
 */
@customElement('attn-kernel-plane')
export class AttnKernelPlane extends LabFigure<Answer, Table> {
  override readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['kernel', 'c', 'gamma'] as const;

  /** The point that the keyboard is at. */
  @state() private current = 0;
  private dragged: number | undefined;
  /** Where a press began that puts a point there, if it ends there. */
  private pressed: { readonly clientX: number; readonly clientY: number } | undefined;
  /** The point that was touched last, and when. */
  private tapped: { readonly at: number; readonly time: number } | undefined;
  private readonly grid = gridOf(GRID);
  private readonly places = placesOf(this.grid);
  private machineComing: Promise<void> | undefined;
  private machineCame = false;

  override get heading(): string {
    return words.heading;
  }

  private get theme(): Theme {
    return this.dark ? 'dark' : 'light';
  }

  private kernelOf({ kernel, gamma }: StateOf<Table>): KernelChoice {
    if (kernel === 'linear') return { id: 'linear' };
    if (kernel === 'polynomial')
      return { id: 'polynomial', parameters: { gamma, coef0: 1, degree: 3 } };
    return { id: kernel, parameters: { gamma } };
  }

  protected override async compute(values: StateOf<Table>, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const points = await this.pointsNow(values, signal);
    const labels = new Set(points.map(({ label }) => label));
    if (labels.size < 2) return { points };
    if (values.machine === 'votes') {
      return { points, vote: await this.voteOf(points, values.gamma, signal) };
    }
    if (!this.machineIsHere) return { points, coming: true };
    const machine = await client.supportVectorClassification(
      {
        x: matrixOf(points),
        y: labelsOf(points),
        kernel: this.kernelOf(values),
        c: values.c,
        tolerance: TOLERANCE,
        z: this.grid,
        // Enough for any set of this size; a huge C on points that lie on each other stops there.
        maxSteps: 200_000,
      },
      { signal },
    );
    return { points, machine };
  }

  /**
   * The points vote on every place: the mean of their labels, weighted by e^{−γ‖z − xᵢ‖²}. These weights are those of
   * softmax attention, because the score 2γ z·xᵢ − γ‖xᵢ‖² differs from −γ‖z − xᵢ‖² by the same number in a whole row.
   */
  private async voteOf(
    points: readonly PlanePoint[],
    gamma: number,
    signal: AbortSignal,
  ): Promise<Vote> {
    const places = [...this.places, ...points.map(({ x, y }) => [x, y, 1])];
    const { output } = await this.tools.client.attention(
      {
        q: rowsOf(places),
        k: rowsOf(
          points.map(({ x, y }) => [2 * gamma * x, 2 * gamma * y, -gamma * (x * x + y * y)]),
        ),
        v: labelsOf(points),
        scale: 1,
      },
      { signal },
    );
    const own = output.data.subarray(this.grid.rows);
    const right = points.filter(({ label }, i) => label * (own[i] ?? 0) > 0).length;
    return { values: output.data.slice(0, this.grid.rows), own, right };
  }

  /** Whether the module of the core that has the machine is here. */
  private get machineIsHere(): boolean {
    return this.machineCame || this.tools.client.module === 'full';
  }

  /** The points need the smaller module only; the larger one is fetched once they are painted and nothing else is due. */
  protected override show(shown: Shown<StateOf<Table>, Answer>): void {
    super.show(shown);
    if (!shown.result.coming) return;
    // The opening figure of a lab is painted in the frame after the one that draws it.
    requestAnimationFrame(() => requestAnimationFrame(() => void this.whenQuiet()));
  }

  private async whenQuiet(): Promise<void> {
    // It listens to the page's pointers from the start, so it is no import of a module that tests read without a page.
    const { quiet } = await import('../../../../src/lab/page/when-idle.ts');
    await quiet();
    this.fetchMachine();
  }

  private fetchMachine(): void {
    const came = (): void => {
      this.machineCame = true;
      this.refresh();
    };
    // When the module cannot be fetched, the question to the machine fails too, and the figure says why.
    this.machineComing ??= this.tools.client.kernels().then(came, came);
  }

  private async pointsNow(
    { points, pattern, seed: from }: StateOf<Table>,
    signal: AbortSignal,
  ): Promise<readonly PlanePoint[]> {
    if (points === EMPTY || (points === '' && pattern === 'none')) return [];
    if (points !== '') return pointsOf(points);
    const made = await this.tools.client.planePoints(
      { pattern: pattern as 'moons' | 'xor' | 'rings' | 'blobs', ...PATTERN, seed: from },
      { signal },
    );
    return pointsFrom(made.x, made.y);
  }

  protected override unreadable({ points }: StateOf<Table>): readonly string[] {
    return points === EMPTY ? [] : unreadOf(points);
  }

  // ---- moving points ----

  private get points(): readonly PlanePoint[] {
    const { points } = this.values;
    if (points === EMPTY) return [];
    return points === '' ? (this.shown?.result.points ?? []) : pointsOf(points);
  }

  private setPoints(points: readonly PlanePoint[], draft = false): void {
    this.set({ points: textOf(points) || EMPTY }, { draft });
  }

  /** Whether the link fixes the points, or hides them. */
  private get locked(): boolean {
    return !this.offers('points') || (this.knobs?.locked('points') ?? false);
  }

  private placeOf(event: MouseEvent): { x: number; y: number } | undefined {
    const box = boxSeen(event.currentTarget as Element);
    if (box.width === 0) return undefined;
    return {
      x: fromPicture(((event.clientX - box.left) / box.width) * SIDE),
      y: -fromPicture(((event.clientY - box.top) / box.height) * SIDE),
    };
  }

  private nearest(place: { x: number; y: number }): number {
    let [best, at] = [NEAR, -1];
    for (const [i, { x, y }] of this.points.entries()) {
      const far = Math.hypot(toPicture(x) - toPicture(place.x), toPicture(y) - toPicture(place.y));
      if (far < best) [best, at] = [far, i];
    }
    return at;
  }

  private addPoint(place: { x: number; y: number }): void {
    const { points } = this;
    if (points.length >= MOST_POINTS) {
      this.status = words.tooMany(MOST_POINTS);
      return;
    }
    this.current = points.length;
    this.setPoints([...points, { ...place, label: this.values.next === 'up' ? 1 : -1 }]);
  }

  private movePoint(i: number, change: Partial<PlanePoint>, draft = false): void {
    this.setPoints(
      this.points.map((point, at) => (at === i ? { ...point, ...change } : point)),
      draft,
    );
  }

  private removePoint(i: number): void {
    const left = this.points.filter((_, at) => at !== i);
    this.current = Math.max(0, Math.min(i, left.length - 1));
    this.setPoints(left);
  }

  /** Views of this figure draw it too, so what listens is bound to the figure. */
  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || this.locked) return;
    const place = this.placeOf(event);
    if (!place) return;
    event.preventDefault();
    const at = this.nearest(place);
    const picture = event.currentTarget as SVGSVGElement;
    picture.focus({ preventScroll: true });
    if (at < 0) {
      // A finger may be about to scroll the page, which is known only when it is lifted.
      this.pressed = event;
      return;
    }
    // A touch that holds the page sends no double click.
    const again = event.pointerType === 'touch' && this.tapped?.at === at;
    if (again && event.timeStamp - (this.tapped?.time ?? 0) < DOUBLE_TAP_MS) {
      this.tapped = undefined;
      this.removePoint(at);
      return;
    }
    this.tapped = { at, time: event.timeStamp };
    this.current = at;
    this.dragged = at;
    picture.setPointerCapture(event.pointerId);
  };

  private readonly onMove = (event: PointerEvent): void => {
    const place = this.placeOf(event);
    if (this.dragged === undefined || !place) return;
    const within = (value: number): number => Math.max(-REACH, Math.min(REACH, value));
    this.movePoint(this.dragged, { x: within(place.x), y: within(place.y) }, true);
  };

  private readonly onUp = (event: PointerEvent): void => {
    const { dragged, pressed } = this;
    this.forgetPress();
    if (dragged !== undefined) this.setPoints(this.points);
    if (!pressed) return;
    const far = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
    const place = far <= TAP ? this.placeOf(event) : undefined;
    if (place) this.addPoint(place);
  };

  /** The browser took the gesture, to scroll the page: a point that was on its way stays where it is. */
  private readonly onCancel = (): void => {
    if (this.dragged !== undefined) this.setPoints(this.points);
    this.forgetPress();
  };

  private forgetPress(): void {
    this.dragged = undefined;
    this.pressed = undefined;
  }

  /** The page scrolls under a finger that begins on the plane, unless it has a point. */
  private readonly holdPage = {
    handleEvent: (event: TouchEvent): void => {
      if (this.dragged !== undefined && event.cancelable) event.preventDefault();
    },
    passive: false,
  };

  private readonly onDouble = (event: MouseEvent): void => {
    const place = this.placeOf(event);
    const at = place ? this.nearest(place) : -1;
    if (at >= 0 && !this.locked) this.removePoint(at);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || this.locked) return;
    const { points } = this;
    const point = points[this.current];
    const step = event.shiftKey ? 0.02 : 0.1;
    const ways: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    const way = ways[event.key];
    if (way && point) {
      this.movePoint(this.current, { x: point.x + way[0], y: point.y + way[1] });
    } else if (event.key === 'PageDown' || event.key === 'PageUp') {
      const by = event.key === 'PageDown' ? 1 : -1;
      this.current = (this.current + by + points.length) % Math.max(1, points.length);
    } else if (event.key === 'Enter') {
      this.addPoint({ x: 0, y: 0 });
    } else if (event.key.toLowerCase() === 'c' && point) {
      this.movePoint(this.current, { label: point.label > 0 ? -1 : 1 });
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && point) {
      this.removePoint(this.current);
    } else {
      return;
    }
    event.preventDefault();
  };

  // ---- the picture ----

  private stateOf(machine: SupportVectorSurface | undefined, i: number, c: number) {
    const alpha = machine?.alpha.data[i] ?? 0;
    // α is a float32 there, and C a number of JavaScript.
    if (alpha >= Math.fround(c)) return 'bounded';
    return alpha > 0 ? 'free' : 'not';
  }

  private inside({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const surface = surfaceOf(result);
    const lines = surface ? linesOf(surface, this.theme) : '';
    const marks = this.pointsShown(result).map((point, i) => {
      const how = this.stateOf(result.machine, i, values.c);
      return pointMark(point, { kept: how !== 'not', bounded: how === 'bounded' }, this.theme);
    });
    const before = this.ghost && surfaceOf(this.ghost.result);
    return (before ? borderOf(before, this.theme) : '') + lines + marks.join('');
  }

  /** While the core works on a move, the points are already where the hand has them. */
  private pointsShown(result: Answer): readonly PlanePoint[] {
    return this.points.length === result.points.length ? this.points : result.points;
  }

  protected override resultLine({ result }: Shown<StateOf<Table>, Answer>): string {
    const { points, machine, vote } = result;
    if (vote) return words.voted(points.length, vote.right);
    if (result.coming) return words.coming;
    if (points.length === 0) return words.empty;
    if (!machine) return words.needBoth;
    const right = Math.round(machine.accuracy * points.length);
    const kept = words.kept(machine.supportVectors, points.length, machine.bounded, right);
    return machine.converged ? kept : `${kept} ${words.notConverged}`;
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { points, machine, vote },
  }: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    const n = points.length;
    const of = (value: number) => ({ value, text: words.of(value, n) });
    const right = machine ? Math.round(machine.accuracy * n) : vote?.right;
    return [
      ...(machine ? [{ label: words.numbers.kept, ...of(machine.supportVectors) }] : []),
      ...(machine
        ? [{ label: words.numbers.bounded, value: machine.bounded, text: String(machine.bounded) }]
        : []),
      ...(right === undefined ? [] : [{ label: words.numbers.right, ...of(right) }]),
    ];
  }

  protected override renderDetails({
    result: { machine },
  }: Shown<StateOf<Table>, Answer>): unknown {
    return machine
      ? numbers([
          [words.numbers.scale, formatNumber(machine.scaleGamma)],
          [words.numbers.width, formatNumber(1 / WIDTH)],
          [words.numbers.steps, String(machine.steps)],
          [words.numbers.gap, formatNumber(machine.gap)],
        ])
      : nothing;
  }

  /** Another pattern takes the place of the reader's points. */
  override set(patch: Partial<StateOf<Table>>, options: { readonly draft?: boolean } = {}): void {
    super.set('pattern' in patch ? { ...patch, points: '' } : patch, options);
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const { kernel, machine } = this.values;
    const vectors = machine === 'vectors';
    return [
      choice(
        'kernel',
        { label: words.kernel, options: words.kernels, list: false },
        { when: vectors },
      ),
      slider('c', { label: words.c, symbol: 'C', log: true }, { when: vectors }),
      slider(
        'gamma',
        { label: words.gamma, symbol: 'γ', log: true },
        { when: !vectors || kernel !== 'linear' },
      ),
      choice('next', { label: words.next, options: words.nexts }, { placed: true }),
      ownKnob(
        'points',
        {
          label: words.points,
          say: () => '',
          draw: ({ disabled }) => html`<button
            class="button"
            type="button"
            ?disabled=${disabled}
            @click=${() => this.setPoints([])}
          >
            ${words.clear}
          </button>`,
        },
        { placed: true },
      ),
      choice('pattern', { label: words.pattern, options: words.patterns, list: false }),
      choice('machine', { label: words.machine, options: words.machines }),
      seedKnob(),
    ];
  }

  protected override renderBelowKnobs(): unknown {
    return html`<p class="fine">${words.help}</p>`;
  }

  protected override renderWaiting(): unknown {
    return html`<div class="plane" data-square aria-busy="true"></div>`;
  }

  private spokenPoint({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const points = this.pointsShown(result);
    const point = points[this.current];
    if (!point) return words.plane;
    const how = result.vote
      ? words.votes
      : words.states[this.stateOf(result.machine, this.current, values.c)];
    const color = point.label > 0 ? 'up' : 'down';
    const [x, y] = [formatNumber(point.x), formatNumber(point.y)];
    return words.point(this.current + 1, points.length, color, x, y, how);
  }

  /** The plane by itself, for views. */
  private renderPlane(shown: Shown<StateOf<Table>, Answer>): unknown {
    const point = this.pointsShown(shown.result)[this.current];
    return html`<div class="plane" data-square>
        ${surface(surfaceOf(shown.result), GRID, this.theme)}
        <svg
          viewBox="0 0 ${SIDE} ${SIDE}"
          tabindex="0"
          role="application"
          aria-roledescription=${words.plane}
          aria-label=${this.spokenPoint(shown)}
          @pointerdown=${this.onDown}
          @pointermove=${this.onMove}
          @pointerup=${this.onUp}
          @pointercancel=${this.onCancel}
          @touchstart=${this.holdPage}
          @touchmove=${this.holdPage}
          @dblclick=${this.onDouble}
          @keydown=${this.onKey}
        >
          ${unsafeSVG(this.inside(shown))}
          ${
            point
              ? svg`<circle class="cursor" cx=${toPicture(point.x)} cy=${toPicture(-point.y)} r="19" />`
              : nothing
          }
        </svg>
      </div>`;
  }

  protected override pictures() {
    return { plane: (shown: Shown<StateOf<Table>, Answer>) => this.renderPlane(shown) };
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    const colors = colorsOf(this.theme);
    return html`${this.renderPlane(shown)}
      <div class="plane-knobs">${this.placed('next')} ${this.placed('points')}</div>
      <p
        class="plane-key fine"
        aria-hidden="true"
        .style=${`--plane-up:${colors.up};--plane-down:${colors.down};--plane-above:${areaColor(1, this.theme)};--plane-below:${areaColor(-1, this.theme)}`}
      >
        ${KEYS.filter((_, i) => i < VOTE_KEYS || !(shown.result.vote || shown.result.coming)).map(
          (role) => html`<span class="plane-role ${role}">${prose(words.key[role])}</span>`,
        )}
      </p>`;
  }

  protected override caption({ values, result }: Shown<StateOf<Table>, Answer>): string {
    if (result.vote) return words.voteCaption(result.points.length, formatNumber(values.gamma));
    const kernel =
      values.kernel === 'linear'
        ? words.kernels.linear
        : `${words.kernels[values.kernel]}, γ = ${formatNumber(values.gamma)}`;
    return words.caption(
      kernel,
      formatNumber(values.c),
      result.points.length,
      formatNumber(TOLERANCE),
    );
  }

  protected override data({
    result: { points, machine, vote },
  }: Shown<StateOf<Table>, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: points.map(({ x, y, label }, i) => [
        x,
        y,
        label,
        machine?.alpha.data[i] ?? null,
        (machine?.decision.data ?? vote?.own)?.[i] ?? null,
      ]),
    };
  }

  protected override async svg(shown: Shown<StateOf<Table>, Answer>): Promise<string> {
    const { fileOf } = await import('../../../../src/plot/picture-file.ts');
    const values = surfaceOf(shown.result);
    const body = (values ? surfaceRectangles(values, this.theme) : '') + this.inside(shown);
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body, width: SIDE, height: SIDE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-plane': AttnKernelPlane;
  }
}
