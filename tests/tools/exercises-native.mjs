// The C++ half of `npm run exercises`: every stub compiles and fails, every solution passes, every
// wrong variant that is written in C++ fails with its own message. Three translation units, one of
// each kind; every exercise lies in a namespace of its own.
//
//   node tests/tools/exercises-native.mjs [--no-build] [id …]    (no-build: the wasm core as it is)
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryBuild } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { buildForCases, writeCases } from './exercise-cases.mjs';
import { exerciseIds, generatedFiles, readText, writeText } from './exercise-files.mjs';
import { openJudge } from './judge.mjs';

const folder = 'build/exercises/judge';
const secondsForOne = 60;

/**
 * These headers are included before any namespace opens. Inside a namespace their include guards leave them empty.
 */
const headers = [
  ...['algorithm', 'array', 'cassert', 'cmath', 'cstddef', 'cstdint', 'cstdlib', 'functional'],
  ...['iomanip', 'iostream', 'iterator', 'limits', 'map', 'memory', 'numbers', 'numeric'],
  ...['optional', 'queue', 'set', 'span', 'sstream', 'stdexcept', 'string', 'string_view'],
  ...['tuple', 'type_traits', 'unordered_map', 'utility', 'variant', 'vector'],
];

/**
 * Writes one program of one kind. A piece is the text of a student's file and of the doctest file that includes it:
 * {name, id, text, test}.
 */
function writeProgram(kind, pieces) {
  const lines = [
    '// Written by tests/tools/exercises-native.mjs.',
    ...headers.map((name) => `#include <${name}>`),
    '',
    '#include <doctest/doctest.h>',
    '',
    '#include "harness.hpp"',
  ];
  for (const { name, id, text, test } of pieces) {
    const place = `${kind}/${name}`;
    lines.push('', `namespace of_${name.replaceAll(/[^a-z0-9]/gi, '_')} {`);
    lines.push(`#include "${place}/${id}_test.cpp"`, '}');
    writeText(`${folder}/${place}/${id}.hpp`, text);
    writeText(`${folder}/${place}/${id}_test.cpp`, test);
  }
  writeText(`${folder}/${kind}.cpp`, `${lines.join('\n')}\n`);
}

/** The pieces that the compiler's errors mention. */
function blamed(kind, pieces, out) {
  const places = out.split('\n').filter((line) => /\berror:|required from/.test(line));
  return pieces.filter(({ name }) => places.some((line) => line.includes(`/${kind}/${name}/`)));
}

/** Compiles all pieces that compile; the others are returned with the compiler's messages. */
function compile(kind, pieces) {
  let compiled = pieces;
  const broken = [];
  while (compiled.length > 0) {
    writeProgram(kind, compiled);
    const { code, out } = tryBuild('exercises', [`judge-${kind}`]);
    if (code === 0) break;
    const guilty = blamed(kind, compiled, out);
    if (guilty.length === 0) {
      process.stderr.write(out);
      throw new Stop(`${folder}/${kind}.cpp does not compile: see the compiler's messages above.`);
    }
    const errors = out.split('\n').filter((line) => /\berror:/.test(line));
    for (const piece of guilty) {
      const own = errors.find((line) => line.includes(`/${kind}/${piece.name}/`)) ?? errors[0];
      broken.push({ piece, detail: `does not compile: ${own.replace(root, '').trim()}` });
    }
    compiled = compiled.filter((piece) => !guilty.includes(piece));
  }
  return { compiled, broken };
}

/** Runs one doctest case; returns its exit code and its grade. */
function gradeOf(kind, { name }) {
  const report = join(root, folder, `${kind}.json`);
  rmSync(report, { force: true });
  const { code, out } = capture(
    join(root, 'build/exercises/bin', `judge-${kind}`),
    [`--test-case=${name}`, '--no-colors=true'],
    { env: { ATTN_EXERCISE_REPORT: report }, timeout: secondsForOne * 1000 },
  );
  try {
    return { code, grade: JSON.parse(readFileSync(report, 'utf8')) };
  } catch {
    return { code, problem: out.trim().split('\n').slice(-4).join(' ') || 'it said nothing' };
  }
}

/** Summarises a grade in one line. */
function why({ cases, cost, variant }) {
  const failed = cases.find(({ passed }) => !passed);
  const error = failed?.outcome.error;
  const said = variant ? ` (recognised as ${variant.id})` : '';
  if (error) return `"${failed.name}": ${error.type}: ${error.message}${said}`;
  if (failed) return `"${failed.name}": ${failed.mismatch.message}${said}`;
  return cost && !cost.passed ? `${cost.message}${said}` : 'passed';
}

