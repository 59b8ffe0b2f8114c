// `npm run golden`: every golden vector, natively (float32, float64) and through the wasm client.
//
//   npm run golden [-- --verbose]      ATTN_GOLDEN_DIR: another folder of vectors
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPreset, buildWasm } from '../../wasm/tools/build.mjs';
import { isMain, main, must, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { importTypeScript, loadCore, loadFull, wasmBuilds } from './client.mjs';
import { table } from './table.mjs';

const tables = join(root, 'tests/golden/tables');

/** @returns one entry a case and build: {topic, name, build, status, detail} */
async function runAll() {
  const folder = resolve(root, process.env.ATTN_GOLDEN_DIR ?? 'tests/golden');
  if (!existsSync(folder)) throw new Stop(`${folder}: no such folder (ATTN_GOLDEN_DIR)`);
  buildPreset('native-release', ['attn_golden']);
  buildWasm();
  const runner = join(root, 'build/native-release/attn_golden');
  const native = must(runner, [folder, tables], 'the native golden runner failed.');
  const { runGolden } = await importTypeScript('tests/golden/wasm_runner.ts');
  const results = JSON.parse(native.stdout);
  for (const build of wasmBuilds()) {
    results.push(...(await runGolden(folder, tables, build, { core: loadCore, full: loadFull })));
  }
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
    // A whole topic that nobody has begun is one line of the table, not one of these.
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
    const { passed, failed } = await golden({ verbose: process.argv.includes('--verbose') });
    if (passed + failed === 0) throw new Stop('no golden case ran');
    if (failed > 0) throw new Stop(`${failed} golden checks failed`);
  });
}
