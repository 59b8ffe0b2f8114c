/**
 * Tests that records of a newer version of the page stay unchanged, and that fields which this version lacks survive.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeBrowser } from './fake-browser';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const patience = () => vi.advanceTimersByTimeAsync(30_000);
async function settled<T>(work: Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work, patience()]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

const KEY = 'exercise/softmax/python';
const work = {
  v: 2,
  ...{ exercise: 'softmax', language: 'python', code: 'of the newer page', cells: [1] },
  ...{ revision: 7, changed: '2030-01-01T00:00:00Z', runs: 1, hints: 0, solutionSeen: false },
};
const lab = {
  ...{ v: 3, lab: 'complexity', changed: '2030-01-01T00:00:00Z', seen: {} },
  ...{ predictions: { p: { first: [1, 2], last: [1, 2], count: 1, time: 't' } }, checks: {} },
};

/** Does everything that a page does with a student's work, from opening to closing the page. */
async function useEverything(browser: FakeBrowser): Promise<void> {
  const { progress } = await browser.page();
  await settled(progress.open('softmax', 'python'));
  progress.change('softmax', 'python', { code: 'mine' });
  await settled(progress.flush());
  progress.change('softmax', 'python', { code: 'mine, again' });
  progress.leave();
  await patience();
  const file = await settled(progress.print());
  const before = await settled(progress.remove([KEY]));
  await settled(progress.restore(before));
  const plan = await settled(progress.plan(file));
  await settled(progress.replace(plan.map((step) => step.work)));
  await settled(progress.open('softmax', 'python'));
  progress.change('softmax', 'python', { code: 'the last' });
  await settled(progress.flush());
}

describe('a newer record of an exercise', () => {
  const places: readonly [string, (browser: FakeBrowser) => Map<string, unknown>, string][] = [
    ['the database', ({ database }) => database, KEY],
    ['the database, beside another', ({ database }) => database, `beside/${KEY}`],
    ['localStorage', ({ texts }) => texts, `attention-labs/kept/${KEY}`],
    ['a note of a tab', ({ texts }) => texts, `attention-labs/unsaved/${KEY}#other`],
  ];
  it.each(places)('in %s is unchanged, and ours is kept beside it', async (_, storeOf, key) => {
    const browser = new FakeBrowser();
    const store = storeOf(browser);
    const written = store === browser.texts ? JSON.stringify(work) : structuredClone(work);
    store.set(key, written);
    await useEverything(browser);
    expect(store.get(key)).toEqual(written);
    const { progress } = await browser.page();
    expect((await settled(progress.open('softmax', 'python')))?.code).toBe('the last');
    expect((await settled(progress.all())).map(({ code }) => code)).toEqual(['the last']);
  });

  it.each(['database', 'texts'] as const)('is found by the page, in %s', async (store) => {
    const browser = new FakeBrowser();
    if (store === 'database') browser.database.set(KEY, work);
    else browser.texts.set(`attention-labs/kept/${KEY}`, JSON.stringify(work));
    const { progress } = await browser.page();
    expect(await settled(progress.open('softmax', 'python'))).toBeUndefined();
    expect(progress.newerRecord('softmax', 'python')).toEqual(work);
    expect(progress.newerRecord('softmax', 'javascript')).toBeUndefined();
  });

  it('is not overwritten while the database cannot be read', async () => {
    const browser = new FakeBrowser();
    browser.database.set(KEY, structuredClone(work));
    browser.failing = { indexedDB: 'hang' };
    const { progress } = await browser.page();
    progress.change('softmax', 'python', { code: 'mine' });
    await settled(progress.flush());
    browser.failing = {};
    const { progress: next } = await browser.page();
    expect((await settled(next.open('softmax', 'python')))?.code).toBe('mine');
    next.change('softmax', 'python', { code: 'mine, again' });
    await settled(next.flush());
    expect(browser.database.get(KEY)).toEqual(work);
    expect(browser.database.get(`${KEY}@v1`)).toMatchObject({ code: 'mine, again' });
  });
});

describe('a newer record of a lab', () => {
  const places: readonly [string, (browser: FakeBrowser) => Map<string, unknown>, string][] = [
    ['the database', ({ database }) => database, 'lab/complexity'],
    ['localStorage', ({ texts }) => texts, 'attention-labs/kept/lab/complexity'],
    ['a note', ({ texts }) => texts, 'attention-labs/lab/complexity'],
  ];
  it.each(places)('in %s is unchanged, and ours is kept beside it', async (_, storeOf, key) => {
    const browser = new FakeBrowser();
    const store = storeOf(browser);
    const written = store === browser.texts ? JSON.stringify(lab) : structuredClone(lab);
    store.set(key, written);
    const { records } = await browser.page();
    await settled(records.open('complexity'));
    expect(records.newerRecord('complexity')).toEqual(lab);
    records.prediction('complexity', 'p', 12);
    records.leave();
    await settled(records.flush());
    const before = await settled(records.restore([['complexity', undefined]]));
    await settled(records.restore(before));
    records.check('complexity', 'c', ['a'], true);
    await settled(records.flush());
    expect(store.get(key)).toEqual(written);
    const next = (await browser.page()).records;
    const read = await settled(next.open('complexity'));
    expect([read.predictions.p?.first, read.checks.c?.first]).toEqual([12, ['a']]);
  });
});

