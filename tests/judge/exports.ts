/** What plain scripts take from TypeScript: one import, because Vite's runner is closed after it. */
export { Arrays } from '../../wasm/client/arrays';
export { createFullClient } from '../../wasm/client/full';

export { edited, variantCode } from '../../web/src/exercises/judge/edit';
export { casesOf, entryOf, grade, outcomesOf } from '../../web/src/exercises/judge/grade';
export { makeArgs, randomOf } from '../../web/src/exercises/judge/inputs';
export { adaptGlue } from '../../web/src/exercises/python/glue';
export { readLoaded, readOutcome } from '../../web/src/exercises/sandbox/outcome';
export { starter } from '../../web/src/exercises/starter';
export { readSubmission, SubmissionError, summaryOf } from '../../web/src/exercises/submission';
export { fullWorker } from '../wasm/in_process';
export { exerciseIds, loadExercise, loadSolution } from './exercises';
export { createNodeRunner } from './node';
