/** A student's JavaScript as part of a script: no `eval`, so it runs under a strict policy. */

import type { Place } from './errors';

export interface Program {
  readonly source: string;
  readonly place: Place;
}

/** Global function that the script hands the student's file to. */
export const hook = '__attentionLabs';

/**
 * The script that is `prelude` (which defines `hook`) and then the student's code as a function that
 * runs its top level and answers `entry`.
 */
export function program(prelude: string, code: string, entry: string, script: string): Program {
  const opening = `${prelude}\n;${hook}(function () { 'use strict';\n`;
  // Without a check an entry that is no name could close the function.
  const named = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(entry);
  const answer = named ? `typeof ${entry} === 'undefined' ? undefined : ${entry}` : 'undefined';
  return {
    source: `${opening}${code}\n;return ${answer};\n});\n`,
    place: { script, before: opening.split('\n').length - 1, lines: code.split('\n').length },
  };
}
