// Configures and builds a CMake preset.
//
//   node wasm/tools/build.mjs [preset] [target …]     default: the wasm core, every build
//   node wasm/tools/build.mjs --here                  what the openings of a site on this machine need
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeClient } from './client.mjs';
import {
  capture,
  captureAsync,
  isMain,
  main,
  must,
  root,
  Stop,
  seconds,
  which,
} from './process.mjs';
import { clangWithSanitizers, compiler, emscripten } from './setup.mjs';

/**
 * ccache, where it is installed, for g++, clang++ and em++ alike. Paths below the repository are
 * hashed relative to it, so that another clone finds what this one compiled; the sloppiness is what
 * precompiled headers ask for. What the user has set stays; CCACHE_DISABLE builds without it.
 */
function cacheEnvironment() {
  if (!which('ccache') || process.env.CCACHE_DISABLE) return {};
  return {
    CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: '1',
    CCACHE_SLOPPINESS: 'pch_defines,time_macros,include_file_mtime,include_file_ctime',
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /^(CCACHE_|CMAKE_CXX_COMPILER_L)/.test(name)),
    ),
  };
}

/**
 * The interpreter that runs em++. Where `python3` is a script that chooses one, as pyenv's is, choosing takes longer than
 * em++ itself, for every source twice.
 */
function python() {
  if (process.env.EMSDK_PYTHON) return {};
  const { code, out } = capture('python3', ['-c', 'import sys; print(sys.executable)']);
  return code === 0 ? { EMSDK_PYTHON: out.trim() } : {};
}

function environmentOf(preset) {
  const cache = cacheEnvironment();
  // A second compiler reads the sources there, and it takes half of the time that g++ takes.
  if (preset === 'native-debug' || preset === 'fuzz')
    return { ...cache, CXX: clangWithSanitizers() ?? compiler() };
  if (!preset.startsWith('wasm')) return { ...cache, CXX: compiler() };
  const folder = emscripten();
  if (!folder) throw new Stop('emcc not found: run `node wasm/tools/setup.mjs build`');
  const env = {
    ...cache,
    ...python(),
    ATTN_EMSCRIPTEN_TOOLCHAIN: join(folder, 'cmake/Modules/Platform/Emscripten.cmake'),
  };
  // Links are kept as well, unless whoever builds has a launcher of their own.
  if (cache.CMAKE_CXX_COMPILER_LAUNCHER && !process.env.CMAKE_CXX_LINKER_LAUNCHER) {
    env.CMAKE_CXX_LINKER_LAUNCHER = `${process.execPath};${join(root, 'wasm/tools/link-cache.mjs')}`;
  }
  // Debian's emcc needs Debian's acorn, where a Node from elsewhere does not look.
  if (folder === '/usr/share/emscripten' && existsSync('/usr/share/nodejs/acorn')) {
    env.NODE_PATH = '/usr/share/nodejs';
  }
  return env;
}

const configuring = (preset, env) => ['cmake', ['--preset', preset], { env }];

const isConfigured = (preset) => {
  const ninjaFile = join(root, 'build', preset, 'build.ninja');
  const presets = join(root, 'CMakePresets.json');
  return existsSync(ninjaFile) && statSync(ninjaFile).mtimeMs >= statSync(presets).mtimeMs;
};

/** Configures a preset into another folder, with options of the caller's. */
export function configureInto(folder, preset, options) {
  const [program, args, how] = configuring(preset, environmentOf(preset));
  must(program, [...args, '-B', folder, ...options], `cmake could not configure ${folder}.`, how);
}

/** The presets of which something was built since this process began. */
export const builtPresets = new Set();

/** The commands that build `targets` of a preset, one after the other, each with what it gave. */
function* steps(preset, targets) {
  const done = yield* attempts(preset, targets);
  if (done.code === 0) builtPresets.add(preset);
  return done;
}

function* attempts(preset, targets) {
  const env = environmentOf(preset);
  if (!isConfigured(preset)) {
    const configured = yield configuring(preset, env);
    if (configured.code !== 0) return configured;
  }
  const args = ['--build', join('build', preset), '-j', String(availableParallelism())];
  const build = ['cmake', [...args, '--target', ...targets], { env }];
  const done = yield build;
  // Targets exist only where their libraries did when CMake last looked.
  if (done.code === 0 || !/unknown target/.test(done.out)) return done;
  const configured = yield configuring(preset, env);
  return configured.code === 0 ? yield build : configured;
}

