import { html, LitElement } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { strings } from '../../strings/index.ts';
import { isDark, setTheme, type Theme, theme } from '../../styles/theme.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './theme-switch.styles.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };

/**
 * Light, dark, or as the system has it.
 *
 * @element attn-theme-switch
 */
@customElement('attn-theme-switch')
export class AttnThemeSwitch extends LitElement {
  static override styles = [shared, styles];

  @state() private chosen: Theme = theme();

  private advance(): void {
    this.chosen = NEXT[this.chosen];
    setTheme(this.chosen);
  }

  override render() {
    const name = strings.theme[this.chosen];
    return html`<button class="quiet" type="button" @click=${this.advance}
      aria-label="${strings.theme.label}: ${name}" title=${strings.theme.label}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" />
        <path d=${isDark() ? 'M8 2a6 6 0 0 0 0 12z' : 'M8 2a6 6 0 0 1 0 12z'} />
      </svg>
      ${name}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-theme-switch': AttnThemeSwitch;
  }
}
