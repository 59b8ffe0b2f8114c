import type { Python, PythonParts } from '../../web/src/exercises/python/interpreter';

export function loadPythonParts(): Promise<Pick<PythonParts, 'loadMicroPython' | 'wasm'>>;
export function arraysWasm(build?: string): Uint8Array;
export function openPython(): Promise<{
  createPython(options?: Partial<PythonParts>): Promise<Python>;
  /** The modules of the course: source by name. */
  readonly modules: Readonly<Record<string, string>>;
  missingImports(code: string): { readonly before: string; readonly names: readonly string[] };
}>;
