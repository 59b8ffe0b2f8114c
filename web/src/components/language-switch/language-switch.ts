import { invitations, type LanguageId, languages } from '../../strings/language.ts';

/** The first of the browser's languages that the site has. */
const wanted = (): string | undefined =>
  navigator.languages
    .map((tag) => tag.toLowerCase().split('-')[0] ?? '')
    .find((id) => id in languages);

/**
 * Links to this page in the other languages. They are in the page's markup (`plugins/one-language.ts`); this makes them
 * keep the settings and the place that the address holds now, and invites a visitor whose browser asks for that
 * language. Like the theme switch it has no shadow root and is styled by the page.
 *
 * @element attn-language-switch
 */
export class AttnLanguageSwitch extends HTMLElement {
  connectedCallback(): void {
    for (const link of this.querySelectorAll('a')) {
      const page = link.getAttribute('href') ?? '';
      const refresh = (): void => {
        const here = new URL(location.href);
        here.searchParams.delete('lang');
        link.href = page + here.search + here.hash;
      };
      refresh();
      // The address may have changed since the link was drawn.
      for (const type of ['pointerdown', 'focus', 'click']) link.addEventListener(type, refresh);
      if (link.lang === wanted()) link.textContent = invitations[link.lang as LanguageId];
    }
  }
}

customElements.define('attn-language-switch', AttnLanguageSwitch);

declare global {
  interface HTMLElementTagNameMap {
    'attn-language-switch': AttnLanguageSwitch;
  }
}
