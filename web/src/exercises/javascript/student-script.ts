/**
 * Places a student's JavaScript in a script of its own. No `eval` is needed, so the script runs under a strict
 * policy.
 */

import type { CountingNames } from './counting-names';
import type { Place } from './errors';

export interface Program {
  readonly source: string;
  readonly place: Place;
}

/** The global function that the script passes the student's file to. */
export const hook = '__attentionLabs';

/**
 * Returns a script made of `prelude`, which defines the function named `hook`, and of the student's code inside a
 * function. That function runs the code's top level and returns `entry`.
 */
export function program(
  prelude: string,
  code: string,
  entry: string,
  script: string,
  names?: CountingNames,
): Program {
  // Parameters and no globals: a file cannot assign to what it cannot name.
  const counting = names ? `${names.tick}, ${names.made}` : '';
  const opening = `${prelude}\n;${hook}(function (${counting}) { 'use strict';\n`;
  // Without a check an entry that is no name could close the function.
  const named = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(entry);
  const answer = named ? `typeof ${entry} === 'undefined' ? undefined : ${entry}` : 'undefined';
  return {
    source: `${opening}${code}\n;return ${answer};\n});\n`,
    place: { script, before: opening.split('\n').length - 1, lines: code.split('\n').length },
  };
}
