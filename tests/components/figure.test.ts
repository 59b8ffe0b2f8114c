import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CancelledError, CoreError } from '#client';
import '../../web/src/styles/bench.css';
import '../../web/src/lab/page/stage.css';
import '../../web/src/lab/figure/view.css';
import '../../web/src/lab/questions/prediction';
import '../../web/src/lab/figure/view';
import {
  type KeyNumber,
  LabFigure,
  type Shown,
  type ViewSpec,
} from '../../web/src/lab/figure/figure';
import { choice, seedKnob, slider, toggle } from '../../web/src/lab/figure/knob';
import { KnobError } from '../../web/src/lab/figure/knob-error';
import type { OpenLab } from '../../web/src/lab/page/open-lab';
import type { AttnPrediction } from '../../web/src/lab/questions/prediction';
import { type Question, questionPictures } from '../../web/src/lab/questions/question';
import type { Ask, FigureData, FigurePlace } from '../../web/src/lab/types';
import { shellWords } from '../../web/src/lab/words/index';
import type { UrlHistory } from '../../web/src/state/history';
import { boolean, integer, oneOf, type StateOf } from '../../web/src/state/url';
import { labFigure } from './lab-figure';
import { all, inEveryLook, inside, textOf, violations } from './support';

const table = {
  n: integer({ key: 'n', min: 2, max: 64, default: 8 }),
  masked: boolean({ key: 'masked', default: false }),
  kind: oneOf({ key: 'kind', values: ['sum', 'mean'] as const, default: 'sum' }),
  seed: integer({ key: 'seed', min: 0, max: 2 ** 31 - 1, default: 1 }),
};
type Values = StateOf<typeof table>;

interface Asked {
  readonly values: Values;
  readonly ask: Ask;
  readonly answer: (result?: number) => void;
  readonly fail: (error: unknown) => void;
}

/** A figure whose core answers when the test says so. */
@customElement('attn-figure-under-test')
class FigureUnderTest extends LabFigure<number, typeof table> {
  override readonly table = table;
  readonly asked: Asked[] = [];
  override get heading(): string {
    return 'A number';
  }
  protected override compute(values: Values, ask: Ask): Promise<number | undefined> {
    return new Promise<number | undefined>((answer, fail) => {
      this.asked.push({ values, ask, answer, fail });
      ask.signal.addEventListener('abort', () => fail(new CancelledError()));
    });
  }
  protected override get controls() {
    return [
      slider('n', { symbol: 'n', label: 'tokens' }),
      toggle('masked', { label: 'Causal mask' }),
      choice('kind', { label: 'Kind', options: { sum: 'Sum', mean: 'Mean' } }),
      seedKnob(),
    ];
  }
  protected override renderResult({ result }: Shown<Values, number>): unknown {
    const was = this.ghost?.result;
    return html`<p class="result">${result}</p>
      ${was === undefined ? nothing : html`<p class="ghost">${was}</p>`}`;
  }
  protected override pictures() {
    return {
      half: ({ result }: Shown<Values, number>) => html`<p class="half">${result / 2}</p>`,
    };
  }
  protected override get titles() {
    return { half: 'Half of it' };
  }
  protected override keyNumbers({ values, result }: Shown<Values, number>): readonly KeyNumber[] {
    return [
      { label: 'result', value: result, text: String(result) },
      { label: 'seed', value: values.seed, text: String(values.seed) },
    ];
  }
  protected override renderDetails({ result }: Shown<Values, number>): unknown {
    return html`<table class="all-of-it">
      <tbody>
        <tr><th scope="row">Result</th> <td>${result}</td></tr>
      </tbody>
    </table>`;
  }
  protected override renderAsked(): unknown {
    return html`<p class="asked">The axis, without its answer.</p>`;
  }
  protected override caption({ values }: Shown<Values, number>): string {
    return `n = ${values.n}, seed ${values.seed}.`;
  }
  protected override summary({ result }: Shown<Values, number>): string {
    return `It is ${result}.`;
  }
  protected override data({ result }: Shown<Values, number>): FigureData {
    return { columns: ['result'], rows: [[result]] };
  }
}

@customElement('attn-remembering-figure')
class RememberingFigure extends FigureUnderTest {
  private readonly answers = this.recentAnswers<number | undefined>(2);
  protected override compute(values: Values, ask: Ask): Promise<number | undefined> {
    return this.answers.of(values.n, () => super.compute(values, ask));
  }
}

