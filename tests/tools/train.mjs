// `npm run train -- --model reader`: trains a model of web/models natively, on one thread.
//
//   npm run train -- --model reader                        from the seed to web/models/reader.safetensors and its log
//   npm run train -- --model reader --steps 100 --check    the first steps alone, which have to be those of the log
//
// Checkpoints lie in build/models/<model>: a training that was ended goes on there. `--again` begins anew.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { buildPreset, buildPresetAsync } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, must, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { option } from './bench-options.mjs';
import { budgets } from './budgets.mjs';
import { writeTexts } from './train-texts.mjs';

export const models = ['reader', 'causal-small', 'masked-small'];

const preset = 'native-release';
const program = join(root, 'build', preset, 'attn_train');
/** For each model its own: two trainings may run at once. */
const textsOf = (model) => join(root, 'build/models', `${model}-texts`);
const published = (model, ending) => join(root, 'web/models', `${model}${ending}`);

/** The log that was committed beside a model. */
export const logOf = (model) => JSON.parse(readFileSync(published(model, '.json'), 'utf8'));

/** The first steps of a training: the loss of each, and a fingerprint of the parameters behind the last. */
function firstSteps(model, steps, kernels) {
  const texts = textsOf(model);
  writeTexts(texts);
  const args = ['--model', model, '--texts', texts, '--kernels', kernels, '--steps', `${steps}`];
  const { out, code } = capture(program, args);
  if (code !== 0) throw new Stop(out);
  return JSON.parse(out);
}

/**
 * Whether the first steps of a training give the very numbers of its log: what differs, in a sentence; nothing where
 * nothing does. On the kernels of the log, because other ones round otherwise.
 */
export function differs(model, steps) {
  const { kernels, phases } = logOf(model);
  const { losses, parameters } = phases[0].firstSteps;
  if (!(steps >= 1 && steps <= losses.length))
    throw new Stop(`--steps: 1 to ${losses.length}, which the log has; it was ${steps}`);
  const found = firstSteps(model, steps, kernels);
  const at = found.losses.findIndex((loss, i) => loss !== losses[i]);
  if (at >= 0) return `step ${at} has the loss ${found.losses[at]}; the log says ${losses[at]}`;
  if (steps < losses.length || found.parameters === parameters) return undefined;
  return `the parameters are ${found.parameters} after ${steps} steps; the log says ${parameters}`;
}

/** Trains to the end, and writes the model and its log into web/models. */
function train(model) {
  const folder = join(root, 'build/models', model);
  if (process.argv.includes('--again')) rmSync(folder, { recursive: true, force: true });
  const texts = textsOf(model);
  const about = writeTexts(texts);
  const args = ['--model', model, '--texts', texts, '--folder', folder];
  const { code } = capture(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (code !== 0) throw new Stop(`${program} ended with ${code}`);
  const file = join(folder, 'model.safetensors');
  const { size } = statSync(file);
  if (size > budgets.trainedModel)
    throw new Stop(`${file} has ${size} bytes; at most ${budgets.trainedModel}`);
  copyFileSync(file, published(model, '.safetensors'));
  const log = {
    command: `npm run train -- --model ${model}`,
    ended: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      load: loadavg(),
      compiler: must('c++', ['--version'], 'no compiler').stdout.split('\n')[0],
    },
    file: { bytes: size, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') },
    ...about,
    ...JSON.parse(readFileSync(join(folder, 'training.json'), 'utf8')),
  };
  // A list of numbers is one line.
  const text = JSON.stringify(log, null, 1).replace(/\[\s+([-\d.e+,\s]+?)\s+\]/g, (_, numbers) => {
    return `[${numbers.replace(/\s+/g, ' ')}]`;
  });
  writeFileSync(published(model, '.json'), `${text}\n`);
  console.log(`written: ${published(model, '.safetensors')} (${size} bytes) and its log`);
}

/** For the suites: builds the program that trains. */
export const buildTrainer = () => buildPresetAsync(preset, ['attn_train']);

/** For the suites: the first steps of every model, which are those of its log; {passed, failed}. */
export function reproduce() {
  const { kernels } = logOf('reader');
  const { code, out } = capture(program, ['--kernels', kernels, '--has', kernels]);
  if (code !== 0) return { passed: 0, failed: 0, leftOut: `left out: ${out.trim()}` };
  let failed = 0;
  for (const model of models) {
    const difference = differs(model, 100);
    if (!difference) continue;
    failed++;
    console.log(`npm run train -- --model ${model} --check: ${difference}`);
  }
  return { passed: models.length - failed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const model = option('model');
    if (!models.includes(model)) throw new Stop(`--model wants one of ${models.join(', ')}`);
    setup('exercise');
    buildPreset(preset, ['attn_train']);
    if (!process.argv.includes('--check')) return train(model);
    const steps = Number(option('steps') ?? 100);
    const difference = differs(model, steps);
    if (difference) throw new Stop(`${model}: ${difference}`);
    console.log(`${model}: ${steps} steps as in the log, bit for bit`);
  });
}
