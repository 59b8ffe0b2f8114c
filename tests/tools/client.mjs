// Loads the wasm core and the TypeScript around it for scripts under Node.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { root } from '../../wasm/tools/process.mjs';

/** Imports a TypeScript module as the site would bundle it. */
export async function importTypeScript(path) {
  // Tests need no second compiler: Vitest reads TypeScript itself, and keeps what it has read.
  if (import.meta.env?.VITEST) return import(/* @vite-ignore */ join(root, path));
  const { runnerImport } = await import('vite');
  const options = { configFile: false, logLevel: 'error' };
  return (await runnerImport(join(root, path), options)).module;
}

// Node 20 runs the relaxed build only with this flag; newer versions need none.
const isNode20 = process.versions.node.startsWith('20.');
/** The flags for a Node process that is started. */
export const relaxedFlags = isNode20 ? ['--experimental-wasm-relaxed-simd'] : [];
for (const flag of relaxedFlags) setFlagsFromString(flag);

/**
 * The Node command that runs a program compiled to wasm. Emscripten 3.1.6 uses fetch where it exists, but Node's
 * fetch cannot read files. Node 24 has no flag to hide fetch, so it is deleted before the program starts.
 */
export const nodeForWasm = [
  process.execPath,
  ...relaxedFlags,
  '--import',
  'data:text/javascript,delete globalThis.fetch',
];

/** The builds that must exist, and the relaxed one where the compiler could make it. */
export const wasmBuilds = () =>
  ['relaxed', 'simd'].filter(
    (build) => build !== 'relaxed' || existsSync(join(root, 'build/wasm', build)),
  );

/**
 * Loads the module `start` or `full` of a build. Plain scripts import the glue themselves, because Vite's runner is
 * closed after its import and would refuse a second one.
 */
async function load(module, build) {
  const file = (name) => join(root, 'build/wasm', build, name);
  const glue = await import(pathToFileURL(file(`${module}.mjs`)).href);
  return glue.default({ wasmBinary: readFileSync(file(`${module}.wasm`)) });
}

export const loadCore = (build) => load('start', build);
export const loadFull = (build) => load('full', build);
