// What every comparison with peers needs: their packages, and the page in Chromium that runs them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { capture, must, root } from '../../wasm/tools/process.mjs';
import { launchChromium } from './chromium.mjs';

const page = join(root, 'tests/bench/peers');
export const built = join(root, 'build/peers-page');

// With these headers the page's clock counts in steps of 0.005 ms instead of 0.1 ms.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Bundles the page, serves it and opens it in Chromium for `use(page, browser)`. */
export async function withPage(withPeers, use) {
  const { build, preview } = await import('vite');
  const shared = { configFile: false, root: page, logLevel: 'error' };
  await build({
    ...shared,
    mode: 'production',
    define: { WITH_PEERS: withPeers },
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'esnext',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1e5,
    },
  });
  const server = await preview({
    ...shared,
    build: { outDir: built },
    preview: { host: '127.0.0.1', port: 4900, headers: isolation },
  });
  let browser;
  try {
    browser = await launchChromium();
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => console.log(`page: ${error.message}`));
    await tab.goto(server.resolvedUrls.local[0]);
    await tab.waitForFunction(() => globalThis.peers);
    return await use(tab, browser);
  } finally {
    await browser?.close();
    await server.close();
  }
}

/** Installs the peers where they are missing: 33 MB that nothing else needs. */
export function installPeers() {
  const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
  const installed = modified(join(page, 'node_modules/.package-lock.json'));
  if (installed > 0 && installed >= modified(join(page, 'package-lock.json'))) return;
  console.log('setup: npm ci in tests/bench/peers');
  const args = ['ci', '--prefix', page, '--no-audit', '--no-fund', '--ignore-scripts'];
  must('npm', args, 'npm could not install the peers: see its message above.');
}

export const peersInstalled = () => existsSync(join(page, 'node_modules/.package-lock.json'));

/** The versions of the peers by name. */
export function versions() {
  const { dependencies } = JSON.parse(readFileSync(join(page, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => {
      const file = join(page, 'node_modules', name, 'package.json');
      return [name, JSON.parse(readFileSync(file, 'utf8')).version];
    }),
  );
}

/** The commit of the sources, followed by `+` when files differ from it. */
export function commit() {
  const { code, stdout } = capture('git', ['rev-parse', '--short=10', 'HEAD']);
  if (code !== 0) return 'unknown';
  const changed = capture('git', ['status', '--porcelain']).stdout.trim() !== '';
  return `${stdout.trim()}${changed ? '+' : ''}`;
}

/** The machine, with the load before and after a run. */
export function machine(load) {
  const { length: cores, 0: cpu } = cpus();
  return { cpu: cpu?.model ?? 'unknown', cores, platform: process.platform, load };
}
