/** Runs a folder of honest and dishonest submissions again, as an instructor does. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { SubmittedExercise } from '../../web/src/exercises/submission';
import { makeSubmission, printSubmission } from '../../web/src/exercises/submission';

const program = fileURLToPath(new URL('../tools/regrade.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'attention-labs-regrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const solution = (language: 'py' | 'js') =>
  readFileSync(
    fileURLToPath(
      new URL(`../../web/exercises/stable-softmax/solution.${language}`, import.meta.url),
    ),
    'utf8',
  );

interface Attempt {
  readonly language: SubmittedExercise['language'];
  readonly code: string;
  /** The claim of the submission. */
  readonly passed: boolean;
  readonly exercise?: string;
}

function submit(student: string, attempts: readonly Attempt[], change = (text: string) => text) {
  const submission = makeSubmission({
    student,
    time: '2026-01-01T00:00:00.000Z',
    versions: {},
    exercises: attempts.map(({ passed, exercise = 'stable-softmax', ...rest }) => ({
      ...rest,
      exercise,
      grade: { passed, cases: [], time: '2026-01-01T00:00:00.000Z' },
      runs: 1,
      hints: 0,
      solutionSeen: false,
      seeds: [],
    })),
  });
  writeFileSync(join(folder, `${student}.json`), change(printSubmission(submission)));
}

/** The table that the program writes of a folder. */
function runOn(submissions: string, ...options: readonly string[]) {
  const csv = join(submissions, 'grades.csv');
  const done = spawnSync(
    process.execPath,
    [program, submissions, '--csv', csv, '--timeout', '4', '--memory', '512', ...options],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  );
  expect(done.status, done.stderr).not.toBe(null);
  const [head = '', ...lines] = readFileSync(csv, 'utf8').trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((one) => one.replace(/,$/, ''));
    return Object.fromEntries(names.map((name, at) => [name, cells?.[at] ?? '']));
  });
  return { done, rows };
}

it('believes only what runs', () => {
  submit('honest', [
    { language: 'python', code: solution('py'), passed: true },
    { language: 'javascript', code: solution('js'), passed: true },
  ]);
  submit('forged', [
    { language: 'python', code: 'def stable_softmax(x):\n    return x\n', passed: true },
  ]);
  submit('changed', [{ language: 'python', code: solution('py'), passed: true }], (text) =>
    text.replace('"runs": 1', '"runs": 2'),
  );
  submit('=endless', [
    { language: 'javascript', code: 'function stableSoftmax() { while (true); }', passed: false },
  ]);
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'not for students');
  submit('curious', [
    {
      language: 'javascript',
      code: `function stableSoftmax() {
        const found = [];
        for (const way of [
          () => Matrix.constructor.constructor('return process')(),
          () => console.log.constructor('return process')(),
          () => eval('process'),
          () => process,
          () => require('fs'),
        ]) {
          try { way(); found.push(String(way)); } catch {}
        }
        throw new Error('found ' + found.length);
      }`,
      passed: false,
    },
    {
      language: 'python',
      code: `def stable_softmax(x):\n    return open(${JSON.stringify(secret)}).read()\n`,
      passed: false,
    },
  ]);
  submit('forger', [
    {
      language: 'python',
      code: 'import js\ndef stable_softmax(x):\n    return js.process.pid\n',
      passed: false,
    },
  ]);
  submit('odd\u001b[2J', [{ language: 'python', code: 'x = 1\n', passed: true }], (text) =>
    text.replace('"cases": []', '"cases": [null]'),
  );
  submit('elsewhere', [{ language: 'cpp', code: '// mine', passed: true }]);
  submit('unknown', [{ language: 'python', code: '', passed: true, exercise: 'no-such-thing' }]);
  writeFileSync(join(folder, 'other.json'), '{}');

  const { done, rows } = runOn(folder);
  expect(done.stderr).toBe('');
  // The exit status is 1 because something differs from what the files claim.
  expect(done.status).toBe(1);
  const of = (file: string) => rows.filter((row) => row.file === `${file}.json`);

  expect(of('honest')).toMatchObject([
    { result: 'passed', checksum: 'ok', remarks: '' },
    { result: 'passed', checksum: 'ok', remarks: '' },
  ]);
  expect(of('forged')).toMatchObject([{ result: 'failed', checksum: 'ok', said: 'passed' }]);
  expect(of('forged')[0]?.remarks).toContain('said passed');
  expect(of('changed')).toMatchObject([
    { result: 'passed', checksum: 'WRONG', remarks: 'the file was changed' },
  ]);
  // The name has the mark that keeps a spreadsheet from reading it as a formula.
  expect(of("'=endless")).toMatchObject([
    { student: "'=endless", result: 'failed', remarks: 'stopped: time' },
  ]);
  expect(of('curious')).toMatchObject([{ result: 'failed' }, { result: 'failed' }]);
  expect(of('curious')[0]?.why).toContain('found 0');
  expect(done.stdout).not.toContain('not for students');
  expect(of('forger')).toMatchObject([{ result: 'failed', remarks: '' }]);
  expect(rows.some((row) => row.file?.startsWith('odd') && row.result === 'failed')).toBe(true);
  expect(done.stdout).not.toContain('\u001b[2J');
  expect(of('elsewhere')).toMatchObject([{ result: 'not run' }]);
  expect(of('unknown')).toMatchObject([{ result: 'not run' }]);
  expect(of('other')).toMatchObject([{ result: 'not read' }]);
}, 300_000);

