/**
 * `<attention-lab>` and the anywidget, each as one file with a stable name beside the start page: whoever embeds a lab
 * writes its address into a page of their own, and it has to be there after the next release too.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { languageOf } from './one-language.ts';

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What course pages load, by its name. MIME tables of course systems know `js` and not `mjs`. */
const LOADED = {
  'attention-lab.js': from('../src/embed/element/attention-lab.ts'),
  'attention-lab.anywidget.js': from('../adapters/anywidget.ts'),
} as const;
export type Loaded = keyof typeof LOADED;
export const LOADED_FILES = Object.keys(LOADED) as readonly Loaded[];

/** The text of such a file. */
export async function bundleElement(
  version: string,
  name: Loaded = 'attention-lab.js',
): Promise<string> {
  const source = LOADED[name];
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { __VERSION__: JSON.stringify(version) },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      // `build.lib` would keep the spaces.
      rollupOptions: {
        input: source,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: 'one.js' },
      },
    },
  });
  const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk, ...more] = output;
  if (chunk?.type !== 'chunk' || more.length > 0 || chunk.imports.length > 0) {
    throw new Error(`${source} must become one file, not ${output.length}`);
  }
  return chunk.code;
}

export function element(version: string): Plugin {
  return {
    name: 'attention-labs:element',
    async generateBundle() {
      // All languages share it.
      if (languageOf(this.environment) !== 'en') return;
      for (const fileName of LOADED_FILES) {
        const source = await bundleElement(version, fileName);
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = LOADED_FILES.find((one) => request.url?.split('?')[0] === `/${one}`);
        if (!name) return next();
        bundleElement(version, name).then(
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
