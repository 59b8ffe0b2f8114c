// The case `train` of `npm run bench:peers`: one training step of two small models, ours beside tfjs on wasm.
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { root, Stop, seconds } from '../../wasm/tools/process.mjs';
import { commandLine } from './bench-options.mjs';
import { commit, machine, versions, withPage } from './bench-peers-page.mjs';
import { pairedRatio, summary } from './bench-statistics.mjs';
import { table } from './table.mjs';

/** Issue 16, point 7: how many times faster than tfjs's own differentiation a build should be. */
const wanted = { simd: 12, relaxed: 15 };
const goalAgainst = 'tf.variableGrads';

const fixed = (value, digits = 2) => (value === undefined ? '-' : value.toFixed(digits));

function mismatches(results) {
  return results.flatMap(({ name, contenders }) =>
    contenders
      .filter(({ agrees }) => !agrees)
      .map(
        ({ peer, variant, lossDifference, normDifference }) =>
          `${name}: ${peer}, ${variant} trains another model than ours: losses differ by ${lossDifference}, norms of gradients by ${normDifference}`,
      ),
  );
}

/** One row for each contender: whether it trains the same model. */
function printAgreement(results) {
  const rows = results.flatMap(({ name, contenders }) =>
    contenders.map((one) => [
      `${name}: ${one.peer}, ${one.variant}`,
      ...[one.first, one.last].map((loss) => fixed(loss, 5)),
      ...[one.firstDifference, one.lossDifference, one.normDifference].map((x) =>
        x.toExponential(1),
      ),
      one.agrees ? 'yes' : 'NO',
    ]),
  );
  const head = ['contender', 'first loss', 'last', 'first apart', 'all apart', 'norms apart'];
  console.log(`\n${table([...head, 'agrees'], rows)}`);
  const [{ agreeing, tolerances }] = results;
  console.log(
    `the same parameters, batches and updates for ${agreeing} steps; allowed: losses ${tolerances.loss} nats apart, norms of the first gradients ${tolerances.norm} of their size`,
  );
  for (const { title, parameters } of results) console.log(`${title}: ${parameters} parameters`);
}

/** Statistics of one model: ours, and each form of tfjs beside each build of ours. */
function statisticsOf({ contenders, ...about }) {
  const timed = contenders.filter(({ samples }) => samples);
  const peers = timed.filter(({ peer }) => peer === 'tfjs');
  const ratios = timed
    .filter(({ peer }) => peer.startsWith('ours'))
    .flatMap((mine) =>
      peers.map((other) => {
        const build = mine.peer.replace('ours ', '');
        const ratio = pairedRatio(other.samples, mine.samples);
        const goal = other.variant === goalAgainst ? wanted[build] : undefined;
        return { build, variant: other.variant, ...ratio, wanted: goal };
      }),
    );
  return {
    ...about,
    contenders: contenders.map(({ samples, times, ...one }) => ({
      ...one,
      ...(samples && summary(samples)),
    })),
    ratios,
  };
}

function goalText({ wanted: goal, median }) {
  if (goal === undefined) return '-';
  return `≥ ${goal}× ${median >= goal ? 'met' : 'SHORT'}`;
}

function printTimes(all) {
  const rows = all.flatMap(({ name, contenders, ratios }) => {
    const of = (peer, variant) =>
      contenders.find((one) => one.peer === peer && (!variant || one.variant === variant));
    return ratios.map((one) => [
      name,
      one.build,
      fixed(of(`ours ${one.build}`).median, 3),
      one.variant,
      fixed(of('tfjs', one.variant).median, 1),
      `${fixed(one.median, 1)} [${fixed(one.q1, 1)}, ${fixed(one.q3, 1)}]`,
      fixed(one.minToMin, 1),
      goalText(one),
    ]);
  });
  const head = ['model', 'ours', 'ms', 'tfjs with', 'ms', 'tfjs / ours', 'min/min', 'wanted'];
  console.log(`\n${table(head, rows)}`);
  console.log('medians of a step; ratios: paired median [quartiles]');
}

/** Measures and prints; {passed, failed} counts contenders that trained the same model. */
export async function benchTraining({ quick = false, rounds, json } = {}) {
  const started = performance.now();
  const before = loadavg()[0];
  const options = {
    rounds: rounds ?? (quick ? 2 : 15),
    warmMilliseconds: quick ? 0 : 1000,
    slowMilliseconds: 1000,
    slowRounds: 5,
  };
  const { results, browser } = await withPage(true, async (tab, chromium) => {
    if (!(await tab.evaluate(() => globalThis.peers.startTraining()))) {
      throw new Stop('the page is not cross-origin isolated: its clock is too coarse');
    }
    const measured = [];
    for (const name of await tab.evaluate(() => globalThis.peers.trainings)) {
      const since = performance.now();
      const call = [name, options];
      measured.push(await tab.evaluate((args) => globalThis.peers.train(...args), call));
      if (!quick) console.log(`train, ${name} (${seconds(since)})`);
    }
    return { results: measured, browser: `Chromium ${chromium.version()}` };
  });
  const about = {
    machine: machine({ before, after: loadavg()[0] }),
    browser,
    date: new Date().toISOString().slice(0, 10),
    command: commandLine('bench:peers', new URL('bench-peers.mjs', import.meta.url).href, quick),
    commit: commit(),
    peers: versions(),
    rounds: options.rounds,
    method: quick
      ? 'Two rounds: it shows that all train the same model, not how fast.'
      : `One page, one thread; a step is forward, backward and AdamW; ${options.rounds} interleaved rounds; a sample lasts 2 ms or more; warmed up for 1 s. Ours draws its batch in the step, finds accuracy and norm, and works in the page's slices; tfjs is given batches drawn before.`,
  };
  printAgreement(results);
  const statistics = results.map(statisticsOf);
  if (!quick) {
    printTimes(statistics);
    for (const [key, value] of Object.entries(about)) {
      console.log(`${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
    }
    const file = resolve(json ?? join(root, 'build/bench/peers-train.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ about, trainings: statistics }, null, 1)}\n`);
    console.log(`written: ${file} (${seconds(started)})`);
  }
  const wrong = mismatches(results);
  for (const line of wrong) console.log(`wrong: ${line}`);
  const count = results.reduce((sum, { contenders }) => sum + contenders.length, 0);
  return { passed: count - wrong.length, failed: wrong.length };
}