it('ends with a row for every file, whatever it holds', () => {
  const odd = mkdtempSync(join(tmpdir(), 'attention-labs-odd-'));
  try {
    const put = (name: string, text: string | Uint8Array) => writeFileSync(join(odd, name), text);
    const submission = (exercises: unknown, more: object = {}) =>
      JSON.stringify({ format: 'attention-labs/submission', v: 1, exercises, ...more });
    const runs = (code: string, language = 'javascript', more: object = {}) =>
      submission([{ exercise: 'stable-softmax', language, code, ...more }]);
    const own = { toString: 1, valueOf: null, toJSON: 2 };
    const answer = solution('js');

    put(
      'own-text.json',
      submission(
        [
          {
            exercise: 'stable-softmax',
            language: 'javascript',
            code: answer,
            hints: own,
            solutionSeen: own,
            grade: { passed: own, variant: own, cases: [own] },
          },
        ],
        { student: own },
      ),
    );
    put('own-version.json', JSON.stringify({ format: 'attention-labs/submission', v: own }));
    put(
      'prototype.json',
      `{"format":"attention-labs/submission","v":1,"__proto__":{"passed":true},"exercises":[{"exercise":"__proto__","language":"__proto__","code":"","__proto__":{"grade":{}}}]}`,
    );
    put('no-list.json', submission({ length: 3 }));
    put('nothing.json', submission([]));
    put('many.json', submission(Array(5000).fill({ exercise: 'none', language: 'cpp', code: '' })));
    put('deep.json', `${'['.repeat(200_000)}`);
    put(
      'bytes.json',
      Uint8Array.from({ length: 4096 }, (_, at) => (at * 197) % 256),
    );
    put('empty.json', '');
    put('huge.json', '');
    truncateSync(join(odd, 'huge.json'), 3 * 2 ** 30);
    mkdirSync(join(odd, 'folder.json'));
    put('folder.json/inside.json', runs(answer));
    symlinkSync(odd, join(odd, 'back'));
    symlinkSync(odd, join(odd, 'back.json'));
    symlinkSync('nowhere', join(odd, 'broken.json'));
    spawnSync('mkfifo', [join(odd, 'pipe.json')]);
    put('locked.json', runs(answer));
    chmodSync(join(odd, 'locked.json'), 0);
    // What it runs takes memory that is not on JavaScript's heap, or never ends.
    put(
      'outside.json',
      runs(`const held = [];
      function stableSoftmax() { for (;;) held.push(new Uint8Array(2 ** 26).fill(1)); }`),
    );
    put(
      'pages.json',
      runs(`const held = [];
      function stableSoftmax() { for (;;) { const m = new WebAssembly.Memory({ initial: 4096 }); new Uint8Array(m.buffer).fill(1); held.push(m); } }`),
    );
    put('result.json', runs('function stableSoftmax() { return new Float64Array(2 ** 27); }'));
    put('loading.json', runs('for (;;) {} function stableSoftmax() {}'));
    put(
      'python.json',
      runs(
        'kept = []\ndef stable_softmax(x):\n    while True: kept.append(b"0" * 10**7)\n',
        'python',
      ),
    );

    const { done, rows } = runOn(odd, '--seed', '77');
    expect(done.stdout).toContain('seed 77');
    const of = (name: string) => rows.filter(({ file }) => file === `${name}.json`);
    expect(of('own-text')).toMatchObject([{ result: 'passed', seed: '77' }]);
    expect(of('folder.json/inside')).toMatchObject([{ result: 'passed' }]);
    expect(of('prototype')).toMatchObject([{ result: 'not run' }]);
    expect(of('many')).toHaveLength(201);
    for (const name of [
      'own-version',
      'no-list',
      'nothing',
      'deep',
      'bytes',
      'empty',
      'huge',
      'folder',
      'back',
      'broken',
      'pipe',
    ]) {
      expect(of(name), name).toMatchObject([{ result: 'not read' }]);
      expect(of(name)[0]?.remarks, name).not.toBe('');
    }
    expect(of('huge')[0]?.remarks).toContain('3221225472 bytes');
    expect(of('back')[0]?.remarks).toContain('a link');
    // The superuser may read every file.
    expect(of('locked')).toMatchObject([
      { result: process.getuid?.() === 0 ? 'passed' : 'not read' },
    ]);
    for (const name of ['outside', 'pages', 'result', 'loading', 'python']) {
      expect(of(name), name).toMatchObject([{ result: 'failed' }]);
    }
    for (const name of ['outside', 'pages']) {
      const [row] = of(name);
      expect(`${row?.why} ${row?.remarks}`, name).toMatch(/memory/i);
    }
    expect(of('loading')[0]?.remarks).toContain('stopped: time');
    // Every file once, and nothing twice by way of a link.
    expect(new Set(rows.map(({ file }) => file)).size).toBe(21);
    expect(rows.filter(({ file }) => file?.includes('inside'))).toHaveLength(1);
  } finally {
    chmodSync(join(odd, 'locked.json'), 0o600);
    rmSync(odd, { recursive: true, force: true });
  }
}, 300_000);
