// `npm run bench:peers`: our attention beside onnxruntime-web, tfjs and JavaScript loops, in headless
// Chromium, interleaved on one page; ratios and the share of the machine's multiply-add peak.
//
//   npm run bench:peers [-- --quick] [--sizes 64,256,…] [--cases attention,…] [--rounds 15]
//                       [--kernels FOLDER] [--json FILE]
//
// --quick: n = 64, two rounds, to see that all agree. --kernels: where <build>/kernels_bench.wasm are.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { isMain, main, root, Stop, seconds } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { goalsOf } from './bench-goals.mjs';
import { buildKernels, kernelsFolder } from './bench-kernels.mjs';
import { plot } from './bench-plot.mjs';
import { minimum, pairedRatio, summary } from './bench-statistics.mjs';
import { launchChromium } from './chromium.mjs';
import { table } from './table.mjs';

const page = join(root, 'tests/bench/peers');
const built = join(root, 'build/peers-page');
const peers = ['onnxruntime-web', '@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm'];
const defaultSizes = [64, 256, 512, 1024, 2048];

// The page's clock then counts in steps of 0.005 ms instead of 0.1.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Puts our kernels beside the bundled page; build name → address. */
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

/** Bundles the page, serves it and opens it in Chromium for `use(page, browser)`. */
async function withPage(use) {
  const { build, preview } = await import('vite');
  const shared = { configFile: false, root: page, logLevel: 'error' };
  await build({
    ...shared,
    mode: 'production',
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'esnext',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1e5,
    },
  });
  const server = await preview({
    ...shared,
    build: { outDir: built },
    preview: { host: '127.0.0.1', port: 4900, headers: isolation },
  });
  let browser;
  try {
    browser = await launchChromium();
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => console.log(`page: ${error.message}`));
    await tab.goto(server.resolvedUrls.local[0]);
    await tab.waitForFunction(() => globalThis.peers);
    return await use(tab, browser);
  } finally {
    await browser?.close();
    await server.close();
  }
}

const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Statistics instead of samples, and every ratio of a peer to one of our builds. */
function digest(result) {
  const contenders = result.contenders.map(({ samples, ...rest }) =>
    samples ? { ...rest, ...summary(samples) } : rest,
  );
  const timed = result.contenders.filter(({ samples }) => samples);
  const ours = timed.filter(({ peer }) => peer.startsWith('ours'));
  const ratios = [];
  for (const mine of ours) {
    for (const other of timed) {
      if (other === mine) continue;
      ratios.push({
        ours: mine.peer,
        oursVariant: mine.variant,
        peer: other.peer,
        variant: other.variant,
        ...pairedRatio(other.samples, mine.samples),
      });
    }
  }
  const peaks = result.peaks.map(({ name, multiplyAdds, samples }) => ({
    name,
    multiplyAddsPerSecond: multiplyAdds / (minimum(samples) / 1000),
  }));
  return { ...result, contenders, ratios, peaks };
}

/** Of each peer, the variant that does best against this build of ours: {peer: ratio}. */
function closest(ratios, mine) {
  const best = {};
  for (const one of ratios) {
    if (one.ours !== mine.peer || one.oursVariant !== mine.variant) continue;
    if (!best[one.peer] || one.median < best[one.peer].median) best[one.peer] = one;
  }
  return best;
}

const number = (value, digits = 2) =>
  value === undefined || value === null ? '-' : value.toFixed(digits);
const ratioText = (one) =>
  one
    ? `${number(one.median)} [${number(one.q1)}, ${number(one.q3)}] (${number(one.minToMin)})`
    : '-';

/** The rows that are judged: one a case, size and build of ours. */
function judge(results) {
  const roof = {};
  for (const { peaks } of results) {
    for (const { name, multiplyAddsPerSecond } of peaks) {
      roof[name] = Math.max(roof[name] ?? 0, multiplyAddsPerSecond);
    }
  }
  const rows = [];
  for (const { name, n, contenders, ratios, multiplyAdds } of results) {
    for (const mine of contenders.filter((one) => one.peer.startsWith('ours') && one.median)) {
      const against = closest(ratios, mine);
      const rate = multiplyAdds ? multiplyAdds / (mine.min / 1000) : undefined;
      const shares = Object.fromEntries(
        Object.entries(roof).map(([key, value]) => [key, rate && rate / value]),
      );
      const row = { case: name, n, ours: mine, against, shares };
      rows.push({ ...row, goals: goalsOf(row) });
    }
  }
  return { roof, rows };
}

