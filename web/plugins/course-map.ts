/**
 * The course map: the home page's list of labs, made from their words while the site is built, so
 * that it can be read before any script; and `virtual:labs`, from which the page's script computes the reader's progress.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { ExerciseGroup } from '../exercises/groups.ts';
import type { Exercise } from '../src/exercises/types.ts';
import { type HomeWords, homeWords } from '../src/home/words.ts';
import { type Part, parts } from '../src/lab/page/parts.ts';
import type { Block } from '../src/lab/types.ts';
import { type LanguageId, langOf, languages, orEnglish } from '../src/strings/language.ts';
import type { ExerciseSource } from './exercises.ts';
import { escapeHtml, inEach, whereEnglish } from './in-each-language.ts';
import type { LabSource, ReadLab } from './labs.ts';
import { readingMinutes } from './reading-time.ts';

const PUBLIC_ID = 'virtual:labs';
const RESOLVED_ID = `\0${PUBLIC_ID}`;

type Listed = Pick<Exercise, 'id' | 'lab' | 'minutes'>;

const said = (words: (home: HomeWords) => string): string => inEach((id) => words(homeWords[id]));

/** The questions of each step: progress is computed from them. */
function questions(blocks: readonly Block[]): object[] {
  return blocks.flatMap((block): object[] => {
    if (block.kind === 'check') return [{ kind: block.kind, id: block.id }];
    if (block.kind !== 'prediction') return [];
    return [{ kind: block.kind, id: block.id, reveal: questions(block.reveal ?? []) }];
  });
}

