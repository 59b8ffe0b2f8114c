/** Everything of a lab below its opening; loaded with the visitor's first move. */
import { html, LitElement, nothing, render } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { EXERCISE_PARTS } from '../../exercises/parts.ts';
import { forNow } from '../../strings/english-for-now.ts';
import { langOf, language, orEnglish } from '../../strings/language.ts';
import './load-when-near.ts';
import type { AttnLoadWhenNear } from './load-when-near.ts';
import '../questions/check-question.ts';
import { isBeforeReader, scrollsItself } from '../../embed/window.ts';
import { figureWords } from '../figure/figure-words.ts';
import { keepFocusInView } from './keep-focus.ts';
import { enhanceOutline } from './outline.ts';
import { type Figure, makeFigure, type OpenLab } from './page.ts';
import { closing, pageWords } from './page-words.ts';
import '../figure/knob-number.ts';
import type { AttnPrediction } from '../questions/prediction.ts';
import '../questions/prediction.ts';
import '../figure/view.ts';
import { adopt } from '../../styles/adopt.ts';
import { theRecords } from '../questions/answer-records.ts';
import { openRecord } from '../questions/open-record.ts';
import { langOfPart } from '../text/part-lang.ts';
import { paragraphs, prose } from '../text/prose.ts';
import type { Block, FigurePlace, LabWords, OpeningWords } from '../types';
import { shellWords } from '../words/index.ts';
import { placeOfEntry, placeOfLastVisit } from './kept-place.ts';
import { currentPlace, forgetPlace, hold, keepPlace, returnTo, untilMoved } from './place.ts';
import { figureOf, revealedBy, type Scene, type SceneFigure, scenesOf } from './scenes.ts';
import css from './shell.css?inline';
import { nextTask, quiet } from './when-idle.ts';

/** Words are shown even if the fonts are slow. */
const FONTS_MS = 300;
const EXERCISES = '../../pages/exercises/index.html';

/** A sentence of the interface around words whose `lang` may be another. */
function inside(sentence: (part: string) => string, part: string, lang: string | undefined) {
  const [before, after] = sentence('\n').split('\n');
  return html`${before}<span lang=${lang ?? nothing}>${part}</span>${after}`;
}

/** A section of the page. */
interface Part {
  readonly id: string;
  readonly title: unknown;
  /** `lang` of the title. */
  readonly lang?: 'en' | undefined;
  readonly scenes: readonly DrawnScene[];
}

interface DrawnScene {
  readonly staged: boolean;
  readonly blocks: readonly (() => unknown)[];
}

/** How many blocks a part has. */
const lengthOf = ({ scenes }: Part): number =>
  scenes.reduce((sum, { blocks }) => sum + blocks.length, 0);

