/** Opens a lab: its first figure at once, all else with the visitor's first move. */
import './lab.css';
import '../../components/language-switch/language-switch.ts';
import '../../components/theme-switch/theme-switch.ts';
import { theCore } from '../../core.ts';
import { EXERCISE_PARTS } from '../../exercises/parts.ts';
import { onFirstMove } from '../../state/first-move.ts';
import { urlHistory } from '../../state/history.ts';
import { language } from '../../strings/language.ts';
import type { FigurePlace, Lab } from '../types';
import { shellWords } from '../words/index.ts';
import { heightOfEntry, placeOfEntry, placeOfLastVisit } from './kept-place.ts';
import { type Figure, makeFigure, type Page } from './page.ts';
import { createTools } from './tools.ts';
import { UrlStore } from './url-store.ts';

export type { Figure, OpenLab, Page } from './page.ts';

/**
 * The page's markup names the lab and its opening (web/plugins/labs.ts); the caller has defined the
 * opening's element.
 */
export function openLab(load: () => Promise<{ readonly lab: Lab }>): Page {
  const place = document.querySelector<HTMLElement>('.lab-opening');
  const id = place?.dataset.lab ?? '';
  const opening = JSON.parse(place?.dataset.place ?? '{}') as FigurePlace;
  // A lab whose words are not in the page's language yet is shown in English.
  const spoken = place?.dataset.words?.split(' ') ?? [language];
  const lang = spoken.includes(language) ? undefined : 'en';
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const store = new UrlStore(urlHistory(), location.search, [
    ...links.map(({ hash }) => hash.slice(1)),
    ...EXERCISE_PARTS,
  ]);
  for (const link of links) if (store.hides(link.hash.slice(1))) link.closest('li')?.remove();
  const figures = new Map<string, Figure>();
  const page: Page = {
    ...{ id, store, figures },
    tools: createTools(id, () => figures.get(opening.id)?.labData, theCore(), lang),
  };
  place?.replaceChildren(makeFigure(page, opening, true));
  if (window.parent !== window) {
    // In a frame the page flows from the start; how tall it is can be told a little later.
    document.documentElement.toggleAttribute('data-grown', true);
    void import('../../embed/in-frame.ts').then(({ inFrame }) => inFrame());
  }
  // A mouse moves before it presses, and the page grows after its first move.
  onFirstMove(() => {
    import('../../state/moved-press.ts').then(
      ({ keepMovedPresses }) => keepMovedPresses(),
      console.warn,
    );
  });

  let filled: Promise<void> | undefined;
  const rest = (): Promise<void> => {
    filled ??= shellWords
      .with(() => Promise.all([load(), import('./shell.ts')]))
      .then(([{ lab }, { showLab }]) => showLab({ ...page, lab }))
      .catch((error: unknown) => {
        // The next move tries again: the network may be back by then.
        filled = undefined;
        onFirstMove(() => void rest());
        console.warn(error);
      });
    return filled;
  };
  const asked = location.hash.slice(1).split('=')[0] ?? '';
  const here = asked === '' || asked === opening.id || asked === 'm';
  // Who was here before has a place to return to, so the steps come at once.
  if (here && !placeOfEntry() && !placeOfLastVisit(id)) onFirstMove(() => void rest());
  else void rest();
  if (!placeOfEntry() && heightOfEntry() > 0) scrollTo({ top: heightOfEntry() });
  // The keys of the browser's own command for printing: the whole page has to be there first.
  const onPrintKeys = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (key.toLowerCase() !== 'p' || ctrlKey === metaKey || shiftKey || altKey) return;
    // Who presses them again does not want to wait.
    if (document.querySelector('.print-note')) return;
    event.preventDefault();
    void rest()
      .then(() => import('./print-whole.ts'))
      .then(({ printWhole }) => printWhole());
  };
  addEventListener('keydown', onPrintKeys);
  return page;
}
