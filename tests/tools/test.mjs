// `npm test [-- suite …]`: sets up what is missing, runs every suite, counts every case.

import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { buildPresetAsync, buildWasmAsync } from '../../wasm/tools/build.mjs';
import { captureAsync, main, root, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { browsers } from './browsers.mjs';
import { nodeForWasm } from './client.mjs';
import { table } from './table.mjs';

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
  return { passed, failed: done.code !== 0 && failed === 0 ? 1 : failed };
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
 * a busy machine would run into a limit of time.
 */
const suites = {
  'native-debug': doctest('native-debug', 'attn_tests'),
  'native-release': doctest('native-release', 'attn_machine_tests'),
  'wasm-simd': doctest('wasm-simd', 'attn_tests'),
  'wasm-relaxed': doctest('wasm-simd', 'attn_machine_tests_relaxed'),
  golden: {
    build: async () => (await import('./golden.mjs')).buildGolden(),
    run: async () => (await import('./golden.mjs')).golden(),
  },
  trainings: { build: () => buildWasmAsync(), run: () => vitest('trainings') },
  exercises: beside(async () => (await import('./exercises.mjs')).exercises()),
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

// The output of a suite is kept until it ends, because other suites print at the same time.
const printed = new AsyncLocalStorage();
const print = console.log;
console.log = (...args) => {
  const lines = printed.getStore();
  if (lines) lines.push(format(...args));
  else print(...args);
};

/**
 * Begins a suite. Its build starts once `free` has resolved; its run starts once the build and `before` have. Returns
 * two promises, for the end of the build and for the results; neither ever rejects.
 */
function begin(name, free, before) {
  const { build, run } = typeof suites[name] === 'function' ? { run: suites[name] } : suites[name];
  const lines = [];
  const counts = { passed: 0, failed: 0 };
  let time = 0;
  const attempt = async (part) => {
    const started = performance.now();
    try {
      const { passed = 0, failed = 0, leftOut } = (await printed.run(lines, part)) ?? {};
      counts.passed += passed;
      counts.failed += failed;
      counts.leftOut = leftOut;
    } catch (error) {
      lines.push(error instanceof Stop ? error.message : format(error));
      counts.failed += 1;
    }
    time += (performance.now() - started) / 1000;
  };
  const built = free.then(() => build && attempt(build));
  const done = Promise.all([built, before]).then(async () => {
    if (counts.failed === 0) await attempt(run);
    if (counts.leftOut) {
      lines.push(counts.leftOut);
    } else if (counts.passed + counts.failed === 0) {
      lines.push('no test ran: that is a failure');
      counts.failed = 1;
    }
    const { passed, failed } = counts;
    lines.push(`${name}: ${passed} passed, ${failed} failed in ${time.toFixed(1)} s`);
    print(`\n== ${name} ==\n${lines.join('\n')}`);
    return { name, passed, failed, time };
  });
  return { built, done };
}

async function runSuites(names) {
  const results = [];
  let built = Promise.resolve();
  let done = Promise.resolve();
  for (const name of names) {
    const alone = typeof suites[name] === 'function';
    // Builds follow each other, and so do runs. A suite that needs the machine to itself waits for both.
    const begun = begin(name, alone ? Promise.all([built, done]) : built, done);
    built = alone ? begun.done : begun.built;
    done = begun.done;
    results.push(begun.done);
  }
  return Promise.all(results);
}

await main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    throw new Stop(`unknown: ${unknown.join(', ')}; suites: ${Object.keys(suites).join(', ')}`);
  }
  setup('test');
  console.log(`Node ${process.version}, ${availableParallelism()} cores`);
  const started = performance.now();
  const results = await runSuites(
    Object.keys(suites).filter((name) => wanted.length === 0 || wanted.includes(name)),
  );
  const elapsed = (performance.now() - started) / 1000;
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const rows = results.map(({ name, passed, failed, time }) => [
    name,
    passed,
    failed,
    time.toFixed(1),
  ]);
  // Suites overlap, so this time is less than the sum of theirs.
  rows.push(['all', sum('passed'), sum('failed'), elapsed.toFixed(1)]);
  console.log(`\n${table(['suite', 'passed', 'failed', 'seconds'], rows)}\n`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  if (sum('failed') > 0) process.exitCode = 1;
});
