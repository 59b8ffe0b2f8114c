// The suites of `npm test`, with what each of them builds.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPresetAsync, buildWasmAsync } from '../../wasm/tools/build.mjs';
import { captureAsync, root, Stop } from '../../wasm/tools/process.mjs';
import { browsers } from './browsers.mjs';
import { nodeForWasm } from './client.mjs';

/** Reads the counts from doctest's summary line, and prints the whole output when anything failed. */
function doctestCounts({ code, out }) {
  const line = /test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed/.exec(out);
  const passed = Number(line?.[2] ?? 0);
  const failed = Number(line?.[3] ?? 0);
  if (code !== 0 || !line) console.log(out.trimEnd());
  // A crash or a sanitizer's report ends the program without a failed case, so it counts as one.
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/** A suite that is a doctest program, compiled and then run natively or under Node. */
function doctest(preset, target) {
  const program = join(root, 'build', preset, target);
  const module = `${program}.cjs`;
  const wasm = preset.startsWith('wasm');
  return {
    presets: [preset],
    build: () => buildPresetAsync(preset, [target]),
    run: async () => {
      if (!wasm) return doctestCounts(await captureAsync(program, ['--no-colors=true']));
      if (target.endsWith('_relaxed') && !existsSync(module)) {
        return { passed: 0, failed: 0, leftOut: 'left out: this Emscripten has no relaxed SIMD' };
      }
      const [node, ...args] = [...nodeForWasm, module, '--no-colors=true'];
      return doctestCounts(await captureAsync(node, args));
    },
  };
}

/** Characters of a failure that are said again at the end of all suites. */
const MOST_SAID = 600;

/** Runs some projects of tests/vitest.config.ts, and reads the counts from vitest's JSON report. */
async function vitest(name, projects = [name], files = []) {
  const report = join(root, 'build', `vitest-${name}.json`);
  mkdirSync(join(root, 'build'), { recursive: true });
  rmSync(report, { force: true });
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const args = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const done = await captureAsync(
    process.execPath,
    [program, 'run', '--config', 'tests/vitest.config.ts', ...args, ...reporters, ...files],
    { env: { NO_COLOR: '1' } },
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = counts;
  if (done.code !== 0 || failed > 0) console.log(done.out.trimEnd());
  // A file that does not load, or an error outside of all tests, has no failed case, so it counts as one.
  const cases = counts.testResults?.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const wrong = cases
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [why = ''] }) => `${fullName}\n${why.slice(0, MOST_SAID)}`);
  return { passed, failed: done.code !== 0 && failed === 0 ? 1 : failed, wrong };
}

/** Opens the site in those browsers beside Chromium that are installed, and names the others. */
async function inOtherBrowsers() {
  const absent = Object.values(browsers).filter(({ found }) => !found());
  const missing = absent.map(({ name, apt }) => `${name} (on Debian: ${apt.join(' ')})`).join(', ');
  if (absent.length > 0) console.log(`not installed, so nothing was opened in it: ${missing}`);
  const files = Object.keys(browsers).filter((key) => browsers[key].found());
  if (files.length === 0) {
    return { passed: 0, failed: 0, leftOut: `left out: ${missing} not installed` };
  }
  return vitest(
    'browsers',
    ['browsers'],
    files.map((key) => `tests/browsers/${key}.test.ts`),
  );
}

/** A suite that is a function of a module beside this one, run by a process of its own. */
async function apart(module, run) {
  const code = `import { ${run} } from './tests/tools/${module}';
console.log(\`counts: \${JSON.stringify(await ${run}())}\`);`;
  const options = ['--input-type=module', '--eval', code];
  const { out, stdout } = await captureAsync(process.execPath, options);
  const [line, counts] = /^counts: (.*)\n/m.exec(stdout) ?? [];
  if (!counts) throw new Stop(`${out}\n${module} ended before it had counted its cases.`);
  console.log(out.replace(line, '').trimEnd());
  return JSON.parse(counts);
}

/** A suite that is done as a build is: beside the runs of the suites before it. */
const beside = (work) => ({
  build: async () => {
    await buildWasmAsync();
    return work();
  },
  run: () => ({}),
});

/**
 * The suites, in the order in which they begin. A suite with `run` uses one core, so it runs while the next suite's
 * `build` is done. A suite that is a function has the machine to itself, because it uses every core and has tests that
 * a busy machine would run into a limit of time. A suite with `aside` begins at once, and takes what the others leave
 * of the processor. `presets` are those of CMakePresets.json that a suite promises to build (tests/project/presets.test.ts
 * has one for each); a suite that has not built them fails.
 */
export const suites = {
  start: { aside: true, presets: ['wasm-quick'], run: () => apart('start.mjs', 'start') },
  'native-debug': doctest('native-debug', 'attn_tests'),
  'native-release': doctest('native-release', 'attn_machine_tests'),
  'wasm-simd': doctest('wasm-simd', 'attn_tests'),
  'wasm-relaxed': doctest('wasm-simd', 'attn_machine_tests_relaxed'),
  golden: {
    build: async () => (await import('./golden.mjs')).buildGolden(),
    run: async () => (await import('./golden.mjs')).golden(),
  },
  trainings: { build: () => buildWasmAsync(), run: () => vitest('trainings') },
  train: {
    build: async () => (await import('./train.mjs')).buildTrainer(),
    run: () => apart('train.mjs', 'reproduce'),
  },
  exercises: {
    ...beside(async () => (await import('./exercises.mjs')).exercises()),
    presets: ['exercises'],
  },
  fuzz: {
    presets: ['fuzz'],
    build: async () => (await import('./fuzz.mjs')).buildFuzzers(),
    run: async () => (await import('./fuzz.mjs')).readCorpora(),
  },
  consumer: { run: async () => (await import('./consumer.mjs')).consumer() },
  lint: {
    build: async () => (await import('./lint.mjs')).tidy(),
    run: async () => (await import('./lint.mjs')).lint(),
  },
  components: beside(() => vitest('components')),
  bench: beside(() => apart('bench.mjs', 'benchSuite')),
  size: beside(() => apart('size.mjs', 'size')),
  vitest: beside(() => vitest('unit')),
  browsers: async () => {
    await buildWasmAsync();
    return inOtherBrowsers();
  },
  e2e: async () => {
    // tests/e2e/site.ts builds the site where it serves it, so only the core is built here.
    await buildWasmAsync();
    return vitest('e2e', ['e2e', 'alone']);
  },
};
