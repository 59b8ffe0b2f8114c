import type { Ask, Lab, LabTools, Step } from '../../src/lab/types.ts';
import { browser, cpu, seconds } from './run-times.json';
import { decode } from './steps/decode.ts';
import { memory } from './steps/memory.ts';
import { patterns } from './steps/patterns.ts';
import { smallerCache } from './steps/smaller-cache.ts';
import { tiles } from './steps/tiles.ts';
import { training } from './steps/training.ts';
import { twoModels } from './steps/two-models.ts';
import { use } from './steps/use.ts';

/** The pattern that the first question asks about. */
const BOTH = 'w8.s8';
/** After how many layers a window of eight and a stride of eight connect all pairs of the picture. */
async function layersOfBoth({ client }: LabTools, { signal }: Ask): Promise<string> {
  const { parsePainted, patternOf } = await import('./figures/paint/strokes.ts');
  const n = 64;
  const pattern = patternOf(parsePainted(BOTH), n, 1);
  const reach = await client.patternReach(
    { n, m: n, pattern, causal: true, layers: 1 },
    { signal },
  );
  const { layersToConnect } = reach;
  return layersToConnect < 0 ? 'never' : layersToConnect <= 2 ? 'two' : 'more';
}

const painted: Step = {
  id: 'news',
  blocks: [
    { kind: 'prose', id: 'news' },
    {
      kind: 'tries',
      id: 'paint',
      figure: { of: 'paint', knobs: ['brush', 'layers'] },
      tries: [
        { id: 'sinks', values: { pattern: 'w8.k4' } },
        { id: 'random', values: { pattern: 'w8.r4' } },
        { id: 'powers', values: { pattern: 'p' } },
      ],
    },
    {
      kind: 'prediction',
      id: 'both',
      figure: { of: 'paint', knobs: ['layers'] },
      answer: { kind: 'choice', options: ['two', 'more', 'never'] },
      truth: layersOfBoth,
      values: { pattern: BOTH, layers: 2 },
      // With either brush the pattern of the question is one stroke away.
      withholds: ['brush=stride', 'brush=dilated'],
    },
    { kind: 'exercises', ids: ['local-mask', 'strided-mask', 'pattern-reach'] },
  ],
};

export const lab: Lab = {
  id: 'long-texts',
  number: 8,
  part: 'length',
  requires: ['complexity'],
  takesText: 'text',
  opening: { id: 'paint', tag: 'attn-long-paint' },
  steps: [painted, memory, patterns, use, tiles, decode, smallerCache, twoModels, training],
  references: [
    {
      id: 'child',
      title: 'Child et al., Generating Long Sequences with Sparse Transformers (2019)',
      url: 'https://arxiv.org/abs/1904.10509',
      where: 'Section 4',
    },
    {
      id: 'bigbird',
      title: 'Zaheer et al., Big Bird: Transformers for Longer Sequences (2020)',
      url: 'https://arxiv.org/abs/2007.14062',
      where: 'Section 3',
    },
    {
      id: 'flash',
      title: 'Dao et al., FlashAttention (2022)',
      url: 'https://arxiv.org/abs/2205.14135',
      where: 'Algorithms 0 and 1',
    },
    {
      id: 'streaming',
      title: 'Xiao et al., Efficient Streaming Language Models with Attention Sinks (2023)',
      url: 'https://arxiv.org/abs/2309.17453',
      where: 'Section 3',
    },
  ],
  runTimes: { browser, cpu, seconds },
  words: { en: () => import('./words/en.md') },
};
