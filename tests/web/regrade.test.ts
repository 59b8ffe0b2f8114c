/** Runs a folder of honest and dishonest submissions again, as an instructor does. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

it('trusts only what the code does when it runs', () => {
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

  const csv = join(folder, 'grades.csv');
  const done = spawnSync(process.execPath, [program, folder, '--csv', csv, '--timeout', '10'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  expect(done.stderr).toBe('');
  // The exit status is 1 because something differs from what the files claim.
  expect(done.status).toBe(1);
  const [head = '', ...lines] = readFileSync(csv, 'utf8').trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((one) => one.replace(/,$/, ''));
    return Object.fromEntries(names.map((name, at) => [name, cells?.[at] ?? '']));
  });
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
