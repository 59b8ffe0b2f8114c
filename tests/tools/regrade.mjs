// `npm run regrade -- <folder> [--csv file] [--timeout s]`: runs every submission of a folder again
// and believes nothing that the files say about themselves.
//
// A student's code runs in a process of its own, which may read three files of ours and nothing else,
// write nothing, start nothing, and make no code from text (Node's permission model); where the
// system has `unshare`, it has no network either. A run that takes longer than the timeout is ended.
import { fork, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { openJudge } from './judge.mjs';
import { table } from './table.mjs';

const folderOfRunner = join(root, 'build/regrade');
const heapMegabytes = 1024;

/** Bundles the child's program into one file, so that it need not read our sources. */
async function buildRunner() {
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    build: {
      ssr: 'tests/judge/child.ts',
      outDir: folderOfRunner,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'child.mjs' } },
    },
    ssr: { noExternal: true },
  });
  return join(folderOfRunner, 'child.mjs');
}

const permissionFlag = () =>
  process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';

/** A runner that starts a new process for every job. */
async function childRunner(seconds, { adaptGlue, readLoaded, readOutcome }) {
  const { resolve: find } = createRequire(import.meta.url);
  const program = await buildRunner();
  const python = '@micropython/micropython-webassembly-pyscript';
  const glue = join(folderOfRunner, 'micropython.mjs');
  writeFileSync(glue, adaptGlue(readFileSync(find(`${python}/micropython.mjs`), 'utf8')));
  const files = {
    arrays: join(root, 'build/wasm/simd/arrays.wasm'),
    interpreter: find(`${python}/micropython.wasm`),
    glue,
  };
  const readable = [program, ...Object.values(files)];
  const options = [
    permissionFlag(),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMegabytes}`,
    '--no-warnings',
  ];
  const isolated = spawnSync('unshare', ['-rn', 'true']).status === 0;
  const run = (job) =>
    new Promise((done, failed) => {
      const child = fork(program, [], {
        ...(isolated
          ? { execPath: 'unshare', execArgv: ['-rn', process.execPath, ...options] }
          : { execArgv: options }),
        env: {},
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      const cases = [];
      let errors = '';
      let result;
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, seconds * 1000);
      child.stderr.on('data', (text) => {
        errors = (errors + text).slice(-4000);
      });
      child.on('message', (message) => {
        // The message is checked as the page checks it, because the student's code can send anything.
        if (message?.type === 'case' && cases.length < job.cases.length) {
          cases.push(readOutcome(message.outcome));
        } else if (message?.type === 'done') {
          result = readLoaded(message);
        }
      });
      child.once('error', failed);
      child.once('close', () => {
        clearTimeout(timer);
        const { loadError, prints = '' } = result ?? {};
        const memory = /heap out of memory|allocation failed/i.test(errors);
        const stopped = result ? undefined : late ? 'time' : memory ? 'memory' : 'crash';
        done({ ...(loadError && { loadError }), prints, cases, ...(stopped && { stopped }) });
      });
      child.send({ job, ...files });
    });
  return { run, isolated };
}

const share = (cases) => `${cases.filter(({ passed }) => passed).length}/${cases.length}`;

/** The differences between the grade in the file and the grade of this run. */
function differences(claimed, grade) {
  if (!claimed) return [];
  const found = [];
  if (typeof claimed !== 'object') return ['what it says of the result cannot be read'];
  if (claimed.passed !== grade.passed) {
    found.push(`said ${claimed.passed ? 'passed' : 'failed'}`);
  }
  const now = new Map(grade.cases.map(({ name, passed }) => [name, passed]));
  const other = (Array.isArray(claimed.cases) ? claimed.cases : []).filter(
    (one) => now.has(one?.name) && now.get(one.name) !== one.passed,
  );
  if (other.length > 0) found.push(`${other.length} cases were told otherwise`);
  if ((claimed.variant ?? '') !== (grade.variant?.id ?? '')) {
    found.push(`said ${String(claimed.variant ?? 'no mistake')} was recognised`);
  }
  return found;
}

/** The first failure of a grade. */
function whyNot({ cases, cost }) {
  const failed = cases.find(({ passed }) => !passed);
  const error = failed?.outcome?.error;
  if (error) return `${failed.name}: ${error.type}: ${error.message}`;
  if (failed) return `${failed.name}: ${failed.mismatch?.message ?? 'no answer'}`;
  return cost && !cost.passed ? cost.message : '';
}

async function regradeOne(opened, run, file, submission, intact) {
  const { judge, tools } = opened;
  const rows = [];
  for (const one of submission.exercises) {
    const { exercise: id, language, code, grade: claimed, hints = 0, solutionSeen = false } = one;
    const row = {
      file,
      student: String(submission.student ?? ''),
      exercise: id,
      language,
      result: '',
      cases: '',
      cost: '',
      mistake: '',
      why: '',
      said: claimed ? (claimed.passed ? 'passed' : 'failed') : '',
      hints,
      solutionSeen: solutionSeen ? 'yes' : '',
      checksum: intact ? 'ok' : 'WRONG',
      remarks: intact ? [] : ['the file was changed'],
    };
    rows.push(row);
    if (!judge.exerciseIds.includes(id)) {
      row.result = 'not run';
      row.remarks.push('there is no such exercise here');
    } else if (!['python', 'javascript'].includes(language)) {
      row.result = 'not run';
      row.remarks.push('C++ is compiled with `npm run exercise`, not here');
    } else {
      try {
        const exercise = judge.loadExercise(id);
        const files = { python: judge.loadSolution(id, 'python') };
        const grade = await judge.grade(exercise, files, code, language, {
          ...tools,
          runStudent: run,
        });
        row.result = grade.passed ? 'passed' : 'failed';
        row.cases = share(grade.cases);
        row.cost = grade.cost ? (grade.cost.passed ? 'ok' : 'too much') : '';
        row.mistake = grade.variant?.id ?? '';
        row.why = whyNot(grade);
        if (grade.stopped) row.remarks.push(`stopped: ${grade.stopped}`);
        if (grade.loadError)
          row.remarks.push(`${grade.loadError.type}: ${grade.loadError.message}`);
        row.remarks.push(...differences(claimed, grade));
      } catch (error) {
        // An error in one file must not lose the rows of the others.
        row.result = 'not run';
        row.remarks.push(error?.message ?? String(error));
      }
    }
  }
  return rows;
}

const columns = [
  ...[
    'file',
    'student',
    'exercise',
    'language',
    'result',
    'cases',
    'cost',
    'mistake',
    'why',
    'said',
  ],
  ...['hints', 'solutionSeen', 'checksum', 'remarks'],
];

/** Removes the characters that a terminal would obey. */
const cell = (row, name) =>
  (name === 'remarks' ? row.remarks.join('; ') : String(row[name])).replaceAll(/\p{Cc}/gu, ' ');

/** Writes a cell of a CSV file, with a mark before text that a spreadsheet would take for a formula. */
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @returns one row for each exercise of each submission, and one for each file that is none */
export async function regrade(folder, { seconds = 60 } = {}) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Stop(`${folder}: no such folder`);
  }
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new Stop(`${folder}: no submissions (.json) in it`);
  const opened = await openJudge();
  try {
    const { run, isolated } = await childRunner(seconds, opened.judge);
    const rows = [];
    for (const name of names) {
      let read;
      try {
        read = opened.judge.readSubmission(readFileSync(join(folder, name), 'utf8'));
      } catch (error) {
        const empty = Object.fromEntries(columns.map((column) => [column, '']));
        rows.push({ ...empty, file: name, result: 'not read', remarks: [error.message] });
        continue;
      }
      rows.push(...(await regradeOne(opened, run, name, read.submission, read.intact)));
    }
    return { rows, isolated };
  } finally {
    opened.close();
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const args = process.argv.slice(2);
    const option = (name) => {
      const at = args.indexOf(name);
      return at < 0 ? undefined : args.splice(at, 2)[1];
    };
    const csv = option('--csv');
    const seconds = Number(option('--timeout') ?? 60);
    const [folder, ...more] = args;
    if (!folder || more.length > 0 || !(seconds > 0)) {
      throw new Stop('usage: npm run regrade -- <folder> [--csv file] [--timeout seconds]');
    }
    const { rows, isolated } = await regrade(resolve(folder), { seconds });
    const lines = rows.map((row) => columns.map((name) => cell(row, name)));
    console.log(
      table(
        columns,
        lines.map((line) => line.map((text) => text.slice(0, 60))),
      ),
    );
    if (csv) {
      writeFileSync(
        csv,
        `${[columns, ...lines].map((line) => line.map(csvCell).join(',')).join('\n')}\n`,
      );
    }
    const odd = rows.filter(({ remarks, result }) => remarks.length > 0 || result === 'not read');
    const passed = rows.filter(({ result }) => result === 'passed').length;
    const network = isolated ? 'without a network' : 'with the network of this machine';
    console.log(
      `\n${rows.length} rows, ${passed} passed, ${odd.length} with remarks; code ran ${network}`,
    );
    if (odd.length > 0) process.exitCode = 1;
  });
}
