/**
 * Adapts MicroPython's JavaScript glue. The parts for Node's command line (two top-level `await import`),
 * `import.meta` and `fetch` are removed, so that the glue can be bundled into a classic worker that has no network.
 * The caller passes the bytes of the module, and memory has a limit.
 */

type Replacement = readonly [find: string, replace: string];

const replacements: readonly Replacement[] = [
  [
    'if(ENVIRONMENT_IS_NODE){const{createRequire:createRequire}=await import("module");var require=createRequire(import.meta.url)}',
    '',
  ],
  ['ENVIRONMENT_IS_WEB=!!globalThis.window,', 'ENVIRONMENT_IS_WEB=!0,'],
  [
    'ENVIRONMENT_IS_NODE=globalThis.process?.versions?.node&&"renderer"!=globalThis.process?.type,',
    'ENVIRONMENT_IS_NODE=!1,',
  ],
  ['_scriptName=import.meta.url', '_scriptName=""'],
  ['if(!globalThis.window&&!globalThis.WorkerGlobalScope)throw', 'if(0)throw'],
  ['new URL("micropython.wasm",import.meta.url).href', '"micropython.wasm"'],
  [
    'Module={locateFile:',
    'Module={instantiateWasm:options.instantiateWasm,heapLimit:options.heapLimit,locateFile:',
  ],
  [
    // Running out of memory raises Python's MemoryError instead of writing to the console.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the glue.
    'if(requestedSize>2147483648)return err(`Cannot enlarge memory, requested ${requestedSize} bytes, but the limit is 2147483648 bytes!`),!1;',
    'var heapLimit=Module.heapLimit||2147483648;if(requestedSize>heapLimit)return!1;',
  ],
  ['var newSize=Math.min(2147483648,', 'var newSize=Math.min(heapLimit,'],
  [
    // `import js` would give access to all of JavaScript: to the process in Node, and to the worker's globals in the
    // page.
    'globalThis.proxy_js_ref=[globalThis,void 0]',
    'globalThis.proxy_js_ref=[Object.create(null),void 0]',
  ],
  [
    // Attributes are limited to an object's own properties: otherwise `constructor` would lead to JavaScript's Function.
    'const base=proxy_js_ref[jsref],attr=UTF8ToString(str);let value=base[attr];',
    'const base=proxy_js_ref[jsref],attr=UTF8ToString(str);if(!Object.hasOwn(base,attr))return 0;let value=base[attr];',
  ],
  [
    'let index=index_in;if("number"==typeof index',
    'let index="number"==typeof index_in?index_in:-1;if("number"==typeof index',
  ],
  [
    // This registry is removed, because it would free objects that belong to the interpreter made after the one that
    // is gone.
    'new FinalizationRegistry(cRef=>{globalThis.proxy_js_map.delete(cRef),Module.ccall("proxy_c_free_obj","null",["number"],[cRef])})',
    '{register(){}}',
  ],
];

const commandLine = {
  from: 'if(globalThis.loadMicroPython=loadMicroPython,"object"==typeof process',
  to: 'class PyProxy{',
};

/** Returns the adapted glue. @throws Error if the text differs from that of the pinned version. */
export function adaptGlue(text: string): string {
  let out = text;
  for (const [find, replace] of replacements) {
    if (out.split(find).length !== 2)
      throw new Error(`MicroPython's glue is not the pinned version: "${find.slice(0, 60)}"`);
    out = out.replace(find, () => replace);
  }
  const from = out.indexOf(commandLine.from);
  const to = out.indexOf(commandLine.to);
  if (from < 0 || to < from) throw new Error("MicroPython's glue has no command line to remove");
  return out.slice(0, from) + out.slice(to);
}

/** The options of the adapted `loadMicroPython`. */
export interface MicroPythonOptions {
  readonly pystack: number;
  readonly heapsize: number;
  readonly linebuffer: boolean;
  readonly stdout: (text: string | Uint8Array) => void;
  readonly stderr?: (text: string | Uint8Array) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => void;
  /** The number of bytes to which the interpreter's memory may grow. */
  readonly heapLimit: number;
}

export interface MicroPython {
  runPython(code: string): unknown;
  registerJsModule(name: string, module: object): void;
  readonly globals: {
    get(name: string): unknown;
    set(name: string, value: unknown): void;
    delete(name: string): void;
  };
}

export type LoadMicroPython = (options: MicroPythonOptions) => Promise<MicroPython>;
