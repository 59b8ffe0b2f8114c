import type { Wording } from '#client/phrases';
import { errorOf, say } from '../run-phrases';
import type { RunError } from '../types';
import { phraseOf } from './refusal';

/** Where the student's lines begin in the script that runs, and how many lines they are. */
export interface Place {
  /** A part of the name that stack traces give the script. */
  readonly script: string;
  /** The number of lines of the script before the student's first line. */
  readonly before: number;
  readonly lines: number;
}

/** The first position of a stack trace that lies in the student's lines, counted from 1 within them. */
export function positionIn(
  stack: string | undefined,
  { script, before, lines }: Place,
): { line: number; column?: number } | undefined {
  for (const frame of (stack ?? '').split('\n')) {
    // Formats: "… (blob:null/4f…:12:5)", "f@blob:…:12:5" and, for a syntax error, "student.js:12".
    const found = frame.includes(script) ? /:(\d+)(?::(\d+))?\)?\s*$/.exec(frame) : null;
    const line = Number(found?.[1]) - before;
    if (line >= 1 && line <= lines) {
      return found?.[2] ? { line, column: Number(found[2]) } : { line };
    }
  }
  return undefined;
}

/**
 * The engines' messages, recognised by their text because engines give errors no id. Chromium, Firefox and Safari
 * word them differently.
 */
const plain: readonly (readonly [RegExp, Wording | ((name: string) => Wording)])[] = [
  [/maximum call stack|too much recursion/i, say('js_endless')],
  [
    /array buffer allocation failed|invalid (typed )?array (buffer )?length|out of memory/i,
    say('js_memory'),
  ],
  [
    /^(?:unexpected token 'export'|export declarations|unexpected keyword 'export')/i,
    say('js_export'),
  ],
  [
    /cannot use import statement|unexpected keyword 'import'|import declarations/i,
    say('js_import'),
  ],
  [
    /^identifier '(.+)' has already|^redeclaration of \w+ (\S+)|^can't create duplicate variable.*'(.+)'/i,
    (name) => say('js_declared', { name }),
  ],
  [
    /invalid (?:assignment )?left-hand side|left (?:hand )?side of (?:assignment|operator)/i,
    say('js_cannot_assign'),
  ],
  [/^missing (?:initializer|=) in const|const declared variable/i, say('js_const_value')],
  // What is left of syntax errors: engines name a sign at which they gave up.
  [/^(?:invalid or )?unexpected |^missing \S+ (?:after|before|in) |^expected /i, say('js_syntax')],
];

const names = (type: string, said: Wording | undefined): string =>
  type === 'RangeError' && said?.id === 'run.js_memory' ? 'MemoryError' : type;

function inPlainWords(told: string, ofSyntax: boolean): Wording | undefined {
  for (const [pattern, words] of plain) {
    const found = pattern.exec(told);
    if (!found) continue;
    if (typeof words !== 'function' && (ofSyntax || words.id !== 'run.js_syntax')) return words;
    if (typeof words === 'function') return words(found.slice(1).find(Boolean) ?? '');
  }
  return undefined;
}

/** Describes what the student's code threw in plain words. */
export function runError(thrown: unknown, place: Place): RunError {
  const { name, message, stack } = (
    typeof thrown === 'object' && thrown !== null ? thrown : {}
  ) as Partial<Error>;
  const told = typeof message === 'string' ? message : String(thrown);
  const ours = phraseOf(thrown) ?? inPlainWords(told, name === 'SyntaxError');
  const type = names(typeof name === 'string' ? name : 'Error', ours);
  const position = positionIn(String(stack ?? ''), place);
  return { ...(ours ? errorOf(type, ours) : { type, message: told || type }), ...position };
}
