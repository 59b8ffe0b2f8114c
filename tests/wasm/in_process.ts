import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient, type WorkerLike } from '../../wasm/client/client';
import type { Build, Reply, Request } from '../../wasm/client/protocol';
import type { CoreFactory, RawCore } from '../../wasm/client/raw';
import { type ServerScope, serve } from '../../wasm/client/server';

const folder = (build: Build): URL => new URL(`../../build/wasm/${build}/`, import.meta.url);

/** The real module in Node: the glue cannot fetch there, so it is handed the bytes. */
export async function loadCore(build: Build): Promise<RawCore> {
  const glue: { default: CoreFactory } = await import(
    /* @vite-ignore */ new URL('core.mjs', folder(build)).href
  );
  return glue.default({
    wasmBinary: readFileSync(fileURLToPath(new URL('core.wasm', folder(build)))),
  });
}

/** A worker that is none: the real server over a real message port, with hooks for mishaps. */
export class InProcessWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  onerror: WorkerLike['onerror'] = null;
  terminated = false;
  readonly #page = new MessageChannel();
  readonly scope: ServerScope;

  constructor(load: (build: Build) => Promise<RawCore> = loadCore) {
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
    serve(this.scope, load);
  }

  postMessage(message: Request): void {
    this.#page.port1.postMessage(message);
  }

  terminate(): void {
    this.terminated = true;
    this.#page.port1.close();
    this.#page.port2.close();
  }
}

export const createTestClient = (build: Build = 'simd') =>
  createClient({ build, makeWorker: () => new InProcessWorker() });
