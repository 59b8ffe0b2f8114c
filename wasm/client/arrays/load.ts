import type { ExportName } from '../../../build/wasm/client/arrays';

/** The bytes of arrays.wasm, or what was compiled from them. */
export type WasmSource = WebAssembly.Module | ArrayBuffer | Uint8Array;

/** What wasm/src/arrays/ exports: numbers in, numbers out. */
export type Exports = { readonly memory: WebAssembly.Memory } & Readonly<
  Record<ExportName, (...numbers: number[]) => number>
>;

/** Without Emscripten's glue, which is an ES module and does not load in a worker made of text. */
export async function instantiate(source: WasmSource): Promise<Exports> {
  const module =
    source instanceof WebAssembly.Module
      ? source
      : await WebAssembly.compile(source as BufferSource);
  // The C library asks for a way to end the program and to write to a terminal; neither happens.
  const refuse = () => {
    throw new Error('arrays.wasm asked the system for something');
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = name === 'emscripten_notify_memory_growth' ? () => {} : refuse;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  (exports._initialize as (() => void) | undefined)?.();
  return exports as unknown as Exports;
}
