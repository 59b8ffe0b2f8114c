// `npm run lint [-- --all]`, `npm run format` (--write): formatters, linters and the type checker.
//
// clang-tidy takes some five seconds for a source, so it reads a source when that or a header of ours
// that it includes has changed since it last passed: tidy.json beside this file says in what state that
// was, and is committed. --all reads every source.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
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

const tidyStamps = join(root, 'tests/tools/tidy.json');

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

/** A hash of everything that clang-tidy's verdict on a source depends on. */
function stateOf(source) {
  const hash = createHash('sha256');
  for (const file of ['.clang-tidy', ...[...filesRead(source)].sort()]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Compile commands, one for each source: the kernels are compiled once for each instruction set. */
function compileCommands() {
  const folder = join(root, 'build/tidy');
  // Precompiled headers are left out, because clang-tidy cannot read another compiler's, and every source
  // has a command of its own.
  configureInto(folder, 'native-debug', ['-DATTN_PRECOMPILE=OFF', '-DATTN_UNITY=OFF']);
  const commands = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'));
  const once = [...new Map(commands.reverse().map((one) => [one.file, one])).values()];
  mkdirSync(join(folder, 'once'), { recursive: true });
  writeFileSync(join(folder, 'once/compile_commands.json'), JSON.stringify(once));
  return join(folder, 'once');
}

/** Runs clang-tidy on the core's sources that have changed since they last passed; {passed, failed}. */
export async function tidy({ all = false } = {}) {
  const started = performance.now();
  const sources = cppFilesIn('core/src').filter((file) => file.endsWith('.cpp'));
  const before = existsSync(tidyStamps) ? JSON.parse(readFileSync(tidyStamps, 'utf8')) : {};
  const now = Object.fromEntries(sources.sort().map((source) => [source, stateOf(source)]));
  const stale = sources.filter((source) => all || before[source] !== now[source]);
  if (stale.length > 0) {
    // The compile commands may be those of g++, which has warnings that clang does not know.
    const unknown = '--extra-arg=-Wno-unknown-warning-option';
    const options = ['clang-tidy', '--quiet', '-p', compileCommands(), unknown];
    const parallel = ['-P', String(availableParallelism()), '-n', '1'];
    const done = await captureAsync('xargs', [...parallel, ...options], {
      input: stale.join('\n'),
    });
    if (done.code !== 0) {
      console.log(`  clang-tidy: FAILED\n${done.out.trimEnd()}`);
      return { passed: 0, failed: 1 };
    }
    writeFileSync(tidyStamps, `${JSON.stringify(now, undefined, 2)}\n`);
    console.log('  clang-tidy: tests/tools/tidy.json is new: commit it');
  }
  const time = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  clang-tidy: ok, ${stale.length} of ${sources.length} sources read (${time} s)`);
  return { passed: 1, failed: 0 };
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
