/** Opens a lab: its first figure at once, all else with the visitor's first move. */
import type { CoreClient } from '#client';
import './lab.css';
import '../components/language-switch/language-switch.ts';
import '../components/theme-switch/theme-switch.ts';
import { onFirstMove } from '../state/first-move.ts';
import { urlHistory } from '../state/history.ts';
import type { LabFigure } from './figure.ts';
import { createTools } from './tools.ts';
import type { Block, FigurePlace, Lab } from './types';
import { UrlStore } from './url-store.ts';
import { shellWords } from './words/index.ts';

/** What every part of the page needs. */
export interface OpenLab {
  readonly lab: Lab;
  readonly tools: ReturnType<typeof createTools>;
  readonly store: UrlStore;
  /** A figure's element in its place; the opening's from the start. */
  readonly figures: Map<string, Figure>;
}

// biome-ignore lint/suspicious/noExplicitAny: a page holds figures of any kind.
export type Figure = LabFigure<any, any>;

export function* placesOf(blocks: readonly Block[]): Generator<FigurePlace> {
  for (const block of blocks) {
    if (block.kind === 'figure') yield block.figure;
    if (block.kind === 'prediction') yield* placesOf(block.reveal ?? []);
  }
}

export function makeFigure(
  { tools, store, figures }: OpenLab,
  place: FigurePlace,
  opening = false,
): Figure {
  const figure = document.createElement(place.tag) as Figure;
  Object.assign(figure, { place, tools, store, opening });
  figures.set(place.id, figure);
  return figure;
}

/** The element of `lab.opening` is defined by then. `createClient`: a small module that has what it asks. */
export function openLab(
  lab: Lab,
  { createClient }: { readonly createClient?: () => CoreClient } = {},
): OpenLab {
  const { id, opening, steps } = lab;
  const places = steps.flatMap(({ blocks }) => [...placesOf(blocks)].map((place) => place.id));
  const store = new UrlStore(urlHistory(), location.search, {
    parts: steps.map((step) => step.id),
    figures: places,
  });
  const figures = new Map<string, Figure>();
  const open: OpenLab = {
    lab,
    tools: createTools(id, () => figures.get(opening.id)?.labData, createClient?.()),
    store,
    figures,
  };
  document.querySelector('.lab-opening')?.replaceChildren(makeFigure(open, opening, true));
  for (const step of steps) {
    if (!store.hides(step.id)) continue;
    document.querySelector(`.outline a[href="#${step.id}"]`)?.closest('li')?.remove();
  }

  const rest = (): void => {
    shellWords
      .with(() => import('./shell.ts'))
      .then(({ showLab }) => showLab(open))
      .catch((error: unknown) => {
        // The network may be back at the next move.
        onFirstMove(rest);
        console.warn(error);
      });
  };
  const asked = location.hash.slice(1).split('=')[0] ?? '';
  const elsewhere = asked !== '' && asked !== opening.id && asked !== 'm';
  if (elsewhere) rest();
  else onFirstMove(rest);
  return open;
}
