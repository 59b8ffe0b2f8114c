import { rows } from '../../src/exercises/common-inputs';
import { array, matricesOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** Baselines on top of one another: what a uniform head, equal distance and a shuffled text give. */
const stack = (layers: readonly (readonly (readonly number[])[])[]): Input => ({
  make: 'values',
  shape: [layers.length, layers[0]?.length ?? 0, layers[0]?.[0]?.length ?? 0],
  data: layers.flat(2),
});

/** How a head of the drawn inputs behaves; each shows a mistake of its own. */
interface Plan {
  /** The relation that it really has. */
  readonly true: number;
  /** Another relation, which is often right anyway: its score is the highest, and so is its baseline. */
  readonly tempting: number;
  /** The gains of the true relation on the texts for choosing and on those held out. */
  readonly gain: number;
  readonly held: number;
  /** The gain that the other relation has on the texts held out. */
  readonly otherHeld: number;
}

/**
 * Scores and baselines for heads with these plans, r relations and three baselines, of which each is the strongest
 * somewhere. All numbers are multiples of 1/128, exact in float32.
 */
function measured(plans: readonly Plan[], r: number, turn = 0): readonly Input[] {
  const gainsOf = (plan: Plan, held: boolean) =>
    Array.from({ length: r }, (_, at) => {
      if (at === plan.true) return held ? plan.held : plan.gain;
      if (held && at === plan.tempting) return plan.otherHeld;
      return -(1 + ((at + turn) % 3)) / 64;
    });
  const largestOf = (plan: Plan, h: number) =>
    Array.from({ length: r }, (_, at) =>
      at === plan.tempting ? 80 / 128 : (10 + ((3 * at + h + turn) % 5)) / 128,
    );
  const build = (held: boolean): readonly [Input, Input] => {
    const largest = plans.map(largestOf);
    const scores = plans.map((plan, h) =>
      gainsOf(plan, held).map((gain, at) => gain + (largest[h]?.[at] ?? 0)),
    );
    // The strongest one is another baseline for each relation; the others lie far below it.
    const layers = [0, 1, 2].map((which) =>
      largest.map((row, h) =>
        row.map((value, at) =>
          (at + h + turn + Number(held)) % 3 === which ? value : value / 2 ** (which + 2),
        ),
      ),
    );
    return [rows(scores), stack(layers)];
  };
  return [...build(false), ...build(true), 0.1];
}

const drawnHeads = (draw: Draw): readonly Input[] => {
  const r = draw.integer(3, 5);
  const at = (step: number) => (base + step) % r;
  const base = draw.integer(0, r - 1);
  const more = () => draw.integer(16, 28) / 128;
  return measured(
    [
      { true: at(0), tempting: at(1), gain: more(), held: more(), otherHeld: -4 / 128 },
      { true: at(1), tempting: at(2), gain: more(), held: 4 / 128, otherHeld: -2 / 128 },
      { true: at(2), tempting: at(0), gain: 6 / 128, held: more(), otherHeld: 2 / 128 },
      { true: at(0), tempting: at(2), gain: more(), held: 3 / 128, otherHeld: 40 / 128 },
      { true: at(1), tempting: at(0), gain: more(), held: more(), otherHeld: 34 / 128 },
    ],
    r,
    draw.integer(0, 5),
  );
};

export const exercise = {
  id: 'name-a-head',
  lab: 'heads',
  order: 10,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['induction-score'],
  title: 'May this head have a name?',
  summary: 'A name has to beat every baseline, and to hold on texts that did not choose it.',
  task: [
    'Of many heads and many relations some always look like something. A report that names 193 of 193 patterns has found nothing; “no name” must be an answer. Two things decide here: the gain over a baseline, and texts that were held out.',
    'For $h$ heads and $r$ relations (previous token, induction and so on) you are given the scores on the texts for choosing, $h\\times r$, and $b$ baselines for each of them, $b\\times h\\times r$: what a head that spreads evenly has, what this head gives to other keys at an equal distance, what remains when the tokens are shuffled. The gain is the score minus the **largest** of its baselines. The same is given for the texts held out.',
    'Write `name_a_head(scores, baselines, held_scores, held_baselines, least_gain)`. The candidate of a head is the relation with the largest gain on the texts for choosing. It becomes the name only if its gain is at least `least_gain` there **and** on the texts held out, where it is the only one that is looked at.',
    'Return two vectors of $h$: the names, as the number of the relation from 0, or −1 for no name; and the gain of each candidate on the texts held out, whether it became the name or not.',
  ],
  entry: 'name_a_head',
  parameters: [
    { name: 'scores', type: 'matrix', shape: 'h×r', what: 'on the texts for choosing' },
    { name: 'baselines', type: 'stack', shape: 'b×h×r', what: 'of these scores' },
    { name: 'held_scores', type: 'matrix', shape: 'h×r', what: 'on the texts held out' },
    { name: 'held_baselines', type: 'stack', shape: 'b×h×r', what: 'of those scores' },
    { name: 'least_gain', type: 'number', what: 'what a name has to gain', default: 0.1 },
  ],
  results: [
    { name: 'names', type: 'vector', shape: 'h', what: 'a relation from 0, or −1' },
    { name: 'held_gains', type: 'vector', shape: 'h', what: 'of the candidates, held out' },
  ],
  cases: [
    {
      name: 'two heads, by hand: a name, and a high score without one',
      args: [
        rows([
          [0.75, 0.25],
          [0.25, 0.875],
        ]),
        stack([
          [
            [0.25, 0.125],
            [0.125, 0.75],
          ],
          [
            [0.125, 0.25],
            [0.25, 0.84375],
          ],
        ]),
        rows([
          [0.625, 0.25],
          [0.25, 0.75],
        ]),
        stack([
          [
            [0.125, 0.25],
            [0.25, 0.75],
          ],
          [
            [0.25, 0.125],
            [0.125, 0.5],
          ],
        ]),
        0.1,
      ],
    },
    {
      name: 'a candidate that does not hold, and one that does',
      args: measured(
        [
          { true: 1, tempting: 0, gain: 0.25, held: 0.03125, otherHeld: -0.0625 },
          { true: 2, tempting: 1, gain: 0.25, held: 0.1875, otherHeld: -0.0625 },
        ],
        3,
      ),
    },
    {
      name: 'held out, another relation gains more',
      args: measured(
        [
          { true: 0, tempting: 2, gain: 0.1875, held: 0.15625, otherHeld: 0.3125 },
          { true: 2, tempting: 1, gain: 0.1875, held: 0.03125, otherHeld: 0.3125 },
        ],
        3,
        1,
      ),
    },
    {
      name: 'no head has a name',
      hidden: true,
      args: measured(
        [
          { true: 1, tempting: 2, gain: 0.0625, held: 0.25, otherHeld: 0 },
          { true: 0, tempting: 3, gain: 0.25, held: -0.125, otherHeld: 0.25 },
          { true: 3, tempting: 1, gain: 0.03125, held: 0.03125, otherHeld: 0 },
        ],
        4,
        2,
      ),
    },
    {
      name: 'a gain exactly at the bound',
      hidden: true,
      args: [
        ...measured(
          [
            { true: 2, tempting: 0, gain: 0.125, held: 0.125, otherHeld: 0 },
            { true: 1, tempting: 3, gain: 0.25, held: 0.125, otherHeld: 0.25 },
          ],
          4,
          3,
        ).slice(0, 4),
        0.125,
      ],
    },
    {
      name: 'one head, one relation, one baseline',
      hidden: true,
      args: [rows([[0.75]]), stack([[[0.25]]]), rows([[0.5]]), stack([[[0.125]]]), 0.1],
    },
    {
      name: 'a larger bound',
      hidden: true,
      args: [
        ...measured(
          [
            { true: 0, tempting: 1, gain: 0.375, held: 0.34375, otherHeld: 0 },
            { true: 1, tempting: 2, gain: 0.25, held: 0.375, otherHeld: 0 },
          ],
          3,
          4,
        ).slice(0, 4),
        0.3,
      ],
    },
  ],
  drawn: (draw) => drawnHeads(draw),
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Scores are exact in float32; a difference is rounded at most once.',
  },
  hints: [
    'The largest over the baselines first: it leaves one number for each head and relation. Subtract it from the scores, on both sets of texts.',
    'The candidate comes from the gains on the texts for choosing only: one argmax a head, over the relations.',
    'Look the candidate’s gain up on the texts held out. Both gains must be at least least_gain; otherwise the name is −1, and the held-out gain is returned all the same.',
  ],
  variants: [
    {
      id: 'highest-score',
      message:
        'You chose the relation with the highest score. A relation that is easy for any head has a high score and a high baseline: choose by the gain.',
      python: [['np.argmax(gains[h])', 'np.argmax(scores[h])']],
      javascript: [
        [
          'gains.get(h, r) > gains.get(h, candidate)',
          'scores.get(h, r) > scores.get(h, candidate)',
        ],
      ],
      cpp: [['argmax(gains, 1)', 'argmax(scores, 1)']],
    },
    {
      id: 'no-baseline',
      message:
        'You took the scores for gains. Without the baselines nearly every head gets a name: subtract the largest of them.',
      python: [
        ['scores - baselines.max(axis=0)\n    held', 'scores\n    held'],
        ['held_scores - held_baselines.max(axis=0)', 'held_scores'],
      ],
      javascript: [['score.minus(all.reduce((one, other) => one.maximum(other)))', 'score']],
    },
    {
      id: 'mean-baseline',
      message:
        'You subtracted the mean of the baselines. A name has to beat each of them: subtract the largest.',
      python: [
        [' baselines.max(axis=0)', ' baselines.mean(axis=0)'],
        ['held_baselines.max(axis=0)', 'held_baselines.mean(axis=0)'],
      ],
      cpp: [
        ['max(baselines, 0)', 'mean(baselines, 0)'],
        ['max(held_baselines, 0)', 'mean(held_baselines, 0)'],
      ],
    },
    {
      id: 'smallest-baseline',
      message:
        'You subtracted the smallest baseline, which is the easiest to beat. Subtract the largest.',
      python: [
        [' baselines.max(axis=0)', ' baselines.min(axis=0)'],
        ['held_baselines.max(axis=0)', 'held_baselines.min(axis=0)'],
      ],
    },
    {
      id: 'first-baseline',
      message: 'You used the first baseline alone. Subtract the largest of them, entry by entry.',
      python: [
        [' baselines.max(axis=0)', ' baselines[0]'],
        ['held_baselines.max(axis=0)', 'held_baselines[0]'],
      ],
      javascript: [['all.reduce((one, other) => one.maximum(other))', 'all[0]']],
      cpp: [
        ['max(baselines, 0)', 'baselines[0]'],
        ['max(held_baselines, 0)', 'held_baselines[0]'],
      ],
    },
    {
      id: 'largest-of-all',
      message:
        'You subtracted one number, the largest baseline of all heads and relations. Each score has its own: take the maximum over the baselines only, the first axis.',
      python: [
        [' baselines.max(axis=0)', ' baselines.max()'],
        ['held_baselines.max(axis=0)', 'held_baselines.max()'],
      ],
    },
    {
      id: 'not-held-out',
      message:
        'Your names come from the texts that chose them. The best of many relations always looks good there: the candidate has to gain on the texts held out too.',
      python: [[' and held[h] >= least_gain', '']],
      javascript: [[' && held.get(0, h) >= leastGain', '']],
      cpp: [[' && held(h) >= least_gain', '']],
    },
    {
      id: 'chosen-again',
      message:
        'You looked for the best relation again on the texts held out. They decide about one candidate only, the one that the other texts chose; whoever chooses on them has held nothing out.',
      python: [['np.argmax(gains[h])', 'np.argmax(held_gains[h])']],
      javascript: [
        [
          'gains.get(h, r) > gains.get(h, candidate)',
          'heldGains.get(h, r) > heldGains.get(h, candidate)',
        ],
      ],
      cpp: [['argmax(gains, 1)', 'argmax(held_gains, 1)']],
    },
    {
      id: 'chosen-on-both',
      message:
        'You chose by both sets of texts together. The texts held out may not choose, or they prove nothing.',
      python: [['np.argmax(gains[h])', 'np.argmax(gains[h] + held_gains[h])']],
    },
    {
      id: 'always-a-name',
      message:
        'Every head has a name with you. A candidate that gains too little on either set of texts has none: −1.',
      python: [['if gains[h, candidate] >= least_gain and held[h] >= least_gain:', 'if True:']],
      javascript: [['gains.get(h, candidate) >= leastGain && held.get(0, h) >= leastGain', 'true']],
    },
    {
      id: 'held-out-only',
      message:
        'You looked only at the gain on the texts held out. The candidate has to gain enough on both sets.',
      python: [['gains[h, candidate] >= least_gain and held[h]', 'held[h]']],
      cpp: [['gains(h, candidate) >= least_gain && held(h)', 'held(h)']],
    },
    {
      id: 'more-than-the-bound',
      message: 'You want more than the bound. A gain that equals it is enough.',
      evidence: 'fixed',
      python: [
        ['>= least_gain and held[h] >= least_gain', '> least_gain and held[h] > least_gain'],
      ],
      javascript: [
        [
          '>= leastGain && held.get(0, h) >= leastGain',
          '> leastGain && held.get(0, h) > leastGain',
        ],
      ],
    },
    {
      id: 'gain-of-names-only',
      message:
        'Your second result is 0 for heads without a name. Return the held-out gain of every candidate: how far it missed is worth knowing.',
      python: [['return names, held', 'return names, np.where(names >= 0, held, 0.0)']],
    },
    {
      id: 'largest-held-gain',
      message:
        'Your second result is the largest gain on the texts held out. It should be that of the candidate.',
      python: [['return names, held', 'return names, held_gains.max(axis=1)']],
    },
    {
      id: 'counted-from-one',
      message: 'Your relations are counted from 1. Count from 0.',
      python: [['names[h] = candidate', 'names[h] = candidate + 1']],
      javascript: [['names.set(0, h, candidate)', 'names.set(0, h, candidate + 1)']],
    },
  ],
  figure: {
    knobs: {
      bound: { label: 'what a name has to gain', min: 0, max: 0.5, step: 0.02, value: 0.1 },
      turn: { label: 'other heads', min: 0, max: 5, value: 0 },
    },
    args: ({ bound = 0.1, turn = 0 }) => [
      ...measured(
        Array.from({ length: 16 }, (_, h) => ({
          ...{ true: h % 5, tempting: (h + 1 + (turn % 4)) % 5 },
          ...{ gain: (4 + ((h * 7 + turn) % 16) * 4) / 128, held: (((h * 5 + 3) % 16) * 4) / 128 },
          otherHeld: ((h % 4) * 16) / 128,
        })),
        5,
        turn,
      ).slice(0, 4),
      bound,
    ],
    draw: {
      kind: 'curve',
      path: [0],
      x: 'head',
      values: Array.from({ length: 16 }, (_, at) => at),
      y: 'name, or −1',
    },
    caption:
      'The names of sixteen heads; −1 is none. The higher the bound, the fewer names are left, and of those that a bound of 0 gives some were chance.',
  },
  source: {
    title: 'Analyzing Multi-Head Self-Attention',
    url: 'https://arxiv.org/abs/1905.09418',
    where:
      'section 5.2: a head must beat the best fixed place; held out as the core’s name_heads does',
  },
  reference: async (_, [scores, baselines, heldScores, heldBaselines, leastGain]) => {
    const [chosen, held] = [
      [scores, baselines],
      [heldScores, heldBaselines],
    ].map(([score, all]) => {
      const { rows: heads, cols, data } = matrixOf(score);
      const others = matricesOf(all);
      return Array.from({ length: heads }, (_row, h) =>
        Array.from({ length: cols }, (_col, at) => {
          const largest = Math.max(...others.map((one) => one.data[h * cols + at] ?? 0));
          return (data[h * cols + at] ?? 0) - largest;
        }),
      );
    });
    const least = numberOf(leastGain);
    const names: number[] = [];
    const gains: number[] = [];
    (chosen ?? []).forEach((row, h) => {
      const gain = Math.max(...row);
      const candidate = row.indexOf(gain);
      const heldGain = held?.[h]?.[candidate] ?? Number.NaN;
      names.push(gain >= least && heldGain >= least ? candidate : -1);
      gains.push(heldGain);
    });
    return [array([names.length], names), array([gains.length], gains)];
  },
} as const satisfies Exercise;
