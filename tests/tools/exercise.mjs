// `npm run exercise`: exercises in C++, for a student. Without an id, the list and how far you are.
//
//   npm run exercise -- ID              compiles tests/exercises/ID/ID.hpp and tries it
//   npm run exercise -- ID --watch      again whenever you save
//   npm run exercise -- ID --hint [N]   the next hint, or hint N
//   npm run exercise -- ID --solution   a solution, after a question (--yes: without)
//   npm run exercise -- ID --reset      the stub again; what you wrote is kept beside it
//   npm run exercise -- ID --json FILE  the grade, as the page writes it
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { tryBuild } from '../../wasm/tools/build.mjs';
import { main, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { importTypeScript } from './client.mjs';
import { buildForCases, upToDate, writeCases } from './exercise-cases.mjs';
import {
  exerciseIds,
  generatedFiles,
  loadExercise,
  loadExercises,
  readText,
  solutionPath,
  stubPath,
  writeText,
} from './exercise-files.mjs';
import { table } from './table.mjs';

const secondsForAll = 60;
const progressPath = 'tests/exercises/.progress.json';

// ---- Progress ---------------------------------------------------------------------------------

function readProgress() {
  try {
    return JSON.parse(readText(progressPath) ?? '{}');
  } catch {
    console.log(`${progressPath} cannot be read; it begins anew.`);
    return {};
  }
}

/** Reads the record of one exercise, lets `change` change it, and stores it. */
function note(id, change) {
  const all = readProgress();
  const before = { passed: false, runs: 0, hints: 0, solution: false, ...all[id] };
  all[id] = { ...before, ...change(before) };
  writeText(progressPath, `${JSON.stringify(all, null, 2)}\n`);
  return all[id];
}

async function list() {
  const progress = readProgress();
  const exercises = await loadExercises();
  const rows = exercises.map(({ id, title, lab }) => {
    const { passed, cases, hints = 0, solution } = progress[id] ?? {};
    const mark = passed ? '✓' : cases ? '…' : ' ';
    const seen = solution ? 'solution seen' : hints > 0 ? `${hints} hints` : '';
    return [`${mark} ${id}`, title.padEnd(48), lab.padEnd(16), cases?.join('/') ?? '', seen];
  });
  console.log(table(['exercise', 'what it is'.padEnd(48), 'lab'.padEnd(16), 'cases', ''], rows));
  const done = exercises.filter(({ id }) => progress[id]?.passed).length;
  console.log(`\n${done} of ${exercises.length} done.`);
  const next = exercises.find(({ id }) => !progress[id]?.passed);
  if (next) console.log(`Next: edit ${stubPath(next.id)}, then: npm run exercise -- ${next.id}`);
}

// ---- Trying -----------------------------------------------------------------------------------

/** The compiler's messages without those of the build system, with paths relative to the repository. */
function compilerWords(out) {
  return out
    .split('\n')
    .filter(
      (line) =>
        !/^(\[\d+\/\d+\]|FAILED: |ninja: |\S*(ccache|\/c\+\+|g\+\+|clang\+\+)\S* )/.test(line),
    )
    .join('\n')
    .replaceAll(root, '')
    .replaceAll(/(?<![\w.])\.\.\/\.\.\//g, '')
    .trim();
}

function showCompilerErrors(id, out) {
  const words = compilerWords(out);
  console.log(words);
  const own = words
    .split('\n')
    .map((line) => /^(\S+):(\d+):\d+: (?:fatal )?error: (.*)$/.exec(line))
    .find((found) => found?.[1] === stubPath(id));
  // The harness's message about a signature that it cannot call.
  const refused = /static assertion failed: (.*)/.exec(words)?.[1];
  const first = own ? `First error of yours: line ${own[2]}: ${own[3]}` : refused;
  console.log(`\nIt does not compile. ${first ?? 'See the messages above.'}`);
}

async function prepare(id) {
  for (const { path, text } of await generatedFiles(await loadExercise(id))) {
    if (readText(path) === undefined) writeText(path, text);
  }
  if (upToDate(id)) return;
  buildForCases();
  await writeCases([id]);
}

/** Compiles and runs an exercise; returns whether everything passed. */
function attempt(id, { json } = {}) {
  const { code, out } = tryBuild('exercises', [`exercise-${id}`]);
  if (code !== 0) {
    showCompilerErrors(id, out);
    note(id, ({ runs }) => ({ runs: runs + 1 }));
    return false;
  }
  if (/\bwarning:/.test(out)) console.log(`${compilerWords(out)}\n`);
  const report = join(root, 'build/exercises', `${id}.grade.json`);
  rmSync(report, { force: true });
  const program = join(root, 'build/exercises/bin', `exercise-${id}`);
  const done = spawnSync(program, [], {
    stdio: 'inherit',
    env: { ...process.env, ATTN_EXERCISE_REPORT: report },
    timeout: secondsForAll * 1000,
    killSignal: 'SIGKILL',
  });
  if (!existsSync(report)) {
    const why =
      done.error?.code === 'ETIMEDOUT'
        ? `did not end within ${secondsForAll} s: is there an endless loop?`
        : 'ended the program: see above.';
    console.log(`\nThe case after the last one shown ${why}`);
    note(id, ({ runs }) => ({ runs: runs + 1 }));
    return false;
  }
  const grade = JSON.parse(readFileSync(report, 'utf8'));
  if (json) writeFileSync(resolve(json), `${JSON.stringify(grade, null, 2)}\n`);
  const right = grade.cases.filter(({ passed }) => passed).length;
  const state = note(id, ({ runs }) => ({
    runs: runs + 1,
    passed: grade.passed,
    cases: [right, grade.cases.length],
  }));
  if (grade.passed) console.log('\nDone. What is next: npm run exercise');
  else if (state.hints < 3) console.log(`\nA hint: npm run exercise -- ${id} --hint`);
  // The student's own checks may fail although the exercise passes.
  return grade.passed && done.status === 0;
}

/** Tries again on every save, until Ctrl+C or q. */
async function watchAndTry(id, options) {
  const keys = process.stdin.isTTY ? 'Enter tries again, h gives a hint, q ends.' : '';
  const again = () => {
    if (process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[H');
    console.log(`${stubPath(id)}: compiling…\n`);
    attempt(id, options);
    console.log(`\nWatching: save the file and it runs again. ${keys}`);
  };
  let waiting;
  // Watching starts before the first try, so that a file saved meanwhile is not missed.
  watch(join(root, 'tests/exercises', id), (_, name) => {
    // Editors save a file in several steps.
    if (name && !/\.(hpp|cpp)$/.test(name)) return;
    clearTimeout(waiting);
    waiting = setTimeout(again, 200);
  });
  again();
  if (!process.stdin.isTTY) return;
  process.stdin.setRawMode(true);
  process.stdin.on('data', (pressed) => {
    const key = pressed.toString();
    if (key === 'q' || key === '\u0003' || key === '\u0004') process.exit();
    if (key === '\r') again();
    if (key === 'h') void showHint(id);
  });
}

// ---- Help -------------------------------------------------------------------------------------

/** A paragraph of the specification as lines of a terminal. */
async function paragraph(text) {
  const { plainText, wrap } = await importTypeScript('web/src/exercises/judge/plain-text.ts');
  return wrap(plainText(text), 90).join('\n');
}

async function showHint(id, wanted) {
  const { hints } = await loadExercise(id);
  const seen = readProgress()[id]?.hints ?? 0;
  const number = wanted ?? Math.min(seen + 1, hints.length);
  if (!(number >= 1 && number <= hints.length)) {
    throw new Stop(`there are hints 1 to ${hints.length}`);
  }
  note(id, () => ({ hints: Math.max(seen, number) }));
  console.log(`Hint ${number} of ${hints.length}\n\n${await paragraph(hints[number - 1])}`);
}

async function showSolution(id, yes) {
  const text = readText(solutionPath(id));
  if (text === undefined) throw new Stop(`${solutionPath(id)} is missing`);
  if (!yes) {
    if (!process.stdin.isTTY) throw new Stop('Nobody is there to ask; --yes shows the solution.');
    const asking = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await asking.question('Show the solution? Your progress will say so. [y/N] ');
    asking.close();
    if (!/^y(es)?$/i.test(answer.trim())) return;
  }
  note(id, () => ({ solution: true }));
  console.log(text);
}

async function reset(id) {
  const [stub] = await generatedFiles(await loadExercise(id));
  const before = readText(stub.path);
  if (before === stub.text) return console.log(`${stub.path} is the stub already.`);
  if (before !== undefined) {
    const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    const kept = stub.path.replace(/\.hpp$/, `.${time}.kept.hpp`);
    copyFileSync(join(root, stub.path), join(root, kept));
    console.log(`What you wrote is kept: ${kept}`);
  }
  writeText(stub.path, stub.text);
  note(id, () => ({ passed: false, cases: undefined }));
  console.log(`${stub.path} is the stub again.`);
}

// ---- Command line -----------------------------------------------------------------------------

function readArguments() {
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        watch: flag,
        hint: flag,
        solution: flag,
        reset: flag,
        list: flag,
        yes: flag,
        help: flag,
        json: { type: 'string' },
      },
    });
  } catch (error) {
    throw new Stop(`${error.message}\n\n${usage()}`);
  }
}

/** The comment at the head of this file. */
const usage = () =>
  readText('tests/tools/exercise.mjs')
    .split('\n\n')[0]
    .split('\n')
    .filter((line) => line.startsWith('//'))
    .map((line) => line.slice(3))
    .join('\n');

function requireExercise(id) {
  const known = exerciseIds();
  if (known.includes(id)) return;
  const near = known.filter((one) => id && (one.includes(id) || id.includes(one)));
  const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'npm run exercise';
  throw new Stop(`There is no exercise ${id}: ${meant}`);
}

await main(async () => {
  const { values, positionals } = readArguments();
  const [id, number] = positionals;
  if (values.help) return console.log(usage());
  if (!existsSync(join(root, 'node_modules'))) setup('exercise');
  if (values.list || id === undefined) return list();
  requireExercise(id);
  if (values.hint) return showHint(id, number === undefined ? undefined : Number(number));
  if (values.solution) return showSolution(id, values.yes);
  if (values.reset) return reset(id);
  setup('exercise');
  await prepare(id);
  if (values.watch) return watchAndTry(id, values);
  console.log(`${stubPath(id)}\n`);
  if (!attempt(id, values)) process.exitCode = 1;
});
