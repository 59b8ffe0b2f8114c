import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** The core's number for a place that does not count. */
const ignored = -100;

/** What becomes of a token, and two numbers that say so: far enough from the bounds for float32. */
const kinds = {
  '.': [0.5, 0.25],
  o: [0.25, 0.85],
  m: [0.0625, 0.25],
  M: [0.125, 0.75],
  r: [0.03125, 0.85],
  k: [0.0625, 0.95],
} as const;

/** Draws for tokens that are left alone (. and o), hidden (m and M), replaced (r) or chosen and kept (k). */
const draws = (plan: string): Input =>
  rows([...plan].map((kind) => kinds[kind as keyof typeof kinds]));

/** Everything but the draws, for n tokens of a vocabulary whose last number is [MASK]. */
function text(plan: string, vocabulary: number, seed: number, scale = 2): readonly Input[] {
  const n = plan.length;
  const token = (at: number) => (seed + 3 * at + ((at * at) % 5)) % (vocabulary - 1);
  return [
    normal(n, vocabulary, seed, scale),
    vector(Array.from({ length: n }, (_, at) => token(at))),
    draws(plan),
    // Never the token itself.
    vector(Array.from({ length: n }, (_, at) => (token(at) + 1 + (at % 3)) % (vocabulary - 1))),
    vocabulary - 1,
  ];
}

/** A plan in which each kind occurs, in an order of its own. */
function plan(draw: Draw): string {
  const kindsLeft = [...'..o.omMrkr'];
  let made = '';
  while (kindsLeft.length > 0) {
    made += kindsLeft.splice(draw.integer(0, kindsLeft.length - 1), 1).join('');
  }
  return made;
}

