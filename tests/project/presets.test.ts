/** Tests that no preset of CMake is built by people only: `npm test` builds every one that a command can choose. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { suites } from '../tools/suites.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Preset {
  readonly name: string;
  readonly hidden?: boolean;
}

test('every preset of CMakePresets.json is built by a suite', () => {
  const { configurePresets } = JSON.parse(
    readFileSync(`${repository}CMakePresets.json`, 'utf8'),
  ) as { readonly configurePresets: readonly Preset[] };
  const offered = configurePresets.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const built = Object.values(suites).flatMap((suite) => ('presets' in suite ? suite.presets : []));
  expect([...new Set(built)].sort()).toEqual(offered.sort());
});

test('only the header of the macro says thread_local in what becomes WebAssembly', () => {
  const { stdout } = spawnSync(
    'git',
    ['grep', '--untracked', '-lE', 'thread_local([^.]|$)', '--', 'core', 'wasm', 'tests/core'],
    { cwd: repository, encoding: 'utf8' },
  );
  // wasm-ld refuses storage for threads where there are none.
  expect(stdout.trim().split('\n')).toEqual(['core/src/base/thread_local.hpp']);
});
