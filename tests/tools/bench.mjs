// `npm run bench`: the same cases natively and over WebAssembly, medians in milliseconds.
//
//   npm run bench [-- --quick] [--json FILE]      --quick: each case about once, to see it run
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPreset, buildWasm } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, must, root, Stop, which } from '../../wasm/tools/process.mjs';
import { compiler, emscripten, setup } from '../../wasm/tools/setup.mjs';
import { importTypeScript, loadFull, wasmBuilds } from './client.mjs';
import { table } from './table.mjs';

const sizes = [64, 256, 1024];
const firstLine = (text) => text.trim().split('\n')[0];

function native(quick) {
  const args = ['--benchmark_format=json'];
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

/** Prints the table; {passed, failed} counts cases that ran. */
export async function bench({ quick = false, json } = {}) {
  buildPreset('native-release', ['attn_bench']);
  buildWasm();
  const { runBench } = await importTypeScript('tests/bench/wasm_bench.ts');
  const builds = { native: native(quick) };
  for (const build of wasmBuilds()) {
    builds[build] = await runBench(await loadFull(build), sizes, quick ? 0 : 1000);
  }
  const emcc = which('emcc') ?? join(emscripten(), 'emcc');
  const about = {
    machine: `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${process.platform}`,
    native: firstLine(capture(compiler(), ['--version']).out),
    wasm: `${firstLine(capture(emcc, ['--version']).out)}; Node ${process.version}`,
    command: `npm run bench${quick ? ' -- --quick' : ''}`,
    method: quick
      ? 'each case about once: it shows that they run, not how fast'
      : 'median of 9 runs of 0.2 s natively; median call of 1 s in wasm; d = 64; milliseconds',
  };
  const names = [...new Set(Object.values(builds).flatMap(Object.keys))];
  const cell = (value) => (value === undefined ? 'missing' : value.toFixed(3));
  const rows = names.map((name) => {
    const [a, b, c] = Object.values(builds).map((medians) => medians[name]);
    return [name, cell(a), cell(b), cell(c), cell(b / a), cell(c / b)];
  });
  const head = ['case', 'native', 'wasm simd', 'wasm scalar', 'simd/native', 'scalar/simd'];
  console.log(table(head, rows));
  for (const [key, value] of Object.entries(about)) console.log(`${key}: ${value}`);
  if (json)
    writeFileSync(resolve(json), `${JSON.stringify({ about, medians: builds }, null, 2)}\n`);
  const good = (medians) => names.filter((name) => medians[name] > 0).length;
  const passed = Object.values(builds).reduce((sum, medians) => sum + good(medians), 0);
  return { passed, failed: names.length * 3 - passed };
}

/** Every benchmark about once, those against peers too; {passed, failed}. */
export async function benchSuite() {
  const { benchPeers } = await import('./bench-peers.mjs');
  const { benchNative } = await import('./bench-native.mjs');
  let passed = 0;
  let failed = 0;
  for (const run of [bench, benchPeers, benchNative]) {
    const counts = await run({ quick: true });
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    const args = process.argv.slice(2);
    const at = args.indexOf('--json');
    if (at >= 0 && !args[at + 1]) throw new Stop('--json wants a file name');
    const json = at >= 0 ? args[at + 1] : undefined;
    const { failed } = await bench({ quick: args.includes('--quick'), json });
    if (failed > 0) throw new Stop(`${failed} benchmarks did not run`);
  });
}
