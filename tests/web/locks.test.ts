/**
 * What the author of a link fixes stays as it is: `lock=` and `hide=` hold where values are set, so that whatever sets
 * them (a slider, a try, a number in the prose, an animation) is refused alike.
 */
import { describe, expect, it } from 'vitest';
import { UrlStore } from '../../web/src/lab/page/url-store';
import type { Property, PropertyTable } from '../../web/src/state/url';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';

type Value = string | number | boolean;

/** Another value of the same knob. */
function otherThan(value: Value, property: Property): Value {
  switch (property.kind) {
    case 'integer':
    case 'number': {
      const { min = 0, max = min + 1 } = property;
      return value === min ? max : min;
    }
    case 'enum':
      return property.values.find((one) => one !== value) ?? value;
    case 'boolean':
      return !value;
    case 'text':
      return `${String(value)}x`.slice(-property.maxLength) || 'x';
  }
}

function open(search: string, id: string, table: PropertyTable, values = {}) {
  const shown: string[] = [];
  const store = new UrlStore(
    {
      draft: (to) => void shown.push(to),
      commit: (to) => void shown.push(to),
      onChange: () => () => undefined,
      dispose: () => undefined,
    },
    search,
  );
  return { knobs: store.knobs(id, table, { values, onChange: () => undefined }), shown };
}

const figures = LAB_PAGES.flatMap(({ id: lab, figures }) =>
  figures.map((figure) => ({ ...figure, lab })),
);

describe.each(['lock', 'hide'])('%s=', (kind) => {
  it.each(figures)('holds every knob of $lab, "$id"', ({ id, table, values }) => {
    const names = Object.keys(table);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const property = table[name] as Property;
      const key = `${id === '' ? '' : `${id}.`}${property.key}`;
      const { knobs, shown } = open(`?v=1&${kind}=${key}`, id, table, values);
      const before = knobs.values;
      const other = otherThan(before[name] ?? '', property);
      expect(other, key).not.toBe(before[name]);
      expect(knobs.refused({ [name]: other }), key).toEqual([key]);
      expect(knobs.kept({ ...before, [name]: other } as typeof before)).toEqual(before);
      expect(knobs.set({ [name]: other }), key).toEqual([key]);
      expect(knobs.values, key).toEqual(before);
      // Nothing has happened, so Back has nothing to undo.
      expect(shown, key).toEqual([]);
      expect(knobs.set({ [name]: before[name] }), key).toEqual([]);
    }
  });

  it('holds one knob while the others move, in the link too', () => {
    const figure = figures.find(({ table }) => 'n' in table && 'seed' in table);
    if (!figure) throw new Error('a figure with n and a seed is there');
    const { id, table, values } = figure;
    const prefix = id === '' ? '' : `${id}.`;
    const { knobs, shown } = open(`?v=1&${kind}=${prefix}n`, id, table, values);
    const { n } = knobs.values;
    const other = otherThan(n ?? '', table.n as Property);
    expect(knobs.set({ n: other, seed: 77 })).toEqual([`${prefix}n`]);
    expect(knobs.values).toMatchObject({ n, seed: 77 });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('seed=77');
    expect(shown[0]).toContain(`${kind}=${prefix}n`);
    expect(shown[0]).not.toContain(`${prefix}n=${String(other)}`);
  });
});
