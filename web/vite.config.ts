import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { book } from './plugins/book.js';
import { classicScripts } from './plugins/classic-scripts.js';
import { courseMap } from './plugins/course-map.js';
import { cssLiterals } from './plugins/css-literals.js';
import { element } from './plugins/element.js';
import { ExerciseSource, exercises } from './plugins/exercises.js';
import { startCore } from './plugins/first-chunks.js';
import { fonts } from './plugins/fonts.js';
import { formulas, RegistrySource } from './plugins/formulas.js';
import { LabSource, labs } from './plugins/labs.js';
import { buildAll, defineLanguage, oneLanguage, serveOthers } from './plugins/one-language.js';

const web = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as {
  version: string;
};

/** The builds of the full core that there are. */
const builds = (): string[] => {
  const folder = `${repository}build/wasm`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/full.mjs`));
};

export default defineConfig(({ command }) => {
  // A build started by a test runner would inherit its NODE_ENV, and with it Lit's development mode.
  if (command === 'build') process.env.NODE_ENV = 'production';
  const registry = new RegistrySource(repository);
  const labSource = new LabSource(web);
  const exerciseSource = new ExerciseSource(web, labSource);
  return {
    root: web,
    // Relative addresses only: the folder works under any sub-path of any file server.
    base: './',
    publicDir: 'public',
    define: {
      ...defineLanguage('en'),
      __BUILDS__: JSON.stringify(builds()),
      __VERSION__: JSON.stringify(version),
    },
    plugins: [
      oneLanguage(),
      serveOthers(),
      formulas(registry),
      labs(labSource),
      exercises(exerciseSource),
      courseMap(labSource, exerciseSource, repository),
      fonts({ registry, labs: labSource, exercises: exerciseSource }, repository),
      classicScripts(),
      cssLiterals(),
      book(repository),
      element(version),
      startCore(web),
    ],
    resolve: {
      alias: {
        // The longer name first: an alias also matches what goes on after it.
        '#client/arrays': `${repository}wasm/client/arrays/index.ts`,
        '#client/phrases': `${repository}wasm/client/phrases.ts`,
        '#client': `${repository}wasm/client/index.ts`,
      },
    },
    // The core and the font cache lie beside web/, not below it.
    server: { fs: { allow: [repository] } },
    build: {
      outDir: '../dist',
      emptyOutDir: true,
      target: 'es2022',
      // data: addresses would need holes in a course site's content security policy.
      assetsInlineLimit: 0,
      cssMinify: true,
      // An inline script, which the policy forbids; browsers with wasm SIMD need no polyfill.
      modulePreload: { polyfill: false },
    },
    worker: { format: 'es' as const },
    ...(command === 'build' && buildAll(web)),
  };
});
