import { describe, expect, test } from 'vitest';
import { labsModule } from '../../web/plugins/course-map';
import type { ReadLab } from '../../web/plugins/labs';
import { labStanding, type MapLab, nextLab } from '../../web/src/home/course-progress';
import { blankRecord, type LabRecord } from '../../web/src/lab/questions/answer-records';

const lab = (id: string, requires: readonly string[] = []): MapLab => ({
  ...{ id, requires, exercises: [`${id}-1`, `${id}-2`] },
  steps: ['a', 'b'].map((step) => ({ id: step, title: { en: step, de: step }, blocks: [] })),
});
const record = (id: string, seen: readonly string[]): LabRecord => ({
  ...blankRecord(id),
  seen: Object.fromEntries(seen.map((step) => [step, '2026-01-01T00:00:00Z'])),
});

describe('the progress of a reader', () => {
  test('steps and exercises are counted apart; exercises of other labs do not count', () => {
    const standing = labStanding(lab('x'), record('x', ['a']), new Set(['x-2', 'y-1']));
    expect(standing).toEqual({
      ...{ lab: 'x', steps: ['done', 'new'], done: 1, passed: 1, begun: true },
    });
  });

  test('a lab is not begun when nothing in it was read or passed', () => {
    expect(labStanding(lab('x'), record('x', []), new Set()).begun).toBe(false);
    expect(labStanding(lab('x'), record('x', []), new Set(['x-1'])).begun).toBe(true);
  });
});

describe('the lab to continue with', () => {
  const labs = [lab('one'), lab('two', ['one']), lab('three', ['one']), lab('four', ['gone'])];
  const onwards = (done: readonly string[]) =>
    nextLab(
      labs,
      labs.map((one) =>
        labStanding(one, record(one.id, done.includes(one.id) ? ['a', 'b'] : []), new Set()),
      ),
    )?.id;

  test('is the first lab that is not done', () => {
    expect(onwards([])).toBe('one');
    expect(onwards(['one'])).toBe('two');
    expect(onwards(['one', 'two'])).toBe('three');
    expect(onwards(['one', 'two', 'three', 'four'])).toBeUndefined();
  });

  test('comes after the labs that it builds on', () => {
    const turned = [labs[1], labs[0]] as MapLab[];
    const none = turned.map((one) => labStanding(one, record(one.id, []), new Set()));
    expect(nextLab(turned, none)?.id).toBe('one');
  });

  test('can be a lab that builds on a missing one', () => {
    expect(onwards(['one', 'two', 'three'])).toBe('four');
  });

  test('is found even when labs build on each other', () => {
    const round = [lab('p', ['q']), lab('q', ['p'])];
    const none = round.map((one) => labStanding(one, record(one.id, []), new Set()));
    expect(nextLab(round, none)?.id).toBe('p');
  });
});

test('the map’s module holds the data that progress needs, and no marks of prose', () => {
  const read = {
    lab: {
      ...{ id: 'x', number: 1, requires: [], references: [] },
      opening: { id: 'o', tag: 'x-o' },
      steps: [
        {
          id: 's',
          blocks: [
            { kind: 'prose', id: 'p' },
            {
              ...{ kind: 'prediction', id: 'guess', truth: () => Promise.resolve('a') },
              answer: { kind: 'choice', options: ['a'] },
              reveal: [{ kind: 'check', id: 'inner', options: ['a'], right: ['a'] }],
            },
          ],
        },
      ],
    },
    words: { en: { steps: { s: 'The *map* `φ`' } }, de: { steps: { s: 'Die Map' } } },
  } as unknown as ReadLab;
  const code = labsModule([read], [
    { id: 'mine', lab: 'x' },
    { id: 'other', lab: 'y' },
  ] as never);
  const labs = JSON.parse(code.replace(/^export const labs = |;$/g, ''));
  expect(labs).toEqual([
    {
      ...{ id: 'x', number: 1, requires: [], exercises: ['mine'] },
      steps: [
        {
          ...{ id: 's', title: { en: 'The map φ', de: 'Die Map' } },
          blocks: [{ kind: 'prediction', id: 'guess', reveal: [{ kind: 'check', id: 'inner' }] }],
        },
      ],
    },
  ]);
});
