import { describe, expect, it } from 'vitest';
import {
  asWork,
  keyOf,
  Progress,
  ProgressError,
  type Work,
} from '../../web/src/exercises/kept-work';
import { journalOf } from '../../web/src/state/journal';
import type { Channel } from '../../web/src/state/page-host';
import { savedWork } from '../../web/src/state/saved-work';

/** A browser with the storage, journal and channel that its tabs share. */
function browser() {
  const stored = new Map<string, unknown>();
  const journal = new Map<string, string>();
  const tabs: { onmessage: ((event: MessageEvent) => void) | null }[] = [];
  const state = { full: false, denied: false, closed: '' as '' | 'before' | 'after' };
  let clock = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const refuse = (): void => {
    if (state.denied) throw new DOMException('denied', 'SecurityError');
  };
  const tab = (): Progress => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data: unknown) => {
        for (const other of tabs) {
          if (other !== channel) other.onmessage?.({ data } as MessageEvent);
        }
      },
      close: () => undefined,
    };
    tabs.push(channel);
    return new Progress({
      storage: savedWork({
        get: async (key) => {
          refuse();
          return structuredClone(stored.get(key));
        },
        set: async (key, value) => {
          refuse();
          if (state.full) throw new DOMException('full', 'QuotaExceededError');
          // A page that is closed does not learn whether its last write arrived.
          if (state.closed !== 'before') stored.set(key, structuredClone(value));
          if (state.closed) await new Promise(() => undefined);
        },
        del: async (key) => {
          refuse();
          stored.delete(key);
        },
        keys: async () => {
          refuse();
          return [...stored.keys()];
        },
      }),
      channel,
      tab: String(tabs.length),
      journal: journalOf(() => ({
        key: (i) => [...journal.keys()][i] ?? null,
        get length() {
          return journal.size;
        },
        getItem: (key) => journal.get(key) ?? null,
        setItem: (key, value) => void journal.set(key, value),
        removeItem: (key) => void journal.delete(key),
      })),
      locked: <T>(work: () => Promise<T>): Promise<T> => {
        const done = turn.then(work, work);
        turn = done.catch(() => undefined);
        return done;
      },
      now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, clock++)),
    });
  };
  return { tab, state, stored, journal };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const codeOf = (value: unknown) => (value as Work | undefined)?.code;
const KEY = keyOf('attention', 'python');

describe('progress', () => {
  it('is complete after a reload', async () => {
    const { tab } = browser();
    const first = tab();
    expect(await first.open('attention', 'python')).toBeUndefined();
    first.change('attention', 'python', { code: 'a' });
    first.change('attention', 'python', { code: 'ab', hints: 2, runs: 3 });
    await first.flush();
    const again = await tab().open('attention', 'python');
    expect(again).toMatchObject({ code: 'ab', hints: 2, runs: 3, solutionSeen: false });
  });

  it('saves by itself soon after a change', async () => {
    const { tab, stored } = browser();
    tab().change('attention', 'python', { code: 'typed' });
    expect(stored.size).toBe(0);
    await expect.poll(() => codeOf(stored.get(KEY)), { timeout: 2000 }).toBe('typed');
  });

  it('forgets a grade with the first letter that changes the code', async () => {
    const progress = browser().tab();
    const grade = { passed: true, cases: [], time: 't' };
    progress.change('attention', 'python', { code: 'a' });
    expect(progress.change('attention', 'python', { grade }).grade).toEqual(grade);
    expect(progress.change('attention', 'python', { code: 'a', hints: 1 }).grade).toEqual(grade);
    expect(progress.change('attention', 'python', { code: 'b' }).grade).toBeUndefined();
  });

  it.each(['before', 'after'] as const)(
    'survives a page closed %s its save arrived',
    async (closed) => {
      const { tab, state } = browser();
      const first = tab();
      first.change('elu', 'python', { code: 'a' });
      await first.flush();
      state.closed = closed;
      first.change('elu', 'python', { code: 'ab' });
      void first.flush();
      await new Promise((done) => setTimeout(done));
      // The page is closed once without and once with text typed since the save began.
      first.leave();
      const second = tab();
      expect(codeOf(await second.open('elu', 'python'))).toBe('ab');
      first.change('elu', 'python', { code: 'abc' });
      first.leave();
      const third = tab();
      expect(codeOf(await third.open('elu', 'python'))).toBe('abc');
      expect(third.other('elu', 'python')).toBeUndefined();
    },
  );

  it('keeps what was typed last when the page goes away before anything is stored', async () => {
    const { tab, stored, state } = browser();
    const first = tab();
    first.change('attention', 'python', { code: 'saved' });
    await first.flush();
    // The write to IndexedDB would come too late, so it is refused here.
    state.full = true;
    first.change('attention', 'python', { code: 'last words' });
    first.leave();
    await first.flush();
    expect(codeOf(stored.get(KEY))).toBe('saved');
    state.full = false;
    const second = tab();
    expect(codeOf(await second.open('attention', 'python'))).toBe('last words');
    await second.flush();
    expect(codeOf(stored.get(KEY))).toBe('last words');
  });

  it('continues in memory when storage is full, and reports when it is full and when it works again', async () => {
    const { tab, state, stored } = browser();
    const progress = tab();
    const problems: (string | undefined)[] = [];
    progress.listen({ onProblem: (reason) => problems.push(reason) });
    state.full = true;
    progress.change('attention', 'python', { code: 'kept' });
    await progress.flush();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('full');
    expect(codeOf(await progress.open('attention', 'python'))).toBe('kept');
    expect((await progress.all()).map(codeOf)).toEqual(['kept']);
    state.full = false;
    progress.change('attention', 'python', { code: 'kept more' });
    await progress.flush();
    expect(problems.at(-1)).toBeUndefined();
    expect(codeOf(stored.get(KEY))).toBe('kept more');
  });

  it('keeps code of any length', async () => {
    const { tab } = browser();
    const first = tab();
    first.change('attention', 'python', { code: 'x'.repeat(300_000) });
    await first.flush();
    expect(codeOf(await tab().open('attention', 'python'))).toHaveLength(300_000);
  });

  it('works without any storage', async () => {
    const { tab, state } = browser();
    state.denied = true;
    const progress = tab();
    expect(await progress.open('attention', 'python')).toBeUndefined();
    progress.change('attention', 'python', { code: 'x' });
    await progress.flush();
    expect((await progress.all()).map(codeOf)).toEqual(['x']);
    expect(await progress.print()).toContain('"x"');
  });
});

