// `npm run fit [-- lab …]`: whether every view of every lab is whole, in every state at three sizes; the suite `e2e` looks
// at a sample of it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { root } from '../../wasm/tools/process.mjs';

buildWasm();
const { status } = spawnSync(
  process.execPath,
  [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'tests/vitest.config.ts'],
    ...['--project', 'e2e', 'tests/e2e/fit.test.ts'],
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FIT: process.argv.slice(2).join(',') || 'all' },
  },
);
process.exit(status ?? 1);
