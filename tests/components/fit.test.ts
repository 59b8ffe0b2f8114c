/** What a picture gives up where its place is low: first charts get lower, then matrices narrower, then all of it smaller. */
import { html, render } from 'lit';
import { customElement } from 'lit/decorators.js';
import { describe, expect, it } from 'vitest';
import '../../web/src/components/line-chart/line-chart';
import '../../web/src/lab/page/stage.css';
import '../../web/src/lab/figure/view.css';
import '../../web/src/styles/bench.css';
import { LabFigure } from '../../web/src/lab/figure/figure';
import { SMALLEST } from '../../web/src/lab/figure/fit';
import type { FigureData } from '../../web/src/lab/types';
import { chartPoint, type Series } from '../../web/src/plot/chart';
import { integer } from '../../web/src/state/url';
import { labFigure } from './lab-figure';
import { all, inside } from './support';

type Part = 'chart' | 'legend' | 'square' | { readonly tall: number };

const series = [
  {
    ...{ id: 'a', label: 'a', color: '#00658a', mark: 'circle' as const },
    points: [16, 32, 64].map((n) => chartPoint(n, n)),
  },
];

/** So many names that the legend takes more lines than the chart can give up. */
const many = Array.from({ length: 24 }, (_, i) => ({
  ...{ id: `line ${i}`, label: `a line with a long name ${i}`, color: '#00658a' },
  ...{ mark: 'circle' as const, points: [16, 32, 64].map((n) => chartPoint(n, n + i)) },
}));

const table = { n: integer({ key: 'n', min: 1, max: 9, default: 1 }) };

@customElement('attn-fitted-figure')
class FittedFigure extends LabFigure<number, typeof table> {
  override readonly table = table;
  parts: readonly Part[] = [];
  protected override get controls() {
    return [];
  }
  override get heading(): string {
    return 'A picture';
  }
  protected override async compute(): Promise<number> {
    return 1;
  }
  protected override caption(): string {
    return 'n = 1.';
  }
  protected override data(): FigureData {
    return { columns: [], rows: [] };
  }
  protected override renderResult(): unknown {
    return this.parts.map((part) => {
      if (part === 'chart') {
        return html`<attn-line-chart heading="Chart" .series=${series}></attn-line-chart>`;
      }
      if (part === 'legend') {
        return html`<attn-line-chart heading="Chart" .series=${many}></attn-line-chart>`;
      }
      // A matrix is as tall as it is wide.
      if (part === 'square') return html`<div data-square style="aspect-ratio: 1"></div>`;
      return html`<div class="block" style="height: ${part.tall}px"></div>`;
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-fitted-figure': FittedFigure;
  }
}

const WIDTH = 640;

/** Nothing of the picture has changed for so many frames. */
async function settled(of: Element): Promise<void> {
  const look = () =>
    JSON.stringify([
      ...all<HTMLElement>(of, '.view, .picture, .picture *').map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [width, height, one.style.cssText];
      }),
      ...all<HTMLElement & { lower: number; mostLower: number }>(of, 'attn-line-chart').map(
        ({ lower }) => lower,
      ),
    ]);
  for (let [last, still, frames] = ['', 0, 0]; still < 10; frames++) {
    expect(frames, 'still moving').toBeLessThan(90);
    await new Promise(requestAnimationFrame);
    const now = look();
    still = now === last ? still + 1 : 0;
    last = now;
  }
}

async function picture(limit: number, ...parts: Part[]) {
  const element = labFigure('attn-fitted-figure', {});
  element.parts = parts;
  element.style.cssText = `display: block; width: ${WIDTH}px`;
  const rule = document.createElement('div');
  const allow = (height: number | 'none'): unknown =>
    render(
      html`<style>
        .view { max-height: ${height === 'none' ? 'none' : `${height}px`}; }
      </style>`,
      rule,
    );
  allow(limit);
  document.body.append(rule);
  await expect.poll(() => element.hasAttribute('data-drawn')).toBe(true);
  await settled(element);
  const [view, inner, drawn] = ['.view', '.view-inner', '.picture'].map((one) =>
    inside<HTMLElement>(element, one),
  ) as [HTMLElement, HTMLElement, HTMLElement];
  return {
    ...{ element, view, drawn, allow },
    content: () => inner.getBoundingClientRect().height,
    chart: () =>
      inside<HTMLElement & { lower: number; mostLower: number }>(element, 'attn-line-chart'),
    zoom: () => Number(drawn.style.zoom || 1),
    width: () => drawn.getBoundingClientRect().width,
  };
}

