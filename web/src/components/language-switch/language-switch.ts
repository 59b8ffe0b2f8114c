import { journal } from '../../state/journal.ts';
import { LANGUAGE_KEY, language, languages } from '../../strings/language.ts';

/** The address of this page in another language, with the settings the address holds now. */
function address(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('lang', id);
  return url.href;
}

/**
 * Links to this page in the other languages. Like the theme switch it has no shadow root and is styled by the page.
 *
 * @element attn-language-switch
 */
export class AttnLanguageSwitch extends HTMLElement {
  connectedCallback(): void {
    const links = Object.entries(languages)
      .filter(([id]) => id !== language)
      .map(([id, name]) => {
        const link = document.createElement('a');
        Object.assign(link, { lang: id, hreflang: id, textContent: name, href: address(id) });
        // The address may have changed since the link was drawn.
        const refresh = () => {
          link.href = address(id);
        };
        for (const type of ['pointerdown', 'focus', 'click']) link.addEventListener(type, refresh);
        // Where storage is denied only the address carries the language.
        link.addEventListener('click', () => journal.set(LANGUAGE_KEY, id));
        return link;
      });
    this.replaceChildren(...links);
  }
}

customElements.define('attn-language-switch', AttnLanguageSwitch);

// The style sheet already hides the page's words in other languages; removing them keeps the browser's search from finding them.
for (const other of document.querySelectorAll(`[data-lang]:not([data-lang=${language}])`)) {
  other.remove();
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-language-switch': AttnLanguageSwitch;
  }
}
