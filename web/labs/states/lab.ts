import type { Ask, FigurePlace, Lab, LabTools } from '../../src/lab/types.ts';
import { browser, cpu, seconds } from './run-times.json';

const prose = (id: string) => ({ kind: 'prose', id }) as const;
const figure = (place: FigurePlace) => ({ kind: 'figure', figure: place }) as const;

/** What the prediction about the sum's end asks about: what its figure begins with. */
const trials = { dK: 16, dV: 32, decay: 0.98, draws: 5, seed: 1 } as const;

/** What the prediction about keys that are written twice asks about. */
const twice = { pairs: 12, repeats: 6, width: 16, decay: 1, noise: 0, seed: 4 } as const;

/** How many of the keys the sum brings back, in percent. */
async function sumOfTwice({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { right } = await client.pairMemoryTrace({ ...twice, memory: 'linear_sum' }, { signal });
  return Math.round(100 * (right.at(-1) ?? 0));
}

async function sumBreaks({ client }: LabTools, ask: Ask): Promise<number> {
  const { capacityOf } = await import('./figures/capacity/capacities.ts');
  return Math.round((await capacityOf(client, 'linear_sum', trials, ask)).halfLost);
}

/** The lengths of text for which the question about the stream is asked. */
const LENGTHS = [1024, 4096, 16384, 65536] as const;
async function slower({ client }: LabTools, ask: Ask): Promise<string> {
  const [{ slowdown }, { curveText }] = await Promise.all([
    import('./figures/stream/slower.ts'),
    import('../../src/lab/questions/answer-scoring.ts'),
  ]);
  return curveText(await slowdown(client, LENGTHS, ask));
}

/** The widths of the keys for which the question about trained recall is asked. */
const WIDTHS = [2, 4, 8, 16] as const;
async function recalled(_tools: LabTools, ask: Ask): Promise<string> {
  const [{ recallByWidth }, { curveText }] = await Promise.all([
    import('./figures/frontier/by-width.ts'),
    import('../../src/lab/questions/answer-scoring.ts'),
  ]);
  return curveText(await recallByWidth(WIDTHS, ask));
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
  number: 6,
  part: 'states',
  takesText: 'matrices.text',
  requires: ['kernel-trick'],
  opening: { id: 'pairs', tag: 'attn-states-pairs' },
  steps: [
    {
      id: 'write',
      blocks: [
        { ...prose('write'), figure: { of: 'pairs', show: 'write', knobs: ['decay'] } },
        { ...prose('asked'), figure: { of: 'pairs', show: 'scores', knobs: ['pairs', 'decay'] } },
        {
          kind: 'tries',
          id: 'write',
          figure: 'pairs',
          tries: [
            { id: 'once', values: { repeats: 0 } },
            { id: 'crowded', values: { pairs: 32 } },
            { id: 'fading', values: { decay: 0.6 } },
            { id: 'noisy', values: { noise: 2 } },
          ],
        },
        {
          kind: 'prediction',
          id: 'twice',
          figure: { of: 'pairs', show: 'scores', knobs: ['width'] },
          answer: { kind: 'number', min: 0, max: 100, unit: '%' },
          values: twice,
          truth: sumOfTwice,
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
          knobs: ['n'],
        }),
        prose('forms'),
        figure({
          id: 'forms',
          tag: 'attn-states-forms',
          load: () => import('./figures/forms/forms.ts'),
          knobs: ['chunk'],
        }),
        {
          kind: 'check',
          id: 'chunks',
          options: ['exact', 'approximation', 'training'],
          right: ['exact'],
        },
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
      ],
    },
    {
      id: 'inside',
      blocks: [
        prose('inside'),
        figure({
          id: 'matrices',
          tag: 'attn-states-matrices',
          load: () => import('./figures/matrices/matrices.ts'),
          knobs: ['model'],
        }),
        {
          kind: 'tries',
          id: 'inside',
          figure: 'matrices',
          tries: [
            { id: 'decay', values: { model: 'retention' } },
            { id: 'mamba', values: { model: 'mamba' } },
            { id: 'hyena', values: { model: 'hyena' } },
            {
              id: 'delta',
              values: { model: 'delta_rule', text: 'one two one two one two one two' },
              together:
                'The delta rule shows only where a word comes again and few others stand between.',
            },
          ],
        },
        prose('filters'),
        {
          kind: 'prediction',
          id: 'filters',
          figure: { of: 'matrices', show: 'filters', knobs: ['other'] },
          answer: { kind: 'choice', options: ['all', 'two', 'hyena', 'none'] },
          truth: fixedFilters,
        },
        prose('implicit'),
        {
          kind: 'check',
          id: 'toeplitz',
          options: ['word', 'distance', 'both'],
          right: ['distance'],
        },
        { kind: 'exercises', ids: ['fft-long-convolution'] },
      ],
    },
    {
      id: 'capacity',
      blocks: [
        prose('capacity'),
        {
          kind: 'prediction',
          id: 'breaks',
          answer: { kind: 'number', min: 2, max: 256, log: true, unit: 'pairs' },
          values: trials,
          truth: sumBreaks,
          reveal: [
            figure({
              id: 'stored',
              tag: 'attn-states-capacity',
              load: () => import('./figures/capacity/capacity.ts'),
              values: trials,
              knobs: ['dK'],
            }),
          ],
        },
        {
          kind: 'tries',
          id: 'capacity',
          figure: 'stored',
          tries: [
            { id: 'wide', values: { dK: 32 } },
            { id: 'keep', values: { decay: 1 } },
            { id: 'maps', values: { set: 'maps' } },
          ],
        },
        { kind: 'check', id: 'orthogonal', options: ['none', 'width', 'any'], right: ['width'] },
      ],
    },
    {
      id: 'frontier',
      blocks: [
        prose('frontier'),
        {
          kind: 'prediction',
          id: 'trained',
          answer: {
            kind: 'curve',
            ...{ x: WIDTHS, xLabel: 'width of the keys', min: 0, max: 100, unit: '%' },
          },
          truth: recalled,
          reveal: [
            figure({
              id: 'trained',
              tag: 'attn-states-frontier',
              load: () => import('./figures/frontier/frontier.ts'),
              knobs: ['set'],
            }),
          ],
        },
        prose('frontierAfter'),
        {
          kind: 'check',
          id: 'fair',
          options: ['best', 'budget', 'luck'],
          right: ['budget'],
        },
        { kind: 'exercises', ids: ['mqar-generator'] },
      ],
    },
    {
      id: 'stream',
      blocks: [
        prose('stream'),
        {
          kind: 'prediction',
          id: 'slower',
          answer: {
            kind: 'curve',
            ...{ x: LENGTHS, xLabel: 'tokens before it', min: 1, max: 1000, log: true },
            unit: 'times',
          },
          truth: slower,
          reveal: [
            figure({
              id: 'decode',
              tag: 'attn-states-stream',
              load: () => import('./figures/stream/stream.ts'),
              knobs: ['length'],
            }),
          ],
        },
        { ...prose('streamAfter'), figure: { of: 'decode', show: 'bytes', knobs: [] } },
        { kind: 'check', id: 'state', options: ['size', 'speed', 'recall'], right: ['recall'] },
        { kind: 'exercises', ids: ['state-size'] },
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
          // So few steps that models do not differ would show nothing.
          values: { steps: '1500' },
          knobs: ['set'],
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
          knobs: ['other'],
        }),
        {
          kind: 'tries',
          id: 'handout',
          figure: 'quoted',
          tries: [
            { id: 'word', values: { other: 'the cow sat on the mat and the dog sat on the log' } },
            { id: 'order', values: { other: 'log the on sat dog the and mat the on sat cat the' } },
          ],
        },
        prose('handoutAfter'),
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
  runTimes: { browser, cpu, seconds },
  words: { en: () => import('./words/en.md') },
};