/** `virtual:labs`: see virtual.d.ts. */
export function labsModule(labs: readonly ReadLab[], exercises: readonly Listed[]): string {
  const summary = labs.map(({ lab, words }) => ({
    ...{ id: lab.id, number: lab.number, requires: lab.requires },
    ...(lab.takesText === undefined ? {} : { takesText: lab.takesText }),
    exercises: exercises.filter((one) => one.lab === lab.id).map(({ id }) => id),
    steps: lab.steps.map(({ id, formerlyIn, blocks }) => ({
      id,
      ...(formerlyIn && { formerlyIn }),
      title: Object.fromEntries(
        Object.entries(words)
          .filter(([, { inEnglish }]) => !inEnglish?.includes(`steps.${id}`))
          // The title becomes the text of a link, so the marks of prose are removed.
          .map(([one, { steps }]) => [one, (steps[id] ?? id).replace(/[$`*\\{}]/g, '')]),
      ),
      blocks: questions(blocks),
    })),
  }));
  return `export const labs = ${JSON.stringify(summary)};`;
}

/** Where the home page wants the list of labs, the address of the first of them, and the link to the source. */
const PLACE = '<!-- labs -->';
const START = '<!-- start -->';
const SOURCE = '<!-- source -->';

const LAB = /Lab (\d+)/g;

function entry(read: ReadLab, all: readonly ReadLab[], exercises: readonly Listed[]): string {
  const { lab, opening, words } = read;
  const minutes = readingMinutes(lab, words.en);
  const practice = exercises.reduce((sum, one) => sum + one.minutes, 0);
  const required = all.filter(({ lab: { id } }) => lab.requires.includes(id));
  const listOf = (id: LanguageId): string =>
    new Intl.ListFormat(id).format(required.map((one) => `Lab ${one.lab.number}`));
  // Words are escaped first, so links are put into them afterwards.
  const link = (name: string, number: string): string => {
    const target = required.find((one) => one.lab.number === Number(number));
    return target ? `<a href="#${target.lab.id}">${name}</a>` : name;
  };
  const facts = [
    said((home) => home.minutes(minutes)),
    said((home) => home.steps(lab.steps.length)),
    ...(exercises.length > 0 ? [said((home) => home.exercises(exercises.length, practice))] : []),
    ...(required.length > 0
      ? [inEach((id) => homeWords[id].buildsOn(listOf(id))).replace(LAB, link)]
      : []),
  ];
  // Skills may differ in number from language to language.
  const skills = (Object.keys(languages) as LanguageId[]).map(
    (id) =>
      `<ul data-lang="${id}" lang="${langOf(opening, id) ?? id}">${orEnglish(opening, id)
        .teaches.map((skill) => `<li>${escapeHtml(skill)}</li>`)
        .join('')}</ul>`,
  );
  return `<li class="lab" id="${lab.id}" data-lab="${lab.id}">
<span class="number" aria-hidden="true">${lab.number}</span>
<div class="about">
<p class="facts"><span>Lab ${lab.number}</span> ${whereEnglish(words, ({ short }) => short)} ${facts.map((fact) => `<span>${fact}</span>`).join(' ')}</p>
<h4><a href="./labs/${lab.id}/index.html">${inEach((id) => opening[id]?.title)}</a></h4>
<p class="question">${inEach((id) => opening[id]?.question)}</p>
<div class="standing" hidden></div>
</div>
<div class="thumb" aria-hidden="true"></div>
<div class="skills">
<p>${said((home) => home.afterwards)}</p>
${skills.join('\n')}
</div>
</li>`;
}

/** One part of the course: its labs, or that there are none yet. */
function section(
  [id, part]: readonly [string, Part],
  labs: readonly ReadLab[],
  exercises: readonly Listed[],
  groups: readonly ExerciseGroup[],
): string {
  const mine = labs.filter(({ lab }) => lab.part === id);
  const withoutLab = groups.filter((group) => group.part === id).map((group) => group.id);
  const waiting = exercises.filter(({ lab }) => withoutLab.includes(lab)).length;
  const entries = mine.map((read) =>
    entry(
      read,
      labs,
      exercises.filter(({ lab }) => lab === read.lab.id),
    ),
  );
  const also =
    waiting > 0
      ? ` <a href="./pages/exercises/index.html">${said((home) => home.groupExercises(waiting))}</a>`
      : '';
  const content =
    mine.length > 0
      ? `<ol class="labs">\n${entries.join('\n')}\n</ol>`
      : `<p class="unwritten">${said((home) => home.unwritten)}${also}</p>`;
  return `<section class="part" aria-labelledby="part-${id}">
<h3 id="part-${id}">${inEach((language) => orEnglish(part.title, language))}</h3>
${content}
</section>`;
}

/** The whole course, part by part. */
function course(
  labs: readonly ReadLab[],
  exercises: readonly Listed[],
  groups: readonly ExerciseGroup[],
): string {
  for (const { lab } of labs) {
    if (lab.part in parts) continue;
    throw new Error(
      `web/labs/${lab.id}/lab.ts says its part is '${lab.part}'; wanted: ${Object.keys(parts).join(', ')}`,
    );
  }
  return Object.entries(parts)
    .map((part) => section(part, labs, exercises, groups))
    .join('\n');
}

/** Where the source is: the repository that GitHub's workflow builds, or the one that package.json names, if it does. */
function sourceAddress(repository: string): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (server && name) return `${server}/${name}`;
  const stated = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).repository;
  const address = String(stated?.url ?? stated ?? '').replace(/^git\+|\.git$/g, '');
  return address.startsWith('https://') ? address : undefined;
}

export function courseMap(
  labSource: LabSource,
  exerciseSource: ExerciseSource,
  repository: string,
): Plugin {
  const labs = () => labSource.read();
  const exercises = async () => (await exerciseSource.read()).specifications.en;
  return {
    name: 'attention-labs:course-map',
    resolveId: (id) => (id === PUBLIC_ID ? RESOLVED_ID : undefined),
    async load(id) {
      return id === RESOLVED_ID ? labsModule(await labs(), await exercises()) : undefined;
    },
    generateBundle() {
      const source = readFileSync(join(repository, 'LICENSE'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'licence.txt', source });
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(PLACE)) return html;
        const all = await labs();
        const { specifications, groups } = await exerciseSource.read();
        const source = sourceAddress(repository);
        const link = source
          ? `<a href="${escapeHtml(source)}">${said(({ source }) => source)}</a> ·`
          : '';
        return html
          .replace(START, `./labs/${all[0]?.lab.id}/index.html`)
          .replace(SOURCE, link)
          .replace(/<!-- words: (\w+) -->/g, (_, name) =>
            said((words) => String(words[name as keyof HomeWords])),
          )
          .replace(PLACE, course(all, specifications.en, groups));
      },
    },
  };
}
