import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { canRun } from '../../wasm/client/capabilities';
import { createClient, type WorkerLike } from '../../wasm/client/client';
import { aliveIn, fullOperations, startOperations } from '../../wasm/client/operations';
import {
  type Build,
  builds,
  type ModuleName,
  type Reply,
  type Request,
} from '../../wasm/client/protocol';
import type { Factory, RawCore, RawFull } from '../../wasm/client/raw';
import { type ServerOptions, type ServerScope, serve } from '../../wasm/client/server';

/** `npm run call` has its modules apart: ATTN_MODULES names their folder. */
const modules = process.env.ATTN_MODULES ?? 'build/wasm';
const folder = (build: Build): URL => new URL(`../../${modules}/${build}/`, import.meta.url);

// Node 20 supports relaxed SIMD only with this flag.
if (!canRun('relaxed')) setFlagsFromString('--experimental-wasm-relaxed-simd');

/** The builds that must exist, and the relaxed one where the compiler could make it. */
export const testBuilds: readonly Build[] = builds.filter(
  (build) => build !== 'relaxed' || existsSync(folder(build)),
);
/** The build that a browser chooses. */
const fastest = testBuilds[0] as Build;

/** Loads the real module in Node. The glue cannot fetch there, so it receives the bytes. */
export async function loadModule(module: ModuleName, build: Build): Promise<RawFull> {
  const glue: { default: Factory<RawFull> } = await import(
    /* @vite-ignore */ new URL(`${module}.mjs`, folder(build)).href
  );
  return glue.default({
    wasmBinary: readFileSync(fileURLToPath(new URL(`${module}.wasm`, folder(build)))),
  });
}

export const loadCore = (build: Build): Promise<RawCore> => loadModule('start', build);
export const loadFull = (build: Build): Promise<RawFull> => loadModule('full', build);

/** Stands in for a worker: the real server behind a real message port, with hooks that provoke failures. */
export class InProcessWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  onerror: WorkerLike['onerror'] = null;
  terminated = false;
  readonly #page = new MessageChannel();
  readonly scope: ServerScope;

  constructor(options: Partial<ServerOptions<RawFull>> = {}) {
    const { port1, port2 } = this.#page;
    this.scope = {
      onmessage: null,
      postMessage: (message: Reply, transfer: Transferable[]) =>
        port2.postMessage(message, transfer),
    };
    port2.onmessage = (event) => this.scope.onmessage?.(event as MessageEvent<Request>);
    port1.onmessage = (event) => {
      if (!this.terminated) this.onmessage?.(event as MessageEvent<Reply>);
    };
    serve(this.scope, {
      prepare: async (module, build) => () => loadModule(module, build),
      operations: { start: startOperations, full: fullOperations },
      alive: aliveIn,
      ...options,
    });
  }

  postMessage(message: Request, transfer: Transferable[] = []): void {
    this.#page.port1.postMessage(message, transfer as never[]);
  }

  terminate(): void {
    this.terminated = true;
    this.#page.port1.close();
    this.#page.port2.close();
  }
}

/** A worker whose module `start` is made by `load`. */
export const coreWorker = (
  load: (build: Build) => Promise<RawCore> = loadCore,
  options: Partial<ServerOptions<RawFull>> = {},
) =>
  new InProcessWorker({
    prepare: async (module, build) => () =>
      module === 'start' ? (load(build) as Promise<RawFull>) : loadFull(build),
    ...options,
  });
/** A worker whose modules are made by `load`, for a client that begins with `full`. */
export const fullWorker = (load = loadFull) =>
  new InProcessWorker({ prepare: async (_, build) => () => load(build) });

export const createTestClient = (build: Build = fastest) =>
  createClient({ build, makeWorker: () => coreWorker() });
export const createFullTestClient = (build: Build = fastest) =>
  createClient({ build, module: 'full', makeWorker: () => fullWorker() });
