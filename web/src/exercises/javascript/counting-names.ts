/** Global functions of runs that count; `count-instrumentation.ts` writes calls of them into the code. */

/** Called at each pass of a loop. */
export const tick = '__attentionTick';
/** Answers the array that it is given. */
export const made = '__attentionMade';
