/** Steps that another lab had once: where old links lead, and what becomes of the answers that were given there. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LabSource, labPage, movedFrom } from '../../web/plugins/labs';
import { movedAddress } from '../../web/src/lab/page/moved';
import { questionsIn } from '../../web/src/lab/page/step-progress';
import {
  blankRecord,
  type LabRecord,
  LabRecords,
  labKey,
} from '../../web/src/lab/questions/answer-records';
import { openRecord } from '../../web/src/lab/questions/open-record';
import type { Lab } from '../../web/src/lab/types';
import type { PageHost } from '../../web/src/state/page-host';
import { savedWork } from '../../web/src/state/saved-work';

const labs = await new LabSource(fileURLToPath(new URL('../../web/', import.meta.url))).read();
const of = (id: string): Lab => {
  const found = labs.find(({ lab }) => lab.id === id);
  if (!found) throw new Error(`no lab ${id}`);
  return found.lab;
};

/** What the lab on kernels was before it became two labs: its anchors below the opening. */
const BEFORE = {
  stays: ['points', 'lifted', 'lift', 'called', 'definite', 'bumps', 'function', 'samples'],
  too: ['representer', 'descent', 'machines', 'smo', 'handout', 'plane', 'sources', 'summary'],
  moved: ['smoother', 'smooth', 'projections', 'uses', 'features', 'costs', 'wide', 'network'],
  moved2: ['deep', 'noise', 'nystrom', 'random-fourier-features', 'nadaraya-watson-is-attention'],
  moved3: ['ntk-two-layer'],
};
const gone = [...BEFORE.moved, ...BEFORE.moved2, ...BEFORE.moved3];
const there = [...BEFORE.stays, ...BEFORE.too];
const moved = movedFrom('kernels', labs);
const address = (link: string): string | undefined => {
  const { search, hash } = new URL(link, 'https://a.b/labs/kernels/index.html');
  return movedAddress({ search, hash }, moved);
};

describe('a link to a step that is in another lab now', () => {
  it('leads there, to the step, a figure or an exercise', () => {
    for (const anchor of gone) {
      expect(address(`#${anchor}`), anchor).toBe(`../kernel-attention/index.html#${anchor}`);
    }
  });

  it('leads to what is still there otherwise', () => {
    for (const anchor of there)
      expect(address(`?v=1&smooth.g=5#${anchor}`), anchor).toBeUndefined();
    for (const link of [
      '',
      '?v=1&C=5&gamma=2',
      '?v=1&function.k=laplacian',
      '#m=abc',
      '?hide=uses',
    ]) {
      expect(address(link), link).toBeUndefined();
    }
  });

  it('keeps its query', () => {
    const query = '?v=1&smooth.g=5.5&smooth.p=-1,0.5;1,1&lock=smooth.g';
    expect(address(`${query}#smoother`)).toBe(`../kernel-attention/index.html${query}#smoother`);
    expect(address('?v=1&C=5&smooth.g=2#uses')).toBe(
      '../kernel-attention/index.html?v=1&C=5&smooth.g=2#uses',
    );
  });

  it('leads to the figure of its knobs where it has no anchor, and the knobs are all of one lab', () => {
    expect(address('?v=1&network.width=64&network.steps=9')).toBe(
      '../kernel-attention/index.html?v=1&network.width=64&network.steps=9#network',
    );
    expect(address('?v=1&network.width=64&C=5')).toBeUndefined();
    expect(address('?v=1&network.width=64&function.k=laplacian')).toBeUndefined();
  });

  it('hides and locks there only what is there', () => {
    expect(address('?v=1&hide=points,uses,hints,C,smooth.g&lock=C#smoother')).toBe(
      '../kernel-attention/index.html?v=1&hide=uses%2Chints%2Csmooth.g#smoother',
    );
  });

  it('means there what it meant: no key of the opening that was left is one of the opening that is there', async () => {
    await import('../fuzz/no-browser');
    const keys = await Promise.all(
      [
        import('../../web/labs/kernels/figures/plane/plane'),
        import('../../web/labs/kernel-attention/figures/line/line'),
      ].map(async (module) => {
        const [Figure] = Object.values(await module) as (new () => { table: object })[];
        return Object.values(Figure ? new Figure().table : {}).map(({ key }) => key as string);
      }),
    );
    expect(keys[0]?.length).toBeGreaterThan(4);
    expect(keys[1]?.length).toBeGreaterThan(2);
    expect(keys[0]?.filter((key) => keys[1]?.includes(key))).toEqual([]);
  });

  it('is followed by the page of the lab that had the step, and only there', () => {
    for (const read of labs) {
      const page = labPage(read, movedFrom(read.lab.id, labs));
      expect(page.includes('follow-moved.ts'), read.lab.id).toBe(read.lab.id === 'kernels');
      expect(page.includes('data-moved'), read.lab.id).toBe(read.lab.id === 'kernels');
    }
  });

  it.each(labs)(
    'names labs that there are, and steps that they have no more: $lab.id',
    ({ lab }) => {
      for (const { id, formerlyIn } of lab.steps) {
        if (formerlyIn === undefined) continue;
        const former = of(formerlyIn);
        expect(former.steps.map((step) => step.id)).not.toContain(id);
      }
    },
  );
});

