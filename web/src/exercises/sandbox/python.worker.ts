/** The script that runs a student's Python. */

import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { Arrays } from '#client/arrays';
import { courseModules } from '../python/course-modules';
import { createPython } from '../python/interpreter';
import { serve } from './worker';

const files = import.meta.glob<string>('../../../exercises/*/solution.py', {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** The solutions by exercise. The modules of the course contain them, and only scripts can import those. */
const solutions = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path.split('/').at(-2) ?? '', text]),
);

serve(async ({ arrays, interpreter, memoryBytes, countEntries = false }, hooks) => {
  if (!interpreter) throw new Error('the Python interpreter was not sent');
  return createPython({
    loadMicroPython,
    wasm: interpreter,
    arrays: await Arrays.load(arrays),
    scriptModules: courseModules(solutions),
    memoryBytes,
    countEntries,
    hooks,
  });
});
