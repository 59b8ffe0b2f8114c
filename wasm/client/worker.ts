/** The module worker: loads the binary it is told to and serves it. */
import { coreOperations } from './operations';
import type { Build } from './protocol';
import type { CoreFactory, RawCore } from './raw';
import { type ServerScope, serve } from './server';

async function load(build: Build): Promise<RawCore> {
  const glue: { default: CoreFactory } =
    build === 'simd'
      ? await import('../../build/wasm/simd/core.mjs')
      : await import('../../build/wasm/scalar/core.mjs');
  return glue.default();
}

serve(self as unknown as ServerScope, load, coreOperations);
