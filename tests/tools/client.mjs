// The wasm core and the TypeScript around it, for scripts under Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../wasm/tools/process.mjs';

/** Imports a TypeScript module as the site would bundle it. */
export async function importTypeScript(path) {
  const { runnerImport } = await import('vite');
  const options = { configFile: false, logLevel: 'error' };
  return (await runnerImport(join(root, path), options)).module;
}

/**
 * The module `core` or `full` of the build `simd` or `scalar`. Plain scripts load it: Vite's runner
 * is closed after its import and would refuse the import of the glue.
 */
async function load(module, build) {
  const file = (name) => join(root, 'build/wasm', build, name);
  const glue = await import(pathToFileURL(file(`${module}.mjs`)).href);
  return glue.default({ wasmBinary: readFileSync(file(`${module}.wasm`)) });
}

export const loadCore = (build) => load('core', build);
export const loadFull = (build) => load('full', build);
