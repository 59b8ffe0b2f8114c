/** The step on decoding: one token at a time with a cache, a full cache, places in it, and streams. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { decodingWords } from '../words/decoding.ts';

/** How many times as long the reader's last token takes without a cache. */
async function withoutCache({ client }: LabTools, ask: Ask): Promise<number> {
  const { tokenTimes } = await import('../figures/decode/times.ts');
  const last = (await tokenTimes(client, ask)).at(-1);
  return last ? last.plain / last.cached : Number.NaN;
}

/** Which ways to store places attend as before when the query counts the kept tokens in place of all. */
async function survivesCounting({ client }: LabTools, { signal }: Ask): Promise<string> {
  const { attendAlike, evicted } = await import('../figures/decode/evicted.ts');
  const alike = async (stored: 'turned' | 'alibi'): Promise<boolean> =>
    attendAlike(
      await evicted(
        client,
        { stored, n: 64, size: 16, sinks: false, counted: true, seed: 1 },
        signal,
      ),
    );
  const [rotary, alibi] = [await alike('turned'), await alike('alibi')];
  if (rotary) return alibi ? 'both' : 'rotary';
  return alibi ? 'alibi' : 'neither';
}

export const decode: Step = {
  id: 'decode',
  blocks: [
    { kind: 'prose', id: 'decode' },
    {
      kind: 'prediction',
      id: 'without-cache',
      answer: { kind: 'number', min: 1, max: 256, log: true },
      truth: withoutCache,
      values: { what: 'time' },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'token',
            tag: 'attn-long-decode',
            load: () => decodingWords.with(() => import('../figures/decode/decode.ts')),
            // What is shown is in the sheet: a phone has room for the answers, the button and the chart.
            knobs: [],
          },
        },
      ],
    },
    { kind: 'prose', id: 'overflow' },
    {
      kind: 'figure',
      figure: {
        id: 'overflow',
        tag: 'attn-long-overflow',
        load: () => decodingWords.with(() => import('../figures/decode/overflow.ts')),
        knobs: ['way', 'size'],
      },
    },
    {
      kind: 'tries',
      id: 'overflow',
      figure: 'overflow',
      tries: [
        { id: 'sinks', values: { way: 'sinks' } },
        { id: 'anew', values: { way: 'anew' } },
      ],
    },
    { kind: 'prose', id: 'positions' },
    {
      kind: 'prediction',
      id: 'counted',
      answer: { kind: 'choice', options: ['rotary', 'alibi', 'both', 'neither'] },
      truth: survivesCounting,
      values: { stored: 'turned', sinks: false, counted: true },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'positions',
            tag: 'attn-long-positions',
            load: () => decodingWords.with(() => import('../figures/decode/positions.ts')),
            // As the question sets it, so that the tries begin with what it showed.
            values: { counted: true },
            knobs: ['stored', 'counted'],
          },
        },
        {
          kind: 'tries',
          id: 'positions',
          figure: 'positions',
          tries: [
            { id: 'alibi', values: { stored: 'alibi' } },
            { id: 'text', values: { counted: false } },
            {
              ...{ id: 'sinks', values: { sinks: true, counted: false } },
              together: 'A wrong count would hide what staying does.',
            },
            {
              ...{ id: 'bare', values: { stored: 'bare', sinks: true, counted: false } },
              together: 'Where only the oldest go, bare keys and turned ones score alike.',
            },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'stream' },
    {
      kind: 'figure',
      figure: {
        id: 'stream',
        tag: 'attn-long-stream',
        load: () => decodingWords.with(() => import('../figures/decode/stream.ts')),
      },
    },
    { kind: 'exercises', ids: ['kv-cache', 'ring-buffer', 'sink-cache', 'kv-cache-step'] },
  ],
};
