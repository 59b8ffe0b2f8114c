// Compiles the kernels with tests/bench/kernels.cpp alone, for each kind of WebAssembly:
// build/kernels/{simd,relaxed,scalar}/kernels_bench.wasm.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { capture, must, root, seconds, which } from '../../wasm/tools/process.mjs';
import { emscripten } from '../../wasm/tools/setup.mjs';

const sources = join(root, 'core/src/simd');
const main = join(root, 'tests/bench/kernels.cpp');
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

/** Emscripten's compiler also links. The first that knows relaxed SIMD as a released feature is 3.1.46. */
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
    relaxed: (major * 1000 + minor) * 1000 + patch >= 3001046,
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

/** clang and its linker by themselves: Debian's emcc 3.1.6 knows no relaxed SIMD. */
function clang() {
  const [compiler, linker] = ['clang++-19', 'wasm-ld-19'].map(which);
  if (!compiler || !linker) return undefined;
  const advice = `${compiler} could not compile the kernels: see above.`;
  return {
    build(files, flags, output) {
      const target = ['--target=wasm32-unknown-emscripten', '-ffreestanding'];
      const objects = files.map((file, i) => {
        const object = output.replace(/wasm$/, `${i}.o`);
        must(compiler, [...target, ...common, ...flags, '-c', file, '-o', object], advice);
        return object;
      });
      const options = ['--no-entry', '--export-dynamic', '--allow-undefined'];
      must(linker, [...options, ...objects, '-o', output], advice);
      for (const object of objects) rmSync(object);
    },
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
    simd: [tool, ['-msimd128']],
    relaxed: [tool.relaxed ? tool : clang(), ['-msimd128', '-mrelaxed-simd']],
    scalar: [tool, []],
  };
  for (const [name, [compiler, flags]] of Object.entries(builds)) {
    const output = join(kernelsFolder, name, 'kernels_bench.wasm');
    if (!compiler) {
      console.log('relaxed SIMD is left out: it takes emcc 3.1.46 or clang++-19 with wasm-ld-19');
      continue;
    }
    if (existsSync(output) && statSync(output).mtimeMs > newest) continue;
    const started = performance.now();
    mkdirSync(join(kernelsFolder, name), { recursive: true });
    compiler.build([...compiled, main], flags, output);
    console.log(`build: kernels, ${name} (${seconds(started)})`);
  }
}
