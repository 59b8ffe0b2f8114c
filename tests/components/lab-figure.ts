/** Shows one figure of a lab on a page of its own. */
import { onTestFinished, vi } from 'vitest';
import { UrlStore } from '../../web/src/lab/page/url-store';
import type { FigurePlace, LabData } from '../../web/src/lab/types';
import type { UrlHistory } from '../../web/src/state/history';
import { inside, settled } from './support';

/** An address bar that nobody looks at; the address of the test's own page does not change. */
const noHistory: UrlHistory = {
  draft: () => undefined,
  commit: () => undefined,
  onChange: () => () => undefined,
  dispose: () => undefined,
};

interface Setting {
  /** What the figure asks instead of the core. */
  readonly client?: object;
  readonly lab?: string;
  readonly search?: string;
  readonly history?: UrlHistory;
  readonly place?: Partial<FigurePlace>;
  readonly opening?: boolean;
  /** The figure that is already on the page, and stays there with its data. */
  readonly beside?: HTMLElement & { readonly labData?: LabData | undefined };
}

/** The figure of this tag, as it is before anything is computed. Its knobs are given up with the test. */
export function labFigure<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  {
    client = {},
    lab = 'test',
    search = '',
    history = noHistory,
    place = {},
    opening,
    beside,
  }: Setting,
): HTMLElementTagNameMap[Tag] {
  const store = new UrlStore(history, search);
  onTestFinished(() => store.dispose());
  const element = document.createElement(tag);
  Object.assign(element, {
    tools: { lab, version: '0', client, ...(beside && { data: beside.labData }) },
    ...{ store, place: { id: 'one', tag, ...place } },
    ...(opening && { opening }),
  });
  if (beside) {
    beside.after(element);
    return element;
  }
  const main = document.createElement('main');
  main.append(element);
  document.body.replaceChildren(main);
  return element;
}

/** The same figure with its first answer, at rest. */
export async function answered<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  setting: Setting,
): Promise<HTMLElementTagNameMap[Tag]> {
  const element = labFigure(tag, setting);
  await vi.waitFor(() => inside(element, 'figcaption'));
  await settled(element);
  return element;
}
