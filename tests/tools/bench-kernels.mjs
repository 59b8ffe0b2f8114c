// Compiles the kernels with tests/bench/kernels_wasm.cpp alone, for each kind of WebAssembly:
// build/kernels/{simd,relaxed,scalar}/kernels_bench.wasm.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { capture, must, root, seconds, which } from '../../wasm/tools/process.mjs';
import { standardiseFile } from '../../wasm/tools/relaxed.mjs';
import { emscripten } from '../../wasm/tools/setup.mjs';
import { wasmBuilds } from './client.mjs';

const sources = join(root, 'core/src/simd');
const main = join(root, 'tests/bench/kernels_wasm.cpp');
export const kernelsFolder = join(root, 'build/kernels');

const common = [
  '-std=c++20',
  '-O3',
  '-DNDEBUG',
  '-fno-math-errno',
  '-fno-exceptions',
  '-fno-rtti',
  '-mbulk-memory',
  `-I${join(root, 'core/src')}`,
];

// What the instruction was called in the proposal.
const asProposed = '-D__builtin_wasm_relaxed_madd_f32x4=__builtin_wasm_fma_f32x4';

/** Emscripten's compiler also links. Before 3.1.46 it may know relaxed SIMD as the proposal had it. */
function emcc() {
  const folder = emscripten();
  const program = which('em++') ?? join(folder, 'em++');
  const run = (args) => {
    const env = folder === '/usr/share/emscripten' ? { NODE_PATH: '/usr/share/nodejs' } : {};
    must(program, args, 'em++ could not compile the kernels: see above.', { env });
  };
  const version = capture(program, ['-dumpversion']).out.trim().split('.').map(Number);
  const [major = 0, minor = 0, patch = 0] = version;
  return {
    proposed: (major * 1000 + minor) * 1000 + patch < 3001046,
    build: (files, flags, output) =>
      run([
        ...common,
        ...flags,
        ...files,
        '--no-entry',
        '-sSTANDALONE_WASM',
        '-sALLOW_MEMORY_GROWTH',
        '-o',
        output,
      ]),
  };
}

/** Builds what is older than its sources; says what cannot be built here. */
export function buildKernels() {
  const files = readdirSync(sources).map((name) => join(sources, name));
  const newest = Math.max(...[...files, main].map((file) => statSync(file).mtimeMs));
  // simd.cpp picks a set of kernels at run time; here there is one.
  const compiled = files.filter((file) => file.endsWith('.cpp') && !file.endsWith('/simd.cpp'));
  const tool = emcc();
  const builds = {
    simd: ['-msimd128'],
    // As wasm/CMakeLists.txt has it.
    relaxed: ['-msimd128', '-mrelaxed-simd', ...(tool.proposed ? [asProposed] : [])],
    scalar: [],
  };
  for (const [name, flags] of Object.entries(builds)) {
    const output = join(kernelsFolder, name, 'kernels_bench.wasm');
    if (name === 'relaxed' && !wasmBuilds().includes(name)) {
      console.log('relaxed SIMD is left out: this Emscripten has none');
      continue;
    }
    if (existsSync(output) && statSync(output).mtimeMs > newest) continue;
    const started = performance.now();
    mkdirSync(join(kernelsFolder, name), { recursive: true });
    tool.build([...compiled, main], flags, output);
    if (name === 'relaxed' && tool.proposed) standardiseFile(output);
    console.log(`build: kernels, ${name} (${seconds(started)})`);
  }
}
