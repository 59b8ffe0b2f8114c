// `npm run fuzz [-- --minutes N] [--target T] [--seed S] [--input FILE]`: gives changed inputs to everything
// that reads what others wrote, for N minutes in all. Inputs that reach something new join the corpus,
// tests/fuzz/corpus, which stays small. What is found lies in build/fuzz/findings, and the command ends with 1.
import { createHash, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildPreset, buildPresetAsync } from '../../wasm/tools/build.mjs';
import { captureAsync, isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { clangWithFuzzer, setup } from '../../wasm/tools/setup.mjs';
import { instrument } from '../fuzz/instrument.mjs';
import { commandLine } from './command-line.mjs';
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

/** The targets read the data of labs; their words, which only the site's build can parse, are not asked for. */
const withoutWords = {
  name: 'attn:fuzz-without-words',
  transform: (_, id) =>
    /\.md$/.test(id) ? { code: 'export default {};', moduleType: 'js' } : undefined,
};

/** Bundles the targets of the page into one program, with its branches counted. */
async function buildTargets() {
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    resolve: {
      alias: {
        'virtual:formulas': join(root, 'tests/fuzz/no-formulas.ts'),
        'virtual:book': join(root, 'tests/fuzz/no-book.ts'),
      },
    },
    plugins: [withoutWords, instrument()],
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
  // A thread that does not even load has no input to blame.
  if (!Array.isArray(names)) throw new Stop(`the targets do not load: ${names.faults[0].message}`);
  return names.map((name) => ({
    name,
    run: (seed, milliseconds, only) =>
      inThread(program, {
        ...{ name, seed, milliseconds, folder: folderOf(name) },
        only: only && new Uint8Array(readFileSync(only)),
        ...{ maxBytes: MAX_BYTES, maxFiles: MAX_FILES },
      }),
  }));
}

// --- C++, with libFuzzer ---------------------------------------------------------------------------

const nativeNames = ['indexing', 'einsum'];
/** Sanitizers make everything several times as slow: what takes a second without them may take five. */
const libFuzzer = ['-timeout=5', '-malloc_limit_mb=64', '-print_final_stats=1'];

const fuzzers = (names) => names.map((name) => `attn_fuzz_${name}`);
const programOf = (name) => join(root, 'build/fuzz', ...fuzzers([name]));

const inputsIn = (folder) =>
  existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name))) : [];

/** Inputs from the smallest to the largest, evenly, as many as the corpus takes. */
function spread(inputs) {
  const sorted = [...inputs].sort((a, b) => a.length - b.length);
  const step = Math.max(1, sorted.length / MAX_FILES);
  let bytes = 0;
  return sorted.filter((input, at) => {
    if (Math.floor(at / step) === Math.floor((at - 1) / step)) return false;
    bytes += input.length;
    return bytes <= MAX_BYTES;
  });
}

const number = (pattern, text) => Number(pattern.exec(text)?.[1] ?? 0);

async function runNative(name, program, seed, milliseconds, only) {
  const grown = join(root, 'build/fuzz/corpus', name);
  mkdirSync(grown, { recursive: true });
  mkdirSync(findings, { recursive: true });
  for (const input of inputsIn(folderOf(name))) writeFileSync(join(grown, hash(input)), input);
  const before = new Set(readdirSync(findings));
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const { code, out } = await captureAsync(program, [
    ...libFuzzer,
    `-artifact_prefix=${findings}/${name}-`,
    ...(only
      ? [only]
      : [
          `-seed=${(seed % (2 ** 31 - 1)) + 1}`,
          `-max_total_time=${seconds}`,
          '-max_len=256',
          grown,
        ]),
  ]);
  const faults = readdirSync(findings)
    .filter((file) => !before.has(file))
    .map((file) => {
      const input = readFileSync(join(findings, file));
      rmSync(join(findings, file));
      return { input, name: 'Finding', message: '', stack: out.trimEnd().slice(-4000) };
    });
  if (code !== 0 && faults.length === 0) {
    const input = only ? readFileSync(only) : new Uint8Array();
    faults.push({ input, name: 'Error', message: '', stack: out.trimEnd().slice(-4000) });
  }
  const chosen = join(root, 'build/fuzz/chosen', name);
  if (!only && faults.length === 0) {
    rmSync(chosen, { recursive: true, force: true });
    mkdirSync(chosen, { recursive: true });
    await captureAsync(program, ['-set_cover_merge=1', '-max_len=256', chosen, grown]);
  }
  return {
    executions: only ? 1 : number(/number_of_executed_units:\s*(\d+)/, out),
    added: number(/new_units_added:\s*(\d+)/, out),
    places: number(/.*cov: (\d+)/s, out),
    corpus: only || faults.length > 0 ? [] : spread(inputsIn(chosen)),
    faults,
  };
}

