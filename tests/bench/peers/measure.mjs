// Interleaved measurement: in every round each contender runs one batch, in another order.

/** One sample lasts at least this long: the clock counts in 0.005 ms steps. */
const sampleMilliseconds = 2;

async function batch(run, times) {
  const start = performance.now();
  for (let i = 0; i < times; i += 1) {
    const pending = run();
    if (pending) await pending;
  }
  return performance.now() - start;
}

/** Runs for `milliseconds`, and once at least: V8 takes up optimised code only between calls. */
export async function warmUp(run, milliseconds) {
  const end = performance.now() + milliseconds;
  do await batch(run, 1);
  while (performance.now() < end);
}

/** How many calls make one sample. */
async function calibrate(run) {
  for (let times = 1; ; ) {
    const took = await batch(run, times);
    if (took >= sampleMilliseconds) return { times, milliseconds: took / times };
    times = Math.ceil(times * Math.min(8, 1.3 * (sampleMilliseconds / Math.max(took, 0.01))));
  }
}

/** Numbers 0 … count − 1 in an order that the round decides. */
function shuffled(count, round) {
  const order = Array.from({ length: count }, (_, i) => i);
  let state = (round + 1) * 0x9e3779b1;
  for (let i = count - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * Milliseconds a call of each runner, round by round; null in rounds that a slow one sits out.
 * @param runners functions that may return a promise
 * @returns one {samples, times} a runner
 */
export async function measure(runners, { rounds, slowMilliseconds, slowRounds }) {
  const all = [];
  for (const run of runners) {
    const { times, milliseconds } = await calibrate(run);
    const mine = milliseconds > slowMilliseconds ? Math.min(slowRounds, rounds) : rounds;
    all.push({ run, times, every: rounds / mine, samples: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const i of shuffled(all.length, round)) {
      const one = all[i];
      const due = Math.floor((round + 1) / one.every) > Math.floor(round / one.every);
      one.samples[round] = due ? (await batch(one.run, one.times)) / one.times : null;
    }
  }
  return all.map(({ samples, times }) => ({ samples, times }));
}
