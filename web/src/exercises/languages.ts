import type { Exercise, Language } from './types.ts';

const all: readonly Language[] = ['python', 'javascript', 'cpp'];

/** The languages that an exercise can be solved in, in the order in which they are offered. */
export const languagesOf = ({ languages }: Pick<Exercise, 'languages'>): readonly Language[] =>
  languages ?? all;
