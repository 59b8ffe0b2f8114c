/** Tests that three matrices of the largest size are read, sent and kept without a task that holds the page up. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { npyFile } from '../../web/npy-file';
import { alerts, figure } from '../lab';
import { browsing, lab } from '../visit';

const visit = browsing();
const N = 2048;
/** A task of the page may compute so long, in milliseconds. */
const MOST = 50;

function matrix(seed: number): Buffer {
  const data = new Float32Array(N * N);
  let state = seed;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state / 2 ** 32 - 0.5;
  }
  return Buffer.from(npyFile({ shape: `(${N}, ${N})`, data: new Uint8Array(data.buffer) }));
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** Microseconds on the clock, and of the processor: a busy machine makes the first longer. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** What runs by itself on the main thread: tasks, and the microtasks after a message. */
const TASKS = ['ThreadControllerImpl::RunTask', 'BlinkScheduler_PerformMicrotaskCheckpoint'];

describe('three matrices of 2048²', () => {
  it('are read, sent to the core and kept, and no task computes for 50 ms', {
    timeout: 400_000,
  }, async () => {
    // Files on the disk: those in memory Playwright would unpack on the page.
    const folder = mkdtempSync(join(tmpdir(), 'attention-labs-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = ['q', 'k', 'v'].map((name, i) => {
      const file = join(folder, `${name}.npy`);
      writeFileSync(file, matrix(i + 1));
      return file;
    });
    const { page } = await visit(`${lab}?input=own`);
    const places = figure(page).locator('attn-matrix-input');
    await expect.poll(() => places.count()).toBe(3);
    // The rest of the page is filled in while nobody does anything.
    await page.waitForTimeout(3000);
    const tracing = await page.context().newCDPSession(page);
    const events: TraceEvent[] = [];
    tracing.on('Tracing.dataCollected', ({ value }) => {
      events.push(...(value as unknown as TraceEvent[]));
    });
    await tracing.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: {
        includedCategories: ['toplevel', 'devtools.timeline', '__metadata'],
        recordMode: 'recordAsMuchAsPossible',
      },
    });
    for (const [i, file] of files.entries()) {
      await places.nth(i).locator('input[type=file]').setInputFiles(file);
      await expect.poll(() => places.nth(i).locator('small').textContent()).toBe(`${N} × ${N}`);
    }
    await expect.poll(() => page.url()).toMatch(/[?&]own=[0-9a-f]{16}/);
    await expect
      .poll(() => figure(page).locator('figcaption').first().textContent(), { timeout: 300_000 })
      .toContain(`Own matrices Q ${N} × ${N}`);
    await page.waitForTimeout(2000);
    const ended = new Promise((resolve) => tracing.once('Tracing.tracingComplete', resolve));
    await tracing.send('Tracing.end');
    await ended;
    const main = events.find(
      ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
    );
    const tasks = events.filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && pid === main?.pid && tid === main.tid && TASKS.includes(name),
    );
    expect(tasks.length).toBeGreaterThan(100);
    const longest = (kind: 'dur' | 'tdur'): number[] =>
      tasks
        .map((task) => Math.round((task[kind] ?? 0) / 1000))
        .sort((a, b) => b - a)
        .slice(0, 5);
    console.log(
      `three own matrices of ${N}²: longest tasks ${longest('tdur').join(', ')} ms of the processor, ` +
        `${longest('dur').join(', ')} ms on the clock`,
    );
    expect(longest('tdur')[0]).toBeLessThanOrEqual(MOST);
    expect(await alerts(page)).toEqual([]);

    // They are kept: a reload shows them without a file.
    await page.reload();
    await expect.poll(() => places.nth(2).locator('small').textContent()).toBe(`${N} × ${N}`);
  });
});
