// `npm run bench:peers`: our attention beside onnxruntime-web, tfjs and JavaScript loops, in headless
// Chromium, interleaved on one page; ratios and the share of the machine's multiply-add peak.
//
//   npm run bench:peers [-- --quick] [--sizes 64,256,…] [--cases attention,…] [--rounds 15]
//                       [--kernels FOLDER] [--json FILE] [--without-peers] [--record] [--built]
//
// The case `train` is one training step of two small models, beside tfjs: bench-peers-train.mjs.
// --quick: n = 64, two rounds, to see that all agree. --kernels: where <build>/kernels_bench.wasm are.
// --record: all sizes, and the result goes to the page "How fast is this?".
// --built: nothing is compiled; what build/ has is measured, whatever the sources say by now.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { isMain, main, root, Stop, seconds } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { findCrossovers } from './bench-crossover.mjs';
import { buildKernels, kernelsFolder } from './bench-kernels.mjs';
import { commandLine, option, sizesOption } from './bench-options.mjs';
import { built, commit, installPeers, machine, versions, withPage } from './bench-peers-page.mjs';
import { benchTraining } from './bench-peers-train.mjs';
import { plot } from './bench-plot.mjs';
import { recordOf, textOf } from './bench-record.mjs';
import { summary } from './bench-statistics.mjs';
import { table } from './table.mjs';

const recorded = join(root, 'web/src/speed/recorded/peers.json');
const defaultSizes = [64, 256, 512, 1024, 2048];
const recordedSizes = [16, 64, 256, 512, 1024, 2048, 4096];

/** Copies our kernels beside the bundled page; returns the address for each build name. */
function offerKernels(folder) {
  const offered = {};
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = join(folder, name, 'kernels_bench.wasm');
    if (!existsSync(file)) continue;
    offered[name] = `kernels-${name}.wasm`;
    copyFileSync(file, join(built, offered[name]));
  }
  return offered;
}

const number = (value, digits = 2) =>
  value === undefined || value === null ? '-' : value.toFixed(digits);
const percent = (share) => (share ? `${number(100 * share, 0)} %` : '-');

function goalText({ against, bound, wanted, seen, met }) {
  const asked =
    bound === 'at most'
      ? `≤ ${wanted} of ${against}`
      : wanted < 1
        ? `≥ ${100 * wanted} % of ${against}`
        : `≥ ${wanted}× ${against}`;
  return `${asked} ${met ? 'met' : `SHORT (${seen})`}`;
}

/** Prints one row for each case, size and build of ours. */
function printRatios({ peaks, cases }) {
  const peers = ['onnxruntime-web', 'tfjs', 'plain JS', 'blocked JS'];
  const roofs = peaks.map(({ name }) => name);
  const head = ['case', 'n', 'build', 'median ms', 'min ms', ...roofs, ...peers, 'goals'];
  const rows = cases.flatMap(({ name, sizes, contenders, ratios, goals }) =>
    sizes.flatMap((n, i) =>
      contenders
        .filter(({ peer, median }) => /^ours (simd|relaxed)$/.test(peer) && median[i] !== null)
        .map(({ peer, median, min, share }) => {
          const build = peer.replace('ours ', '');
          const cell = (other) => {
            const one = ratios.find((ratio) => ratio.build === build && ratio.peer === other);
            if (!one || one.median[i] === null) return '-';
            const least = contenders.find((each) => each.peer === other);
            const spread = `[${number(one.q1[i])}, ${number(one.q3[i])}]`;
            return `${number(one.median[i])} ${spread} (${number(least.min[i] / min[i])})`;
          };
          const mine = goals.filter((goal) => goal.n === n && goal.build === build);
          return [
            name,
            n,
            build,
            number(median[i], 3),
            number(min[i], 3),
            ...roofs.map((roof) => percent(share?.[roof]?.[i])),
            ...peers.map(cell),
            mine.map(goalText).join('; ') || '-',
          ];
        }),
    ),
  );
  console.log(`\n${table(head, rows)}`);
  console.log(
    'ratios: peer / ours, paired median [quartiles] (min/min), of the variant that does best; shares: min to min',
  );
}

