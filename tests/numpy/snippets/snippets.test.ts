import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { close } from '../../../web/src/exercises/judge/close';
import { openPython } from '../../tools/python-parts.mjs';
import { cases, script } from './cases.mjs';

const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const read = (name: string) => text(`${name}.py`);
const expected = JSON.parse(text('expected.json')) as Record<string, string>;
let createPython: Awaited<ReturnType<typeof openPython>>['createPython'];
let missingImports: Awaited<ReturnType<typeof openPython>>['missingImports'];

beforeAll(async () => {
  ({ createPython, missingImports } = await openPython());
}, 60_000);

/** Compares numbers to 6 digits, and everything else exactly. */
function expectSame(actual: string, wanted: string, last: number): void {
  const numerals = /-?\d+\.?\d*(?:e[-+]?\d+)?/g;
  expect(actual.replace(numerals, '#')).toBe(wanted.replace(numerals, '#'));
  const right = wanted.match(numerals)?.map(Number) ?? [];
  actual.match(numerals)?.forEach((x, i) => {
    const y = right[i] as number;
    expect(close(Number(x), y, 1e-6, last), `${x} instead of ${y}`).toBe(true);
  });
}

describe("the course texts' snippets print what NumPy and PyTorch print", () => {
  it.each(Object.keys(cases))(
    '%s',
    async (name) => {
      const { before, code } = script(name, read, false);
      const python = await createPython();
      const { error, traceback, prints } = python.runScript(code, before);
      expect(error && `${error.message}\n${traceback}`).toBeUndefined();
      // Sums in float32 depend on the order of adding, and torch prints four digits.
      // Real Python writes its warnings elsewhere.
      const printed = prints.replace(/^UserWarning: .*\n/gm, '');
      expectSame(printed, expected[name] ?? '', name.startsWith('lab') ? 1e-8 : 1.01e-4);
    },
    60_000,
  );

  const ofProject4 = readdirSync(new URL('.', import.meta.url))
    .filter((name) => /^project-04-.*\.py$/.test(name))
    .map((name) => name.slice(0, -'.py'.length));

  it('of project 4 are all here', () => {
    expect(ofProject4).toHaveLength(10);
  });

  it.each(ofProject4)(
    '%s runs unchanged on the scratch sheet',
    async (name) => {
      const python = await createPython();
      const code = read(name);
      const { error, traceback } = python.runScript(code, missingImports(code).before);
      expect(error && `${error.message}\n${traceback}`).toBeUndefined();
    },
    60_000,
  );

  it('run without a preamble in the texts of Lab 02 and Lab 03', async () => {
    const python = await createPython();
    for (const name of ['lab-02-expected-behavior', 'lab-03-expected-behavior', 'day-42-basic']) {
      const code = read(name);
      const { before } = missingImports(code);
      const { error, prints } = python.runScript(code, before);
      expect(error?.message).toBeUndefined();
      expect(prints).not.toBe('');
    }
  }, 60_000);
});