function print({ roof, rows, results }) {
  const names = ['onnxruntime-web', 'tfjs', 'plain JS', 'blocked JS'];
  const head = ['case', 'n', 'build', 'median ms', 'min ms', ...Object.keys(roof), ...names];
  head.push('ours scalar', 'goals');
  const cells = rows
    .filter(({ ours }) => ours.peer !== 'ours scalar')
    .map(({ case: name, n, ours, against, shares, goals }) => [
      name,
      n,
      ours.peer.replace('ours ', ''),
      number(ours.median, 3),
      number(ours.min, 3),
      ...Object.keys(roof).map((key) => (shares[key] ? `${number(100 * shares[key], 0)} %` : '-')),
      ...[...names, 'ours scalar'].map((peer) => ratioText(against[peer])),
      goals.map(({ text }) => text).join('; ') || '-',
    ]);
  console.log(`\n${table(head, cells)}`);
  console.log(
    'ratios: peer / ours, paired median [quartiles] (min/min), of the variant that does best; shares: min to min',
  );
  const sizes = [...new Set(results.map(({ n }) => n))];
  const lines = new Map();
  for (const { name, n, contenders } of results) {
    for (const { peer, variant, maxError, rmsError, median, failure, agrees } of contenders) {
      const key = `${name}: ${peer}, ${variant}`;
      const line = lines.get(key) ?? { errors: [], squares: [], cells: {} };
      if (maxError !== undefined) line.errors.push(maxError);
      if (rmsError !== undefined) line.squares.push(rmsError);
      line.cells[n] = failure ? 'failed' : agrees ? number(median, 3) : 'WRONG';
      lines.set(key, line);
    }
  }
  const detail = [...lines].map(([key, line]) => [
    key,
    ...[line.errors, line.squares].map((all) =>
      all.length > 0 ? Math.max(...all).toExponential(1) : '-',
    ),
    ...sizes.map((n) => line.cells[n] ?? '-'),
  ]);
  const detailHead = ['contender', 'max error', 'rms', ...sizes.map((n) => `n = ${n}`)];
  console.log(`\n${table(detailHead, detail)}\nmedian milliseconds; error against float64\n`);
  printPenalties(results);
  for (const [key, value] of Object.entries(roof)) {
    console.log(`peak, ${key}: ${number((2 * value) / 1e9, 1)} GF/s`);
  }
}

/** What sharp logits and odd sizes cost each build of ours, min to min. */
function printPenalties(results) {
  const leastOf = (name, n, build) =>
    results
      .find((one) => one.name === name && one.n === n)
      ?.contenders.find(({ peer }) => peer === build)?.min;
  for (const build of ['ours simd', 'ours relaxed', 'ours scalar']) {
    const sharp = leastOf('attention_sharp', 512, build) / leastOf('attention', 512, build);
    const [odd, even] = ['attention_odd', 'attention_even'].map((name) => {
      const one = results.find((result) => result.name === name);
      return one && leastOf(name, one.n, build) / one.multiplyAdds;
    });
    if (sharp) console.log(`${build}: Q × 30 takes ${number(sharp)} of the time, n = 512`);
    if (odd / even) console.log(`${build}: odd sizes take ${number(odd / even)} a multiply-add`);
  }
}

/** Two rounds say nothing about speed. */
function printQuick({ results }) {
  const rows = results.map(({ name, n, contenders }) => {
    const errors = contenders.map(({ maxError }) => maxError ?? Number.NaN);
    const agree = contenders.filter(({ agrees }) => agrees).length;
    const worst = Math.max(...errors).toExponential(1);
    return [name, n, `${agree} of ${contenders.length}`, worst];
  });
  console.log(table(['case', 'n', 'contenders agree', 'max error'], rows));
}

function printFailures({ results }) {
  for (const { name, n, contenders } of results) {
    for (const { peer, variant, failure, agrees, maxError } of contenders) {
      const what = `${name}, n = ${n}, ${peer}, ${variant}`;
      if (failure) console.log(`failed: ${what}: ${failure.trim().slice(0, 200)}`);
      else if (!agrees) console.log(`wrong: ${what}: ${maxError}`);
    }
  }
}

