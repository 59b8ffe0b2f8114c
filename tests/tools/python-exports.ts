// What tests/tools/python-parts.mjs needs of the TypeScript, in one import.
export { Arrays } from '#client/arrays';
export { createPython } from '../../web/src/exercises/python/interpreter';

export const courseModules = (): Record<string, string> => ({});
