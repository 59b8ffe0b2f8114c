/** Was man liest, wenn eine Einstellung abgelehnt wird: siehe `en/refused.ts`. */
import type { refused as english } from '../en/refused.ts';
import type { RefusedWords } from '../problem.ts';

export const refused = {
  fits_in: (_, seen, { n }) =>
    `${seen} brauchen mehr Speicher als die ${n} MiB, die diese Seite haben darf. Nimm weniger Token.`,
  at_most_mebibytes: (_, seen, { n }) =>
    `das bräuchte ${seen} Speicher, und mehr als ${n} MiB gibt es nicht. Nimm kleinere Größen.`,
  mebibytes_in_a_run: (_, seen, { n }) =>
    `das bräuchte ${seen} Speicher, und ein Lauf darf ${n} MiB brauchen. Nimm kleinere Größen.`,
  at_most_in_a_run: (_, seen, { n }) =>
    `das bräuchte ${seen}, und ein Lauf darf ${n} brauchen. Nimm kleinere Größen.`,
  smaller_sizes: (name, seen) => `${name} ist ${seen}, und das ist zu viel. Nimm kleinere Größen.`,
  at_least: (name, seen, { least }) => `${name} muss mindestens ${least} sein; es ist ${seen}.`,
  at_most: (name, seen, { most }) => `${name} darf höchstens ${most} sein; es ist ${seen}.`,
  range: (name, seen, { least, most }) => `${name} geht von ${least} bis ${most}; es ist ${seen}.`,
  number_from_to: (name, seen, { least, most }) =>
    `${name} geht von ${least} bis ${most}; es ist ${seen}.`,
  whole_number_from_to: (name, seen, { least, most }) =>
    `${name} ist eine ganze Zahl von ${least} bis ${most} und nicht ${seen}.`,
  divisor: (name, seen, { of }) => `${name} muss ${of} ohne Rest teilen; es ist ${seen}.`,
  multiple: (name, seen, { of }) => `${name} muss ein Vielfaches von ${of} sein; es ist ${seen}.`,
  not_enough_memory: () =>
    'für diese Größe reicht der Speicher nicht. Nimm weniger Token oder schmalere Vektoren.',
} as const satisfies RefusedWords & Record<keyof typeof english, unknown>;

export const notArrived =
  'ein Teil dieser Seite ist nicht angekommen. Besteht eine Verbindung? Versuch es noch einmal';
