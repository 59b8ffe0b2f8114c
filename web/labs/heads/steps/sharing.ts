/** Heads that share their keys and values. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';

/** By how much the held-out loss grows when one averaged head of keys and values serves all, before any training. */
async function averaged({ client }: LabTools, { signal, onProgress }: Ask): Promise<number> {
  const [{ share }, { chapters }, { logOf }] = await Promise.all([
    import('../figures/sharing/share.ts'),
    import('../../../src/models/held-out.ts'),
    import('../../../src/models/on-page.ts'),
  ]);
  const text = await chapters(await logOf('causal-small'), signal);
  const tools = { signal, progress: onProgress, turn: async () => undefined };
  const row = await share(client, tools, '1', text, { steps: 0, seed: 1 });
  return (row.losses[0]?.loss ?? Number.NaN) - (row.before ?? Number.NaN);
}

export const sharing: Step = {
  id: 'sharing',
  blocks: [
    { kind: 'prose', id: 'sharing' },
    {
      kind: 'prediction',
      id: 'averaged',
      answer: { kind: 'number', min: 0, max: 6, unit: 'nats' },
      truth: averaged,
      values: { steps: '40' },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'grouped',
            tag: 'attn-heads-sharing',
            load: () => import('../figures/sharing/sharing.ts'),
            // A phone has room for the button, the chart and what it is doing; the steps are in the sheet.
            knobs: [],
          },
        },
        {
          kind: 'tries',
          id: 'sharing',
          figure: 'grouped',
          tries: [{ id: 'longer', values: { steps: '120' } }],
        },
      ],
    },
    { kind: 'prose', id: 'sharingAfter' },
    { kind: 'check', id: 'why', options: ['parameters', 'reads', 'quality'], right: ['reads'] },
    { kind: 'exercises', ids: ['grouped-from-multi'] },
  ],
};
