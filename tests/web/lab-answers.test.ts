import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figureJson } from '../../web/src/lab/figure/save-and-share';
import { standingOf, stepsDone } from '../../web/src/lab/page/step-progress';
import { UrlStore } from '../../web/src/lab/page/url-store';
import {
  asLabRecord,
  blankRecord,
  type LabRecord,
  LabRecords,
  labKey,
  mergedRecords,
  recordsIn,
} from '../../web/src/lab/questions/answer-records';
import {
  answerText,
  curveText,
  distance,
  partOf,
  STOPS,
  valueAt,
  verdictOf,
} from '../../web/src/lab/questions/answer-scoring';
import { formulaName, spoken } from '../../web/src/lab/text/plain-text';
import type { Check, Prediction, Step } from '../../web/src/lab/types';
import type { UrlHistory } from '../../web/src/state/history';
import { journalOf } from '../../web/src/state/journal';
import type { PageHost } from '../../web/src/state/page-host';
import { savedWork } from '../../web/src/state/saved-work';
import { boolean, integer, oneOf } from '../../web/src/state/url';

/** An address bar without a window. */
function bar(search: string) {
  const listeners = new Set<(search: string) => void>();
  const seen: string[] = [];
  const history: UrlHistory = {
    draft: (now) => void seen.push(`draft ${now}`),
    commit: (now) => void seen.push(now),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => listeners.clear(),
  };
  const store = new UrlStore(history, search, ['why', 'how']);
  const back = (to: string): void => {
    for (const listener of listeners) listener(to);
  };
  return { store, seen, back };
}

const table = {
  n: integer({ key: 'n', min: 2, max: 64, default: 8 }),
  causal: boolean({ key: 'causal', default: false }),
  map: oneOf({ key: 'map', values: ['relu', 'elu'], default: 'elu' }),
};
const still = { onChange: () => undefined };

describe('the link of a page of figures', () => {
  it('gives each figure its own keys, and the opening those without a name', () => {
    const { store, seen } = bar('?v=1&n=4&curve.n=16&other=1');
    const opening = store.knobs('', table, still);
    const curve = store.knobs('curve', table, still);
    expect(opening.values.n).toBe(4);
    expect(curve.values.n).toBe(16);
    curve.set({ causal: true });
    opening.set({ map: 'relu' }, { draft: true });
    expect(seen).toEqual([
      '?v=1&n=4&curve.n=16&curve.causal=1&other=1',
      'draft ?v=1&n=4&map=relu&curve.n=16&curve.causal=1&other=1',
    ]);
  });

  it('keeps the values of a figure that has not loaded yet', () => {
    const { store, seen } = bar('?v=1&late.n=5');
    const opening = store.knobs('', table, still);
    expect(opening.problems).toEqual([]);
    opening.set({ n: 3 });
    expect(seen.at(-1)).toBe('?v=1&n=3&late.n=5');
    expect(store.knobs('late', table, still).values.n).toBe(5);
  });

  it('leaves out the defaults of a figure, and clamps values that do not fit', () => {
    const { store, seen } = bar('');
    const knobs = store.knobs('a', table, { ...still, values: { n: 32 } });
    expect(knobs.values.n).toBe(32);
    expect(knobs.defaults.n).toBe(32);
    knobs.set({ n: 8 });
    expect(seen.at(-1)).toBe('?v=1&a.n=8');
    knobs.set({ n: 1000 });
    expect(knobs.values.n).toBe(64);
    knobs.set({ n: 32 });
    expect(seen.at(-1)).toBe('');
  });

  it('hides and locks knobs of each figure, and steps', () => {
    const { store, seen } = bar('?hide=why,a.n&lock=map,a.causal');
    const opening = store.knobs('', table, still);
    const a = store.knobs('a', table, still);
    expect([store.hides('why'), store.hides('how')]).toEqual([true, false]);
    expect([opening.hidden('n'), opening.locked('map')]).toEqual([false, true]);
    expect([a.hidden('n'), a.locked('causal'), a.locked('map')]).toEqual([true, true, false]);
    expect([...opening.problems, ...a.problems]).toEqual([]);
    a.set({ map: 'relu' });
    expect(seen.at(-1)).toBe('?v=1&a.map=relu&hide=why,a.n&lock=map,a.causal');
  });

  it('reports each value that it cannot use once, at the figure that it belongs to', () => {
    const { store } = bar('?n=wrong&hide=nonsense&a.n=900&hide=a.gone');
    const opening = store.knobs('', table, still);
    const a = store.knobs('a', table, still);
    expect(opening.values.n).toBe(8);
    expect(opening.problems.join(' ')).toMatch(/wrong.*nonsense/s);
    expect(opening.problems.join(' ')).not.toContain('gone');
    expect(a.problems.join(' ')).toMatch(/900.*a\.gone/s);
  });

  it('follows Back, and an anchor changes nothing', () => {
    const { store, back } = bar('?v=1&n=4');
    let told = 0;
    const knobs = store.knobs('', table, {
      onChange: () => {
        told++;
      },
    });
    back('?v=1&n=4');
    expect(told).toBe(0);
    back('?v=1&n=6');
    expect([told, knobs.values.n]).toEqual([1, 6]);
    knobs.dispose();
    back('');
    expect(told).toBe(1);
  });
});

