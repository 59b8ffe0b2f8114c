// `npm run lint [-- --all]`, `npm run format` (--write): formatters, linters and the type checker.
//
// clang-tidy takes some five seconds for a source, nearly all of it for Eigen. It reads the sources of a chapter together,
// as the core is compiled, which takes a quarter of the time, and reads a chapter when a file in it, or a header of ours
// that it includes, has changed since it last passed. build/tidy/passed.json says in what state that was. On a new clone
// everything is read; --all reads everything.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { buildClient, configureInto } from '../../wasm/tools/build.mjs';
import {
  capture,
  captureAsync,
  isMain,
  main,
  root,
  Stop,
  which,
} from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';

// Other versions of clang-format format the same style differently.
const clangFormatMajor = 14;
const folders = ['core', 'wasm/src', 'tests/core', 'tests/golden', 'tests/bench', 'web/exercises'];

function cppFilesIn(folder, recursive = true) {
  return readdirSync(join(root, folder), { recursive })
    .filter((name) => /\.(cpp|hpp)$/.test(name))
    .map((name) => join(folder, name));
}

/** Students write in the folders of tests/exercises, so those folders are left out. */
function cppFiles() {
  const harness = cppFilesIn('tests/exercises', false);
  return [...folders.flatMap((folder) => cppFilesIn(folder)), ...harness];
}

function clangFormat() {
  const name = which(`clang-format-${clangFormatMajor}`) ?? 'clang-format';
  const major = Number(/version (\d+)/.exec(capture(name, ['--version']).out)?.[1]);
  return { name, known: major === clangFormatMajor, major };
}

const tidyFolder = join(root, 'build/tidy');
const tidyStamps = join(tidyFolder, 'passed.json');

/** A source and all of our headers that it includes, directly or through others. */
function filesRead(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(/^ *#include "(.+)"/gm)) {
    const places = ['core/include', 'core/src', dirname(file)].map((folder) => join(folder, name));
    const found = places.find((place) => existsSync(join(root, place)));
    if (found) filesRead(found, seen);
  }
  return seen;
}

/** A hash of everything that clang-tidy's verdict on some sources depends on. */
function stateOf(sources, version) {
  const hash = createHash('sha256').update(version);
  const read = new Set();
  for (const source of sources) filesRead(source, read);
  for (const file of ['.clang-tidy', ...[...read].sort()]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * What one run of clang-tidy reads, by the file that it is given: the sources of a chapter, or one source with options
 * of its own, and the command of each.
 */
function units() {
  // Precompiled headers are left out, because clang-tidy cannot read another compiler's.
  configureInto(tidyFolder, 'native-debug', ['-DATTN_PRECOMPILE=OFF', '-DATTN_UNITY=ON']);
  const commands = JSON.parse(readFileSync(join(tidyFolder, 'compile_commands.json'), 'utf8'));
  // The kernels are compiled once for each instruction set, and read once.
  const once = new Map(commands.reverse().map((one) => [one.file, one]));
  const together = new Map();
  for (const file of once.keys()) {
    const text = readFileSync(file, 'utf8');
    const sources = file.startsWith(tidyFolder)
      ? [...text.matchAll(/^#include "(.+\.cpp)"/gm)].map(([, source]) => source)
      : [file];
    const ours = sources.map((source) => relative(root, source));
    if (ours.some((source) => source.startsWith('core/src/'))) together.set(file, ours);
  }
  mkdirSync(join(tidyFolder, 'once'), { recursive: true });
  const commandsOnce = join(tidyFolder, 'once/compile_commands.json');
  writeFileSync(commandsOnce, JSON.stringify([...once.values()]));
  return together;
}

/** Runs clang-tidy on the core's sources that have changed since they last passed; {passed, failed}. */
export async function tidy({ all = false } = {}) {
  const started = performance.now();
  const together = units();
  const sources = cppFilesIn('core/src').filter((file) => file.endsWith('.cpp'));
  const found = new Set([...together.values()].flat());
  const unread = sources.filter((source) => !found.has(source));
  if (unread.length > 0) {
    console.log(`  clang-tidy: FAILED, nothing compiles ${unread.join(', ')}`);
    return { passed: 0, failed: 1 };
  }
  const version = capture('clang-tidy', ['--version']).out;
  const before = existsSync(tidyStamps) ? JSON.parse(readFileSync(tidyStamps, 'utf8')) : {};
  const passed = {};
  const stale = [];
  for (const [file, its] of together) {
    const state = stateOf(its, version);
    if (!all && before[relative(root, file)] === state) passed[relative(root, file)] = state;
    else stale.push({ file, its, state });
  }
  let count = 0;
  let said = '';
  const readNext = async () => {
    for (let next = stale.shift(); next; next = stale.shift()) {
      // The compile commands may be those of g++, which has warnings that clang does not know.
      const unknown = '--extra-arg=-Wno-unknown-warning-option';
      const options = ['--quiet', '-p', join(tidyFolder, 'once'), unknown];
      const done = await captureAsync('clang-tidy', [...options, next.file]);
      count += next.its.length;
      if (done.code === 0) passed[relative(root, next.file)] = next.state;
      else said += `\n${basename(next.file)}:\n${done.out.trimEnd()}`;
    }
  };
  // The largest chapters first: the last one to end keeps one core only.
  stale.sort((a, b) => b.its.length - a.its.length);
  await Promise.all(Array.from({ length: availableParallelism() }, readNext));
  writeFileSync(tidyStamps, `${JSON.stringify(passed, undefined, 2)}\n`);
  const time = ((performance.now() - started) / 1000).toFixed(1);
  const verdict = said === '' ? 'ok' : 'FAILED';
  console.log(
    `  clang-tidy: ${verdict}, ${count} of ${sources.length} sources read (${time} s)${said}`,
  );
  return said === '' ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const node = (...args) => captureAsync(process.execPath, args);
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const checks = {
  'clang-format': () => {
    const { name, known, major } = clangFormat();
    if (!known)
      return { code: 0, skipped: `found ${major}, the style is that of ${clangFormatMajor}` };
    return captureAsync(name, ['--dry-run', '-Werror', ...cppFiles()]);
  },
  biome: () => node(biome, 'ci', '--colors=off', '.'),
  tsc: () => {
    // The types of the client and of its translated errors are made from these declarations.
    buildClient(['phrases']);
    return node(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json');
  },
};

/** Runs every check but clang-tidy; {passed, failed}. */
export async function lint() {
  let passed = 0;
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    const started = performance.now();
    const { code, out = '', skipped } = await check();
    const time = ((performance.now() - started) / 1000).toFixed(1);
    if (skipped) console.log(`  ${name}: skipped, ${skipped}`);
    else if (code === 0) passed += 1;
    else failed += 1;
    if (!skipped) console.log(`  ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${time} s)`);
    if (code !== 0) console.log(out.trimEnd());
  }
  return { passed, failed };
}

async function format() {
  const { name, known } = clangFormat();
  if (known) capture(name, ['-i', ...cppFiles()]);
  const done = await node(biome, 'check', '--write', '--colors=off', '.');
  process.stdout.write(done.out);
  if (done.code !== 0) throw new Stop('biome could not repair everything: see above.');
}

if (isMain(import.meta.url)) {
  await main(async () => {
    setup('test');
    if (process.argv.includes('--write')) return format();
    if (!existsSync(biome)) throw new Stop('biome is not installed: run `npm ci`');
    const all = process.argv.includes('--all');
    const failed = (await lint()).failed + (await tidy({ all })).failed;
    if (failed > 0)
      throw new Stop(`${failed} checks failed; \`npm run format\` repairs formatting`);
  });
}
