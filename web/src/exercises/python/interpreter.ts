/**
 * MicroPython with numpy on the C++ array engine. A student's file is loaded once, and its function is called often.
 */

import { ArrayError, type Arrays } from '#client/arrays';
import given from '../../../exercises/given.py?raw';
import { errorOf, say } from '../run-phrases';
import { maxPrint, type Runtime, type RuntimeHooks } from '../runtime';
import type {
  ArrayValue,
  CaseOutcome,
  DictValue,
  GivenValue,
  ParameterType,
  RunCounts,
  RunError,
  RunJob,
  Value,
} from '../types';
import { Host } from './array-host';
import { library } from './library';
import { lint, type Problem, whyRefused } from './lint';
import { explain } from './messages';
import type { LoadMicroPython, MicroPython } from './micropython-glue';
import { adapt, reachesMeasure } from './rewrite-for-micropython';
import { StepCounter } from './step-counter';
import { textHost } from './text-host';

export interface PythonParts {
  /** The function `loadMicroPython` of the glue that `adaptGlue` makes. */
  readonly loadMicroPython: LoadMicroPython;
  /** The bytes of micropython.wasm. Compile them once if several interpreters are made. */
  readonly wasm: WebAssembly.Module | ArrayBuffer | Uint8Array;
  readonly arrays: Arrays;
  /** Further modules that can be imported: their sources by name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Further modules that only scripts can import: an exercise must not import the solution that it asks for. */
  readonly scriptModules?: Readonly<Record<string, string>>;
  /** The limit for the memory of arrays; the engine's own limit unless given. */
  readonly memoryBytes?: number;
  /** The limit for the interpreter's own objects (lists, numbers, text); 256 MiB unless given. */
  readonly heapBytes?: number;
  /** Counts plain loops as well, so that work outside of arrays is counted too. */
  readonly countEntries?: boolean;
  readonly hooks?: RuntimeHooks;
}

export interface ScriptResult {
  readonly error?: RunError;
  /** The traceback as Python writes it. */
  readonly traceback?: string;
  readonly prints: string;
  /** What the script drew with matplotlib, as `Drawing` of `../drawings.ts` reads it; missing where it drew nothing. */
  readonly drawings?: Value;
  readonly counts: RunCounts;
  readonly milliseconds: number;
}

export interface Python extends Runtime {
  /** Runs a script as `python file.py` would: `__name__` is "__main__". `before` runs first. */
  runScript(code: string, before?: string): ScriptResult;
}

/** Globals that the glue uses. They are exchanged when another interpreter runs, because each needs its own. */
const shared = [
  'Module',
  'proxy_js_ref',
  'proxy_js_ref_next',
  'proxy_js_ref_map',
  'proxy_js_map',
  'proxy_js_existing',
  'pyProxyFinalizationRegistry',
] as const;

type Shared = Partial<Record<(typeof shared)[number], unknown>>;
const realm = globalThis as unknown as Shared;
let active: Interpreter | undefined;

export async function createPython(parts: PythonParts): Promise<Python> {
  const interpreter = new Interpreter(parts);
  await interpreter.start();
  return interpreter;
}

class Interpreter implements Python {
  readonly #parts: PythonParts;
  readonly #host: Host;
  readonly #out: Printer;
  readonly #steps = new StepCounter();
  #globals: Shared = {};
  #python: MicroPython | undefined;
  #parameters: readonly ParameterType[] = [];
  #draws = false;
  #source = '';
  #script = false;
  #modules: Readonly<Record<string, string>> = {};
  #count = false;
  #lists = false;
  /** After a crash of the interpreter none of its state can be trusted. */
  #dead: RunError | undefined;

  constructor(parts: PythonParts) {
    this.#parts = parts;
    if (parts.memoryBytes) parts.arrays.memoryLimit = parts.memoryBytes;
    this.#host = new Host(parts.arrays);
    this.#out = new Printer(parts.hooks?.onPrint);
  }

