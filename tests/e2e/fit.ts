/**
 * Looks at every view of a lab in every state: whether it is whole on its place and in the window, and whether a
 * control and the picture that it changes are seen together. All of it runs in the page, in one call for a lab: asking
 * the browser is what takes time.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { arrive } from './through';

/** What of a lab is looked at beside the default of every view. */
export interface Wanted {
  /** The steps whose tries, predictions and sheets are looked at; all where it is left out. */
  readonly steps?: readonly string[] | undefined;
}

/** A fault, and the first state in which it was found. */
export interface Fault {
  readonly where: string;
  readonly what: string;
  /** In how many states. */
  readonly times: number;
}

interface Found {
  readonly faults: readonly Fault[];
  /** So many views were looked at in so many states; a test that looked at nothing shows nothing. */
  readonly views: number;
  readonly states: number;
  readonly tries: number;
  readonly predictions: number;
  readonly sheets: number;
}

/** Runs in the page, and uses nothing that is not defined in it. */
async function lookAtLab({ steps }: Wanted): Promise<Found> {
  const ZOOM = 0.7;
  const PATIENCE_MS = 120_000;
  /** A picture beside a sheet, or beside a knob of an opening, is seen when this share of it is, or so much of its height. */
  const [SHARE, HEIGHT] = [0.6, 200];

  interface FigureElement extends HTMLElement {
    readonly values?: unknown;
    readonly shown?: { readonly values: unknown };
    readonly problem?: unknown;
    readonly place?: { readonly id: string };
  }
  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const faults = new Map<string, { where: string; what: string; times: number }>();
  const counts = { views: 0, states: 0, tries: 0, predictions: 0, sheets: 0 };
  const note = (view: string, state: string, what: string): void => {
    // The same fault has other numbers in another state.
    const key = `${view} ${what.replace(/[\d.]+/g, '#')}`;
    const was = faults.get(key);
    if (was) was.times++;
    else faults.set(key, { where: `${view}, ${state}`, what, times: 1 });
  };

  const frame = (): Promise<number> => new Promise(requestAnimationFrame);
  const all = <T extends Element = HTMLElement>(
    selector: string,
    of: ParentNode = document,
  ): T[] => [...of.querySelectorAll<T>(selector)];
  const seen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true });

  // ---- which views there are ----

  /** The element that shows a view: a figure in its own place, or an attn-view. */
  const hostOf = (view: Element): HTMLElement & { figure?: FigureElement } => {
    let one: Element | null = view;
    while (one && !one.localName.includes('-')) one = one.parentElement;
    return one as HTMLElement;
  };
  const figureOf = (view: Element): FigureElement => hostOf(view).figure ?? hostOf(view);
  const nameOf = (view: Element): string => {
    const scene = view.closest('.scene');
    const step = view.closest('.step');
    if (!scene || !step) return `opening ${figureOf(view).localName}`;
    const at = all('.scene', step).indexOf(scene as HTMLElement) + 1;
    return `${step.id} ${at} (${figureOf(view).place?.id ?? figureOf(view).localName})`;
  };
  const viewIn = (scene: Element): HTMLElement | null => scene.querySelector('.view');

  // ---- waiting ----

  /** The figure has answered what its knobs say now, or says why not; an experiment waits for its button. */
  const answered = (figure: FigureElement): boolean =>
    !figure.querySelector('figure [aria-busy="true"]') &&
    (!('shown' in figure) ||
      figure.shown?.values === figure.values ||
      figure.problem !== undefined ||
      figure.querySelector('.run') !== null ||
      figure.querySelector('.open-question') !== null);

  /** Resolves once all of this has answered and nothing in it has moved for some frames. */
  async function rests(...views: Element[]): Promise<boolean> {
    const end = performance.now() + PATIENCE_MS;
    let [last, still] = ['', 0];
    for (let frames = 0; performance.now() < end; frames++) {
      await frame();
      const ready = views.every((view) => !view.matches('.view') || answered(figureOf(view)));
      const now = views
        .flatMap((view) => [
          view,
          view.querySelector('.view-inner'),
          view.querySelector('.picture'),
        ])
        .map((one) => {
          const { left, top, width, height } = one?.getBoundingClientRect() ?? new DOMRect();
          return `${left},${top},${width},${height},${one?.getAttribute('style')}`;
        })
        .join(' ');
      still = ready && now === last ? still + 1 : 0;
      last = now;
      // A canvas is filled in the frame after its answer, and what fits it answers in the next.
      if (frames > 3 && still >= 4) return true;
    }
    return false;
  }

  async function until(isTrue: () => boolean): Promise<boolean> {
    const end = performance.now() + PATIENCE_MS;
    while (!isTrue()) {
      if (performance.now() > end) return false;
      await frame();
    }
    return true;
  }

  // ---- what is cut ----

  const called = (one: Element): string => {
    const [kind] = one.classList;
    const text = one.textContent?.trim().replace(/\s+/g, ' ').slice(0, 30) ?? '';
    return `${one.localName}${kind ? `.${kind}` : ''}${text ? ` “${text}”` : ''}`;
  };
  /** Their content may be longer than they are: who writes scrolls. */
  const OWN_SCROLL = 'textarea, input, select, pre, code, .cm-editor';
  const CONTROLS = 'button, input, select, textarea, summary, a[href]';
  const LEAVES = 'canvas, img, button, input, select, textarea, .katex, math';

  const cut = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  /** By how many pixels a box leaves another. */
  const outside = (box: Box, within: Box, slack: number): number => {
    const most = Math.max(
      ...[within.left - box.left, within.top - box.top],
      ...[box.right - within.right, box.bottom - within.bottom],
    );
    return most > slack ? Math.round(most) : 0;
  };

  interface Walk {
    readonly say: (what: string) => void;
    readonly controls: Element[];
    drawn: number;
  }

  /** Every element below `one`, also in shadow trees, with the box outside of which nothing of it is seen. */
  function walk(one: Element, clip: Box, on: Walk, root = false): void {
    if (!root && one.matches('.sheet, style, script, template, title, desc, defs, datalist'))
      return;
    if (!one.checkVisibility({ opacityProperty: true })) return;
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const inSvg = one instanceof SVGElement && one.ownerSVGElement !== null;
    // Hidden to the eye only.
    if (style.clipPath.startsWith('inset(50%')) return;
    if (!inSvg && box.width <= 1.5 && box.height <= 1.5 && style.display !== 'contents') {
      if (one.matches('.changed')) on.say(`${called(one)} is marked and has no size`);
      return;
    }
    const visible = style.visibility === 'visible';
    const leaves = (of: Element, by: number): void =>
      on.say(`${called(of)} is cut off by ${by} px`);
    if (one.matches('.knob.changed') && visible) {
      const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
      const { left, top, right, bottom } = box;
      const around = {
        left: left - ring,
        top: top - ring,
        right: right + ring,
        bottom: bottom + ring,
      };
      const by = outside(around, clip, 0.5);
      if (by > 0) on.say(`the ring of ${called(one)} is cut off by ${by} px`);
      if (box.height === 0) on.say(`${called(one)} is marked and has no size`);
    }
    if (visible && one.matches(CONTROLS)) on.controls.push(one);
    if (visible && one.matches(LEAVES)) {
      const by = outside(box, clip, 2);
      if (by > 0) leaves(one, by);
      if (one instanceof HTMLCanvasElement && one.width <= 1) on.say(`${called(one)} is empty`);
      else if (box.width > 4 && box.height > 4) on.drawn++;
      if (!one.matches('button')) return;
    }
    if (one.matches(OWN_SCROLL)) return;
    let inside = clip;
    const flows = [style.overflowX, style.overflowY];
    if (!inSvg && flows.some((flow) => flow !== 'visible')) {
      const [wide, tall] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
      if (!root && !(one instanceof SVGElement)) {
        const scrolls = [
          /auto|scroll/.test(style.overflowX) && wide > 1,
          /auto|scroll/.test(style.overflowY) && tall > 1,
        ];
        // A wide table of a sheet lies in a region that has a name and that the keyboard reaches; nothing else scrolls.
        const table = one.matches('.sheet [role="region"][tabindex="0"][aria-label]');
        if (scrolls[1] || (scrolls[0] && !(table && one.querySelector('table')))) {
          const [content, room] = scrolls[1]
            ? [one.scrollHeight, one.clientHeight]
            : [one.scrollWidth, one.clientWidth];
          on.say(`${called(one)} scrolls by itself: ${content} px in ${room}`);
          // What it cuts is said once.
          return;
        }
        if (scrolls[0]) return;
      }
      if (style.textOverflow === 'ellipsis' && wide > 1) {
        // The line of a try says in its knobs, too, what it has changed.
        if (!one.matches('.tried')) on.say(`${called(one)} ends with an ellipsis`);
        return;
      }
      // A sheet scrolls, and is looked at from its top to its end.
      if (!root) inside = cut(clip, box);
    }
    if (one instanceof SVGSVGElement && visible && box.height > 4) on.drawn++;
    const words = !inSvg || one.localName === 'text';
    if (visible && words) {
      for (const text of one.localName === 'text' ? [one] : one.childNodes) {
        if (text.nodeType !== 3 && text !== one) continue;
        if (!text.textContent?.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const at = range.getBoundingClientRect();
        if (at.width === 0) continue;
        on.drawn++;
        // A line is higher than its letters.
        const by = outside(at, inside, 4);
        if (by > 0) leaves(one, by);
      }
    }
    if (inSvg && one.localName === 'text') return;
    const below = one instanceof HTMLSlotElement ? one.assignedElements() : undefined;
    for (const child of below ?? (one.shadowRoot ?? one).children) walk(child, inside, on);
  }

  const page = (): Box => ({ left: 0, top: -Infinity, right: innerWidth, bottom: Infinity });
  const window = (): Box => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

  function lookAt(view: HTMLElement, state: string): readonly Element[] {
    counts.states++;
    const name = nameOf(view);
    const say = (what: string): void => note(name, state, what);
    const [box, style] = [view.getBoundingClientRect(), getComputedStyle(view)];
    const limited = Number.isFinite(parseFloat(style.maxHeight));
    const inner = view.querySelector('.view-inner')?.getBoundingClientRect() ?? box;
    const picture = view.querySelector<HTMLElement>('.picture');
    if (view.dataset.over !== undefined) {
      say(`is ${view.dataset.over} px too tall for its place of ${parseFloat(style.maxHeight)}`);
    } else if (limited) {
      const by = outside(inner, box, 1.5);
      if (by > 0) say(`its content leaves it by ${by} px`);
    }
    const zoom = Number(picture?.style.zoom || 1);
    if (zoom < ZOOM) say(`is drawn at ${zoom}`);
    const on: Walk = { say, controls: [], drawn: 0 };
    walk(view, page(), on, true);
    const drawn: Walk = { say: () => undefined, controls: [], drawn: 0 };
    if (picture) walk(picture, page(), drawn, true);
    if (!picture || drawn.drawn === 0 || picture.getBoundingClientRect().height < 16) {
      say('shows nothing');
    }
    return on.controls;
  }

  // ---- what is on the screen ----

  const up = (one: Node): Node | null => one.parentNode ?? (one as ShadowRoot).host ?? null;
  const within = (one: Node | null, of: Node): boolean => {
    for (let at = one; at; at = up(at)) if (at === of) return true;
    return false;
  };
  /** Whether a control can be pressed where it is drawn. */
  /** What lies over a control, or nothing. */
  function over(control: Element): string | undefined {
    const shown = control.closest('label') ?? control;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const deeper = hit.shadowRoot.elementFromPoint(x, y);
      if (!deeper || deeper === hit) break;
      hit = deeper;
    }
    if (hit === null) return `is at ${Math.round(x)}, ${Math.round(y)}, outside of the window`;
    return within(hit, shown) || within(shown, hit) ? undefined : `is covered by ${called(hit)}`;
  }
  const reachable = (control: Element): boolean => over(control) === undefined;
  /** The part of a picture that is seen in the window and beside what lies over it. */
  function seenOf(picture: Element | null, over?: Box): boolean {
    const whole = picture?.getBoundingClientRect();
    if (!whole || whole.width * whole.height === 0) return false;
    let part = cut(whole, window());
    if (over) {
      // The larger of what is left beside it, above it and below it.
      const rest = [
        cut(part, { ...window(), left: over.right }),
        cut(part, { ...window(), right: over.left }),
        cut(part, { ...window(), bottom: over.top }),
        cut(part, { ...window(), top: over.bottom }),
      ];
      const area = (box: Box): number =>
        Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
      part = rest.reduce((best, box) => (area(box) > area(best) ? box : best));
    }
    const [width, height] = [part.right - part.left, part.bottom - part.top];
    if (width <= 0 || height <= 0) return false;
    const share = (width * height) / (whole.width * whole.height);
    return (
      share >= SHARE || (width >= whole.width - 1 && height >= Math.min(HEIGHT, whole.height - 1))
    );
  }

  const jump = { behavior: 'instant', block: 'start' } as const;
  /** Brings a scene to where it is read: its view is whole in the window. */
  async function comeTo(scene: Element): Promise<void> {
    scene.scrollIntoView(jump);
    await frame();
    // The place of a view that is pinned does not move; one above its text is just below the top.
    const view = viewIn(scene);
    const top = view?.getBoundingClientRect().top ?? 0;
    if (view && (top < 0 || top > 32)) scrollBy({ top: top - 16, behavior: 'instant' });
    await frame();
  }
  /** Brings a control to where a reader presses it, with as much of the view as possible. */
  async function bring(control: Element, scene: Element): Promise<void> {
    // As a reader's wheel does, so that the page holds nothing in its place any more.
    document.body.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
    await comeTo(scene);
    const { top, bottom } = control.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight || !reachable(control)) {
      control.scrollIntoView({ behavior: 'instant', block: 'center' });
      await frame();
    }
    await frame();
  }

  const lookAtAll = (figure: FigureElement, state: string): void => {
    for (const view of all('.view')) if (figureOf(view) === figure) lookAt(view, state);
  };
  const viewsOf = (figure: FigureElement): HTMLElement[] =>
    all('.view').filter((view) => figureOf(view) === figure);

  /** The controls of a view that is on the screen can be pressed, and all of it is in the window. */
  function onScreen(view: HTMLElement, state: string, controls: readonly Element[]): void {
    const box = view.querySelector('.view-inner')?.getBoundingClientRect() ?? new DOMRect();
    const by = outside(box, { ...window(), left: -1e6, right: 1e6 }, 2);
    const limited = Number.isFinite(parseFloat(getComputedStyle(view).maxHeight));
    if (limited && by > 0) note(nameOf(view), state, `leaves the window by ${by} px`);
    for (const control of controls) {
      const { top, bottom, height } = control.getBoundingClientRect();
      if (height === 0 || (top + bottom) / 2 < 0 || (top + bottom) / 2 > innerHeight) continue;
      if (!reachable(control)) note(nameOf(view), state, `${called(control)} ${over(control)}`);
    }
  }

  async function lookAtSheet(view: HTMLElement): Promise<void> {
    const host = hostOf(view);
    const more = host.querySelector<HTMLElement>('.more-knobs');
    const sheet = host.querySelector<HTMLElement>('.sheet');
    if (!more || !sheet || !seen(more)) return;
    counts.sheets++;
    const state = 'with its sheet';
    more.click();
    if (!(await until(() => sheet.matches(':popover-open')))) {
      note(nameOf(view), state, 'has a sheet that does not open');
      return;
    }
    await rests(view);
    lookAt(view, state);
    const box = sheet.getBoundingClientRect();
    const say = (what: string): void => note(nameOf(view), state, `sheet: ${what}`);
    const by = outside(box, window(), 1);
    if (by > 0) say(`leaves the window by ${by} px`);
    const wide = sheet.scrollWidth - sheet.clientWidth;
    if (wide > 1) say(`is ${wide} px wider than its place`);
    walk(
      sheet,
      { ...page(), left: box.left, right: box.right },
      { say, controls: [], drawn: 0 },
      true,
    );
    // What brings the picture above the sheet is fetched when the first sheet opens, and a busy machine takes its time.
    if (!(await until(() => seenOf(view.querySelector('.picture'), box))))
      say('covers the picture');
    // Every knob that it has can be moved while its picture is seen.
    for (const knob of all('.knob', sheet)) {
      knob.scrollIntoView({ behavior: 'instant', block: 'nearest' });
      const at = knob.getBoundingClientRect();
      const out = outside(at, box, 2);
      if (out > 0 && at.height < box.height) say(`${called(knob)} leaves it by ${out} px`);
    }
    all('.sheet-head button', sheet)[0]?.click();
    await until(() => !sheet.matches(':popover-open'));
  }

  // ---- the walk ----

  const wanted = (step: Element | null): boolean => !steps || steps.includes(step?.id ?? '');
  const opening = document.querySelector<HTMLElement>('.lab-opening .view');

  // All of it first, at its default, before a question is answered.
  for (const place of all('attn-load-when-near')) {
    if (!place.querySelector(':scope > .loading-near')) continue;
    if (place.closest('.exercises, #summary')) continue;
    place.scrollIntoView({ behavior: 'instant', block: 'center' });
    if (!(await until(() => !place.querySelector(':scope > .loading-near')))) {
      note(place.dataset.figure ?? place.dataset.view ?? '?', 'default', 'does not come');
    }
  }
  const views = all('.view');
  counts.views = views.length;
  for (const view of views) {
    const scene = view.closest('.scene');
    if (scene) await comeTo(scene);
    else view.scrollIntoView({ behavior: 'instant', block: 'nearest' });
    if (!(await rests(view))) note(nameOf(view), 'default', 'does not come to rest');
    onScreen(view, 'default', lookAt(view, 'default'));
  }

  // The knobs of the opening, each with its picture.
  if (opening) {
    const picture = opening.querySelector('.picture');
    const knobs = all('.lab-opening .knobs .knob').filter(
      (knob) => seen(knob) && !knob.closest('.sheet'),
    );
    for (const knob of knobs) {
      scrollTo({ top: 0, behavior: 'instant' });
      const { top, bottom } = opening.getBoundingClientRect();
      const at = knob.getBoundingClientRect();
      // Both in the middle of the window, or as near as they come.
      const middle = (Math.min(top, at.top) + Math.max(bottom, at.bottom)) / 2;
      scrollBy({ top: middle - innerHeight / 2, behavior: 'instant' });
      await frame();
      knob.scrollIntoView({ behavior: 'instant', block: 'nearest' });
      await frame();
      const name = `${called(knob)} (${knob.dataset.knob})`;
      if (!reachable(knob)) note(nameOf(opening), 'default', `${name} cannot be pressed`);
      if (!seenOf(picture))
        note(nameOf(opening), 'default', `${name} is not seen with its picture`);
    }
    opening.scrollIntoView({ behavior: 'instant', block: 'nearest' });
    await lookAtSheet(opening);
  }

  for (const scene of all('.scene.staged')) {
    if (!wanted(scene.closest('.step'))) continue;
    const view = viewIn(scene);
    if (!view) continue;
    const figure = figureOf(view);
    await comeTo(scene);
    await lookAtSheet(view);

    for (const question of all('attn-prediction', scene)) {
      counts.predictions++;
      const title = question.querySelector('h3')?.textContent?.trim().slice(0, 40) ?? '';
      const input = question.querySelector<HTMLInputElement>('form input');
      if (input) {
        await bring(input, scene);
        const asked = `asked “${title}”`;
        onScreen(view, asked, lookAt(view, asked));
        if (input.type === 'radio') input.click();
        else {
          input.value = String(Number(input.value) + 3);
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }
        await frame();
        lookAt(view, `guessed at “${title}”`);
        question.querySelector<HTMLElement>('button[type=submit]')?.click();
      }
      const state = `answered “${title}”`;
      if (!(await until(() => question.querySelector('.truth') !== null))) {
        note(nameOf(view), state, 'has no answer');
      }
      const answers = question.querySelector('.answers');
      if (answers) await bring(answers, scene);
      if (!(await rests(view))) note(nameOf(view), state, 'does not come to rest');
      lookAtAll(figure, state);
      if (answers && !seenOf(view.querySelector('.picture'))) {
        note(nameOf(view), state, 'is not seen with its answer');
      }
    }

    for (const button of all('.tries button', scene)) {
      counts.tries++;
      const state = `try “${button.textContent?.trim()}”`;
      // What was asked before may still be measured, and its answer grows above the button.
      const end = performance.now() + PATIENCE_MS;
      do {
        await bring(button, scene);
        await rests(view, scene);
      } while (!reachable(button) && performance.now() < end);
      const before = [scrollY, button.getBoundingClientRect().top];
      button.click();
      if (!(await until(() => button.ariaPressed === 'true'))) {
        note(nameOf(view), state, 'is not pressed');
        continue;
      }
      if (!(await rests(...viewsOf(figure)))) note(nameOf(view), state, 'does not come to rest');
      lookAtAll(figure, state);
      if (!reachable(button)) note(nameOf(view), state, `the button ${over(button)}`);
      if (!seenOf(view.querySelector('.picture'))) note(nameOf(view), state, 'is not seen');
      const moved = Math.abs(button.getBoundingClientRect().top - (before[1] ?? 0));
      if (moved > 1) note(nameOf(view), state, `moves its button by ${Math.round(moved)} px`);
      button.click();
      await until(() => button.ariaPressed === 'false');
    }
  }
  return { faults: [...faults.values()], ...counts };
}

type Tools = typeof globalThis & { readonly lookAtLab: typeof lookAtLab };

/** Puts what runs in the page into every page of a context. */
export const withLook = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`globalThis.lookAtLab = ${lookAtLab};`);

/** Walks a lab that was just opened, and says what is not whole. Its predictions are answered afterwards. */
export async function look(page: Page, wanted: Wanted): Promise<Found> {
  await arrive(page);
  return page.evaluate((wanted) => (globalThis as Tools).lookAtLab(wanted), wanted);
}
