// `npm run bench:native`: the native core beside NumPy with OpenBLAS, PyTorch and scikit-learn, where they
// are installed; one thread, one after another in every round; ratios of CPU time. Calls first, then
// steps of training (bench-native-train.mjs).
//
//   npm run bench:native [-- --quick] [--cases attention_backward,train,…] [--sizes 64,256,…] [--json FILE]
//
// --quick: two rounds, to see that all run. `train` among the cases is the steps of training.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildPreset } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, must, root, Stop } from '../../wasm/tools/process.mjs';
import { compiler, setup } from '../../wasm/tools/setup.mjs';
import { benchNativeTraining } from './bench-native-train.mjs';
import { commandLine, option, sizesOption } from './bench-options.mjs';
import { openProgram, pythonWith } from './bench-program.mjs';
import { pairedRatio, summary } from './bench-statistics.mjs';
import { table } from './table.mjs';

const defaultSizes = [64, 256, 1024];
/** The kernel machines, and the sizes of their goal. */
const machines = ['kernel_ridge', 'support_vectors'];
const machineSizes = [500, 2000];
const calls = [
  'attention',
  'attention_weights',
  'attention_causal',
  'attention_backward',
  'linear_elu',
  'linear_elu_causal',
  'linear_taylor',
  'linear_performer',
  ...machines,
];
const allCases = [...calls, 'train'];
const libraries = {
  numpy: 'python3-numpy libopenblas0',
  torch: 'python3-torch',
  sklearn: 'python3-sklearn',
};
/**
 * Ridge in float32 rounds the largest eigenvalue of the Gram matrix, some thousand times what is added to its diagonal.
 * The objectives of a support vector machine are as far apart as the tolerance of its conditions, 1e-3, lets them be.
 */
const tolerances = { kernel_ridge: 1e-2, support_vectors: 1e-2 };
const toleranceOf = (name) => tolerances[name] ?? 1e-4;
/** How far what a peer found may be from what ours found, as a part of it. */
const sameValue = 1e-3;

/** Our CPU time for one call, in milliseconds, and what a kernel machine found. */
function ours(name, n, seconds) {
  const args = [`--benchmark_filter=^${name}/${n}$`, '--benchmark_format=json', String(n)];
  args.push(`--benchmark_min_time=${seconds}`);
  const runner = join(root, 'build/native-release/attn_bench');
  const report = JSON.parse(must(runner, args, 'the native benchmark failed.').stdout);
  const [one] = report.benchmarks;
  if (!one || one.error_occurred)
    throw new Stop(`${name}/${n}: ${one?.error_message ?? 'no such'}`);
  return { milliseconds: one.cpu_time, value: one.value };
}

/** Starts native_peers.py, which answers requests; returns undefined where the library is missing. */
async function openPeer(library) {
  const python = pythonWith(`numpy, ${library}`);
  if (!python) return undefined;
  const peer = openProgram(python, [join(root, 'tests/bench/native_peers.py'), library]);
  const { about, error } = await peer.answer();
  if (error) throw new Stop(`${library}: ${error}`);
  return { library, about, ...peer };
}

/** The rounds of one case at one size: samples of our core and of every variant of every peer. */
async function rounds(peers, name, n, { count, seconds }) {
  const mine = [];
  const others = new Map();
  for (let round = 0; round < count; round += 1) {
    const { milliseconds, value } = ours(name, n, seconds);
    mine.push(milliseconds);
    for (const peer of peers) {
      const answer = await peer.ask({ case: name, n, seconds });
      for (const [variant, found] of Object.entries(answer)) {
        const key = `${peer.library}, ${variant}`;
        const apart = found.value === undefined ? 0 : Math.abs(value / found.value - 1);
        const about = { library: peer.library, variant, maxError: found.max_error, apart };
        const one = others.get(key) ?? { ...about, samples: [] };
        one.samples.push(found.milliseconds);
        others.set(key, one);
      }
    }
  }
  const compared = [...others.values()].map(({ samples, ...rest }) => ({
    ...rest,
    ...summary(samples),
    ratio: pairedRatio(samples, mine),
  }));
  return { name, n, ours: summary(mine), peers: compared };
}

/**
 * Prints the goals: attention at n = 1024 takes less time than in NumPy and PyTorch, whatever its form (issue 4), and
 * kernel machines take no more than in scikit-learn (issue 18).
 */
