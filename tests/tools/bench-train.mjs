// `npm run bench:train`: the trainings that the labs lead with, by the wasm of the page in Node: what they come to, over
// several seeds, and how long they take on one core.
//
//   npm run bench:train [-- --seeds 3] [--build simd] [--runs masks,recall,capacity,frontier] [--json FILE]
//
// The result goes to build/bench/train.json, with machine and command.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { capture, isMain, main, root } from '../../wasm/tools/process.mjs';
import { markov, recall as recallOf, recallWith } from '../bench/trainings.mjs';
import { commandLine, option } from './bench-options.mjs';
import { importTypeScript } from './client.mjs';
import { table } from './table.mjs';

/** The module of the page with every call, in this process. */
export async function loadFull(build) {
  if (build === 'relaxed') setFlagsFromString('--experimental-wasm-relaxed-simd');
  const folder = join(root, 'build/wasm', build);
  if (!existsSync(join(folder, 'full.mjs')))
    throw new Error(`build/wasm/${build} is missing: node wasm/tools/build.mjs`);
  const { default: create } = await import(join(folder, 'full.mjs'));
  return create({ wasmBinary: readFileSync(join(folder, 'full.wasm')) });
}

let handles = 0;

/** Trains a model to the end; what it came to, on what training never saw too, and the seconds that took. */
export function trained(core, model, training, { use = () => ({}), batches = 40 } = {}) {
  const handle = ++handles;
  core.languageModelMake({ handle, ...model });
  core.languageModelStart({ handle, ...training });
  let slice;
  let longest = 0;
  // Of the processor, so that what else the machine does counts little.
  const start = process.cpuUsage();
  do {
    slice = core.languageModelAdvance({ handle });
    longest = Math.max(longest, slice.milliseconds);
  } while (!slice.done);
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  const test = core.languageModelEvaluate({ handle, batches });
  const made = { ...test, seconds, longest, ...use(handle) };
  core.languageModelDelete({ handle });
  return made;
}

/** A model that may look ahead beats the entropy rate in training, and cannot generate. */
function masks(core, seeds) {
  const { task, batch } = markov;
  const { entropyRate } = core.markovSource(task);
  console.log(
    `masks: a Markov chain of 16 tokens, entropy rate ${entropyRate.toFixed(3)} nats, uniform ${Math.log(16).toFixed(3)}`,
  );
  return ['earlier', 'all', 'later'].flatMap((sees) =>
    seeds.map((seed) => {
      const model = { ...markov.model, sees, seed };
      const training = {
        task,
        steps: 400,
        batch,
        learningRate: 0.01,
        weightDecay: 0.01,
        warmUp: 20,
        clip: 1,
        seed,
      };
      const read = (handle) => {
        const { tokens, targets } = core.drawBatch({ task, batch: 64, seed: seed + 1000 });
        const prefix = core.languageModelPrefixLosses({ handle, tokens, targets, batch: 64 });
        const texts = Array.from({ length: 16 }, (_, i) => [
          i,
          ...core.languageModelGenerate({ handle, prompt: [i], count: 31, seed: i }),
        ]);
        const losses = texts.map((tokens) => core.markovLoss({ ...task, tokens }));
        const mean = (all) => all.reduce((sum, x) => sum + x, 0) / all.length;
        return { prefix: mean(prefix), generated: mean(losses) };
      };
      // The tokens of a sequence are not drawn independently: with 40 batches of a thousand tokens the loss is 0.01 off,
      // up or down, and with 200 half as much. Wanted are 0.02.
      const how = { use: read, batches: 200 };
      return { run: `sees ${sees}`, seed, entropyRate, ...trained(core, model, training, how) };
    }),
  );
}