describe('a guess', () => {
  const log = { kind: 'number', min: 1e-3, max: 1e4, log: true } as const;
  const plain = { kind: 'number', min: -1, max: 3 } as const;

  it('lies where it was dragged to, on linear and logarithmic scales', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: STOPS }), (stop) => {
        for (const answer of [log, plain]) {
          expect(partOf(valueAt(stop, answer), answer) * STOPS).toBeCloseTo(stop, -0.5);
        }
      }),
    );
    expect(valueAt(0, log)).toBe(1e-3);
    expect(valueAt(STOPS, log)).toBe(1e4);
    expect([valueAt(0, plain), valueAt(STOPS, plain)]).toEqual([-1, 3]);
  });

  it('is off by a factor on a logarithmic scale, and otherwise by a difference', () => {
    expect(distance(10, 40, log)).toEqual({ close: false, factor: 4 });
    expect(distance(40, 10, log).factor).toBe(4);
    expect(distance(10, 11, log).close).toBe(true);
    expect(distance(1, 2, plain)).toEqual({ close: false, difference: 1 });
    expect(distance(1, 1.1, plain).close).toBe(true);
    // No factor leads to or from zero.
    expect(distance(1, 0, log).factor).toBeUndefined();
  });
});

describe('an answer in words', () => {
  const block = (answer: Prediction['answer']): Prediction => ({
    ...{ kind: 'prediction', id: 'one', answer, truth: async () => 0 },
  });

  it('says the option, the number with its unit, or every height of a drawn curve', () => {
    const choice = block({ kind: 'choice', options: ['a', 'b'] });
    expect(answerText(choice, { options: { a: 'The first' } }, 'a')).toBe('The first');
    const number = block({ kind: 'number', min: 1, max: 10, unit: 'ms' });
    expect(answerText(number, undefined, 2.5)).toBe('2.5 ms');
    const bytes = block({ kind: 'number', min: 1, max: 2 ** 20, unit: 'KiB' });
    expect(answerText(bytes, undefined, 2 ** 20)).toBe('1\u00a0GiB');
    expect(answerText(bytes, undefined, 16.25)).toBe('16.3\u00a0KiB');
    const curve = block({ kind: 'curve', min: 0, max: 100, x: [1, 2], xLabel: 'n', unit: '%' });
    expect(answerText(curve, undefined, curveText([20, 12]))).toBe('20 · 12 %');
    // Kept by another version of the page, whose curve had other places.
    expect(answerText(curve, undefined, '1 2 3')).toBe('1 2 3 %');
  });
});

describe('a check', () => {
  const check: Check = { kind: 'check', id: 'c', options: ['a', 'b', 'c'], right: ['a', 'b'] };

  it('is right with all right options and no others', () => {
    expect(verdictOf(['b', 'a'], check)).toBe('right');
    expect(verdictOf(['a'], check)).toBe('partly');
    expect(verdictOf(['a', 'b', 'c'], check)).toBe('partly');
    expect(verdictOf(['c'], check)).toBe('wrong');
  });
});

function memory() {
  const kept = new Map<string, unknown>();
  const storage = savedWork({
    get: async (key) => structuredClone(kept.get(key)),
    set: async (key, value) => void kept.set(key, structuredClone(value)),
    del: async (key) => void kept.delete(key),
    keys: async () => [...kept.keys()],
  });
  let seconds = 0;
  const host = (): PageHost => ({
    ...{ storage, tab: 'tab' },
    locked: (work) => work(),
    now: () => new Date(1e12 + 1000 * seconds++),
  });
  return { kept, host };
}

