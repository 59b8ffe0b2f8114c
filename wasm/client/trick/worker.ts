/** The module worker of the kernel trick. */
import { loadGlue, nearest } from '../glues';
import type { Factory } from '../raw';
import { type ServerScope, serve } from '../server';
import { trickOperations } from './operations';
import type { RawTrick } from './raw';

const glues = import.meta.glob<{ default: Factory<RawTrick> }>('../../../build/wasm/*/trick.mjs');

serve(self as unknown as ServerScope, (build) => loadGlue(glues, build), trickOperations, {
  nearest: (build) => nearest(glues, build),
});
