// Python in the page answers as CPython does, or refuses by name: of the corpus (make.py) nothing differs silently.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Python } from '../../web/src/exercises/python/interpreter';
import { openPython } from '../tools/python-parts.mjs';

type Line = readonly [code: string, prints: string, error?: string];

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const [, ...lines] = read('corpus.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { python: string } | string | Line);

const parts: [name: string, entries: Line[]][] = [];
for (const line of lines) {
  if (typeof line === 'string') parts.push([line, []]);
  else parts.at(-1)?.[1].push(line as Line);
}

/** What an expression takes for granted; make.py imports the same. */
const modules =
  'math itertools functools collections re statistics string operator json random copy bisect heapq fractions decimal datetime enum textwrap'.split(
    ' ',
  );

function program(code: string): string {
  const expression = code.startsWith('= ') ? code.slice(2) : undefined;
  const imports = code.includes('import ')
    ? []
    : modules.filter((name) => code.includes(`${name}.`)).map((name) => `import ${name}\n`);
  return imports.join('') + (expression === undefined ? code : `print(repr((${expression})))`);
}

/** The sentences that say what this Python leaves out. */
const refusal =
  /not in this Python|(?:is|are) not here|leaves it out|There is no \w|is missing in|about 150 calls|not known here/;

/** After one of these the interpreter itself may have stopped. */
const mayHaveStopped = /^(?:MemoryError|RuntimeError|RecursionError)$/;

let createPython: Awaited<ReturnType<typeof openPython>>['createPython'];
let python: Python;
const refused: string[] = [];
let equal = 0;

beforeAll(async () => {
  ({ createPython } = await openPython());
  python = await createPython();
}, 60_000);

describe.each(parts)('%s', (_, entries) => {
  it('is as in CPython, or refused by name', { timeout: 120_000 }, async () => {
    const differing: string[] = [];
    for (const [code, prints, type] of entries) {
      const { error, prints: printed } = python.runScript(program(code));
      if (error && mayHaveStopped.test(error.type)) python = await createPython();
      // Our scripts end without an error when they exit.
      const wanted = type === 'SystemExit' ? undefined : type;
      if (printed === prints && error?.type === wanted) equal++;
      else if (error && refusal.test(error.message)) {
        // What was printed before is right as far as it goes.
        if (prints.startsWith(printed))
          refused.push(`${JSON.stringify(code)}\n    ${error.message}`);
        else differing.push(`${code}\n  prints ${JSON.stringify(printed)} before it is refused`);
      } else
        differing.push(
          `${code}\n  gives  ${JSON.stringify(printed)} ${error ? `${error.type}: ${error.message}` : ''}\n  CPython ${JSON.stringify(prints)} ${type ?? ''}`,
        );
    }
    expect(differing.join('\n')).toBe('');
  });
});

it('refuses what refused.txt lists, and nothing else', async () => {
  const text = `${refused.length} of ${refused.length + equal} are refused; all others are equal.\n\n${refused.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('refused.txt');
});
