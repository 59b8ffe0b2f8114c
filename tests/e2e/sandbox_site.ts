/** Builds and serves a page that holds only the sandbox, in the same way as the site. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { classicScripts } from '../../web/plugins/classic-scripts';
import { serve } from '../../web/tools/serve.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the folder of the build, and `open(csp)`, which serves it. */
export async function buildSandboxSite() {
  // The test runner sets NODE_ENV to its own value, which would make this a development build.
  process.env.NODE_ENV = 'production';
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-sandbox-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(repository, 'tests/e2e/sandbox-site'),
    base: './',
    publicDir: join(repository, 'web/public'),
    plugins: [classicScripts()],
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  });
  return {
    open: (csp: string) => serve({ root: folder, csp, basePath: '/course/week 3/' }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
