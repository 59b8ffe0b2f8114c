// Provides MicroPython's parts to scripts and tests under Node. This file is plain JavaScript, because Vite's runner
// is closed after its import and would refuse to import the glue.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../wasm/tools/process.mjs';
import { importTypeScript } from './client.mjs';

const name = '@micropython/micropython-webassembly-pyscript';
let parts;

/** Returns `{ loadMicroPython, wasm }`, as `createPython` takes them. */
export function loadPythonParts() {
  parts ??= (async () => {
    const { resolve } = createRequire(import.meta.url);
    const { adaptGlue } = await importTypeScript('web/src/exercises/python/micropython-glue.ts');
    const text = adaptGlue(readFileSync(resolve(`${name}/micropython.mjs`), 'utf8'));
    // The glue is imported from a file: every stack trace would print a data: address.
    const folder = join(root, 'build/python');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `micropython-${createHash('sha1').update(text).digest('hex')}.mjs`);
    if (!existsSync(file)) {
      writeFileSync(`${file}.${process.pid}`, text);
      renameSync(`${file}.${process.pid}`, file);
    }
    const { loadMicroPython } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const wasm = await WebAssembly.compile(readFileSync(resolve(`${name}/micropython.wasm`)));
    return { loadMicroPython, wasm };
  })();
  return parts;
}

/** The bytes of the array engine. */
export const arraysWasm = (build = 'simd') =>
  readFileSync(join(root, 'build/wasm', build, 'arrays.wasm'));

/** Makes Python for scripts: `createPython(options)` with the parts that are always the same. */
export async function openPython() {
  const { createPython, courseModules, missingImports, Arrays } = await importTypeScript(
    'tests/tools/python-exports.ts',
  );
  const { loadMicroPython, wasm } = await loadPythonParts();
  const modules = courseModules();
  const engine = await WebAssembly.compile(arraysWasm());
  return {
    createPython: async (options = {}) =>
      createPython({
        loadMicroPython,
        wasm,
        arrays: await Arrays.load(engine),
        scriptModules: modules,
        ...options,
      }),
    modules,
    missingImports,
  };
}
