// `npm run dev`: runs Vite's server, and rebuilds the core whenever its C++ changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildWasmHere } from '../../wasm/tools/build.mjs';
import { main, root } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';

await main(() => {
  setup('build');
  buildWasmHere();

  // The build runs in a process of its own, so that Vite serves pages while the compiler works.
  let building;
  let again = false;
  const rebuild = () => {
    again = building !== undefined;
    if (again) return;
    const args = [join(root, 'wasm/tools/build.mjs'), '--here'];
    building = spawn(process.execPath, args, { stdio: 'inherit' });
    building.once('exit', () => {
      building = undefined;
      if (again) rebuild();
    });
  };
  let timer;
  for (const folder of ['core', 'wasm/src']) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (!/\.(cpp|hpp)$/.test(name ?? '')) return;
      clearTimeout(timer);
      timer = setTimeout(rebuild, 100);
    });
  }

  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'web', '--config', 'web/vite.config.ts', ...process.argv.slice(2)];
  const server = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  server.once('exit', (code) => process.exit(code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.kill(signal));
});
