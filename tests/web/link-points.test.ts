/** Points that a link carries: what is read of them, and what is said about the rest. */
import { describe, expect, it } from 'vitest';
import * as plane from '../../web/labs/kernels/figures/plane/points';
import * as line from '../../web/src/figures/kernel/points';

describe('points of the plane', () => {
  it.each([
    ['aNaN,1b2', [], ['‘aNaN,1’', '‘b2’']],
    ['a1,2b-.5,.25', [[1, 2, 1] as const, [-0.5, 0.25, -1] as const], []],
    ['a1,1c2,2b0,0', [[1, 1, 1] as const, [0, 0, -1] as const], ['‘c2,2’']],
    ['a1,NaNb0,0', [[0, 0, -1] as const], ['‘a1,NaN’']],
    ['a1,1e9b0,0', [[0, 0, -1] as const], ['‘a1,1e9’']],
    ['nonsense', [], ['‘nonsense’']],
    ['a1,1, b2,2;', [[1, 1, 1] as const, [2, 2, -1] as const], []],
  ])('reads %s', (text, points, unread) => {
    expect(plane.pointsOf(text).map(({ x, y, label }) => [x, y, label])).toEqual(points);
    const said = plane.unreadOf(text);
    expect(said).toHaveLength(unread.length > 0 ? 1 : 0);
    for (const piece of unread) expect(said[0]).toContain(piece);
  });

  it('names a few of many, and clips what is long', () => {
    const said = plane.unreadOf(`${'bNaN,1'.repeat(9)}a${'9'.repeat(99)}`).join(' ');
    expect(said).toContain('and 4 more');
    expect(plane.unreadOf(`a${'9'.repeat(99)}`).join(' ')).toContain(`‘a${'9'.repeat(23)}…’`);
  });

  it('reads what it writes', () => {
    const points = plane.pointsOf('a1,2b-0.5,0.25');
    expect(plane.pointsOf(plane.textOf(points))).toEqual(points);
    expect(plane.unreadOf(plane.textOf(points))).toEqual([]);
  });
});

describe('points of the other figures', () => {
  const own = [{ x: 7, y: 7 }];

  it('reads what it can, and names the rest', () => {
    expect(line.parsePoints('1,2;x,1;3,;0.5,-1', own, 8)).toEqual([
      { x: 1, y: 2 },
      { x: 0.5, y: -1 },
    ]);
    const said = line.unreadOf('1,2;x,1;3,;0.5,-1', 8);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('‘x,1’, ‘3,’.');
  });

  it('says when it shows its own points, and when there are too many', () => {
    expect(line.parsePoints('nothing', own, 8)).toBe(own);
    expect(line.unreadOf('nothing', 8).join(' ')).toContain('the points that it begins with');
    expect(line.parsePoints('1,1;2,2;3,3', own, 2)).toHaveLength(2);
    expect(line.unreadOf('1,1;2,2;3,3', 2)).toEqual([
      'The link has 3 points; the first 2 of them are shown.',
    ]);
    expect(line.unreadOf('1,1;2,2', 2)).toEqual([]);
  });
});
