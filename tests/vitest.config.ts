import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const repository = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root: repository,
  resolve: {
    alias: {
      // The longer name first: an alias also matches what goes on after it.
      '#client/arrays': `${repository}wasm/client/arrays/index.ts`,
      '#client/full': `${repository}wasm/client/full/index.ts`,
      '#client/trick': `${repository}wasm/client/trick/index.ts`,
      '#client': `${repository}wasm/client/index.ts`,
    },
  },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    // On a machine that compiles something else the default of 5 s ended tests that work.
    testTimeout: 30_000,
    // A worker per file on two cores costs more than it saves.
    maxWorkers: 2,
    // What is polled for is there in milliseconds, but not on a machine that does something else.
    expect: { poll: { timeout: 10_000 } },
  },
});
