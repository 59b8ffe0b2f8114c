// The judge of the exercises with everything it needs, for scripts under Node.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { root } from '../../wasm/tools/process.mjs';
import { importTypeScript, loadFull } from './client.mjs';
import { loadPythonParts } from './python-parts.mjs';

const arraysWasm = join(root, 'build/wasm/simd/arrays.wasm');

/**
 * Opens `{ judge, tools, close }`: the judge's TypeScript, what `grade` needs, and a function that ends the core's
 * worker. `warm` uses one interpreter for all runs, which is allowed for our own code only.
 */
export async function openJudge({ warm = false } = {}) {
  // `npm test` rebuilds what has changed. Here the module is built only when it is missing, so that Run stays fast.
  if (!existsSync(arraysWasm)) buildWasm();
  const judge = await importTypeScript('tests/judge/exports.ts');
  const module = await WebAssembly.compile(readFileSync(arraysWasm));
  const arrays = await judge.Arrays.load(module);
  const core = judge.createClient({
    module: 'full',
    build: 'simd',
    makeWorker: () => judge.fullWorker(loadFull),
    warmUp: false,
  });
  const run = judge.createNodeRunner({
    makeArrays: () => judge.Arrays.load(module),
    python: loadPythonParts,
    warm,
  });
  const tools = { core, arrays, random: judge.randomOf(arrays), run };
  return { judge, tools, close: () => core.dispose() };
}
