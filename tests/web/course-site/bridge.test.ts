/** When a page tells a course site what: the bridge, SPLICE from both sides, and the share of what is required. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bridge, REPORT_EVERY_MS } from '../../../web/src/embed/host/bridge';
import type { Host, Opened, Report } from '../../../web/src/embed/host/host';
import { doneOf, requiredBy, runsOf } from '../../../web/src/embed/host/required';
import { findApi, scormHost } from '../../../web/src/embed/host/scorm';
import {
  ASK_AGAIN_MS,
  answerSplice,
  SPLICE_PATIENCE_MS,
  spliceHost,
} from '../../../web/src/embed/host/splice';
import type { Work } from '../../../web/src/exercises/kept-work';
import { blankRecord } from '../../../web/src/lab/questions/answer-records';
import type { Step } from '../../../web/src/lab/types';
import { StrictLms } from './strict-lms';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const report = (state: string, score: number | null = null): Report => ({
  ...{ state, score, complete: false },
});

/** A host that writes down what it is told. */
function noted(opened: Opened | undefined = { state: '', review: false, student: '' }) {
  const said: string[] = [];
  const host: Host = {
    room: 4096,
    open: async () => opened,
    report: ({ state }) => {
      said.push(state);
      return true;
    },
    park: () => void said.push('park'),
    finish: () => void said.push('finish'),
  };
  return { host, said };
}

describe('the bridge', () => {
  it('stays with the first host that is there, and is alone without one', async () => {
    const { host: nobody, said: unheard } = noted();
    const { host, said } = noted({ state: 'AL1.kept', review: false, student: '' });
    const bridge = new Bridge();
    nobody.open = async () => undefined;
    expect(await bridge.start([nobody, host])).toMatchObject({ state: 'AL1.kept' });
    bridge.tell(report('a'), true);
    expect([bridge.phase, said, unheard]).toEqual(['working', ['a'], []]);
    const alone = new Bridge();
    expect(await alone.start([nobody])).toBeUndefined();
    alone.tell(report('a'), true);
    alone.park();
    alone.finish();
    expect(unheard).toEqual([]);
  });

  it('reports a Run at once, and what is typed every ten seconds at most', async () => {
    const { host, said } = noted();
    const bridge = new Bridge();
    await bridge.start([host]);
    bridge.tell(report('a'), false);
    bridge.tell(report('b'), false);
    bridge.tell(report('c'), false);
    expect(said).toEqual(['a']);
    vi.advanceTimersByTime(REPORT_EVERY_MS - 1);
    expect(said).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['a', 'c']);
    bridge.tell(report('d'), false);
    bridge.tell(report('run'), true);
    vi.advanceTimersByTime(2 * REPORT_EVERY_MS);
    expect(said).toEqual(['a', 'c', 'run']);
  });

  it('hands over what waits before it parks, and finishes once', async () => {
    const { host, said } = noted();
    const bridge = new Bridge();
    await bridge.start([host]);
    bridge.tell(report('a'), true);
    bridge.tell(report('typed'), false);
    bridge.park();
    bridge.tell(report('more'), false);
    bridge.finish();
    bridge.finish();
    bridge.park();
    bridge.tell(report('late'), true);
    expect(said).toEqual(['a', 'typed', 'park', 'more', 'finish']);
  });

  it('a page that is left before the host answers leaves the host too', async () => {
    const { host, said } = noted();
    const bridge = new Bridge();
    const started = bridge.start([host]);
    bridge.finish();
    expect(await started).toBeUndefined();
    expect([bridge.phase, said]).toEqual(['finished', ['finish']]);
  });

  it('says nothing in review, and says whether a report was taken', async () => {
    const { host, said } = noted({ state: '', review: true, student: '' });
    const review = new Bridge();
    await review.start([host]);
    review.tell(report('a'), true);
    expect([review.phase, said]).toEqual(['review', []]);
    const taken: boolean[] = [];
    const { host: full } = noted();
    full.report = () => false;
    const bridge = new Bridge({ onReport: (is) => taken.push(is) });
    await bridge.start([full]);
    bridge.tell(report('a'), true);
    expect(taken).toEqual([false]);
  });
});

