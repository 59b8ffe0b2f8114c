/**
 * Tests that a lab and an exercise are folders and nothing else. Both are put into a temporary site, the site is
 * built, and the tools that read the built site must find them.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBuilder } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { courseMap, labsModule } from '../../web/plugins/course-map';
import { ExerciseSource, exercises } from '../../web/plugins/exercises';
import { LabSource, labPage, labs, type ReadLab } from '../../web/plugins/labs';
import { buildAll, markupIn, oneLanguage } from '../../web/plugins/one-language';
import { englishForNow } from '../../web/src/strings/english-for-now';
import { labs as labsToMeasure, pages } from '../tools/site.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const site = mkdtempSync(join(tmpdir(), 'attention-labs-site-'));
const web = join(site, 'web');
const dist = join(site, 'dist');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(web, path)), { recursive: true });
  writeFileSync(join(web, path), text);
}

const words = (title: string) => `# ${title}

## ${title}?

What it is about.

### Outcomes

- look

### Description

A lab.

## ${title} {#look}

${title}

## References

## Summary

${title}
`;

/** Writes the smallest possible lab as one folder. A new lab is in English only. */
function addLab(id: string, number: number, title: string, german?: string): void {
  write(`labs/${id}/index.html`, '<!doctype html>');
  write(`labs/${id}/main.ts`, `document.title += ' was opened';`);
  write(
    `labs/${id}/lab.ts`,
    `export const lab = {
      id: '${id}', number: ${number}, part: 'linear', requires: [], opening: { id: 'picture', tag: 'x-picture' },
      steps: [{ id: 'look', blocks: [{ kind: 'prose', id: 'look' }] }], references: [],
      words: { en: () => import('./words/en.md')${german ? `, de: () => import('./words/de.md')` : ''} },
    };`,
  );
  write(`labs/${id}/words/en.md`, words(title));
  if (german) write(`labs/${id}/words/de.md`, words(german));
}

const labSource = new LabSource(web);
const exerciseSource = new ExerciseSource(web, labSource);

