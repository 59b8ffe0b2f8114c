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

describe('numpy.py says what NumPy 1.24 said', () => {
  it('has enough expressions', () => {
    expect(records.length).toBeGreaterThanOrEqual(260);
  });

  it.each(records.map((record) => [record.code, record] as const))('%s', (_, record) => {
    const { complaints, exact: same } = check(python, record);
    expect(complaints).toEqual([]);
    if (same) exact++;
  });

  it('prints nearly all of them to the last character', () => {
    expect(exact / records.length).toBeGreaterThan(0.97);
  });
});
