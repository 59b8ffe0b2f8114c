/** A student's work as the text that a course site keeps. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLater, newerWorks, packWork, unpackWork } from '../../../web/src/embed/host/kept-state';
import type { Work } from '../../../web/src/exercises/kept-work';
import { blankRecord, type LabRecord } from '../../../web/src/lab/questions/answer-records';

/** What Moodle keeps of a SCORM 1.2 package. */
const ROOM = 4096;
const folder = new URL('../../../web/exercises/', import.meta.url);
const solutions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    id: name,
    code: readFileSync(new URL(`${name}/solution.py`, folder), 'utf8'),
  }));

const work = (exercise: string, fields: Partial<Work> = {}): Work => ({
  ...{ v: 1, exercise, language: 'python', code: '', revision: 3, changed: '' },
  ...{ runs: 1, hints: 0, solutionSeen: false },
  ...fields,
});
const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

/** A lab of ten steps with two questions each, all answered. */
const answered: LabRecord = {
  ...blankRecord('lab'),
  changed: day(9),
  predictions: Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `prediction${i}`,
      { first: 'both', firstTruth: 'both', last: 'both', count: 1, time: day(i) },
    ]),
  ),
  checks: Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `check${i}`,
      { first: ['a'], last: ['b'], count: 2, rightAt: 2, time: day(i) },
    ]),
  ),
  seen: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`step${i}`, day(i)])),
};

describe('what a course site keeps', () => {
  it('comes back as it was, but for the cases of a grade', async () => {
    const grade = { passed: true, cases: [], time: day(1) };
    const works = [
      work('one', { code: 'def f():\n    return "φ \u{1F600}"\n', changed: day(1), grade }),
      work('two', { language: 'javascript', hints: 2, firstPassed: day(2), changed: day(2) }),
    ];
    const { text, left } = await packWork({ page: 'lab', labs: [answered], works }, ROOM);
    expect(left).toEqual([]);
    expect(text).toMatch(/^AL1\.[\w-]+$/);
    const { page, labs, works: back } = (await unpackWork(text)) ?? {};
    expect([page, labs]).toEqual(['lab', [answered]]);
    const [first, second] = works as [Work, Work];
    const { grade: _, ...rest } = first;
    expect(back).toEqual([
      { ...second, revision: 0 },
      { ...rest, revision: 0 },
    ]);
  });

  it('has room for a whole lab with the code of ten exercises', async () => {
    const sorted = solutions.sort((a, b) => b.code.length - a.code.length);
    // As long as half of all solutions are at most, and some longer.
    const middle = Math.floor(sorted.length / 2);
    const works = sorted
      .slice(middle - 8, middle + 2)
      .map(({ id, code }, i) => work(id, { code, changed: day(i), firstPassed: day(i), runs: 4 }));
    const { text, left } = await packWork({ page: 'lab', labs: [answered], works }, ROOM);
    expect(text.length).toBeLessThanOrEqual(ROOM);
    expect(left).toEqual([]);
  });

  it('keeps the newest code where there is too much, names the rest, and loses no result', async () => {
    const works = solutions.map(({ id, code }, i) =>
      work(id, { code, changed: day(i), firstPassed: day(i) }),
    );
    const { text, left } = await packWork({ page: 'lab', labs: [answered], works }, ROOM);
    expect(text.length).toBeLessThanOrEqual(ROOM);
    const back = (await unpackWork(text))?.works ?? [];
    expect(back.map(({ firstPassed }) => firstPassed)).toEqual(
      works.map(({ firstPassed }) => firstPassed).reverse(),
    );
    const kept = back.filter(({ code }) => code !== '');
    expect(kept[0]?.code).toBe(works.at(-1)?.code);
    expect(left.map(({ exercise }) => exercise).sort()).toEqual(
      back
        .filter(({ code }) => code === '')
        .map(({ exercise }) => exercise)
        .sort(),
    );
    expect([...left].sort((a, b) => (a.changed < b.changed ? 1 : -1))).toEqual(left);
    expect(left.length).toBeGreaterThan(0);
  });

  it('hands over nothing rather than a part that cannot be read', async () => {
    const { text, left } = await packWork(
      { page: 'lab', labs: [answered], works: [work('one')] },
      20,
    );
    expect([text, left.length]).toEqual(['', 1]);
  });

  it('does not take what was cut off, changed or made by somebody else', async () => {
    const { text } = await packWork({ page: 'lab', labs: [answered], works: [work('one')] }, ROOM);
    for (const wrong of ['', 'AL2.abc', 'AL1.', text.slice(0, -40), `AL1.${'é'}`, '{"score":1}']) {
      expect(await unpackWork(wrong)).toBeUndefined();
    }
    expect(['AL2.abc', text, 'ALx', ''].map(isLater)).toEqual([true, false, false, false]);
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (noise) => {
        const read = await unpackWork(`AL1.${noise}`);
        return read === undefined || (Array.isArray(read.works) && Array.isArray(read.labs));
      }),
    );
  });
});

describe('what replaces the work of this browser', () => {
  const here = work('one', { code: 'here', changed: day(5), hints: 1, runs: 2 });

  it('is code that is newer, and every result', () => {
    const newer = work('one', { code: 'there', changed: day(6), firstPassed: day(4), runs: 1 });
    expect(newerWorks([newer], [here])).toEqual([{ ...newer, hints: 1, runs: 2 }]);
    const older = { ...newer, changed: day(4) };
    expect(newerWorks([older], [here])).toEqual([{ ...here, firstPassed: day(4) }]);
    const other = work('two', { code: 'two' });
    expect(newerWorks([other], [here])).toEqual([other]);
  });

  it('is nothing where this browser has as much, and never code that found no room', () => {
    expect(newerWorks([here], [here])).toEqual([]);
    expect(newerWorks([{ ...here, code: 'old', changed: day(1) }], [here])).toEqual([]);
    const empty = work('one', { code: '', changed: day(9), solutionSeen: true });
    expect(newerWorks([empty], [here])).toEqual([{ ...here, solutionSeen: true }]);
  });
});
