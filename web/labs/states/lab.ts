import type { Ask, FigurePlace, Lab, LabTools } from '../../src/lab/types.ts';

const prose = (id: string) => ({ kind: 'prose', id }) as const;
const figure = (place: FigurePlace) => ({ kind: 'figure', figure: place }) as const;

/** What the prediction about the sum's end asks about: what its figure begins with. */
const trials = { dK: 16, dV: 32, decay: 0.98, draws: 5, seed: 1 } as const;

/** What the prediction about keys that are written twice asks about. */
const twice = { pairs: 12, repeats: 6, width: 16, decay: 1, noise: 0, seed: 4 } as const;

/** The memory that brings back the most keys. */
async function bestOfTwice({ client }: LabTools, { signal }: Ask): Promise<string> {
  const options = { linear_sum: 'sum', rwkv4: 'average', delta_rule: 'delta' } as const;
  const right = await Promise.all(
    Object.keys(options).map(async (memory) => {
      const { right } = await client.pairMemoryTrace({ ...twice, memory }, { signal });
      return [options[memory as keyof typeof options], right.at(-1) ?? 0] as const;
    }),
  );
  return right.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

async function sumBreaks({ client }: LabTools, ask: Ask): Promise<number> {
  const { capacityOf } = await import('./figures/capacity/capacities.ts');
  return Math.round((await capacityOf(client, 'linear_sum', trials, ask)).halfLost);
}

/** Which of these models has a filter that the text does not change. */
async function fixedFilters({ client }: LabTools, ask: Ask): Promise<string> {
  const { filterOf } = await import('./figures/mixers.ts');
  const fixed: string[] = [];
  for (const id of ['hyena', 'rwkv4', 'mamba']) {
    const mixer = { id, dModel: 8, heads: 1, length: 16 };
    if ((await filterOf(client, mixer, 1, ask)).filterFixed) fixed.push(id);
  }
  if (fixed.length === 3) return 'all';
  return fixed.length === 1 ? 'hyena' : fixed.includes('rwkv4') ? 'two' : 'none';
}

export const lab: Lab = {
  id: 'states',
  number: 8,
  part: 'states',
  takesText: 'matrices.text',
  requires: ['kernel-trick'],
  opening: { id: 'pairs', tag: 'attn-states-pairs' },
  steps: [
    {
      id: 'write',
      blocks: [
        prose('write'),
        {
          kind: 'tries',
          id: 'write',
          figure: 'pairs',
          tries: [
            { id: 'few', values: { pairs: 4, repeats: 0, width: 16 } },
            { id: 'crowded', values: { pairs: 32, repeats: 0, decay: 1 } },
            { id: 'fading', values: { repeats: 0, decay: 0.6 } },
            { id: 'noisy', values: { repeats: 0, decay: 1, noise: 1 } },
          ],
        },
        {
          kind: 'prediction',
          id: 'twice',
          answer: { kind: 'choice', options: ['sum', 'average', 'delta'] },
          truth: bestOfTwice,
          reveal: [
            {
              kind: 'tries',
              id: 'twice',
              figure: 'pairs',
              tries: [{ id: 'twice', values: twice }],
            },
          ],
        },
        {
          kind: 'check',
          id: 'asked',
          options: ['query', 'state', 'noise'],
          right: ['state'],
        },
      ],
    },
    {
      id: 'equation',
      blocks: [
        prose('equation'),
        figure({
          id: 'registry',
          tag: 'attn-states-registry',
          load: () => import('./figures/registry/registry.ts'),
        }),
        prose('forms'),
        figure({
          id: 'forms',
          tag: 'attn-states-forms',
          load: () => import('./figures/forms/forms.ts'),
        }),
        {
          kind: 'exercises',
          ids: [
            'retention-recurrent',
            'retention-parallel',
            'gated-linear-attention-step',
            'delta-rule-step',
            'implicit-matrix',
            'wkv-stable',
            'selective-scan',
          ],
        },
        {
          kind: 'check',
          id: 'chunks',
          options: ['exact', 'approximation', 'training'],
          right: ['exact'],
        },
      ],
    },
    {
      id: 'inside',
      blocks: [
        prose('inside'),
        {
          kind: 'prediction',
          id: 'filters',
          answer: { kind: 'choice', options: ['all', 'two', 'hyena', 'none'] },
          truth: fixedFilters,
          reveal: [
            figure({
              id: 'matrices',
              tag: 'attn-states-matrices',
              load: () => import('./figures/matrices/matrices.ts'),
            }),
          ],
        },
        {
          kind: 'tries',
          id: 'inside',
          figure: 'matrices',
          tries: [
            {
              id: 'decay',
              values: { model: 'retention', text: 'one two one two one two one two' },
            },
            { id: 'mamba', values: { model: 'mamba' } },
            { id: 'hyena', values: { model: 'hyena' } },
            {
              id: 'delta',
              values: { model: 'delta_rule', text: 'one two one two one two one two' },
            },
          ],
        },
        prose('implicit'),
        { kind: 'exercises', ids: ['fft-long-convolution'] },
        {
          kind: 'check',
          id: 'toeplitz',
          options: ['word', 'distance', 'both'],
          right: ['distance'],
        },
      ],
    },
    {
      id: 'capacity',
      blocks: [
        prose('capacity'),
        {
          kind: 'prediction',
          id: 'breaks',
          answer: { kind: 'number', min: 2, max: 256, log: true },
          truth: sumBreaks,
          reveal: [
            figure({
              id: 'stored',
              tag: 'attn-states-capacity',
              load: () => import('./figures/capacity/capacity.ts'),
              values: trials,
            }),
          ],
        },
        {
          kind: 'tries',
          id: 'capacity',
          figure: 'stored',
          tries: [
            { id: 'wide', values: { ...trials, dK: 32 } },
            { id: 'keep', values: { ...trials, decay: 1 } },
            { id: 'maps', values: { ...trials, set: 'maps' } },
          ],
        },
        { kind: 'check', id: 'orthogonal', options: ['none', 'width', 'any'], right: ['width'] },
      ],
    },
    {
      id: 'frontier',
      blocks: [
        prose('frontier'),
        figure({
          id: 'trained',
          tag: 'attn-states-frontier',
          load: () => import('./figures/frontier/frontier.ts'),
        }),
        prose('frontierAfter'),
        { kind: 'exercises', ids: ['mqar-generator'] },
        {
          kind: 'check',
          id: 'fair',
          options: ['best', 'budget', 'luck'],
          right: ['budget'],
        },
      ],
    },
    {
      id: 'stream',
      blocks: [
        prose('stream'),
        figure({
          id: 'decode',
          tag: 'attn-states-stream',
          load: () => import('./figures/stream/stream.ts'),
        }),
        prose('streamAfter'),
        { kind: 'exercises', ids: ['state-size'] },
        { kind: 'check', id: 'state', options: ['size', 'speed', 'recall'], right: ['recall'] },
      ],
    },
    {
      id: 'language',
      blocks: [
        prose('language'),
        figure({
          id: 'book',
          tag: 'attn-states-language',
          load: () => import('./figures/language/language.ts'),
        }),
        { kind: 'check', id: 'hybrid', options: ['average', 'parts', 'larger'], right: ['parts'] },
      ],
    },
    { id: 'missing', blocks: [prose('missing')] },
    {
      id: 'handout',
      blocks: [
        prose('handout'),
        figure({
          id: 'quoted',
          tag: 'attn-states-handout',
          load: () => import('./figures/handout/handout.ts'),
        }),
        {
          kind: 'tries',
          id: 'handout',
          figure: 'quoted',
          tries: [
            {
              id: 'word',
              values: {
                text: 'the cat sat on the mat and the dog sat on the log',
                other: 'the cow sat on the mat and the dog sat on the log',
              },
            },
            {
              id: 'order',
              values: {
                text: 'one two three four five six seven eight',
                other: 'eight seven six five four three two one',
              },
            },
          ],
        },
        prose('handoutAfter'),
        {
          kind: 'tries',
          id: 'handoutAfter',
          figure: 'pairs',
          tries: [
            { id: 'askFirst', values: { pairs: 12, repeats: 0, ask: 1 } },
            { id: 'askLast', values: { pairs: 12, repeats: 0, ask: 12 } },
          ],
        },
      ],
    },
  ],
  references: [
    {
      id: 'based',
      title: 'Arora et al., Simple linear attention language models (2024)',
      url: 'https://arxiv.org/abs/2402.18668',
      where: 'arXiv:2402.18668',
    },
    {
      id: 'zoology',
      title: 'Arora et al., Zoology: measuring and improving recall (2023)',
      url: 'https://arxiv.org/abs/2312.04927',
      where: 'arXiv:2312.04927',
    },
    {
      id: 'fast-weights',
      title: 'Schlag et al., Linear Transformers Are Secretly Fast Weight Programmers (2021)',
      url: 'https://arxiv.org/abs/2102.11174',
      where: 'arXiv:2102.11174',
    },
    {
      id: 'retnet',
      title: 'Sun et al., Retentive Network (2023)',
      url: 'https://arxiv.org/abs/2307.08621',
      where: 'arXiv:2307.08621',
    },
    {
      id: 'gla',
      title: 'Yang et al., Gated Linear Attention Transformers (2023)',
      url: 'https://arxiv.org/abs/2312.06635',
      where: 'arXiv:2312.06635',
    },
    {
      id: 'delta',
      title: 'Yang et al., Parallelizing Linear Transformers with the Delta Rule (2024)',
      url: 'https://arxiv.org/abs/2406.06484',
      where: 'arXiv:2406.06484',
    },
    {
      id: 'gated-delta',
      title: 'Yang et al., Gated Delta Networks (2024)',
      url: 'https://arxiv.org/abs/2412.06464',
      where: 'arXiv:2412.06464',
    },
    {
      id: 'mamba2',
      title: 'Dao and Gu, Transformers are SSMs (2024)',
      url: 'https://arxiv.org/abs/2405.21060',
      where: 'arXiv:2405.21060',
    },
    {
      id: 'mamba',
      title: 'Gu and Dao, Mamba (2023)',
      url: 'https://arxiv.org/abs/2312.00752',
      where: 'arXiv:2312.00752',
    },
    {
      id: 'hyena',
      title: 'Poli et al., Hyena Hierarchy (2023)',
      url: 'https://arxiv.org/abs/2302.10866',
      where: 'arXiv:2302.10866',
    },
    {
      id: 'rwkv',
      title: 'Peng et al., RWKV: Reinventing RNNs for the Transformer Era (2023)',
      url: 'https://arxiv.org/abs/2305.13048',
      where: 'arXiv:2305.13048',
    },
  ],
  words: { en: () => import('./words/en.md') },
};
