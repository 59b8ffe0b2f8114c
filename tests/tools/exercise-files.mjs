// Where an exercise lies, and the C++ files that are made from its specification.
//
//   node tests/tools/exercise-files.mjs [id …]     writes tests/exercises/<id>/, all or those named
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { importTypeScript } from './client.mjs';

const specifications = join(root, 'web/exercises');

/** All exercises that are solved in C++, in alphabetical order. */
export function exerciseIds() {
  if (!existsSync(specifications)) return [];
  return readdirSync(specifications)
    .filter((id) =>
      ['exercise.ts', 'solution.hpp'].every((name) => existsSync(join(specifications, id, name))),
    )
    .sort();
}

export async function loadExercise(id) {
  return (await importTypeScript(`web/exercises/${id}/exercise.ts`)).exercise;
}

/** Finds the place in the course of a lab, or of a group of exercises without a lab. */
async function placesInCourse() {
  const { groups } = await importTypeScript('web/exercises/groups.ts');
  const numbers = new Map(groups.map(({ id, number }) => [id, number]));
  for (const id of readdirSync(join(root, 'web/labs'))) {
    if (!existsSync(join(root, 'web/labs', id, 'lab.ts'))) continue;
    numbers.set(id, (await importTypeScript(`web/labs/${id}/lab.ts`)).lab.number);
  }
  return (id) => numbers.get(id) ?? Number.POSITIVE_INFINITY;
}

/** The exercises, ordered by lab and by their place in it. */
export async function loadExercises(ids = exerciseIds()) {
  const place = await placesInCourse();
  const all = [];
  for (const id of ids) all.push(await loadExercise(id));
  return all.sort((a, b) => place(a.lab) - place(b.lab) || a.order - b.order);
}

export const stubPath = (id) => `tests/exercises/${id}/${id}.hpp`;
export const testPath = (id) => `tests/exercises/${id}/${id}_test.cpp`;
export const solutionPath = (id) => `web/exercises/${id}/solution.hpp`;

/** The text of a file of the repository; undefined where it does not exist. */
export function readText(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function writeText(path, text) {
  if (readText(path) === text) return false;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return true;
}

/** The text that the specification prescribes for these files. */
export async function generatedFiles(exercise) {
  const { starterCpp, testCpp } = await importTypeScript('web/src/exercises/judge/starter-cpp.ts');
  return [
    { path: stubPath(exercise.id), text: starterCpp(exercise) },
    { path: testPath(exercise.id), text: testCpp(exercise) },
  ];
}

/** Whether a student has worked in the file: it differs from the committed one, or holds an answer. */
function edited(path, { entry, given }) {
  const text = readText(path);
  if (text === undefined) return false;
  const known = capture('git', ['ls-files', '--error-unmatch', path]).code === 0;
  if (known) return capture('git', ['diff', '--quiet', 'HEAD', '--', path]).code !== 0;
  // Code that is given for repair cannot be told from an answer.
  return path.endsWith('.hpp') && !given && !text.includes(`throw NotWritten("${entry}")`);
}

/** Writes files that are missing or out of date, but never over a student's edits. */
export async function writeFiles(exercise) {
  const written = [];
  for (const { path, text } of await generatedFiles(exercise)) {
    if (readText(path) === text) continue;
    if (edited(path, exercise)) {
      console.log(`${path}: differs from the specification, but is edited: left alone`);
      continue;
    }
    writeText(path, text);
    written.push(path);
  }
  return written;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const wanted = process.argv.slice(2);
    const unknown = wanted.filter((id) => !exerciseIds().includes(id));
    if (unknown.length > 0) throw new Stop(`no such exercise: ${unknown.join(', ')}`);
    // Their order in the course does not matter here. It would need every lab, and so a built client.
    for (const id of wanted.length > 0 ? wanted : exerciseIds()) {
      for (const path of await writeFiles(await loadExercise(id))) console.log(path);
    }
  });
}
