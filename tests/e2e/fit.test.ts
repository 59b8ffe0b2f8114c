/**
 * Every view of every lab is whole: at its default, after every try, before and after every prediction, beside its open
 * sheet, on a large window, a small one and a phone. A view of which something is cut is a fault of its lab.
 *
 * `npm run fit` looks at all of it, `npm run fit -- kernels` at one lab; the suite looks at a sample, which says in the
 * names of its tests what it takes: all views at one size, and the tries, predictions and sheets of one step.
 */
import { describe, expect, it } from 'vitest';
import type { Lab } from '../../web/src/lab/types';
import { labs } from '../tools/site.mjs';
import { look, withLook } from './fit';
import { browsing } from './visit';

const visit = browsing();

const windows = [
  [1440, 900],
  [1280, 720],
  [390, 844],
] as const;

/** The labs to look at whole; nothing is left out where it is `all`. */
const whole = process.env.FIT?.split(',').filter(Boolean) ?? [];
const sources = import.meta.glob<{ lab: Lab }>('../../web/labs/*/lab.ts', { eager: true });
const dataOf = (id: string): Lab => {
  const found = Object.values(sources).find(({ lab }) => lab.id === id);
  if (!found) throw new Error(`no lab.ts for ${id}`);
  return found.lab;
};

const asksOrTries = ({ blocks }: Lab['steps'][number]): boolean =>
  blocks.some(({ kind }) => kind === 'tries' || kind === 'prediction');

interface Walk {
  readonly lab: string;
  readonly size: string;
  readonly width: number;
  readonly height: number;
  readonly steps: readonly string[] | undefined;
}

const walks: readonly Walk[] = labs()
  .map((path) => path.replace(/^labs\/|\/$/g, ''))
  .flatMap((lab, i) => {
    const all = whole.includes('all') || whole.includes(lab);
    if (whole.length > 0 && !all) return [];
    const { number, steps } = dataOf(lab);
    const rich = steps.filter(asksOrTries);
    // Neighbours in the course take other sizes, and other steps.
    const one = rich[number % rich.length]?.id;
    return windows.flatMap(([width, height], k) =>
      all || k === i % windows.length
        ? [
            {
              lab,
              size: `${width} × ${height}`,
              width,
              height,
              steps: all ? undefined : [one ?? ''],
            },
          ]
        : [],
    );
  });

describe('every view is whole', () => {
  it.each(walks)(
    '$lab at $size ($steps)',
    async ({ lab, width, height, steps }) => {
      const { page } = await visit(`labs/${lab}/index.html`, {
        ...{ viewport: { width, height }, reducedMotion: 'reduce', folded: true },
        before: withLook,
      });
      const { faults, ...counts } = await look(page, { steps });
      // It has looked at something.
      expect(counts.views, JSON.stringify(counts)).toBeGreaterThan(dataOf(lab).steps.length / 2);
      expect(counts.tries + counts.predictions).toBeGreaterThan(0);
      expect(counts.sheets).toBeGreaterThan(0);
      const said = faults.map(
        ({ where, what, times }) => `${where}: ${what}${times > 1 ? ` (${times} times)` : ''}`,
      );
      expect(said).toEqual([]);
    },
    900_000,
  );
});
