/** The script that runs a student's Python. */

import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { Arrays } from '#client/arrays';
import { createPython } from '../python/interpreter';
import { serve } from './worker';

serve(async ({ arrays, interpreter, memoryBytes, modules = {} }, hooks) => {
  if (!interpreter) throw new Error('the Python interpreter was not sent');
  return createPython({
    loadMicroPython,
    wasm: interpreter,
    arrays: await Arrays.load(arrays),
    modules,
    memoryBytes,
    hooks,
  });
});
