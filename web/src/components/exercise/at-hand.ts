import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Entry, Group } from '../../exercises/at-hand/entry.ts';
import { atHand } from '../../exercises/at-hand/load.ts';
import { camelCase } from '../../exercises/camel-case.ts';
import { signatureOf, typeIn } from '../../exercises/starter.ts';
import type { Exercise, Language } from '../../exercises/types.ts';
import { exercises } from '../../strings/exercises.ts';
import { language as pageLanguage } from '../../strings/language.ts';
import { problemText } from '../../strings/problem.ts';
import { adopt } from '../../styles/adopt.ts';
import css from './at-hand.css?inline';
import { atHandWords as words } from './at-hand-words.ts';
import { coded, prose, type RenderedTex } from './prose.ts';

adopt(css);

/** What a screen reader is told of the list, whose lines are English. */
const listLang = pageLanguage === 'en' ? undefined : 'en';

/**
 * The card of what there is in a language: the arguments of the exercise's function, and every name that its runtime
 * has, with a line for each. It has no shadow root, so the styles of an exercise apply.
 *
 * @element attn-at-hand
 * @fires attn-close - Escape was pressed in it.
 */
@customElement('attn-at-hand')
export class AttnAtHand extends LitElement {
  @property({ attribute: false }) exercise: Exercise | undefined;
  @property() language: Language = 'python';
  /** `lang` of the exercise's words, where they are not in the page's language. */
  @property({ attribute: false }) wordsLang: 'en' | undefined;
  @property({ attribute: false }) formulas: RenderedTex = {};

  @state() private groups: readonly Group[] | undefined;
  @state() private search = '';
  @state() private failure = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('language')) void this.load();
  }

  private async load(): Promise<void> {
    const { language } = this;
    this.groups = undefined;
    this.failure = '';
    try {
      const groups = await atHand(language);
      if (language === this.language) this.groups = groups;
    } catch (error) {
      this.failure = words.failed(await problemText(error));
    }
  }

  /** The groups with the lines that have all that is searched for. */
  private get found(): readonly Group[] {
    const wanted = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ title, before }: Group, [names, what, example = '']: Entry): boolean => {
      const said = names.split(' ').map((name) => before + name);
      const text = `${title} ${said.join(' ')} ${what} ${example}`.toLowerCase();
      return wanted.every((part) => text.includes(part));
    };
    return (this.groups ?? []).flatMap((group) => {
      const entries = group.entries.filter((entry) => fits(group, entry));
      return entries.length > 0 ? [{ ...group, entries }] : [];
    });
  }

  private renderTakes(exercise: Exercise) {
    const { language } = this;
    return html`<h3>${words.takes}</h3>
      <pre class="head" translate="no">${signatureOf(exercise, language)}</pre>
      <dl>
        ${exercise.parameters.map(
          (one) => html`<div>
            <dt><code>${language === 'javascript' ? camelCase(one.name) : one.name}</code></dt>
            <dd>
              <code class="type">${typeIn(one, language)}</code>${
                one.shape ? html` ${prose(one.shape)}` : nothing
              }: <span lang=${this.wordsLang ?? nothing}>${prose(one.what, this.formulas)}</span>
            </dd>
          </div>`,
        )}
      </dl>`;
  }

  private renderGroup({ title, before, entries, loose }: Group) {
    // A prefix that ends in a space, such as `import `, is said once: by the title.
    const prefix = before.endsWith(' ') ? '' : before;
    return html`<section>
      <h3>${title}</h3>
      <dl>
        ${entries.map(
          ([names, what, example]) => html`<div>
            <dt>
              ${
                loose
                  ? coded(names)
                  : names
                      .split(' ')
                      .map((name, at) => html`${at > 0 ? ', ' : ''}<code>${prefix}${name}</code>`)
              }
            </dt>
            <dd>${coded(what)}${example ? html` <code class="example">${example}</code>` : nothing}</dd>
          </div>`,
        )}
      </dl>
    </section>`;
  }

  override render() {
    const { exercise, failure, groups, language, found } = this;
    const count = (some: readonly Group[]): number =>
      some.reduce((sum, { entries }) => sum + entries.length, 0);
    return html`<div
      class="at-hand"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        this.dispatchEvent(new CustomEvent('attn-close', { bubbles: true }));
      }}
    >
      <h2 tabindex="-1">${words.title(exercises.languages[language])}</h2>
      ${exercise ? this.renderTakes(exercise) : nothing}
      ${failure ? html`<p class="error" role="alert">${failure}</p>` : nothing}
      ${
        groups
          ? html`<p class="search">
                <label
                  >${words.search}
                  <input
                    type="search"
                    autocomplete="off"
                    spellcheck="false"
                    .value=${live(this.search)}
                    @input=${(event: Event) => {
                      this.search = (event.target as HTMLInputElement).value;
                    }}
                /></label>
                <span class="fine" role="status"
                  >${this.search ? words.found(count(found), count(groups)) : ''}</span
                >
              </p>
              ${words.english ? html`<p class="fine">${words.english}</p>` : nothing}
              <div class="names" lang=${listLang ?? nothing} translate=${listLang ? 'no' : nothing}>
                ${found.map((group) => this.renderGroup(group))}
              </div>`
          : failure
            ? nothing
            : html`<p class="fine" role="status">${words.loading}</p>`
      }
    </div>`;
  }

  /** The focus goes to its heading, so that a screen reader says where it is. */
  override focus(): void {
    this.querySelector('h2')?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-at-hand': AttnAtHand;
  }
  interface HTMLElementEventMap {
    'attn-close': CustomEvent<void>;
  }
}