export const exercise = {
  id: 'masked-token-loss',
  lab: 'heads',
  order: 11,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['stable-softmax'],
  title: 'Guess the hidden tokens',
  summary: 'How a bidirectional model is trained: 15 % of the tokens, of which 80 % are hidden.',
  task: [
    'A model that sees the whole text cannot be trained on the next token, because it sees it. BERT guesses tokens that were hidden instead: 15 % are chosen, and of these 80 % are replaced by `[MASK]`, 10 % by another token, and 10 % stay as they are, so that the model has to say something about every token that it sees.',
    'Write `masked_token_loss(logits, tokens, draws, replacements, mask_id)`. The numbers that decide were drawn before: token $i$ is chosen where `draws[i, 0] < 0.15`. A chosen token becomes `mask_id` where `draws[i, 1] < 0.8`, `replacements[i]` where it is at least 0.8 and below 0.9, and stays itself where it is at least 0.9.',
    'Return two results. `inputs`: what the model sees, $n$ tokens. `loss`: the mean of $-\\ln \\operatorname{softmax}(\\text{logits}_i)[\\text{tokens}_i]$ over **all chosen** tokens, in nats, where `tokens` holds the original text; 0 where none is chosen.',
    'Row $i$ of `logits` is the guess for token $i$ itself, not for the next. Logits can be as large as ±1000.',
  ],
  entry: 'masked_token_loss',
  parameters: [
    { name: 'logits', type: 'matrix', shape: 'n×V', what: 'a guess for each place' },
    {
      name: 'tokens',
      type: 'vector',
      shape: 'n',
      what: 'the original text, numbers from 0 to V − 1',
    },
    { name: 'draws', type: 'matrix', shape: 'n×2', what: 'numbers from 0 to 1 that decide' },
    { name: 'replacements', type: 'vector', shape: 'n', what: 'the other token for each place' },
    { name: 'mask_id', type: 'integer', what: 'the number of [MASK]' },
  ],
  results: [
    { name: 'inputs', type: 'vector', shape: 'n', what: 'what the model sees' },
    { name: 'loss', type: 'number', what: 'mean over the chosen tokens, in nats' },
  ],
  cases: [
    {
      name: 'four tokens, one of each kind, by hand',
      args: [
        rows([
          [0, 0, 0, 0],
          [2, 0, 0, 0],
          [0, 0, 3, 0],
          [0, 5, 0, 0],
        ]),
        vector([0, 0, 1, 2]),
        draws('mrk.'),
        vector([1, 2, 0, 1]),
        3,
      ],
    },
    { name: 'hidden tokens only', args: text('m..M.m', 6, 1) },
    { name: 'replaced and kept tokens', args: text('.rk..krm', 8, 2) },
    { name: 'nothing chosen', args: text('.o.o', 5, 3) },
    {
      name: 'logits of ±1000',
      args: [
        rows([
          [1000, 999, -1000],
          [-1000, -1000, -1001],
          [1000, -1000, 0],
        ]),
        vector([1, 0, 0]),
        draws('mk.'),
        vector([0, 1, 1]),
        2,
      ],
    },
    { name: 'everything chosen', hidden: true, args: text('mMrkmr', 7, 4) },
    { name: 'one token', hidden: true, args: text('k', 4, 5) },
    { name: 'a long text', hidden: true, args: text('..m...o.r..M..k.o..m', 12, 6) },
  ],
  drawn: (draw) => text(plan(draw), draw.integer(6, 12), draw.integer(1, 5000)),
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: about seven digits of the logits.',
  },
  hints: [
    'Two questions for each token, with two different numbers: is it chosen, and what becomes of it? A token that is not chosen stays, whatever the second number.',
    'The loss asks which tokens were chosen, not which ones changed: a chosen token that stays itself counts as well.',
    '−ln softmax(x)[t] = ln Σ exp(x) − x[t]. Subtract the largest logit of the row first: both terms change by the same.',
  ],
  variants: [
    {
      id: 'hidden-only',
      message:
        'Your loss counts the hidden tokens alone. All chosen ones count, also those that were replaced or left as they are: the model cannot tell which they are.',
      python: [['if chosen[i]]', 'if chosen[i] and how[i] < 0.8]']],
      javascript: [
        [
          'loss += largest + Math.log(total) - row.get(0, tokens.get(0, i));\n    count++;',
          'if (how >= 0.8) continue;\n    loss += largest + Math.log(total) - row.get(0, tokens.get(0, i));\n    count++;',
        ],
      ],
      cpp: [
        [
          '// All chosen tokens count,',
          'if (how >= 0.8) continue;\n    // All chosen tokens count,',
        ],
      ],
    },
    {
      id: 'changed-only',
      message:
        'Your loss counts the tokens that changed. A chosen token that was left as it is counts too.',
      python: [['if chosen[i]]', 'if inputs[i] != tokens[i]]']],
      javascript: [
        [
          'loss += largest + Math.log(total) - row.get(0, tokens.get(0, i));\n    count++;',
          'if (how >= 0.9) continue;\n    loss += largest + Math.log(total) - row.get(0, tokens.get(0, i));\n    count++;',
        ],
      ],
      cpp: [
        [
          '// All chosen tokens count,',
          'if (how >= 0.9) continue;\n    // All chosen tokens count,',
        ],
      ],
    },
    {
      id: 'all-tokens',
      message:
        'Your loss is over all tokens. Those that were not chosen the model sees: to repeat them is no guess. Count the chosen ones only.',
      python: [['for i in range(len(tokens)) if chosen[i]]', 'for i in range(len(tokens))]']],
    },
    {
      id: 'divided-by-all',
      message:
        'You divided by the number of all tokens. The mean is over the chosen ones: otherwise the loss is small only because few were chosen.',
      python: [['/ len(losses)', '/ len(tokens)']],
      javascript: [['loss / count', 'loss / tokens.cols']],
      cpp: [['loss / static_cast<double>(count)', 'loss / static_cast<double>(tokens.size())']],
    },
    {
      id: 'summed',
      message: 'Your loss is the sum over the chosen tokens. Take the mean.',
      python: [['sum(losses) / len(losses) if losses else 0.0', 'sum(losses) if losses else 0.0']],
      javascript: [['loss / count', 'loss']],
    },
    {
      id: 'against-inputs',
      message:
        'You compared the guess with what the model sees. It should say what stood there: take the target from `tokens`, not from `inputs`.',
      python: [['int(tokens[i])', 'int(inputs[i])']],
      javascript: [['row.get(0, tokens.get(0, i))', 'row.get(0, inputs.get(0, i))']],
      cpp: [['row(static_cast<Index>(tokens(i)))', 'row(static_cast<Index>(inputs(i)))']],
    },
    {
      id: 'next-token',
      message:
        'You compared the guess with the next token, as for a causal model. Row i is the guess for token i itself.',
      python: [['int(tokens[i])', 'int(tokens[(i + 1) % len(tokens)])']],
      javascript: [
        ['row.get(0, tokens.get(0, i))', 'row.get(0, tokens.get(0, (i + 1) % tokens.cols))'],
      ],
    },
    {
      id: 'all-hidden',
      message:
        'You hid every chosen token. A tenth of them becomes another token, and a tenth stays: the second number decides.',
      python: [
        ['np.where(how < 0.8, mask_id, np.where(how < 0.9, replacements, tokens))', 'mask_id'],
      ],
      javascript: [['if (how < 0.8) inputs', 'if (how < 2) inputs']],
      cpp: [['if (how < 0.8) {', 'if (how < 2) {']],
    },
    {
      id: 'tenth-exchanged',
      message:
        'You exchanged the two tenths: from 0.8 up to 0.9 the token is replaced, from 0.9 it stays.',
      python: [
        ['np.where(how < 0.9, replacements, tokens)', 'np.where(how < 0.9, tokens, replacements)'],
      ],
    },
    {
      id: 'second-number-alone',
      message:
        'You changed tokens that were not chosen. The second number decides only about chosen ones.',
      python: [['np.where(chosen, changed, tokens)', 'changed']],
    },
    {
      id: 'bits',
      message: 'Your loss is in bits. Use the natural logarithm: nats.',
      python: [['-logs[i, int(tokens[i])]', '-logs[i, int(tokens[i])] / np.log(2)']],
    },
    {
      id: 'no-softmax',
      message:
        'You took the negative logit of the token. The loss is the logarithm of its probability: take off the logarithm of the sum of the exponentials.',
      python: [
        ['logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))', 'logs = logits'],
      ],
    },
    {
      id: 'overflow',
      message:
        'A logit of 1000 overflows the exponential. Subtract the largest logit of each row first: the loss stays the same.',
      evidence: 'fixed',
      python: [['shifted = logits - logits.max(axis=1, keepdims=True)', 'shifted = logits']],
      javascript: [['const largest = row.max()', 'const largest = 0']],
      cpp: [['largest = max(row).item()', 'largest = 0.0']],
    },
    {
      id: 'none-chosen',
      message: 'Where nothing is chosen you divide by 0. The loss is 0 then.',
      evidence: 'fixed',
      python: [['sum(losses) / len(losses) if losses else 0.0', 'np.mean(losses)']],
      javascript: [['count > 0 ? loss / count : 0', 'loss / count']],
      cpp: [
        [
          'count > 0 ? loss / static_cast<double>(count) : 0.0',
          'loss / static_cast<double>(count)',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      sharpness: { label: 'how far apart the guesses are', min: 0, max: 8, step: 0.5, value: 2 },
      vocabulary: { label: 'tokens of the vocabulary', min: 4, max: 64, value: 16 },
      seed: { label: 'seed', min: 0, max: 99, value: 7 },
    },
    args: ({ sharpness = 2, vocabulary = 16, seed = 7 }) =>
      text('..m.r.Mk.o.m.k.r', vocabulary, seed, sharpness),
    draw: {
      kind: 'curve',
      path: [1],
      x: 'sharpness',
      values: Array.from({ length: 17 }, (_, at) => at / 2),
      y: 'loss in nats',
    },
    caption:
      'The loss of guesses that know nothing. At 0 all tokens are equally likely and it is ln V; the surer a guess that knows nothing, the larger its loss.',
  },
  source: {
    title: 'BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding',
    url: 'https://arxiv.org/abs/1810.04805',
    where: 'section 3.1, task 1',
  },
  reference: async ({ core }, [logits, tokens, draws, replacements, maskId]) => {
    const truth = [...arrayOf(tokens).data];
    const decided = arrayOf(draws).data;
    const other = arrayOf(replacements).data;
    const chosen = truth.map((_, at) => (decided[2 * at] ?? 1) < 0.15);
    const inputs = truth.map((token, at) => {
      const how = decided[2 * at + 1] ?? 1;
      if (!chosen[at] || how >= 0.9) return token;
      return how < 0.8 ? numberOf(maskId) : (other[at] ?? token);
    });
    const { loss } = await core.crossEntropy({
      logits: matrixOf(logits),
      targets: truth.map((token, at) => (chosen[at] ? token : ignored)),
    });
    return [array([inputs.length], inputs), loss];
  },
} as const satisfies Exercise;