function printGoals(results) {
  for (const { name, n, peers } of results.filter((one) => machines.includes(one.name))) {
    for (const { variant, ratio } of peers.filter(({ library }) => library === 'sklearn')) {
      const seen = `${ratio.median.toFixed(2)}× ${ratio.median >= 1 ? 'met' : 'SHORT'}`;
      console.log(`${name}, n = ${n}: no slower than scikit-learn, ${variant}: ${seen}`);
    }
  }
  const { peers = [] } = results.find(({ name, n }) => name === 'attention' && n === 1024) ?? {};
  for (const { library, variant, ratio } of peers) {
    const seen = `${ratio.median.toFixed(2)}× ${ratio.median > 1 ? 'met' : 'SHORT'}`;
    console.log(`attention, n = 1024: faster than ${library}, ${variant}: ${seen}`);
  }
}

/** Measures and prints; {passed, failed} counts peers' variants that ran and were right. */
export async function benchNative(request = {}) {
  const { quick = false, sizes, cases = allCases, json } = request;
  const sizesOf = (name) =>
    quick ? [64] : (sizes ?? (machines.includes(name) ? machineSizes : defaultSizes));
  const unknown = cases.filter((name) => !allCases.includes(name));
  if (unknown.length > 0) throw new Stop(`no such case: ${unknown.join(', ')}`);
  buildPreset('native-release', ['attn_bench', 'attn_training_bench']);
  const peers = [];
  for (const [library, packages] of Object.entries(libraries)) {
    const peer = await openPeer(library);
    if (peer) peers.push(peer);
    else console.log(`${library} is not installed (apt-get install ${packages}): left out`);
  }
  if (peers.length === 0) {
    console.log('nothing to compare with');
    return { passed: 0, failed: 0 };
  }
  const options = quick ? { count: 2, seconds: 0.001 } : { count: 15, seconds: 0.03 };
  const results = [];
  try {
    for (const name of calls.filter((one) => cases.includes(one))) {
      for (const n of sizesOf(name)) results.push(await rounds(peers, name, n, options));
    }
  } finally {
    for (const peer of peers) peer.close();
  }
  const head = ['case', 'n', 'ours ms'];
  for (const { library } of peers) head.push(`${library} ms`, `${library} / ours`, 'fastest form');
  const rows = results.map(({ name, n, ours: mine, peers: all }) => {
    const row = [name, n, mine.median.toFixed(3)];
    for (const { library } of peers) {
      const forms = all.filter((one) => one.library === library);
      const [best] = forms.sort((a, b) => a.median - b.median);
      if (!best) {
        row.push('', '', '');
        continue;
      }
      const { median, q1, q3, minToMin } = best.ratio;
      const spread = `[${q1.toFixed(2)}, ${q3.toFixed(2)}] (${minToMin.toFixed(2)})`;
      row.push(best.median.toFixed(3), `${median.toFixed(2)} ${spread}`, best.variant);
    }
    return row;
  });
  if (rows.length > 0) console.log(table(head, rows));
  console.log('ratios: peer / ours, paired median [quartiles] (min/min)');
  const about = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${process.platform}`,
    compiler: capture(compiler(), ['--version']).out.split('\n')[0],
    peers: peers.map((peer) => peer.about).join('; '),
    date: new Date().toISOString().slice(0, 10),
    command: commandLine('bench:native', import.meta.url, quick),
    method: quick
      ? 'two rounds: it shows that all run and agree, not how fast'
      : `${options.count} rounds of ${1000 * options.seconds} ms each in turn; one thread; CPU time`,
  };
  for (const [key, value] of Object.entries(about)) console.log(`${key}: ${value}`);
  if (!quick) printGoals(results);
  const trainings = cases.includes('train')
    ? ((await benchNativeTraining({ ...options, quick })) ?? [])
    : [];
  const all = results.flatMap(({ name, n, peers: some }) =>
    some.map((one) => ({ name, n, ...one })),
  );
  const wrong = all.filter(
    ({ name, maxError, apart }) => !(maxError <= toleranceOf(name) && apart <= sameValue),
  );
  for (const { name, n, library, variant, maxError, apart } of wrong) {
    console.log(
      `wrong: ${name}, n = ${n}, ${library}, ${variant}: ${maxError}, ${apart} from ours`,
    );
  }
  const trained = trainings.flatMap(({ name, forms }) => forms.map((one) => ({ name, ...one })));
  const others = trained.filter(({ agrees }) => !agrees);
  for (const { name, form } of others) {
    console.log(`wrong: ${name}, PyTorch ${form} trains another model than ours`);
  }
  if (!quick || json) {
    const file = resolve(json ?? join(root, 'build/bench/native.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ about, results, trainings }, null, 1)}\n`);
    console.log(`written: ${file}`);
  }
  const failed = wrong.length + others.length;
  return { passed: all.length + trained.length - failed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    const { failed } = await benchNative({
      quick: process.argv.includes('--quick'),
      sizes: sizesOption(),
      cases: option('cases')?.split(','),
      json: option('json'),
    });
    if (failed > 0) throw new Stop(`${failed} peers were wrong`);
  });
}
