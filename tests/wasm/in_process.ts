import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { canRun } from '../../wasm/client/capabilities';
import { createClient, type WorkerLike } from '../../wasm/client/client';
import { createFullClient } from '../../wasm/client/full';
import { fullOperations } from '../../wasm/client/full/operations';
import type { RawFull } from '../../wasm/client/full/raw';
import { coreOperations, type Operations } from '../../wasm/client/operations';
import { type Build, builds, type Reply, type Request } from '../../wasm/client/protocol';
import type { Factory, RawCore } from '../../wasm/client/raw';
import { type ServerOptions, type ServerScope, serve } from '../../wasm/client/server';
import { createTrickClient } from '../../wasm/client/trick';
import { trickOperations } from '../../wasm/client/trick/operations';
import type { RawTrick } from '../../wasm/client/trick/raw';

const folder = (build: Build): URL => new URL(`../../build/wasm/${build}/`, import.meta.url);

// Node 20 can, when told to.
if (!canRun('relaxed')) setFlagsFromString('--experimental-wasm-relaxed-simd');

/** Every build there must be, and the relaxed one where the compiler could make it. */
export const testBuilds: readonly Build[] = builds.filter(
  (build) => build !== 'relaxed' || existsSync(folder(build)),
);
/** The one a browser takes. */
const fastest = testBuilds[0] as Build;

/** The real module in Node: the glue cannot fetch there, so it is handed the bytes. */
async function load<Raw>(module: 'core' | 'trick' | 'full', build: Build): Promise<Raw> {
  const glue: { default: Factory<Raw> } = await import(
    /* @vite-ignore */ new URL(`${module}.mjs`, folder(build)).href
  );
  return glue.default({
    wasmBinary: readFileSync(fileURLToPath(new URL(`${module}.wasm`, folder(build)))),
  });
}

export const loadCore = (build: Build) => load<RawCore>('core', build);
export const loadFull = (build: Build) => load<RawFull>('full', build);

/** A worker that is none: the real server over a real message port, with hooks for mishaps. */
export class InProcessWorker<Raw = RawCore> implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  onerror: WorkerLike['onerror'] = null;
  terminated = false;
  readonly #page = new MessageChannel();
  readonly scope: ServerScope;

  constructor(
    load: (build: Build) => Promise<Raw>,
    operations: Operations<Raw>,
    options: ServerOptions<Raw> = {},
  ) {
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
    serve(this.scope, load, operations, options);
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

export const coreWorker = (load = loadCore, options?: ServerOptions<RawCore>) =>
  new InProcessWorker(load, coreOperations, options);
export const fullWorker = (load = loadFull) => new InProcessWorker(load, fullOperations);

export const createTestClient = (build: Build = fastest) =>
  createClient({ build, makeWorker: () => coreWorker() });
export const createTrickTestClient = (build: Build = fastest) =>
  createTrickClient({
    build,
    makeWorker: () => new InProcessWorker((to) => load<RawTrick>('trick', to), trickOperations),
  });
export const createFullTestClient = (build: Build = fastest) =>
  createFullClient({ build, makeWorker: () => fullWorker() });
