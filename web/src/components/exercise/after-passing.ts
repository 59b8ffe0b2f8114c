import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { loadSolution } from '../../exercises/catalog.ts';
import { exerciseList } from '../../exercises/exercise-list.ts';
import { type CostBeside, costBeside, type Spent } from '../../exercises/judge/cost-beside.ts';
import { type LinePair, linesBeside } from '../../exercises/lines-beside.ts';
import { addressWith } from '../../exercises/parts.ts';
import {
  type PartName,
  partExercises,
  partNames,
  sheetOf,
} from '../../exercises/python/exercise-parts.ts';
import type { Exercise } from '../../exercises/types.ts';
import { formatCount } from '../../plot/counts.ts';
import { formatNumber } from '../../plot/format.ts';
import { forNow } from '../../strings/english-for-now.ts';
import { exercises } from '../../strings/exercises.ts';
import { adopt } from '../../styles/adopt.ts';
import css from './after-passing.css?inline';
import { afterWords as words } from './after-words.ts';
import type { Ran } from './page-work.ts';
import type { Written } from './painter.ts';
import { coded, prose, type RenderedTex } from './prose.ts';
import { theSandbox, theTools } from './tools.ts';

adopt(css);

/** What was measured, by the run that it belongs to: it is measured once. */
const measured = new WeakMap<Ran, Promise<CostBeside | undefined>>();

/** The function of the module `exercise` that an exercise fills. */
const partOf = (id: string): PartName | undefined =>
  partNames.find((name) => partExercises[name] === id);

const whole = (count: number): string => formatCount(Math.round(count));

/**
 * What comes after passing: the student's code beside our solution, what both cost, and where the function is used.
 * It has no shadow root, so the styles of an exercise apply.
 *
 * @element attn-after-passing
 */
@customElement('attn-after-passing')
export class AttnAfterPassing extends LitElement {
  @property({ attribute: false }) specification: Exercise | undefined;
  /** The code that passed. */
  @property({ attribute: false }) written: Written | undefined;
  /** The run in which it passed; missing for code that was kept from an earlier visit. */
  @property({ attribute: false }) ran: Ran | undefined;
  /** What the author of the link has taken away. */
  @property({ attribute: false }) hide: readonly string[] = [];
  @property({ attribute: false }) formulas: RenderedTex = {};
  /** The page of exercises. */
  @property() address = '';
  /** The level of its headings. */
  @property({ type: Number }) level = 3;