/** Two windows that hear what the other is told. */
function windows() {
  type Listener = (event: MessageEvent) => void;
  const ears = { inside: new Set<Listener>(), around: new Set<Listener>() };
  const ear = (of: Set<Listener>) => ({
    addEventListener: (_: 'message', listen: Listener) => void of.add(listen),
    removeEventListener: (_: 'message', listen: Listener) => void of.delete(listen),
  });
  const said: unknown[] = [];
  const tell = (who: Set<Listener>, data: unknown, source: unknown, origin: string): void => {
    for (const listen of [...who]) listen({ data, source, origin } as MessageEvent);
  };
  const inside = { postMessage: (data: unknown) => tell(ears.inside, data, around, 'https://lms') };
  const around = {
    postMessage: (data: unknown) => {
      said.push(data);
      tell(ears.around, data, inside, 'https://labs');
    },
  };
  return {
    inside,
    around,
    said,
    tell,
    ears,
    hearsInside: ear(ears.inside),
    hearsAround: ear(ears.around),
  };
}

describe('SPLICE', () => {
  it('a page in a frame and a page around hand state and score over', async () => {
    const { inside, around, hearsInside, hearsAround } = windows();
    const lms = new StrictLms({ version: '1.2' });
    const launch = () => scormHost(findApi(lms.launch() as object, '1.2') as never, '1.2');
    const relay = launch();
    answerSplice(hearsAround, () => inside, 'https://labs', {
      state: () => relay.open(),
      report: (one) => relay.report(one),
    });
    const host = spliceHost(hearsInside, around);
    expect(await host.open()).toEqual({ state: '', review: false, student: '' });
    expect(host.report({ ...report('AL1.work', 0.5), place: 'count' })).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(lms.kept).toMatchObject({
      'cmi.suspend_data': 'AL1.work',
      'cmi.core.score.raw': '50',
      'cmi.core.lesson_location': 'count',
      'cmi.core.lesson_status': 'incomplete',
    });
    expect(lms.refused).toEqual([]);
    const again = launch();
    expect(await again.open()).toMatchObject({ state: 'AL1.work' });
  });

  it('goes on without a host that never answers, and waits for one that listens late', async () => {
    const { around, said, hearsInside } = windows();
    const host = spliceHost(hearsInside, around);
    const opened = host.open();
    await vi.advanceTimersByTimeAsync(SPLICE_PATIENCE_MS);
    expect(await opened).toBeUndefined();
    expect(said.length).toBeLessThan(7);

    const late = windows();
    const asking = spliceHost(late.hearsInside, late.around).open();
    await vi.advanceTimersByTimeAsync(ASK_AGAIN_MS / 2);
    answerSplice(late.hearsAround, () => late.inside, 'https://labs', {
      state: async () => ({ state: 'AL1.kept', review: false, student: '' }),
      report: () => true,
    });
    await vi.advanceTimersByTimeAsync(ASK_AGAIN_MS);
    expect(await asking).toMatchObject({ state: 'AL1.kept' });
  });

  it('hears nobody but the page around, and answers nobody but its own frame', async () => {
    const { around, inside, said, tell, ears, hearsInside, hearsAround } = windows();
    const opened = spliceHost(hearsInside, around).open();
    const { message_id } = said[0] as { message_id: string };
    const answer = { subject: 'SPLICE.getState.response', message_id, state: 'AL1.forged' };
    tell(ears.inside, answer, { other: 'window' }, 'https://lms');
    tell(ears.inside, { ...answer, message_id: 'another' }, around, 'https://lms');
    await vi.advanceTimersByTimeAsync(SPLICE_PATIENCE_MS);
    expect(await opened).toBeUndefined();

    const reports: Report[] = [];
    answerSplice(hearsAround, () => inside, 'https://labs', {
      state: async () => undefined,
      report: (one) => reports.push(one) > 0,
    });
    const forged = { subject: 'SPLICE.reportScoreAndState', message_id: '1', score: 1, state: 'x' };
    tell(ears.around, forged, { postMessage: () => undefined }, 'https://labs');
    tell(ears.around, forged, inside, 'https://stranger');
    tell(ears.around, null, inside, 'https://labs');
    expect(reports).toEqual([]);
    for (const score of [7, -1, Number.NaN, '1'])
      tell(ears.around, { ...forged, score }, inside, 'https://labs');
    expect(reports.map(({ score, complete }) => [score, complete])).toEqual(
      Array.from({ length: 4 }, () => [null, false]),
    );
  });

  it('hands exercises over, and nothing that only looks like one', async () => {
    const { inside, around, hearsInside, hearsAround, tell, ears } = windows();
    const reports: Report[] = [];
    answerSplice(hearsAround, () => inside, 'https://labs', {
      state: async () => ({ state: '', review: false, student: '' }),
      report: (one) => reports.push(one) > 0,
    });
    const host = spliceHost(hearsInside, around);
    await host.open();
    const last = {
      ...{ time: '2026-03-04T05:06:07.890Z', language: 'python', runs: 3 },
      ...{ passed: false, rightCases: 2, cases: 5 },
    };
    const exercises = [{ id: 'one' }, { id: 'two', last }];
    host.report({ ...report('a'), exercises });
    expect(reports[0]?.exercises).toEqual(exercises);
    const forged = [
      ...[null, 7, { id: 7 }, { id: 'a b' }, { id: 'x', last: { ...last, time: 'never' } }],
      ...[
        { id: 'y', last: { ...last, language: 'a;b' } },
        { id: 'z', last: { ...last, runs: 1.5 } },
      ],
    ];
    const state = { attentionLabs: 'a', exercises: forged };
    tell(
      ears.around,
      { subject: 'SPLICE.reportScoreAndState', message_id: '1', score: null, state },
      inside,
      'https://labs',
    );
    expect(reports[1]?.exercises).toEqual([{ id: 'x' }, { id: 'y' }, { id: 'z' }]);
  });

  it('says that a report was refused', async () => {
    const { inside, around, hearsInside, hearsAround } = windows();
    answerSplice(hearsAround, () => inside, 'https://labs', {
      state: async () => ({ state: '', review: false, student: '' }),
      report: () => false,
    });
    const host = spliceHost(hearsInside, around);
    await host.open();
    host.report(report('a'));
    await vi.advanceTimersByTimeAsync(0);
    expect(host.report(report('b'))).toBe(false);
  });
});

