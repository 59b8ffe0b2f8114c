import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { onPress } from '../page/on-press.ts';
import type { OpenLab } from '../page/open-lab.ts';
import { formulaName, spoken } from '../text/plain-text.ts';
import { prose } from '../text/prose.ts';
import type { Check, LabWords } from '../types';
import { shellWords } from '../words/index.ts';
import { theRecords } from './answer-records.ts';
import { verdictOf } from './answer-scoring.ts';

/**
 * A multiple-choice question; each answer has an explanation.
 *
 * @element attn-check
 */
@customElement('attn-check')
export class AttnCheck extends LitElement {
  @property({ attribute: false }) open!: OpenLab;
  @property({ attribute: false }) block!: Check;
  @property({ attribute: false }) words!: LabWords['checks'][string];

  /** The `lang` of the words, where they are not in the page's language. */
  @property({ attribute: false }) wordsLang: 'en' | undefined;

  @state() private chosen: ReadonlySet<string> = new Set();
  /** The options of the last answer; undefined before the first. */
  @state() private answered: readonly string[] | undefined;
  @state() private message = '';
  @state() private kept = true;

  private stopListening: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const lab = this.open.lab.id;
    const read = (): void => {
      this.kept = !theRecords().problem;
      const record = theRecords().get(lab).checks[this.block.id];
      if (record && !this.answered) {
        this.answered = record.last;
        this.chosen = new Set(record.last);
      } else if (!record && this.answered) {
        this.answered = undefined;
        this.chosen = new Set();
      }
    };
    read();
    this.stopListening = theRecords().listen((changed) => {
      if (changed === lab) read();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
  }

  private get several(): boolean {
    return this.block.right.length > 1;
  }

  private choose(option: string, on: boolean): void {
    const chosen = new Set(this.several ? this.chosen : []);
    if (on) chosen.add(option);
    else chosen.delete(option);
    this.chosen = chosen;
    this.message = '';
  }

  private answer(): void {
    const chosen = this.block.options.filter((option) => this.chosen.has(option));
    if (chosen.length === 0) {
      this.message = shellWords.now.check.missing;
      this.querySelector<HTMLElement>('input')?.focus();
      return;
    }
    this.message = '';
    this.answered = chosen;
    const right = verdictOf(chosen, this.block) === 'right';
    theRecords().check(this.open.lab.id, this.block.id, chosen, right);
  }

  override render() {
    const { block, words, answered, several } = this;
    const said = shellWords.now.check;
    const name = `check-${block.id}`;
    const lang = this.wordsLang ?? nothing;
    const verdict = answered && verdictOf(answered, block);
    const explains = (option: string): boolean =>
      answered !== undefined && (verdict === 'right' || answered.includes(option));
    return html`<section class="question check" aria-labelledby="${name}-title">
      <p class="kicker">${said.title}</p>
      <h3 id="${name}-title" lang=${lang}>${prose(words.question)}</h3>
      <form>
        <fieldset class="options">
          <legend class="visually-hidden" lang=${lang}>${spoken(words.question)}</legend>
          <p class="fine">${several ? said.several : said.one}</p>
          ${block.options.map((option) => {
            const right = block.right.includes(option);
            const why = `${name}-${option}-why`;
            const { text, why: because } = words.options[option] ?? { text: option, why: '' };
            return html`<label lang=${lang}
                ><input
                  type=${several ? 'checkbox' : 'radio'}
                  name=${name}
                  value=${option}
                  aria-label=${formulaName(text) ?? nothing}
                  aria-describedby=${explains(option) ? why : nothing}
                  .checked=${live(this.chosen.has(option))}
                  @change=${(event: Event) =>
                    this.choose(option, (event.target as HTMLInputElement).checked)}
                /><span>${prose(text)}</span></label
              >
              ${
                explains(option)
                  ? html`<p class="because ${right ? 'right' : 'wrong'}" id=${why}>
                      <strong>${right ? said.correct : said.incorrect}:</strong> <span lang=${lang}>${prose(because)}</span>
                    </p>`
                  : nothing
              }`;
          })}
        </fieldset>
        ${this.message ? html`<p class="error" role="alert">${this.message}</p>` : nothing}
        <p class="commit">
          <button class="button primary" type="submit" @click=${onPress(() => this.answer())}>
            ${said.answer}
          </button>
          <span class="verdict ${verdict ?? ''}" role="status"
            >${verdict ? said[verdict] : nothing}
            ${verdict && verdict !== 'right' ? said.again : nothing}</span
          >
          ${verdict && !this.kept ? html`<span class="fine">${shellWords.now.prediction.forgotten}</span>` : nothing}
        </p>
      </form>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-check': AttnCheck;
  }
}