  async start(): Promise<void> {
    const { loadMicroPython, wasm, heapBytes = 2 ** 28 } = this.#parts;
    const module =
      wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm as BufferSource);
    let memory: WebAssembly.Memory | undefined;
    this.#leave();
    const python = await loadMicroPython({
      pystack: 128 * 1024,
      heapsize: 4 * 1024 * 1024,
      heapLimit: heapBytes,
      linebuffer: false,
      stdout: (text) => this.#out.raw(text),
      stderr: (text) => this.#out.raw(text),
      instantiateWasm: (imports, done) => {
        void WebAssembly.instantiate(module, this.#steps.watch(imports)).then((made) => {
          memory = made.exports.memory as WebAssembly.Memory;
          done(made);
        });
      },
    });
    this.#python = python;
    active = this;
    this.#host.memory = () => (memory as WebAssembly.Memory).buffer;
    const host = {
      ...this.#host.functions(),
      ...textHost,
      write: (text: string) => this.#out.write(text),
      file: (path: string) => this.#file(path),
    };
    for (const run of Object.values(host)) bare(run as (...args: unknown[]) => unknown);
    python.registerJsModule('_host', Object.setPrototypeOf(host, null) as object);
    python.runPython(boot);
  }

  /** The text of a module's file; "" for a folder; null where nothing exists. */
  #file(path: string): string | null {
    const { modules = {} } = this.#parts;
    const name = path.replace(/^\/|\.py$/g, '').replaceAll('/', '.');
    if (path.endsWith('.py')) {
      if (name in library) return library[name] ?? null;
      const text =
        name === 'given'
          ? given
          : (modules[name] ?? (this.#script ? this.#ofScript(name) : undefined));
      return text === undefined ? null : adapt(text).code;
    }
    return Object.keys(library).some((each) => each.startsWith(`${name}.`)) ? '' : null;
  }

  #ofScript(name: string): string | undefined {
    const { scriptModules = {} } = this.#parts;
    return Object.hasOwn(this.#modules, name) ? this.#modules[name] : scriptModules[name];
  }

  load(
    job: Parameters<Runtime['load']>[0] & Pick<RunJob, 'countEntries' | 'countLists' | 'draws'>,
  ): ReturnType<Runtime['load']> {
    this.#parameters = job.parameters;
    this.#draws = job.draws ?? false;
    this.#lists = job.countLists ?? false;
    this.#modules = job.modules ?? {};
    this.#count = job.countEntries ?? this.#parts.countEntries ?? false;
    const reached = this.#lists ? reachesMeasure(job.code) : undefined;
    if (reached !== undefined) {
      return {
        loadError: errorOf('NameError', say('measured_lists', { name: reached })),
        prints: this.#out.taken(),
      };
    }
    const { error } = this.#exec(job.code, job.entry ? 'student' : '__main__');
    const taken = job.entry ? [] : this.#taken();
    const told = { ...(taken.length > 0 && { taken }) };
    if (error) return { loadError: error, prints: this.#out.taken(), ...told };
    if (job.entry) {
      const wrong = this.#function('find')(job.entry);
      if (wrong)
        return {
          loadError: errorOf(
            'NameError',
            say(wrong === 'missing' ? 'no_function' : 'no_longer_function', { name: job.entry }),
          ),
          prints: this.#out.taken(),
        };
    }
    const drawings = job.entry ? undefined : this.#drawings();
    return { prints: this.#out.taken(), ...told, ...(drawings && { drawings }) };
  }

  /** The functions of the module `exercise` that the top level took. */
  #taken(): string[] {
    if (this.#dead) return [];
    try {
      return this.#function('taken')().split(' ').filter(Boolean);
    } catch (error) {
      this.#crash(error);
      return [];
    }
  }

  /** What the top level has drawn; undefined where it drew nothing. */
  #drawings(): Value | undefined {
    try {
      const told = this.#function('drawings')();
      return told === '' ? undefined : this.#value(JSON.parse(told) as Encoded);
    } catch (error) {
      this.#crash(error);
      return undefined;
    }
  }

  runScript(code: string, before = ''): ScriptResult {
    this.#parts.arrays.resetCounts();
    const start = performance.now();
    const { error, traceback } = this.#exec(code, '__main__', before);
    const milliseconds = performance.now() - start;
    const prints = this.#out.taken();
    const counts = this.#parts.arrays.counts();
    const drawings = this.#drawings();
    const result = { prints, counts, milliseconds, ...(drawings && { drawings }) };
    return error ? { ...result, error, ...(traceback ? { traceback } : {}) } : result;
  }

  call(args: readonly Value[]): CaseOutcome {
    const { arrays } = this.#parts;
    const free = this.#host.mark();
    let start = performance.now();
    const spent = () => ({
      prints: this.#out.taken(),
      counts: arrays.counts(),
      milliseconds: performance.now() - start,
    });
    if (this.#dead) return { ...spent(), error: this.#dead };
    try {
      const text = `(${args.map((arg, i) => this.#expression(arg, this.#parameters[i])).join()},)`;
      const run = this.#function(this.#draws ? 'draw' : 'call');
      this.#steps.take();
      arrays.resetCounts();
      start = performance.now();
      const reply = run(args.length === 0 ? '()' : text);
      const after = this.#withSteps(spent(), this.#steps.take());
      if (reply.startsWith('!')) return { ...after, error: this.#error(reply.slice(1)).error };
      return { ...after, value: this.#value(JSON.parse(reply) as Encoded) };
    } catch (error) {
      return { ...spent(), error: this.#crash(error) };
    } finally {
      free();
    }
  }

  /** In a counting run, with what the interpreter itself did and what its lists hold. */
  #withSteps<T extends { readonly counts: RunCounts }>(spent: T, steps: number): T {
    if (!this.#count) return spent;
    const made = this.#lists ? Number(this.#function('counted')()) : 0;
    const { counts } = spent;
    const largest = Math.max(counts.largest ?? 0, made);
    return { ...spent, counts: { ...counts, touched: counts.touched + steps, largest } };
  }

  /** Runs the top level of a file. */
  #exec(text: string, name: string, before = ''): { error?: RunError; traceback?: string } {
    // A byte order mark is removed, because it would become part of the first name.
    const code = text.replace(/^\uFEFF/, '');
    if (this.#dead) return { error: this.#dead };
    this.#source = code;
    this.#script = name === '__main__';
    const problems = lint(code);
    const limit = problems.find((each) => each.kind === 'limit');
    if (limit) return this.#marked(limit);
    try {
      this.#function('prepare')(name);
      const wrong = before && this.#function('load')(adapt(before).code);
      if (wrong) return this.#error(wrong);
      const told = this.#function('load')(adapt(code, { count: this.#lists }).code);
      if (this.#lists) this.#function('loaded')();
      if (told === '' || told === 'exit') return {};
      // MicroPython only calls them invalid.
      const refused = /^(?:Syntax|Indentation)Error/.test(told);
      const syntax =
        refused && (problems.find((each) => each.kind === 'syntax') ?? whyRefused(code));
      if (syntax) return this.#marked(syntax);
      return this.#error(told);
    } catch (error) {
      return { error: this.#crash(error) };
    }
  }

  #marked({ type, message, said, line, column }: Problem): { error: RunError; traceback: string } {
    const shown = this.#source.split('\n')[line - 1] ?? '';
    return {
      error: { type, message, said, line, column },
      traceback: `  File "student.py", line ${line}\n    ${shown.trim()}\n${type}: ${message}`,
    };
  }

  #function(name: string): (...args: string[]) => string {
    this.#enter();
    const run = this.#python?.globals.get('_run') as Record<string, (...args: string[]) => string>;
    return run[name] as (...args: string[]) => string;
  }

  #enter(): void {
    if (active === this) return;
    if (active) active.#leave();
    Object.assign(realm, this.#globals);
    active = this;
  }
  #leave(): void {
    if (active) for (const name of shared) active.#globals[name] = realm[name];
    active = undefined;
  }

  /** Reads the error that `_tell` of _run.py describes. */
  #error(told: string): { error: RunError; traceback: string } {
    const [types = '', message = '', trace = '', explained = ''] = told.split('\x01');
    const frames = [...trace.matchAll(/File "student\.py", line (\d+)/g)];
    const line = Number(frames.at(-1)?.[1] ?? 0);
    const [type = 'Exception'] = types.split(',');
    const source = line > 0 ? this.#source.split('\n')[line - 1] : undefined;
    const plain = explain({ type, types: types.split(','), message, source, explained });
    const traceback = trace
      .split('\n')
      .filter((text) => !/File "(<stdin>|_run\.py|\/attn\/_run\.py)"/.test(text))
      .join('\n')
      .trimEnd();
    return {
      error: { ...plain, ...(line > 0 ? { line } : {}) },
      traceback,
    };
  }

  /**
   * Handles a JavaScript exception that came out of the interpreter, which means that its stack or its memory ran
   * out.
   */
  #crash(error: unknown): RunError {
    if (error instanceof ArrayError)
      return explain({
        type: error.type,
        types: [error.type],
        message: error.message,
        explained: error.explained,
      });
    const text = error instanceof Error ? error.message : String(error);
    const memory = /memory|allocat/i.test(text);
    const stack = error instanceof RangeError || /call stack|stack overflow/i.test(text);
    this.#dead = stack
      ? explain({
          type: 'RuntimeError',
          types: ['RuntimeError'],
          message: 'maximum recursion depth exceeded',
        })
      : memory
        ? errorOf('MemoryError', say('memory_gone'))
        : errorOf('RuntimeError', say('interpreter_stopped', { reason: text }));
    return this.#dead;
  }

  /** A value as a Python expression. */
  #expression(value: Value, type?: ParameterType): string {
    if (value === null || value === undefined) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'number') return numeral(value, type === 'number');
    if (typeof value === 'string') return JSON.stringify(value);
    if (Array.isArray(value))
      return `[${value.map((each: Value) => this.#expression(each)).join()}]`;
    const object = value as ArrayValue | DictValue | GivenValue;
    if (object.kind === 'array') {
      const array = this.#parts.arrays.from(object.data, object.shape, object.dtype);
      return `A(${this.#host.give(array)})`;
    }
    if (object.kind === 'given') return `G(${JSON.stringify(object.name)})`;
    const entries = Object.entries(object.entries);
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${this.#expression(each)}`).join()}}`;
  }

  #value(encoded: Encoded): Value {
    if (encoded === null || typeof encoded !== 'object') return encoded;
    if (isList(encoded)) return encoded.map((each) => this.#value(each));
    if ('a' in encoded) return this.#host.read(encoded.a);
    if ('x' in encoded) return special[encoded.x];
    const entries = Object.entries(encoded.d).map(([key, each]) => [key, this.#value(each)]);
    return { kind: 'dict', entries: Object.fromEntries(entries) };
  }
}

/**
 * Removes the prototype of a function, because `_host.un.constructor` would otherwise lead to JavaScript's Function.
 * MicroPython only needs its `call`.
 */
function bare(run: (...args: unknown[]) => unknown): void {
  const call = (_: unknown, ...args: unknown[]) => run(...args);
  Object.setPrototypeOf(call, null);
  Object.setPrototypeOf(Object.assign(run, { call }), null);
}

/** Modules are read through the host, because MicroPython's own file system reads files in pieces of a few bytes. */
const boot = `
import sys, io, vfs, _host

class _Files:
    def mount(self, readonly, mkfs):
        pass
    def umount(self):
        pass
    def chdir(self, path):
        pass
    def getcwd(self):
        return "/"
    def stat(self, path):
        text = _host.file(path)
        if text is None:
            raise OSError(2)
        return (0x8000 if text else 0x4000, 0, 0, 0, 0, 0, len(text), 0, 0, 0)
    def open(self, path, mode):
        return io.BytesIO(_host.file(path).encode())

vfs.mount(_Files(), "/attn")
sys.path[:] = ["/attn", ".frozen", "/lib"]
import _run
`;

type Encoded =
  | null
  | number
  | string
  | boolean
  | readonly Encoded[]
  | { readonly a: number }
  | { readonly x: keyof typeof special }
  | { readonly d: Readonly<Record<string, Encoded>> };
const isList = (encoded: Encoded): encoded is readonly Encoded[] => Array.isArray(encoded);

const special = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
} as const;

function numeral(x: number, float: boolean): string {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
  const text = Object.is(x, -0) ? '-0' : String(x);
  return float && Number.isInteger(x) && !text.includes('e') ? `${text}.0` : text;
}

/** Collects printed text up to the limit, and passes it on at once. */
class Printer {
  #kept = '';
  #more = false;
  readonly #decoder = new TextDecoder();

  constructor(readonly onPrint: ((text: string) => void) | undefined) {}

  write(text: string): void {
    this.onPrint?.(text);
    const room = maxPrint - this.#kept.length;
    if (room >= text.length) this.#kept += text;
    else if (!this.#more) {
      this.#kept += `${text.slice(0, Math.max(room, 0))}\n… more was printed\n`;
      this.#more = true;
    }
  }
  /** Receives the bytes that `sys.stdout.write` prints. */
  raw(bytes: Uint8Array | string): void {
    this.write(typeof bytes === 'string' ? bytes : this.#decoder.decode(bytes, { stream: true }));
  }
  taken(): string {
    const text = this.#kept;
    this.#kept = '';
    this.#more = false;
    return text;
  }
}
