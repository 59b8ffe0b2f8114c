// The speed goals of issue 4 for each case, and whether a run meets them.

const ort = 'onnxruntime-web';
const both = [ort, 'tfjs'];

/**
 * `wanted` says how many times faster than each of `against` a build should be, with one number for each n where it
 * varies.
 */
const faster = (against, simd, relaxed, more) => ({ against, wanted: { simd, relaxed }, ...more });
const ratios = {
  attention: [faster(both, 1.15, 1.9), faster(['plain JS'], 20, 33)],
  attention_weights: [faster(both, 1.25, 2)],
  attention_causal: [faster(both, 2.2, 3.5)],
  linear_elu: [faster(both, 1.7, 2.4)],
  linear_elu_causal: [
    faster(both, { 256: 4.5, 1024: 12, 2048: 24 }, { 256: 6, 1024: 18, 2048: 36 }),
  ],
  linear_taylor: [faster(both, 3, 4)],
  linear_performer: [faster(both, 1.4, 2.1)],
  attention_call: [faster([ort], { 32: 2.5, 64: 1.6 }, { 32: 2.5, 64: 1.6 }, { anySize: true })],
};
const builds = ['simd', 'relaxed'];
const peakShares = { simd: ['mul+add', 0.9], relaxed: ['FMA', 0.75] };
const sharp = 1.2;
const odd = 1.15;

const asked = ({ anySize }, n) => anySize || (n >= 256 && n <= 2048);

function atLeast(where, against, wanted, seen) {
  if (wanted === undefined || seen === undefined || seen === null) return [];
  return [{ ...where, against, bound: 'at least', wanted, seen, met: seen >= wanted }];
}

function atMost(where, against, wanted, seen) {
  if (!Number.isFinite(seen)) return [];
  return [{ ...where, against, bound: 'at most', wanted, seen, met: seen <= wanted }];
}

/** The goals of one case at one size and build. */
function goalsAt(one, i, build, find) {
  const n = one.sizes[i];
  const where = { n, build };
  const mine = one.contenders.find(({ peer }) => peer === `ours ${build}`);
  if (!mine || mine.median[i] === null) return [];
  const found = [];
  for (const goal of (ratios[one.name] ?? []).filter((each) => asked(each, n))) {
    const given = goal.wanted[build];
    const seen = one.ratios
      .filter((ratio) => ratio.build === build && goal.against.includes(ratio.peer))
      .map(({ median }) => median[i])
      .filter((ratio) => ratio !== null);
    const wanted = typeof given === 'object' ? given[n] : given;
    const least = seen.length > 0 ? Math.min(...seen) : undefined;
    found.push(...atLeast(where, goal.against.join(' and '), wanted, least));
  }
  if (one.name === 'gemm' && asked({}, n)) {
    const [peak, wanted] = peakShares[build];
    found.push(...atLeast(where, peak, wanted, mine.share?.[peak]?.[i]));
  }
  if (one.name === 'attention_sharp') {
    found.push(...atMost(where, 'Q × 1', sharp, mine.min[i] / find('attention', build, n)?.min));
  }
  if (one.name === 'attention_odd') {
    const even = find('attention_even', build);
    const cost = mine.min[i] / one.multiplyAdds[i];
    found.push(...atMost(where, 'round sizes', odd, cost / (even?.min / even?.multiplyAdds)));
  }
  return found;
}

/** The goals of one case of a record, among all its cases. */
export function goalsOf(one, cases) {
  const find = (name, build, n) => {
    const other = cases.find((each) => each.name === name);
    const i = n === undefined ? 0 : (other?.sizes.indexOf(n) ?? -1);
    const mine = other?.contenders.find(({ peer }) => peer === `ours ${build}`);
    return mine && i >= 0 ? { min: mine.min[i], multiplyAdds: other.multiplyAdds[i] } : undefined;
  };
  const accuracy = (build, key) => {
    const mine = one.contenders.find(({ peer }) => peer === `ours ${build}`);
    const seen = mine?.error?.[key] / one.float32Loop?.[key];
    return atMost({ n: null, build }, `float32 loop, ${key}`, 1, seen);
  };
  return [
    ...one.sizes.flatMap((_, i) => builds.flatMap((build) => goalsAt(one, i, build, find))),
    ...builds.flatMap((build) => [...accuracy(build, 'max'), ...accuracy(build, 'rms')]),
  ];
}
