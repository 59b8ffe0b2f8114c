/** Text that is too long for an address is kept in the browser, named in the address, and missed where it is lost. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UrlHistory } from '../../web/src/state/history';
import { idOf, idOfParts, namesKeptValue } from '../../web/src/state/long-values';
import { integer, text, wellFormed } from '../../web/src/state/url';
import { type Failing, FakeBrowser } from './fake-browser';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The part of an address before its query string, as long as this test lets it be. */
const ORIGIN = `https://a.b/${'c'.repeat(188)}`;
const table = {
  text: text({ key: 'text', maxLength: 8000, default: 'the example' }),
  map: text({ key: 'map', maxLength: 60, default: 'relu' }),
  n: integer({ key: 'n', min: 1, max: 9, default: 1 }),
};
const still = { onChange: () => undefined };
/** Words that deflate would not make short, two characters of the address each. */
const long = (seed: number, length = 8000): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919 + seed) % 20_000))).join(
    '',
  );

/** A page of this browser, and every address that it showed. */
async function pageOf(browser: FakeBrowser, search = '') {
  await browser.page();
  const { UrlStore } = await import('../../web/src/lab/page/url-store');
  const seen: string[] = [];
  let back: (search: string) => void = () => undefined;
  const history: UrlHistory = {
    draft: (now) => void seen.push(now),
    commit: (now) => void seen.push(now),
    onChange: (listener) => {
      back = listener;
      return () => undefined;
    },
    dispose: () => undefined,
  };
  const store = new UrlStore(history, search);
  return { store, seen, back: (to: string) => back(to) };
}

/** Waits until the browser keeps every text that the address names. */
const kept = (browser: FakeBrowser, search: string | undefined) =>
  expect
    .poll(() =>
      [...new URLSearchParams(search)]
        .filter(([key]) => key.endsWith('~'))
        .every(([, id]) => browser.database.has(`text/${id}`)),
    )
    .toBe(true);