/** Builds `targets` of a preset, configured first where needed: {code, out}. */
export function tryBuild(preset, targets) {
  const course = steps(preset, targets);
  let step = course.next();
  while (!step.done) step = course.next(capture(...step.value));
  return step.value;
}

async function tryBuildAsync(preset, targets) {
  const course = steps(preset, targets);
  let step = course.next();
  while (!step.done) step = course.next(await captureAsync(...step.value));
  return step.value;
}

/** Says how long it took; where it failed, nothing goes on. */
function report(preset, targets, started, done) {
  if (done.code !== 0) {
    throw new Stop(`${done.out}\nbuilding ${targets.join(', ')} (${preset}) failed: see above.`);
  }
  if (!/no work to do/.test(done.out)) {
    console.log(`build: ${preset} ${targets.join(' ')} (${seconds(started)})`);
  }
}

/** The same; where it fails, what the compiler said is shown, and nothing goes on. */
export function buildPreset(preset, targets) {
  const started = performance.now();
  report(preset, targets, started, tryBuild(preset, targets));
}

/** The same without blocking: the caller may run other programs meanwhile. */
export async function buildPresetAsync(preset, targets) {
  const started = performance.now();
  report(preset, targets, started, await tryBuildAsync(preset, targets));
}

const modules = ['start', 'full'];
const relaxedModules = modules.map((name) => `${name}_relaxed`);
const wasmTargets = ({ relaxed }) => [
  ...modules,
  ...(relaxed ? relaxedModules : []),
  ...['arrays', 'phrases', 'describe', 'describe_arrays'],
];

/**
 * How the modules of a site on this machine are built. Until somebody asks for those that visitors download, by
 * `npm run build` or `npm test`, the quick preset makes them: in less than half of the time, three times as large.
 */
function presetHere() {
  if (!existsSync(join(root, 'build/wasm-simd/build.ninja'))) return { preset: 'wasm-quick' };
  return { preset: 'wasm-simd', relaxed: existsSync(join(root, 'build/wasm/relaxed')) };
}

/** Builds what a site on this machine needs; `targets` says what of it. */
function buildHere(targets) {
  const { preset, relaxed } = presetHere();
  buildPreset(preset, targets({ relaxed }));
  writeClient(preset);
}
export const buildWasmHere = () => buildHere(wasmTargets);

/** After a change of the core: the client of that site again, and the modules that its pages open with. */
const rebuildWasmHere = () =>
  buildHere(({ relaxed }) => [
    ...['describe', 'describe_arrays', 'start'],
    ...(relaxed ? ['start_relaxed'] : []),
  ]);

/** Writes the typed client alone, and builds `more` of the preset with what describes the calls. */
export function buildClient(more = []) {
  buildPreset('wasm-simd', ['describe', 'describe_arrays', ...more]);
  writeClient('wasm-simd');
}

/**
 * Builds the modules into build/wasm/{simd,relaxed}/{start,full}.{mjs,wasm}, no relaxed ones where the
 * compiler cannot make them, build/wasm/simd/arrays.wasm, build/wasm/phrases.ts, and what the client is
 * typed and made from: build/wasm/client/{calls,arrays}.ts.
 */
export function buildWasm() {
  buildPreset('wasm-simd', wasmTargets({ relaxed: true }));
  writeClient('wasm-simd');
}
/**
 * The same without blocking, and `also` other targets of that preset. In one build no core waits for the last link of
 * another.
 */
export async function buildWasmAsync(also = []) {
  await buildPresetAsync('wasm-simd', [...also, ...wasmTargets({ relaxed: true })]);
  writeClient('wasm-simd');
}

if (isMain(import.meta.url)) {
  await main(() => {
    const [preset, ...targets] = process.argv.slice(2);
    if (preset === '--here') rebuildWasmHere();
    else if (preset) buildPreset(preset, targets.length > 0 ? targets : ['all']);
    else buildWasm();
  });
}