export interface NextLab {
  readonly id: string;
  readonly opening: OpeningWords;
  /** `lang` of the opening, where that is not in the page's language yet. */
  readonly lang: 'en' | undefined;
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
  /** Why answers are not kept; empty while they are. */
  @state() private problem = '';
  /** The reader's answers as a newer version of this page kept them. */
  @state() private newer: unknown;
  private stopListening: (() => void) | undefined;
  private stopKeepingFocus: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = theRecords().listen(() => this.answersKnown());
    this.stopKeepingFocus = keepFocusInView(this);
    addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
    this.stopKeepingFocus?.();
    removeEventListener('keydown', this.onKey);
  }

  /** Escape leaves the tries that are on. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    for (const figure of this.open?.figures.values() ?? []) figure.leaveTry();
  };

  /** What is known of how answers are kept may have changed. */
  answersKnown(): void {
    const records = theRecords();
    this.problem = records.problem ?? '';
    this.newer = this.open && records.newerRecord(this.open.lab.id);
  }

  private async saveNewer(): Promise<void> {
    const { saveNewer } = await import('../../state/newer-file.ts');
    const name = saveNewer(this.open?.lab.id ?? 'lab', 'labs', this.newer);
    this.status = shellWords.now.newer.saved(name);
  }

  /** What the reader has to know about the answers, above the first question. */
  private renderKept(): unknown {
    const { problem, newer } = this;
    const words = shellWords.now;
    return html`<p class="not-kept ${problem ? 'notice' : ''}" role="status">
        ${problem ? words.notKept.lab(problem) : nothing}
      </p>
      ${
        newer === undefined
          ? nothing
          : html`<div class="notice newer">
              <p class="newer-text">${words.newer.text}</p>
              <button class="button" type="button" @click=${() => this.saveNewer()}>
                ${words.newer.save}
              </button>
            </div>`
      }`;
  }

  /** The element of a figure, loaded if the reader has not come near its place yet. */
  private async figure(id: string): Promise<Figure | undefined> {
    const { open } = this;
    if (!open?.figures.has(id)) {
      await this.querySelector<AttnLoadWhenNear>(`attn-load-when-near[data-figure="${id}"]`)?.now();
    }
    const figure = open?.figures.get(id);
    await figure?.updateComplete;
    return figure;
  }

  private renderFigure(place: FigurePlace): unknown {
    const { open } = this;
    if (!open) return nothing;
    return html`<attn-load-when-near
      class="lab-figure"
      data-figure=${place.id}
      .load=${async () => {
        // The reader moves on from the opening, and most of what comes now asks more of the core.
        open.tools.client.preload();
        await place.load?.();
        const figure = open.figures.get(place.id) ?? makeFigure(open, place);
        this.poseAbout(place.id);
        return figure;
      }}
    ></attn-load-when-near>`;
  }

  /** Questions about a figure stand before its first picture. */
  private poseAbout(figure: string): void {
    for (const question of this.querySelectorAll<AttnPrediction>(
      `attn-prediction[data-about~="${figure}"]`,
    ))
      question.pose();
  }

  /** A view of a figure that has its place elsewhere on the page. */
  private renderView({ of, show, knobs }: SceneFigure, id: string): unknown {
    return html`<attn-load-when-near
      class="lab-figure"
      data-view=${of}
      .load=${async () => {
        const figure = await this.figure(of);
        this.poseAbout(of);
        const spec = { id, ...(show && { show }), ...(knobs && { knobs }) };
        return html`<attn-view .figure=${figure} .spec=${spec}></attn-view>`;
      }}
    ></attn-load-when-near>`;
  }

  /** Shows a try, or leaves it when it was on. Nothing scrolls. */
  private async tryOut(
    { currentTarget: target }: Event,
    block: Extract<Block, { kind: 'tries' }>,
    id: string,
  ): Promise<void> {
    const one = block.tries.find((found) => found.id === id);
    const about = figureOf(block);
    const figure = about && (await this.figure(about.of));
    if (!one || !figure || !(target instanceof Element)) return;
    // A picture that waits for an answer shows no try, and the try might tell the answer.
    if (target.closest('.scene')?.querySelector('.open-question')) {
      this.refuse(target, shellWords.now.tries.answerFirst);
      return;
    }
    figure.onTry = () => this.markTries();
    const title = this.words?.tries[block.id]?.[id]?.title ?? id;
    const refused = figure.tryOut({ id: `${block.id}-${id}`, title, values: one.values });
    const { done, left } = shellWords.now.tries;
    this.status = figure.tried === undefined ? left : done(title);
    if (refused.length > 0) this.refuse(target, figureWords.fixed(refused));
    else target.closest('li')?.querySelector('.refused')?.remove();
  }

  /** Says beside a try why it is not shown. */
  private refuse(target: Element, why: string): void {
    this.status = why;
    const entry = target.closest('li');
    const said = entry?.querySelector<HTMLElement>('.refused') ?? document.createElement('p');
    said.className = 'fine refused';
    said.lang = language;
    said.textContent = why;
    entry?.querySelector('.button')?.after(said);
  }

  /** The buttons of the tries that are on are pressed. */
  private markTries(): void {
    const on = new Set([...(this.open?.figures.values() ?? [])].map(({ tried }) => tried));
    for (const button of this.querySelectorAll<HTMLElement>('.tries [data-try]')) {
      button.setAttribute('aria-pressed', String(on.has(button.dataset.try)));
    }
  }

  private renderTries(block: Extract<Block, { kind: 'tries' }>): unknown {
    const words = this.words?.tries[block.id] ?? {};
    return html`<div class="tries-block">
      <h3>${shellWords.now.tries.title}</h3>
      <ul class="tries" lang=${this.langOf(`tries.${block.id}`) ?? nothing}>
        ${block.tries.map(({ id }) => {
          const { title: name = id, text = '' } = words[id] ?? {};
          return html`<li>
            <button
              class="button"
              type="button"
              aria-pressed="false"
              data-try="${block.id}-${id}"
              @click=${(event: Event) => void this.tryOut(event, block, id)}
            >
              ${prose(name)}
            </button>
            <p>${prose(text)}</p>
          </li>`;
        })}
      </ul>
    </div>`;
  }

  private langOf(part: string): 'en' | undefined {
    return langOfPart(this.words, part, this.open?.tools.lang);
  }

  /** The blocks of a scene. Of a figure that has its place elsewhere a view stands beside them. */
  private scene({ figure, place, blocks }: Scene, id: string): DrawnScene {
    const view = figure && (place ? place.id : id);
    const drawn = blocks.map((block) => () => this.renderBlock(block, view));
    if (figure && !place) {
      const at = blocks.findIndex(({ kind }) => kind !== 'prose');
      drawn.splice(at + 1, 0, () => this.renderView(figure, id));
    }
    return { staged: figure !== undefined, blocks: drawn };
  }

  /** A prediction, and beside it the figure that it is about: the question stands before its picture. */
  private renderPrediction(
    block: Extract<Block, { kind: 'prediction' }>,
    view: string | undefined,
  ): unknown {
    const { words, open } = this;
    const said = words?.predictions[block.id];
    if (!said || !open) return nothing;
    const place = revealedBy(block);
    const about = figureOf(block)?.of;
    const rest = (block.reveal ?? []).filter(
      (one) => one.kind !== 'figure' || one.figure !== place,
    );
    return html`<attn-prediction
        data-about=${[about, ...(block.veils ?? [])].filter(Boolean).join(' ') || nothing}
        data-view=${view ?? nothing}
        .open=${open}
        .block=${block}
        .words=${said}
        .wordsLang=${this.langOf(`predictions.${block.id}`)}
        .about=${about}
        .view=${view}
        .values=${block.values ?? place?.values}
        .reveal=${() => rest.map((one) => this.renderBlock(one, view))}
      ></attn-prediction>
      ${place ? this.renderFigure(place) : nothing}`;
  }

  private renderBlock(block: Block, view: string | undefined): unknown {
    const { words, open } = this;
    if (!words || !open) return nothing;
    switch (block.kind) {
      case 'prose':
        return html`<div class="prose" lang=${this.langOf(`prose.${block.id}`) ?? nothing}>${paragraphs(words.prose[block.id] ?? [])}</div>`;
      case 'figure':
        return this.renderFigure(block.figure);
      case 'prediction':
        return this.renderPrediction(block, view);
      case 'check': {
        const said = words.checks[block.id];
        return said
          ? html`<attn-check
              .open=${open}
              .block=${block}
              .words=${said}
              .wordsLang=${this.langOf(`checks.${block.id}`)}
            ></attn-check>`
          : nothing;
      }
      case 'exercises':
        return html`<div class="exercises">
          <h3>${shellWords.now.exercises.title}</h3>
          <p class="fine">${shellWords.now.exercises.intro}</p>
          <attn-load-when-near
            .load=${async () => {
              await import('../../components/exercise/embedded-exercises.ts');
              return html`<attn-write-it
                .ids=${block.ids}
                .hide=${EXERCISE_PARTS.filter((part) => open.store.hides(part))}
                address=${EXERCISES}
              ></attn-write-it>`;
            }}
          ></attn-load-when-near>
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
      lang: this.langOf(`steps.${id}`),
      scenes: scenesOf(blocks).map((scene, i) =>
        this.scene(scene, `${scene.figure?.of ?? id}-in-${id}-${i + 1}`),
      ),
    }));
    const alone = (block: () => unknown) => [{ staged: false, blocks: [block] }];
    return [
      ...steps,
      { id: sources, title: page.sources, scenes: alone(() => this.renderSources()) },
      { id: summary, title: page.summary, scenes: alone(() => this.renderSummary()) },
    ].filter(({ id }) => !open.store.hides(id));
  }

  /** Rendering a whole lab at once would take 300 ms, so blocks follow one by one, with `wait` before each. */
  async fill(wait: () => Promise<void>): Promise<void> {
    const all = this.parts().reduce((sum, part) => sum + lengthOf(part), 0);
    await this.updateComplete;
    while (this.filled < all) {
      await wait();
      this.filled++;
      await this.updateComplete;
    }
  }

  private section(part: Part, shown: number): unknown {
    const { id, title, lang, scenes } = part;
    const whole = shown >= lengthOf(part);
    let left = shown;
    return html`<section class="step" id=${id} aria-labelledby="${id}-title" aria-busy=${whole ? nothing : 'true'}>
      <h2 id="${id}-title" tabindex="-1" lang=${lang ?? nothing}>${title}</h2>
      ${scenes.map(({ staged, blocks }) => {
        const there = blocks.slice(0, left);
        left -= there.length;
        return there.length === 0
          ? nothing
          : html`<div class="scene ${staged ? 'staged' : ''}">${there.map((block) => block())}</div>`;
      })}
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
            <span lang=${this.langOf(`references.${id}`) ?? nothing}>${prose(words.references[id] ?? '')}</span>
          </li>`,
        )}
      </ul>
      ${
        next
          ? html`<h3>${said.next}</h3>
              <p class="next">
                <a class="next-lab" href="../${next.id}/index.html"
                  >${inside(said.nextGo, next.opening.title, next.lang)}</a
                >
                ${next.lang && forNow ? html`<span class="fine">${forNow.short}</span>` : nothing}
                <span lang=${next.lang ?? nothing}>${prose(next.opening.question)}</span>
              </p>`
          : nothing
      }
      <p class="fine"><a href="../../index.html">${said.home}</a></p>`;
  }

  private renderSummary(): unknown {
    const { open, words, opening } = this;
    return html`<attn-load-when-near
      .load=${async () => {
        await import('./summary.ts');
        return html`<attn-lab-summary
          .open=${open}
          .words=${words}
          .opening=${opening}
        ></attn-lab-summary>`;
      }}
    ></attn-load-when-near>`;
  }

  override render() {
    let left = this.filled;
    const started = this.parts().flatMap((part) => {
      const shown = Math.min(lengthOf(part), left);
      left -= shown;
      return shown > 0 ? [{ part, shown }] : [];
    });
    // The words of the page are there once its first part is.
    const kept = started.length > 0 ? this.renderKept() : nothing;
    return html`${kept}${repeat(
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
    orEnglish(lab.words)(),
    import('virtual:labs/openings'),
    openRecord(theRecords(), lab),
  ]);
  const place = placeOfEntry();
  const hurried = (): boolean => location.hash !== '' || place !== undefined;
  if (!hurried()) await quiet();
  adopt(css);
  const element = document.querySelector('attn-lab');
  const nav = document.querySelector<HTMLElement>('nav.outline');
  if (!element || !nav) return;
  const openingOf = (id: string): OpeningWords | undefined => {
    const said = openings[id];
    return said && orEnglish(said);
  };
  const next = lab.next ? openings[lab.next] : undefined;
  element.open = open;
  element.answersKnown();
  element.words = words;
  element.opening = openingOf(lab.id);
  element.next =
    lab.next && next ? { id: lab.next, opening: orEnglish(next), lang: langOf(next) } : undefined;
  // Who reads on while the page is being filled may reload it before it is; a place to go to is not overwritten.
  const reading = !hurried();
  if (reading) keepPlace(lab.id);
  await element.fill(async () => {
    if (hurried()) return nextTask();
    await fontsAreThere();
    await quiet();
  });
  enhanceOutline(nav, open);
  if (place) returnTo(place);
  else if (location.hash.length > 1) await goToAnchor(element);
  else offerPlace(open, words);
  if (!reading) keepPlace(lab.id);
}

/** Says where the reader was in an earlier visit. Nothing jumps: they may want to begin at the beginning. */
function offerPlace({ lab, store, tools }: OpenLab, words: LabWords): void {
  const place = placeOfLastVisit(lab.id);
  const step = lab.steps.findIndex(({ id }) => id === place?.step);
  if (!place || step < 0 || store.hides(place.step) || currentPlace()) return;
  if (!scrollsItself()) return;
  const said = shellWords.now.place;
  const note = document.createElement('p');
  note.className = 'place-note';
  note.setAttribute('role', 'status');
  const end = (): void => {
    note.remove();
    removeEventListener('scroll', onScroll);
  };
  // Who reads on by themselves needs no offer.
  const onScroll = (): void => {
    if (currentPlace()) end();
  };
  const goOn = (): void => {
    end();
    returnTo(place);
    document.getElementById(`${place.step}-title`)?.focus({ preventScroll: true });
  };
  const leave = (): void => {
    forgetPlace(lab.id);
    end();
  };
  render(
    html`<span
        >${said.were(step + 1)}
        <span lang=${langOfPart(words, `steps.${place.step}`, tools.lang) ?? nothing}
          >${prose(words.steps[place.step] ?? place.step)}</span
        ></span
      >
      <button class="button primary" type="button" @click=${goOn}>${said.goOn}</button>
      <button class="plain" type="button" @click=${leave}>${said.leave}</button>`,
    note,
  );
  document.body.append(note);
  addEventListener('scroll', onScroll, { passive: true });
}

/** A font that arrives makes the browser lay out its text again, so the fonts are awaited while there is little text. */
const fontsAreThere = (): Promise<unknown> =>
  Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, FONTS_MS))]);

/** The anchor of the link did not exist when the page was loaded, so the page scrolls to it now. */
async function goToAnchor(element: AttnLab): Promise<void> {
  const id = location.hash.slice(1);
  if (!/^[\w-]+$/.test(id)) return;
  const figure = element.querySelector<AttnLoadWhenNear>(
    `attn-load-when-near[data-figure="${id}"]`,
  );
  await figure?.now();
  const found = figure?.closest('.scene') ?? document.getElementById(id);
  if (!found) return;
  const go = (): void => {
    found.scrollIntoView({ block: 'start', behavior: 'instant' });
    // What comes late above it does not move it away.
    const top = found.getBoundingClientRect().top;
    hold(() => ({ element: found, top }));
  };
  if (window.parent === window) go();
  else void goInFrame(element, found, go);
}

/** The page around has answered to a new height after this time at the latest, as long as it answers at all. */
const ANSWERED_MS = 600;
const SETTLED_MS = 8000;

/**
 * Going to a place in an iframe also scrolls the page around, whose reader may be reading something else. So it waits
 * until they are here. In an iframe as tall as its page only the page around scrolls, and no place can be held there
 * against what comes late above it: all of that is fetched, and then the page around goes there once more. A reader who
 * reads on meanwhile is left alone.
 */
async function goInFrame(element: AttnLab, found: Element, go: () => void): Promise<void> {
  let reads = false;
  const stop = untilMoved(() => {
    reads = true;
  });
  await isBeforeReader();
  if (!reads) go();
  for (const near of element.querySelectorAll<AttnLoadWhenNear>('attn-load-when-near')) {
    if (reads) break;
    const isAbove = near.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isAbove) await near.now();
  }
  const end = performance.now() + SETTLED_MS;
  let [place, since] = [Number.NaN, performance.now()];
  while (!reads && performance.now() - since < ANSWERED_MS && performance.now() < end) {
    await new Promise((done) => setTimeout(done, 100));
    const now = found.getBoundingClientRect().top + scrollY;
    if (now !== place) [place, since] = [now, performance.now()];
  }
  stop();
  if (!reads && !scrollsItself()) found.scrollIntoView({ block: 'start', behavior: 'instant' });
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-lab': AttnLab;
  }
}
