// `npm test [-- suite …]`: sets up what is missing, runs every suite, counts every case.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildPreset, buildWasm } from '../../wasm/tools/build.mjs';
import { capture, main, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { relaxedFlags, wasmBuilds } from './client.mjs';
import { table } from './table.mjs';

/** Counts from doctest's summary line; shows the run when anything is wrong with it. */
function doctestCounts({ code, out }) {
  const line = /test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed/.exec(out);
  const passed = Number(line?.[2] ?? 0);
  const failed = Number(line?.[3] ?? 0);
  if (code !== 0 || !line) console.log(out.trimEnd());
  // A crash or a sanitizer's report ends the program without a failed case.
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

function doctest(preset, target = 'attn_tests') {
  buildPreset(preset, [target]);
  const program = join(root, 'build', preset, target);
  if (!preset.startsWith('wasm')) return doctestCounts(capture(program, ['--no-colors=true']));
  // emscripten 3.1.6 takes fetch where it finds it, and Node's cannot read files; Node 24 has no
  // flag to hide it any more, so it is deleted before the program starts.
  const hideFetch = ['--import', 'data:text/javascript,delete globalThis.fetch'];
  return doctestCounts(
    capture(process.execPath, [
      ...relaxedFlags,
      ...hideFetch,
      `${program}.cjs`,
      '--no-colors=true',
    ]),
  );
}

/** The suite on the relaxed kernels, where the compiler can make them. */
function relaxedDoctest() {
  buildPreset('wasm-simd', ['core_relaxed']);
  if (wasmBuilds().includes('relaxed')) return doctest('wasm-simd', 'attn_tests_relaxed');
  return { passed: 0, failed: 0, leftOut: 'left out: this Emscripten has no relaxed SIMD' };
}

/** Counts from vitest's JSON report. */
function vitest(name, args) {
  const report = join(root, 'build', `vitest-${name}.json`);
  mkdirSync(join(root, 'build'), { recursive: true });
  rmSync(report, { force: true });
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const done = capture(
    process.execPath,
    [program, 'run', '--config', 'tests/vitest.config.ts', ...args, ...reporters],
    {
      env: { NO_COLOR: '1' },
    },
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = counts;
  if (done.code !== 0 || failed > 0) console.log(done.out.trimEnd());
  const again = done.out.split('\n').filter((line) => /✓.*\(retry x/.test(line));
  if (again.length > 0) console.log(`at a second try only:\n${again.join('\n')}`);
  // A file that does not load, or an error outside of any test, has no failed case of its own.
  return { passed, failed: done.code !== 0 && failed === 0 ? 1 : failed };
}

const hasTests = (folder) =>
  existsSync(join(root, folder)) &&
  readdirSync(join(root, folder), { recursive: true }).some((name) => /\.test\.ts$/.test(name));

const suites = {
  lint: async () => (await import('./lint.mjs')).lint(),
  'native-debug': () => doctest('native-debug'),
  'native-release': () => doctest('native-release'),
  'wasm-simd': () => doctest('wasm-simd'),
  'wasm-relaxed': relaxedDoctest,
  'wasm-scalar': () => doctest('wasm-scalar'),
  golden: async () => (await import('./golden.mjs')).golden(),
  vitest: () => {
    buildWasm();
    return vitest('unit', ['tests/wasm', 'tests/web', 'tests/numpy']);
  },
  exercises: async () => {
    buildWasm();
    return (await import('./exercises.mjs')).exercises();
  },
  bench: async () => (await import('./bench.mjs')).benchSuite(),
  e2e: async () => {
    buildWasm();
    (await import('../../web/tools/build.mjs')).buildSite();
    if (!hasTests('tests/e2e')) return { passed: 0, failed: 0 };
    // One at a time: they measure how fast the page answers. A second try for what a busy machine
    // did to a browser; `vitest` lists the tests that needed it.
    const patience = ['--testTimeout=180000', '--retry=1'];
    return vitest('e2e', ['tests/e2e', '--no-file-parallelism', ...patience]);
  },
  size: async () => (await import('./size.mjs')).size(),
};

async function runSuite(name) {
  const started = performance.now();
  console.log(`\n== ${name} ==`);
  let counts;
  try {
    counts = await suites[name]();
    if (counts.leftOut) {
      console.log(counts.leftOut);
    } else if (counts.passed + counts.failed === 0) {
      console.log('no test ran: that is a failure');
      counts = { passed: 0, failed: 1 };
    }
  } catch (error) {
    console.log(error instanceof Stop ? error.message : error);
    counts = { passed: 0, failed: 1 };
  }
  const time = (performance.now() - started) / 1000;
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed in ${time.toFixed(1)} s`);
  return { name, ...counts, time };
}

await main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    throw new Stop(`unknown: ${unknown.join(', ')}; suites: ${Object.keys(suites).join(', ')}`);
  }
  setup('test');
  console.log(`Node ${process.version}, ${availableParallelism()} cores`);
  const results = [];
  for (const name of Object.keys(suites)) {
    if (wanted.length === 0 || wanted.includes(name)) results.push(await runSuite(name));
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const rows = results.map(({ name, passed, failed, time }) => [
    name,
    passed,
    failed,
    time.toFixed(1),
  ]);
  rows.push(['all', sum('passed'), sum('failed'), sum('time').toFixed(1)]);
  console.log(`\n${table(['suite', 'passed', 'failed', 'seconds'], rows)}\n`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  if (sum('failed') > 0) process.exitCode = 1;
});