describe('an address', () => {
  it('never grows past its limit, and opens the same texts again', async () => {
    const browser = new FakeBrowser();
    const any = fc.oneof(
      fc.string({ maxLength: 8000, unit: 'binary' }),
      fc
        .integer({ min: 0, max: 9000 })
        .chain((seed) => fc.integer({ min: 0, max: 8000 }).map((length) => long(seed, length))),
    );
    await fc.assert(
      fc.asyncProperty(any, any, fc.string({ maxLength: 60 }), async (one, two, map) => {
        const { store, seen } = await pageOf(browser);
        const [opening, figure] = [store.knobs('', table, still), store.knobs('b', table, still)];
        opening.set({ text: one.slice(0, 3) }, { draft: true });
        opening.set({ text: one }, { draft: true });
        opening.set({ text: one, map });
        figure.set({ text: two, n: 3 });
        for (const search of [...seen, figure.search(figure.values)]) {
          expect(ORIGIN.length + search.length).toBeLessThanOrEqual(4096);
        }
        await kept(browser, seen.at(-1));
        const next = await pageOf(browser, seen.at(-1));
        const again = [next.store.knobs('', table, still), next.store.knobs('b', table, still)];
        await next.store.ready;
        expect(again.map(({ values }) => values.text)).toEqual([one, two].map(wellFormed));
        expect(again[0]?.values.map).toBe(wellFormed(map));
        expect(again.flatMap(({ problems }) => problems)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('holds what fits, and names only what does not', async () => {
    const { store, seen } = await pageOf(new FakeBrowser());
    const knobs = store.knobs('', table, still);
    knobs.set({ text: 'short & sweet' });
    expect(seen.at(-1)).toBe('?v=1&text=short+%26+sweet');
    knobs.set({ text: long(1) });
    expect(seen.at(-1)).toBe(`?v=1&text~=${idOf(long(1))}`);
    expect(namesKeptValue(`https://a.b/${seen.at(-1)}`)).toBe(true);
    knobs.set({ n: 2 });
    expect(seen.at(-1)).toBe(`?v=1&text~=${idOf(long(1))}&n=2`);
    knobs.set({ text: 'short' });
    expect(seen.at(-1)).toBe('?v=1&text=short&n=2');
    expect(namesKeptValue(`https://a.b/${seen.at(-1)}`)).toBe(false);
  });

  it('of an old link, long as it is, opens without any storage and is short from then on', async () => {
    const browser = new FakeBrowser();
    browser.failing = { indexedDB: 'missing', localStorage: 'missing' };
    const { store, seen } = await pageOf(browser, `?v=1&text=${encodeURIComponent(long(2))}`);
    const knobs = store.knobs('', table, still);
    expect(knobs.values.text).toBe(long(2));
    knobs.set({ n: 2 });
    expect(seen.at(-1)?.length).toBeLessThan(60);
    expect(knobs.values.text).toBe(long(2));
  });
});

describe('a long text', () => {
  it('is there for Back, in this page and after a reload', async () => {
    const browser = new FakeBrowser();
    const first = await pageOf(browser);
    const knobs = first.store.knobs('', table, still);
    knobs.set({ text: long(1) });
    knobs.set({ text: long(2) });
    const [one = '', two = ''] = first.seen;
    first.back(one);
    expect(knobs.values.text).toBe(long(1));
    await kept(browser, one);
    await kept(browser, two);
    const second = await pageOf(browser, two);
    const again = second.store.knobs('', table, still);
    await second.store.ready;
    expect(again.values.text).toBe(long(2));
    second.back(one);
    await second.store.ready;
    expect(again.values.text).toBe(long(1));
  });

  it('that another browser keeps is missed beside the figure, and its name stays in the address', async () => {
    const search = `?v=1&text~=${idOf(long(1))}`;
    const { store, seen } = await pageOf(new FakeBrowser(), search);
    let told = 0;
    const knobs = store.knobs('', table, { onChange: () => void told++ });
    const other = store.knobs('b', table, still);
    await store.ready;
    expect(told).toBe(1);
    expect(knobs.problems).toEqual([expect.stringContaining('This browser does not have it')]);
    expect(other.problems).toEqual([]);
    expect(knobs.values.text).toBe('the example');
    knobs.set({ n: 2 });
    expect(seen.at(-1)).toBe(`?v=1&n=2&text~=${idOf(long(1))}`);
    knobs.set({ text: 'mine' });
    expect(seen.at(-1)).toBe('?v=1&text=mine&n=2');
    expect(knobs.problems).toEqual([]);
  });

  it('that was changed in the storage is not taken for the one that was named', async () => {
    const browser = new FakeBrowser();
    const id = idOf(long(1));
    browser.database.set(`text/${id}`, { v: 1, time: '', value: 'something else' });
    const { store } = await pageOf(browser, `?text~=${id}`);
    const knobs = store.knobs('', table, still);
    await store.ready;
    expect([knobs.values.text, knobs.problems.length]).toEqual(['the example', 1]);
  });

  it.each<Failing>([
    { indexedDB: 'reject', localStorage: 'access' },
    { writing: 'call', localStorage: 'call' },
  ])('that cannot be kept is said to be unsafe: %o', async (failing) => {
    const browser = new FakeBrowser();
    browser.failing = failing;
    const { store } = await pageOf(browser);
    const knobs = store.knobs('', table, still);
    knobs.set({ text: long(1) });
    await expect.poll(() => knobs.problems.length).toBe(1);
    expect(knobs.problems).toEqual([expect.stringMatching(/too long for the address.*Copy/)]);
    knobs.set({ text: 'short' });
    expect(knobs.problems).toEqual([]);
  });

  it('is one of the newest hundred that are kept', async () => {
    const browser = new FakeBrowser();
    await browser.page();
    const { keptTexts } = await import('../../web/src/state/kept-values');
    for (let i = 0; i < 103; i++) {
      await keptTexts.keep(`id-${i}`, `text ${i}`);
      // Times are in milliseconds.
      if (i < 4) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(browser.database.size).toBe(100);
    expect(await keptTexts.find('id-2')).toBeUndefined();
    expect(await keptTexts.find('id-3')).toBe('text 3');
  });
});

describe('the id of much data', () => {
  it('is that of its parts together, and other work comes between', async () => {
    const all = Uint8Array.from({ length: 5 * 2 ** 20 + 7 }, (_, i) => (i * 2654435761) >>> 13);
    const cuts = [0, 3, 2 ** 20 + 1, 4 * 2 ** 20, all.length];
    const parts = cuts.slice(1).map((end, i) => all.subarray(cuts[i], end));
    let turns = 0;
    const turn = setInterval(() => turns++);
    const id = await idOfParts(parts);
    clearInterval(turn);
    expect(id).toBe(idOf(all));
    expect(turns).toBeGreaterThan(0);
    expect(await idOfParts([])).toBe(idOf(new Uint8Array()));
  });
});
