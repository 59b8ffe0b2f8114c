// `npm run exercises [-- id …]`: proves that every exercise can be solved and that every mistake is
// recognised. For each language the starter fails and the solution passes; each wrong variant fails
// with its own message: in Python all of them, in JavaScript and C++ those that have an edit.
//
//   npm run exercises -- --language python,javascript --seed 7 stable-softmax
//
// Drawn inputs come from one seed, 1 unless another is given, so that the same files give the same proof.
import { existsSync } from 'node:fs';
import { isMain, main, Stop } from '../../wasm/tools/process.mjs';
import { commandLine } from './command-line.mjs';
import { openJudge } from './judge.mjs';
import { table } from './table.mjs';

const wantedExercises = 30;
const wantedVariants = 4;
const languages = ['python', 'javascript', 'cpp'];
const native = new URL('./exercises-native.mjs', import.meta.url);

/**
 * Whether a mistake is found by inputs that no table of answers holds: one of the drawn cases fails, unless the mistake
 * is one of cost or says that drawn inputs show it with some seeds only, or never.
 */
const isDrawnOut = ({ evidence = 'output' }, { cases }) =>
  evidence === 'cost' ||
  evidence === 'fixed' ||
  cases.some(({ drawn, passed }) => drawn && !passed);

/** Lists the faults of a specification that its types cannot express. */
function faults(exercise, id, spoken) {
  const { variants, cases, hints, tolerance, cost, task, summary } = exercise;
  const found = [];
  const check = (right, message) => {
    if (!right) found.push(message);
  };
  check(exercise.id === id, `its id is ${exercise.id}`);
  check(variants.length >= wantedVariants, `${variants.length} variants, not ${wantedVariants}`);
  const drawn = exercise.results.some(({ type }) => type === 'drawing');
  check(!drawn || spoken.join() === 'python', 'only Python draws');
  for (const language of spoken.filter((one) => one !== 'python')) {
    check(
      variants.some((variant) => variant[language]?.length > 0),
      `no variant in ${language}`,
    );
  }
  const unique = (list) => new Set(list).size === list.length;
  check(unique(variants.map((variant) => variant.id)), 'two variants with one id');
  check(unique(variants.map((variant) => variant.message)), 'two variants with one message');
  check(
    variants.every((variant) => variant.python.length > 0 && variant.message.trim() !== ''),
    'a variant without an edit in Python or without a message',
  );
  check(
    cases.some(({ hidden }) => hidden) && cases.some(({ hidden }) => !hidden),
    'cases must be visible and hidden',
  );
  check(unique(cases.map(({ name }) => name)), 'two cases with one name');
  check(
    hints.every((hint) => hint.trim() !== '') && unique(hints),
    'three different hints are wanted',
  );
  check(tolerance.reason.trim() !== '', 'the tolerance has no reason');
  check(task.length > 0 && summary.trim() !== '', 'no task or no summary');
  check(!cost || cost.sizes.length >= 4, 'a cost bound wants at least four sizes');
  return found;
}

/** Summarises a grade in one line. */
function why(grade) {
  if (grade.loadError) return `${grade.loadError.type}: ${grade.loadError.message}`;
  if (grade.stopped) return `stopped: ${grade.stopped}`;
  const failed = grade.cases.find(({ passed }) => !passed);
  const error = failed?.outcome?.error;
  if (error) {
    return `"${failed.name}": ${error.type}: ${error.message}${error.line ? ` (line ${error.line})` : ''}`;
  }
  if (failed) return `"${failed.name}": ${failed.mismatch?.message ?? 'no answer'}`;
  if (grade.cost && !grade.cost.passed) return grade.cost.message;
  return 'passed';
}

/** Makes one line of the proof. */
const proof = (id, language, kind, name, ok, detail) => ({ id, language, kind, name, ok, detail });

