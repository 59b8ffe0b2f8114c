// Builds the site into dist/: a folder any file server can host under any sub-path.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { isMain, main, must, root, seconds } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';

export const dist = join(root, 'dist');
const stamp = join(root, 'build/site.stamp');
const sources = ['web', 'wasm/client', 'build/wasm', 'package-lock.json', 'tsconfig.json'];

/** A hash that changes when a source file of the site changes, appears or disappears. */
function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    } else {
      hash.update(`${path} ${found?.mtimeMs} ${found?.size}\n`);
    }
  };
  for (const path of sources) visit(path);
  return hash.digest('hex');
}

/** The files of dist/, from its root. */
export const filesOfSite = () =>
  readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .map((path) => path.slice(dist.length + 1).replaceAll('\\', '/'))
    .sort();

/** Builds dist/ unless it already corresponds to the sources. */
export function buildSite({ force = false } = {}) {
  const started = performance.now();
  const now = fingerprint();
  const made = existsSync(join(dist, 'index.html')) && existsSync(stamp);
  if (!force && made && readFileSync(stamp, 'utf8') === now) return;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const done = must(
    process.execPath,
    [vite, 'build', 'web', '--config', 'web/vite.config.ts', '--base', './', '--outDir', '../dist'],
    'vite build failed: see its messages above.',
  );
  if (force) process.stdout.write(done.stdout);
  // A server does not say which files it has, and the page `Embed` puts some of them into a package.
  writeFileSync(join(dist, 'files.json'), JSON.stringify(filesOfSite()));
  writeFileSync(stamp, now);
  console.log(`build: site in dist/ (${seconds(started)})`);
}

if (isMain(import.meta.url)) {
  await main(() => {
    setup('build');
    buildWasm();
    buildSite({ force: true });
  });
}
