/** The kernels lab: the machine that comes by itself, the machine that follows a drag, and what is refused. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { answer, arrive, figureAt, frames } from './through';
import { phone, swipe } from './touch';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/kernels/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const plane = (page: Page): Locator => page.locator('attn-kernel-plane');
const line = (page: Page): Locator => plane(page).locator('.result-line');
/** Where the points of the plane are in the window now. */
async function places(svg: Locator): Promise<(x: number, y: number) => [number, number]> {
  const box = await svg.boundingBox();
  if (!box) throw new Error('the plane is not shown');
  return (x, y) => [box.x + ((x + 2.5) / 5) * box.width, box.y + ((2.5 - y) / 5) * box.height];
}
/** The colours of the decision surface, as many as there are different ones. */
const colours = (page: Page): Promise<number> =>
  plane(page)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      // A copy is read, because the browser warns when a canvas that is drawn on is read again and again.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
        willReadFrequently: true,
      });
      copy?.drawImage(canvas, 0, 0);
      const data = copy?.getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size;
    });

/** What the machine says about points, as the core in Node finds it. */
async function machineOf(points: readonly (readonly [number, number, number])[]) {
  return core.supportVectorClassification({
    x: {
      rows: points.length,
      cols: 2,
      data: Float32Array.from(points.flatMap((point) => point.slice(0, 2))),
    },
    y: { rows: points.length, cols: 1, data: Float32Array.from(points, ([, , label]) => label) },
    ...{ kernel: { id: 'rbf', parameters: { gamma: 1 } }, c: 10, tolerance: 1e-3 },
  });
}

describe('the opening of the kernels lab', () => {
  it('has the machine from its first surface on, which comes by itself', async () => {
    const { page } = await visit(lab);
    await expect.poll(() => line(page).textContent()).toContain('The machine keeps');
    expect(await colours(page)).toBeGreaterThan(50);
  });

  it('follows a point that is dragged, with the machine that the core finds', async () => {
    const { page } = await visit(`${lab}?points=a-1,1a1,-1b1,1b-1,-1`);
    const svg = plane(page).locator('.plane svg');
    await svg.waitFor();
    const to = await places(svg);
    await page.mouse.move(...to(-1, 1));
    await page.mouse.down();
    await page.mouse.move(...to(-0.2, 1.2), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => line(page).textContent()).toContain('The machine keeps');
    const written = new URL(page.url()).searchParams.get('points') ?? '';
    const [, x, y] = /^a([-\d.]+),([-\d.]+)a1,-1b1,1b-1,-1$/.exec(written) ?? [];
    expect(Number(x)).toBeCloseTo(-0.2, 1);
    expect(Number(y)).toBeCloseTo(1.2, 1);
    const made = await machineOf([
      [Number(x), Number(y), 1],
      [1, -1, 1],
      [1, 1, -1],
      [-1, -1, -1],
    ]);
    await expect
      .poll(() => line(page).textContent())
      .toContain(
        `keeps ${made.supportVectors} of 4 points, ${made.bounded} of them at the bound, and all points are on their side.`,
      );
    // What the solver did is in the sheet.
    const details = plane(page).locator('.sheet .kernel-numbers');
    await expect
      .poll(() => details.locator('dd').allTextContents())
      .toEqual([
        ...[formatNumber(made.scaleGamma), formatNumber(1 / 2)],
        ...[String(made.steps), formatNumber(made.gap)],
      ]);
  });

  it('moves a point with the arrow keys, and the link has it', async () => {
    const { page } = await visit(`${lab}?points=a-1,1b1,1`);
    const svg = plane(page).locator('.plane svg');
    await svg.focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => svg.getAttribute('aria-label')).toContain('Point 2 of 2, blue, at 1');
    await expect.poll(() => new URL(page.url()).searchParams.get('points')).toBe('a-1,1b1,0.9');
  });

  it('refuses a number outside its range beside the control, and keeps what was typed', async () => {
    const { page } = await visit(lab);
    const input = plane(page).locator('[data-knob=c] attn-slider').getByRole('spinbutton');
    await input.fill('-3');
    await input.press('Enter');
    const alert = plane(page).locator('[data-knob=c]').getByRole('alert');
    await expect.poll(() => alert.textContent()).toContain('-3');
    expect(await input.inputValue()).toBe('-3');
    // The machine comes after the first picture.
    await expect.poll(() => line(page).textContent()).toContain('24 points');
  });
});