describe('what a reader answered', () => {
  it('keeps the first answer, whatever comes after it', async () => {
    const { host, kept } = memory();
    const records = new LabRecords(host());
    records.prediction('lab', 'p', 12);
    records.predictionTruth('lab', 'p', 30);
    records.prediction('lab', 'p', 30);
    records.predictionTruth('lab', 'p', 31);
    records.check('lab', 'c', ['b'], false);
    records.check('lab', 'c', ['a'], true);
    records.check('lab', 'c', ['b'], false);
    await records.flush();
    const read = await new LabRecords(host()).open('lab');
    expect(read.predictions.p).toMatchObject({ first: 12, firstTruth: 30, last: 30, count: 2 });
    expect(read.checks.c).toMatchObject({ first: ['b'], last: ['b'], count: 3, rightAt: 2 });
    expect([...kept.keys()]).toEqual([labKey('lab')]);
  });

  it('joins what two tabs wrote', async () => {
    const { host } = memory();
    const [one, two] = [new LabRecords(host()), new LabRecords(host())];
    await Promise.all([one.open('lab'), two.open('lab')]);
    one.prediction('lab', 'p', 'early');
    await one.flush();
    two.prediction('lab', 'p', 'late');
    two.seen('lab', 'step');
    await two.flush();
    const read = await new LabRecords(host()).open('lab');
    expect(read.predictions.p?.first).toBe('early');
    expect(Object.keys(read.seen)).toEqual(['step']);
  });

  it('is joined to the same record in either order', () => {
    const record = (first: string, time: string, rightAt?: number): LabRecord => ({
      ...blankRecord('lab'),
      predictions: { p: { first, last: first, count: 1, time } },
      checks: {
        c: { first: [first], last: [first], count: 3, time, ...(rightAt ? { rightAt } : {}) },
      },
    });
    const [a, b] = [record('a', '2026-01-01', 3), record('b', '2026-01-02', 2)];
    for (const merged of [mergedRecords(a, b), mergedRecords(b, a)]) {
      expect(merged.predictions.p?.first).toBe('a');
      expect(merged.checks.c).toMatchObject({ first: ['a'], rightAt: 2 });
    }
  });

  it('keeps an answer that is given while another is being stored', async () => {
    const { host } = memory();
    const records = new LabRecords(host());
    records.prediction('lab', 'p', 1);
    await records.flush();
    // The answer comes one turn of the event loop later each time, so that it meets the save at every stage.
    for (let turns = 0; turns < 12; turns++) {
      records.seen('lab', `step-${turns}`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      records.prediction('lab', 'p', 100 + turns);
      await records.flush();
      const read = await new LabRecords(host()).open('lab');
      expect(read.predictions.p, `${turns} turns`).toMatchObject({
        last: 100 + turns,
        count: 2 + turns,
      });
    }
  });

  it('survives a page that closes before it is stored', async () => {
    const { host, kept } = memory();
    const notes = new Map<string, string>();
    const journal = journalOf(() => ({
      getItem: (key) => notes.get(key) ?? null,
      setItem: (key, value) => void notes.set(key, value),
      removeItem: (key) => void notes.delete(key),
      key: (i) => [...notes.keys()][i] ?? null,
      length: notes.size,
    }));
    // The first page's storage never answers again.
    const gone = new LabRecords({ ...host(), journal, locked: () => new Promise(() => undefined) });
    gone.prediction('lab', 'p', 12);
    gone.leave();
    expect(kept.size).toBe(0);
    const next = new LabRecords({ ...host(), journal });
    expect((await next.open('lab')).predictions.p?.first).toBe(12);
    await next.flush();
    expect(notes.size).toBe(0);
    expect((await new LabRecords(host()).open('lab')).predictions.p?.first).toBe(12);
    // Nothing is waiting to be stored, so no note is written.
    next.leave();
    expect(notes.size).toBe(0);
  });

  it('can be forgotten and restored', async () => {
    const { host } = memory();
    const records = new LabRecords(host());
    records.seen('lab', 'step');
    await records.flush();
    const before = await records.restore([['lab', undefined]]);
    expect(await records.all()).toEqual([]);
    await records.restore(before);
    expect((await records.all()).map(({ lab }) => lab)).toEqual(['lab']);
  });

  it('stays forgotten when another tab stores a record before it is notified', async () => {
    const { host, kept } = memory();
    const [lab, list] = [new LabRecords(host()), new LabRecords(host())];
    lab.check('lab', 'c', ['a'], true);
    await lab.flush();
    const told: LabRecord[] = [];
    lab.listen((id) => told.push(lab.get(id)));
    const before = await list.restore([['lab', undefined]]);
    lab.seen('lab', 'step');
    await lab.flush();
    expect(kept.get(labKey('lab'))).toHaveProperty('checks', {});
    expect(kept.get(labKey('lab'))).toHaveProperty('seen.step');
    expect(told.at(-1)?.checks).toEqual({});
    // The restored record is joined with what was read in the meantime.
    await list.restore(before);
    lab.seen('lab', 'next');
    await lab.flush();
    expect(Object.keys(lab.get('lab').checks)).toEqual(['c']);
    expect(Object.keys(lab.get('lab').seen).sort()).toEqual(['next', 'step']);
  });

  it('is kept until the page closes where storage is denied, and the page says so', async () => {
    const denied = async (): Promise<never> => {
      throw new DOMException('no', 'SecurityError');
    };
    const storage = savedWork({ get: denied, set: denied, del: denied, keys: denied });
    const records = new LabRecords({
      ...{ storage, tab: 'tab' },
      locked: (work) => work(),
      now: () => new Date(0),
    });
    records.check('lab', 'c', ['a'], true);
    await records.flush();
    expect(records.get('lab').checks.c?.rightAt).toBe(1);
    expect(records.problem).toBeTruthy();
  });

  it('is read from files with its valid parts only, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        asLabRecord(value);
        recordsIn(JSON.stringify({ labs: [value] }));
      }),
    );
    const record = asLabRecord({
      ...{ v: 1, lab: 'lab', changed: 'x', seen: { 'a b': 'x', ok: 'x' } },
      predictions: {
        bad: { first: {}, last: 1, count: 1 },
        ok: { first: 1, last: 1, count: 1, time: 't' },
      },
      checks: {
        bad: { first: 'a', last: [], count: 1 },
        // As a file says it: a name like any other, and not the prototype of this object.
        ['__proto__']: { first: [], last: [], count: 1, time: 't' },
      },
    });
    expect(Object.getPrototypeOf(record?.checks)).toBe(Object.prototype);
    // A field that this version does not know is carried along, whatever it is called.
    const answer = '{"first":1,"last":1,"count":1,"time":"t","__proto__":{"x":1}}';
    const carried = asLabRecord(JSON.parse(`{"v":1,"lab":"lab","predictions":{"p":${answer}}}`));
    if (!carried) throw new Error('refused');
    const merged = mergedRecords(carried, carried).predictions.p;
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.keys(merged ?? {})).toContain('__proto__');
    expect(Object.keys(record?.predictions ?? {})).toEqual(['ok']);
    expect(record?.checks).toEqual({});
    expect(Object.keys(record?.seen ?? {})).toEqual(['ok']);
  });

  it('marks a step as seen, then as done', () => {
    const step: Step = {
      id: 's',
      blocks: [
        {
          ...{ kind: 'prediction', id: 'p', answer: { kind: 'choice', options: ['a', 'b'] } },
          truth: async () => 'a',
          reveal: [{ kind: 'check', id: 'c', options: ['a', 'b'], right: ['a'] }],
        },
      ],
    };
    const time = '2026-01-01';
    const seen = { ...blankRecord('lab'), seen: { s: time } };
    expect(standingOf(step, blankRecord('lab'))).toBe('new');
    expect(standingOf(step, seen)).toBe('seen');
    const answered: LabRecord = {
      ...seen,
      predictions: { p: { first: 'a', last: 'a', count: 1, time } },
      checks: { c: { first: ['b'], last: ['b'], count: 1, time } },
    };
    expect(standingOf(step, answered)).toBe('seen');
    const right = { c: { first: ['b'], last: ['a'], count: 2, rightAt: 2, time } };
    expect(standingOf(step, { ...answered, checks: right })).toBe('done');
    expect(stepsDone([step], { ...answered, checks: right })).toBe(1);
  });
});