/** Checks that a stub compiles and that every case reports that nothing is written yet; given code just has to fail. */
function judgeStub({ code, grade }, { given }) {
  if (given) return code !== 0 && !grade.passed;
  const refused = grade.cases.every(
    ({ passed, outcome }) => !passed && outcome.error?.type === 'NotImplementedError',
  );
  return code !== 0 && !grade.passed && !grade.variant && refused;
}
const judgeSolution = ({ code, grade }) => code === 0 && grade.passed;
const judgeVariant = ({ code, grade }, { variant }) =>
  code !== 0 &&
  !grade.passed &&
  grade.variant?.id === variant.id &&
  grade.variant.message === variant.message;

/** Everything that has to be proved: pieces of each kind, and failures that leave nothing to try. */
async function piecesOf(exercise, { judge }) {
  const { id, variants } = exercise;
  const [stub, test] = await generatedFiles(exercise);
  const solution = readText(`web/exercises/${id}/solution.hpp`);
  const piece = (name, text) => ({
    name,
    id,
    text,
    // The program of variants contains an exercise several times, so each piece needs a name of its own.
    test: test.text.replace(`TEST_CASE("${id}")`, `TEST_CASE("${name}")`),
  });
  const stubs = [{ ...piece(id, stub.text), given: exercise.given !== undefined }];
  const pieces = { stubs, solutions: [], variants: [] };
  if (solution === undefined) return { pieces, problem: `there is no solution.hpp` };
  pieces.solutions.push(piece(id, solution));
  let problem = variants.some(({ cpp }) => cpp) ? undefined : 'no variant is written in C++';
  for (const variant of variants.filter(({ cpp }) => cpp)) {
    try {
      const text = judge.edited(solution, variant.cpp);
      pieces.variants.push({ ...piece(`${id}.${variant.id}`, text), variant });
    } catch (error) {
      problem = `variant ${variant.id}: ${error.message}`;
    }
  }
  return { pieces, problem };
}

/** The committed files of tests/exercises that somebody has edited since, as a student does. Without git: none. */
function editedFiles() {
  const { code, stdout } = capture('git', ['diff', '--name-only', 'HEAD', '--', 'tests/exercises']);
  return code === 0 ? stdout.split('\n') : [];
}

/** Checks that the files in tests/exercises are the current stubs. Files that a student edits are left out. */
async function outdated(exercise, edited) {
  const files = await generatedFiles(exercise);
  const found = files.filter(({ path, text }) => !edited.includes(path) && readText(path) !== text);
  const advice = `: \`node tests/tools/exercise-files.mjs ${exercise.id}\``;
  return found.length > 0 && `out of date: ${found.map(({ path }) => path).join(', ')}${advice}`;
}

/**
 * @returns proofs {id, language: 'cpp', kind: 'starter' | 'solution' | 'variant', name, ok, detail}
 */
export async function judgeNative(ids, opened) {
  const proofs = [];
  const proof = (id, kind, name, ok, detail) =>
    proofs.push({ id, language: 'cpp', kind, name, ok: Boolean(ok), detail });
  const all = { stubs: [], solutions: [], variants: [] };
  const edited = editedFiles();
  for (const id of ids) {
    try {
      const exercise = await opened.judge.loadExercise(id);
      await writeCases([id], opened);
      const { pieces, problem } = await piecesOf(exercise, opened);
      if (problem) proof(id, 'solution', 'solution.hpp', false, problem);
      const old = await outdated(exercise, edited);
      if (old) proof(id, 'starter', 'committed stub', false, old);
      for (const kind of Object.keys(all)) all[kind].push(...pieces[kind]);
    } catch (error) {
      proof(id, 'solution', 'cases', false, error?.message ?? String(error));
    }
  }
  const kinds = [
    ['stubs', 'starter', judgeStub],
    ['solutions', 'solution', judgeSolution],
    ['variants', 'variant', judgeVariant],
  ];
  for (const [program, kind, judge] of kinds) {
    const nameOf = ({ variant }) => variant?.id ?? kind;
    const { compiled, broken } = compile(program, all[program]);
    for (const { piece, detail } of broken) proof(piece.id, kind, nameOf(piece), false, detail);
    for (const piece of compiled) {
      const found = gradeOf(program, piece);
      const ok = found.grade !== undefined && judge(found, piece);
      proof(piece.id, kind, nameOf(piece), ok, found.problem ?? why(found.grade));
    }
  }
  return proofs;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const args = process.argv.slice(2);
    const wanted = args.filter((one) => one !== '--no-build');
    if (wanted.length === args.length) buildForCases();
    const opened = await openJudge();
    try {
      const proofs = await judgeNative(wanted.length > 0 ? wanted : exerciseIds(), opened);
      const failed = proofs.filter(({ ok }) => !ok);
      for (const { id, kind, name, detail } of failed)
        console.log(`${id}, ${kind} ${name}: ${detail}`);
      for (const kind of ['starter', 'solution', 'variant']) {
        const of = proofs.filter((one) => one.kind === kind);
        console.log(`${kind}s: ${of.filter(({ ok }) => ok).length} of ${of.length}`);
      }
      if (failed.length > 0) throw new Stop(`${failed.length} failed`);
    } finally {
      opened.close();
    }
  });
}
