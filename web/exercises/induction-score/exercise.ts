import { rows, vector } from '../../src/exercises/common-inputs';
import { arrayOf, matrixOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** Weights of one causal head that puts `share` on the token behind the last earlier copy, and is uneven otherwise. */
function picture(tokens: readonly number[], seed: number, share: number): Input {
  return rows(
    tokens.map((token, i) => {
      const raw = tokens.map((_, j) =>
        j > i ? 0 : Math.exp(1.5 * Math.sin(12.9898 * (i + 1) + 78.233 * (j + 1) + 37.719 * seed)),
      );
      const total = raw.reduce((sum, one) => sum + one, 0);
      const last = tokens.slice(0, i).lastIndexOf(token);
      const given = last < 0 ? 0 : share;
      return raw.map((one, j) => ((1 - given) * one) / total + (j === last + 1 ? given : 0));
    }),
  );
}

const text = (tokens: readonly number[], seed: number, share: number): readonly Input[] => [
  picture(tokens, seed, share),
  vector(tokens),
];

/** A first token that occurs once, then a segment of p different tokens twice: the usual probe. */
const twice = (p: number): number[] => [
  0,
  ...Array.from({ length: 2 * p }, (_, at) => 1 + (at % p)),
];

/** Tokens of which some occur once, some twice and some more often, never all at one distance. */
function mixed(draw: Draw): number[] {
  const tokens = Array.from({ length: draw.integer(9, 16) }, () => draw.integer(1, 5));
  // Two tokens that occur once, and one that occurs three times, with different distances.
  return [8, 1, 2, 1, ...tokens, 9, 1, 3];
}

export const exercise = {
  id: 'induction-score',
  lab: 'heads',
  order: 3,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['analyze-attention-patterns'],
  title: 'Is it an induction head?',
  summary:
    'The weight on what followed the last time, beside what a head without a preference has.',
  task: [
    'An induction head continues what it has seen: at a token that stood in the text before, it looks at the token *behind* that earlier place. In `A B C … A` the row of the second `A` looks at `B`.',
    'Write `induction_score(weights, tokens)` for one causal head. For every position $i$ whose token occurs earlier, let $j$ be its **last** earlier place; the target is $j+1$. (In `A A` that is the second `A` itself.)',
    'Return two numbers, both means over these positions only: the score, which is the mean of $A_{i,\\,j+1}$, and the baseline, which is what a causal head has that spreads each row evenly over the $i+1$ keys that it may see.',
    'Positions are counted from 0. At least one token occurs twice.',
  ],
  entry: 'induction_score',
  parameters: [
    {
      name: 'weights',
      type: 'matrix',
      shape: 'n×n',
      what: 'weights of a causal head; rows are queries and sum to 1',
    },
    { name: 'tokens', type: 'vector', shape: 'n', what: 'the numbers of the tokens' },
  ],
  results: [
    { name: 'score', type: 'number', what: 'the mean weight on the targets' },
    { name: 'baseline', type: 'number', what: 'the same of even weights' },
  ],
  cases: [
    {
      name: 'A B A, by hand',
      args: [
        rows([
          [1, 0, 0],
          [0.5, 0.5, 0],
          [0.125, 0.625, 0.25],
        ]),
        vector([4, 7, 4]),
      ],
    },
    { name: 'a segment twice, a good head', args: text(twice(5), 1, 0.8) },
    { name: 'a token three times', args: text([3, 1, 3, 2, 5, 3, 4], 2, 0.4) },
    { name: 'a token twice in a row', args: text([2, 2, 6, 6, 6, 1], 3, 0.3) },
    { name: 'no induction at all', hidden: true, args: text(twice(6), 4, 0) },
    {
      name: 'one repeat in a long text',
      hidden: true,
      args: text([1, 2, 3, 4, 5, 6, 7, 3, 8, 9, 10, 11], 5, 0.5),
    },
    {
      name: 'two tokens in turns',
      hidden: true,
      args: text([1, 2, 1, 2, 1, 2, 2, 1, 1, 2], 6, 0.6),
    },
  ],
  drawn: (draw) => text(mixed(draw), draw.integer(1, 5000), draw.real(0.1, 0.7)),
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Weights come as float32, with about seven digits.',
  },
  hints: [
    'Go through the positions one by one. Which earlier positions hold the same token? Where there is none, skip the position: in the sum and in the count.',
    'The last of these places is j; the weight that counts stands in row i, one column to the right of j.',
    'The baseline of one row is 1/(i + 1). Average it over the same rows as the score, not over all.',
  ],
  variants: [
    {
      id: 'duplicate-token',
      message:
        'You read the weight on the earlier copy itself: that is a duplicate-token head. Induction looks one token further, at what came after the copy.',
      python: [['earlier[-1] + 1', 'earlier[-1]']],
      javascript: [['weights.get(i, last + 1)', 'weights.get(i, last)']],
      cpp: [['weights(i, last + 1)', 'weights(i, last)']],
    },
    {
      id: 'all-rows',
      message:
        'You divided by all rows. Rows without an earlier copy have no target, so that a perfect head would get about half: leave them out of the count too.',
      python: [
        [
          'return np.mean(found), np.mean(equal)',
          'return np.sum(found) / len(tokens), np.sum(equal) / len(tokens)',
        ],
      ],
      javascript: [
        [
          'return [found / rows, equal / rows]',
          'return [found / tokens.cols, equal / tokens.cols]',
        ],
      ],
      cpp: [
        [
          'return {found / static_cast<double>(rows), equal / static_cast<double>(rows)};',
          'const auto n = static_cast<double>(tokens.size());\n  return {found / n, equal / n};',
        ],
      ],
    },
    {
      id: 'first-copy',
      message:
        'Where a token occurs several times you took its first place. The last one before the position counts.',
      python: [['earlier[-1] + 1', 'earlier[0] + 1']],
      javascript: [
        [
          'tokens.get(0, j) === tokens.get(0, i)',
          'last < 0 && tokens.get(0, j) === tokens.get(0, i)',
        ],
      ],
      cpp: [['tokens(j) == tokens(i)', 'last < 0 && tokens(j) == tokens(i)']],
    },
    {
      id: 'all-copies',
      message:
        'You added the weights behind all earlier copies: that is the match mass. The score takes the last copy only.',
      python: [['weights[i, target]', 'weights[i, earlier + 1].sum()']],
    },
    {
      id: 'transposed',
      message:
        'You read row and column in the other order. Rows are queries: the weight that position i gives to key j + 1 is in row i.',
      python: [['weights[i, target]', 'weights[target, i]']],
      javascript: [['weights.get(i, last + 1)', 'weights.get(last + 1, i)']],
      cpp: [['weights(i, last + 1)', 'weights(last + 1, i)']],
    },
    {
      id: 'token-before',
      message:
        'You looked at the token before the earlier copy. Induction looks at the one after it.',
      python: [['weights[i, target]', 'weights[i, max(target - 2, 0)]']],
    },
    {
      id: 'itself-a-copy',
      message: 'You counted the token itself as an earlier copy. Only positions before i count.',
      evidence: 'error',
      python: [['tokens[:i] == tokens[i]', 'tokens[:i + 1] == tokens[i]']],
    },
    {
      id: 'baseline-over-n',
      message:
        'Your baseline spreads each row over all n keys. A causal head sees i + 1 of them, so early rows give each key more.',
      python: [['1 / (i + 1)', '1 / len(tokens)']],
      javascript: [['equal += 1 / (i + 1)', 'equal += 1 / tokens.cols']],
      cpp: [['1.0 / static_cast<double>(i + 1)', '1.0 / static_cast<double>(tokens.size())']],
    },
    {
      id: 'baseline-earlier-keys',
      message:
        'Your baseline leaves out the token itself. In row i a causal head sees i + 1 keys, because it sees itself too.',
      python: [['1 / (i + 1)', '1 / i']],
      javascript: [['equal += 1 / (i + 1)', 'equal += 1 / i']],
    },
    {
      id: 'baseline-all-rows',
      message:
        'Your score is right, but your baseline is the mean over all rows. Compare over the same rows: those with an earlier copy.',
      python: [['np.mean(equal)', 'np.mean([1 / (i + 1) for i in range(len(tokens))])']],
    },
  ],
  figure: {
    knobs: {
      p: { label: 'length of the segment', min: 2, max: 24, value: 8 },
      share: {
        label: 'how much it is an induction head',
        min: 0,
        max: 1,
        step: 0.05,
        value: 0.5,
      },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    // The token 1 stands in front as well, so that its first place is not its last.
    args: ({ p = 8, share = 0.5, seed = 1 }) => text([1, ...twice(p)], seed, share),
    draw: {
      kind: 'curve',
      path: [0],
      x: 'share',
      values: Array.from({ length: 11 }, (_, at) => at / 10),
      y: 'score',
    },
    caption:
      'A random segment twice, read by heads that put more and more of their weight on the token behind the last copy. The score rises to 1; where it begins is not 0.',
  },
  source: {
    title: 'In-context Learning and Induction Heads',
    url: 'https://arxiv.org/abs/2209.11895',
    where: 'prefix matching; here over the rows that have a target, and for the last copy',
  },
  reference: async ({ core }, [weights, tokens]) => {
    const { heads, uniform } = await core.headScores({
      weights: [matrixOf(weights)],
      tokens: [...arrayOf(tokens).data],
      shuffles: 0,
    });
    return [heads[0]?.scores.induction ?? Number.NaN, uniform.induction];
  },
} as const satisfies Exercise;
