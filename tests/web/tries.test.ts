/** The buttons under *Try this*: each sets a figure to something that it did not show before. */
import { expect, it } from 'vitest';
import type { Block, Lab } from '../../web/src/lab/types';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';

const labs = import.meta.glob<{ lab: Lab }>('../../web/labs/*/lab.ts', { eager: true });

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.kind === 'prediction') yield* blocksIn(block.reveal ?? []);
  }
}

const triesOf = ({ lab }: { readonly lab: Lab }) =>
  lab.steps
    .flatMap(({ blocks }) => [...blocksIn(blocks)])
    .flatMap((block) => (block.kind === 'tries' ? [{ lab, block }] : []));

it.each(Object.values(labs).flatMap(triesOf))(
  '$lab.id, $block.id: every try changes a knob of its figure',
  ({ lab, block }) => {
    const page = LAB_PAGES.find(({ id }) => id === lab.id);
    const about = typeof block.figure === 'string' ? block.figure : block.figure.of;
    const own = about === lab.opening.id ? '' : about;
    const figure = page?.figures.find(({ id }) => id === own);
    for (const { id, values } of block.tries) {
      const changed = Object.entries(values).filter(([knob, value]) => {
        const property = figure?.table[knob];
        if (!property) throw new Error(`${id}: ${about} has no knob ${knob}`);
        return value !== (figure?.values[knob] ?? property.default);
      });
      expect(changed, id).not.toEqual([]);
    }
  },
);
