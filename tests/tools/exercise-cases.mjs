// What the native harness reads: build/exercises/cases/<id>.json holds an exercise's inputs, what the
// core expects of them, and what each wrong variant makes of them (run in Python, in which all are
// written).
//
//   node tests/tools/exercise-cases.mjs [id …]
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset } from '../../wasm/tools/build.mjs';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { exerciseIds, readText, writeText } from './exercise-files.mjs';
import { openJudge } from './judge.mjs';

/** The native judge counts at the lengths of one seed, so that its report is the same every time. */
const seedOfCost = 1;

const pathOf = (id) => `build/exercises/cases/${id}.json`;

/** Writes infinities as text, because JSON has none. */
const finite = (x) => (Number.isFinite(x) ? x : String(x));

/** A value in the form that the harness reads. */
function plain(value) {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : { kind: 'number', value: String(value) };
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value?.kind === 'array') return { ...value, data: Array.from(value.data, finite) };
  if (value?.kind === 'dict') {
    const entries = Object.entries(value.entries).map(([key, one]) => [key, plain(one)]);
    return { kind: 'dict', entries: Object.fromEntries(entries) };
  }
  return value ?? null;
}

/** The slope by which a mistake in cost is recognised. */
async function slope(exercise, variant, solution, { judge, tools }) {
  const { of } = exercise.cost;
  const counted = judge.costCasesOf(exercise, seedOfCost, tools.random);
  const { cases } = await tools.run({
    language: 'python',
    code: judge.variantCode(exercise, variant, solution),
    entry: exercise.entry,
    cases: counted.map(({ args }) => ({ args })),
    parameters: exercise.parameters.map(({ type }) => type),
  });
  const work = ({ counts }) =>
    of === 'largest' ? counts.largest : counts.multiplyAdds + counts.touched;
  return (await tools.core.fitSlope({ x: counted.map(({ n }) => n), y: cases.map(work) })).slope;
}

async function contentOf(exercise, opened) {
  const { judge, tools } = opened;
  const { id, entry, title, tolerance, cost } = exercise;
  const python = readText(`web/exercises/${id}/solution.py`);
  if (python === undefined) throw new Stop(`web/exercises/${id}/solution.py is missing`);
  const cases = await judge.casesOf(exercise, tools);
  const variants = [];
  // Slopes are needed only to distinguish several mistakes in cost.
  const several = exercise.variants.filter(({ evidence }) => evidence === 'cost').length > 1;
  for (const variant of exercise.variants) {
    const { message, evidence = 'output' } = variant;
    const about = { id: variant.id, message, evidence };
    if (evidence === 'cost') {
      variants.push(
        several ? { ...about, slope: await slope(exercise, variant, python, opened) } : about,
      );
      continue;
    }
    const outcomes = await judge.outcomesOf(exercise, { python }, variant, tools);
    variants.push({
      ...about,
      outcomes: outcomes.map(({ value, error }) =>
        error ? { error: error.type } : { value: plain(value) },
      ),
    });
  }
  return {
    id,
    entry,
    title,
    parameters: exercise.parameters.map(({ name }) => name),
    tolerance: { rtol: tolerance.rtol, atol: tolerance.atol },
    cases: cases.map(({ name, hidden, args, expected }) => ({
      name,
      hidden,
      args: plain(args),
      expected: plain(expected),
    })),
    variants,
    ...(cost && {
      cost: {
        of: cost.of ?? 'work',
        maxSlope: cost.maxSlope,
        wanted: cost.wanted,
        points: judge
          .costCasesOf(exercise, seedOfCost, tools.random)
          .map(({ n, args }) => ({ n, args: plain(args) })),
      },
    }),
  };
}

/** A hash of everything that the cases depend on, except the specification itself. */
function machinery() {
  const hash = createHash('sha256');
  const add = (path) => hash.update(path).update(readFileSync(join(root, path)));
  const from = 'web/src/exercises';
  for (const name of [
    'common-inputs.ts',
    'matrix-values.ts',
    'judge/inputs.ts',
    'judge/draw.ts',
    'judge/grade.ts',
    'judge/apply-edits.ts',
  ]) {
    add(join(from, name));
  }
  for (const name of readdirSync(join(root, from, 'python'), { recursive: true }).sort()) {
    if (/\.(ts|py)$/.test(name)) add(join(from, 'python', name));
  }
  for (const module of ['full', 'arrays']) add(`build/wasm/simd/${module}.wasm`);
  add('web/exercises/given.py');
  add('tests/tools/exercise-cases.mjs');
  return hash.digest('hex');
}

function fingerprint(id, ofMachinery) {
  const hash = createHash('sha256').update(ofMachinery);
  for (const name of ['exercise.ts', 'solution.py']) {
    hash.update(readText(`web/exercises/${id}/${name}`) ?? '');
  }
  return hash.digest('hex');
}

/** Builds the two wasm modules that the judge needs, in one build. */
export const buildForCases = () => buildPreset('wasm-simd', ['full', 'arrays']);

function isStale(id, ofMachinery) {
  const text = readText(pathOf(id));
  return !text || JSON.parse(text).fingerprint !== fingerprint(id, ofMachinery);
}

/** Whether the cases file of an exercise exists and is up to date. */
export const upToDate = (id) =>
  existsSync(join(root, 'build/wasm/simd/arrays.wasm')) && !isStale(id, machinery());

/** Writes the files that are out of date. `opened` is the judge, if it is already open. */
export async function writeCases(ids, opened) {
  const ofMachinery = machinery();
  const stale = ids.filter((id) => isStale(id, ofMachinery));
  if (stale.length === 0) return;
  const judge = opened ?? (await openJudge());
  try {
    for (const id of stale) {
      const content = await contentOf(await judge.judge.loadExercise(id), judge);
      writeText(
        pathOf(id),
        `${JSON.stringify({ fingerprint: fingerprint(id, ofMachinery), ...content })}\n`,
      );
    }
  } finally {
    if (!opened) judge.close();
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const wanted = process.argv.slice(2);
    const known = exerciseIds();
    const unknown = wanted.filter((id) => !known.includes(id));
    if (unknown.length > 0) throw new Stop(`no such exercise: ${unknown.join(', ')}`);
    buildForCases();
    await writeCases(wanted.length > 0 ? wanted : known);
  });
}
