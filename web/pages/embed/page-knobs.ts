/** The knobs of a lab, read from its page in the frame, where its figures are. */
import type { Knob } from '../../src/lab/figure/knob.ts';
import type { FigurePlace } from '../../src/lab/types.ts';
import type { PropertyTable } from '../../src/state/url.ts';

export interface PageKnob {
  /** As `hide=` and `lock=` name it. */
  readonly key: string;
  /** How the figure calls it, for Lit; its key where the figure does not say. */
  readonly label: unknown;
}

export interface KnobsOfFigure {
  /** Empty for the opening. */
  readonly id: string;
  readonly heading: string;
  /** `lang` of the words, where they are not in the page's language yet. */
  readonly lang: string;
  readonly knobs: readonly PageKnob[];
}

/** What of a figure's element is read (`LabFigure`). */
interface FigureElement extends HTMLElement {
  readonly table: PropertyTable;
  readonly place: FigurePlace;
  readonly opening: boolean;
  readonly heading: string;
  readonly controls?: readonly Knob[];
}

const isFigure = (element: Element): element is FigureElement =>
  'table' in element && 'place' in element;

/** The figures that are there, in the order of the page. */
export function knobsIn(page: Document): readonly KnobsOfFigure[] {
  const places = page.querySelectorAll('.lab-opening > *, attn-load-when-near[data-figure] > *');
  return [...places].filter(isFigure).map((figure) => {
    const { table, place, opening } = figure;
    const id = opening ? '' : place.id;
    const labels = new Map(figure.controls?.map(({ name, label }) => [name, label]));
    const knobs = Object.entries(table)
      .filter(([name]) => !place.hide?.includes(name))
      .map(([name, { key, label }]) => ({
        key: id ? `${id}.${key}` : key,
        label: labels.get(name) ?? label ?? key,
      }));
    return {
      id,
      heading: figure.heading,
      lang: figure.closest<HTMLElement>('[lang]')?.lang ?? '',
      knobs,
    };
  });
}

/** Loads the figures that the reader has not come near. */
export async function loadFigures(page: Document): Promise<void> {
  // Whatever shows that somebody is there brings the steps.
  page.dispatchEvent(new Event('wheel'));
  const last = (): Element | null => page.querySelector('attn-lab > #summary .step-end');
  const end = Date.now() + 20_000;
  while (!last() && Date.now() < end) await new Promise((done) => setTimeout(done, 100));
  type Near = HTMLElement & { now(): Promise<void> };
  for (const near of page.querySelectorAll<Near>('attn-load-when-near[data-figure]'))
    await near.now();
}
