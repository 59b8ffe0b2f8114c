// `npm run bench`: the same cases natively and over WebAssembly, medians in milliseconds: calls of the
// core, then its kernels alone, interleaved.
//
//   npm run bench [-- --quick] [--sizes 64,256,…] [--kernels] [--json FILE]
//
// --quick: each case about once, to see it run. --kernels: the kernels only.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPreset, buildWasm } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, must, root, Stop, which } from '../../wasm/tools/process.mjs';
import { compiler, emscripten, setup } from '../../wasm/tools/setup.mjs';
import { measureLanes, printLanes } from './bench-lanes.mjs';
import { commandLine, option, sizesOption } from './bench-options.mjs';
import { importTypeScript, loadFull, wasmBuilds } from './client.mjs';
import { table } from './table.mjs';

const defaultSizes = [64, 256, 1024];
const firstLine = (text) => text.trim().split('\n')[0];

function native(sizes, quick) {
  const args = [sizes.join(','), '--benchmark_format=json'];
  args.push(...(quick ? ['--benchmark_min_time=0.001'] : ['--benchmark_min_time=0.2']));
  args.push(`--benchmark_repetitions=${quick ? 1 : 9}`);
  const runner = join(root, 'build/native-release/attn_bench');
  const report = JSON.parse(must(runner, args, 'the native benchmark failed.').stdout);
  const medians = {};
  for (const one of report.benchmarks) {
    if (one.error_occurred) throw new Stop(`${one.name}: ${one.error_message}`);
    if (quick || one.aggregate_name === 'median') medians[one.run_name] = one.real_time;
  }
  return medians;
}

/** Prints the table. {passed, failed} counts the cases that ran everywhere. */
async function benchCalls(sizes, quick) {
  buildPreset('native-release', ['attn_bench']);
  buildWasm();
  const { runBench } = await importTypeScript('tests/bench/wasm_bench.ts');
  const medians = { native: native(sizes, quick) };
  const builds = wasmBuilds();
  for (const build of builds) {
    medians[build] = await runBench(await loadFull(build), sizes, quick ? 0 : 1000);
  }
  const names = [...new Set(Object.values(medians).flatMap(Object.keys))];
  const cell = (value) => (value === undefined ? 'missing' : value.toFixed(3));
  const rows = names.map((name) => {
    const times = Object.values(medians).map((one) => one[name]);
    const { native: core, simd } = medians;
    return [name, ...times.map(cell), cell(simd[name] / core[name])];
  });
  const head = ['call', 'native', ...builds.map((build) => `wasm ${build}`)];
  console.log(table([...head, 'simd/native'], rows));
  console.log('median milliseconds; native: the widest instruction set of this machine');
  const good = (one) => names.filter((name) => one[name] > 0).length;
  const passed = Object.values(medians).reduce((sum, one) => sum + good(one), 0);
  return { medians, passed, failed: names.length * Object.keys(medians).length - passed };
}

/** Measures and prints; {passed, failed} counts cases that ran. */
export async function bench(request = {}) {
  const { quick = false, kernels: only = false, json } = request;
  const sizes = request.sizes ?? (quick ? [64] : defaultSizes);
  const calls = only ? { passed: 0, failed: 0 } : await benchCalls(sizes, quick);
  const rounds = quick ? 2 : 15;
  const lanes = await measureLanes({ sizes, rounds, warmMilliseconds: quick ? 0 : 200 });
  console.log('');
  printLanes(lanes, quick);
  const emcc = which('emcc') ?? join(emscripten(), 'emcc');
  const about = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${process.platform}`,
    native: firstLine(capture(compiler(), ['--version']).out),
    wasm: `${firstLine(capture(emcc, ['--version']).out)}; Node ${process.version}`,
    command: commandLine('bench', import.meta.url, quick),
    method: quick
      ? 'each case about once: it shows that they run, not how fast'
      : `calls: median of 9 runs of 0.2 s natively, median call of 1 s in wasm; kernels: ${rounds} interleaved rounds; d = 64`,
  };
  for (const [key, value] of Object.entries(about)) console.log(`${key}: ${value}`);
  if (json) {
    const report = { about, medians: calls.medians, kernels: lanes };
    writeFileSync(resolve(json), `${JSON.stringify(report, null, 2)}\n`);
  }
  const { passed, failed } = calls;
  return { passed: passed + lanes.length, failed };
}

/** Runs every benchmark about once, including those against peers; {passed, failed}. */
export async function benchSuite() {
  const { benchPeers } = await import('./bench-peers.mjs');
  const { peersInstalled } = await import('./bench-peers-page.mjs');
  const { benchNative } = await import('./bench-native.mjs');
  let passed = 0;
  let failed = 0;
  // Benchmarks whose libraries are not installed here are skipped with a note.
  for (const run of [bench, benchPeers, benchNative]) {
    const counts = await run({ quick: true, withPeers: peersInstalled() });
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    const { failed } = await bench({
      quick: process.argv.includes('--quick'),
      kernels: process.argv.includes('--kernels'),
      sizes: sizesOption(),
      json: option('json'),
    });
    if (failed > 0) throw new Stop(`${failed} benchmarks did not run`);
  });
}