describe('a picture in a low place', () => {
  it('is as it is where there is room', async () => {
    const { drawn, chart, content } = await picture(2000, 'chart', 'square');
    expect(drawn.style.cssText).toBe('');
    expect(chart().lower).toBe(0);
    expect(content()).toBeGreaterThan(WIDTH);
  });

  it('has lower charts, and everything else as it was', async () => {
    const { content, chart, drawn, view } = await picture(440, 'chart');
    expect(chart().lower).toBeGreaterThan(0);
    expect(drawn.style.cssText).toBe('');
    expect(content()).toBeLessThanOrEqual(441);
    expect(content(), 'no lower than it has to be').toBeGreaterThan(410);
    expect(view.dataset.over).toBeUndefined();
  });

  it('shares what is too tall among charts that stand below each other', async () => {
    const { element, content } = await picture(640, 'chart', 'chart');
    const lower = all<HTMLElement & { lower: number; mostLower: number }>(
      element,
      'attn-line-chart',
    );
    expect(new Set(lower.map((one) => Math.round(one.lower))).size).toBe(1);
    expect(content()).toBeLessThanOrEqual(641);
  });

  it('has narrower matrices, which keep their letters', async () => {
    const { content, width, zoom, view } = await picture(560, 'square');
    expect(width()).toBeLessThan(WIDTH);
    expect(width()).toBeGreaterThan(WIDTH / 2);
    expect(zoom()).toBe(1);
    expect(content()).toBeLessThanOrEqual(561);
    expect(view.dataset.over).toBeUndefined();
  });

  it('makes charts as low as they can be before a matrix gets narrower', async () => {
    const { content, width, zoom, chart } = await picture(800, 'chart', 'square');
    expect(chart().lower).toBeGreaterThanOrEqual(chart().mostLower);
    expect(width()).toBeLessThan(WIDTH);
    expect(zoom()).toBe(1);
    expect(content()).toBeLessThanOrEqual(801);
  });

  it.each([390, 420, 450, 480, 510, 540, 570])(
    'fits a chart with a long legend into %i pixels, or says by how much it does not',
    async (most) => {
      const { content, view, zoom, chart } = await picture(most, 'legend');
      if (view.dataset.over === undefined) expect(content()).toBeLessThanOrEqual(most + 2);
      else {
        expect(zoom()).toBe(SMALLEST);
        expect(chart().lower).toBeGreaterThanOrEqual(chart().mostLower);
        expect(Number(view.dataset.over)).toBeCloseTo(content() - most, -1);
      }
    },
  );

  it.each([460, 520])(
    'fits a legend that gets longer into %i pixels, and shorter again',
    async (most) => {
      const { content, view, chart, zoom } = await picture(most, 'chart');
      const few = (chart() as unknown as { series: readonly Series[] }).series;
      const of = chart() as unknown as { series: readonly Series[] };
      of.series = many;
      await settled(view);
      expect(chart().lower).toBeGreaterThanOrEqual(chart().mostLower);
      expect(zoom()).toBeLessThan(1);
      expect(content()).toBeLessThanOrEqual(most + 2 + Number(view.dataset.over ?? 0));
      of.series = few;
      await settled(view);
      // Nothing of it stays.
      expect(zoom()).toBe(1);
      expect(content()).toBeLessThanOrEqual(most + 2);
      expect(content()).toBeGreaterThan(most - 30);
      expect(view.dataset.over).toBeUndefined();
    },
  );

  it('is fitted again when what stands beside the picture grows by itself', async () => {
    const { content, element, view, zoom } = await picture(560, { tall: 360 });
    expect(zoom()).toBe(1);
    // As a line of words that takes another line once its letters are there.
    inside<HTMLElement>(element, 'figcaption').insertAdjacentHTML(
      'beforebegin',
      '<p style="height: 90px; margin: 0"></p>',
    );
    await settled(element);
    expect(zoom()).toBeLessThan(1);
    expect(content()).toBeLessThanOrEqual(561);
    expect(view.dataset.over).toBeUndefined();
  });

  it('is drawn smaller as a whole where nothing in it can give way', async () => {
    const { content, zoom, view, drawn } = await picture(560, { tall: 560 });
    expect(zoom()).toBeLessThan(1);
    expect(zoom()).toBeGreaterThan(SMALLEST);
    expect(content()).toBeLessThanOrEqual(561);
    expect(view.dataset.over).toBeUndefined();
    // It is as it was, only smaller.
    const place = inside<HTMLElement>(view, 'figure').clientWidth;
    expect(place).toBeGreaterThan(0.8 * WIDTH);
    expect(drawn.getBoundingClientRect().width).toBeCloseTo(place * zoom(), 0);
  });

  it('is never smaller than can be read: what does not fit then is not cut, and says so', async () => {
    const { content, zoom, view, allow, element } = await picture(560, { tall: 1500 });
    expect(zoom()).toBe(SMALLEST);
    expect(Number(view.dataset.over)).toBeGreaterThan(400);
    expect(view.getBoundingClientRect().height).toBeGreaterThanOrEqual(content() - 1);
    // With more room it fits again, and nothing remains of it.
    allow(2000);
    dispatchEvent(new Event('resize'));
    await settled(element);
    expect(view.dataset.over).toBeUndefined();
    expect(view.style.minHeight).toBe('');
    expect(zoom()).toBe(1);
  });

  it('has its own size again once its place or its parts allow it', async () => {
    const one = await picture(500, 'chart', 'square');
    expect(one.width()).toBeLessThan(WIDTH);
    one.element.parts = ['chart'];
    one.allow('none');
    one.element.requestUpdate();
    await settled(one.element);
    expect(one.drawn.style.cssText).toBe('');
    expect(one.chart().lower).toBe(0);
  });

  it.each([300, 380, 430, 470, 520, 610, 700, 833])(
    'rests in a place of %i pixels',
    async (most) => {
      for (const parts of [
        ['chart', 'square'],
        ['square', 'square'],
        ['chart', 'chart', { tall: 120 }],
        [{ tall: 300 }, 'square', { tall: 41 }],
      ] as Part[][]) {
        const { content, view, zoom, element } = await picture(most, ...parts);
        expect(zoom()).toBeGreaterThanOrEqual(SMALLEST);
        if (view.dataset.over === undefined) expect(content()).toBeLessThanOrEqual(most + 2);
        else expect(view.getBoundingClientRect().height).toBeGreaterThanOrEqual(content() - 1);
        // Rendered anew without anything new, it stays.
        const before = inside(element, '.picture').getBoundingClientRect().height;
        element.requestUpdate();
        await settled(element);
        expect(inside(element, '.picture').getBoundingClientRect().height).toBeCloseTo(before, 0);
      }
    },
  );
});