describe('two tabs', () => {
  async function conflict() {
    const shared = browser();
    const [a, b] = [shared.tab(), shared.tab()];
    a.change('attention', 'python', { code: 'start' });
    await a.flush();
    await b.open('attention', 'python');
    const offers: (string | undefined)[] = [];
    b.listen({ onOther: (_, other) => offers.push(codeOf(other)) });
    a.change('attention', 'python', { code: 'of a', hints: 1 });
    await a.flush();
    await settled();
    return { ...shared, a, b, offers };
  }

  it('offer the version of the other tab and overwrite nothing in the meantime', async () => {
    const { b, offers, stored } = await conflict();
    expect(offers).toEqual(['of a']);
    expect(codeOf(await b.open('attention', 'python'))).toBe('start');
    b.change('attention', 'python', { code: 'of b' });
    await b.flush();
    expect(codeOf(stored.get(KEY))).toBe('of a');
    // A crash at this moment would lose nothing.
    expect(codeOf(stored.get(`beside/${KEY}`))).toBe('of b');
  });

  it('take the other version when told to, and return their own', async () => {
    const { b, stored } = await conflict();
    b.change('attention', 'python', { code: 'of b' });
    await b.flush();
    expect(codeOf(await b.takeOther('attention', 'python'))).toBe('of b');
    expect(await b.open('attention', 'python')).toMatchObject({ code: 'of a', hints: 1 });
    expect(codeOf(stored.get(KEY))).toBe('of a');
    expect(stored.has(`beside/${KEY}`)).toBe(false);
  });

  it('keep their own version when told to, and hints that were taken stay taken', async () => {
    const { a, b, stored } = await conflict();
    b.change('attention', 'python', { code: 'of b' });
    await b.keepMine('attention', 'python');
    expect(stored.get(KEY)).toMatchObject({ code: 'of b', hints: 1 });
    await settled();
    expect(codeOf(a.other('attention', 'python'))).toBe('of b');
  });

  it('offer what one tab saved while the other could not', async () => {
    const { tab, state, stored } = browser();
    const [a, b] = [tab(), tab()];
    a.change('attention', 'python', { code: 'v1' });
    await a.flush();
    await b.open('attention', 'python');
    state.full = true;
    a.change('attention', 'python', { code: 'of a' });
    await a.flush();
    state.full = false;
    b.change('attention', 'python', { code: 'of b' });
    await b.flush();
    await settled();
    a.change('attention', 'python', { code: 'more of a' });
    await a.flush();
    expect(codeOf(stored.get(KEY))).toBe('of b');
    expect(codeOf(a.other('attention', 'python'))).toBe('of b');
    expect(codeOf(stored.get(`beside/${KEY}`))).toBe('more of a');
  });

  it('keep the last text of a tab that crashed, whatever the other saves', async () => {
    const { tab, state, journal, stored } = browser();
    const [a, b] = [tab(), tab()];
    a.change('attention', 'python', { code: 'v1' });
    await a.flush();
    await b.open('attention', 'python');
    state.full = true;
    b.change('attention', 'python', { code: 'last words of b' });
    b.leave();
    await b.flush();
    state.full = false;
    a.change('attention', 'python', { code: 'of a' });
    await a.flush();
    expect(journal.size).toBe(1);
    const c = tab();
    expect(codeOf(await c.open('attention', 'python'))).toBe('of a');
    expect(codeOf(c.other('attention', 'python'))).toBe('last words of b');
    // This holds even when nobody chose a version before the next reload.
    expect(journal.size).toBe(0);
    expect(codeOf(stored.get(`beside/${KEY}`))).toBe('last words of b');
    const d = tab();
    await d.open('attention', 'python');
    expect(codeOf(d.other('attention', 'python'))).toBe('last words of b');
  });

  it('lose nothing of a conflict that a full storage could not store', async () => {
    const { tab, state, journal } = browser();
    const [a, b] = [tab(), tab()];
    a.change('attention', 'python', { code: 'v1' });
    await a.flush();
    await b.open('attention', 'python');
    a.change('attention', 'python', { code: 'of a' });
    await a.flush();
    state.full = true;
    b.change('attention', 'python', { code: 'of b' });
    await b.flush();
    b.leave();
    await b.flush();
    expect([...journal.values()].map((text) => codeOf(JSON.parse(text)))).toEqual(['of b']);
  });

  it('offer nothing when both have the same code', async () => {
    const { tab } = browser();
    const [a, b] = [tab(), tab()];
    a.change('attention', 'python', { code: 'same' });
    await a.flush();
    await b.open('attention', 'python');
    const offers: unknown[] = [];
    b.listen({ onOther: (_, other) => offers.push(other) });
    a.change('attention', 'python', { runs: 1 });
    await a.flush();
    await settled();
    b.change('attention', 'python', { hints: 1 });
    await b.flush();
    expect(offers).toEqual([]);
    expect(await tab().open('attention', 'python')).toMatchObject({ runs: 1, hints: 1 });
  });
});

