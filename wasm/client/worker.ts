/** The module worker: loads the binary it is told to and serves it. */
import { loadGlue, nearest } from './glues';
import { coreOperations } from './operations';
import type { CoreFactory } from './raw';
import { type ServerScope, serve } from './server';
import { warmCore } from './warm';

const glues = import.meta.glob<{ default: CoreFactory }>('../../build/wasm/*/core.mjs');

serve(self as unknown as ServerScope, (build) => loadGlue(glues, build), coreOperations, {
  nearest: (build) => nearest(glues, build),
  warm: warmCore,
});
