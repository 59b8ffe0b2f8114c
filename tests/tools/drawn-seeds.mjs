// `node tests/tools/drawn-seeds.mjs [--seeds N] [--language python,javascript] [id …]`: runs every exercise's solution
// on the inputs that N seeds draw. A tolerance that is too tight for one seed in a hundred would fail a
// correct answer by chance; here it shows.
import { isMain, main, Stop } from '../../wasm/tools/process.mjs';
import { commandLine } from './command-line.mjs';
import { openJudge } from './judge.mjs';

/** @returns what failed, of how many: {id, language, seed, message} */
export async function tryDrawnSeeds({ seeds, languages, ids = [] }) {
  const opened = await openJudge({ warm: true });
  const { judge, tools } = opened;
  const failures = [];
  let runs = 0;
  try {
    for (const id of ids.length > 0 ? ids : judge.exerciseIds) {
      const exercise = judge.loadExercise(id);
      const drawn = [];
      for (let seed = 0; seed < seeds; ++seed) {
        for (const one of await judge.drawnCasesOf(exercise, seed, tools))
          drawn.push({ seed, ...one });
      }
      for (const language of languages.filter((one) => judge.languagesOf(exercise).includes(one))) {
        // A run shows at most 40 figures, so what draws is run anew for each seed.
        const draws = exercise.results.some(({ type }) => type === 'drawing');
        const perRun = draws ? drawn.length / seeds : drawn.length;
        const cases = [];
        for (let from = 0; from < drawn.length; from += perRun) {
          const run = await tools.run({
            language,
            code: judge.loadSolution(id, language),
            entry: judge.entryOf(exercise, language),
            cases: drawn.slice(from, from + perRun).map(({ args }) => ({ args })),
            parameters: exercise.parameters.map(({ type }) => type),
            ...(draws && { draws }),
          });
          if (run.loadError) throw new Stop(`${id}, ${language}: ${run.loadError.message}`);
          cases.push(...run.cases);
        }
        const limits = judge.limitsOf(exercise, language);
        for (const [at, { seed, name, args, expected }] of drawn.entries()) {
          const { value, error } = cases[at];
          const message = error?.message ?? judge.compare(value, expected, limits(args))?.message;
          ++runs;
          if (message) failures.push({ id, language, seed, name, message });
        }
      }
    }
  } finally {
    opened.close();
  }
  return { runs, failures };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { option, rest: args } = commandLine();
    const seeds = Number(option('--seeds') ?? 200);
    const languages = (option('--language') ?? 'python,javascript').split(',');
    const { runs, failures } = await tryDrawnSeeds({ seeds, languages, ids: args });
    for (const one of failures) console.log(Object.values(one).join(', '));
    console.log(`${runs} drawn cases of ${seeds} seeds, ${failures.length} failed`);
    if (failures.length > 0) process.exitCode = 1;
  });
}