describe('a progress file', () => {
  it('carries everything to another browser, lists what it replaces, and can be undone', async () => {
    const here = browser().tab();
    here.change('attention', 'python', { code: 'mine' });
    here.change('chunked', 'javascript', { code: 'js' });
    here.change('multi-query', 'python', { code: 'equal' });
    const file = await here.print();

    const there = browser().tab();
    there.change('attention', 'python', { code: 'yours' });
    there.change('multi-query', 'python', { code: 'equal' });
    await there.flush();
    const plan = await there.plan(file);
    expect(plan.map(({ kind }) => kind)).toEqual(['replaces', 'new', 'same']);
    expect(codeOf(plan[0]?.existing)).toBe('yours');
    const replaced: string[] = [];
    there.listen({ onReplaced: (keys) => replaced.push(...keys) });
    const before = await there.replace(plan.map(({ work }) => work));
    expect(replaced).toContain(KEY);
    expect((await there.all()).map(codeOf)).toEqual(['mine', 'js', 'equal']);
    await there.restore(before);
    expect((await there.all()).map(codeOf)).toEqual(['yours', 'equal']);
  });

  it('is refused with a sentence when another program wrote it', async () => {
    const progress = browser().tab();
    const refused = async (text: string) =>
      progress.plan(text).then(
        () => 'accepted',
        (error: unknown) => (error instanceof ProgressError ? error.message : String(error)),
      );
    expect(await refused('nothing')).toContain('not JSON');
    expect(await refused('{}')).toContain('no progress');
    expect(await refused('null')).toContain('no progress');
    expect(await refused('{"format":"attention-labs/progress","v":2,"works":[]}')).toContain(
      'version 2',
    );
    const odd = { format: 'attention-labs/progress', v: { toString: null }, works: [] };
    expect(await refused(JSON.stringify(odd))).toContain('version {"toString":null}');
    const bad = { format: 'attention-labs/progress', v: 1, works: [{ exercise: '../x' }] };
    expect(await refused(JSON.stringify(bad))).toContain('Record 1');
  });

  it('brings in what a record may hold, and carries fields along that it does not know', () => {
    const work = { exercise: 'a', language: 'python', code: 'x' };
    expect(asWork({ ...work, hints: 9, runs: -1, more: 1, grade: 'A' })).toEqual({
      ...{ v: 1, more: 1, exercise: 'a', language: 'python', code: 'x', revision: 0, changed: '' },
      ...{ runs: 0, hints: 3, solutionSeen: false },
    });
    expect(asWork({ ...work, language: 'cpp' })).toBeUndefined();
  });

  it('the exercises of a lab can be reset, and the reset undone', async () => {
    const progress = browser().tab();
    progress.change('attention', 'python', { code: 'a' });
    progress.change('chunked', 'python', { code: 'c' });
    const before = await progress.remove([KEY]);
    expect((await progress.all()).map(codeOf)).toEqual(['c']);
    expect(await progress.open('attention', 'python')).toBeUndefined();
    await progress.restore(before);
    expect((await progress.all()).map(codeOf)).toEqual(['a', 'c']);
  });
});
