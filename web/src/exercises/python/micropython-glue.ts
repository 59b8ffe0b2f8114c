/**
 * MicroPython's glue as the rest of the exercises needs it: without the parts that are for Node's command
 * line (two top-level `await import`), without `import.meta` and `fetch`, so that it can be bundled into
 * a classic worker that has no network. The module's bytes are handed in, and memory has a limit.
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
    // `import js` would give the whole of JavaScript: the process in Node, the worker's globals in the page.
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
    // This is removed: it would free objects of an interpreter that is gone in the one that came after it.
    'new FinalizationRegistry(cRef=>{globalThis.proxy_js_map.delete(cRef),Module.ccall("proxy_c_free_obj","null",["number"],[cRef])})',
    '{register(){}}',
  ],
];

const commandLine = {
  from: 'if(globalThis.loadMicroPython=loadMicroPython,"object"==typeof process',
  to: 'class PyProxy{',
};

/** Throws if the text differs from that of the pinned version. */
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

/** What the adapted `loadMicroPython` takes. */
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
  /** Bytes that the interpreter may grow to. */
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
