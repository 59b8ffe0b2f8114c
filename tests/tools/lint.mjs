// `npm run lint`, `npm run format` (--write): formatters, linters and the type checker.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, root, Stop, which } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';

// Other versions format the same style a little differently.
const clangFormatMajor = 14;
const folders = ['core', 'wasm/src', 'tests/core', 'tests/golden', 'tests/bench', 'web/exercises'];

function cppFilesIn(folder, recursive = true) {
  return readdirSync(join(root, folder), { recursive })
    .filter((name) => /\.(cpp|hpp)$/.test(name))
    .map((name) => join(folder, name));
}

/** In the folders of tests/exercises students write. */
function cppFiles() {
  const harness = cppFilesIn('tests/exercises', false);
  return [...folders.flatMap((folder) => cppFilesIn(folder)), ...harness];
}

function clangFormat() {
  const name = which(`clang-format-${clangFormatMajor}`) ?? 'clang-format';
  const major = Number(/version (\d+)/.exec(capture(name, ['--version']).out)?.[1]);
  return { name, known: major === clangFormatMajor, major };
}

/** Changes with any C++ of ours or with the rules. */
function tidyFingerprint() {
  const hash = createHash('sha256');
  for (const file of ['.clang-tidy', 'CMakeLists.txt', ...cppFiles().sort()]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** The core's own files; what has passed is not read again until something changes. */
function tidy() {
  const stamp = join(root, 'build/clang-tidy.stamp');
  const now = tidyFingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return { code: 0 };
  buildPreset('native-debug', ['attn']);
  const files = cppFiles().filter((file) => file.startsWith('core/src/') && file.endsWith('.cpp'));
  const parallel = ['-P', String(availableParallelism()), '-n', '1'];
  // The compile commands are those of g++, which knows other warnings.
  const options = [
    '--quiet',
    '-p',
    'build/native-debug',
    '--extra-arg=-Wno-unknown-warning-option',
  ];
  const done = capture('xargs', [...parallel, 'clang-tidy', ...options], {
    input: files.join('\n'),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (done.code === 0) writeFileSync(stamp, now);
  return done;
}

const node = (...args) => capture(process.execPath, args);
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const checks = {
  'clang-format': () => {
    const { name, known, major } = clangFormat();
    if (!known)
      return { code: 0, skipped: `found ${major}, the style is that of ${clangFormatMajor}` };
    return capture(name, ['--dry-run', '-Werror', ...cppFiles()]);
  },
  biome: () => node(biome, 'ci', '--colors=off', '.'),
  tsc: () => node(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'),
  'clang-tidy': tidy,
};

/** Runs every check; {passed, failed}. */
export function lint() {
  let passed = 0;
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    const started = performance.now();
    const { code, out = '', skipped } = check();
    const time = ((performance.now() - started) / 1000).toFixed(1);
    if (skipped) console.log(`  ${name}: skipped, ${skipped}`);
    else if (code === 0) passed += 1;
    else failed += 1;
    if (!skipped) console.log(`  ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${time} s)`);
    if (code !== 0) console.log(out.trimEnd());
  }
  return { passed, failed };
}

function format() {
  const { name, known } = clangFormat();
  if (known) capture(name, ['-i', ...cppFiles()]);
  const done = node(biome, 'check', '--write', '--colors=off', '.');
  process.stdout.write(done.out);
  if (done.code !== 0) throw new Stop('biome could not repair everything: see above.');
}

if (isMain(import.meta.url)) {
  await main(() => {
    setup('test');
    if (process.argv.includes('--write')) return format();
    if (!existsSync(biome)) throw new Stop('biome is not installed: run `npm ci`');
    const { failed } = lint();
    if (failed > 0)
      throw new Stop(`${failed} checks failed; \`npm run format\` repairs formatting`);
  });
}
