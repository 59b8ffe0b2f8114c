// The wasm core and the TypeScript around it, for scripts under Node.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { root } from '../../wasm/tools/process.mjs';

/** Imports a TypeScript module as the site would bundle it. */
export async function importTypeScript(path) {
  const { runnerImport } = await import('vite');
  const options = { configFile: false, logLevel: 'error' };
  return (await runnerImport(join(root, path), options)).module;
}

// Node 20 runs the relaxed build only when told to; newer ones do so by themselves.
const isNode20 = process.versions.node.startsWith('20.');
/** What tells a Node that is to be started. */
export const relaxedFlags = isNode20 ? ['--experimental-wasm-relaxed-simd'] : [];
for (const flag of relaxedFlags) setFlagsFromString(flag);

/** Every build there must be, and the relaxed one where the compiler could make it. */
export const wasmBuilds = () =>
  ['relaxed', 'simd', 'scalar'].filter(
    (build) => build !== 'relaxed' || existsSync(join(root, 'build/wasm', build)),
  );

/**
 * The module `core` or `full` of a build. Plain scripts load it: Vite's runner
 * is closed after its import and would refuse the import of the glue.
 */
async function load(module, build) {
  const file = (name) => join(root, 'build/wasm', build, name);
  const glue = await import(pathToFileURL(file(`${module}.mjs`)).href);
  return glue.default({ wasmBinary: readFileSync(file(`${module}.wasm`)) });
}

export const loadCore = (build) => load('core', build);
export const loadFull = (build) => load('full', build);
