/**
 * Makes a picture as small as its place asks. A view has a greatest height (`max-height` of `.view`, in stage.css); what
 * stands beside the picture keeps its size, and the picture gives way: charts become lower, matrices narrower, and only
 * what is then still too tall is drawn smaller as a whole. Nothing scrolls and nothing is cut.
 */
import type { ReactiveController, ReactiveElement } from 'lit';

/** Matrices are not drawn narrower than this share of their place. */
const NARROWEST = 0.5;
/** Below this share text could no longer be read. */
export const SMALLEST = 0.7;
/** A picture that would have this much more room is fitted again. */
const SLACK = 24;
/** Pictures answer a new size with another height; after as many rounds the last answer stays. */
const MOST_ROUNDS = 6;

/** A chart that can be lower than it would be by itself. */
interface LowChart extends ReactiveElement {
  lower: number;
  readonly mostLower: number;
}
const CHARTS = 'attn-line-chart';
const MATRICES = 'attn-heatmap, [data-square]';

export class Fit implements ReactiveController {
  private readonly watch = new ResizeObserver(() => this.fit());
  private watched: readonly Element[] = [];
  private rounds = 0;
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
  }

  /** A higher window gives a view room without making it higher. */
  private readonly resized = (): void => this.fit();

  hostUpdated(): void {
    const view = this.host.querySelector('.view');
    const picture = view?.querySelector('.picture');
    const now = [view, picture].filter((one) => one instanceof Element);
    if (now.length !== this.watched.length || now.some((one, i) => one !== this.watched[i])) {
      this.watch.disconnect();
      for (const one of now) this.watch.observe(one);
      this.watched = now;
    }
    this.rounds = 0;
    this.fit();
  }

  private fit(): void {
    const view = this.host.querySelector<HTMLElement>('.view');
    const inner = view?.querySelector<HTMLElement>('.view-inner');
    const picture = view?.querySelector<HTMLElement>('.picture');
    if (!view || !inner || !picture || !view.isConnected) return;
    const limit = Number.parseFloat(getComputedStyle(view).maxHeight);
    const width = view.clientWidth;
    const charts = [...picture.querySelectorAll<LowChart>(CHARTS)];
    if (!Number.isFinite(limit) || width === 0) {
      this.within(view);
      this.release(picture, charts);
      return;
    }
    const box = (): number => picture.getBoundingClientRect().height;
    const others = inner.getBoundingClientRect().height - box();
    const room = limit - others;
    const signature = `${width}|${Math.round(limit)}|${Math.round(others)}`;
    if (signature !== this.signature) {
      this.signature = signature;
      this.rounds = 0;
    }
    if (view.dataset.over && box() <= room + 1) this.within(view);
    const small = picture.style.width !== '' || charts.some((chart) => chart.lower > 0);
    const tall = box();
    if (tall <= room + 1 && (!small || tall > room - SLACK)) return;
    if (this.rounds >= MOST_ROUNDS) return;
    this.rounds++;
    // What is too tall is taken from the charts first, in equal parts where they stand below each other.
    const over = tall - room;
    const stacked = new Set(charts.map((chart) => Math.round(chart.getBoundingClientRect().top)))
      .size;
    let rest = over;
    // The other way round, charts get back what they gave only once the picture is as wide as its place.
    const narrowed = picture.style.width !== '';
    if (stacked > 0 && (over > 0 || !narrowed)) {
      for (const chart of charts) {
        const before = chart.lower;
        chart.lower = Math.max(0, Math.min(chart.mostLower, before + over / stacked));
        rest -= ((chart.lower - before) / charts.length) * stacked;
      }
      if (Math.abs(rest - over) > 1) return; // The chart is drawn again, and its new size calls this again.
    }
    const left = this.narrow(picture, width, room);
    // What is too tall at its smallest keeps its height and is not pinned: nothing is cut. Tests refuse it.
    const still = Math.round(left - room);
    if (still > 2) {
      view.dataset.over = String(still);
      view.style.minHeight = `${Math.ceil(others + left)}px`;
    } else this.within(view);
  }

  /** A matrix is as tall as it is wide, so a narrower picture is lower; what is not is drawn smaller as a whole. */
  private narrow(picture: HTMLElement, width: number, room: number): number {
    const at = (wide: number, zoom = 1): number => {
      picture.style.width = wide >= width && zoom === 1 ? '' : `${wide}px`;
      picture.style.zoom = zoom === 1 ? '' : String(zoom);
      return picture.getBoundingClientRect().height;
    };
    const whole = at(width);
    if (whole <= room) return whole;
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
    return at(best.wide, best.tall <= room ? 1 : Math.max(SMALLEST, room / best.tall));
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