/** Which mixers recall: MQAR as the official generator draws it, the model of Zoology. */
function recall(core, seeds) {
  const runs = {
    softmax: recallOf({ id: 'softmax', dK: 16 }),
    Taylor: recallWith('taylor'),
    'ELU + 1': recallWith('elu_plus_one'),
    identity: recallWith('identity'),
  };
  console.log('recall: MQAR, 8 pairs in 64 tokens of 128 kinds, chance 1.6 %');
  return Object.entries(runs).flatMap(([run, { task, batch, model }]) =>
    seeds.map((seed) => {
      const training = {
        task,
        steps: 600,
        batch,
        learningRate: 0.01,
        weightDecay: 0.1,
        warmUp: 20,
        clip: 1,
        seed,
      };
      return { run, seed, ...trained(core, { ...model, seed }, training) };
    }),
  );
}

/** How many pairs a memory holds that nobody trained. */
function capacity(core, seeds) {
  const maps = {
    softmax: undefined,
    Taylor: 'taylor',
    Hedgehog: 'hedgehog',
    identity: 'identity',
    'squared ReLU': 'squared_relu',
    ReLU: 'relu',
    'ELU + 1': 'elu_plus_one',
  };
  const twenty = Array.from({ length: Math.max(20, seeds.length) }, (_, seed) => seed);
  return Object.entries(maps).flatMap(([run, featureMap]) =>
    [16, 64, 256].map((pairs) => {
      const start = performance.now();
      const shares = twenty.map((seed) =>
        core.recallShare({
          pairs,
          dK: 16,
          dV: 32,
          scale: 2,
          seed,
          ...(featureMap && { featureMap }),
        }),
      );
      const accuracy = shares.reduce((sum, x) => sum + x, 0) / shares.length;
      return {
        run: `${run}, ${pairs} pairs`,
        seed: `${shares.length} seeds`,
        accuracy,
        seconds: (performance.now() - start) / 1000,
      };
    }),
  );
}

/** The first frontier of the lab of models with a state, as the page trains it: its models, its task, its budget. */
async function frontier(core, seeds) {
  const page = await importTypeScript('web/labs/states/figures/frontier/models.ts');
  const [size, rate] = ['small', '0.01'];
  console.log(`frontier: ${JSON.stringify(page.TASKS[size])}, rate ${rate}`);
  return page.modelsOf('first', size).flatMap((model) =>
    seeds.map((seed) => {
      const options = page.modelOptions(model, size, seed);
      const use = (handle) => ({
        stateBytes: core.languageModelStateBytes({ handle, tokens: options.length }),
      });
      const training = page.trainingOptions(size, rate, seed);
      return { run: model.id, seed, ...trained(core, options, training, use) };
    }),
  );
}

const all = { masks, recall, capacity, frontier };

if (isMain(import.meta.url)) {
  await main(async () => {
    const core = await loadFull(option('build') ?? 'simd');
    const seeds = Array.from({ length: Number(option('seeds') ?? 3) }, (_, seed) => seed);
    const made = {};
    for (const name of (option('runs') ?? Object.keys(all).join()).split(',')) {
      made[name] = await all[name](core, seeds);
      const cell = (x, digits = 3) => (x === undefined ? '-' : x.toFixed(digits));
      const rows = made[name].map((one) => [
        one.run,
        one.seed,
        cell(one.loss),
        cell(one.accuracy),
        cell(one.prefix),
        cell(one.generated),
        cell(one.seconds, 1),
        cell(one.longest, 0),
      ]);
      console.log(
        table(
          [
            'run',
            'seed',
            'test loss',
            'accuracy',
            'prefix only',
            'generated',
            'seconds',
            'longest ms',
          ],
          rows,
        ),
      );
    }
    const { length: cores, 0: cpu } = cpus();
    const about = {
      machine: { cpu: cpu?.model ?? 'unknown', cores, platform: process.platform, load: loadavg() },
      date: new Date().toISOString().slice(0, 10),
      command: commandLine('bench:train', import.meta.url, false),
      commit: capture('git', ['rev-parse', '--short=10', 'HEAD']).stdout.trim(),
      method: 'wasm of the page in Node, one thread; seconds are processor time',
    };
    const file = resolve(option('json') ?? join(root, 'build/bench/train.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ about, ...made }, null, 1)}\n`);
    console.log(`written: ${file}`);
  });
}