async function proveInterpreted(exercise, language, seed, { judge, tools }) {
  const { id, variants } = exercise;
  const files = { python: await judge.loadSolution(id, 'python') };
  const solution = await judge.loadSolution(id, language);
  if (files.python === undefined || solution === undefined) {
    return [proof(id, language, 'solution', 'solution', false, 'there is no such file')];
  }
  const proofs = [];
  const attempt = async (kind, name, make, judgeOf) => {
    try {
      const grade = await judge.grade(exercise, files, make(), language, tools, { seed });
      proofs.push(proof(id, language, kind, name, ...judgeOf(grade)));
    } catch (error) {
      proofs.push(proof(id, language, kind, name, false, error?.message ?? String(error)));
    }
  };
  await attempt(
    'starter',
    'starter',
    () => judge.starter(exercise, language),
    (grade) => [
      // Code that is given for repair holds a mistake, which may be recognised.
      !grade.passed && !grade.loadError && (!grade.variant || exercise.given !== undefined),
      grade.variant ? `recognised as ${grade.variant.id}` : why(grade),
    ],
  );
  await attempt(
    'solution',
    'solution',
    () => solution,
    (grade) => [grade.passed, why(grade)],
  );
  for (const variant of variants) {
    if (!variant[language]) continue;
    await attempt(
      'variant',
      variant.id,
      () => judge.edited(solution, variant[language]),
      (grade) => {
        const wrong = isDrawnOut(variant, grade)
          ? ''
          : 'the drawn inputs do not show it: with a table of the fixed answers it would pass';
        const named = grade.variant?.id === variant.id && grade.variant.message !== '';
        const detail = grade.variant
          ? `recognised as ${grade.variant.id}`
          : `not recognised; ${why(grade)}`;
        return [!grade.passed && named && wrong === '', grade.passed ? 'passes' : wrong || detail];
      },
    );
  }
  return proofs;
}

function report(proofs, exercises) {
  const share = (list) => `${list.filter(({ ok }) => ok).length}/${list.length}`;
  const of = (list, kind, language) =>
    list.filter((one) => one.kind === kind && (!language || one.language === language));
  const line = (label, list) => [
    label,
    [...new Set(list.filter(({ kind }) => kind !== 'specification').map((one) => one.language))]
      .length,
    share(of(list, 'starter')),
    share(of(list, 'solution')),
    ...languages.map((language) => share(of(list, 'variant', language))),
  ];
  const head = [
    'exercise',
    'languages',
    'starters fail',
    'solutions pass',
    'variants killed: python',
  ];
  const rows = exercises.map((id) =>
    line(
      id,
      proofs.filter((one) => one.id === id),
    ),
  );
  console.log(
    table([...head, 'javascript', 'c++'], [...rows, line(`all ${exercises.length}`, proofs)]),
  );
  for (const { id, language, kind, name, ok, detail } of proofs) {
    if (!ok)
      console.log(
        `failed: ${id}, ${language}, ${kind === name ? kind : `${kind} ${name}`}: ${detail}`,
      );
  }
  return {
    passed: proofs.filter(({ ok }) => ok).length,
    failed: proofs.filter(({ ok }) => !ok).length,
  };
}

/**
 * @param {object} [options]
 * @param {string[]} [options.ids] all unless given
 * @param {string[]} [options.only] languages
 * @param {number} [options.seed] of drawn inputs
 */
export async function exercises({ ids = [], only = languages, seed = 1 } = {}) {
  const opened = await openJudge({ warm: true });
  try {
    const known = opened.judge.exerciseIds;
    const unknown = ids.filter((id) => !known.includes(id));
    if (unknown.length > 0) {
      throw new Stop(`unknown: ${unknown.join(', ')}; exercises: ${known.join(', ')}`);
    }
    const wanted = ids.length > 0 ? ids : known;
    const proofs = [];
    if (ids.length === 0 && known.length < wantedExercises) {
      const detail = `${known.length} exercises, not ${wantedExercises}`;
      proofs.push(proof('all', 'all', 'specification', 'count', false, detail));
    }
    for (const id of wanted) {
      const exercise = opened.judge.loadExercise(id);
      const spoken = opened.judge.languagesOf(exercise);
      const found = faults(exercise, id, spoken);
      proofs.push(
        proof(id, 'all', 'specification', 'complete', found.length === 0, found.join('; ')),
      );
      for (const language of ['python', 'javascript']) {
        if (only.includes(language) && spoken.includes(language))
          proofs.push(...(await proveInterpreted(exercise, language, seed, opened)));
      }
    }
    if (only.includes('cpp')) {
      if (!existsSync(native)) throw new Stop('tests/tools/exercises-native.mjs is missing');
      const { judgeNative } = await import(native.href);
      const compiled = wanted.filter((id) =>
        opened.judge.languagesOf(opened.judge.loadExercise(id)).includes('cpp'),
      );
      proofs.push(...(await judgeNative(compiled, opened)));
    }
    return report(proofs, wanted);
  } finally {
    opened.close();
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { option, rest: args } = commandLine();
    const only = option('--language')?.split(',');
    const seed = Number(option('--seed') ?? 1);
    if (!Number.isSafeInteger(seed) || seed < 0) throw new Stop('--seed: a whole number is wanted');
    const odd = only?.find((name) => !languages.includes(name));
    if (odd !== undefined)
      throw new Stop(`unknown language ${odd}; there are ${languages.join(', ')}`);
    const { passed, failed } = await exercises({ ids: args, seed, ...(only && { only }) });
    console.log(`${passed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  });
}
