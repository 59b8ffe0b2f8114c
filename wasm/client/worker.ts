/** The module worker: loads the modules it is told to and answers with them. */

import { type ModuleFiles, nearest, prepareModule } from './modules';
import { aliveIn, fullOperations, startOperations } from './operations';
import type { Factory, RawFull } from './raw';
import { type ServerScope, serve } from './server';
import { warmCore } from './warm';

const files: ModuleFiles<RawFull> = {
  glues: import.meta.glob<{ default: Factory<RawFull> }>('../../build/wasm/*/{start,full}.mjs'),
  binaries: import.meta.glob('../../build/wasm/*/{start,full}.wasm', {
    eager: true,
    import: 'default',
    query: '?url',
  }),
};

serve<RawFull>(self as unknown as ServerScope, {
  prepare: (module, build) => prepareModule(files, module, build),
  operations: { start: startOperations, full: fullOperations },
  nearest: (build) => nearest(files, build),
  alive: aliveIn,
  warm: warmCore,
});
