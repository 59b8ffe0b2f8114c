// The TypeScript that tests/tools/python-parts.mjs needs, in one import.

import { courseModules as modulesOf } from '../../web/src/exercises/python/course-modules';

export { Arrays } from '#client/arrays';
export { missingImports } from '../../web/src/exercises/python/course-modules';
export { createPython } from '../../web/src/exercises/python/interpreter';

const files = import.meta.glob<string>('../../web/exercises/*/solution.py', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The modules of the course, made from the solutions in the repository. */
export const courseModules = (): Record<string, string> =>
  modulesOf(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.split('/').at(-2) ?? '', text]),
    ),
  );
