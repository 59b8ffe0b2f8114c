/** Everything of a lab below its opening; loaded with the visitor's first move. */
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { language } from '../strings/language.ts';
import './approach.ts';
import type { AttnApproach } from './approach.ts';
import './check.ts';
import { makeFigure, type OpenLab } from './open.ts';
import { enhanceOutline } from './outline.ts';
import { closing, pageWords } from './page-words.ts';
import './prediction.ts';
import { theRecords } from './progress.ts';
import { paragraphs, prose } from './prose.ts';
import { nextTask, quiet } from './quiet.ts';
import css from './shell.css?inline';
import type { Block, FigurePlace, LabWords, OpeningWords } from './types';
import { shellWords } from './words/index.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** A slow network does not keep the words back. */
const FONTS_MS = 300;
const EXERCISES = '../../pages/exercises/index.html';

/** A section of the page. */
interface Part {
  readonly id: string;
  readonly title: unknown;
  readonly blocks: readonly (() => unknown)[];
}

export interface NextLab {
  readonly id: string;
  readonly opening: OpeningWords;
}

/**
 * The steps of a lab, its references and its summary.
 *
 * @element attn-lab
 */
@customElement('attn-lab')
export class AttnLab extends LitElement {
  @property({ attribute: false }) open: OpenLab | undefined;
  @property({ attribute: false }) words: LabWords | undefined;
  @property({ attribute: false }) opening: OpeningWords | undefined;
  @property({ attribute: false }) next: NextLab | undefined;

  /** How many blocks of the page are there; the others follow one by one. */
  @state() private filled = 0;
  @state() private status = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private renderFigure(place: FigurePlace): unknown {
    const { open } = this;
    if (!open) return nothing;
    return html`<attn-approach
      class="lab-figure"
      data-figure=${place.id}
      .load=${async () => {
        await place.load?.();
        return open.figures.get(place.id) ?? makeFigure(open, place);
      }}
    ></attn-approach>`;
  }

  private async set(block: Extract<Block, { kind: 'tries' }>, id: string): Promise<void> {
    const { open } = this;
    const one = block.tries.find((found) => found.id === id);
    if (!open || !one) return;
    const place = this.querySelector<AttnApproach>(`attn-approach[data-figure="${block.figure}"]`);
    await place?.now();
    const figure = open.figures.get(block.figure);
    await figure?.updateComplete;
    figure?.apply(one.values);
    const title = this.words?.tries[block.id]?.[id]?.title ?? id;
    this.status = shellWords.now.tries.done(title);
  }

  private renderTries(block: Extract<Block, { kind: 'tries' }>): unknown {
    const words = this.words?.tries[block.id] ?? {};
    return html`<div class="tries-block">
      <h3>${shellWords.now.tries.title}</h3>
      <ul class="tries">
        ${block.tries.map(({ id }) => {
          const { title: name = id, text = '' } = words[id] ?? {};
          return html`<li>
            <button class="button" type="button" @click=${() => this.set(block, id)}>
              ${prose(name)}
            </button>
            <p>${prose(text)}</p>
          </li>`;
        })}
      </ul>
    </div>`;
  }

  private renderBlock(block: Block): unknown {
    const { words, open } = this;
    if (!words || !open) return nothing;
    switch (block.kind) {
      case 'prose':
        return html`<div class="prose">${paragraphs(words.prose[block.id] ?? [])}</div>`;
      case 'figure':
        return this.renderFigure(block.figure);
      case 'prediction': {
        const said = words.predictions[block.id];
        return said
          ? html`<attn-prediction
              .open=${open}
              .block=${block}
              .words=${said}
              .reveal=${() => block.reveal?.map((one) => this.renderBlock(one)) ?? nothing}
            ></attn-prediction>`
          : nothing;
      }
      case 'check': {
        const said = words.checks[block.id];
        return said
          ? html`<attn-check .open=${open} .block=${block} .words=${said}></attn-check>`
          : nothing;
      }
      case 'exercises':
        return html`<div class="exercises">
          <h3>${shellWords.now.exercises.title}</h3>
          <p class="fine">${shellWords.now.exercises.intro}</p>
          <attn-approach
            .load=${async () => {
              await import('../components/exercise/embedded.ts');
              return html`<attn-write-it .ids=${block.ids} address=${EXERCISES}></attn-write-it>`;
            }}
          ></attn-approach>
        </div>`;
      case 'tries':
        return this.renderTries(block);
    }
  }

