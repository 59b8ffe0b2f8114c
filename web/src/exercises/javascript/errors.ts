import type { RunError } from '../types';

/** Where the student's lines begin in the script that runs, and how many there are. */
export interface Place {
  /** What a stack calls the script; a part of its name. */
  readonly script: string;
  /** Lines of the script before the student's first. */
  readonly before: number;
  readonly lines: number;
}

/** The first position of a stack that lies in the student's lines, 1-based there. */
export function positionIn(
  stack: string | undefined,
  { script, before, lines }: Place,
): { line: number; column?: number } | undefined {
  for (const frame of (stack ?? '').split('\n')) {
    // "… (blob:null/4f…:12:5)", "f@blob:…:12:5", and for a syntax error "student.js:12"
    const found = frame.includes(script) ? /:(\d+)(?::(\d+))?\)?\s*$/.exec(frame) : null;
    const line = Number(found?.[1]) - before;
    if (line >= 1 && line <= lines) {
      return found?.[2] ? { line, column: Number(found[2]) } : { line };
    }
  }
  return undefined;
}

const plain: readonly (readonly [RegExp, string])[] = [
  [
    /maximum call stack|too much recursion/i,
    'the function calls itself without end, or too many times for one call',
  ],
  [
    /array buffer allocation failed|invalid (typed )?array (buffer )?length|out of memory/i,
    'an array this large does not fit into the memory of a run',
  ],
  [
    /^(?:unexpected token 'export'|export declarations|unexpected keyword 'export')/i,
    'leave out `export`: the function is found by its name',
  ],
  [
    /cannot use import statement|unexpected keyword 'import'|import declarations/i,
    'there is nothing to import: Matrix and the given functions are there already',
  ],
];

const names = (type: string, message: string): string =>
  type === 'RangeError' && /memory/.test(message) ? 'MemoryError' : type;

/** What was thrown, in plain words. */
export function runError(thrown: unknown, place: Place): RunError {
  const { name, message, stack } = (
    typeof thrown === 'object' && thrown !== null ? thrown : {}
  ) as Partial<Error>;
  const said = typeof message === 'string' ? message : String(thrown);
  const words = plain.find(([pattern]) => pattern.test(said))?.[1] ?? said;
  const type = names(typeof name === 'string' ? name : 'Error', words);
  return { type, message: words || type, ...positionIn(String(stack ?? ''), place) };
}
