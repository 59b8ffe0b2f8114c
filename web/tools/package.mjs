// `npm run package -- --help` says how it is used: a lab or an exercise of dist/ as a package for a learning system, or a
// page of ten kilobytes that shows the one of your host there.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importTypeScript } from '../../tests/tools/client.mjs';
import { commandLine } from '../../tests/tools/command-line.mjs';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { buildSite, dist, filesOfSite } from './build.mjs';

const USAGE = `npm run package -- --scorm 1.2|2004 --lab kernels | --exercise gram-matrix [options]

Writes a lab or an exercise as a package for a learning system, with all that it needs.

  --scorm 1.2|2004        the standard that the learning system takes
  --lab kernels           a lab, by the name of its folder in web/labs/
  --exercise gram-matrix  an exercise, by the name of its folder in web/exercises/, in place of a lab
  --steps a,b             the steps of the lab that count for the grade
  --exercises c,d         the exercises of the lab that count for the grade
  --hide e,f              steps, figures, knobs and parts that are taken away
  --query "n=64&lock=n"   what a link has behind its ?, such as knobs that are set and locked
  --step place            the step or the figure where the lab begins
  --language en|de        the language of the page
  --title text            what the learning system calls it
  --remote https://your.site/attention-labs/
                          ten kilobytes that show the site of your host there
  --out file.zip|folder/  where it is written
  --help                  this text`;

/** The script of the package's page, with all that it imports: the very text that the site has for its own packages. */
async function bundledShell() {
  const { bundle } = await importTypeScript('web/plugins/classic-scripts.ts');
  return bundle(join(root, 'web/src/embed/package/shell.ts'), {
    resolve: { alias: [] },
    mode: 'production',
    command: 'build',
  });
}

/** Steps and exercises that the lab does not have would never be done. */
async function check(lab, exercise, language, steps, exercises) {
  if (language !== 'en' && language !== 'de')
    throw new Stop(`--language en or de, not ${language}`);
  if (exercise) {
    if (!existsSync(join(root, 'web/exercises', exercise))) {
      throw new Stop(`there is no exercise ${exercise}`);
    }
    return;
  }
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
}

/**
 * Where a package is written.
 * @param {string | undefined} out a file, or a folder: one that is there, or is written with a slash
 * @param {string} name what the package is called where nobody says more
 */
export function placeOf(out, name) {
  if (out === undefined) return name;
  const folder = /[\\/]$/.test(out) || statSync(out, { throwIfNoEntry: false })?.isDirectory();
  return folder ? join(out, name) : out;
}

/** Makes the package and returns its bytes. */
export async function packageOf({ title, ...options }) {
  const { filesOfLab, labPage, makePackage, titleIn } = await importTypeScript(
    'web/src/embed/package/package.ts',
  );
  const read = (path) => readFileSync(join(dist, path));
  const paths = filesOfSite();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = options.remote === undefined ? await filesOfLab(options, paths, read) : [];
  return makePackage(files, {
    ...options,
    version,
    title: title ?? titleIn(read(labPage(options)).toString()) ?? options.lab,
    shell: await bundledShell(),
  });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { option, rest } = commandLine();
    if (rest.includes('--help')) {
      console.log(USAGE);
      return;
    }
    const named = (name) =>
      option(name)
        ?.split(',')
        .map((one) => one.trim());
    const [scorm, title, query, step] = ['--scorm', '--title', '--query', '--step'].map(option);
    const [lab = '', exercise] = ['--lab', '--exercise'].map(option);
    const [steps, exercises, hide] = ['--steps', '--exercises', '--hide'].map(named);
    const language = option('--language') ?? 'en';
    const remote = option('--remote');
    const file = option('--out');
    const wrong = (what) => new Stop(`${what}\n\n${USAGE}`);
    if (rest.length > 0) throw wrong(`not understood: ${rest.join(' ')}`);
    if (scorm !== '1.2' && scorm !== '2004') throw wrong('--scorm 1.2 or --scorm 2004 is wanted');
    if (!/^[\w-]+$/.test(lab || (exercise ?? '')) || (lab && exercise)) {
      throw wrong('--lab with the folder of a lab is wanted, or --exercise with an id');
    }
    await check(lab, exercise, language, steps, exercises);
    buildSite();
    const given = { exercise, steps, exercises, hide, query, step, remote, title };
    const options = {
      ...{ scorm, lab, language },
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    };
    const { packageName } = await importTypeScript('web/src/embed/package/package-name.ts');
    const out = placeOf(file, packageName(options));
    const zip = await packageOf(options);
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, zip);
    console.log(`${out}: ${(zip.length / 1024).toFixed(1)} KB`);
  });
}
