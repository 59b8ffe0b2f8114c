/** Tests that three matrices of the largest size are read, sent and kept without holding the page up for long. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { npyFile } from '../../web/npy-file';
import { alerts, figure } from '../lab';
import { browsing, lab } from '../visit';
import { longestOf, type PageTasks, traceTasks } from './page-tasks';

const visit = browsing();
const [SMALL, N] = [8, 2048];

function matrix(seed: number, n: number): Buffer {
  const data = new Float32Array(n * n);
  let state = seed;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state / 2 ** 32 - 0.5;
  }
  return Buffer.from(npyFile({ shape: `(${n}, ${n})`, data: new Uint8Array(data.buffer) }));
}

/** Files on the disk: those in memory Playwright would unpack on the page. */
function filesOf(n: number): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return ['q', 'k', 'v'].map((name, i) => {
    const file = join(folder, `${name}.npy`);
    writeFileSync(file, matrix(i + 1, n));
    return file;
  });
}

describe('three matrices of 2048²', () => {
  it('are read, sent to the core and kept, and hold the page up less than three times as long as small ones', async () => {
    const { page } = await visit(`${lab}?input=own`);
    const places = figure(page).locator('attn-matrix-input');
    await expect.poll(() => places.count()).toBe(3);
    // The rest of the page is filled in while nobody does anything.
    await page.waitForTimeout(3000);
    const give = async (n: number): Promise<PageTasks> => {
      const end = await traceTasks(page);
      for (const [i, file] of filesOf(n).entries()) {
        await places.nth(i).locator('input[type=file]').setInputFiles(file);
        await expect.poll(() => places.nth(i).locator('small').textContent()).toBe(`${n} × ${n}`);
      }
      await expect
        .poll(() => figure(page).locator('figcaption').first().textContent(), { timeout: 300_000 })
        .toContain(`Own matrices Q ${n} × ${n}`);
      await expect.poll(() => page.url()).toMatch(/[?&]own=[0-9a-f]{16}/);
      await page.waitForTimeout(2000);
      return end();
    };
    // The first matrices bring the pictures, which is what the page's thread has to do for matrices of any size.
    const small = await give(SMALL);
    const large = await give(N);
    console.log(
      `longest tasks of the page, ms of the processor: ${longestOf(small)} for three own matrices of ${SMALL}², ` +
        `${longestOf(large)} for three of ${N}²`,
    );
    // Longer (45 to 50 ms where the small ones took 26 to 31), because matrices of 16 MB that arrive make the browser
    // collect garbage.
    expect(large.page[0]).toBeLessThan(3 * (small.page[0] ?? 0));
    expect(await alerts(page)).toEqual([]);

    // They are kept: a reload shows them without a file.
    await page.reload();
    await expect.poll(() => places.nth(2).locator('small').textContent()).toBe(`${N} × ${N}`);
  });
});
