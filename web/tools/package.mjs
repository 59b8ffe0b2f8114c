// `npm run package -- --scorm 1.2|2004 --lab kernels [--steps a,b] [--exercises c,d] [--hide e,f] [--language de]
// [--title text] [--remote https://your.site/attention-labs/] [--out file.zip]`: a lab of dist/ as a package for a
// learning system, or a page of ten kilobytes that shows the lab of your host there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from '../../tests/tools/client.mjs';
import { commandLine } from '../../tests/tools/command-line.mjs';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { buildSite, dist } from './build.mjs';

const named = (text) => text?.split(',').map((name) => name.trim());

/** The script of the package's page, with all that it imports. */
export async function bundledShell() {
  const { build } = await import('vite');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      lib: {
        entry: join(root, 'web/src/embed/package/shell.ts'),
        formats: ['iife'],
        name: '__attentionLabsPackage',
      },
    },
  });
  const [chunk] = [result].flat().flatMap(({ output }) => output);
  return chunk.code;
}

/** Steps and exercises that the lab does not have would never be done. */
async function check(lab, language, steps, exercises) {
  const module = await importTypeScript(`web/labs/${lab}/lab.ts`).catch(() => undefined);
  if (!module) throw new Stop(`there is no lab ${lab}`);
  const { exercisesIn } = await importTypeScript('web/src/lab/page/step-progress.ts');
  const all = {
    steps: module.lab.steps.map(({ id }) => id),
    exercises: module.lab.steps.flatMap(({ blocks }) => exercisesIn(blocks)),
  };
  for (const [kind, names] of Object.entries({ steps, exercises })) {
    for (const name of names ?? []) {
      if (!all[kind].includes(name)) {
        throw new Stop(`the lab ${lab} has no ${name} among its ${kind}: ${all[kind].join(', ')}`);
      }
    }
  }
  if (language !== 'en' && language !== 'de')
    throw new Stop(`--language en or de, not ${language}`);
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Makes the package and returns its bytes. */
export async function packageOf({ title, ...options }) {
  const { filesOfLab, labPage, makePackage } = await importTypeScript(
    'web/src/embed/package/package.ts',
  );
  const read = (path) => readFileSync(join(dist, path));
  const paths = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .map((path) => path.slice(dist.length + 1).replaceAll('\\', '/'));
  const [, ofPage = options.lab] =
    /<title>([^<]*)<\/title>/.exec(read(labPage(options)).toString()) ?? [];
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = options.remote === undefined ? await filesOfLab(options, paths, read) : [];
  return makePackage(files, {
    ...options,
    version,
    title: title ?? ofPage.replace(/&(amp|lt|gt|quot);/g, (_, name) => entities[name]),
    shell: await bundledShell(),
  });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { option, rest } = commandLine();
    const [scorm, lab, title] = ['--scorm', '--lab', '--title'].map(option);
    const [steps, exercises, hide] = ['--steps', '--exercises', '--hide'].map((name) =>
      named(option(name)),
    );
    const language = option('--language') ?? 'en';
    const remote = option('--remote');
    const out =
      option('--out') ?? `${lab}-${language}-scorm-${scorm}${remote ? '-remote' : ''}.zip`;
    if (rest.length > 0) throw new Stop(`not understood: ${rest.join(' ')}`);
    if (scorm !== '1.2' && scorm !== '2004')
      throw new Stop('--scorm 1.2 or --scorm 2004 is wanted');
    if (!/^[\w-]+$/.test(lab ?? '')) throw new Stop('--lab with the folder of a lab is wanted');
    await check(lab, language, steps, exercises);
    buildSite();
    const given = { steps, exercises, hide, remote, title };
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
    const zip = await packageOf({ scorm, lab, language, ...options });
    writeFileSync(out, zip);
    console.log(`${out}: ${(zip.length / 1024).toFixed(1)} KB`);
  });
}