@customElement('attn-figure-with-button')
class FigureWithButton extends FigureUnderTest {
  protected override renderResult({ result }: Shown<Values, number>): unknown {
    return html`<button class="of-all">${result}</button>
      ${result === 8 ? html`<button class="only-of-eight">Eight</button>` : nothing}`;
  }
}

/** One of its knobs stands in the picture. */
@customElement('attn-figure-with-knob')
class FigureWithKnob extends FigureUnderTest {
  protected override get controls() {
    return [
      slider('n', { symbol: 'n', label: 'tokens' }),
      choice('kind', { label: 'Kind', options: { sum: 'Sum', mean: 'Mean' } }, { placed: true }),
      toggle('masked', { label: 'Causal mask' }, { when: this.values.n > 20 }),
    ];
  }
  protected override renderResult(): unknown {
    return this.placed('kind');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-figure-under-test': FigureUnderTest;
    'attn-remembering-figure': RememberingFigure;
    'attn-figure-with-knob': FigureWithKnob;
    'attn-figure-with-button': FigureWithButton;
  }
}

/** An address bar made for the test, so that the address of the test's own page does not change. */
function bar() {
  const listeners = new Set<(search: string) => void>();
  const shown: string[] = [];
  const history: UrlHistory = {
    draft: (search) => void shown.push(`draft ${search}`),
    commit: (search) => void shown.push(search),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => listeners.clear(),
  };
  return {
    history,
    shown,
    back: (to: string) => {
      for (const tell of listeners) tell(to);
    },
  };
}

let restarts = 0;
const client = { restart: () => restarts++ };

async function figure(
  search = '',
  place: Partial<FigurePlace> = {},
  tag:
    | 'attn-figure-under-test'
    | 'attn-remembering-figure'
    | 'attn-figure-with-knob'
    | 'attn-figure-with-button' = 'attn-figure-under-test',
) {
  const address = bar();
  const { history } = address;
  const element: FigureUnderTest = labFigure(tag, { client, search, history, place });
  await element.updateComplete;
  return { element, address };
}
const newest = (of: FigureUnderTest): Asked => {
  const last = of.asked.at(-1);
  if (!last) throw new Error('nothing was asked');
  return last;
};
const caption = (of: FigureUnderTest): string => textOf(inside(of, 'figcaption'));
const alerts = (of: FigureUnderTest): string[] => [
  ...all(of, '[role=alert]').map(textOf),
  ...all(of, 'attn-slider').flatMap((slider) => all(slider, '[role=alert]').map(textOf)),
];
/** For what must not happen: no state says that it is not going to. */
const waited = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
/** What flashes when it changes has its own colours again. */
const stillness = (): Promise<unknown> =>
  Promise.all(document.getAnimations().map(({ finished }) => finished));
const wrong = (argument: string): CoreError =>
  new CoreError('value', `${argument} must be small`, argument);

const seenKnobs = (of: Element): (string | undefined)[] =>
  all<HTMLElement>(of, '.knob').flatMap((knob) =>
    knob.checkVisibility() ? [knob.dataset.knob] : [],
  );

/** A view of the figure beside it. */
async function viewOf(of: FigureUnderTest, spec: ViewSpec) {
  const view = document.createElement('attn-view');
  Object.assign(view, { figure: of, spec });
  of.after(view);
  await view.updateComplete;
  return view;
}

