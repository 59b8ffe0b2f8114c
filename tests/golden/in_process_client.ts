/** The real client and the real server of the worker, joined by a message channel: for Node. */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient, type WorkerLike } from '../../wasm/client/client';
import type { Build } from '../../wasm/client/protocol';
import type { CoreFactory, RawCore } from '../../wasm/client/raw';
import { type ServerScope, serve } from '../../wasm/client/server';
import type { CoreClient } from '../../wasm/client/types';

async function load(build: Build): Promise<RawCore> {
  const file = (name: string): string =>
    fileURLToPath(new URL(`../../build/wasm/${build}/${name}`, import.meta.url));
  const glue: { default: CoreFactory } = await import(
    /* @vite-ignore */ pathToFileURL(file('core.mjs')).href
  );
  return glue.default({ wasmBinary: readFileSync(file('core.wasm')) });
}

export function inProcessClient(build: Build): CoreClient {
  return createClient({
    build,
    makeWorker: () => {
      const { port1, port2 } = new MessageChannel();
      serve(port2 as unknown as ServerScope, load);
      const worker = { onerror: null, terminate: () => port1.close() };
      return Object.assign(port1, worker) as unknown as WorkerLike;
    },
  });
}
