// `npm run regrade -- <folder> [--csv file] [--timeout s] [--memory megabytes] [--seed n]`: runs every submission of a
// folder again and believes nothing that the files say about themselves. Inputs of hidden cases are drawn anew; `--seed`
// with the number that a report shows draws the same ones again.
//
// A student's code runs in a process of its own, which may read three files of ours and nothing else,
// write nothing, start nothing, and make no code from text (Node's permission model); where the
// system has `unshare`, it has no network either. A run that takes longer than the timeout, or more memory
// than it may have, is ended. Whatever a file contains, it gets a row: a bad file is not the end.
import { fork, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { commandLine } from './command-line.mjs';
import { openJudge } from './judge.mjs';
import { table } from './table.mjs';

const folderOfRunner = join(root, 'build/regrade');
const heapMegabytes = 1024;
/** All memory that a student's process may have unless told otherwise, also what lies outside of JavaScript's heap. */
const processMegabytes = 2048;
/** Node itself and the core take less, so that a submission is what fills it. */
const leastMegabytes = 512;
/** Between two looks at how much memory it has. */
const watchMilliseconds = 50;
/** Larger files are no submissions: the longest code that a page takes is a thousandth of it. */
const largestFile = 16 * 2 ** 20;
/** As many exercises as one file may have rows for. */
const mostExercises = 200;

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

/** Bytes of memory that a process has; undefined where the system does not say. */
function residentBytes(pid) {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Calls `end` once the process has more memory than it may have. Returns how to stop looking. */
function watchMemory(pid, megabytes, end) {
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) > megabytes * 2 ** 20) {
      clearInterval(timer);
      end();
    }
  }, watchMilliseconds);
  return () => clearInterval(timer);
}

const works = (...command) => spawnSync(command[0], command.slice(1)).status === 0;

/**
 * What stands before Node on the command line: no network, and a limit that the system itself keeps for
 * memory that can be written. (A limit on addresses would not do: WebAssembly reserves far more than
 * it uses.)
 */
function wrapper(megabytes) {
  const limit = ['prlimit', `--data=${megabytes * 2 ** 20}`];
  const isolated = works('unshare', '-rn', 'true');
  const limited = works(...limit, process.execPath, '--version');
  return { isolated, words: [...(isolated ? ['unshare', '-rn'] : []), ...(limited ? limit : [])] };
}

/** A runner that starts a process for every job. */
async function childRunner({ seconds, megabytes }, { adaptGlue, readLoaded, readOutcome }) {
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
  const { isolated, words } = wrapper(megabytes);
  const run = (job) =>
    new Promise((done, failed) => {
      const child = fork(program, [], {
        ...(words.length > 0
          ? { execPath: words[0], execArgv: [...words.slice(1), process.execPath, ...options] }
          : { execArgv: options }),
        env: {},
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      const cases = [];
      let errors = '';
      let result;
      let late = false;
      let swollen = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, seconds * 1000);
      const unwatch = watchMemory(child.pid, megabytes, () => {
        swollen = true;
        child.kill('SIGKILL');
      });
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
        unwatch();
        const { loadError, prints = '' } = result ?? {};
        const memory =
          swollen || /out of memory|allocation failed|bad_alloc|Array buffer alloc/i.test(errors);
        const stopped = result ? undefined : late ? 'time' : memory ? 'memory' : 'crash';
        done({ ...(loadError && { loadError }), prints, cases, ...(stopped && { stopped }) });
      });
      child.send({ job, ...files });
    });
  return { run, isolated };
}

const share = (cases) => `${cases.filter(({ passed }) => passed).length}/${cases.length}`;

/** Any field of a file as text: what it holds may be an object with a `toString` of its own. */
function textOf(value) {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, 200);
}

