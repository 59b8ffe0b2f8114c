/** Reach is not use: a fact is planted and swapped, and evicted. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { useWords } from '../words/use.ts';

/** Whether a fact that was evicted is lost, and whether ordinary text notices. */
async function evicted({ client }: LabTools, ask: Ask): Promise<string> {
  const { between } = await import('../figures/use/plant.ts');
  const { modelNamed } = await import('../figures/shared/reader.ts');
  const { MOST_KEPT, ordinaryLoss, savedByFact } = await import('../figures/use/measure.ts');
  const { signal } = ask;
  const trained = await modelNamed(client, 'reader', ask);
  const [gap, kept] = [48, 32];
  const text = await between(trained);
  const saved = async (only: number) => {
    const { told, other } = await savedByFact(client, trained, gap, only, signal);
    return other - told;
  };
  const [whole, few] = [await saved(MOST_KEPT), await saved(kept)];
  const loss = (only: number) => ordinaryLoss(client, trained, text, only, signal);
  const [all, cut] = [await loss(MOST_KEPT), await loss(kept)];
  const lost = few < whole / 4;
  // A twentieth of a loss is hard to see on a chart of losses.
  const noticed = cut - all > all / 20;
  if (lost) return noticed ? 'both' : 'fact';
  return noticed ? 'text' : 'neither';
}

export const use: Step = {
  id: 'used',
  blocks: [
    { kind: 'prose', id: 'used' },
    {
      kind: 'figure',
      figure: {
        id: 'fact',
        tag: 'attn-long-use',
        load: () => useWords.with(() => import('../figures/use/fact.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'use',
      figure: 'fact',
      tries: [
        { id: 'near', values: { gap: 4 } },
        { id: 'far', values: { gap: 80 } },
      ],
    },
    {
      kind: 'prediction',
      id: 'evicted',
      figure: { of: 'fact', show: 'eviction', knobs: ['kept'] },
      answer: { kind: 'choice', options: ['both', 'fact', 'text', 'neither'] },
      truth: evicted,
      values: { gap: 48, kept: 32 },
      withholds: ['kept'],
    },
    { kind: 'prose', id: 'influence' },
    {
      kind: 'figure',
      figure: {
        id: 'influence',
        tag: 'attn-long-influence',
        load: () => useWords.with(() => import('../figures/use/influence.ts')),
      },
    },
    { kind: 'check', id: 'reaches', options: ['uses', 'may', 'forgets'], right: ['may'] },
  ],
};
