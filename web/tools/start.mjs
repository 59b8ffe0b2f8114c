// `npm start`: installs what is missing, builds what is old, serves the site. On a new clone the modules are built
// quickly: as fast as those that `npm run build` makes, but three times as large.
import { buildWasmHere } from '../../wasm/tools/build.mjs';
import { main, Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { buildSite, dist } from './build.mjs';
import { serve } from './serve.mjs';

async function serveOnFreePort() {
  const wanted = process.env.PORT;
  const first = Number(wanted ?? 4173);
  if (!Number.isInteger(first) || first < 0 || first > 65535) {
    throw new Stop(`PORT=${wanted}: a whole number from 0 to 65535 is wanted`);
  }
  for (let port = first; port < first + 100; port++) {
    try {
      return await serve({ root: dist, port });
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
      if (wanted !== undefined) throw new Stop(`port ${port} cannot be used (${error.code})`);
    }
  }
  throw new Stop(`no free port from ${first} to ${first + 99}: set PORT`);
}

await main(async () => {
  setup('build');
  buildWasmHere();
  buildSite();
  const server = await serveOnFreePort();
  console.log(`Attention Labs: ${server.url}  (Ctrl+C stops)`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
});
