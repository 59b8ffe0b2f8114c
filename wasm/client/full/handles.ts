/**
 * Objects that live in the worker. The page knows them by a number of its own choice that it never
 * uses twice: after a crash the new core does not know the number, and says so.
 */
export interface Handle {
  readonly handle: number;
}

let last = 0;

export const nextHandle = (): number => ++last;
