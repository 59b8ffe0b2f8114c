// Finds the length from which linear attention is faster than softmax attention: as measured, and as the core's cost
// model predicts it from rates that are measured at the two ends only.
import { minimum } from './bench-statistics.mjs';
import { loadFull } from './client.mjs';

const sizes = [16, 32, 64, 128, 256, 512];
const shape = { dK: 64, dV: 64 };
const pairs = [
  { softmax: 'attention', a: 'standard', linear: 'linear_elu', b: 'linear', shape },
  {
    softmax: 'attention',
    a: 'standard',
    linear: 'linear_performer',
    b: 'linear',
    shape: { ...shape, featureMap: 'softmax_kernel', D: 128 },
  },
  {
    softmax: 'attention_causal',
    a: 'causal_kept',
    linear: 'linear_elu_causal',
    b: 'linear_chunked',
    shape,
  },
];

/** Estimates one rate for all work that grows with n, and the fixed time of a call. */
function ratesOf(core, mechanism, given, times) {
  const work = (n) => core.costOf({ mechanism, shape: { ...given, n } }).multiplyAdds;
  const small = sizes[0];
  const large = sizes.at(-1);
  const multiplyAdd = (times[large] - times[small]) / (work(large) - work(small));
  return { multiplyAdd, call: Math.max(0, times[small] - multiplyAdd * work(small)) };
}

/** The least n from which the second takes less time; between two sizes, log time is interpolated linearly. */
function measuredCrossover(softmax, linear) {
  const lead = sizes.map((n) => Math.log(linear[n] / softmax[n]));
  if (lead.at(-1) >= 0) return null;
  const last = lead.findLastIndex((x) => x >= 0);
  if (last < 0) return null;
  const part = lead[last] / (lead[last] - lead[last + 1]);
  return Math.round(sizes[last] * (sizes[last + 1] / sizes[last]) ** part);
}

/** @param measure (case, n, 'ours') → what the page measured */
export async function findCrossovers(measure) {
  const core = await loadFull('simd');
  /** case → build → n → nanoseconds */
  const times = {};
  for (const name of new Set(pairs.flatMap(({ softmax, linear }) => [softmax, linear]))) {
    times[name] = {};
    for (const n of sizes) {
      const { contenders } = await measure(name, n, 'ours');
      for (const { peer, samples } of contenders.filter((one) => one.samples)) {
        const build = peer.replace('ours ', '');
        times[name][build] ??= {};
        times[name][build][n] = 1e6 * minimum(samples);
      }
    }
  }
  const builds = ['simd', 'relaxed'].filter((build) => times.attention[build]);
  return builds.flatMap((build) =>
    pairs.map(({ softmax, a, linear, b, shape: given }) => {
      const [slow, fast] = [times[softmax][build], times[linear][build]];
      const ratesA = ratesOf(core, a, given, slow);
      const ratesB = ratesOf(core, b, given, fast);
      return {
        build,
        linear,
        softmax,
        measured: measuredCrossover(slow, fast),
        predicted: core.crossoverTime({ a, ratesA, b, ratesB, shape: given }),
        range: [sizes[0], sizes.at(-1)],
      };
    }),
  );
}
