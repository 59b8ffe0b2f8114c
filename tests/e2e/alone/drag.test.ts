/** Tests that a knob can be dragged while the core computes. */
import { describe, expect, it } from 'vitest';
import { alerts, figure, shows } from '../lab';
import { browsing, lab } from '../visit';

const visit = browsing();

describe('the knobs', () => {
  it('answer while they are dragged at n = 256', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=256`);
    await shows(page, 'n = 256');
    await page.evaluate(() => {
      const record = { long: [] as number[], latency: [] as number[], waiting: 0 };
      Object.assign(window, { record });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) record.long.push(Math.round(duration));
      }).observe({ type: 'longtask' });
      document.addEventListener('attn-input', () => {
        record.waiting ||= performance.now();
      });
      new MutationObserver(() => {
        if (record.waiting) record.latency.push(Math.round(performance.now() - record.waiting));
        record.waiting = 0;
      }).observe(document.querySelector('attn-feature-maps-lab figcaption') as Element, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
    for (const name of ['d k, width of q and k', 'd v, width of v']) {
      const slider = figure(page).getByRole('slider', { name });
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      if (!box) throw new Error(`no slider ${name}`);
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.3, y);
      await page.mouse.down();
      for (let step = 0; step <= 30; step++) {
        await page.mouse.move(box.x + box.width * (0.3 + step / 60), y);
        // The pace of a hand, which is what is tested.
        await page.waitForTimeout(16);
      }
      await page.mouse.up();
      const value = await slider.getAttribute('aria-valuetext');
      await shows(page, `${name.startsWith('d k') ? 'dk' : 'dv'} = ${value}`);
    }
    const { long, latency } = await page.evaluate(
      () => (window as unknown as { record: { long: number[]; latency: number[] } }).record,
    );
    latency.sort((a, b) => a - b);
    const at = (part: number): number => latency[Math.floor((latency.length - 1) * part)] ?? 0;
    console.log(
      `drag at n = 256: ${latency.length} pictures, knob to picture median ${at(0.5)} ms, ` +
        `95 % ${at(0.95)} ms, worst ${at(1)} ms; tasks over 50 ms: ${long.join(', ') || 'none'}`,
    );
    // Pictures must arrive during the drag, not only after it.
    expect(latency.length).toBeGreaterThan(10);
    await expect.poll(() => alerts(page)).toEqual([]);
  });
});
