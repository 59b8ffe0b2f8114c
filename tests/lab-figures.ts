/** The figures of every lab, found by folder. */
import type { Block, FigurePlace, Lab } from '../web/src/lab/types';

const labs = import.meta.glob<{ lab: Lab }>('../web/labs/*/lab.ts', { eager: true });
const modules = import.meta.glob('../web/labs/*/{opening,figures/*/*}.ts');
// Vite reads these options without running them, so they are written out and not spread.
const sources = import.meta.glob<string>('../web/labs/*/{opening,figures/*/*}.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const LABS: readonly Lab[] = Object.values(labs).map(({ lab }) => lab);

/** A page imports its first figure itself, so it is found here by the tag that it defines. */
export async function loadOpening({ opening }: Lab): Promise<void> {
  const defines = `@customElement('${opening.tag}')`;
  const found = Object.keys(sources).find((file) => sources[file]?.includes(defines));
  if (found) await modules[found]?.();
}

function* placesIn(blocks: readonly Block[]): Generator<FigurePlace> {
  for (const block of blocks) {
    if (block.kind === 'figure') yield block.figure;
    if (block.kind === 'prediction') yield* placesIn(block.reveal ?? []);
  }
}

/** The places of the figures below a lab's opening, those that a prediction reveals among them. */
export const figuresBelow = ({ steps }: Lab): readonly FigurePlace[] =>
  steps.flatMap(({ blocks }) => [...placesIn(blocks)]);
