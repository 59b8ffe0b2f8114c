/** Opens a lab: its first figure at once, all else with the visitor's first move. */
import type { SmallClient } from '#client';
import './lab.css';
import '../components/language-switch/language-switch.ts';
import '../components/theme-switch/theme-switch.ts';
import { onFirstMove } from '../state/first-move.ts';
import { urlHistory } from '../state/history.ts';
import type { LabFigure } from './figure.ts';
import { createTools } from './tools.ts';
import type { FigurePlace, Lab } from './types';
import { UrlStore } from './url-store.ts';
import { shellWords } from './words/index.ts';

/** What every part of the page needs. */
export interface Page {
  readonly id: string;
  readonly tools: ReturnType<typeof createTools>;
  readonly store: UrlStore;
  /** A figure's element in its place; the opening's from the start. */
  readonly figures: Map<string, Figure>;
}

/** Once its data is there. */
export interface OpenLab extends Page {
  readonly lab: Lab;
}

// biome-ignore lint/suspicious/noExplicitAny: a page holds figures of any kind.
export type Figure = LabFigure<any, any>;

export function makeFigure(
  { tools, store, figures }: Page,
  place: FigurePlace,
  opening = false,
): Figure {
  const figure = document.createElement(place.tag) as Figure;
  Object.assign(figure, { place, tools, store, opening });
  figures.set(place.id, figure);
  return figure;
}

/**
 * The page says which lab it is and what its opening is (web/plugins/labs.ts); that element is defined
 * by then. `createClient`: a small module that has what it asks.
 */
export function openLab(
  load: () => Promise<{ readonly lab: Lab }>,
  { createClient }: { readonly createClient?: () => SmallClient } = {},
): Page {
  const place = document.querySelector<HTMLElement>('.lab-opening');
  const id = place?.dataset.lab ?? '';
  const opening = JSON.parse(place?.dataset.place ?? '{}') as FigurePlace;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const store = new UrlStore(
    urlHistory(),
    location.search,
    links.map(({ hash }) => hash.slice(1)),
  );
  for (const link of links) if (store.hides(link.hash.slice(1))) link.closest('li')?.remove();
  const figures = new Map<string, Figure>();
  const page: Page = {
    ...{ id, store, figures },
    tools: createTools(id, () => figures.get(opening.id)?.labData, createClient?.()),
  };
  place?.replaceChildren(makeFigure(page, opening, true));

  const rest = (): void => {
    shellWords
      .with(() => Promise.all([load(), import('./shell.ts')]))
      .then(([{ lab }, { showLab }]) => showLab({ ...page, lab }))
      .catch((error: unknown) => {
        // The network may be back at the next move.
        onFirstMove(rest);
        console.warn(error);
      });
  };
  const asked = location.hash.slice(1).split('=')[0] ?? '';
  if (asked === '' || asked === opening.id || asked === 'm') onFirstMove(rest);
  else rest();
  return page;
}
