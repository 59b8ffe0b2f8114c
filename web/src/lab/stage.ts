/**
 * Keeps the figure that the text speaks of beside the text. Most figures have one place, and the style sheet pins them
 * there. A figure of which another part of the page speaks (the opening, mostly) is lent to that part while the reader
 * is in it. On small screens the figure is above the text, and a handle between them can be moved.
 */
import { html, nothing, render } from 'lit';
import { windowBottom } from '../embed/window.ts';
import { journal } from '../state/journal.ts';
import type { AttnLoadWhenNear } from './load-when-near.ts';
import type { Figure } from './open-lab.ts';
import { shellWords } from './words/index.ts';

// ---- lending ----

interface Away {
  readonly figure: Figure;
  /** Stands where the figure belongs. */
  readonly mark: HTMLElement;
  readonly slot: HTMLElement;
}

/** Moves an element that goes on living; the one that has the focus keeps it. */
function move(figure: Figure, to: (figure: Figure) => void): void {
  const held = figure.contains(document.activeElement) ? document.activeElement : undefined;
  figure.moving = true;
  to(figure);
  figure.moving = false;
  if (held instanceof HTMLElement) held.focus({ preventScroll: true });
}

/** With these a reader goes elsewhere than to the focus. */
const POINTED = ['pointerdown', 'wheel', 'touchmove'] as const;

export class Stage {
  private readonly away = new Map<string, Away>();
  private readonly inScene = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const slot = target.querySelector<HTMLElement>('.figure-slot');
        if (!slot) continue;
        if (isIntersecting) void this.lend(slot);
        else this.leave(slot);
      }
    },
    // The scene that crosses the middle of the window.
    { rootMargin: '-50% 0px -49% 0px' },
  );
  private readonly homes = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const [id, { mark, slot }] of this.away) {
        if (mark === target && !this.current.has(slot)) this.bringHome(id);
      }
    }
  });
  /** The slots whose scenes cross the middle of the window. */
  private readonly current = new Set<HTMLElement>();

  /** Whether the reader came to the focus with the Tab key. */
  private tabbed = false;

  constructor(
    private readonly page: HTMLElement,
    private readonly figures: ReadonlyMap<string, Figure>,
  ) {
    addEventListener('beforeprint', this.allHome);
    addEventListener('keydown', this.onKeyDown, true);
    for (const type of POINTED) addEventListener(type, this.onPointed, { passive: true });
    page.addEventListener('focusout', this.onFocusOut);
  }

  dispose(): void {
    removeEventListener('keydown', this.onKeyDown, true);
    for (const type of POINTED) removeEventListener(type, this.onPointed);
    this.page.removeEventListener('focusout', this.onFocusOut);
    this.inScene.disconnect();
    this.homes.disconnect();
    removeEventListener('beforeprint', this.allHome);
  }

  private readonly onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Tab') this.tabbed = true;
  };

  private readonly onPointed = (): void => {
    if (!this.tabbed) return;
    this.tabbed = false;
    this.settle();
  };

  /** The browser says where the focus goes to after this. */
  private readonly onFocusOut = (): void => {
    if (this.tabbed && this.away.size + this.current.size > 0) setTimeout(() => this.settle());
  };

  /**
   * Who tabs through a figure stays in it. The browser scrolls to what has the focus, and if the figure were moved to
   * another scene for that, the next Tab would go on from there: readers would be led around in a circle, or past
   * what lies between.
   */
  private isHeld(figure: Figure): boolean {
    return this.tabbed && figure.contains(document.activeElement);
  }

  /** Moves what was not moved while it was held. */
  private settle(): void {
    for (const slot of [...this.current]) void this.lend(slot);
    for (const { slot } of [...this.away.values()]) if (!this.current.has(slot)) this.leave(slot);
  }

  /** New scenes are on the page. */
  watch(): void {
    for (const slot of this.page.querySelectorAll('.figure-slot:not([data-watched])')) {
      const scene = slot.closest('.scene');
      if (!scene) continue;
      slot.setAttribute('data-watched', '');
      this.inScene.observe(scene);
    }
  }

  /** Makes sure that the figure is in the scene of this element, if the scene has a place for it. */
  async show(id: string, from: Element): Promise<Figure | undefined> {
    const slot = from
      .closest('.scene')
      ?.querySelector<HTMLElement>(`.figure-slot[data-slot="${id}"]`);
    if (slot) await this.lend(slot);
    else await this.place(id)?.now();
    const figure = this.figures.get(id);
    await figure?.updateComplete;
    return figure;
  }

  private place(id: string): AttnLoadWhenNear | null {
    return this.page.querySelector<AttnLoadWhenNear>(`attn-load-when-near[data-figure="${id}"]`);
  }

  private async lend(slot: HTMLElement): Promise<void> {
    this.current.add(slot);
    const id = slot.dataset.slot ?? '';
    if (!this.figures.has(id)) await this.place(id)?.now();
    const figure = this.figures.get(id);
    if (!figure || !this.current.has(slot) || figure.parentElement === slot) return;
    if (this.isHeld(figure)) return;
    const { mark } = this.away.get(id) ?? this.markHome(id, figure);
    this.away.set(id, { figure, mark, slot });
    move(figure, () => slot.append(figure));
  }

  private markHome(id: string, figure: Figure): { readonly mark: HTMLElement } {
    const mark = document.createElement('div');
    mark.className = 'figure-away';
    mark.dataset.away = id;
    const { line, link } = shellWords.now.away;
    render(html`<p class="fine">${line} <a href="#${id}">${link}</a></p>`, mark);
    // The page keeps its length.
    mark.style.height = `${figure.parentElement?.getBoundingClientRect().height ?? 0}px`;
    figure.before(mark);
    this.homes.observe(mark);
    return { mark };
  }

  private leave(slot: HTMLElement): void {
    this.current.delete(slot);
    const id = slot.dataset.slot ?? '';
    const away = this.away.get(id);
    if (away?.slot !== slot) return;
    const { top, bottom } = away.mark.getBoundingClientRect();
    if (bottom > 0 && top < windowBottom()) this.bringHome(id);
  }

  private bringHome(id: string, now = false): void {
    const away = this.away.get(id);
    if (!away || (!now && this.isHeld(away.figure))) return;
    this.away.delete(id);
    this.homes.unobserve(away.mark);
    move(away.figure, (figure) => away.mark.replaceWith(figure));
  }

  private readonly allHome = (): void => {
    for (const id of [...this.away.keys()]) this.bringHome(id, true);
  };
}

