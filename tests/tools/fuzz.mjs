// `npm run fuzz [-- --minutes N] [--target T] [--seed S] [--input FILE]`: gives changed inputs to everything
// that reads what others wrote, for N minutes in all. Inputs that reach something new join the corpus,
// tests/fuzz/corpus, which stays small. What is found lies in build/fuzz/findings, and the command ends with 1.
import { createHash, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { instrument } from '../fuzz/instrument.mjs';
import { table } from './table.mjs';

const corpus = join(root, 'tests/fuzz/corpus');
const findings = join(root, 'build/fuzz/findings');
/** The most bytes of one target in the corpus. */
const MAX_BYTES = 5000;
const MAX_FILES = 32;
/** A thread that begins no new input for this long is taken to hang. */
const PATIENCE_MS = 20_000;
const MAX_INPUT = 4096;
const HEAP_MIB = 512;

const hash = (input) => createHash('sha1').update(input).digest('hex').slice(0, 12);

/** Bundles the targets of the page into one program, with its branches counted. */
async function buildTargets() {
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    resolve: { alias: { 'virtual:formulas': join(root, 'tests/fuzz/no-formulas.ts') } },
    plugins: [instrument()],
    build: {
      ssr: 'tests/fuzz/worker.ts',
      outDir: join(root, 'build/fuzz/page'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
    ssr: { noExternal: true },
  });
  return join(root, 'build/fuzz/page/worker.mjs');
}

/** Runs a thread; returns its result, or the input that it was reading when it did not end properly. */
function inThread(program, work) {
  return new Promise((done) => {
    const shared = new SharedArrayBuffer(8 + MAX_INPUT);
    const numbers = new Int32Array(shared, 0, 2);
    const reading = () => new Uint8Array(shared.slice(8, 8 + numbers[1]));
    const worker = new Worker(program, {
      workerData: work && { ...work, shared },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    let before = -1;
    const watch = setInterval(() => {
      if (numbers[0] === before && numbers[0] > 0) ends(`hung: no end in ${PATIENCE_MS / 1000} s`);
      before = numbers[0];
    }, PATIENCE_MS);
    const ends = (why) => {
      clearInterval(watch);
      void worker.terminate();
      const fault = { input: reading(), name: 'Error', message: why, stack: '' };
      done({
        ...{ executions: numbers[0], added: 0, outcomes: { read: 0, refused: 0 }, corpus: [] },
        ...{ faults: [fault], places: 0 },
      });
    };
    worker.once('message', (said) => {
      clearInterval(watch);
      void worker.terminate();
      done(said);
    });
    worker.once('error', (error) => ends(`ended: ${error?.stack ?? error}`));
  });
}

const folderOf = (name) => join(corpus, name);

/** Replaces the corpus by inputs that reach as much in as few bytes as possible. */
function keep(name, inputs) {
  if (inputs.length === 0) return;
  rmSync(folderOf(name), { recursive: true, force: true });
  mkdirSync(folderOf(name), { recursive: true });
  for (const input of inputs) writeFileSync(join(folderOf(name), hash(input)), input);
}

function write(target, { input, name, message, stack }) {
  mkdirSync(findings, { recursive: true });
  const file = join(findings, `${target}-${hash(input)}`);
  writeFileSync(file, input);
  console.log(`\n${target}: ${stack || `${name}: ${message}`}`);
  console.log(`  npm run fuzz -- --target ${target} --input ${relative(root, file)}`);
}

async function pageTargets() {
  const program = await buildTargets();
  const names = await inThread(program, null);
  return names.map((name) => ({
    name,
    run: (seed, milliseconds, only) =>
      inThread(program, {
        ...{ name, seed, milliseconds, only, folder: folderOf(name) },
        ...{ maxBytes: MAX_BYTES, maxFiles: MAX_FILES },
      }),
  }));
}

export async function fuzz({ minutes, wanted, seed, input }) {
  const all = await pageTargets();
  const targets = all.filter(({ name }) => !wanted || name === wanted);
  if (targets.length === 0) {
    throw new Stop(`targets: ${all.map(({ name }) => name).join(', ')}`);
  }
  const only = input && new Uint8Array(readFileSync(input));
  const milliseconds = (minutes * 60_000) / targets.length;
  const rows = [];
  const sum = { executions: 0, added: 0, faults: 0 };
  for (const { name, run } of targets) {
    const started = performance.now();
    const { executions, added, outcomes, faults, corpus, places } = await run(
      seed,
      milliseconds,
      only,
    );
    const seconds = (performance.now() - started) / 1000;
    for (const fault of faults) write(name, fault);
    keep(name, corpus);
    sum.executions += executions;
    sum.added += added;
    sum.faults += faults.length;
    const refused = outcomes ? `${Math.round((100 * outcomes.refused) / executions)} %` : '';
    rows.push([name, executions, Math.round(executions / seconds), refused, places, added]);
    rows.at(-1).push(existsSync(folderOf(name)) ? corpus.length : 0, faults.length);
    console.log(`${name}: ${executions} in ${seconds.toFixed(1)} s`);
  }
  rows.push(['all', sum.executions, '', '', '', sum.added, '', sum.faults]);
  const head = ['target', 'executions', 'a second', 'refused', 'places', 'new', 'kept', 'findings'];
  console.log(`\n${table(head, rows)}\n\nseed ${seed}`);
  return sum;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const args = process.argv.slice(2);
    const option = (name) => {
      const at = args.indexOf(name);
      return at < 0 ? undefined : args.splice(at, 2)[1];
    };
    const minutes = Number(option('--minutes') ?? 5);
    const wanted = option('--target');
    const seed = Number(option('--seed') ?? randomInt(2 ** 31));
    const input = option('--input');
    if (args.length > 0 || !(minutes > 0) || !Number.isInteger(seed) || (input && !wanted)) {
      throw new Stop('usage: npm run fuzz -- [--minutes N] [--target T [--input FILE]] [--seed S]');
    }
    const { faults } = await fuzz({ minutes, wanted, seed, input });
    if (faults > 0) process.exitCode = 1;
  });
}
