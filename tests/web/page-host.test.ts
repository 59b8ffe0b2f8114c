/**
 * Tests that work is kept, or the page says that it is not, whichever facility of the browser fails and however it
 * fails.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Facility, type Failing, FakeBrowser, failures } from './fake-browser';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const matrix: readonly Failing[] = [
  ...(Object.keys(failures) as Facility[]).flatMap((facility) =>
    failures[facility].map((failure): Failing => ({ [facility]: failure })),
  ),
  // All facilities fail together, in the same way where they can.
  ...(['missing', 'access', 'call', 'reject', 'hang'] as const).map(
    (failure): Failing =>
      Object.fromEntries(
        (Object.keys(failures) as Facility[]).map((facility) => [
          facility,
          (failures[facility] as readonly string[]).includes(failure)
            ? failure
            : failures[facility][0],
        ]),
      ),
  ),
];

const takesNothing = ({ indexedDB, writing, localStorage }: Failing): boolean =>
  Boolean((indexedDB || writing) && localStorage);

/** Waits longer than any time limit of the code under test. */
const patience = () => vi.advanceTimersByTimeAsync(30_000);

describe.each(matrix)('with %o', (failing) => {
  const lost = takesNothing(failing);

  it('code is kept, or the page says at once that it is not', async () => {
    const browser = new FakeBrowser();
    browser.failing = failing;
    const { progress } = await browser.page();
    const said: (string | undefined)[] = [];
    progress.listen({ onProblem: (problem) => said.push(problem) });
    const opened = progress.open('softmax', 'python');
    await patience();
    expect(await opened).toBeUndefined();

    progress.change('softmax', 'python', { code: 'typed' });
    expect(progress.dirty).toBe(true);
    const flushed = progress.flush();
    await patience();
    await flushed;
    expect((await progress.open('softmax', 'python'))?.code).toBe('typed');
    expect(progress.dirty).toBe(lost);
    expect(said.at(-1) === undefined).toBe(!lost);
    // A listener that is added later receives the message too.
    const later: (string | undefined)[] = [];
    progress.listen({ onProblem: (problem) => later.push(problem) });
    expect(later.length > 0).toBe(lost);
    // The page asks before it is left exactly when something would be lost.
    expect(progress.leave()).toBe(!lost);

    const next = (await browser.page()).progress;
    const again = next.open('softmax', 'python');
    await patience();
    expect((await again)?.code).toBe(lost ? undefined : 'typed');
    const printed = progress.print();
    await patience();
    expect(await printed).toContain('typed');
  });

  it('answers are kept, or the page says at once that they are not', async () => {
    const browser = new FakeBrowser();
    browser.failing = failing;
    const { records } = await browser.page();
    const opened = records.open('complexity');
    await patience();
    await opened;
    records.prediction('complexity', 'p', 12);
    expect(records.dirty).toBe(true);
    const flushed = records.flush();
    await patience();
    await flushed;
    expect(records.get('complexity').predictions.p?.first).toBe(12);
    expect(records.dirty).toBe(lost);
    expect(records.problem === undefined).toBe(!lost);
    expect(records.leave()).toBe(!lost);
    const next = (await browser.page()).records;
    const again = next.open('complexity');
    await patience();
    expect((await again).predictions.p?.first).toBe(lost ? undefined : 12);
  });
});

describe('storage that comes back', () => {
  it('stores what was typed in the meantime, without further typing', async () => {
    const browser = new FakeBrowser();
    browser.failing = { writing: 'reject', localStorage: 'access' };
    const { progress, records } = await browser.page();
    progress.change('softmax', 'python', { code: 'typed' });
    records.prediction('complexity', 'p', 12);
    await patience();
    expect([progress.dirty, records.dirty]).toEqual([true, true]);
    browser.failing.writing = undefined as never;
    await patience();
    expect([progress.dirty, records.dirty]).toEqual([false, false]);
    expect([...browser.database.keys()].sort()).toEqual([
      'exercise/softmax/python',
      'lab/complexity',
    ]);
  });

  it('shows an exercise that it could not read when it was opened', async () => {
    const browser = new FakeBrowser();
    const { progress } = await browser.page();
    progress.change('softmax', 'python', { code: 'of last week' });
    await patience();
    browser.failing = { indexedDB: 'reject', localStorage: 'access' };
    const { progress: next } = await browser.page();
    const said: (string | undefined)[] = [];
    const replaced: string[] = [];
    next.listen({
      onProblem: (problem) => said.push(problem),
      onReplaced: (keys) => replaced.push(...keys),
    });
    expect(await next.open('softmax', 'python')).toBeUndefined();
    expect(said.at(-1)).toBeTruthy();
    browser.failing.indexedDB = undefined as never;
    await patience();
    expect(said.at(-1)).toBeUndefined();
    expect(replaced).toEqual(['exercise/softmax/python']);
    expect((await next.open('softmax', 'python'))?.code).toBe('of last week');
  });

  it('stores the note that was written while the database failed, and removes the note', async () => {
    const browser = new FakeBrowser();
    const first = (await browser.page()).progress;
    first.change('softmax', 'python', { code: 'first' });
    await patience();
    browser.failing = { indexedDB: 'hang' };
    const second = (await browser.page()).progress;
    second.change('softmax', 'python', { code: 'second' });
    await patience();
    expect(second.dirty).toBe(false);
    browser.failing = {};
    const third = (await browser.page()).progress;
    const opened = third.open('softmax', 'python');
    await patience();
    expect((await opened)?.code).toBe('second');
    third.change('softmax', 'python', { code: 'third' });
    await patience();
    expect(browser.database.get('exercise/softmax/python')).toMatchObject({ code: 'third' });
    expect(browser.texts.size).toBe(0);
  });
});

describe('a lock', () => {
  it('runs actions one after the other in this tab, even where the browser has no locks', async () => {
    const browser = new FakeBrowser();
    browser.failing = { locks: 'reject' };
    const { locked } = (await browser.page()).pageHost('name');
    const order: string[] = [];
    const work = (name: string, ms: number) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(`${name} ends`);
      if (name === 'a') throw new Error('of the work');
    };
    const done = Promise.allSettled([locked(work('a', 20)), locked(work('b', 1))]);
    await patience();
    expect((await done).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('that is never granted is waited for only once', async () => {
    const browser = new FakeBrowser();
    browser.failing = { locks: 'hang' };
    const { locked } = (await browser.page()).pageHost('name');
    const began = Date.now();
    const first = locked(async () => Date.now() - began);
    await patience();
    expect(await first).toBe(5000);
    expect(await locked(async () => 'at once')).toBe('at once');
  });
});
