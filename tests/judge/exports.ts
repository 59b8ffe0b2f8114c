/** Everything that plain scripts need from TypeScript, in one import, because Vite's runner is closed after it. */

export { createClient } from '../../wasm/client';
export { Arrays } from '../../wasm/client/arrays';

export { edited, variantCode } from '../../web/src/exercises/judge/apply-edits';
export { compare } from '../../web/src/exercises/judge/compare';
export { freshSeed } from '../../web/src/exercises/judge/draw';
export {
  casesOf,
  costCasesOf,
  drawnCasesOf,
  entryOf,
  grade,
  outcomesOf,
} from '../../web/src/exercises/judge/grade';
export { makeArgs, randomOf } from '../../web/src/exercises/judge/inputs';
export { limitsOf } from '../../web/src/exercises/judge/recognise-mistake';
export { languagesOf } from '../../web/src/exercises/languages';
export { adaptGlue } from '../../web/src/exercises/python/micropython-glue';
export { readLoaded, readOutcome } from '../../web/src/exercises/sandbox/read-outcome';
export { starter } from '../../web/src/exercises/starter';
export { readSubmission, SubmissionError, summaryOf } from '../../web/src/exercises/submission';
export { fullWorker } from '../wasm/in_process';
export { exerciseIds, loadExercise, loadSolution } from './exercises';
export { createNodeRunner } from './node';
