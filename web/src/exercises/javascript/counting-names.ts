/**
 * Names of the global functions that runs with counting have. `count-instrumentation.ts` writes calls of these
 * functions into the student's code.
 */

/** The function that is called at each pass of a loop. */
export const tick = '__attentionTick';
/** The function that is told of each new array; it returns the array that it is given. */
export const made = '__attentionMade';
