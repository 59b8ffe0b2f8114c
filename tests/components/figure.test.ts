import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CancelledError, CoreError } from '#client';
import '../../web/src/styles/bench.css';
import '../../web/src/lab/stage.css';
import { LabFigure, type Shown } from '../../web/src/lab/figure';
import { KnobError } from '../../web/src/lab/knob-error';
import type { Ask, FigureData, FigurePlace } from '../../web/src/lab/types';
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

interface Question {
  readonly values: Values;
  readonly ask: Ask;
  readonly answer: (result?: number) => void;
  readonly fail: (error: unknown) => void;
}

/** A figure whose core answers when the test says so. */
@customElement('attn-figure-under-test')
class FigureUnderTest extends LabFigure<number, typeof table> {
  override readonly table = table;
  readonly asked: Question[] = [];
  override get heading(): string {
    return 'A number';
  }
  protected override compute(values: Values, ask: Ask): Promise<number | undefined> {
    return new Promise<number | undefined>((answer, fail) => {
      this.asked.push({ values, ask, answer, fail });
      ask.signal.addEventListener('abort', () => fail(new CancelledError()));
    });
  }
  protected override renderKnobs(): unknown {
    return html`${this.slider('n', { symbol: 'n', label: 'tokens' })}
      ${this.toggle('masked', { label: 'Causal mask' })}
      ${this.choice('kind', { label: 'Kind', options: { sum: 'Sum', mean: 'Mean' } })} ${this.seed()}`;
  }
  protected override renderResult({ result }: Shown<Values, number>): unknown {
    return html`<p class="result">${result}</p>`;
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

/** One of its knobs stands in the picture. */
@customElement('attn-figure-with-knob')
class FigureWithKnob extends FigureUnderTest {
  protected override renderKnobs(): unknown {
    return this.slider('n', { symbol: 'n', label: 'tokens' });
  }
  protected override renderResult(): unknown {
    return this.choice('kind', { label: 'Kind', options: { sum: 'Sum', mean: 'Mean' } });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-figure-under-test': FigureUnderTest;
    'attn-remembering-figure': RememberingFigure;
    'attn-figure-with-knob': FigureWithKnob;
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
    | 'attn-figure-with-knob' = 'attn-figure-under-test',
) {
  const address = bar();
  const { history } = address;
  const element: FigureUnderTest = labFigure(tag, { client, search, history, place });
  await element.updateComplete;
  return { element, address };
}
const newest = (of: FigureUnderTest): Question => {
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
const wrong = (argument: string): CoreError =>
  new CoreError('value', `${argument} must be small`, argument);

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

  it('unfolds the knobs for an error of one that is folded away', async () => {
    const { element } = await figure();
    const seed = inside<HTMLElement>(element, '[data-knob=seed]');
    newest(element).answer(1);
    await expect.poll(() => caption(element)).toContain('n = 8');
    expect(seed.checkVisibility()).toBe(false);
    // The knob that is moved is not the one that is at fault.
    element.set({ n: 9 });
    await expect.poll(() => element.asked.length).toBe(2);
    newest(element).fail(wrong('seed'));
    await expect.poll(() => seed.checkVisibility()).toBe(true);
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

  it('shows three knobs, folds the others away, and remembers when they were unfolded', async () => {
    const { element, address } = await figure();
    newest(element).answer(1);
    const shown = (): (string | undefined)[] =>
      all(element, '.knob').flatMap((knob) =>
        knob.checkVisibility() ? [(knob as HTMLElement).dataset.knob] : [],
      );
    expect(shown()).toEqual(['n', 'masked', 'kind']);
    const more = page.getByRole('button', { name: 'One more knob' });
    expect(more.element().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(more);
    expect(shown()).toEqual(['n', 'masked', 'kind', 'seed']);
    address.back('?v=1&one.n=5');
    await expect.poll(() => element.values.n).toBe(5);
    expect(shown()).toHaveLength(4);
    const linked = await figure('?one.seed=7');
    newest(linked.element).answer(1);
    expect(all(linked.element, '.knob').every((knob) => knob.checkVisibility())).toBe(true);
  });

  it('shows a try beside the reader’s own knobs, says what it changes, and gives them back', async () => {
    const { element, address } = await figure('?one.n=12');
    newest(element).answer(1);
    const one = { id: 'a', title: 'Long', values: { n: 40, seed: 3 } };
    const before = address.shown.length;
    element.tryOut(one);
    expect(element.values).toMatchObject({ n: 40, seed: 3, kind: 'sum' });
    await element.updateComplete;
    expect(textOf(inside(element, '.tried')).replace(/\s+/g, ' ')).toMatch(
      /Try: Long · n 12 → 40 · Seed 1 → 3/,
    );
    expect(all(element, '.knob.changed').map((knob) => (knob as HTMLElement).dataset.knob)).toEqual(
      ['n', 'seed'],
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
    expect(element.values).toMatchObject({ n: 40, seed: 3, masked: true });
    expect(address.shown.at(-1)).toContain('one.n=40');
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
