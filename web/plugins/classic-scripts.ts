/**
 * `import address from './x.ts?script'`: x.ts with all that it imports as one classic script, for a worker
 * that is made of text: module workers do not start in a frame without an origin. The page fetches the script when it is first needed.
 */
import { basename } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { micropythonGlue } from './micropython.ts';

const suffix = '?script';
export const devPath = '/@script/';

export async function bundle(file: string, { resolve, mode, command }: ResolvedConfig) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    mode,
    publicDir: false,
    resolve: { alias: resolve.alias },
    plugins: [micropythonGlue()],
    build: {
      write: false,
      target: 'es2022',
      minify: command === 'build',
      modulePreload: false,
      lib: { entry: file, formats: ['iife'], name: '__attentionLabsWorker' },
    },
  });
  const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk, ...more] = output.filter(({ type }) => type === 'chunk');
  if (chunk?.type !== 'chunk' || more.length > 0) {
    throw new Error(`${file} must become one script, not ${1 + more.length}`);
  }
  return chunk.code;
}

export function classicScripts(): Plugin {
  let config: ResolvedConfig;
  /** The scripts of a build, which are the same in every language. */
  const built = new Map<string, Promise<string>>();
  return {
    name: 'attention-labs:classic-scripts',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    async load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const file = id.slice(0, -suffix.length);
      if (config.command === 'serve') {
        return `export default ${JSON.stringify(`${devPath}${encodeURIComponent(file)}`)};`;
      }
      const script = built.get(file) ?? bundle(file, config);
      built.set(file, script);
      const reference = this.emitFile({
        type: 'asset',
        name: basename(file).replace(/\.ts$/, '.js'),
        source: await script,
      });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { url = '' } = request;
        if (!url.startsWith(devPath)) return next();
        bundle(decodeURIComponent(url.slice(devPath.length)), config).then(
          (code) => {
            response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
            response.end(code);
          },
          (error) => next(error),
        );
      });
    },
  };
}
