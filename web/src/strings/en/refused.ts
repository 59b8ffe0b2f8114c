/**
 * What a visitor reads when a setting is refused. The core's own phrases name the argument of a call, what was seen
 * and what is wanted, because they are for whoever writes the call, in C++ or in TypeScript. A visitor moved a knob, so
 * the page says in a sentence what to do; it is chosen by the id of what was wanted, and other errors keep the core's
 * words.
 */
import type { RefusedWords } from '../problem.ts';

export const refused = {
  fits_in: (_, seen, { n }) =>
    `${seen} take more memory than the ${n} MiB that this page may use. Choose fewer tokens.`,
  at_most_mebibytes: (_, seen, { n }) =>
    `that would take ${seen} of memory, and ${n} MiB is the most. Choose smaller sizes.`,
  mebibytes_in_a_run: (_, seen, { n }) =>
    `that would take ${seen} of memory, and a run may take ${n} MiB. Choose smaller sizes.`,
  at_most_in_a_run: (_, seen, { n }) =>
    `that would take ${seen}, and a run may take ${n}. Choose smaller sizes.`,
  smaller_sizes: (name, seen) => `${name} is ${seen}, which is too much. Choose smaller sizes.`,
  at_least: (name, seen, { least }) => `${name} has to be at least ${least}; it is ${seen}.`,
  at_most: (name, seen, { most }) => `${name} may be at most ${most}; it is ${seen}.`,
  range: (name, seen, { least, most }) => `${name} goes from ${least} to ${most}; it is ${seen}.`,
  number_from_to: (name, seen, { least, most }) =>
    `${name} goes from ${least} to ${most}; it is ${seen}.`,
  whole_number_from_to: (name, seen, { least, most }) =>
    `${name} is a whole number from ${least} to ${most}, and not ${seen}.`,
  divisor: (name, seen, { of }) => `${name} has to divide ${of} without a rest; it is ${seen}.`,
  multiple: (name, seen, { of }) => `${name} has to be a multiple of ${of}; it is ${seen}.`,
  not_enough_memory: () =>
    'there is not enough memory for this size. Choose fewer tokens or narrower vectors.',
} as const satisfies RefusedWords;

/** Browsers word a module that did not arrive each in their way, in English, and with its address. */
export const notArrived = 'a part of this page did not arrive. Is there a connection? Try again';
