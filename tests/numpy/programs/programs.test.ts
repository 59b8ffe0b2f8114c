import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPython } from '../../tools/python-parts.mjs';

const expected = JSON.parse(
  readFileSync(new URL('expected.json', import.meta.url), 'utf8'),
) as Record<string, { readonly program: string; readonly prints: string }[]>;
let createPython: Awaited<ReturnType<typeof openPython>>['createPython'];
type Python = Awaited<ReturnType<typeof createPython>>;

/**
 * These programs change more than their globals, so each gets an interpreter of its own. Every program gets new
 * globals.
 */
const changesMore =
  /set_printoptions|\bseed\(|\bsetattr\(|^ *import (?:sys|builtins)\b|^\w+\.\w+ = /m;

beforeAll(async () => {
  ({ createPython } = await openPython());
}, 60_000);

describe.each(Object.entries(expected))(
  '%s programs print what they print in real Python',
  (_, programs) => {
    let kept: Promise<Python> | undefined;

    it.each(
      programs.map(({ program, prints }) => [
        program.split('\n').slice(0, 2).join(' '),
        program,
        prints,
      ]),
    )(
      '%s',
      async (_, program, prints) => {
        kept ??= createPython();
        const python = await (changesMore.test(program) ? createPython() : kept);
        const result = python.runScript(program, 'import numpy as np\nimport math\n');
        expect(result.error?.message).toBeUndefined();
        expect(result.prints).toBe(prints);
      },
      60_000,
    );
  },
);