describe('a file', () => {
  const ours = { ...work, v: 1, code: 'mine' };
  const file = (works: readonly unknown[], labs: readonly unknown[] = []) =>
    JSON.stringify({ format: 'attention-labs/progress', v: 1, time: '', works, labs });

  it('is read without its newer records, which are counted', async () => {
    const { newerIn } = await import('../../web/src/exercises/kept-work');
    const { progress } = await new FakeBrowser().page();
    const text = file([work, ours], [lab, { ...lab, v: 1, predictions: {} }]);
    expect((await settled(progress.plan(text))).map((step) => step.work.code)).toEqual(['mine']);
    expect(newerIn(text)).toBe(2);
    // The number in the message is the place of the damaged record in the file.
    const damaged = progress.plan(file([work, ours, { exercise: '../x' }]));
    await expect(settled(damaged)).rejects.toThrow('Record 3');
  });
});

describe('a field that this version does not have', () => {
  it('survives a change, a file and the next browser', async () => {
    const browser = new FakeBrowser();
    const notes = [{ line: 3, text: 'why?' }];
    browser.database.set(KEY, { ...work, v: 1, code: 'a', notes });
    browser.database.set('lab/complexity', {
      ...{ ...lab, v: 1, pace: 'slow' },
      predictions: { p: { first: 1, last: 1, count: 1, time: 't', sure: 0.5 } },
      checks: { c: { first: ['a'], last: ['a'], count: 1, time: 't', sure: 0.9 } },
    });
    const { progress, records } = await browser.page();
    await settled(progress.open('softmax', 'python'));
    progress.change('softmax', 'python', { code: 'b', hints: 1 });
    await settled(progress.flush());
    expect(browser.database.get(KEY)).toMatchObject({ code: 'b', hints: 1, notes });
    await settled(records.open('complexity'));
    records.prediction('complexity', 'p', 2);
    records.check('complexity', 'c', ['b'], false);
    await settled(records.flush());
    const keptAnswers = {
      ...{ pace: 'slow', predictions: { p: { first: 1, last: 2, sure: 0.5 } } },
      checks: { c: { last: ['b'], sure: 0.9 } },
    };
    expect(browser.database.get('lab/complexity')).toMatchObject(keptAnswers);

    const text = await settled(progress.print(await settled(records.all())));
    const other = new FakeBrowser();
    const there = await other.page();
    const { recordsIn } = await import('../../web/src/lab/questions/answer-records');
    const plan = await settled(there.progress.plan(text));
    await settled(there.progress.replace(plan.map((step) => step.work)));
    await settled(there.records.restore(recordsIn(text).map((one) => [one.lab, one])));
    expect(other.database.get(KEY)).toMatchObject({ code: 'b', notes });
    expect(other.database.get('lab/complexity')).toMatchObject(keptAnswers);
  });

  it('survives a tab that crashes before it could save', async () => {
    const browser = new FakeBrowser();
    browser.database.set(KEY, { ...work, v: 1, code: 'a', notes: ['why?'] });
    const { progress } = await browser.page();
    await settled(progress.open('softmax', 'python'));
    browser.failing.writing = 'hang';
    progress.change('softmax', 'python', { code: 'b' });
    progress.leave();
    browser.failing = {};
    const next = (await browser.page()).progress;
    await settled(next.open('softmax', 'python'));
    await settled(next.flush());
    expect(browser.database.get(KEY)).toMatchObject({ code: 'b', notes: ['why?'] });
    expect(browser.database.get(KEY)).not.toHaveProperty('writing');
  });
});

describe('a run of an experiment', () => {
  it('that a newer version kept is neither shown nor removed', async () => {
    const browser = new FakeBrowser();
    const run = { v: 2, time: 't', values: {}, rows: {} };
    browser.database.set('run/complexity/sweep/t', run);
    await browser.page();
    const { keptRuns, removeRun } = await import('../../web/src/lab/experiment/kept-runs');
    expect(await settled(keptRuns('complexity', 'sweep'))).toEqual([]);
    await settled(removeRun('complexity', 'sweep', 't'));
    expect(browser.database.get('run/complexity/sweep/t')).toEqual(run);
  });
});