/** Undefined, and a line that says so, where there is no clang with libFuzzer. */
function nativeTargets(wanted) {
  if (!clangWithFuzzer()) {
    console.log('left out: indexing and einsum, which need clang++ with its libFuzzer');
    return [];
  }
  const names = nativeNames.filter((name) => !wanted || name === wanted);
  if (names.length > 0) buildPreset('fuzz', fuzzers(names));
  return names.map((name) => ({
    name,
    run: (seed, milliseconds, only) => runNative(name, programOf(name), seed, milliseconds, only),
  }));
}

/** The build of the suite `fuzz`. */
export async function buildFuzzers() {
  if (clangWithFuzzer()) await buildPresetAsync('fuzz', fuzzers(nativeNames));
}

/** The suite `fuzz`: every fuzzer in C++ reads its corpus, once. The page's targets read theirs in `vitest`. */
export async function readCorpora() {
  const counts = { passed: 0, failed: 0 };
  if (!clangWithFuzzer()) return { ...counts, leftOut: 'left out: no clang++ with its libFuzzer' };
  for (const name of nativeNames) {
    const inputs = inputsIn(folderOf(name)).length;
    const { code, out } = await captureAsync(programOf(name), [
      ...libFuzzer,
      '-runs=0',
      `-artifact_prefix=${root}/build/fuzz/${name}-`,
      folderOf(name),
    ]);
    // libFuzzer begins with an input of its own, which is empty.
    const read = number(/number_of_executed_units:\s*(\d+)/, out);
    const right = code === 0 && inputs > 0 && read > inputs;
    counts[right ? 'passed' : 'failed'] += 1;
    if (!right) console.log(`${name} read ${read} of ${inputs} inputs\n${out.trimEnd()}`);
  }
  return counts;
}

export async function fuzz({ minutes, wanted, seed, input }) {
  const isNative = nativeNames.includes(wanted);
  const all = [...(isNative ? [] : await pageTargets()), ...nativeTargets(wanted)];
  const targets = all.filter(({ name }) => !wanted || name === wanted);
  if (targets.length === 0) {
    const names = [...all.map(({ name }) => name), ...nativeNames];
    throw new Stop(`targets: ${[...new Set(names)].join(', ')}`);
  }
  const milliseconds = (minutes * 60_000) / targets.length;
  const rows = [];
  const sum = { executions: 0, added: 0, faults: 0 };
  for (const { name, run } of targets) {
    const started = performance.now();
    const { executions, added, outcomes, faults, corpus, places } = await run(
      seed,
      milliseconds,
      input,
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
    const { option, rest: args } = commandLine();
    const minutes = Number(option('--minutes') ?? 5);
    const wanted = option('--target');
    const seed = Number(option('--seed') ?? randomInt(2 ** 31));
    const input = option('--input');
    if (args.length > 0 || !(minutes > 0) || !Number.isInteger(seed) || (input && !wanted)) {
      throw new Stop('usage: npm run fuzz -- [--minutes N] [--target T [--input FILE]] [--seed S]');
    }
    setup('fuzz');
    const { faults } = await fuzz({ minutes, wanted, seed, input });
    if (faults > 0) process.exitCode = 1;
  });
}
