import { afterAll } from 'vitest';
import type { GradeTools } from '../../web/src/exercises/judge/grade';
import { randomOf } from '../../web/src/exercises/judge/inputs';
import { openArrays } from '../judge/arrays';
import { createNodeRunner } from '../judge/node';
import { loadPythonParts } from '../tools/python-parts.mjs';
import { createFullTestClient } from '../wasm/in_process';

/** What grades a file in Node, until the tests of the calling file have ended. */
export async function openGradeTools(): Promise<GradeTools> {
  const arrays = await openArrays();
  const core = createFullTestClient();
  afterAll(() => core.dispose());
  const run = createNodeRunner({ makeArrays: openArrays, python: loadPythonParts });
  return { core, arrays, random: randomOf(arrays), run };
}
