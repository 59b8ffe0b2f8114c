/** The step in which one head gets a feature map for its softmax. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { swapWords } from '../words/swap.ts';

/** As the figure begins: layer 1, head 3. */
const SETTINGS = {
  ...{ text: 'Bildad saw Tashtego. Tashtego saw Bild', head: 2 },
  ...{ map: 'hedgehog' as const, sequences: 4 },
};

/** What is left of the likeliest next token, in per cent, with a map that has learned nothing. */
async function left({ client }: LabTools, ask: Ask): Promise<number> {
  const { swapped } = await import('../figures/swap/swapped.ts');
  const { next } = await swapped(client, { ...SETTINGS, steps: 0 }, ask);
  return 100 * (next[0]?.mapped ?? Number.NaN);
}

/** How much of the loss that the map cost comes back as it learns, in per cent. */
async function back({ client }: LabTools, ask: Ask): Promise<number> {
  const { swapped } = await import('../figures/swap/swapped.ts');
  const { loss } = await swapped(client, { ...SETTINGS, steps: 100 }, ask);
  return (100 * (loss.before - loss.mapped)) / (loss.before - loss.softmax);
}

export const swap: Step = {
  id: 'swap',
  blocks: [
    { kind: 'prose', id: 'swap' },
    {
      kind: 'prediction',
      id: 'left',
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: left,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'swapped',
            tag: 'attn-swap-map',
            load: () => swapWords.with(() => import('../figures/swap/swap.ts')),
          },
        },
        {
          kind: 'tries',
          id: 'swap',
          figure: 'swapped',
          tries: [{ id: 'induction', values: { head: '2.2' } }],
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'back',
      figure: { of: 'swapped', show: 'next', knobs: ['steps', 'sequences'] },
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: back,
      values: { steps: '100' },
      withholds: ['steps', 'sequences'],
      reveal: [
        {
          kind: 'tries',
          id: 'back',
          figure: { of: 'swapped', show: 'next', knobs: ['steps', 'sequences'] },
          tries: [{ id: 'little', values: { sequences: '1' } }],
        },
      ],
    },
  ],
};
