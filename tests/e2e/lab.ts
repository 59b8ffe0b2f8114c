/** Operates the Feature Maps lab as a visitor does. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Client, CompareOptions, Comparison } from '#client';
import { formatNumber } from '../../web/src/plot/format';
import { moveMouse } from './through';

export const PICTURES = ['Softmax attention', 'Implicit attention', 'Difference'] as const;
export type PictureName = (typeof PICTURES)[number];

/** The lab's first figure. Figures further down have pictures, captions and messages too. */
export const FIGURE = 'attn-feature-maps-lab';

export const figure = (page: Page): Locator => page.locator(FIGURE);

export const picture = (page: Page, name: PictureName): Locator =>
  figure(page).locator('attn-heatmap').nth(PICTURES.indexOf(name));

export const surface = (page: Page, name: PictureName): Locator =>
  picture(page, name).getByRole('application');

export const caption = (page: Page): Locator => figure(page).locator('figcaption');

/** Waits for a caption that contains these words, and so for the picture of exactly that state. */
export async function shows(page: Page, ...words: readonly string[]): Promise<string> {
  await expect
    .poll(
      async () => {
        const text = (await caption(page).textContent()) ?? '';
        return words.every((word) => text.includes(word)) ? 'shown' : text;
      },
      { timeout: 15_000, interval: 20, message: `a caption with ${words.join(', ')}` },
    )
    .toBe('shown');
  return ((await caption(page).textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

/** The four numbers under the pictures, as they are displayed. */
export async function metrics(page: Page): Promise<string[]> {
  const values = figure(page).locator('attn-comparison .value');
  // The numbers appear with the visitor's first move, or by themselves some seconds later.
  if ((await values.count()) === 0) await moveMouse(page);
  await values.first().waitFor({ state: 'attached' });
  return values.allTextContents();
}

/** The same four numbers, from a comparison that the core made in Node. */
export const metricsOf = (c: Comparison): string[] => [
  formatNumber(c.mse),
  formatNumber(c.maxDifference),
  Number.isFinite(c.correlation) ? formatNumber(c.correlation) : 'not defined',
  formatNumber(c.outputError),
];

/** Asks the core in Node what the page asks it. */
export async function compareInNode(
  core: Client,
  inputs: Pick<CompareOptions, 'q' | 'k' | 'v'>,
  { map = 'elu_plus_one', seed = 1, causal = false } = {},
): Promise<Comparison> {
  return core.compareToSoftmax({
    ...inputs,
    featureMap: { id: map, seed },
    mask: { kind: causal ? 'causal' : 'full' },
  });
}

/** Opens the menu of a figure that saves and shares it. */
export async function openMenu(of: Locator): Promise<void> {
  const menu = of.locator('.figure-tools').first();
  if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
}

/** The number of colours in a picture; 1 means that nothing was drawn. */
export const colours = (page: Page, name: PictureName): Promise<number> =>
  picture(page, name)
    .locator('canvas.pixels')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } =
        canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ??
        new ImageData(1, 1);
      return new Set(new Uint32Array(data.buffer)).size;
    });

/** The messages that a visitor sees at this moment. */
export const alerts = async (within: Locator | Page): Promise<string[]> =>
  (await within.getByRole('alert').allTextContents()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );
