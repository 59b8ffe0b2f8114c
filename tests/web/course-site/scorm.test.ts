/** The two versions of SCORM, beside a system that refuses what Moodle refuses and beside scorm-again. */
import * as scorm12 from 'scorm-again/scorm12';
import * as scorm2004 from 'scorm-again/scorm2004';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ApiWindow,
  findApi,
  type ScormApi,
  scormHost,
  time12,
  time2004,
} from '../../../web/src/embed/host/scorm';
import { StrictLms } from './strict-lms';

const versions = ['1.2', '2004'] as const;
type Version = (typeof versions)[number];

/** Its types name a default export, which the module does not have. */
type Lms = new (settings: object) => ScormApi & { renderCMIToJSONString(): string };
const { Scorm12API } = scorm12 as unknown as { Scorm12API: Lms };
const { Scorm2004API } = scorm2004 as unknown as { Scorm2004API: Lms };

let now = 0;
beforeEach(() => {
  now = 0;
});

function launched(lms: StrictLms, version: Version) {
  const api = findApi(lms.launch() as ApiWindow, version);
  if (!api) throw new Error('no API');
  return scormHost(api, version, () => now);
}
const part = { complete: false, state: 'AL1.abc' } as const;

describe.each(versions)('SCORM %s', (version) => {
  const is12 = version === '1.2';
  const status = is12 ? 'cmi.core.lesson_status' : 'cmi.completion_status';
  const raw = is12 ? 'cmi.core.score.raw' : 'cmi.score.raw';
  const time = is12 ? 'cmi.core.session_time' : 'cmi.session_time';

  it('a student works, closes the tab, and finds state and score at the next launch', async () => {
    const lms = new StrictLms({ version });
    const host = launched(lms, version);
    expect(await host.open()).toEqual({ state: '', review: false, student: 's-1' });
    expect(lms.kept[status]).toBe('incomplete');
    expect(host.report({ ...part, score: null, place: 'count' })).toBe(true);
    expect(lms.kept[raw]).toBeUndefined();
    expect(host.report({ ...part, score: 0.5, state: 'AL1.half' })).toBe(true);
    now = 61_000;
    host.park();
    expect(lms.kept[time]).toBe(is12 ? '0000:01:01.00' : 'PT0H1M1S');
    host.finish();
    host.finish();
    host.park();
    expect(host.report({ ...part, score: 1 })).toBe(false);
    expect(lms.kept).toMatchObject({ [raw]: '50', [status]: 'incomplete', exit: 'suspend' });

    const again = launched(lms, version);
    expect(await again.open()).toMatchObject({ state: 'AL1.half', review: false });
    expect(again.report({ state: 'AL1.all', score: 1, complete: true })).toBe(true);
    again.finish();
    expect(lms.kept).toMatchObject({
      [raw]: '100',
      'cmi.suspend_data': 'AL1.all',
      ...(is12
        ? { [status]: 'passed', exit: '' }
        : { [status]: 'completed', 'cmi.success_status': 'passed', exit: 'normal' }),
    });
    expect(lms.refused).toEqual([]);
    expect(lms.calls.filter((call) => call.startsWith('finish'))).toHaveLength(2);
    expect(lms.calls.join()).not.toMatch(/failed|not attempted|logout/);
  });

  it('a crash loses nothing that was reported', async () => {
    const lms = new StrictLms({ version });
    const host = launched(lms, version);
    await host.open();
    host.report({ ...part, score: 0.25, state: 'AL1.quarter' });
    expect(await launched(lms, version).open()).toMatchObject({ state: 'AL1.quarter' });
    expect(lms.kept[raw]).toBe('25');
  });

  it('writes only what changed', async () => {
    const lms = new StrictLms({ version });
    const host = launched(lms, version);
    await host.open();
    host.report({ ...part, score: 0.5 });
    const before = lms.calls.length;
    expect(host.report({ ...part, score: 0.5 })).toBe(true);
    expect(lms.calls.slice(before)).toEqual([]);
  });

  it.each(['review', 'browse'] as const)('writes nothing in %s', async (mode) => {
    const lms = new StrictLms({ version });
    const first = launched(lms, version);
    await first.open();
    first.report({ ...part, score: 0.5 });
    const kept = { ...lms.kept };
    lms.change({ mode });
    const host = launched(lms, version);
    expect(await host.open()).toMatchObject({ review: true });
    expect(host.report({ ...part, score: 1 })).toBe(false);
    host.park();
    host.finish();
    expect(lms.refused).toEqual([]);
    expect(lms.kept).toEqual(kept);
  });

  it('never hands over more than the room, and says that it was not taken', async () => {
    const lms = new StrictLms({ version });
    const host = launched(lms, version);
    await host.open();
    const state = 'x'.repeat(host.room);
    expect(host.report({ ...part, score: null, state })).toBe(true);
    expect(host.report({ ...part, score: null, state: `${state}x` })).toBe(false);
    expect(lms.refused).toEqual([]);
    expect(lms.kept['cmi.suspend_data']).toHaveLength(host.room);
  });

  it('takes an element that the system does not have for no error', async () => {
    const without = is12 ? ['cmi.core.score.min'] : ['cmi.progress_measure'];
    const lms = new StrictLms({ version, without });
    const host = launched(lms, version);
    await host.open();
    expect(host.report({ ...part, score: 0.5 })).toBe(true);
    expect(lms.kept[raw]).toBe('50');
  });

  it('writes down each exercise at the same place, and nothing before the first Run', async () => {
    const lms = new StrictLms({ version });
    const last = {
      ...{ time: '2026-03-04T05:06:07.890Z', language: 'python', runs: 3 },
      ...{ passed: false, rightCases: 2, cases: 5 },
    };
    const host = launched(lms, version);
    await host.open();
    host.report({ ...part, score: null, exercises: [{ id: 'one' }, { id: 'two' }] });
    expect(Object.keys(lms.kept).filter((name) => name.includes('interactions'))).toEqual([]);
    expect(
      host.report({ ...part, score: 0, exercises: [{ id: 'one' }, { id: 'two', last }] }),
    ).toBe(true);
    const [when, response, wrong] = is12
      ? ['time', 'student_response', 'wrong']
      : ['timestamp', 'learner_response', 'incorrect'];
    expect(lms.kept).toMatchObject({
      'cmi.interactions.0.id': 'one',
      'cmi.interactions.1.id': 'two',
      'cmi.interactions.1.type': is12 ? 'performance' : 'other',
      [`cmi.interactions.1.${when}`]: is12
        ? expect.stringMatching(/^\d\d:06:07$/)
        : '2026-03-04T05:06:07.00Z',
      [`cmi.interactions.1.${response}`]: 'python; runs: 3; cases: 2 of 5',
      'cmi.interactions.1.result': wrong,
    });
    expect(lms.kept).not.toHaveProperty('cmi.interactions.0.result');
    host.finish();
    // Another day, only the first one is run.
    const again = launched(lms, version);
    await again.open();
    const passed = { ...last, passed: true, rightCases: 5 };
    again.report({ ...part, score: 0.5, exercises: [{ id: 'one', last: passed }, { id: 'two' }] });
    expect(lms.kept).toMatchObject({
      'cmi.interactions.0.result': 'correct',
      'cmi.interactions.1.result': wrong,
    });
    expect(lms.refused).toEqual([]);
  });

  it('has its score where a system wants no interactions, and asks it once', async () => {
    const lms = new StrictLms({ version, without: ['cmi.interactions.'] });
    const host = launched(lms, version);
    await host.open();
    const last = {
      ...{ time: '2026-03-04T05:06:07Z', language: 'python', runs: 1 },
      ...{ passed: true, rightCases: 5, cases: 5 },
    };
    for (const score of [0.5, 0.6]) {
      expect(host.report({ ...part, score, exercises: [{ id: 'one', last }] })).toBe(true);
    }
    expect(lms.kept[raw]).toBe('60');
    expect(lms.calls.filter((call) => call.includes('interactions'))).toHaveLength(1);
  });

  it('never takes a final status back', async () => {
    const lms = new StrictLms({ version });
    const host = launched(lms, version);
    await host.open();
    host.report({ ...part, score: 1, complete: true });
    host.report({ ...part, score: 0.9 });
    host.finish();
    expect(lms.kept[status]).toBe(is12 ? 'passed' : 'completed');
  });

  it('nobody is there when the system refuses to begin', async () => {
    const api = Object.fromEntries(
      Object.keys(Object.values(new StrictLms({ version }).launch())[0] ?? {}).map((name) => [
        name,
        () => (/Get/.test(name) ? '' : 'false'),
      ]),
    ) as ScormApi;
    expect(await scormHost(api, version).open()).toBeUndefined();
  });

  it('a system that throws, or answers nothing, breaks nothing', async () => {
    const broken = new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('gone');
        },
      },
    ) as ScormApi;
    const host = scormHost(broken, version);
    expect(await host.open()).toBeUndefined();
    host.park();
    host.finish();
  });

  it('scorm-again keeps the same', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('window', globalThis);
    const Api = is12 ? Scorm12API : Scorm2004API;
    const api = new Api({ autocommit: false, logLevel: 5 });
    const host = scormHost(api, version, () => now);
    try {
      expect(await host.open()).toMatchObject({ state: '', review: false });
      const last = {
        ...{ time: '2026-03-04T05:06:07Z', language: 'python', runs: 1 },
        ...{ passed: true, rightCases: 5, cases: 5 },
      };
      const exercises = [{ id: 'one' }, { id: 'two', last }];
      expect(host.report({ ...part, score: 0.5, place: 'count', exercises })).toBe(true);
      now = 5000;
      host.park();
      const kept = JSON.parse(api.renderCMIToJSONString()) as { cmi: unknown };
      sent.push(kept.cmi);
      host.report({ state: 'AL1.all', score: 1, complete: true });
      host.finish();
    } finally {
      vi.unstubAllGlobals();
    }
    expect(sent[0]).toMatchObject(
      is12
        ? {
            suspend_data: 'AL1.abc',
            core: { lesson_status: 'incomplete', lesson_location: 'count', score: { raw: '50' } },
          }
        : { suspend_data: 'AL1.abc', completion_status: 'incomplete', score: { scaled: '0.5' } },
    );
    const second = { id: 'two', type: is12 ? 'performance' : 'other', result: 'correct' };
    const { interactions } = sent[0] as { interactions: object };
    expect(Object.values(interactions)).toMatchObject([{ id: 'one' }, second]);
    const all = JSON.parse(api.renderCMIToJSONString()) as { cmi: unknown };
    expect(all.cmi).toMatchObject(
      is12 ? { core: { lesson_status: 'passed' } } : { success_status: 'passed' },
    );
  });
});

describe('where the API is', () => {
  const api = { LMSInitialize: () => 'true' };
  const forbidden = (): never => {
    throw new DOMException('cross-origin', 'SecurityError');
  };
  const top = (window: object): ApiWindow & object => Object.assign(window, { parent: window });

  it('in its own window, around it, above a window of another origin, or at the opener', () => {
    const lms = top({ API: api });
    expect(findApi(lms, '1.2')).toBe(api);
    expect(findApi({ parent: { parent: lms } }, '1.2')).toBe(api);
    const foreign = Object.defineProperty({ parent: lms }, 'API', { get: forbidden });
    expect(findApi({ parent: foreign }, '1.2')).toBe(api);
    const popup = top({ opener: { parent: lms } });
    expect(findApi({ parent: popup, top: popup }, '1.2')).toBe(api);
    expect(findApi(top({ opener: { parent: lms } }), '1.2')).toBe(api);
  });

  it('or nowhere, however high the windows are and whatever throws', () => {
    expect(findApi(top({}), '1.2')).toBeUndefined();
    expect(findApi(top({ API: api }), '2004')).toBeUndefined();
    const endless: { parent?: object } = {};
    endless.parent = { parent: endless };
    expect(findApi(endless, '1.2')).toBeUndefined();
    const closed = Object.defineProperties(
      {},
      { parent: { get: forbidden }, top: { get: forbidden }, opener: { get: forbidden } },
    );
    expect(findApi(closed as ApiWindow, '1.2')).toBeUndefined();
  });
});

it('writes times as each version wants them', () => {
  expect([0, 59_600, 3_723_000, 1e15].map(time12)).toEqual([
    ...['0000:00:00.00', '0000:01:00.00', '0001:02:03.00', '9999:59:59.00'],
  ]);
  expect([0, 3_723_000].map(time2004)).toEqual(['PT0H0M0S', 'PT1H2M3S']);
});
