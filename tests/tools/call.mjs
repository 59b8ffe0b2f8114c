// `npm run call -- row_norms`: whether a call works, in seconds. It runs the doctests of the call's topic and refuses
// the call every wrong input, which is what `npm test` does for all calls in many minutes.
//
//   npm run call -- row_norms [tests/core/analysis/row_norms_test.cpp]     a test of another name
//
// The core is compiled as `npm start` compiles it on a new clone, whatever else is built. After that a change costs its
// own chapter and two links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset } from '../../wasm/tools/build.mjs';
import { writeClient } from '../../wasm/tools/client.mjs';
import { capture, isMain, main, root, Stop, seconds } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { nodeForWasm } from './client.mjs';

const preset = 'wasm-quick';
const read = (path) => readFileSync(join(root, path), 'utf8');
const filesBelow = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort();

/** A call under either of its names: `row_norms` in C++, `rowNorms` in the client. */
const inCpp = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inClient = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

const isTopicTest = (path) => /^tests\/core\/[^/]+\/[^/]+_test\.cpp$/.test(path);

/** The file that declares a call. */
export function declarationOf(name) {
  const declared = new RegExp(`^ATTN_(?:CALL|STEPS)\\(\\s*\\w+,\\s*${name},`, 'm');
  const file = filesBelow('wasm/src/calls', '.cpp').find((path) => declared.test(read(path)));
  if (!file) throw new Stop(`${name}: no ATTN_CALL or ATTN_STEPS in wasm/src/calls/ declares it.`);
  return file;
}

/**
 * The tests of a call: those of the topic whose header declares the function, by the rule that a topic has one name, if
 * they call it; else those that call it most often.
 */
export function testOf(name) {
  const called = new RegExp(`\\b${name}(?:<[^<>]*>)?\\(`, 'g');
  const calls = (path) =>
    read(path)
      .replace(/\/\/.*/g, '')
      .match(called)?.length ?? 0;
  const topics = filesBelow('core/include/attn', '.hpp')
    .filter((path) => calls(path) > 0)
    .map((path) => path.replace('core/include/attn', 'tests/core').replace(/\.hpp$/, '_test.cpp'));
  const tests = filesBelow('tests/core', '_test.cpp')
    .filter((path) => isTopicTest(path) && calls(path) > 0)
    .sort((a, b) => calls(b) - calls(a));
  const test = tests.find((path) => topics.includes(path)) ?? tests[0];
  if (test) return test;
  const wanted = topics.length > 0 ? ` Wanted: ${topics.join(' or ')}.` : '';
  throw new Stop(
    `${name}: no test calls it.${wanted} Tests of another name can be named behind it.`,
  );
}

/** Runs a program, and shows what it says unless that is what a program says that passed. */
function passes(what, [program, ...args], { env, wanted = /(?:)/ } = {}) {
  const started = performance.now();
  const { code, out } = capture(program, args, { env: { NO_COLOR: '1', ...env } });
  const passed = code === 0 && wanted.test(out);
  console.log(`${passed ? '' : out}${what}: ${passed ? 'ok' : 'FAILED'} (${seconds(started)})`);
  return passed;
}

if (isMain(import.meta.url)) {
  await main(() => {
    const [given, namedTest] = process.argv.slice(2);
    if (!given) throw new Stop('npm run call -- <call>: the name of a call is wanted');
    const name = inCpp(given);
    const file = declarationOf(name);
    const test = namedTest ?? testOf(name);
    if (!isTopicTest(test) || !existsSync(join(root, test)))
      throw new Stop(`${test}: a file tests/core/<chapter>/<topic>_test.cpp is wanted`);
    setup('build');
    const program = test.slice('tests/core/'.length, -'.cpp'.length).replace('/', '_');
    buildPreset(preset, [program, 'full_apart', 'describe', 'describe_arrays']);
    writeClient(preset);
    const right = [
      passes(test, [
        ...nodeForWasm,
        join(root, 'build', preset, `${program}.cjs`),
        '--no-colors=true',
      ]),
    ];
    const { calls } = JSON.parse(read('build/wasm/client/declarations.json'));
    // A call without arguments has none to refuse.
    if (calls.find((call) => call.core === name).arguments.length > 0) {
      const walk = [
        ...['run', '--config', 'tests/vitest.config.ts', 'tests/wasm/declarations.test.ts'],
        ...['-t', `every declared call '${inClient(name)}' refuses`],
      ];
      const how = { env: { ATTN_MODULES: `build/${preset}/modules` }, wanted: /Tests +1 passed/ };
      const vitest = join(root, 'node_modules/vitest/vitest.mjs');
      right.push(
        passes(`${file}: wrong inputs are refused`, [process.execPath, vitest, ...walk], how),
      );
    }
    if (right.includes(false)) throw new Stop(`${name} does not work yet: see above.`);
    console.log(`client.${inClient(name)} works; build/wasm/client/calls.ts has its types.`);
  });
}
