import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabSource } from '../../web/plugins/labs.ts';
import { readingMinutes } from '../../web/plugins/reading-time.ts';

const lab = (blocks: readonly object[], more: object = {}) =>
  ({ id: 'x', opening: { id: 'o', tag: 'x-o' }, steps: [{ id: 's', blocks }], ...more }) as never;
const words = (prose: string) =>
  ({ steps: {}, prose: { p: [prose] }, predictions: {}, checks: {}, tries: {} }) as never;

describe('the time that a lab takes', () => {
  it('follows from its words, views, tries and runs', () => {
    const prose = { kind: 'prose', id: 'p' };
    expect(readingMinutes(lab([prose]), words('word '.repeat(2000)))).toBe(10);
    const tries = { kind: 'tries', id: 't', figure: 'o', tries: Array(10).fill({ values: {} }) };
    expect(readingMinutes(lab([prose, tries]), words('word '.repeat(2000)))).toBe(15);
    const run = { kind: 'figure', figure: { id: 'f', tag: 'x-f' } };
    const runTimes = { seconds: { f: 600 } };
    expect(readingMinutes(lab([prose, run], { runTimes }), words('word '.repeat(2000)))).toBe(20);
  });

  it('is at most an hour for each lab', async () => {
    const labs = await new LabSource(join(import.meta.dirname, '../../web')).read();
    for (const read of labs) {
      const minutes = readingMinutes(read.lab, read.words.en);
      expect(minutes, read.lab.id).toBeGreaterThanOrEqual(15);
      expect(minutes, read.lab.id).toBeLessThanOrEqual(60);
    }
  });
});