/** Prints one row for each case and variant. */
function printContenders(results) {
  const sizes = [...new Set(results.map(({ n }) => n))].sort((a, b) => a - b);
  const lines = new Map();
  for (const { name, n, contenders, float32Loop } of results) {
    const loop = { peer: 'float32 loop', variant: 'not timed', ...float32Loop, agrees: true };
    for (const one of [...contenders, loop]) {
      const { peer, variant, maxError, rmsError, samples, failure, agrees } = one;
      const key = `${name}: ${peer}, ${variant}`;
      const line = lines.get(key) ?? { errors: [], squares: [], cells: {} };
      if (maxError !== undefined) line.errors.push(maxError);
      if (rmsError !== undefined) line.squares.push(rmsError);
      const time = samples && number(summary(samples).median, 3);
      line.cells[n] = failure ? 'failed' : agrees ? (time ?? '-') : 'WRONG';
      lines.set(key, line);
    }
  }
  const rows = [...lines].map(([key, line]) => [
    key,
    ...[line.errors, line.squares].map((all) =>
      all.length > 0 ? Math.max(...all).toExponential(1) : '-',
    ),
    ...sizes.map((n) => line.cells[n] ?? '-'),
  ]);
  const head = ['contender', 'max error', 'rms', ...sizes.map((n) => `n = ${n}`)];
  console.log(`\n${table(head, rows)}\nmedian milliseconds; error against float64\n`);
}

function printRecord({ peaks, cases, crossovers }) {
  for (const { name, gigaflops } of peaks) {
    console.log(`peak, ${name}: ${number(gigaflops, 1)} GF/s`);
  }
  for (const { build, linear, softmax, measured, predicted, range } of crossovers) {
    const seen = measured ? `from n = ${measured} on` : `not within ${range.join('…')}`;
    const model = `the cost model predicts ${predicted ?? 'none'}`;
    console.log(`${build}: ${linear} is faster than ${softmax} ${seen}; ${model}`);
  }
  const goals = cases.flatMap((one) => one.goals.map((goal) => ({ case: one.name, ...goal })));
  const short = goals.filter(({ met }) => !met);
  console.log(`goals: ${goals.length - short.length} met, ${short.length} SHORT`);
  for (const goal of short) {
    const where = `${goal.case}, ${goal.n ? `n = ${goal.n}, ` : ''}${goal.build}`;
    console.log(`  ${where}: ${goalText(goal)}`);
  }
}

/** Prints only whether the contenders agree, because two rounds say nothing about speed. */
function printQuick(results) {
  const rows = results.map(({ name, n, contenders }) => {
    const errors = contenders.map(({ maxError }) => maxError ?? Number.NaN);
    const agree = contenders.filter(({ agrees }) => agrees).length;
    const worst = Math.max(...errors).toExponential(1);
    return [name, n, `${agree} of ${contenders.length}`, worst];
  });
  console.log(table(['case', 'n', 'contenders agree', 'max error'], rows));
}

function printFailures(results) {
  for (const { name, n, contenders } of results) {
    for (const { peer, variant, failure, agrees, maxError } of contenders) {
      const what = `${name}, n = ${n}, ${peer}, ${variant}`;
      if (failure) console.log(`failed: ${what}: ${failure.trim().slice(0, 200)}`);
      else if (!agrees) console.log(`wrong: ${what}: ${maxError}`);
    }
  }
}

/** Measures all cases at all sizes, and the rates that the crossovers need. */
async function measurePage(request, options) {
  const { quick, sizes, cases, kernels } = request;
  return await withPage(request.withPeers, async (tab, browser) => {
    const isolated = await tab.evaluate(
      (given) => globalThis.peers.start(given),
      offerKernels(kernels ?? kernelsFolder),
    );
    if (!isolated) throw new Stop('the page is not cross-origin isolated: its clock is too coarse');
    const [known, sizesOf] = await tab.evaluate(() => [
      globalThis.peers.names,
      globalThis.peers.sizesOf,
    ]);
    const unknown = (cases ?? []).filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw new Stop(`unknown: ${unknown.join(', ')}; cases: ${known.join(', ')}, train`);
    }
    const results = [];
    const measure = async (name, n, only) => {
      const since = performance.now();
      const call = [name, n, options, only];
      const one = await tab.evaluate((args) => globalThis.peers.run(...args), call);
      if (!quick) console.log(`${name}, n = ${n}${only ? `, ${only}` : ''} (${seconds(since)})`);
      return one;
    };
    for (const name of cases ?? known) {
      const mine = quick ? [64] : (sizesOf[name] ?? sizes ?? defaultSizes);
      for (const n of mine) results.push(await measure(name, n));
    }
    const crossovers = quick || cases ? [] : await findCrossovers(measure);
    return { results, crossovers, browser: `Chromium ${browser.version()}` };
  });
}

