/** Tests that a finger scrolls every lab, wherever on a figure it begins, and still moves what it takes hold of. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { phone, swipe } from './touch';
import { browsing, pages } from './visit';

const visit = browsing();
const labs = pages().filter((path) => path.startsWith('labs/'));

/** A point or an edge that a finger takes hold of is no larger than this, in pixels. */
const GRIP = 48;

/** Brings every figure of a lab to the page, as a reader who scrolls through it does. */
async function wholeLab(page: Page): Promise<void> {
  let still = 0;
  for (let height = 0; still < 3; ) {
    const now = await page.evaluate(async () => {
      for (let y = 0; y < document.documentElement.scrollHeight; y += 500) {
        scrollTo({ top: y, behavior: 'instant' });
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      return document.documentElement.scrollHeight;
    });
    still = now === height ? still + 1 : 0;
    height = now;
    await page.waitForTimeout(300);
  }
}

/** What of a page keeps a finger from scrolling it, deep in all elements: their names and sizes. */
const holders = (page: Page) =>
  page.evaluate(() => {
    const found: { readonly name: string; readonly width: number; readonly height: number }[] = [];
    const walk = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const { touchAction, display } = getComputedStyle(element);
        if (display === 'none' || /auto|pan-y|manipulation/.test(touchAction)) continue;
        const { width, height } = element.getBoundingClientRect();
        if (width === 0 || height === 0) continue;
        found.push({
          name: `${element.localName}.${element.getAttribute('class')} of ${
            root instanceof ShadowRoot ? root.host.localName : 'the page'
          }: ${touchAction}`,
          ...{ width, height },
        });
      }
    };
    walk(document);
    return found;
  });

/** The figures of a page by their places in it; each is brought to the middle of the window when it is asked for. */
const figures = (page: Page) => page.locator('main .lab-figure:visible');

describe('a finger', () => {
  it.each(labs)('scrolls %s from every figure', async (path) => {
    const { page } = await visit(path, { ...phone, folded: true });
    await figures(page).first().waitFor();
    await wholeLab(page);
    const large = (await holders(page)).filter(
      ({ width, height }) => width > GRIP || height > GRIP,
    );
    expect(large).toEqual([]);

    const count = await figures(page).count();
    expect(count).toBeGreaterThan(1);
    const stuck: string[] = [];
    for (let i = 0; i < count; i++) {
      const start = await figures(page)
        .nth(i)
        .evaluate((figure) => {
          const pictures = [
            ...figure.querySelectorAll(
              'svg, canvas, [role=application], attn-heatmap, attn-line-chart, attn-arcs',
            ),
          ].filter((one) => one.getBoundingClientRect().height > 80);
          const picture = pictures[0] ?? figure;
          picture.scrollIntoView({ block: 'center', behavior: 'instant' });
          const { left, top, width, height } = picture.getBoundingClientRect();
          const name = `${figure.localName} ${figure.getAttribute('data-view') ?? ''}`;
          return { name, x: left + width / 2, y: top + height / 2, at: scrollY };
        });
      const room = await page.evaluate(() => ({
        up: scrollY,
        down: document.documentElement.scrollHeight - innerHeight - scrollY,
      }));
      // To where the page goes on.
      const by = room.down > 300 ? -240 : 240;
      const x = Math.min(370, Math.max(20, start.x));
      const y = Math.min(600, Math.max(250, start.y));
      await swipe(page, [x, y], [x, y + by]);
      const moved = await expect
        .poll(() => page.evaluate((at) => Math.abs(scrollY - at), start.at), { timeout: 3000 })
        .toBeGreaterThan(100)
        .then(
          () => true,
          () => false,
        );
      if (!moved) stuck.push(start.name);
    }
    expect(stuck).toEqual([]);
  });
});
