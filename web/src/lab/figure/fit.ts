/**
 * Makes a picture as small as its place asks. A view has a greatest height (`max-height` of `.view`, in stage.css); what
 * stands beside the picture keeps its size, and the picture gives way: charts become lower, matrices narrower, and only
 * what is then still too tall is drawn smaller as a whole. Nothing scrolls and nothing is cut.
 */
import type { ReactiveController, ReactiveElement } from 'lit';
import { boxSeen } from '../../components/box-seen.ts';

/** Matrices are not drawn narrower than this share of their place. */
const NARROWEST = 0.5;
/** Below this share text could no longer be read. */
export const SMALLEST = 0.7;
/** A picture that would have this much more room is fitted again. */
const SLACK = 24;
/** Pictures may answer a new size with another height later; after as many rounds the last answer stays. */
const MOST_ROUNDS = 6;

/** A chart that can be lower than it would be by itself. */
interface LowChart extends ReactiveElement {
  lower: number;
  readonly mostLower: number;
  /** Draws at once what has changed, in the width that it has now: what is measured next is right. */
  drawNow(): void;
}
const CHARTS = 'attn-line-chart';
const MATRICES = 'attn-heatmap, [data-square]';

export class Fit implements ReactiveController {
  private readonly watch = new ResizeObserver(() => {
    // What an update changed is fitted by its own task: a change from here on would be one round too late.
    if (this.soon === 0) this.fit();
  });
  private watched: readonly Element[] = [];
  private rounds = 0;
  private soon = 0;
  private signature = '';

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('resize', this.resized);
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.resized);
    this.watch.disconnect();
    this.watched = [];
    clearTimeout(this.soon);
    this.soon = 0;
  }

  /** A higher window gives a view room without making it higher. */
  private readonly resized = (): void => this.fit();

  hostUpdated(): void {
    const view = this.host.querySelector('.view');
    const picture = view?.querySelector('.picture');
    // A line of words beside the picture may get longer by itself.
    const inner = view?.querySelector('.view-inner');
    const now = [view, inner, picture].filter((one) => one instanceof Element);
    if (now.length !== this.watched.length || now.some((one, i) => one !== this.watched[i])) {
      this.watch.disconnect();
      for (const one of now) this.watch.observe(one);
      this.watched = now;
    }
    this.rounds = 0;
    // In a task of its own, because an answer's task has enough to draw.
    this.soon ||= window.setTimeout(() => {
      this.soon = 0;
      this.fit();
    });
  }

  private fit(): void {
    const view = this.host.querySelector<HTMLElement>('.view');
    const inner = view?.querySelector<HTMLElement>('.view-inner');
    const picture = view?.querySelector<HTMLElement>('.picture');
    if (!view || !inner || !picture || !view.isConnected) return;
    const limit = Number.parseFloat(getComputedStyle(view).maxHeight);
    const width = Math.min(picture.parentElement?.clientWidth ?? 0, view.clientWidth);
    const charts = [...picture.querySelectorAll<LowChart>(CHARTS)].filter(
      (chart) => 'mostLower' in chart,
    );
    if (!Number.isFinite(limit) || width === 0) {
      this.within(view);
      this.release(picture, charts);
      return;
    }
    for (const chart of charts) chart.drawNow();
    const box = (): number => boxSeen(picture).height;
    const others = inner.getBoundingClientRect().height - box();
    const room = limit - others;
    const signature = `${width}|${Math.round(limit)}|${Math.round(others)}`;
    if (signature !== this.signature) {
      this.signature = signature;
      this.rounds = 0;
    }
    const small = picture.style.width !== '' || charts.some((chart) => chart.lower > 0);
    const tall = box();
    // A window that got narrower leaves a picture the width that it was given before.
    const wide = boxSeen(picture).width > width + 1;
    const rests = !wide && tall <= room + 1 && (!small || tall > room - SLACK);
    if (!rests && this.rounds < MOST_ROUNDS) {
      this.rounds++;
      this.narrow(picture, charts, width, room);
    }
    // What is too tall at its smallest keeps its height and is not pinned: nothing is cut. Tests refuse it.
    const over = Math.round(box() - room);
    if (over > 2) {
      view.dataset.over = String(over);
      view.style.minHeight = `${Math.ceil(limit + over)}px`;
    } else this.within(view);
  }

  /**
   * What is too tall is taken from the charts first. A matrix is as tall as it is wide, so a narrower picture is lower;
   * what is not is drawn smaller as a whole, as the legend of a chart, which gets no lower.
   */
  private narrow(
    picture: HTMLElement,
    charts: readonly LowChart[],
    width: number,
    room: number,
  ): void {
    const at = (wide: number, zoom = 1): number => {
      picture.style.width = wide >= width && zoom === 1 ? '' : `${wide}px`;
      picture.style.zoom = zoom === 1 ? '' : String(zoom);
      for (const chart of charts) chart.drawNow();
      return boxSeen(picture).height;
    };
    const whole = this.lowerCharts(charts, at(width) - room, () => at(width) - room) + room;
    if (whole <= room + 1) return;
    let best = { wide: width, tall: whole };
    if (picture.querySelector(MATRICES)) {
      const least = NARROWEST * width;
      let [lastWide, lastTall] = [width, whole];
      let wide = Math.max(least, (width * room) / whole);
      for (let round = 0; round < 3; round++) {
        const tall = at(Math.floor(wide));
        // Words may take more lines in a narrower picture, which then is no lower.
        if (tall < best.tall || (tall <= room && wide > best.wide)) {
          best = { wide: Math.floor(wide), tall };
        }
        if (Math.abs(tall - room) < 2 || wide <= least) break;
        const slope = (lastTall - tall) / (lastWide - wide || 1);
        [lastWide, lastTall] = [wide, tall];
        wide = Math.max(
          least,
          Math.min(width, slope > 0.01 ? wide + (room - tall) / slope : wide - (tall - room)),
        );
      }
    }
    at(best.wide, best.tall <= room ? 1 : Math.max(SMALLEST, room / best.tall));
  }

  /** In equal parts where charts stand below each other. Says what is then still too tall, or how much room is left. */
  private lowerCharts(charts: readonly LowChart[], over: number, measure: () => number): number {
    for (let round = 0; round < 3 && charts.length > 0 && Math.abs(over) > 1; round++) {
      const tops = new Set(charts.map((chart) => Math.round(chart.getBoundingClientRect().top)));
      let changed = false;
      for (const chart of charts) {
        const lower = Math.max(0, Math.min(chart.mostLower, chart.lower + over / tops.size));
        if (Math.abs(lower - chart.lower) < 0.5) continue;
        chart.lower = lower;
        changed = true;
      }
      if (!changed) break;
      over = measure();
    }
    return over;
  }

  private within(view: HTMLElement): void {
    if (view.dataset.over === undefined) return;
    delete view.dataset.over;
    view.style.minHeight = '';
  }

  private release(picture: HTMLElement, charts: readonly LowChart[]): void {
    if (picture.style.width || picture.style.zoom) {
      picture.style.width = '';
      picture.style.zoom = '';
    }
    for (const chart of charts) chart.lower = 0;
    this.signature = '';
  }
}