describe('what is required', () => {
  const check = (id: string) => ({ kind: 'check', id, options: ['a'], right: ['a'] });
  const steps = [
    { id: 'count', blocks: [check('half'), { kind: 'exercises', ids: ['one', 'two'] }] },
    { id: 'read', blocks: [{ kind: 'prose', id: 'read' }] },
    { id: 'memory', blocks: [check('more'), { kind: 'exercises', ids: ['three'] }] },
  ] as unknown as readonly Step[];
  const work = (exercise: string, fields: Partial<Work> = {}): Work => ({
    ...{ v: 1, exercise, language: 'python', code: 'x', revision: 1, changed: '' },
    ...{ runs: 1, hints: 0, solutionSeen: false },
    ...fields,
  });
  const answered = {
    ...blankRecord('lab'),
    checks: { half: { first: ['a'], last: ['a'], count: 1, rightAt: 1, time: '' } },
  };

  it('is everything that asks, or what the link names', () => {
    expect(requiredBy('', steps)).toEqual({
      steps: ['count', 'memory'],
      exercises: ['one', 'two', 'three'],
    });
    expect(requiredBy('?hide=memory,seed', steps)).toEqual({
      steps: ['count'],
      exercises: ['one', 'two'],
    });
    expect(requiredBy('?exercises=two,%20three', steps)).toEqual({
      steps: [],
      exercises: ['two', 'three'],
    });
    expect(requiredBy('?steps=read,gone&exercises=gone', steps)).toEqual({
      steps: ['read'],
      exercises: [],
    });
  });

  it('has no score before something of it was tried', () => {
    const required = requiredBy('', steps);
    expect(doneOf(required, steps, undefined, [])).toEqual({ score: null, complete: false });
    const begun = [work('one', { runs: 0 }), work('elsewhere')];
    expect(doneOf(required, steps, undefined, begun).score).toBeNull();
    expect(doneOf(required, steps, undefined, [work('one')]).score).toBe(0);
    expect(doneOf(required, steps, answered, []).score).toBe(1 / 5);
    expect(doneOf({ steps: [], exercises: [] }, steps, answered, [])).toEqual({
      ...{ score: null, complete: false },
    });
  });

  it('names the last run of each exercise, whatever its language', () => {
    const grade = (time: string, passed: boolean) => ({ passed, time, cases: [] });
    const works = [
      work('one', { grade: grade('2026-01-02', false), runs: 4 }),
      work('one', { language: 'javascript', grade: grade('2026-01-03', true), runs: 2 }),
      work('two'),
    ];
    const counts = { rightCases: 0, cases: 0 };
    expect(runsOf(['one', 'two', 'three'], works)).toEqual([
      {
        id: 'one',
        last: { time: '2026-01-03', language: 'javascript', runs: 2, passed: true, ...counts },
      },
      { id: 'two' },
      { id: 'three' },
    ]);
  });

  it('is complete when all of it is done, and code that fails later takes nothing away', () => {
    const required = requiredBy('?steps=count&exercises=one', steps);
    const passed = work('one', { firstPassed: '2026-01-01T00:00:00Z' });
    expect(doneOf(required, steps, answered, [passed])).toEqual({ score: 1, complete: true });
    expect(doneOf(required, steps, undefined, [passed])).toEqual({ score: 0.5, complete: false });
  });
});
