// The trainings of `npm run bench:native`: a step of two small models, ours beside PyTorch on one thread.
//
// Before anything is timed, both train from the same parameters on the same batches, and have to agree
// (tests/bench/trainings.mjs). A step is forward, backward and AdamW. Ours draws its batch in the step, and finds
// accuracy and norm; PyTorch is given batches drawn before.
import { join } from 'node:path';
import { root } from '../../wasm/tools/process.mjs';
import { agreeing, agreement, beside, how, tolerances } from '../bench/trainings.mjs';
import { openProgram, pythonWith } from './bench-program.mjs';
import { pairedRatio, summary } from './bench-statistics.mjs';
import { table } from './table.mjs';

/** Issue 16, point 7: how many times faster than the fastest form of PyTorch a step should be. */
const wanted = 2;

/** One model: all forms are compared, and those that agree are measured in turns. */
async function train(ours, torch, name, { count, seconds }) {
  const { title, task, batch, model } = beside[name];
  const start = await ours.ask({ begin: { task, batch, model, how, steps: agreeing } });
  const { parameters, batches } = start;
  const seen = await torch.ask({ begin: { batch, model, how, parameters, batches } });
  const forms = Object.entries(seen).map(([form, one]) => ({ form, ...agreement(one, start) }));
  // The first round warms up.
  const mine = [];
  const others = Object.fromEntries(forms.map(({ form }) => [form, []]));
  for (let round = -1; round < count; round += 1) {
    const { milliseconds } = await ours.ask({ seconds });
    const all = await torch.ask({ seconds });
    if (round < 0) continue;
    mine.push(milliseconds);
    for (const { form } of forms) others[form].push(all[form]);
  }
  return {
    ...{ name, title, tokens: batch * model.length, ours: summary(mine) },
    forms: forms.map((one) => ({
      ...one,
      ...summary(others[one.form]),
      ratio: pairedRatio(others[one.form], mine),
    })),
  };
}

function print(results, quick) {
  const fixed = (value, digits = 2) => value.toFixed(digits);
  const rows = results.flatMap(({ name, ours, forms }) =>
    forms.map(({ form, median, ratio, ...one }) => [
      ...[name, fixed(ours.median, 3), form, fixed(median, 3)],
      `${fixed(ratio.median)} [${fixed(ratio.q1)}, ${fixed(ratio.q3)}] (${fixed(ratio.minToMin)})`,
      ...[one.lossDifference, one.normDifference].map((x) => x.toExponential(1)),
      one.agrees ? 'yes' : 'NO',
    ]),
  );
  const head = [
    'training',
    'ours ms',
    'PyTorch',
    'ms',
    'torch / ours',
    'losses',
    'norms',
    'agrees',
  ];
  console.log(`\n${table(head, rows)}`);
  console.log(
    `medians of a step; the same parameters, batches and updates for ${agreeing} steps; losses and norms: apart, allowed ${tolerances.loss} nats and ${tolerances.norm} of their size`,
  );
  if (quick) return;
  for (const { title, forms } of results) {
    const least = Math.min(...forms.map(({ ratio }) => ratio.median));
    console.log(
      `a step of the ${title}: ${fixed(least)}× of PyTorch's fastest form, wanted ≥ ${wanted}× ${least >= wanted ? 'met' : 'SHORT'}`,
    );
  }
}

/** Measures and prints; undefined where PyTorch is not installed. */
export async function benchNativeTraining({ count, seconds, quick }) {
  const python = pythonWith('torch');
  if (!python) return undefined;
  const ours = openProgram(join(root, 'build/native-release/attn_training_bench'), []);
  const torch = openProgram(python, [join(root, 'tests/bench/native_training.py')]);
  const results = [];
  try {
    await torch.answer();
    for (const name of Object.keys(beside)) {
      results.push(await train(ours, torch, name, { count, seconds }));
    }
  } finally {
    ours.close();
    torch.close();
  }
  print(results, quick);
  return results;
}
