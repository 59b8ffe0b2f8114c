// Compiles the kernels with tests/bench/kernels.cpp alone, for each kind of WebAssembly and as they
// ship: build/kernels/{simd,relaxed}/kernels_bench.wasm.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { must, root, seconds, which } from '../../wasm/tools/process.mjs';
import { standardiseFile } from '../../wasm/tools/relaxed.mjs';
import { emscripten } from '../../wasm/tools/setup.mjs';

const sources = join(root, 'core/src/simd');
const main = join(root, 'tests/bench/kernels.cpp');
export const kernelsFolder = join(root, 'build/kernels');

const compile = [
  '-std=c++20',
  '-O3',
  '-DNDEBUG',
  '-ffp-contract=off',
  '-fno-math-errno',
  '-fno-exceptions',
  '-fno-rtti',
  `-I${join(root, 'core/src')}`,
];
const link = ['-Oz', '--no-entry', '-sSTANDALONE_WASM', '-sALLOW_MEMORY_GROWTH'];

// The proposal had another name for this instruction.
const proposed = '-D__builtin_wasm_relaxed_madd_f32x4=__builtin_wasm_fma_f32x4';

/** The compiler flags for relaxed SIMD that CMake detected; wasm/CMakeLists.txt says more. */
function relaxedFlags() {
  const cache = readFileSync(join(root, 'build/wasm-simd/CMakeCache.txt'), 'utf8');
  const has = (name) => cache.includes(`\n${name}:INTERNAL=1\n`);
  if (has('ATTN_RELAXED_SIMD')) return ['-mrelaxed-simd'];
  if (!has('ATTN_PROPOSED_RELAXED_SIMD')) return undefined;
  return ['-mrelaxed-simd', proposed];
}

function build(files, flags, output) {
  const folder = emscripten();
  const program = which('em++') ?? join(folder, 'em++');
  const env = folder === '/usr/share/emscripten' ? { NODE_PATH: '/usr/share/nodejs' } : {};
  const run = (args) => must(program, args, 'em++ could not compile the kernels.', { env });
  const objects = files.map((file) => {
    const object = join(output, '..', `${basename(file)}.o`);
    run([...compile, ...flags, '-c', file, '-o', object]);
    return object;
  });
  run([...link, ...flags, ...objects, '-o', output]);
  for (const object of objects) rmSync(object);
  if (flags.includes(proposed)) standardiseFile(output);
}

/** Builds what is older than its sources, after `buildWasm`, and prints what cannot be built here. */
export function buildKernels() {
  const files = readdirSync(sources).map((name) => join(sources, name));
  const newest = Math.max(
    ...[...files, main, fileURLToPath(import.meta.url)].map((file) => statSync(file).mtimeMs),
  );
  // simd.cpp is left out because it picks a set of kernels at run time, and here there is only one. fused.cpp belongs
  // to the core.
  const compiled = files.filter(
    (file) => file.endsWith('.cpp') && !/\/(fused|simd)\.cpp$/.test(file),
  );
  const relaxed = relaxedFlags();
  const builds = { simd: [], relaxed };
  for (const name of Object.keys(builds)) {
    const output = join(kernelsFolder, name, 'kernels_bench.wasm');
    if (name === 'relaxed' && !relaxed) {
      console.log('relaxed SIMD is left out: this Emscripten does not have it');
      rmSync(output, { force: true });
      continue;
    }
    if (existsSync(output) && statSync(output).mtimeMs > newest) continue;
    const started = performance.now();
    mkdirSync(join(kernelsFolder, name), { recursive: true });
    const flags = ['-msimd128', ...builds[name]];
    build([...compiled, main], flags, output);
    console.log(`build: kernels, ${name} (${seconds(started)})`);
  }
}