/**
 * Measures and prints; {passed, failed} counts contenders that ran and agreed. A record is of attention alone, and
 * without peers there is nothing to train beside.
 */
export async function benchPeers(request = {}) {
  const { withPeers = true, cases, record, json } = request;
  if (withPeers) installPeers();
  else console.log('onnxruntime-web and tfjs are left out; `npm run bench:peers` installs them');
  if (!request.built) buildWasm();
  const train = cases ? cases.includes('train') : withPeers && !record;
  if (train && !withPeers) throw new Stop('the case train compares with tfjs');
  const others = cases?.filter((name) => name !== 'train');
  const onlyTrain = others?.length === 0;
  const counts = { passed: 0, failed: 0 };
  const add = ({ passed, failed }) => {
    counts.passed += passed;
    counts.failed += failed;
  };
  if (!onlyTrain) add(await benchAttention({ ...request, withPeers, cases: others }));
  if (train) add(await benchTraining({ ...request, json: onlyTrain ? json : undefined }));
  return counts;
}

/** The cases of cases.mjs, each compared with float64. */
async function benchAttention(request) {
  const { quick = false, withPeers, rounds, json, record } = request;
  const started = performance.now();
  const before = loadavg()[0];
  if (!request.kernels && !request.built) buildKernels();
  const options = {
    rounds: rounds ?? (quick ? 2 : 15),
    warmMilliseconds: quick ? 0 : 1000,
    slowMilliseconds: 1000,
    slowRounds: 5,
  };
  const { results, crossovers, browser } = await measurePage({ ...request, withPeers }, options);
  const about = {
    machine: machine({ before, after: loadavg()[0] }),
    browser,
    date: new Date().toISOString().slice(0, 10),
    command: commandLine('bench:peers', import.meta.url, quick),
    commit: commit(),
    peers: withPeers ? versions() : {},
    rounds: options.rounds,
    method: quick
      ? 'Two rounds: it shows that all run and agree, not how fast.'
      : `One page, one thread, d = 64; ${options.rounds} interleaved rounds, ${options.slowRounds} for calls over 1 s; a sample lasts 2 ms or more; warmed up for 1 s.`,
  };
  const report = recordOf(results, about, crossovers);
  if (quick) printQuick(results);
  else {
    printRatios(report);
    printContenders(results);
    printRecord(report);
  }
  printFailures(results);
  for (const [key, value] of Object.entries(about)) {
    console.log(`${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  }
  if (!quick || json) {
    const file = resolve(json ?? join(root, 'build/bench/peers.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, textOf(report));
    const picture = file.replace(/(\.json)?$/, '.svg');
    writeFileSync(picture, plot(report));
    console.log(`written: ${file} and ${picture} (${seconds(started)})`);
    if (record) keep(file);
  }
  const all = results.flatMap(({ contenders }) => contenders);
  const passed = all.filter(({ agrees, samples }) => agrees && samples).length;
  // A peer that cannot run a size is noted in the table; at n = 64 every peer can run.
  const excused = quick
    ? 0
    : all.filter((one) => one.failure && !one.peer.startsWith('ours')).length;
  return { passed, failed: all.length - passed - excused };
}

/** Stores the record where the page "How fast is this?" reads it. */
function keep(file) {
  mkdirSync(dirname(recorded), { recursive: true });
  copyFileSync(file, recorded);
  console.log(`recorded: ${recorded} (${statSync(recorded).size} bytes)`);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    const record = process.argv.includes('--record');
    const sizes = sizesOption() ?? (record ? recordedSizes : undefined);
    const rounds = option('rounds');
    const { failed } = await benchPeers({
      quick: process.argv.includes('--quick'),
      sizes,
      cases: option('cases')?.split(','),
      rounds: rounds && Number(rounds),
      kernels: option('kernels'),
      json: option('json'),
      withPeers: !process.argv.includes('--without-peers'),
      record,
      built: process.argv.includes('--built'),
    });
    if (failed > 0) throw new Stop(`${failed} contenders failed or were wrong`);
  });
}