describe('a figure', () => {
  it('asks one question at a time, then the newest one, and shows the last answer meanwhile', async () => {
    const { element } = await figure();
    expect(element.asked.map(({ values }) => values.n)).toEqual([8]);
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toMatch(/^n = 8, seed 1\./);
    for (const n of [10, 11, 12, 13]) element.set({ n }, { draft: true });
    await waited(20);
    expect(element.asked.map(({ values }) => values.n)).toEqual([8, 10]);
    expect(caption(element)).toContain('n = 8');
    newest(element).answer(2);
    await expect.poll(() => element.asked.map(({ values }) => values.n)).toEqual([8, 10, 13]);
    newest(element).answer(3);
    await expect.poll(() => caption(element)).toContain('n = 13');
    expect(textOf(inside(element, '.result'))).toBe('3');
  });

  it('announces its result to a screen reader once the knobs rest, and not before', async () => {
    const { element } = await figure();
    const live = inside(element, ':scope > [role=status]');
    newest(element).answer(1);
    await waited(400);
    expect(textOf(live)).toBe('');
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).answer(2);
    await expect.poll(() => textOf(live), { timeout: 5000 }).toBe('It is 2.');
  });

  it('shows an error of the core beside the knob that caused it, and any other error apart', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).fail(wrong('n'));
    await expect.poll(() => alerts(element)).toHaveLength(1);
    const slider = inside(element, 'attn-slider');
    expect(textOf(inside(slider, '[role=alert]'))).not.toBe('');
    // The last picture stays.
    expect(caption(element)).toContain('n = 8');
    element.set({ n: 10 });
    await expect.poll(() => element.asked.length).toBe(3);
    newest(element).fail(new CoreError('trap', 'unreachable'));
    await expect.poll(() => alerts(element)).toEqual([expect.stringContaining('stumbled')]);
    expect(slider.shadowRoot?.querySelector('[role=alert]')).toBeNull();
    // The core can be started anew there, which asks again.
    await userEvent.click(page.getByRole('button', { name: 'Restart the core' }));
    expect(restarts).toBe(1);
    await expect.poll(() => element.asked.length).toBe(4);
    newest(element).answer(4);
    await expect.poll(() => alerts(element)).toEqual([]);
    expect(page.getByRole('button', { name: 'Restart the core' }).query()).toBeNull();
    // It can be started anew where nothing is wrong, too.
    await userEvent.click(page.getByRole('button', { name: 'One more knob' }));
    await userEvent.click(page.getByRole('button', { name: 'Start the core anew' }));
    expect(restarts).toBe(2);
    await expect.poll(() => element.asked.length).toBe(5);
    newest(element).answer(4);
    await expect.poll(() => alerts(element)).toEqual([]);
    element.set({ n: 11 });
    await expect.poll(() => element.asked.length).toBe(6);
    newest(element).answer(4);
    await expect.poll(() => alerts(element)).toEqual([]);
  });

  it('brings a knob out of the sheet for an error that it has', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    expect(seenKnobs(element)).not.toContain('seed');
    // The knob that is moved is not the one that is at fault.
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).fail(wrong('seed'));
    await expect.poll(() => seenKnobs(element)).toContain('seed');
  });

  it('says beside its knob what the figure itself refuses, and keeps the picture', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).fail(new KnobError('n', 'Nine is too odd.'));
    const slider = inside(element, '[data-knob=n] attn-slider');
    await expect.poll(() => all(slider, '[role=alert]').map(textOf)).toEqual(['Nine is too odd.']);
    // Something is missing, and nothing is wrong.
    element.set({ n: 10 });
    await expect.poll(() => element.asked.length).toBe(3);
    newest(element).answer(undefined);
    await expect.poll(() => alerts(element)).toEqual([]);
    expect(caption(element)).toContain('n = 8');
  });

  it('computes nothing again that it keeps, until the reader wants it computed again', async () => {
    const { element } = await figure('', {}, 'attn-remembering-figure');
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).answer(2);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('2');
    element.set({ n: 8 });
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('1');
    expect(element.asked).toHaveLength(2);
    await userEvent.click(page.getByRole('button', { name: 'One more knob' }));
    await userEvent.click(page.getByRole('button', { name: 'Start the core anew' }));
    await expect.poll(() => element.asked.length).toBe(3);
    newest(element).answer(3);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('3');
  });

  it('offers Stop when a computation takes long, and says that it was stopped', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    expect(page.getByRole('button', { name: 'Stop' }).query()).toBeNull();
    element.set({ n: 9 });
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    newest(element).ask.onProgress(0.5);
    await expect.poll(() => inside<HTMLProgressElement>(element, 'progress').value).toBe(0.5);
    await userEvent.click(page.getByRole('button', { name: 'Stop' }));
    await expect.poll(() => textOf(inside(element, '.status'))).toMatch(/^Stopped\./);
    expect(caption(element)).toContain('n = 8');
  });

  it('takes the colours from the earlier picture while a newer one takes long, and passes axe', async () => {
    const { element } = await figure();
    const grey = () => getComputedStyle(inside(element, 'figcaption')).filter !== 'none';
    // The first picture has none before it.
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    expect(grey()).toBe(false);
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    element.set({ n: 9 });
    await element.updateComplete;
    expect(grey()).toBe(false);
    await expect.poll(grey).toBe(true);
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
    newest(element).answer(2);
    await expect.poll(() => caption(element)).toContain('n = 9');
    expect(grey()).toBe(false);
  });

  it('writes its knobs into the link with its own name as prefix, and reads them from there', async () => {
    const { element, address } = await figure('?v=1&one.n=12&other.n=3');
    expect(newest(element).values.n).toBe(12);
    newest(element).answer(1);
    await userEvent.click(page.getByRole('switch', { name: 'Causal mask' }));
    expect(address.shown.at(-1)).toContain('one.masked=1');
    // The values of a figure that is not on the page are kept.
    expect(address.shown.at(-1)).toContain('other.n=3');
    address.back('?v=1&one.n=5');
    await expect.poll(() => element.values).toMatchObject({ n: 5, masked: false });
  });

  it('hides and locks the knobs that the link names, and reports values that it cannot use', async () => {
    const { element } = await figure('?one.n=5000&hide=one.seed&lock=one.masked');
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    expect(page.getByLabelText('Seed').query()).toBeNull();
    expect(inside<HTMLInputElement>(element, '[role=switch]').disabled).toBe(true);
    expect(alerts(element).join(' ')).toMatch(/n = '5000'; wanted a whole number from 2 to 64/);
  });

  it('shows three knobs and those of the link, keeps the others in its sheet, and the sheet open', async () => {
    const { element, address } = await figure();
    newest(element).answer(1);
    const shown = (): (string | undefined)[] => seenKnobs(element);
    expect(shown()).toEqual(['n', 'masked', 'kind']);
    const more = page.getByRole('button', { name: 'One more knob' });
    expect(more.element().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(more);
    expect(shown()).toEqual(['n', 'masked', 'kind', 'seed']);
    address.back('?v=1&one.n=5');
    await expect.poll(() => element.values.n).toBe(5);
    expect(shown()).toHaveLength(4);
    // What the link had set when the page was opened is at first sight, in the order of the knobs.
    const linked = await figure('?one.seed=7');
    newest(linked.element).answer(1);
    expect(seenKnobs(linked.element)).toEqual(['n', 'masked', 'kind', 'seed']);
    expect(inside(linked.element, '.sheet').checkVisibility()).toBe(false);
    await expect
      .poll(() => page.getByRole('button', { name: 'Details', exact: true }).query())
      .not.toBeNull();
  });

  it('has all else in a sheet over the page, which Escape closes and which gives the focus back', async () => {
    const { element } = await figure();
    newest(element).answer(7);
    await expect.poll(() => caption(element)).toContain('n = 8');
    const more = page.getByRole('button', { name: 'One more knob, details' });
    const picture = () => JSON.stringify(inside(element, '.picture').getBoundingClientRect());
    const before = [picture(), document.documentElement.scrollHeight];
    await userEvent.click(more);
    const sheet = inside(element, '.sheet');
    await expect.poll(() => sheet.matches(':popover-open')).toBe(true);
    await expect.poll(() => document.activeElement).toBe(sheet);
    // It lies over the page and moves nothing in it.
    expect([picture(), document.documentElement.scrollHeight]).toEqual(before);
    const { left, top, right, bottom } = sheet.getBoundingClientRect();
    expect([left >= 0, top >= 0, right <= innerWidth, bottom <= innerHeight]).not.toContain(false);
    expect(all(sheet, '.knob').map((knob) => (knob as HTMLElement).dataset.knob)).toEqual(['seed']);
    expect(textOf(inside(sheet, '.all-of-it'))).toBe('Result 7');
    expect(textOf(inside(sheet, '.about'))).toMatch(/^n = 8, seed 1\. .*Attention Labs 0\.$/);
    expect(inside(element, 'figcaption').checkVisibility()).toBe(false);
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => sheet.matches(':popover-open')).toBe(false);
    await expect.poll(() => document.activeElement).toBe(more.element());
    // Also where the keyboard is beside it, as after a knob in the picture; what else Escape does waits.
    element.tryOut({ id: 'a', title: 'Long', values: { n: 40 } });
    await userEvent.click(more);
    await expect.poll(() => sheet.matches(':popover-open')).toBe(true);
    inside<HTMLElement>(element, '.view-knobs input').focus();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => sheet.matches(':popover-open')).toBe(false);
    expect(element.tried).toBe('a');
  });

  it('has one sheet open at a time, whichever view it belongs to', async () => {
    const { element } = await figure();
    newest(element).answer(7);
    await viewOf(element, { id: 'beside' });
    const open = () => all(document.body, '.sheet:popover-open').map(({ id }) => id);
    await userEvent.click(page.getByRole('button', { name: 'One more knob' }).first());
    await expect.poll(open).toEqual(['one-sheet']);
    inside<HTMLButtonElement>(document.body, '#beside-more').click();
    await expect.poll(open).toEqual(['beside-sheet']);
  });

  it('shows a try beside the reader’s own knobs, says what it changes, and gives them back', async () => {
    const { element, address } = await figure('?one.n=12');
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 12');
    const one = { id: 'a', title: 'Long', values: { n: 40 } };
    const before = address.shown.length;
    element.tryOut(one);
    expect(element.values).toMatchObject({ n: 40, seed: 1, kind: 'sum' });
    await element.updateComplete;
    expect(textOf(inside(element, '.tried'))).toBe('Try: Long · n 12 → 40');
    expect(all(element, '.knob.changed').map((knob) => (knob as HTMLElement).dataset.knob)).toEqual(
      ['n'],
    );
    expect(address.shown).toHaveLength(before);
    element.tryOut(one);
    expect(element.values).toMatchObject({ n: 12, seed: 1 });
    // A value out of range becomes the nearest one, as in a link.
    element.tryOut({ id: 'b', title: 'Too long', values: { n: 4000 } });
    expect(element.values.n).toBe(64);
    await userEvent.click(page.getByRole('button', { name: 'Back to my knobs' }));
    expect(element.values.n).toBe(12);
    element.tryOut(one);
    element.set({ masked: true });
    expect(element.tried).toBeUndefined();
    expect(element.values).toMatchObject({ n: 40, masked: true });
    expect(address.shown.at(-1)).toContain('one.n=40');
  });

  it('begins a try with the reader’s own values, keeps what was as a ghost, and says what has changed', async () => {
    const { element } = await figure('?one.n=12&one.kind=mean');
    newest(element).answer(5);
    const line = () => textOf(inside(element, '.result-line'));
    const ghost = () => textOf(element.querySelector('.ghost'));
    await expect.poll(line).toBe('It is 5.');
    element.tryOut({ id: 'a', title: 'Long', values: { n: 40 } });
    await expect.poll(() => newest(element).values).toMatchObject({ n: 40, kind: 'mean' });
    // Until there is an answer, nothing is compared with itself.
    expect([line(), ghost()]).toEqual(['It is 5.', '']);
    newest(element).answer(9);
    await expect.poll(line).toBe('Result: 5 → 9, seed: 1, as before.');
    expect(ghost()).toBe('5');
    // The second try begins with the reader's values too, and what was is still the reader's.
    element.tryOut({ id: 'b', title: 'Causal', values: { masked: true } });
    await expect
      .poll(() => newest(element).values)
      .toMatchObject({ n: 12, kind: 'mean', masked: true });
    newest(element).answer(6);
    await expect.poll(line).toBe('Result: 5 → 6, seed: 1, as before.');
    expect(ghost()).toBe('5');
    element.leaveTry();
    await expect.poll(() => newest(element).values).toMatchObject({ n: 12, masked: false });
    newest(element).answer(5);
    await expect.poll(line).toBe('It is 5.');
    expect(ghost()).toBe('');
  });

  it('compares a try with nothing that the reader’s knobs no longer say', async () => {
    const { element } = await figure();
    newest(element).answer(5);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('5');
    element.set({ n: 9 });
    element.tryOut({ id: 'a', title: 'Long', values: { n: 40 } });
    for (let i = 0; i < 3 && newest(element).values.n !== 40; i++) {
      const { length } = element.asked;
      newest(element).answer(6);
      await expect.poll(() => element.asked.length).toBeGreaterThan(length);
    }
    newest(element).answer(9);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('9');
    expect(textOf(element.querySelector('.ghost'))).not.toBe('5');
    expect(textOf(inside(element, '.result-line'))).not.toContain('5 →');
  });

  it('says of a knob in its picture, too, what a try changes', async () => {
    const { element } = await figure('', {}, 'attn-figure-with-knob');
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    element.tryOut({ id: 'a', title: 'Mean', values: { n: 40, kind: 'mean' } });
    await element.updateComplete;
    expect(textOf(inside(element, '.tried')).replace(/\s+/g, ' ')).toMatch(
      /Try: Mean · n 8 → 40 · Kind Sum → Mean/,
    );
  });

  it('refuses text that is not a seed, and keeps what was typed', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await userEvent.click(page.getByRole('button', { name: 'One more knob' }));
    const field = page.getByLabelText('Seed', { exact: true });
    await userEvent.fill(field, '-3');
    await userEvent.keyboard('{Tab}');
    await expect
      .poll(() => alerts(element))
      .toEqual(['Saw -3; wanted a whole number from 0 to 2147483647.']);
    expect((field.element() as HTMLInputElement).value).toBe('-3');
    expect(element.values.seed).toBe(1);
    await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
    await expect.poll(() => alerts(element)).toEqual([]);
    expect((field.element() as HTMLInputElement).value).toBe('1');
  });

  it('reads a seed as the page writes numbers, and steps it with the arrow keys', async () => {
    const { element } = await figure();
    newest(element).answer(1);
    await userEvent.click(page.getByRole('button', { name: 'One more knob' }));
    const field = page.getByLabelText('Seed', { exact: true });
    await userEvent.fill(field, '1,000');
    expect(element.values.seed).toBe(1);
    await userEvent.keyboard('{Tab}');
    expect(element.values.seed).toBe(1000);
    await userEvent.click(field);
    await userEvent.keyboard('{ArrowUp}{PageDown}');
    expect(element.values.seed).toBe(991);
  });

  it('returns to its defaults on Reset, and offers Undo', async () => {
    const { element, address } = await figure('?one.n=12&one.kind=mean');
    newest(element).answer(1);
    await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
    expect(element.values).toMatchObject({ n: 8, kind: 'sum' });
    expect(address.shown.at(-1)).not.toContain('one.');
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).query()).not.toBeNull();
  });

  it('passes axe while it waits, when it is drawn, and with an error', async () => {
    const { element } = await figure();
    expect(await violations(element)).toEqual([]);
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).fail(wrong('n'));
    await expect.poll(() => alerts(element)).toHaveLength(1);
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
  });
});

