// Configures and builds a CMake preset.
//
//   node wasm/tools/build.mjs [preset] [target …]     default: the wasm core, every variant
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { capture, isMain, main, must, root, Stop, seconds } from './process.mjs';
import { compiler, emscripten } from './setup.mjs';

function environmentOf(preset) {
  if (!preset.startsWith('wasm')) return { CXX: compiler() };
  const folder = emscripten();
  if (!folder) throw new Stop('emcc not found: run `node wasm/tools/setup.mjs build`');
  const env = {
    ATTN_EMSCRIPTEN_TOOLCHAIN: join(folder, 'cmake/Modules/Platform/Emscripten.cmake'),
  };
  // Debian's emcc needs Debian's acorn, where a Node from elsewhere does not look.
  if (folder === '/usr/share/emscripten' && existsSync('/usr/share/nodejs/acorn')) {
    env.NODE_PATH = '/usr/share/nodejs';
  }
  return env;
}

function configure(preset, env) {
  must('cmake', ['--preset', preset], `cmake could not configure ${preset}: see above.`, { env });
}

/** Builds `targets` of a preset, configured first where needed: {code, out}. */
export function tryBuild(preset, targets) {
  const env = environmentOf(preset);
  const ninjaFile = join(root, 'build', preset, 'build.ninja');
  const presets = join(root, 'CMakePresets.json');
  if (!existsSync(ninjaFile) || statSync(ninjaFile).mtimeMs < statSync(presets).mtimeMs) {
    configure(preset, env);
  }
  const args = ['--build', join('build', preset), '-j', String(availableParallelism())];
  args.push('--target', ...targets);
  let done = capture('cmake', args, { env });
  // Targets exist only where their libraries did when CMake last looked.
  if (done.code !== 0 && /unknown target/.test(done.out)) {
    configure(preset, env);
    done = capture('cmake', args, { env });
  }
  return done;
}

/** The same; where it fails, what the compiler said is shown, and nothing goes on. */
export function buildPreset(preset, targets) {
  const started = performance.now();
  const done = tryBuild(preset, targets);
  if (done.code !== 0) {
    process.stderr.write(done.out);
    throw new Stop(
      `building ${targets.join(', ')} (${preset}) failed: see the compiler's messages above.`,
    );
  }
  if (!/no work to do/.test(done.out)) {
    console.log(`build: ${preset} ${targets.join(' ')} (${seconds(started)})`);
  }
}

/**
 * Builds the modules into build/wasm/{simd,relaxed,scalar}/{core,trick,full}.{mjs,wasm}, no relaxed ones
 * where the compiler cannot make them, and build/wasm/{simd,scalar}/arrays.wasm.
 */
export function buildWasm() {
  const modules = ['core', 'trick', 'full'];
  const relaxed = modules.map((name) => `${name}_relaxed`);
  buildPreset('wasm-simd', [...modules, ...relaxed, 'arrays']);
  buildPreset('wasm-scalar', [...modules, 'arrays']);
}

if (isMain(import.meta.url)) {
  await main(() => {
    const [preset, ...targets] = process.argv.slice(2);
    if (preset) buildPreset(preset, targets.length > 0 ? targets : ['all']);
    else buildWasm();
  });
}
