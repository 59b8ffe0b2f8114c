import { themeWords as words } from '../../strings/theme.ts';
import { isDark, onThemeChange, setTheme, type Theme, theme } from '../../styles/theme.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };

/**
 * Light, dark, or as the system has it. Plain, and styled by the page: it stands on pages that have
 * nothing else to run.
 *
 * @element attn-theme-switch
 */
export class AttnThemeSwitch extends HTMLElement {
  private stop: (() => void) | undefined;

  connectedCallback(): void {
    this.innerHTML = `<button type="button" title="${words.label}">
      <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6" /><path /></svg>
      <span></span>
    </button>`;
    this.querySelector('button')?.addEventListener('click', () => setTheme(NEXT[theme()]));
    this.stop = onThemeChange(() => this.show());
    this.show();
  }

  disconnectedCallback(): void {
    this.stop?.();
  }

  private show(): void {
    const name = words[theme()];
    this.querySelector('button')?.setAttribute('aria-label', `${words.label}: ${name}`);
    this.querySelector('path')?.setAttribute(
      'd',
      isDark() ? 'M8 2a6 6 0 0 0 0 12z' : 'M8 2a6 6 0 0 1 0 12z',
    );
    const label = this.querySelector('span');
    if (label) label.textContent = name;
  }
}

customElements.define('attn-theme-switch', AttnThemeSwitch);

declare global {
  interface HTMLElementTagNameMap {
    'attn-theme-switch': AttnThemeSwitch;
  }
}
