/** Builds the site and serves it, under a strict policy and a sub-path, to every file of tests. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve, strictCsp } from '../../web/tools/serve.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the site's root. */
    readonly siteUrl: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  buildSite();
  // A copy: a build that someone starts meanwhile must not pull the pages away.
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-'));
  cpSync(dist, folder, { recursive: true });
  const site = await serve({ root: folder, csp: strictCsp, basePath: '/course/week 3/' });
  provide('siteUrl', site.url);
  return async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
