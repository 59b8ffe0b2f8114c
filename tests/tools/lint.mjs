// `npm run lint`, `npm run format` (--write): formatters, linters and the type checker.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset } from '../../wasm/tools/build.mjs';
import { capture, isMain, main, root, Stop, which } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';

// Other versions format the same style a little differently.
const clangFormatMajor = 14;
const folders = ['core', 'wasm/src', 'tests/core', 'tests/golden', 'tests/bench'];

function cppFiles() {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(cpp|hpp)$/.test(name))
      .map((name) => join(folder, name)),
  );
}

function clangFormat() {
  const name = which(`clang-format-${clangFormatMajor}`) ?? 'clang-format';
  const major = Number(/version (\d+)/.exec(capture(name, ['--version']).out)?.[1]);
  return { name, known: major === clangFormatMajor, major };
}

/** Without our headers' templates instantiated twice: the core's own translation units only. */
function tidy() {
  buildPreset('native-debug', ['attn']);
  const files = cppFiles().filter((file) => file.startsWith('core/src/') && file.endsWith('.cpp'));
  const args = ['-P', '2', '-n', '1', 'clang-tidy', '--quiet', '-p', 'build/native-debug'];
  return capture('xargs', args, { input: files.join('\n'), stdio: ['pipe', 'pipe', 'pipe'] });
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
