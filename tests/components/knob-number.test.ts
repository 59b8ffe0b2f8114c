/** A number in the prose that is the value of a figure's knob. */
import { html, render } from 'lit';
import { customElement } from 'lit/decorators.js';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LabFigure } from '../../web/src/lab/figure/figure';
import { slider as sliderKnob } from '../../web/src/lab/figure/knob';
import '../../web/src/lab/figure/knob-number';
import { UrlStore } from '../../web/src/lab/page/url-store';
import { prose } from '../../web/src/lab/text/prose';
import type { FigureData, LabTools } from '../../web/src/lab/types';
import { integer } from '../../web/src/state/url';
import { textOf, violations } from './support';

const table = { n: integer({ key: 'n', min: 2, max: 64, default: 8 }) };

@customElement('attn-figure-with-number')
class FigureWithNumber extends LabFigure<number, typeof table> {
  override readonly table = table;
  override get heading(): string {
    return 'A number';
  }
  protected override async compute(): Promise<number> {
    return 1;
  }
  protected override get controls() {
    return [sliderKnob('n', { symbol: 'n', label: 'tokens' })];
  }
  protected override renderResult(): unknown {
    return html``;
  }
  protected override caption(): string {
    return '';
  }
  protected override data(): FigureData {
    return { columns: [], rows: [] };
  }
}

let store: UrlStore;
afterEach(() => store.dispose());

async function open(search = '') {
  const shown: string[] = [];
  store = new UrlStore(
    {
      draft: (to) => void shown.push(`draft ${to}`),
      commit: (to) => void shown.push(to),
      onChange: () => () => undefined,
      dispose: () => undefined,
    },
    search,
  );
  const figures = new Map<string, FigureWithNumber>();
  // The element that shows a lab has this, and no more of it is needed here.
  const lab = Object.assign(document.createElement('attn-lab'), { open: { figures } });
  const main = document.createElement('main');
  render(html`<p>${prose('Take $x$ with [tokens](knob:one.n) of them.')}</p>`, lab);
  main.append(lab);
  document.body.replaceChildren(main);
  const number = lab.querySelector('attn-knob-number') as HTMLElement & {
    updateComplete: Promise<boolean>;
  };
  const place = async (): Promise<FigureWithNumber> => {
    const figure = document.createElement('attn-figure-with-number') as FigureWithNumber;
    const tools = { lab: 'test', version: '0', client: {} } as unknown as LabTools;
    Object.assign(figure, { tools, store, place: { id: 'one', tag: figure.localName } });
    figures.set('one', figure);
    main.append(figure);
    await figure.updateComplete;
    await expect.poll(() => number.querySelector('[role=slider]')).not.toBeNull();
    return figure;
  };
  return { main, number, place, shown };
}
const slider = () => page.getByRole('slider', { name: 'tokens', exact: true });
const pointer = (type: string, clientX: number): PointerEvent =>
  new PointerEvent(type, { clientX, pointerId: 1, button: 0, bubbles: true });

describe('a number in the prose', () => {
  it('reads what it is until its figure is there, and then the value of the knob', async () => {
    const { main, number, place } = await open('?v=1&one.n=12');
    expect(textOf(main)).toBe('Take x with tokens of them.');
    expect(number.querySelector('[role=slider]')).toBeNull();
    const figure = await place();
    expect(textOf(number)).toBe('12');
    figure.set({ n: 20 });
    await expect.poll(() => textOf(number)).toBe('20');
    await expect.element(slider()).toHaveAttribute('aria-valuenow', '20');
    await expect.element(slider()).toHaveAttribute('aria-valuemin', '2');
    await expect.element(slider()).toHaveAttribute('aria-valuemax', '64');
    expect(await violations(main)).toEqual([]);
  });

  it('is dragged: the figure follows, and the gesture is one entry of the history', async () => {
    const { number, place, shown } = await open();
    const figure = await place();
    const handle = number.querySelector('[role=slider]') as HTMLElement;
    handle.setPointerCapture = () => undefined;
    handle.dispatchEvent(pointer('pointerdown', 100));
    for (const x of [110, 130, 160]) handle.dispatchEvent(pointer('pointermove', x));
    expect(figure.values.n).toBeGreaterThan(8);
    await expect.poll(() => textOf(number)).toBe(String(figure.values.n));
    expect(shown.every((entry) => entry.startsWith('draft '))).toBe(true);
    handle.dispatchEvent(pointer('pointerup', 160));
    handle.dispatchEvent(pointer('lostpointercapture', 160));
    expect(shown.filter((entry) => !entry.startsWith('draft '))).toEqual([
      `?v=1&one.n=${figure.values.n}`,
    ]);
  });

  it('moves with the keys by steps and to the ends, and no further', async () => {
    const { place, shown } = await open();
    const figure = await place();
    await userEvent.click(slider());
    expect(shown).toEqual([]);
    for (const [key, n] of [
      ['{ArrowRight}', 9],
      ['{ArrowDown}', 8],
      ['{PageUp}', 18],
      ['{End}', 64],
      ['{ArrowUp}', 64],
      ['{Home}', 2],
    ] as const) {
      await userEvent.keyboard(key);
      expect(figure.values.n, key).toBe(n);
    }
    // The key that moved nothing made no entry.
    expect(shown).toHaveLength(5);
  });

  it('stays as the link fixes it', async () => {
    const { number, place } = await open('?v=1&one.n=12&lock=one.n');
    const figure = await place();
    expect(number.querySelector('[role=slider]')?.getAttribute('aria-disabled')).toBe('true');
    number
      .querySelector('[role=slider]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
    expect(figure.values.n).toBe(12);
  });
});
