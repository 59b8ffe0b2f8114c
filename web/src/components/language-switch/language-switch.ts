import { LANGUAGE_KEY, language, languages } from '../../strings/language.ts';

/** This page in that language, with all that its address says. */
function address(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('lang', id);
  return url.href;
}

function keep(id: string): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, id);
  } catch {
    // Storage is denied: the address says it.
  }
}

/**
 * Links to this page in the other languages. Plain, and styled by the page, as the theme's switch.
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
        // The address may have changed since.
        const refresh = () => {
          link.href = address(id);
        };
        for (const type of ['pointerdown', 'focus', 'click']) link.addEventListener(type, refresh);
        link.addEventListener('click', () => keep(id));
        return link;
      });
    this.replaceChildren(...links);
  }
}

customElements.define('attn-language-switch', AttnLanguageSwitch);

// The style sheet hides what the page's markup says in other languages; searches find it even so.
for (const other of document.querySelectorAll(`[data-lang]:not([data-lang=${language}])`)) {
  other.remove();
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-language-switch': AttnLanguageSwitch;
  }
}