// ---- the handle ----

const KEY = 'attention-labs/split';
const [LEAST, MOST, USUAL, STEP] = [20, 75, 45, 5];
let share = USUAL;

const kept = (): number => Number(journal.get(KEY)) || USUAL;

function setShare(wanted: number, keep: boolean): void {
  share = Math.round(Math.max(LEAST, Math.min(MOST, wanted)));
  document.documentElement.style.setProperty('--split-share', String(share));
  for (const handle of document.querySelectorAll('.split-handle')) {
    handle.setAttribute('aria-valuenow', String(share));
  }
  // Where the browser refuses storage, the share lasts as long as the page.
  if (keep) journal.set(KEY, String(share));
}

/** The share that the reader chose in an earlier visit. */
export const restoreSplit = (): void => {
  if (kept() !== USUAL) setShare(kept(), false);
};

function onKey(event: KeyboardEvent): void {
  const to = {
    ArrowUp: share - STEP,
    ArrowDown: share + STEP,
    PageUp: share - 3 * STEP,
    PageDown: share + 3 * STEP,
    Home: LEAST,
    End: MOST,
    Enter: USUAL,
  }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  setShare(to, true);
}

function onDown(event: PointerEvent): void {
  const handle = event.currentTarget as HTMLElement;
  handle.setPointerCapture(event.pointerId);
  const from = { y: event.clientY, share };
  const drag = ({ clientY }: PointerEvent): void =>
    setShare(from.share + ((clientY - from.y) / windowBottom()) * 100, false);
  const end = (): void => {
    handle.removeEventListener('pointermove', drag);
    setShare(share, true);
  };
  handle.addEventListener('pointermove', drag);
  handle.addEventListener('lostpointercapture', end, { once: true });
}

/** Between the figure and the text of a scene; shown where the figure is above the text. */
export const splitHandle = (id: string | undefined): unknown =>
  id === undefined
    ? nothing
    : html`<div
        class="split-handle"
        role="separator"
        tabindex="0"
        aria-orientation="horizontal"
        aria-label=${shellWords.now.split}
        aria-valuemin=${LEAST}
        aria-valuemax=${MOST}
        aria-valuenow=${share}
        @keydown=${onKey}
        @pointerdown=${onDown}
      ></div>`;
