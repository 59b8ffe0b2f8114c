import { vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** Probabilities in 64ths, which sums and float32 hold exactly. */
const parts = (lines: readonly (readonly number[])[]): Input => ({
  make: 'values',
  shape: [lines.length, lines[0]?.length ?? 0],
  data: lines.flat().map((part) => part / 64),
});
/** A random number that lies on no border: those are fractions with divisors up to 64, and 1009 is prime. */
const between = (k: number): number => (k + 0.5) / 1009;

/** A line of n parts that sum to `total`, each at least 1. */
function line(n: number, total: number, draw: Draw): number[] {
  const made = new Array<number>(n).fill(1);
  for (let left = total - n; left > 0; left--) {
    const at = draw.integer(0, n - 1);
    made[at] = (made[at] as number) + 1;
  }
  return made;
}

/**
 * γ drafts over n tokens, of which the first `accepted` are accepted for certain and the next one is refused. At each
 * place the target likes one token best; of two others the draft thinks the opposite of what the target thinks.
 */
function run(n: number, gamma: number, accepted: number, draw: Draw): readonly Input[] {
  const target: number[][] = [];
  const draft: number[][] = [];
  const drafts: number[] = [];
  const u: number[] = [];
  let best = -1;
  for (let i = 0; i <= gamma; i++) {
    // `wrong` is overrated by the draft; the token before it is underrated.
    const wrong = draw.integer(1, n - 1);
    const right = wrong - 1;
    const last = best;
    best = draw.pick(
      Array.from({ length: n }, (_, at) => at).filter(
        (at) => at !== wrong && at !== right && at !== last,
      ),
    );
    const p = line(n, 12, draw);
    p[best] = (p[best] as number) + 34;
    p[right] = (p[right] as number) + 18 + (p[wrong] as number) - 1;
    p[wrong] = 1;
    target.push(p);
    if (i === gamma) break;
    draft.push(
      p.map((part, at) => (at === right ? 1 : at === wrong ? (p[right] as number) : part)),
    );
    drafts.push(i === accepted ? wrong : right);
    // p/q is above 1 at `right`, and below 0.06 at `wrong`.
    u.push(between(i === accepted ? draw.integer(500, 800) : draw.integer(970, 1007)));
  }
  // What is left over after a refusal lies at one token, which p has far from its end; the middle is at `best`.
  const r = accepted < gamma ? draw.integer(995, 1006) : 504;
  return [parts(target), parts(draft), vector(drafts), vector(u), between(r)];
}

export const exercise = {
  id: 'speculative-step',
  lab: 'long-texts',
  order: 12,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['kv-cache'],
  title: 'One step of speculative decoding',
  summary:
    'A small model drafts tokens, the large one checks them, and its distribution stays as it was.',
  task: [
    'A small model is quick and often right. It drafts $\\gamma$ tokens; the large model computes its probabilities at all of these places in one run, and decides how many to keep. Done right, the text is distributed exactly as if the large model had written it alone.',
    'Row $i$ of `q` holds the probabilities from which the small model drew `drafts[i]`, row $i$ of `p` those of the large model at the same place. `p` has one row more, for the place after the last draft. Go through the drafts in order: $x$ = `drafts[i]` is accepted if $u_i < \\min(1, p_i(x)/q_i(x))$.',
    'At the first refusal the token is drawn anew, from $\\max(0, p_i - q_i)$ divided by its sum, and the step ends: later drafts continued a text that is not there. If all are accepted, one token more is drawn from the last row of `p`.',
    'To draw with the number $r$: take the first token for which the sum of the probabilities up to it, its own included, is above $r$. Return the tokens of the step as $\\gamma + 1$ numbers, with −1 behind the last one; how many drafts were accepted; and for each of the $\\gamma$ places how probable it is that a draft is accepted, $\\alpha_i = \\sum_x \\min(p_i(x), q_i(x))$.',
  ],
  entry: 'speculative_step',
  parameters: [
    { name: 'p', type: 'matrix', shape: '(γ+1)×n', what: 'probabilities of the large model' },
    { name: 'q', type: 'matrix', shape: 'γ×n', what: 'probabilities of the small model' },
    { name: 'drafts', type: 'vector', shape: 'γ', what: 'the tokens drafted' },
    { name: 'u', type: 'vector', shape: 'γ', what: 'a number from 0 to 1 for each draft' },
    { name: 'r', type: 'number', what: 'a number from 0 to 1 for the last token' },
  ],
  results: [
    { name: 'tokens', type: 'vector', shape: 'γ+1', what: 'the tokens, then −1' },
    { name: 'accepted', type: 'integer', what: 'how many drafts were accepted' },
    { name: 'alpha', type: 'vector', shape: 'γ', what: 'how probable acceptance is' },
  ],
  cases: [
    {
      name: 'one draft, refused, by hand',
      args: [
        parts([
          [16, 32, 16],
          [32, 16, 16],
        ]),
        parts([[48, 8, 8]]),
        vector([0]),
        vector([0.5]),
        0.4,
      ],
    },
    {
      name: 'the same draft, accepted',
      args: [
        parts([
          [16, 32, 16],
          [32, 16, 16],
        ]),
        parts([[48, 8, 8]]),
        vector([0]),
        vector([0.25]),
        0.6,
      ],
    },
    {
      name: 'two accepted, the third refused',
      args: [
        parts([
          [8, 40, 8, 8],
          [30, 10, 20, 4],
          [4, 12, 30, 18],
          [16, 16, 16, 16],
        ]),
        parts([
          [16, 16, 16, 16],
          [40, 8, 8, 8],
          [50, 4, 4, 6],
        ]),
        vector([1, 0, 0]),
        vector([0.97, 0.7, 0.2]),
        0.55,
      ],
    },
    {
      name: 'all accepted: one more',
      args: [
        parts([
          [40, 8, 16],
          [8, 40, 16],
          [10, 20, 34],
        ]),
        parts([
          [20, 24, 20],
          [12, 32, 20],
        ]),
        vector([0, 1]),
        vector([0.9, 0.3]),
        0.45,
      ],
    },
    {
      name: 'two equal models',
      hidden: true,
      args: [
        parts([
          [20, 24, 20],
          [10, 20, 34],
          [40, 8, 16],
        ]),
        parts([
          [20, 24, 20],
          [10, 20, 34],
        ]),
        vector([2, 0]),
        vector([0.99, 0.999]),
        0.7,
      ],
    },
    {
      name: 'a draft that the large model never writes',
      hidden: true,
      args: [
        parts([
          [0, 44, 20],
          [32, 16, 16],
        ]),
        parts([[30, 14, 20]]),
        vector([0]),
        vector([0.001]),
        0.9,
      ],
    },
    {
      name: 'refused at once, with drafts behind it',
      hidden: true,
      args: [
        parts([
          [4, 20, 20, 20],
          [16, 16, 16, 16],
          [40, 8, 8, 8],
          [8, 8, 40, 8],
        ]),
        parts([
          [32, 4, 4, 24],
          [16, 16, 16, 16],
          [40, 8, 8, 8],
        ]),
        vector([0, 1, 0]),
        vector([0.5, 0.2, 0.1]),
        0.9,
      ],
    },
    {
      name: 'the first and the last token of the vocabulary',
      hidden: true,
      args: [
        parts([
          [60, 2, 2],
          [2, 2, 60],
        ]),
        parts([[20, 40, 4]]),
        vector([1]),
        vector([0.5]),
        0.02,
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, gamma] = [draw.integer(4, 7), draw.integer(3, 5)];
    // Refused at once, somewhere in between, and never.
    return run(n, gamma, [0, draw.integer(1, gamma - 2), gamma][nth] ?? 0, draw);
  },
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason:
      'Tokens are whole numbers and α is a sum of 64ths. The random numbers lie on no border between two tokens.',
  },
  hints: [
    'A loop over the drafts with two ways out: a refusal, or the end. Each adds exactly one token.',
    'p/q is above 1 where the large model likes the token more: then it is always accepted. u < p(x)/q(x) says the same.',
    'To draw: np.searchsorted(np.cumsum(probabilities), r, side="right"), or go along and sum until you are above r.',
  ],
  variants: [
    {
      id: 'ratio-upside-down',
      message:
        'You accept with q(x)/p(x). A draft is doubtful where the small model likes it more than the large one: p(x)/q(x).',
      python: [['u[i] * q[i, x] < p[i, x]', 'u[i] * p[i, x] < q[i, x]']],
      javascript: [
        ['u.get(0, i) * q.get(i, x) < p.get(i, x)', 'u.get(0, i) * p.get(i, x) < q.get(i, x)'],
      ],
      cpp: [['u(i) * q(i, x) < p(i, x)', 'u(i) * p(i, x) < q(i, x)']],
    },
    {
      id: 'probability-of-p',
      message:
        'You accept with the probability p(x) alone. What was drafted with probability q(x) is kept with p(x)/q(x).',
      python: [['u[i] * q[i, x] < p[i, x]', 'u[i] < p[i, x]']],
    },
    {
      id: 'greedy',
      message:
        'You accept a draft if the large model likes it best. That changes the distribution of the text: accept with min(1, p(x)/q(x)).',
      python: [['u[i] * q[i, x] < p[i, x]', 'x == np.argmax(p[i])']],
    },
    {
      id: 'drawn-from-p',
      message:
        'After a refusal you draw from p. What the drafts have given already has to be taken off: draw from max(0, p − q), divided by its sum.',
      python: [['np.maximum(p[i] - q[i], 0)', 'p[i]']],
      javascript: [['Math.max(0, p.get(i, j) - q.get(i, j))', 'p.get(i, j)']],
      cpp: [['maximum(p.row(i) - q.row(i), 0.0)', 'p.row(i)']],
    },
    {
      id: 'rest-upside-down',
      message:
        'After a refusal you draw where the small model has too much, max(0, q − p). Draw where it has too little: max(0, p − q).',
      python: [['np.maximum(p[i] - q[i], 0)', 'np.maximum(q[i] - p[i], 0)']],
      javascript: [
        ['Math.max(0, p.get(i, j) - q.get(i, j))', 'Math.max(0, q.get(i, j) - p.get(i, j))'],
      ],
    },
    {
      id: 'absolute-rest',
      message: 'After a refusal you draw from |p − q|. Where q is larger the probability is 0.',
      python: [['np.maximum(p[i] - q[i], 0)', 'np.abs(p[i] - q[i])']],
    },
    {
      id: 'rest-not-divided',
      message:
        'After a refusal your probabilities do not sum to 1. Divide max(0, p − q) by its sum.',
      python: [['rest / rest.sum()', 'rest']],
      javascript: [['rest.map((part) => part / sum)', 'rest']],
      cpp: [['rest / sum(rest)', 'rest']],
    },
    {
      id: 'goes-on-after-refusal',
      message:
        'You go on after a refusal. The drafts behind it continued a token that is not there: the step ends.',
      python: [['            return tokens, accepted, alpha', '            continue']],
    },
    {
      id: 'refused-without-token',
      message: 'A refusal adds no token in your code. Every step adds at least one: draw it anew.',
      python: [['            tokens[accepted] = draw(rest / rest.sum(), r)\n', '']],
    },
    {
      id: 'refused-draft-kept',
      message: 'You keep the draft that was refused. In its place stands the token drawn anew.',
      python: [['tokens[accepted] = draw(rest / rest.sum(), r)', 'tokens[accepted] = x']],
    },
    {
      id: 'no-extra-token',
      message:
        'When all drafts are accepted you stop. The large model has looked one place further: draw one more from its last row.',
      python: [['    tokens[accepted] = draw(p[len(drafts)], r)\n', '']],
      javascript: [['  tokens.set(0, accepted, draw(p.row(gamma).data, r));\n', '']],
      cpp: [['  tokens(gamma) = draw(p.row(gamma), r);\n', '']],
    },
    {
      id: 'extra-from-the-row-before',
      message:
        'The token after the last draft comes from the row before. `p` has one row more than there are drafts.',
      python: [['draw(p[len(drafts)], r)', 'draw(p[len(drafts) - 1], r)']],
    },
    {
      id: 'drawn-one-late',
      message:
        'Your draw takes one token too far: the first for which the sum with its own probability is above r.',
      python: [['np.cumsum(probabilities) <= r)', 'np.cumsum(probabilities) <= r) + 1']],
      javascript: [
        [
          'if (sum > r) return token;',
          'if (sum > r) return Math.min(token + 1, probabilities.length - 1);',
        ],
      ],
    },
    {
      id: 'likeliest-instead',
      evidence: 'fixed',
      message: 'You take the likeliest token in place of drawing one with r.',
      python: [
        [
          'token = int(np.sum(np.cumsum(probabilities) <= r))',
          'token = int(np.argmax(probabilities))',
        ],
      ],
    },
    {
      id: 'alpha-of-the-draft',
      message:
        'Your alpha is that of the token drafted. It is the mean over all drafts that could come: Σ min(p, q).',
      python: [
        [
          'np.minimum(p[:-1], q).sum(axis=1)',
          'np.array([min(1, p[i, int(x)] / q[i, int(x)]) for i, x in enumerate(drafts)])',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      gamma: { label: 'drafts γ', min: 1, max: 16, value: 8 },
      size: { label: 'vocabulary', min: 2, max: 16, value: 6 },
      agreement: { label: 'how alike the models are', min: 0, max: 1, step: 0.05, value: 0.6 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ gamma = 8, size = 6, agreement = 0.6, seed = 0 }) => {
      const random = (a: number, b: number) => {
        const wave =
          Math.sin(12.9898 * (a + 1) + 78.233 * (b + 1) + 37.719 * (seed + 1)) * 43758.5453;
        return wave - Math.floor(wave);
      };
      const scaled = (weights: readonly number[]) => {
        const sum = weights.reduce((a, b) => a + b, 0);
        return weights.map((weight) => weight / sum);
      };
      const row = (i: number, shift: number) =>
        scaled(Array.from({ length: size }, (_, j) => Math.exp(3 * random(i + shift, j))));
      const p = Array.from({ length: gamma + 1 }, (_, i) => row(i, 0));
      const q = Array.from({ length: gamma }, (_, i) => {
        const own = row(i, 100);
        return own.map((part, j) => (1 - agreement) * part + agreement * (p[i]?.[j] ?? 0));
      });
      const drafts = q.map((probabilities) => probabilities.indexOf(Math.max(...probabilities)));
      const matrix = (lines: readonly (readonly number[])[]): Input => ({
        make: 'values',
        shape: [lines.length, size],
        data: lines.flat(),
      });
      return [
        matrix(p),
        matrix(q),
        vector(drafts),
        vector(drafts.map((_, i) => random(i, 500))),
        random(7, 900),
      ];
    },
    draw: { kind: 'matrix', path: [2], rows: 'α', cols: 'place of the draft' },
    caption:
      'How probable it is that the draft at each place is accepted. Models that are alike agree more often.',
  },
  source: {
    title: 'Fast Inference from Transformers via Speculative Decoding',
    url: 'https://arxiv.org/abs/2211.17192',
    where: 'algorithm 1',
  },
  reference: async ({ core }, [large, small, guesses, chances, last]) => {
    const [p, q] = [matrixOf(large), matrixOf(small)];
    const [drafts, u] = [arrayOf(guesses).data, arrayOf(chances).data];
    const r = numberOf(last);
    const row = ({ cols, data }: typeof p, i: number) => ({
      rows: 1,
      cols,
      data: data.slice(i * cols, (i + 1) * cols),
    });
    const draw = (probabilities: Iterable<number>): number => {
      let [sum, token] = [0, 0];
      for (const probability of probabilities) {
        sum += probability;
        if (sum > r) break;
        token++;
      }
      return token;
    };
    const tokens = new Array<number>(drafts.length + 1).fill(-1);
    const alpha: number[] = [];
    let accepted = 0;
    let open = true;
    for (const [i, x] of drafts.entries()) {
      const pair = await core.speculativePair({ p: row(p, i), q: row(q, i) });
      alpha.push(pair.alpha);
      if (!open) continue;
      open = (u[i] as number) < (pair.accept.data[x] as number);
      tokens[i] = open ? x : draw(pair.residual.data);
      if (open) accepted++;
    }
    if (open) tokens[drafts.length] = draw(row(p, drafts.length).data);
    return [array([tokens.length], tokens), accepted, array([alpha.length], alpha)];
  },
} as const satisfies Exercise;