  private parts(): readonly Part[] {
    const { open, words } = this;
    if (!open || !words) return [];
    const page = pageWords[language];
    const [sources, summary] = closing;
    const steps = open.lab.steps.map(({ id, blocks }) => ({
      id,
      title: prose(words.steps[id] ?? id),
      blocks: blocks.map((block) => () => this.renderBlock(block)),
    }));
    return [
      ...steps,
      { id: sources, title: page.sources, blocks: [() => this.renderSources()] },
      { id: summary, title: page.summary, blocks: [() => this.renderSummary()] },
    ].filter(({ id }) => !open.store.hides(id));
  }

  /** A whole lab at once would be a task of 300 ms; `wait` comes before each block. */
  async fill(wait: () => Promise<void>): Promise<void> {
    const all = this.parts().reduce((sum, { blocks }) => sum + blocks.length, 0);
    await this.updateComplete;
    while (this.filled < all) {
      await wait();
      this.filled++;
      await this.updateComplete;
    }
  }

  private section({ id, title, blocks }: Part, shown: number): unknown {
    const whole = shown >= blocks.length;
    return html`<section class="step" id=${id} aria-labelledby="${id}-title" aria-busy=${whole ? nothing : 'true'}>
      <h2 id="${id}-title" tabindex="-1">${title}</h2>
      ${blocks.map((block, i) => (i < shown ? block() : nothing))}
      ${whole ? html`<div class="step-end"></div>` : nothing}
    </section>`;
  }

  private renderSources(): unknown {
    const { open, words, next } = this;
    if (!open || !words) return nothing;
    const said = shellWords.now.sources;
    return html`<h3>${said.papers}</h3>
      <ul class="sources">
        ${open.lab.references.map(
          ({ id, title, url, where }) => html`<li>
            <a href=${url} rel="noopener">${title}</a>${where ? html`, ${prose(where)}` : nothing}.
            ${prose(words.references[id] ?? '')}
          </li>`,
        )}
      </ul>
      ${
        next
          ? html`<h3>${said.next}</h3>
              <p class="next">
                <a class="next-lab" href="../${next.id}/index.html"
                  >${said.nextGo(next.opening.title)}</a
                >
                <span>${prose(next.opening.question)}</span>
              </p>`
          : nothing
      }
      <p class="fine"><a href="../../index.html">${said.home}</a></p>`;
  }

  private renderSummary(): unknown {
    const { open, words, opening } = this;
    return html`<attn-approach
      .load=${async () => {
        await import('./summary.ts');
        return html`<attn-lab-summary
          .open=${open}
          .words=${words}
          .opening=${opening}
        ></attn-lab-summary>`;
      }}
    ></attn-approach>`;
  }

  override render() {
    let left = this.filled;
    const started = this.parts().flatMap((part) => {
      const shown = Math.min(part.blocks.length, left);
      left -= shown;
      return shown > 0 ? [{ part, shown }] : [];
    });
    return html`${repeat(
      started,
      ({ part }) => part.id,
      ({ part, shown }) => guard([shown, this.open, this.words], () => this.section(part, shown)),
    )}
    <p class="visually-hidden lab-status" role="status">${this.status}</p>`;
  }
}

/** Fills the page. Rejects when a part did not arrive; it may be called again then. */
export async function showLab(open: OpenLab): Promise<void> {
  const { lab } = open;
  const [{ words }, { openings }] = await Promise.all([
    lab.words[language](),
    import('virtual:labs/openings'),
    theRecords().open(lab.id),
  ]);
  const hurried = (): boolean => location.hash !== '';
  if (!hurried()) await quiet();
  document.adoptedStyleSheets.push(sheet);
  const element = document.querySelector('attn-lab');
  const nav = document.querySelector<HTMLElement>('nav.outline');
  if (!element || !nav) return;
  const opening = (id: string): OpeningWords | undefined => openings[id]?.[language];
  const next = lab.next ? opening(lab.next) : undefined;
  element.open = open;
  element.words = words;
  element.opening = opening(lab.id);
  element.next = lab.next && next ? { id: lab.next, opening: next } : undefined;
  await element.fill(async () => {
    if (hurried()) return nextTask();
    await fontsAreThere();
    await quiet();
  });
  enhanceOutline(nav, open);
  await goToAnchor(element);
}

/** A font that comes lays out again all that is written in it: better while that is little. */
const fontsAreThere = (): Promise<unknown> =>
  Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, FONTS_MS))]);

/** The anchor of the link did not exist when the page came. */
async function goToAnchor(element: AttnLab): Promise<void> {
  const id = location.hash.slice(1);
  if (!/^[\w-]+$/.test(id)) return;
  const figure = element.querySelector<AttnApproach>(`attn-approach[data-figure="${id}"]`);
  await figure?.now();
  // With its knobs, which are above the picture that has the id.
  (figure ?? document.getElementById(id))?.scrollIntoView({ block: 'start' });
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-lab': AttnLab;
  }
}
