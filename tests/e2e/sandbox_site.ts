/** A page that has nothing but the sandbox, built and served as the site is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { classicScripts } from '../../web/plugins/classic-scripts';
import { serve } from '../../web/tools/serve.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The folder it was built into, and `open(csp)`, which serves it. */
export async function buildSandboxSite() {
  // A test runner's own would make it a site in development.
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
