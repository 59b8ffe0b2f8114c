// What issue 4 asks of each case, and whether a row of the benchmark meets it.

const ort = 'onnxruntime-web';
const rivals = [ort, 'tfjs'];

/** `times`: how many times faster than every one of `against`, SIMD128 and relaxed; by n if it varies. */
const goals = {
  gemm: { share: { simd: ['mul+add', 0.9], relaxed: ['FMA', 0.75] } },
  attention: { against: rivals, times: { simd: 1.15, relaxed: 1.9 } },
  attention_weights: { against: rivals, times: { simd: 1.25, relaxed: 2 } },
  attention_causal: { against: rivals, times: { simd: 2.2, relaxed: 3.5 } },
  linear_elu: { against: rivals, times: { simd: 1.7, relaxed: 2.4 } },
  linear_elu_causal: {
    against: rivals,
    times: {
      simd: { 256: 4.5, 1024: 12, 2048: 24 },
      relaxed: { 256: 6, 1024: 18, 2048: 36 },
    },
  },
  linear_taylor: { against: rivals, times: { simd: 3, relaxed: 4 } },
  linear_performer: { against: rivals, times: { simd: 1.4, relaxed: 2.1 } },
  attention_call: { against: [ort], times: { simd: { 32: 2.5, 64: 1.6 } }, anySize: true },
};

/** Undefined where nothing is asked; else {met, text}. */
export function goalOf({ case: name, n, ours, against, shares }) {
  const goal = goals[name];
  if (!goal || (!goal.anySize && (n < 256 || n > 2048))) return undefined;
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
  return say(Math.min(...seen) >= wanted, `≥ ${wanted}×`);
}