/** Measures and prints; {passed, failed} counts contenders that ran and agreed with float64. */
export async function benchPeers(request = {}) {
  const { quick = false, sizes, cases, rounds, json } = request;
  const kernels = request.kernels ?? kernelsFolder;
  const started = performance.now();
  const loadBefore = loadavg()[0].toFixed(1);
  buildWasm();
  if (!request.kernels) buildKernels();
  const options = {
    quick,
    rounds: rounds ?? (quick ? 2 : 15),
    warmMilliseconds: quick ? 0 : 1000,
    slowMilliseconds: 1000,
    slowRounds: 5,
  };
  const measured = await withPage(async (tab, browser) => {
    const { isolated, userAgent } = await tab.evaluate(
      (given) => globalThis.peers.start(given),
      offerKernels(kernels),
    );
    if (!isolated) throw new Stop('the page is not cross-origin isolated: its clock is too coarse');
    const [known, sizesOf] = await tab.evaluate(() => [
      globalThis.peers.names,
      globalThis.peers.sizesOf,
    ]);
    const unknown = (cases ?? []).filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new Stop(`unknown: ${unknown.join(', ')}; cases: ${known.join(', ')}`);
    const results = [];
    for (const name of cases ?? known) {
      const mine = quick ? [64] : (sizesOf[name] ?? sizes ?? defaultSizes);
      for (const n of mine) {
        const since = performance.now();
        const call = [name, n, options];
        results.push(digest(await tab.evaluate((args) => globalThis.peers.run(...args), call)));
        if (!quick) console.log(`${name}, n = ${n} (${seconds(since)})`);
      }
    }
    return { results, browser: `Chromium ${browser.version()}`, userAgent };
  });
  const { results } = measured;
  const given = isMain(import.meta.url) ? process.argv.slice(2).join(' ') : quick ? '--quick' : '';
  const about = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${process.platform}`,
    load: `${loadBefore} before, ${loadavg()[0].toFixed(1)} after`,
    browser: measured.browser,
    date: new Date().toISOString().slice(0, 10),
    command: `npm run bench:peers${given ? ` -- ${given}` : ''}`,
    peers: peers.map((name) => `${name} ${versionOf(name)}`).join(', '),
    method: quick
      ? 'two rounds: it shows that all run and agree, not how fast'
      : `one page, one thread, d = 64; ${options.rounds} interleaved rounds, ${options.slowRounds} for calls over 1 s; a sample lasts 2 ms or more; warmed up for 1 s`,
  };
  const { roof, rows } = judge(results);
  const report = { about, roof, rows, results };
  if (quick) printQuick(report);
  else print(report);
  printFailures(report);
  for (const [key, value] of Object.entries(about)) console.log(`${key}: ${value}`);
  if (!quick || json) {
    const file = resolve(json ?? join(root, 'build/bench/peers.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
    const picture = file.replace(/(\.json)?$/, '.svg');
    writeFileSync(picture, plot(report));
    console.log(`written: ${file} and ${picture} (${seconds(started)})`);
  }
  const all = results.flatMap(({ contenders }) => contenders);
  const passed = all.filter(({ agrees, median }) => agrees && median > 0).length;
  // A peer that cannot do a size says so in the table; at n = 64 all of them can.
  const excused = quick
    ? 0
    : all.filter((one) => one.failure && !one.peer.startsWith('ours')).length;
  return { passed, failed: all.length - passed - excused };
}

/** The value after `--name`, if it is there. */
function option(name) {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return undefined;
  const value = process.argv[at + 1];
  if (!value || value.startsWith('--')) throw new Stop(`--${name} wants a value`);
  return value;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    const sizes = option('sizes')?.split(',').map(Number);
    if (sizes?.some((n) => !Number.isInteger(n) || n < 1)) throw new Stop('--sizes wants 64,256,…');
    const rounds = option('rounds');
    const { failed } = await benchPeers({
      quick: process.argv.includes('--quick'),
      sizes,
      cases: option('cases')?.split(','),
      rounds: rounds && Number(rounds),
      kernels: option('kernels'),
      json: option('json'),
    });
    if (failed > 0) throw new Stop(`${failed} contenders failed or were wrong`);
  });
}
