import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { fonts } from './plugins/fonts.js';
import { FormulaSource, formulas } from './plugins/formulas.js';
import { home } from './plugins/home.js';
import { LabSource, labs } from './plugins/labs.js';
import { classicScripts } from './plugins/sandbox.js';
import { shortTemplates } from './plugins/templates.js';
import { words } from './plugins/words.js';

const web = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as {
  version: string;
};

/** Every folder in there with an index.html is a page. */
function pagesIn(folder: string): Record<string, string> {
  const input: Record<string, string> = {};
  for (const name of readdirSync(`${web}${folder}`)) {
    const page = `${web}${folder}/${name}/index.html`;
    if (existsSync(page)) input[name] = page;
  }
  return input;
}

/**
 * The labs, or with `--mode pages` the plain pages. They are built apart: what they have in common
 * would otherwise be cut out of the labs into files of their own, and each costs the first load.
 */
const inputs = (mode: string): Record<string, string> =>
  mode === 'pages' ? pagesIn('pages') : { index: `${web}index.html`, ...pagesIn('labs') };

/** The builds of the full core that there are. */
const builds = (): string[] => {
  const folder = `${repository}build/wasm`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/full.mjs`));
};

/** Of a page's scripts only: the parts that come later are few, and have no imports of their own. */
const preloads = (_: string, found: string[], { hostType }: { hostType: 'html' | 'js' }) =>
  hostType === 'html' ? found : [];

/**
 * What every lab begins with, in one file: in pieces it is a KB larger. Not what the home page
 * begins with too, nor what some labs begin without.
 */
const firstOfLabs = {
  name: 'lab',
  tags: ['$initial' as const],
  minShareCount: 3,
  test: (id: string) =>
    !/-switch\/|strings\/(?:theme|problem|language|translation)|styles\/theme/.test(id) &&
    !/idb-keyval|state\/saved|exercises|heatmap|plot\/(?:raster|svg|paint)|lab\/(?:figure|prose|formulas|tex)/.test(
      id,
    ),
};

/** Vite wraps every `import()` in a helper that does what `preloads` has just turned off. */
const plainImports: Plugin = {
  name: 'attention-labs:plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? 'export const __vitePreload = (load) => load();'
      : undefined,
};

export default defineConfig(({ command, mode }) => {
  // A build started by a test runner would inherit its NODE_ENV, and with it Lit's development mode.
  if (command === 'build') process.env.NODE_ENV = 'production';
  const source = new FormulaSource(repository, web);
  const labSource = new LabSource(web);
  return {
    root: web,
    // Relative addresses only: the folder works under any sub-path of any file server.
    base: './',
    publicDir: 'public',
    define: {
      __BUILDS__: JSON.stringify(builds()),
      __VERSION__: JSON.stringify(version),
    },
    plugins: [
      formulas(source),
      labs(labSource),
      home({
        labs: () => labSource.read(),
        exercises: async () => (await source.specifications()).en,
      }),
      fonts(source, labSource, repository),
      shortTemplates(),
      classicScripts(),
      words(web),
      plainImports,
    ],
    resolve: {
      alias: {
        // The longer name first: an alias also matches what goes on after it.
        '#client/arrays': `${repository}wasm/client/arrays/index.ts`,
        '#client/full': `${repository}wasm/client/full/index.ts`,
        '#client/trick': `${repository}wasm/client/trick/index.ts`,
        '#client': `${repository}wasm/client/index.ts`,
      },
    },
    // The core and the font cache lie beside web/, not below it.
    server: { fs: { allow: [repository] } },
    build: {
      outDir: '../dist',
      emptyOutDir: mode !== 'pages',
      target: 'es2022',
      // data: addresses would need holes in a course site's content security policy.
      assetsInlineLimit: 0,
      cssMinify: true,
      // An inline script, which the policy forbids; browsers with wasm SIMD need no polyfill.
      modulePreload: { polyfill: false, resolveDependencies: preloads },
      rollupOptions: {
        input: inputs(mode),
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: mode === 'pages' ? [] : [firstOfLabs],
          },
        },
      },
    },
    worker: { format: 'es' as const },
  };
});
