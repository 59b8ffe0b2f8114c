/**
 * Compares heatmaps pixel by pixel. The core gives the same bits for the same seed, so the same pixels are drawn.
 * `UPDATE_PIXELS=1` stores the pixels that are drawn now; look at them before you commit them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FIGURE, shows } from './lab';
import { decode, different, encode, type Strip, stripOf } from './pixels';
import { browsing, lab } from './visit';

const visit = browsing();
const folder = fileURLToPath(new URL('./pixels/', import.meta.url));
const update = process.env.UPDATE_PIXELS === '1';

/**
 * The largest difference that is allowed. Builds of the core differ in the last digit of a float, which is half a
 * step of the colour table.
 */
const STEP = 2;

const views = {
  /** The sentence that a visitor sees first. */
  sentence: ['', 'A sentence of 11 tokens'],
  /** What the mask hides is transparent. */
  causal: ['input=gaussian&n=24&map=relu&causal=1&sqrt=1&seed=7', 'causal mask'],
  /** A map with negative weights, some of them beyond the scale. */
  negative: ['input=gaussian&n=24&dk=8&map=identity', 'n = 24'],
  taylor: ['input=gaussian&n=40&dk=32&map=taylor&scale=0', 'n = 40'],
} as const;

/** The strip once it no longer changes. Pictures are drawn in slices, after the caption has appeared. */
async function settled(page: Page): Promise<Strip> {
  let last: Strip | undefined;
  await expect
    .poll(async () => {
      const strip = await stripOf(page, FIGURE);
      const same = last !== undefined && strip.width > 3 && different(strip, last, 0) === 0;
      last = strip;
      return same;
    })
    .toBe(true);
  return last as unknown as Strip;
}

describe('the pictures of a view', () => {
  it.each(Object.entries(views))(
    'equal the stored ones, in both themes: %s',
    async (name, view) => {
      const [search, words] = view;
      const { page } = await visit(`${lab}${search ? `?${search}` : ''}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await shows(page, words);
        const file = `${folder}${name}-${colorScheme}.png`;
        if (update) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(file, await encode(page, await settled(page)));
        }
        expect(existsSync(file), `${file}: make it with UPDATE_PIXELS=1`).toBe(true);
        const kept = await decode(page, readFileSync(file));
        // The pictures of the other theme are drawn one after the other.
        await expect.poll(async () => different(await settled(page), kept, STEP)).toBe(0);
      }
    },
  );
});

describe('the comparison', () => {
  it('passes in the simd build', async () => {
    const [search, words] = views.negative;
    const { page } = await visit(`${lab}?${search}&build=simd`);
    await shows(page, words);
    const kept = await decode(page, readFileSync(`${folder}negative-light.png`));
    expect(different(await settled(page), kept, STEP)).toBe(0);
  });

  it('fails for another seed, and for another theme', async () => {
    const [search, words] = views.negative;
    const { page } = await visit(`${lab}?${search}&seed=2`);
    await shows(page, words);
    const strip = await settled(page);
    const kept = await decode(page, readFileSync(`${folder}negative-light.png`));
    expect(different(strip, kept, STEP)).toBeGreaterThan(strip.width);
    const dark = await decode(page, readFileSync(`${folder}negative-dark.png`));
    expect(different(dark, kept, STEP)).toBeGreaterThan(strip.width);
  });
});
