/**
 * Objects that live in the worker. The page knows them by a number of its own choice that it never
 * uses twice: after a crash the new core does not know the number, and says so.
 */
let last = 0;

export const nextHandle = (): number => ++last;

/** What a call takes, but for the number that it is of. */
export type WithoutHandle<Input> = Omit<Input, 'handle'>;
