/** The menu of a figure with all that leaves the page: a link and files. It comes when it is opened for the first time. */
import { html, type TemplateResult } from 'lit';
import { goToEmbed } from '../../embed/to-embed.ts';
import type { FileKind } from './save-and-share.ts';
import { saveMenuWords as words } from './save-menu-words.ts';

export interface SaveMenu {
  readonly heading: string;
  /** The kinds of files that there are of the figure. */
  readonly kinds: readonly FileKind[];
  readonly copy: () => void;
  /** The address of what is shown. */
  readonly link: () => string;
  readonly save: (kind: FileKind) => void;
}

export function saveMenu({ heading, kinds, copy, link, save }: SaveMenu): TemplateResult {
  const button = (label: string, title: string, act: () => void) =>
    html`<button class="quiet" type="button" title=${title} aria-label=${title} @click=${act}>
      ${label}
    </button>`;
  return html`<div role="group" aria-label=${words.tools(heading)}>
    ${button(words.linkShort, words.link, copy)}
    ${button(words.embedShort, words.embed, () => goToEmbed(link()))}
    ${kinds.map((kind) => button(kind.toUpperCase(), words[kind], () => save(kind)))}
  </div>`;
}

/** Escape closes the menu, and so does whoever goes on from it. */
export function closeMenu(event: KeyboardEvent | FocusEvent): void {
  const menu = event.currentTarget as HTMLDetailsElement;
  if (event instanceof KeyboardEvent) {
    if (event.key !== 'Escape' || !menu.open) return;
    event.preventDefault();
    menu.querySelector('summary')?.focus();
  } else if (menu.contains(event.relatedTarget as Node | null)) return;
  menu.open = false;
}