  /** Our solution in the language of the code; undefined until it is there. */
  @state() private solution: string | undefined;
  @state() private failed = false;
  @state() private cost: CostBeside | 'measuring' | 'none' | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const spoken =
      changed.has('written') && changed.get('written')?.language !== this.written?.language;
    if (changed.has('specification') || spoken) void this.load();
    else if (changed.has('ran')) void this.measure();
  }

  private async load(): Promise<void> {
    const { specification, written } = this;
    this.solution = undefined;
    this.failed = false;
    if (!specification || !written) return;
    const text = await loadSolution(specification.id, written.language).catch(() => undefined);
    if (specification !== this.specification || written.language !== this.written?.language) return;
    this.solution = text;
    this.failed = text === undefined;
    void this.measure();
  }

  /** The focus goes to the first heading, which the link beside the result leads to. */
  override focus(): void {
    this.querySelector<HTMLElement>('h4')?.focus({ preventScroll: true });
  }

  private async measure(): Promise<void> {
    const { ran, solution, specification } = this;
    this.cost = undefined;
    if (!ran?.grade.passed || !specification || solution === undefined) return;
    this.cost = 'measuring';
    let known = measured.get(ran);
    if (!known) {
      known = theTools().then((tools) =>
        costBeside(specification, { yours: ran.written.code, ours: solution }, ran.grade, {
          ...tools,
          run: theSandbox().run,
        }),
      );
      measured.set(ran, known);
    }
    const cost = await known.catch(() => undefined);
    if (!cost) measured.delete(ran);
    if (ran === this.ran) this.cost = cost ?? 'none';
  }

  private heading(text: string): TemplateResult {
    return html`<h4 tabindex="-1" aria-level=${this.level}>${text}</h4>`;
  }

  private renderSide(side: 'yours' | 'ours', pairs: readonly LinePair[]) {
    return html`<figure class="side ${side}">
      <figcaption>${words[side]}</figcaption>
      <pre translate="no">${pairs.map((pair, at) => {
        const line = pair[side];
        // What does not fit goes on further in than it began, and the sign stands in the margin.
        const inset = (line ?? '').search(/\S|$/) + 4;
        const style = `grid-row:${at + 2};padding-left:${inset + 3}ch;text-indent:-${inset}ch`;
        return html`<span
          class="line ${pair.same ? '' : 'differs'} ${line === undefined ? 'gap' : ''}"
          .style=${style}
          >${
            !pair.same && line !== undefined
              ? html`<i class="visually-hidden">${words.differs} </i>`
              : nothing
          }${line ?? ''}${'\n'}</span
        >`;
      })}</pre>
    </figure>`;
  }

  private renderBeside(written: Written) {
    const { solution } = this;
    if (this.hide.includes('solution'))
      return html`<p class="fine">${exercises.hints.solutionHidden}</p>`;
    if (this.failed) return html`<p class="fine">${exercises.hints.failed}</p>`;
    if (solution === undefined) return nothing;
    const pairs = linesBeside(written.code, solution);
    const differing = pairs
      .filter(({ same }) => !same)
      .reduce(
        (sum, { yours, ours }) => sum + Number(yours !== undefined) + Number(ours !== undefined),
        0,
      );
    return html`<p class="fine">${words.differ(differing)}</p>
      <div class="sides">
        ${this.renderSide('yours', pairs)} ${this.renderSide('ours', pairs)}
      </div>`;
  }

  private renderCost() {
    const { cost } = this;
    const texts = words.cost;
    if (cost === undefined) return html`<p class="fine">${texts.measure}</p>`;
    if (cost === 'measuring') return html`<p class="fine" role="status">${texts.measuring}</p>`;
    if (cost === 'none') return html`<p class="fine">${texts.none}</p>`;
    const { yours, ours, n, tests, runs } = cost;
    const largest = this.specification?.cost?.of === 'largest';
    // A page's clock tells no less.
    const time = (milliseconds: number): string =>
      milliseconds < 0.1
        ? texts.less(formatNumber(0.1, 1))
        : texts.milliseconds(formatNumber(milliseconds, 2));
    const row = (name: string, { counts, milliseconds }: Spent) => html`<tr>
      <th scope="row">${name}</th>
      <td>${whole(counts.multiplyAdds)}</td>
      <td>${whole(counts.touched)}</td>
      ${largest ? html`<td>${whole(counts.largest)}</td>` : nothing}
      <td>${time(milliseconds)}</td>
    </tr>`;
    return html`<table class="spent">
        <thead>
          <tr>
            <td></td>
            <th scope="col">${texts.multiplyAdds}</th>
            <th scope="col">${texts.touched}</th>
            ${largest ? html`<th scope="col">${texts.largest}</th>` : nothing}
            <th scope="col">${texts.time}</th>
          </tr>
        </thead>
        <tbody>
          ${row(words.yours, yours)} ${row(words.ours, ours)}
        </tbody>
      </table>
      <p class="fine">
        ${n === undefined ? texts.overTests(tests) : texts.atLength(whole(n))}
        ${texts.timed(tests, runs)}
      </p>`;
  }

  /** Another page of the site, from the page of exercises. */
  private from(path: string): string {
    return new URL(path, new URL(this.address, location.href)).href;
  }

  private renderUnlocks({ id }: Exercise, language: Written['language']) {
    const texts = words.unlocks;
    const { list, groups } = exerciseList.now;
    const part = language === 'python' ? partOf(id) : undefined;
    const here = list.find((one) => one.id === id);
    const [lab, step] = here?.place?.split('/') ?? [];
    const group = groups.find((one) => one.id === lab);
    const next = list.filter(({ buildsOn }) => buildsOn.includes(id));
    const sheet = part && (sheetOf as Partial<Record<PartName, string>>)[part];
    return html`${
      part
        ? html`<p>
              ${coded((sheet ? texts.sheet : texts.byName)(part))}
              <a class="unlocks" href="${this.from('index.html')}?v=1&sheet=${sheet ?? sheetOf.local_mask}"
                >${texts.toSheet}</a
              >
            </p>`
        : nothing
    }
      ${
        lab && step
          ? html`<p>
              ${this.aroundLab(texts.inLab, group)}
              <a class="to-step" href="${this.from(`../../labs/${lab}/index.html`)}#${step}">${texts.toStep}</a>${group?.lang && forNow ? ` (${forNow.short})` : ''}
            </p>`
          : nothing
      }
      ${
        next.length > 0
          ? html`<p>
              ${texts.next}
              ${next.map(
                (one, at) =>
                  html`${at > 0 ? ', ' : ''}<a
                      href=${addressWith(this.from('index.html'), this.hide, one.id)}
                      lang=${one.lang ?? nothing}
                      >${prose(one.title, this.formulas)}</a
                    >${one.lang && forNow ? ` (${forNow.short})` : ''}`,
              )}.
            </p>`
          : nothing
      }`;
  }

  /** A sentence around the title of a lab, which may be in English still. */
  private aroundLab(
    sentence: (lab: string) => string,
    group: { readonly title: string; readonly lang?: 'en' } | undefined,
  ) {
    const [before = '', after = ''] = sentence('\n').split('\n');
    return html`${before}<span lang=${group?.lang ?? nothing}>${group?.title ?? ''}</span>${after}`;
  }

  override render() {
    const { specification, written } = this;
    if (!specification || !written) return nothing;
    return html`<section class="after" aria-label=${words.title}>
      ${this.heading(words.cost.title)} ${this.renderCost()}
      ${this.heading(words.unlocks.title)}
      <div class="unlocked">${this.renderUnlocks(specification, written.language)}</div>
      ${this.heading(words.beside)} ${this.renderBeside(written)}
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-after-passing': AttnAfterPassing;
  }
}
