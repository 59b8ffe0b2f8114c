/** Functions that `count-instrumentation.ts` writes calls of into the code of a run that counts. */
export interface CountingNames {
  /** Called at each pass of a loop and each call of a function. */
  readonly tick: string;
  /** Answers the array that it is given. */
  readonly made: string;
}

/** Other names in every run, so that no file can have variables of its own by these names. */
export function countingNames(): CountingNames {
  const mark = crypto.getRandomValues(new Uint32Array(2)).join('');
  return { tick: `tick${mark}`, made: `made${mark}` };
}
