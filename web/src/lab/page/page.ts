/** A page of a lab, and the figures on it: what both the opening and the rest of the page are made with. */
import type { LabFigure } from '../figure/figure.ts';
import type { FigurePlace, Lab } from '../types';
import type { createTools } from './tools.ts';
import type { UrlStore } from './url-store.ts';

/** What every part of a lab's page needs. */
export interface Page {
  readonly id: string;
  readonly tools: ReturnType<typeof createTools>;
  readonly store: UrlStore;
  /** The element of each figure by the id of its place; the opening's is there from the start. */
  readonly figures: Map<string, Figure>;
}

/** A page whose lab data is loaded. */
export interface OpenLab extends Page {
  readonly lab: Lab;
}

// biome-ignore lint/suspicious/noExplicitAny: a page holds figures of any kind.
export type Figure = LabFigure<any, any>;

export function makeFigure(
  { tools, store, figures, lab }: Page & Partial<OpenLab>,
  place: FigurePlace,
  opening = false,
): Figure {
  const figure = document.createElement(place.tag) as Figure;
  Object.assign(figure, { place, tools, store, opening, runTimes: lab?.runTimes });
  figures.set(place.id, figure);
  return figure;
}