describe('a view of a figure', () => {
  it('shows the picture and the knobs that it names, and shares values and answers', async () => {
    const { element } = await figure();
    const view = await viewOf(element, { id: 'beside', show: 'half', knobs: ['kind'] });
    newest(element).answer(8);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('8');
    await expect.poll(() => textOf(view.querySelector('.half'))).toBe('4');
    expect(view.querySelector('.result')).toBeNull();
    expect(view.hasAttribute('data-drawn')).toBe(true);
    expect(textOf(inside(view, 'h3'))).toBe('Half of it');
    expect(textOf(inside(element, 'h3'))).toBe('A number');
    expect(seenKnobs(view)).toEqual(['kind']);
    await userEvent.click(inside(view, '.more-knobs'));
    await expect.poll(() => inside(view, '.sheet').matches(':popover-open')).toBe(true);
    expect(all(view, '.sheet .knob').map((knob) => (knob as HTMLElement).dataset.knob)).toEqual([
      ...['n', 'masked', 'seed'],
    ]);
    // No id is there twice, so that every label names its own field.
    const ids = all(document.body, '[id]').map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    // A knob that is moved here moves there, and one question is asked for both.
    inside<HTMLInputElement>(view, '.view-knobs input[value=mean]').click();
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).answer(10);
    await expect.poll(() => textOf(view.querySelector('.half'))).toBe('5');
    expect(textOf(inside(element, '.result'))).toBe('10');
    expect(inside<HTMLInputElement>(element, '.view-knobs input[value=mean]').checked).toBe(true);
    expect(element.asked).toHaveLength(2);
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
    // A view that has left is not rendered any more, and one that comes back shows what is.
    view.remove();
    element.set({ kind: 'sum' });
    await expect.poll(() => element.asked.length).toBe(3);
    newest(element).answer(2);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('2');
    element.after(view);
    await expect.poll(() => textOf(view.querySelector('.half'))).toBe('1');
  });

  it('keeps the focus of the keyboard where its Stop was, as the figure does', async () => {
    const { element } = await figure();
    const view = await viewOf(element, { id: 'beside', show: 'half', knobs: ['kind'] });
    newest(element).answer(8);
    for (const host of [view, element]) {
      await expect.poll(() => element.hasAttribute('data-at-work')).toBe(false);
      element.set({ n: host === view ? 9 : 10 });
      await expect.poll(() => host.querySelector('.progress button')).not.toBeNull();
      expect(element.hasAttribute('data-at-work')).toBe(true);
      inside<HTMLElement>(host, '.progress button').focus();
      newest(element).answer(1);
      await expect.poll(() => host.querySelector('.progress button')).toBeNull();
      expect(document.activeElement).toBe(inside(host, '.status'));
    }
  });

  it('gives the focus to the figure when a new picture takes away what had it', async () => {
    const { element } = await figure('', {}, 'attn-figure-with-button');
    newest(element).answer(8);
    await expect.poll(() => element.querySelector('.only-of-eight')).not.toBeNull();
    inside<HTMLElement>(element, '.only-of-eight').focus();
    element.set({ n: 9 });
    await element.updateComplete;
    newest(element).answer(9);
    await expect.poll(() => element.querySelector('.only-of-eight')).toBeNull();
    expect(document.activeElement).toBe(inside(element, 'figure'));
    // What stays keeps it.
    inside<HTMLElement>(element, '.of-all').focus();
    element.set({ n: 8 });
    await element.updateComplete;
    newest(element).answer(8);
    await expect.poll(() => element.querySelector('.only-of-eight')).not.toBeNull();
    expect(document.activeElement).toBe(inside(element, '.of-all'));
  });

  it('has a knob in its picture where the figure has one', async () => {
    const { element } = await figure('', {}, 'attn-figure-with-knob');
    newest(element).answer(8);
    await expect.poll(() => caption(element)).toContain('n = 8');
    expect(seenKnobs(element)).toEqual(['n', 'kind']);
    element.set({ n: 30 });
    await element.updateComplete;
    expect(seenKnobs(element)).toEqual(['n', 'masked', 'kind']);
    expect(inside(element, '.picture .knob').dataset.knob).toBe('kind');
  });
});

