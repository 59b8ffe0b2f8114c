import { beforeAll, describe, expect, it } from 'vitest';
import type { Python } from '../../web/src/exercises/python/interpreter';
import { openPython } from '../tools/python-parts.mjs';
import { check, records } from './check.mjs';

let python: Python;
let exact = 0;

beforeAll(async () => {
  const { createPython } = await openPython();
  python = await createPython();
}, 60_000);

describe('numpy.py gives the recorded results of NumPy 1.24', () => {
  it('on at least 1400 expressions', () => {
    expect(records.length).toBeGreaterThanOrEqual(1400);
  });

  it.each([...new Set(records.map((record) => record.heading))])(
    '%s',
    (heading) => {
      const wrong: string[] = [];
      for (const record of records.filter((each) => each.heading === heading)) {
        const { complaints, exact: same } = check(python, record);
        if (complaints.length > 0) wrong.push(`${record.code}\n${complaints.join('\n')}`);
        if (same) exact++;
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it('and prints more than 97 % of them exactly', () => {
    expect(exact / records.length).toBeGreaterThan(0.97);
  });
});
