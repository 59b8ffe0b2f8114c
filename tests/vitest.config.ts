/**
 * Configures six projects: `unit` runs under Node, `trainings` trains the labs' models there, `components` shows one element at a time in Chromium, `e2e` opens
 * the built site in Chromium, three files at a time, `alone` runs the tests of the site that fail when something takes too long, and
 * `browsers` opens the site in Firefox and in WebKitGTK.
 */
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { emulateMedia } from './components/commands.ts';
import { chromiumFlags, windowless } from './tools/chromium.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const executablePath = windowless();

/** Tests of the built site, which tests/e2e/site.ts builds and serves once for all of them. */
const ofTheSite = {
  globalSetup: ['tests/e2e/site.ts'],
  // This ends a test that hangs, not a slow one: a walk through a whole lab trains every model in it, which took four
  // minutes on two cores that ran two other files. Whatever a test waits for has a limit of its own.
  testTimeout: 600_000,
  hookTimeout: 300_000,
};

/** The files that take longest, those of each project in their order. Some wait more than they compute. */
const longest = [
  ...[
    'walk-english',
    'keyboard',
    'place',
    'states',
    'exercises',
    'speed',
    'feature-maps',
    'surgeon',
  ],
  ...['walk-german', 'sandbox', 'lab-shell', 'embedding'],
  ...[
    'regrade',
    'lost_worker',
    'attack',
    'attacks',
    'short',
    'feature-maps-lab',
    'numpy',
    'client',
  ],
].map((name) => `/${name}.test.ts`);

/**
 * Starts the files first that take longest. A long file that began last would run alone while the other worker is
 * idle. Vitest's own order knows only how large files are, until they have run once on a machine.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root: repository,
  test: {
    environment: 'node',
    sequence: { sequencer: LongestFirst },
    // On a machine that also compiles, the default of 5 s ended tests that work.
    testTimeout: 30_000,
    // For two cores: a file waits for timers or for a page a third of the time.
    maxWorkers: 3,
    // Polled values usually appear within milliseconds, but later on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        // Figures are imported for the tables of their knobs, without the site's build.
        resolve: {
          alias: {
            'virtual:formulas': `${repository}tests/fuzz/no-formulas.ts`,
            'virtual:book': `${repository}tests/fuzz/no-book.ts`,
          },
        },
        test: {
          name: 'unit',
          include: ['tests/{fuzz,wasm,web,numpy,python,project}/**/*.test.ts'],
          exclude: ['tests/wasm/trainings/*'],
        },
      },
      {
        extends: true,
        test: { name: 'trainings', include: ['tests/wasm/trainings/*.test.ts'] },
      },
      {
        extends: true,
        // Figures run here without the site's build, and a short text is enough for them.
        resolve: {
          alias: {
            'virtual:formulas': `${repository}tests/fuzz/no-formulas.ts`,
            'virtual:book': `${repository}tests/components/short-book.ts`,
          },
        },
        // These packages are bundled in advance; if a test found them first, they would be bundled then and the page
        // would reload.
        optimizeDeps: {
          include: [
            ...['lit', 'lit/decorators.js', 'lit/directives/live.js', 'lit/directives/repeat.js'],
            ...['lit/directives/unsafe-html.js', 'lit/directives/unsafe-svg.js'],
            ...['lit/directives/guard.js', 'lit/directive.js'],
            ...['axe-core', 'idb-keyval', 'fast-check', '@lezer/highlight'],
            ...['autocomplete', 'commands', 'language', 'lint', 'state', 'view'].map(
              (name) => `@codemirror/${name}`,
            ),
            ...['@codemirror/lang-python', '@codemirror/lang-javascript'],
          ],
        },
        test: {
          name: 'components',
          include: ['tests/components/**/*.test.ts'],
          setupFiles: ['tests/components/setup.ts'],
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // The window is wide enough for knobs to lie open beside their picture.
            viewport: { width: 1000, height: 760 },
            provider: playwright({
              launchOptions: {
                ...(executablePath && { executablePath }),
                args: [...chromiumFlags],
              },
              contextOptions: { locale: 'en-GB', colorScheme: 'light' },
              actionTimeout: 10_000,
            }),
            instances: [{ browser: 'chromium' }],
            commands: { emulateMedia },
          },
        },
      },
      {
        extends: true,
        test: {
          ...ofTheSite,
          name: 'e2e',
          include: ['tests/e2e/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...ofTheSite,
          name: 'alone',
          include: ['tests/e2e/alone/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...ofTheSite,
          globalSetup: ['tests/browsers/site.ts'],
          name: 'browsers',
          include: ['tests/browsers/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