const open = (properties: Partial<Question> = {}): Question => ({
  ...{ id: 'q', view: 'one', title: 'How much?', lang: undefined, values: { n: 40 } },
  ...{ answer: { kind: 'number', min: 0, max: 100, unit: '%' }, guess: 20, truth: undefined },
  ...{ committed: false, say: (value) => `${value} %`, verdict: '', setGuess: () => undefined },
  draw: questionPictures,
  ...properties,
});

describe('a question', () => {
  it('veils its own view and no other, and nothing there tells the answer before it is committed', async () => {
    const { element } = await figure();
    const view = await viewOf(element, { id: 'beside' });
    element.pose('q', open());
    newest(element).answer(77);
    await expect.poll(() => textOf(inside(view, '.result'))).toBe('77');
    expect(element.querySelector('.result')).toBeNull();
    expect(textOf(inside(element, '.asked'))).toBe('The axis, without its answer.');
    expect(element.querySelectorAll('.view-knobs .knob')).toHaveLength(0);
    expect(element.querySelector('.figure-tools')).toBeNull();
    // What is announced would tell it too.
    await waited(1300);
    expect(element.textContent).not.toContain('77');
    element.pose('q', undefined);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('77');
  });

  it('veils the views of several questions, each until its own is answered', async () => {
    const { element } = await figure();
    const view = await viewOf(element, { id: 'beside' });
    const third = await viewOf(element, { id: 'below' });
    element.pose('p', open({ id: 'p', view: 'beside' }));
    element.pose('q', open({ id: 'q', view: 'below' }));
    newest(element).answer(77);
    const veiled = () => [element, view, third].map((one) => one.querySelector('.result') === null);
    await expect.poll(veiled).toEqual([false, true, true]);
    element.pose('p', open({ id: 'p', view: 'beside', committed: true, truth: 31 }));
    await expect.poll(veiled).toEqual([false, false, true]);
    element.pose('q', undefined);
    await expect.poll(veiled).toEqual([false, false, false]);
  });

  it('computes what it asks about, shows guess and truth on one axis, and gives the reader’s knobs back', async () => {
    const { element } = await figure('?one.n=12&one.kind=mean');
    newest(element).answer(5);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('5');
    const chosen: (number | string)[] = [];
    element.pose('q', open({ setGuess: (value) => chosen.push(value) }));
    await element.updateComplete;
    const axis = () => inside(element, '.answer-axis');
    const { left, width, top, height } = axis().getBoundingClientRect();
    const at = { clientX: left + 0.35 * width, clientY: top + height / 2, pointerId: 1 };
    // The pointer of the test is none that can be held.
    axis().setPointerCapture = () => undefined;
    axis().dispatchEvent(new PointerEvent('pointerdown', at));
    expect(chosen).toEqual([35]);
    expect(element.values.n).toBe(12);
    const said = { committed: true, guess: 35, truth: 31, verdict: 'Off by 4 percentage points.' };
    element.pose('q', open(said));
    // What it asks about, and nothing of the reader's.
    await expect.poll(() => newest(element).values).toMatchObject({ n: 40, kind: 'sum' });
    newest(element).answer(9);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('9');
    expect(all(element, '.both-answers dd').map(textOf)).toEqual(['35 %', '31 %']);
    const marks = all(axis(), '.at').map((mark) => {
      const box = mark.getBoundingClientRect();
      const line = inside(axis(), '.axis-line').getBoundingClientRect();
      return ((box.left + box.width / 2 - line.left) / line.width) * 100;
    });
    expect(marks.map(Math.round)).toEqual([35, 31]);
    expect(all(element, '.answer-axis')).toHaveLength(1);
    expect(textOf(inside(element, '.verdict'))).toBe('Off by 4 percentage points.');
    // The question is no try: the sentence is the answer, not what has changed of the reader's own.
    expect(textOf(inside(element, '.result-line'))).toBe('It is 9.');
    expect(element.querySelector('.ghost')).toBeNull();
    await stillness();
    await inEveryLook(async (look) => expect(await violations(element), look).toEqual([]));
    // A try changes one knob of what is on the screen, and the numbers of the question leave the picture.
    element.tryOut({ id: 'a', title: 'Causal', values: { masked: true } });
    await expect
      .poll(() => newest(element).values)
      .toMatchObject({ n: 40, kind: 'sum', masked: true });
    expect(element.querySelector('.both-answers')).toBeNull();
    newest(element).answer(4);
    await expect.poll(() => textOf(inside(element, '.result-line'))).toContain('9 → 4');
    expect(textOf(element.querySelector('.ghost'))).toBe('9');
    expect(textOf(inside(element, '.tried'))).toBe('Try: Causal · Causal mask off → on');
    element.leaveTry();
    expect(element.values).toMatchObject({ n: 12, kind: 'mean', masked: false });
  });

  it('that is committed before its figure has come shows what it asked about once it has', async () => {
    const store = await figure();
    const late = document.createElement('attn-figure-under-test');
    const { tools, store: of, place } = store.element;
    Object.assign(late, { tools, store: of, place: { ...place, id: 'late' } });
    late.pose('q', open({ view: 'late', committed: true, truth: 31 }));
    store.element.after(late);
    await expect.poll(() => late.asked.length).toBe(1);
    expect(newest(late).values.n).toBe(40);
  });

  it('is asked in the text and answered in the figure, in percentage points', async () => {
    const { element } = await figure();
    newest(element).answer(5);
    await expect.poll(() => textOf(inside(element, '.result'))).toBe('5');
    await shellWords.with(async () => undefined);
    const prediction = document.createElement('attn-prediction') as AttnPrediction;
    Object.assign(prediction, {
      open: {
        ...{ lab: { id: 'test' }, figures: new Map([['one', element]]), tools: {} },
      } as unknown as OpenLab,
      block: {
        ...{ kind: 'prediction', id: 'q', truth: async () => 31 },
        answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      },
      words: { question: 'How much is it?', why: ['Because.'] },
      ...{ about: 'one', view: 'one', values: { n: 40 } },
    });
    element.before(prediction);
    await expect.poll(() => element.querySelector('.result')).toBeNull();
    const axis = inside(element, '.answer-axis');
    axis.setPointerCapture = () => undefined;
    const { left, width } = axis.getBoundingClientRect();
    const clientX = left + 0.6 * width;
    axis.dispatchEvent(new PointerEvent('pointerdown', { clientX, pointerId: 1 }));
    await expect.poll(() => textOf(inside(prediction, 'output'))).toBe('60 %');
    expect(document.body.textContent).not.toContain('31');
    await userEvent.click(page.getByRole('button', { name: 'Commit' }));
    await expect.poll(() => newest(element).values.n).toBe(40);
    newest(element).answer(9);
    await expect.poll(() => all(element, '.both-answers dd').map(textOf)).toEqual(['60 %', '31 %']);
    const verdict = 'Off by 29 percentage points.';
    expect(textOf(inside(element, '.verdict'))).toBe(verdict);
    expect(textOf(inside(prediction, '.verdict'))).toBe(verdict);
    await stillness();
    expect(await violations(prediction)).toEqual([]);
  });
});
