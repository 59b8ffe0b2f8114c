// What issue 4 asks of each case, and whether a row of the benchmark meets it.

const ort = 'onnxruntime-web';
const rivals = [ort, 'tfjs'];

/** `times`: how many times faster than each of `against`, for either build; by n where it varies. */
const faster = (against, simd, relaxed, more) => ({ against, times: { simd, relaxed }, ...more });
const goals = {
  gemm: [{ share: { simd: ['mul+add', 0.9], relaxed: ['FMA', 0.75] } }],
  attention: [faster(rivals, 1.15, 1.9), faster(['plain JS'], 20, 33)],
  attention_weights: [faster(rivals, 1.25, 2)],
  attention_causal: [faster(rivals, 2.2, 3.5)],
  linear_elu: [faster(rivals, 1.7, 2.4)],
  linear_elu_causal: [
    faster(rivals, { 256: 4.5, 1024: 12, 2048: 24 }, { 256: 6, 1024: 18, 2048: 36 }),
  ],
  linear_taylor: [faster(rivals, 3, 4)],
  linear_performer: [faster(rivals, 1.4, 2.1)],
  attention_call: [faster([ort], { 32: 2.5, 64: 1.6 }, { 32: 2.5, 64: 1.6 }, { anySize: true })],
};

function judge(goal, { n, ours, against, shares }) {
  if (!goal.anySize && (n < 256 || n > 2048)) return undefined;
  const build = ours.peer.replace('ours ', '');
  const say = (met, text) => ({ met, text: `${text} ${met ? 'met' : 'SHORT'}` });
  if (goal.share) {
    if (!goal.share[build]) return undefined;
    const [roof, wanted] = goal.share[build];
    return say(shares[roof] >= wanted, `≥ ${100 * wanted} % of ${roof}`);
  }
  const times = goal.times[build];
  const wanted = typeof times === 'object' ? times[n] : times;
  const seen = goal.against.map((peer) => against[peer]?.median).filter((one) => one !== undefined);
  if (wanted === undefined || seen.length === 0) return undefined;
  const whom = goal.against === rivals ? '' : ` ${goal.against}`;
  return say(Math.min(...seen) >= wanted, `≥ ${wanted}×${whom}`);
}

/** What is asked of a row of the table: a list of {met, text}. */
export const goalsOf = (row) =>
  (goals[row.case] ?? []).map((goal) => judge(goal, row)).filter(Boolean);
