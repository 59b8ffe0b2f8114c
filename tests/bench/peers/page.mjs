// The page: everything is loaded once, then the tool asks for one case and size after another.
import { cases } from './cases.mjs';
import { exact, float32 } from './exact.mjs';
import { measure, warmUp } from './measure.mjs';
import * as ours from './ours.mjs';
import { peaks } from './peak.mjs';
import * as plain from './plain.mjs';

/** Of the largest true entry, or of 1: products of 64 terms, and exponentials, in float32. */
const tolerance = 1e-5;

// The bundler puts a constant for WITH_PEERS: without them it does not look for their packages.
const libraries = WITH_PEERS ? [await import('./ort.mjs'), await import('./tfjs.mjs')] : [];
const parties = [ours, ...libraries, plain];
const training = WITH_PEERS ? await import('./train.mjs') : undefined;
let roofs = [];
const warm = new Set();

/** Loads all; says whether the clock is fine. `kernels`: build name → address of our kernels. */
async function start(kernels) {
  for (const party of parties) await party.start?.(kernels);
  roofs = await peaks();
  return crossOriginIsolated;
}

/** Loads what trains: our modules and tfjs. */
async function startTraining() {
  await ours.start({});
  await libraries.at(-1).start();
  return crossOriginIsolated;
}

/** Largest absolute and root mean square error over all results, and the largest true entry. */
function compare(results, truth) {
  let largest = 0;
  let squares = 0;
  let count = 0;
  let magnitude = 0;
  if (results.length !== truth.length) throw new Error(`${results.length} results`);
  truth.forEach((wanted, which) => {
    const seen = results[which];
    if (seen.length !== wanted.length) {
      throw new Error(`result ${which} has ${seen.length} entries, not ${wanted.length}`);
    }
    for (let i = 0; i < wanted.length; i += 1) {
      const error = Math.abs(seen[i] - wanted[i]);
      // Written so that a NaN is seen, and stays.
      if (!(error <= largest) && !Number.isNaN(largest)) largest = error;
      squares += error * error;
      magnitude = Math.max(magnitude, Math.abs(wanted[i]));
    }
    count += wanted.length;
  });
  return { maxError: largest, rmsError: Math.sqrt(squares / count), magnitude };
}

/**
 * One case at one size: every contender is checked against float64, warmed up and measured beside
 * the others and the roof.
 */
async function run(name, n, options, only) {
  const one = cases[name];
  const inputs = one.inputs(n);
  const truth = one.results(inputs, exact);
  const sizes = truth.map(({ length }) => length);
  const found = [];
  for (const party of only === 'ours' ? [ours] : parties) {
    for (const { peer, variant, prepare, fits } of party.contenders(name)) {
      if (fits && !fits(n)) continue;
      const entry = { peer, variant };
      found.push(entry);
      try {
        entry.work = await prepare(inputs, sizes);
        await entry.work.run();
        Object.assign(entry, compare(await entry.work.result(), truth));
        entry.agrees =
          entry.maxError <= (one.tolerance ?? tolerance) * Math.max(1, entry.magnitude);
      } catch (error) {
        entry.failure = error instanceof Error ? error.message : String(error);
      }
    }
  }
  const ready = found.filter((entry) => entry.agrees);
  for (const { peer, variant, work } of ready) {
    const key = `${name} ${peer} ${variant}`;
    const milliseconds = warm.has(key) ? options.warmMilliseconds / 4 : options.warmMilliseconds;
    warm.add(key);
    await warmUp(work.run, milliseconds);
  }
  const runners = [...ready.map(({ work }) => work.run), ...roofs.map((roof) => roof.run)];
  const measured = await measure(runners, options);
  ready.forEach((entry, i) => {
    Object.assign(entry, measured[i]);
  });
  const peakSamples = roofs.map(({ name: roof, multiplyAdds }, i) => ({
    name: roof,
    multiplyAdds,
    ...measured[ready.length + i],
  }));
  for (const { work } of found) await work?.dispose();
  return {
    name,
    title: one.title,
    n,
    multiplyAdds: one.multiplyAdds?.(n) ?? null,
    float32Loop: compare(one.results(inputs, float32), truth),
    contenders: found.map(({ work, ...rest }) => rest),
    peaks: peakSamples,
  };
}

const sizesOf = Object.fromEntries(Object.entries(cases).map(([name, { sizes }]) => [name, sizes]));
globalThis.peers = {
  ...{ start, run, names: Object.keys(cases), sizesOf },
  ...{ startTraining, train: training?.run, trainings: training?.names },
};
