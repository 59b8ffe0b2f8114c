import { describe, expect, it } from 'vitest';
import { isDashed, lookOf, nameOf, thingIds, thingOf } from '../../web/src/plot/names.ts';

describe('the things of the course', () => {
  it.each([true, false])('look different from each other (dark: %s)', (dark) => {
    const looks = thingIds
      .filter((id) => !isDashed(id))
      .map((id) => JSON.stringify(lookOf(id, dark)));
    expect(new Set(looks).size).toBe(looks.length);
    for (const id of thingIds) expect(lookOf(id, dark).color).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('have names, and are found by what the core calls them', () => {
    expect(new Set(thingIds.map(nameOf)).size).toBe(thingIds.length);
    expect(thingOf('gated_delta_rule')).toBe('gatedDelta');
    expect(thingOf('no such model')).toBeUndefined();
  });
});
