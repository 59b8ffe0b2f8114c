/** The module worker of the full module. */
import { loadGlue, nearest } from '../glues';
import type { Factory } from '../raw';
import { type ServerScope, serve } from '../server';
import { warmCore } from '../warm';
import { fullOperations } from './operations';
import type { RawFull } from './raw';

const glues = import.meta.glob<{ default: Factory<RawFull> }>('../../../build/wasm/*/full.mjs');

serve(self as unknown as ServerScope, (build) => loadGlue(glues, build), fullOperations, {
  nearest: (build) => nearest(glues, build),
  warm: warmCore,
});