describe('the plane under a finger', () => {
  it('lets a swipe scroll the page, puts no point there, and moves a point that the finger has', async () => {
    const { page } = await visit(`${lab}?points=a-1,1b1,1`, { ...phone, folded: true });
    const svg = plane(page).locator('.plane svg');
    await svg.waitFor();
    const box = await svg.boundingBox();
    if (!box) throw new Error('the plane is not shown');
    // The first screen is not the plane's alone: the lab's question is above it.
    expect(box.y).toBeGreaterThan(100);
    expect(box.height).toBeLessThan(844 / 2);
    const points = () => new URL(page.url()).searchParams.get('points');
    const middle = box.x + box.width / 2;
    await swipe(page, [middle, box.y + 0.9 * box.height], [middle, box.y + 0.3 * box.height]);
    // The page goes on for some frames after the finger has left it.
    let last = -1;
    await expect
      .poll(async () => {
        const before = last;
        last = await page.evaluate(() => scrollY);
        await frames(page);
        return last > 60 && last === before;
      })
      .toBe(true);
    expect(points()).toBe('a-1,1b1,1');
    const at = await places(svg);
    const before = await page.evaluate(() => scrollY);
    await swipe(page, at(1, 1), at(1, -1));
    await expect.poll(points).toMatch(/^a-1,1b1(?:\.\d+)?,-(?:1|0\.9|1\.0)/);
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });
});

describe('the plane beside the text', () => {
  it('has the hand and the keys that the opening has', async () => {
    const { page } = await visit(`${lab}?points=a-1,1b1,1`);
    await arrive(page);
    const place = page.locator('#points .lab-figure[data-view="plane"]').first();
    const svg = place.locator('.plane svg');
    await expect
      .poll(
        async () => {
          await place.scrollIntoViewIfNeeded();
          return svg.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    const points = () => new URL(page.url()).searchParams.get('points');
    await svg.focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(points).toBe('a-1,1b1,0.9');
    const to = await places(svg);
    await page.mouse.move(...to(-1, 1));
    await page.mouse.down();
    await page.mouse.move(...to(-1, -1), { steps: 4 });
    await page.mouse.up();
    await expect.poll(points).toMatch(/^a-(?:1|0\.9|1\.0)\d*,-(?:1|0\.9|1\.0)\d*b1,0\.9$/);
  });
});

describe('functions made of bumps', () => {
  const figure = (page: Page): Locator => page.locator('attn-kernel-bumps');
  const column = (values: readonly number[]) => ({
    ...{ rows: values.length, cols: 1, data: Float32Array.from(values) },
  });

  /** What the figure must read off f, for the bumps that its link has now. */
  async function numbersOf(page: Page): Promise<string[]> {
    const pairs = (new URL(page.url()).searchParams.get('function.b') ?? '')
      .split(';')
      .map((pair) => pair.split(',').map(Number));
    const width = 0.7;
    const kernel = { id: 'rbf', parameters: { gamma: 1 / (2 * width * width) } };
    const x = column(pairs.map(([place]) => place ?? NaN));
    const alpha = column(pairs.map(([, weight]) => weight ?? NaN));
    const at = column([1.2]);
    const [value, product, squared] = [
      (await core.rkhsValues({ kernel, x, alpha, z: at })).data[0] ?? NaN,
      await core.rkhsInnerProduct({ kernel, x, alpha, y: at, beta: column([1]) }),
      await core.rkhsSquaredNorm({ kernel, x, alpha }),
    ];
    return [value, product, squared].map((number) => formatNumber(number));
  }
  const numbers = (page: Page) => figure(page).locator('.kernel-numbers dd').allTextContents();

  it('reads f, its norm and its inner product off bumps that mouse and keys move', async () => {
    const { page } = await visit(`${lab}#bumps`);
    const grip = figure(page).locator('.kernel-grip').nth(2);
    await grip.waitFor();
    await grip.scrollIntoViewIfNeeded();
    let before = await numbers(page);
    const changed = async (): Promise<void> => {
      await expect.poll(() => numbers(page)).not.toEqual(before);
      await expect
        .poll(async () => (await numbers(page)).join())
        .toBe((await numbersOf(page)).join());
      before = await numbers(page);
    };
    // The weight by the mouse, then the place.
    for (const [dx, dy] of [
      [0, -30],
      [-50, 0],
    ] as const) {
      const box = await grip.boundingBox();
      if (!box) throw new Error('the bump is not shown');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
      await page.mouse.up();
      await changed();
    }
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowLeft']) {
      await grip.press(key);
      await changed();
    }
  });
});

describe('the lift', () => {
  it('is turned by arrow keys, and the link has the view', async () => {
    const { page } = await visit(lab);
    // The picture comes with the answer.
    await figureAt(page, 'lift');
    await answer(page.locator('attn-prediction[data-about="lift"]'));
    const picture = page.locator('attn-kernel-lift .kernel-turn');
    await picture.waitFor();
    const drawn = () => picture.locator('svg').evaluate((svg) => svg.outerHTML);
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      const before = await drawn();
      await picture.press(key);
      await expect.poll(drawn).not.toBe(before);
    }
    await picture.press('ArrowRight');
    await picture.press('ArrowUp');
    await expect.poll(() => new URL(page.url()).search).toMatch(/lift\.\w+=35&lift\.\w+=15/);
  });
});
