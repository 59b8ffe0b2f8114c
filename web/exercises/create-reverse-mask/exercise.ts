import { fromMatrix, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'create-reverse-mask',
  lab: 'surgeon',
  order: 3,
  difficulty: 1,
  minutes: 4,
  buildsOn: ['create-causal-mask'],
  title: 'The reverse mask',
  summary: 'Zero for the future, −∞ for the past: the mask that lets a model cheat.',
  task: [
    'The mistake of the project, made on purpose: a mask that hides the past and shows the future. Write `create_reverse_mask(seq_len)`: a matrix $M$ of shape $n\\times n$, $n$ = `seq_len`, to be added to the scores. $M_{ij} = 0$ for $j\\ge i$ (the upper triangle with the diagonal) and $-\\infty$ below.',
    'A model trained with it reads its answer off the next token: its loss falls below what is possible, and it fails as soon as there is no next token. The diagonal stays visible, so no row is empty.',
    '(The course text also passes a `device`; there is none here.)',
  ],
  entry: 'create_reverse_mask',
  parameters: [{ name: 'seq_len', type: 'integer', what: 'tokens' }],
  results: [
    {
      name: 'mask',
      type: 'matrix',
      shape: 'seq_len×seq_len',
      what: '0 in the upper triangle, −∞ below',
    },
  ],
  cases: [
    { name: 'three tokens, by hand', args: [3] },
    { name: 'one token', args: [1] },
    { name: 'six tokens', args: [6] },
    { name: 'two tokens', hidden: true, args: [2] },
    { name: '32 tokens', hidden: true, args: [32] },
  ],
  drawn: (draw) => [draw.integer(3, 120)],
  tolerance: { rtol: 0, atol: 0, reason: 'Zero and infinity are exact.' },
  hints: [
    'Which keys may query 0 see? And the last query? Write the mask for three tokens on paper first.',
    'Row = query, column = key. Compare the two indices: i for the row, j for the column.',
    'In NumPy `np.tril` keeps one triangle of a matrix; its `k` moves the edge. Start from a matrix full of −∞.',
  ],
  variants: [
    {
      id: 'causal',
      message:
        'This is the causal mask: it shows the past. Here the upper triangle is 0 and what is below it −∞.',
      python: [
        [
          'np.tril(np.full((seq_len, seq_len), -np.inf), k=-1)',
          'np.triu(np.full((seq_len, seq_len), -np.inf), k=1)',
        ],
      ],
      javascript: [['j < i', 'j > i']],
      cpp: [['tril(blocked, -1)', 'triu(blocked, 1)']],
    },
    {
      id: 'own-token-blocked',
      message:
        'Your diagonal is −∞: no token sees itself, and the last one sees nothing at all. Move the triangle by one.',
      python: [['k=-1', 'k=0']],
      javascript: [['j < i', 'j <= i']],
      cpp: [['tril(blocked, -1)', 'tril(blocked, 0)']],
    },
    {
      id: 'one-past-token',
      message: 'Every token still sees the one just before it. Move the triangle by one.',
      python: [['k=-1', 'k=-2']],
      javascript: [['j < i', 'j < i - 1']],
      cpp: [['tril(blocked, -1)', 'tril(blocked, -2)']],
    },
    {
      id: 'ones-and-zeros',
      message:
        'Your mask holds 1 where a key may be seen and 0 where not. This one is added to the scores: 0 where a key may be seen, −∞ where not.',
      python: [
        [
          'np.tril(np.full((seq_len, seq_len), -np.inf), k=-1)',
          'np.triu(np.ones((seq_len, seq_len)))',
        ],
      ],
      javascript: [['? -Infinity : 0', '? 0 : 1']],
    },
    {
      id: 'zeros-and-ones',
      message:
        'Your mask holds 1 where a key is blocked. Added to a score, 1 blocks nothing: only −∞ does.',
      python: [['-np.inf', '1.0']],
      javascript: [['-Infinity', '1']],
      cpp: [['-std::numeric_limits<double>::infinity()', '1.0']],
    },
    {
      id: 'large-negative',
      message:
        'You block with a large negative number. It is not −∞: in a row where everything is blocked it gives equal weights instead of none.',
      python: [['-np.inf', '-1e9']],
      javascript: [['-Infinity', '-1e9']],
    },
    {
      id: 'nan',
      message:
        'Your mask has NaN where it should be 0: 0 times infinity is not 0. Choose between the two values instead of multiplying.',
      python: [
        [
          'np.tril(np.full((seq_len, seq_len), -np.inf), k=-1)',
          'np.tril(np.ones((seq_len, seq_len)), k=-1) * -np.inf',
        ],
      ],
      javascript: [['j < i ? -Infinity : 0', '(j < i ? 1 : 0) * -Infinity']],
    },
    {
      id: 'plus-infinity',
      message:
        'Your blocked entries are +∞: such a key would take all the weight. Blocked means −∞.',
      python: [['-np.inf', 'np.inf']],
      cpp: [['-std::numeric_limits', 'std::numeric_limits']],
    },
  ],
  figure: {
    knobs: { n: { label: 'tokens', min: 1, max: 64, value: 12 } },
    args: ({ n = 12 }) => [n],
    draw: { kind: 'matrix', rows: 'query', cols: 'key', signed: true },
    caption: 'Blocked cells are those below the diagonal: the past of each query.',
  },
  source: { title: 'Project 4: The Attention Surgeon', where: 'Task 3b' },
  reference: async ({ core }, [seqLen]) =>
    fromMatrix(await core.createReverseMask({ n: numberOf(seqLen) })),
} as const satisfies Exercise;
