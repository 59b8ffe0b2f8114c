import { afterAll } from 'vitest';
import type { GradeTools } from '../../web/src/exercises/judge/grade';
import { randomOf } from '../../web/src/exercises/judge/inputs';
import { openArrays } from '../judge/arrays';
import { createNodeRunner } from '../judge/node';
import { loadPythonParts } from '../tools/python-parts.mjs';
import { createFullTestClient } from '../wasm/in_process';

/**
 * What grades a file in Node, until the tests of the calling file have ended. `warm` keeps one interpreter for all
 * runs, as the page does for our own code: a fresh one for each takes a tenth of a second.
 */
export async function openGradeTools({ warm = false } = {}): Promise<GradeTools> {
  const arrays = await openArrays();
  const core = createFullTestClient();
  afterAll(() => core.dispose());
  const run = createNodeRunner({ makeArrays: openArrays, python: loadPythonParts, warm });
  return { core, arrays, random: randomOf(arrays), run };
}