const time = '2026-01-01T00:00:00.000Z';
const prediction = { first: 'gaussian', firstTruth: 'exponential', last: 'both', count: 2, time };
const check = { first: ['scale'], last: ['roles'], count: 2, rightAt: 2, time };
/** All that can be answered in the two labs, in the record of the first. */
const everything = (): LabRecord => {
  const steps = [...of('kernels').steps, ...of('kernel-attention').steps];
  const asked = steps.flatMap(({ blocks }) => [...questionsIn(blocks)]);
  const ids = (kind: string) => asked.filter((one) => one.kind === kind).map(({ id }) => id);
  return {
    ...blankRecord('kernels'),
    changed: time,
    predictions: Object.fromEntries(ids('prediction').map((id) => [id, prediction])),
    checks: Object.fromEntries(ids('check').map((id) => [id, check])),
    seen: Object.fromEntries(steps.map(({ id }) => [id, time])),
  };
};

function memory(record?: LabRecord, refuses: (key: string) => boolean = () => false) {
  const kept = new Map<string, unknown>(record ? [[labKey(record.lab), record]] : []);
  const storage = savedWork({
    get: async (key) => structuredClone(kept.get(key)),
    set: async (key, value) => {
      if (refuses(key)) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, structuredClone(value));
    },
    del: async (key) => void kept.delete(key),
    keys: async () => [...kept.keys()],
  });
  const host = (): PageHost => ({
    ...{ storage, tab: 'tab' },
    locked: (work) => work(),
    now: () => new Date(1e12),
  });
  return { kept, host };
}
const parts = ['predictions', 'checks', 'seen'] as const;
const ids = (record: unknown): Record<string, string[]> =>
  Object.fromEntries(
    parts.map((part) => [
      part,
      Object.keys((record as LabRecord | undefined)?.[part] ?? {}).sort(),
    ]),
  );

describe('answers in a step that is in another lab now', () => {
  it('are in the record of that lab, all of them, each once, as they were given', async () => {
    const before = everything();
    const { kept, host } = memory(before);
    const lab = of('kernel-attention');
    const record = await openRecord(new LabRecords(host()), lab);
    expect(record.predictions.equal).toEqual(prediction);
    expect(record.checks.symmetric).toEqual(check);
    expect(record.seen.wide).toBe(time);
    const asked = lab.steps
      .filter(({ formerlyIn }) => formerlyIn)
      .flatMap(({ blocks }) => [...questionsIn(blocks)]);
    expect(asked.length).toBeGreaterThan(5);
    for (const { kind, id } of asked) {
      expect(kind === 'prediction' ? record.predictions[id] : record.checks[id], id).toBeDefined();
    }
    const [here, left] = [kept.get(labKey(lab.id)), kept.get(labKey('kernels'))];
    expect(here).toEqual(record);
    // The step on the handout is in both labs, and what was read is that of the first.
    expect(record.seen).not.toHaveProperty('handout');
    expect(ids(left).seen).toContain('handout');
    for (const part of parts) {
      expect([...(ids(here)[part] ?? []), ...(ids(left)[part] ?? [])].sort()).toEqual(
        ids(before)[part],
      );
    }
  });

  it('are taken along again when a file or another tab brings them back, and are not counted twice', async () => {
    const { kept, host } = memory(everything());
    const records = new LabRecords(host());
    await openRecord(records, of('kernel-attention'));
    const once = structuredClone(kept.get(labKey('kernel-attention')));
    await records.restore([['kernels', everything()]]);
    await openRecord(records, of('kernel-attention'));
    expect(kept.get(labKey('kernel-attention'))).toEqual(once);
    expect(ids(kept.get(labKey('kernels'))).predictions).not.toContain('equal');
  });

  it('do not replace an earlier answer that was given there, and stay forgotten when the reader removes them', async () => {
    const { host } = memory(everything());
    const records = new LabRecords(host());
    records.prediction('kernel-attention', 'equal', 'neither');
    await records.flush();
    const lab = of('kernel-attention');
    // The clock of the answer is before that of the record that is taken over.
    expect((await openRecord(records, lab)).predictions.equal?.first).toBe('neither');
    await records.restore([[lab.id, undefined]]);
    expect((await openRecord(new LabRecords(host()), lab)).predictions).toEqual({});
  });

  it('leave no record behind where nothing else was answered, and make none where nothing was', async () => {
    const only = { ...blankRecord('kernels'), changed: time, predictions: { equal: prediction } };
    const { kept, host } = memory(only);
    await openRecord(new LabRecords(host()), of('kernel-attention'));
    expect([...kept.keys()]).toEqual([labKey('kernel-attention')]);
    const none = memory();
    await openRecord(new LabRecords(none.host()), of('kernel-attention'));
    expect([...none.kept.keys()]).toEqual([]);
  });

  it('stay where they are while they cannot be stored there, and are shown all the same', async () => {
    const { kept, host } = memory(everything(), (key) => key === labKey('kernel-attention'));
    const record = await openRecord(new LabRecords(host()), of('kernel-attention'));
    expect(record.predictions.equal).toEqual(prediction);
    expect(kept.get(labKey('kernels'))).toEqual(everything());
  });
});
