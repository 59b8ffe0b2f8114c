/** The module worker of the full module. */
import type { Build } from '../protocol';
import type { Factory } from '../raw';
import { type ServerScope, serve } from '../server';
import { fullOperations } from './operations';
import type { RawFull } from './raw';

async function load(build: Build): Promise<RawFull> {
  const glue: { default: Factory<RawFull> } =
    build === 'simd'
      ? await import('../../../build/wasm/simd/full.mjs')
      : await import('../../../build/wasm/scalar/full.mjs');
  return glue.default();
}

serve(self as unknown as ServerScope, load, fullOperations);
