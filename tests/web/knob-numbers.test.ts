/** The numbers in the prose that are values of knobs: `[what it is](knob:figure.knob)`. */
import '../fuzz/no-browser';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KNOB, textsIn } from '../../web/plugins/lab-words';
import { LabSource } from '../../web/plugins/labs';
import { dragged } from '../../web/src/lab/figure/knob-number';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';

const labs = await new LabSource(fileURLToPath(new URL('../../web/', import.meta.url))).read();

describe.each(LAB_PAGES)('the numbers in the prose of $id', ({ id, figures, opening }) => {
  it('are values of knobs that hold numbers, in every language', () => {
    const read = labs.find(({ lab }) => lab.id === id);
    const named = Object.values(read?.words ?? {}).map((words) =>
      [...textsIn(words)].flatMap((text) =>
        [...text.matchAll(KNOB)].map(([, , knob = '']) => knob),
      ),
    );
    expect(named[0]?.length).toBeGreaterThan(0);
    for (const one of named) expect([...one].sort()).toEqual([...(named[0] ?? [])].sort());
    for (const target of new Set(named.flat())) {
      const [figure, knob = ''] = target.split('.');
      const found = figures.find((one) => one.id === (figure === opening.id ? '' : figure));
      expect(found?.movable, `${target}: the element moves its knobs from outside`).toBe(true);
      expect(['integer', 'number'], target).toContain(found?.table[knob]?.kind);
    }
  });
});

describe('a drag', () => {
  const knob = { value: 8, locked: false };
  it('goes by steps where there are few, and reaches both ends', () => {
    const few = { ...knob, min: 2, max: 12, step: 1, log: false };
    expect(dragged(8, 6, few)).toBe(9);
    expect(dragged(8, -12, few)).toBe(6);
    expect(dragged(8, 1000, few)).toBe(12);
    expect(dragged(8, -1000, few)).toBe(2);
  });

  it('goes by ratios where the scale is logarithmic', () => {
    const many = { ...knob, min: 1, max: 4096, step: 1, log: true };
    expect(dragged(64, 150, many)).toBe(4096);
    expect(dragged(64, -150, many)).toBe(1);
    expect(dragged(64, 75, many)).toBe(512);
  });

  it('stays on the steps of a fraction', () => {
    expect(dragged(0.1, 0.6, { ...knob, min: 0, max: 1, step: 0.1, log: false })).toBe(0.1);
    expect(dragged(0.1, 12, { ...knob, min: 0, max: 1, step: 0.1, log: false })).toBe(0.3);
  });
});