describe('words', () => {
  it('are written for a screen reader without their marks', () => {
    expect(spoken('*Two* ways: $(QK^{\\top})V$ and `x`, [here](https://a.b)')).toBe(
      'Two ways: (QKᵀ)V and x, here',
    );
    expect(formulaName('$Q(K^{\\top}V)$')).toBe('Q(KᵀV)');
    expect(formulaName('the $n$ tokens')).toBeUndefined();
  });
});

describe('a figure’s file', () => {
  it('is JSON with everything that the figure was made from', () => {
    const about = {
      ...{ name: 'a.json', heading: 'Heading', caption: 'n = 4, seed 1.', lab: 'lab' },
      ...{ figure: 'fig', version: '1', link: 'https://a.b/?v=1', settings: { n: 4 } },
    };
    const data = {
      columns: ['n', 'ms'],
      rows: [[4, Number.NaN]],
      matrices: { q: { rows: 1, cols: 2, data: Float32Array.of(1, 2) } },
    };
    const read = JSON.parse(figureJson(about, data)) as Record<string, unknown>;
    expect(read).toMatchObject({
      ...{ format: 'attention-labs/figure', lab: 'lab', link: about.link, settings: { n: 4 } },
      ...{ columns: ['n', 'ms'], rows: [[4, null]] },
      matrices: { q: { rows: 1, cols: 2, data: [1, 2] } },
    });
  });
});
