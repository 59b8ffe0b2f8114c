/** Builds the site once and serves it to all test files, under the README's policy and a sub-path. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { strictCsp } from '../tools/readme.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the site's root. */
    readonly siteUrl: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  buildSite();
  // The tests serve a copy, because a build that someone starts meanwhile would remove the pages.
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-'));
  cpSync(dist, folder, { recursive: true });
  const site = await serve({ root: folder, csp: strictCsp, basePath: '/course/week 3/' });
  provide('siteUrl', site.url);
  return async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
