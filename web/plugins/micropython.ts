import type { Plugin } from 'vite';
import { adaptGlue } from '../src/exercises/python/micropython-glue.ts';

/** MicroPython's glue, fit for a worker: see `adaptGlue`. */
export function micropythonGlue(): Plugin {
  return {
    name: 'micropython-glue',
    transform(code, id) {
      return /micropython\.mjs(\?.*)?$/.test(id) ? { code: adaptGlue(code), map: null } : undefined;
    },
  };
}
