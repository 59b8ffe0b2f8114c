// `npm run golden`: every golden vector, by one program in C++ that is compiled natively (float32,
// float64) and to wasm (float32, both sets of kernels); and a case a topic through the wasm client.
//
//   npm run golden [-- --verbose]      ATTN_GOLDEN_DIR: another folder of vectors
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPresetAsync, buildWasmAsync } from '../../wasm/tools/build.mjs';
import { captureAsync, isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { importTypeScript, loadCore, loadFull, nodeForWasm } from './client.mjs';
import { table } from './table.mjs';

const tables = join(root, 'tests/golden/tables');
const programs = {
  native: 'build/native-release/attn_golden',
  'wasm simd': 'build/wasm-simd/attn_golden.cjs',
  'wasm relaxed': 'build/wasm-simd/attn_golden_relaxed.cjs',
};

/** Compiles the program for every build, and the modules that the client loads. */
export async function buildGolden() {
  await buildPresetAsync('native-release', ['attn_golden']);
  await buildWasmAsync(['attn_golden', 'attn_golden_relaxed']);
}

async function runProgram(build, folder) {
  const program = join(root, programs[build]);
  // A compiler without relaxed SIMD makes no relaxed build.
  if (build === 'wasm relaxed' && !existsSync(program)) return [];
  const command = program.endsWith('.cjs') ? [...nodeForWasm, program] : [program];
  const [file, ...args] = [...command, folder, tables, build];
  const { code, out, stdout } = await captureAsync(file, args);
  if (code !== 0) throw new Stop(`${out}\nthe golden runner (${build}) failed.`);
  return JSON.parse(stdout);
}

/** @returns one entry a case and build: {topic, name, build, status, detail} */
async function runAll() {
  const folder = resolve(root, process.env.ATTN_GOLDEN_DIR ?? 'tests/golden');
  if (!existsSync(folder)) throw new Stop(`${folder}: no such folder (ATTN_GOLDEN_DIR)`);
  const results = [];
  for (const build of Object.keys(programs)) results.push(...(await runProgram(build, folder)));
  const { runGolden } = await importTypeScript('tests/golden/wasm_runner.ts');
  results.push(...(await runGolden(folder, tables, { core: loadCore, full: loadFull })));
  return results;
}

/** One table: how many cases of each topic passed in each build. */
function report(results, verbose) {
  const count = (list, status) => list.filter((result) => result.status === status).length;
  const builds = [...new Set(results.map((result) => result.build))];
  const line = (label, list) => {
    const each = builds.map((build) => list.filter((result) => result.build === build));
    const missing = Math.max(0, ...each.map((ofBuild) => count(ofBuild, 'not implemented')));
    const cases = Math.max(0, ...each.map((ofBuild) => ofBuild.length));
    const passed = each.map((ofBuild) => count(ofBuild, 'passed'));
    return [label, cases, cases - missing, ...passed, count(list, 'failed'), missing];
  };
  const topics = [...new Set(results.map((result) => result.topic))];
  const rows = topics.map((topic) =>
    line(
      topic,
      results.filter((result) => result.topic === topic),
    ),
  );
  const head = ['topic: passed in', 'cases', 'ran', ...builds, 'failed', 'not implemented'];
  console.log(table(head, [...rows, line('all', results)]));
  for (const result of results) {
    const { build, topic, name, status, detail } = result;
    // A topic that has not been started is one line of the table and is not repeated here.
    const told = status === 'failed' || (status === 'not implemented' && detail !== 'topic');
    if (told && (verbose || status === 'failed')) {
      console.log(`${status}: ${build}, ${topic}/${name}: ${detail}`);
    }
  }
  return { passed: count(results, 'passed'), failed: count(results, 'failed') };
}

/** Runs, prints, and counts {passed, failed}. */
export async function golden({ verbose = false } = {}) {
  return report(await runAll(), verbose);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    await buildGolden();
    const { passed, failed } = await golden({ verbose: process.argv.includes('--verbose') });
    if (passed + failed === 0) throw new Stop('no golden case ran');
    if (failed > 0) throw new Stop(`${failed} golden checks failed`);
  });
}