/** What differs between what the file says and what came out now. */
function differences(claimed, grade) {
  if (!claimed) return [];
  const found = [];
  if (typeof claimed !== 'object') return ['what it says of the result cannot be read'];
  if (claimed.passed !== grade.passed) {
    found.push(`said ${claimed.passed ? 'passed' : 'failed'}`);
  }
  const now = new Map(
    grade.cases.filter(({ drawn }) => !drawn).map(({ name, passed }) => [name, passed]),
  );
  const other = (Array.isArray(claimed.cases) ? claimed.cases : []).filter(
    (one) => now.has(one?.name) && now.get(one.name) !== one.passed,
  );
  if (other.length > 0) found.push(`${other.length} cases were told otherwise`);
  if (textOf(claimed.variant) !== (grade.variant?.id ?? '')) {
    found.push(`said ${textOf(claimed.variant) || 'no mistake'} was recognised`);
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

async function regradeOne(opened, run, file, submission, intact, seed) {
  const { judge, tools } = opened;
  const rows = [];
  const { exercises } = submission;
  for (const one of exercises.slice(0, mostExercises)) {
    const { exercise: id, language, code, grade: claimed, hints = 0, solutionSeen = false } = one;
    const row = {
      file,
      student: textOf(submission.student),
      exercise: id,
      language,
      result: '',
      cases: '',
      cost: '',
      mistake: '',
      why: '',
      said: claimed ? (claimed.passed ? 'passed' : 'failed') : '',
      hints: textOf(hints),
      seed: '',
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
        const grade = await judge.grade(
          exercise,
          files,
          code,
          language,
          {
            ...tools,
            runStudent: run,
          },
          { seed },
        );
        row.seed = String(grade.seed);
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
        row.remarks.push(messageOf(error));
      }
    }
  }
  if (exercises.length > mostExercises) {
    const left = exercises.length - mostExercises;
    rows.push(notRead(file, `${left} more exercises of this file were not run`));
  }
  if (rows.length === 0) rows.push(notRead(file, 'there is no exercise in it'));
  return rows;
}

const messageOf = (error) => (error instanceof Error ? error.message : textOf(error));

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
  ...['seed', 'hints', 'solutionSeen', 'checksum', 'remarks'],
];

/** The row of a file that was not run. */
const notRead = (file, why) => ({
  ...Object.fromEntries(columns.map((column) => [column, ''])),
  ...{ file, result: 'not read', remarks: [why] },
});

/**
 * Everything in a folder that is called like a submission: `{ name }`, with `why` where it is no file that
 * can be read. Links are not followed: one may lead back into the folder, or out of it.
 */
function filesIn(folder, below = '') {
  const found = [];
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    const named = entry.name.endsWith('.json');
    if (entry.isDirectory()) {
      if (named) found.push({ name, why: 'it is a folder' });
      try {
        found.push(...filesIn(folder, name));
      } catch (error) {
        found.push({ name, why: messageOf(error) });
      }
    } else if (named && !entry.isFile()) {
      const why = entry.isSymbolicLink() ? 'it is a link, which is not followed' : 'it is no file';
      found.push({ name, why });
    } else if (named) found.push({ name });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function textOfFile(path) {
  const { size } = lstatSync(path);
  if (size > largestFile) {
    throw new Error(`it has ${size} bytes; a submission has at most ${largestFile}`);
  }
  return readFileSync(path, 'utf8');
}

/** Without what a terminal would obey. */
const cell = (row, name) =>
  (name === 'remarks' ? row.remarks.join('; ') : String(row[name])).replaceAll(/\p{Cc}/gu, ' ');

/** Writes a cell of a CSV file, with a mark before text that a spreadsheet would take for a formula. */
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @returns one row for each exercise of each submission, and one for each file that is none */
export async function regrade(
  folder,
  { seconds = 60, megabytes = processMegabytes, seed: wanted } = {},
) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Stop(`${folder}: no such folder`);
  }
  const names = filesIn(folder);
  if (names.length === 0) throw new Stop(`${folder}: no submissions (.json) in it`);
  const opened = await openJudge();
  try {
    const { run, isolated } = await childRunner({ seconds, megabytes }, opened.judge);
    const rows = [];
    const seed = wanted ?? opened.judge.freshSeed();
    for (const { name, why } of names) {
      try {
        if (why) throw new Error(why);
        const read = opened.judge.readSubmission(textOfFile(join(folder, name)));
        rows.push(...(await regradeOne(opened, run, name, read.submission, read.intact, seed)));
      } catch (error) {
        rows.push(notRead(name, messageOf(error)));
      }
    }
    return { rows, isolated, seed };
  } finally {
    opened.close();
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { option, rest: args } = commandLine();
    const csv = option('--csv');
    const seconds = Number(option('--timeout') ?? 60);
    const megabytes = Number(option('--memory') ?? processMegabytes);
    const given = option('--seed');
    const wanted = given === undefined ? undefined : Number(given);
    const [folder, ...more] = args;
    const usable = wanted === undefined || (Number.isSafeInteger(wanted) && wanted >= 0);
    const enough = megabytes >= leastMegabytes;
    if (!folder || more.length > 0 || !(seconds > 0) || !enough || !usable) {
      throw new Stop(
        `usage: npm run regrade -- <folder> [--csv file] [--timeout seconds] [--memory megabytes, ${leastMegabytes} or more] [--seed number]`,
      );
    }
    const limits = { seconds, megabytes, seed: wanted };
    const { rows, isolated, seed } = await regrade(resolve(folder), limits);
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
      `\n${rows.length} rows, ${passed} passed, ${odd.length} with remarks; code ran ${network}; seed ${seed}`,
    );
    if (odd.length > 0) process.exitCode = 1;
  });
}
