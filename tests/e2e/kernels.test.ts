/** The kernels lab: the opening's vote, the machine that follows a drag, and what is refused. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/kernels/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const plane = (page: Page): Locator => page.locator('attn-kernel-plane');
const verdict = (page: Page): Locator => plane(page).locator('.verdict');
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
      data: Float32Array.from(points.map((point) => point.slice(0, 2)).flat()),
    },
    y: { rows: points.length, cols: 1, data: Float32Array.from(points, ([, , label]) => label) },
    ...{ kernel: { id: 'rbf', parameters: { gamma: 1 } }, c: 10, tolerance: 1e-3 },
  });
}

describe('the opening of the kernels lab', () => {
  it('lets the points vote before the machine is there, and the machine follows by itself', async () => {
    const { page } = await visit(lab);
    await expect.poll(() => verdict(page).textContent()).toContain('24 points vote');
    expect(await colours(page)).toBeGreaterThan(50);
    await expect.poll(() => verdict(page).textContent()).toContain('SMO took');
    expect(await colours(page)).toBeGreaterThan(50);
  });

  it('follows a point that is dragged, with the machine that the core finds', async () => {
    const { page } = await visit(`${lab}?points=a-1,1a1,-1b1,1b-1,-1`);
    const svg = plane(page).locator('.plane svg');
    await svg.waitFor();
    const box = await svg.boundingBox();
    if (!box) throw new Error('the plane is not shown');
    const to = (x: number, y: number): [number, number] => [
      box.x + ((x + 2.5) / 5) * box.width,
      box.y + ((2.5 - y) / 5) * box.height,
    ];
    await page.mouse.move(...to(-1, 1));
    await page.mouse.down();
    await page.mouse.move(...to(-0.2, 1.2), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => verdict(page).textContent()).toContain('SMO took');
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
      .poll(() => verdict(page).textContent())
      .toContain(
        `keeps ${made.supportVectors} of 4 points, ${made.bounded} of them at the bound. All points are on their side. SMO took ${made.steps} steps; the gap that is left is ${formatNumber(made.gap)}.`,
      );
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
    expect(await verdict(page).textContent()).toContain('24 points');
  });
});
