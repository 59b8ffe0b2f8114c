// `npm test [-- suite …]`: sets up what is missing, runs every suite, counts every case.

import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { format } from 'node:util';
import { builtPresets } from '../../wasm/tools/build.mjs';
import { main, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { suites } from './suites.mjs';
import { table } from './table.mjs';

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
  const suite = typeof suites[name] === 'function' ? { run: suites[name] } : suites[name];
  const { build, run, presets = [] } = suite;
  const lines = [];
  const counts = { passed: 0, failed: 0, wrong: [] };
  let time = 0;
  const attempt = async (part) => {
    const started = performance.now();
    try {
      const found = (await printed.run(lines, part)) ?? {};
      const { passed = 0, failed = 0, wrong = [], leftOut, built = [] } = found;
      // What another process built.
      for (const preset of built) builtPresets.add(preset);
      counts.passed += passed;
      counts.failed += failed;
      counts.wrong.push(...wrong);
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
    const notBuilt = presets.filter((preset) => !builtPresets.has(preset));
    if (counts.leftOut) {
      lines.push(counts.leftOut);
    } else if (counts.failed === 0 && notBuilt.length > 0) {
      lines.push(`it is to build ${notBuilt.join(', ')}, and has not`);
      counts.failed = 1;
    } else if (counts.passed + counts.failed === 0) {
      lines.push('no test ran: that is a failure');
      counts.failed = 1;
    }
    const { passed, failed, wrong } = counts;
    lines.push(`${name}: ${passed} passed, ${failed} failed in ${time.toFixed(1)} s`);
    print(`\n== ${name} ==\n${lines.join('\n')}`);
    return { name, passed, failed, wrong, time };
  });
  return { built, done };
}

async function runSuites(names) {
  const results = [];
  const now = Promise.resolve();
  const aside = [];
  let built = now;
  let done = now;
  for (const name of names) {
    if (suites[name].aside) {
      aside.push(begin(name, now, now).done);
      results.push(aside.at(-1));
      continue;
    }
    const alone = typeof suites[name] === 'function';
    // Builds follow each other, and so do runs. A suite that needs the machine to itself waits for all.
    const begun = begin(name, alone ? Promise.all([built, done, ...aside]) : built, done);
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
  // Of a long output mostly its end is kept, so what failed is said there once more.
  for (const { name, wrong } of results) {
    for (const one of wrong) console.log(`\nfailed in ${name}: ${one}`);
  }
  // Suites overlap, so this time is less than the sum of theirs.
  rows.push(['all', sum('passed'), sum('failed'), elapsed.toFixed(1)]);
  console.log(`\n${table(['suite', 'passed', 'failed', 'seconds'], rows)}\n`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  if (sum('failed') > 0) process.exitCode = 1;
});
