/** The step on names: what may be called a head's meaning. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { meaningWords } from '../words/meaning.ts';

/** What the question about names asks for: more than the names of the opening have. */
const NAMES = { gain: 0.3, pieces: 6, seed: 0 } as const;

/** How many heads of the trained model keep a name on text that did not choose it. */
async function keptNames({ client }: LabTools, ask: Ask): Promise<number> {
  const { namesOf } = await import('../figures/names/named.ts');
  const { reader } = await namesOf(client, NAMES, ask);
  return reader.heads.filter(({ role }) => role !== 'none').length;
}

/** Which of the kinds no head of the trained model is, by how many there are. */
async function kindsOf({ client }: LabTools, ask: Ask): Promise<string> {
  const { passing, testKind } = await import('../figures/kinds/tested.ts');
  const how = { pieces: 6, seed: 0 } as const;
  const part = (done: number): Ask => ({
    signal: ask.signal,
    onProgress: (share) => ask.onProgress((done + share) / 2),
  });
  const syntactic = await testKind(client, { ...how, kind: 'syntactic' }, part(0));
  const positional = await testKind(client, { ...how, kind: 'positional' }, part(1));
  const some = [
    passing('syntactic', syntactic).length > 0,
    passing('positional', positional).length > 0,
  ];
  if (some[0] && some[1]) return 'both';
  if (some[0]) return 'syntactic';
  return some[1] ? 'positional' : 'none';
}

export const meaning: Step = {
  id: 'meaning',
  blocks: [
    { kind: 'prose', id: 'meaning' },
    {
      kind: 'prediction',
      id: 'names',
      answer: { kind: 'number', min: 0, max: 16 },
      truth: keptNames,
      values: { rule: 'heldOut', ...NAMES },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'names',
            tag: 'attn-head-names',
            load: () => meaningWords.with(() => import('../figures/names/names.ts')),
            knobs: ['rule', 'gain'],
          },
        },
        {
          kind: 'tries',
          id: 'names',
          figure: 'names',
          tries: [
            { id: 'largest', values: { rule: 'largest' } },
            { id: 'strict', values: { gain: 0.5 } },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'kinds' },
    {
      kind: 'prediction',
      id: 'kinds',
      answer: { kind: 'choice', options: ['both', 'positional', 'syntactic', 'none'] },
      truth: kindsOf,
      values: { kind: 'positional', pieces: 6, seed: 0 },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'kinds',
            tag: 'attn-head-kinds',
            load: () => meaningWords.with(() => import('../figures/kinds/kinds.ts')),
            knobs: ['kind', 'pieces'],
          },
        },
        {
          kind: 'tries',
          id: 'kinds',
          figure: 'kinds',
          tries: [
            { id: 'syntactic', values: { kind: 'syntactic' } },
            { id: 'semantic', values: { kind: 'semantic' } },
            { id: 'content', values: { kind: 'content' } },
          ],
        },
      ],
    },
    { kind: 'check', id: 'best', options: ['strong', 'luck', 'distance'], right: ['luck'] },
    { kind: 'exercises', ids: ['entropy-per-head', 'name-a-head'] },
  ],
};