beforeAll(async () => {
  addLab('second-lab', 2, 'The second');
  addLab('first-lab', 1, 'The first', 'Das erste');
  // The new exercise is a copy of a real one with another name and another lab.
  cpSync(join(repository, 'web/exercises/attention'), join(web, 'exercises/new-exercise'), {
    recursive: true,
  });
  const specification = join(web, 'exercises/new-exercise/exercise.ts');
  writeFileSync(
    specification,
    readFileSync(specification, 'utf8')
      .replace(/id: 'attention'/, `id: 'new-exercise'`)
      .replace(/lab: '[^']*'/, `lab: 'second-lab'`),
  );
  // German words may come later, for the exercise as for the lab.
  rmSync(join(web, 'exercises/new-exercise/de.ts'));
  symlinkSync(join(repository, 'web/src'), join(web, 'src'));
  write('theme.js', '');
  const home = readFileSync(join(repository, 'web/index.html'), 'utf8');
  write('index.html', home.replace(/<script.*<\/script>/g, '').replace(/<link.*\/>/g, ''));
  const builder = await createBuilder({
    configFile: false,
    root: web,
    base: './',
    logLevel: 'error',
    plugins: [
      oneLanguage(),
      labs(labSource),
      exercises(exerciseSource),
      courseMap(labSource, exerciseSource, repository),
    ],
    build: { outDir: dist, emptyOutDir: true },
    ...buildAll(`${web}/`),
  });
  await builder.buildApp();
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

test('the course map lists both labs in the order that their own files state', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const at = ['The first', 'The second'].map((title) => html.indexOf(`index.html">${title}</a>`));
  expect(at[0]).toBeGreaterThan(0);
  expect(at[1]).toBeGreaterThan(at[0] as number);
  expect(html).toContain('href="./labs/second-lab/index.html"');
});

test('each lab has a page, with its own words and its own script', () => {
  const html = readFileSync(join(dist, 'labs/first-lab/index.html'), 'utf8');
  expect(html).toContain('<h1>The first?</h1>');
  expect(html).not.toContain('Das erste');
  const german = readFileSync(join(dist, 'de/labs/first-lab/index.html'), 'utf8');
  expect(german).toContain('<h1>Das erste?</h1>');
  expect(german).not.toContain('The first');
  expect(german).not.toContain(englishForNow.de.lab);
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
  const code = readFileSync(join(dist, 'labs/first-lab', script), 'utf8');
  expect(code).toContain('was opened');
});

const germanLine = `>${englishForNow.de.lab}</p>`;

test('a lab in English only is the English page in the German site, but for a line that says so and the links', () => {
  const page = (folder: string) =>
    readFileSync(join(dist, folder, 'labs/second-lab/index.html'), 'utf8');
  const [english, german] = [page(''), page('de')];
  expect(german).toContain('<html lang="en" data-site="de">');
  expect(german).toContain('<h1>The second?</h1>');
  expect(german.split(germanLine)).toHaveLength(2);
  expect(english).not.toContain(germanLine);
  // Its links lead on in the German site, and the switch to the English one.
  expect(german).toContain('<a class="home" href="../../index.html">');
  expect(german).toContain(
    '<a lang="en" hreflang="en" href="../../../labs/second-lab/index.html">English</a></attn-language-switch>',
  );
  const script = (html: string) => /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1];
  expect(script(german)).toBe(`../${script(english)}`);
  const same = (html: string): string =>
    html
      .replace(/<p class="fine english-for-now".*?<\/p>/, '')
      .replace(/<attn-language-switch>.*?<\/attn-language-switch>/, '')
      .replace(/<link rel="alternate"[^>]*>/g, '')
      .replace(/ (?:src|href)="(?:\.\.\/)+/g, ' ="')
      .replace(' data-site="de"', '');
  expect(same(german)).toBe(same(english));
  const map = readFileSync(join(dist, 'de/index.html'), 'utf8');
  expect(map.split(`${englishForNow.de.short} `)).toHaveLength(2);
  expect(map).toContain('<p class="question"><span lang="en">The second?</span></p>');
});

test('a lab of which parts are in English has a German page with a line that says so', async () => {
  const file = join(web, 'labs/first-lab/words/de.md');
  const whole = readFileSync(file, 'utf8');
  const [read] = await labSource.read();
  expect(labPage(read as ReadLab)).not.toContain(englishForNow.de.parts);
  writeFileSync(
    file,
    whole.replace('## Das erste {#look}\n\nDas erste\n', '## Das erste {#look}\n'),
  );
  const [partly] = await new LabSource(web).read();
  expect(partly?.words.de?.inEnglish).toEqual(['prose.look']);
  expect(partly?.words.de?.prose.look).toEqual(['The first']);
  const page = markupIn('de', labPage(partly as ReadLab), 'labs/first-lab/index.html');
  expect(page.split(englishForNow.de.parts)).toHaveLength(2);
  writeFileSync(file, whole);
});

test('a lab in German in some of its files only stops the build, with the names of the others', async () => {
  const file = join(web, 'labs/second-lab/words/de.md');
  writeFileSync(file, words('Das zweite'));
  await expect(new LabSource(web).read()).rejects.toThrow(
    /second-lab is in 'de' only in part: words\/de\.md has it, lab\.ts lacks it/,
  );
  rmSync(file);
});

test('the size check, the first picture and the screenshots find the labs', () => {
  expect(labsToMeasure(dist)).toEqual(['labs/first-lab/', 'labs/second-lab/']);
  expect(pages(dist)).toEqual(['', 'labs/first-lab/', 'labs/second-lab/']);
  expect(labsToMeasure(dist, 'de')).toEqual(['de/labs/first-lab/', 'de/labs/second-lab/']);
});

test('the list of exercises has the new one, in its lab', async () => {
  for (const language of ['en', 'de'] as const) {
    const { groups, list } = await exerciseSource.list(language);
    expect(groups.map(({ id }) => id)).toEqual(['first-lab', 'second-lab']);
    expect(list).toMatchObject([{ id: 'new-exercise', lab: 'second-lab' }]);
    // The exercise and its lab are in English, and the German list marks them as such.
    const inEnglish = language === 'de' ? 'en' : undefined;
    expect(list[0]).toHaveProperty('title', 'Scaled dot-product attention');
    expect([list[0]?.lang, ...groups.map(({ lang }) => lang)]).toEqual([
      inEnglish,
      undefined,
      inEnglish,
    ]);
  }
  const map = labsModule(await labSource.read(), (await exerciseSource.read()).specifications.en);
  expect(JSON.parse(map.slice(map.indexOf('['), -1))[1].exercises).toEqual(['new-exercise']);
  expect(existsSync(join(dist, 'index.html'))).toBe(true);
});

test('an exercise of a lab that is not there stops the build with its name', async () => {
  const file = join(web, 'exercises/new-exercise/exercise.ts');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace(`lab: 'second-lab'`, `lab: 'no-such-lab'`));
  await expect(new ExerciseSource(web, labSource).list('en')).rejects.toThrow(
    /new-exercise.*no-such-lab.*first-lab, second-lab/,
  );
  writeFileSync(file, before);
});
