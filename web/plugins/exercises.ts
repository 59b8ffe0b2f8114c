/**
 * The exercises of the site, found by their folders: `virtual:exercises/<language>` lists them, and
 * `virtual:formulas/exercises` has the markup of their formulas.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { ExerciseGroup } from '../exercises/groups.ts';
import { displayTex, inlineTex } from '../src/exercises/tex.ts';
import type { Exercise } from '../src/exercises/types.ts';
import { type ExerciseWords, inLanguage } from '../src/exercises/words.ts';
import { type LanguageId, langOf, languages, orEnglish } from '../src/strings/language.ts';
import { renderTex } from './formulas.ts';
import { importModules } from './import-modules.ts';
import type { LabSource } from './labs.ts';

const LANGUAGES = Object.keys(languages) as LanguageId[];
const FORMULAS_ID = 'virtual:formulas/exercises';
const LIST_PREFIX = 'virtual:exercises/';
const resolved = (id: string): string => `\0${id}`;

type InEach<T> = Readonly<Record<LanguageId, T>>;

export interface ReadExercises {
  /** Every specification in every language; in English where a language has no words for it yet. */
  readonly specifications: InEach<readonly Exercise[]>;
  /** The exercises that a language has no words for yet. */
  readonly inEnglish: InEach<ReadonlySet<string>>;
  /** Parts of the course that have no lab yet. */
  readonly groups: readonly ExerciseGroup[];
}

/** All exercises below `web/exercises/`, as the site would bundle them. */
async function readExercises(web: string): Promise<ReadExercises> {
  const folder = join(web, 'exercises');
  const ids = existsSync(folder)
    ? readdirSync(folder).filter((id) => existsSync(join(folder, id, 'exercise.ts')))
    : [];
  const specification = (id: string): string => join(folder, id, 'exercise.ts');
  const translation = (id: string, language: LanguageId): string =>
    join(folder, id, `${language}.ts`);
  const others = LANGUAGES.slice(1);
  const groupsFile = join(folder, 'groups.ts');
  const modules = await importModules(
    [
      groupsFile,
      ...ids.flatMap((id) => [specification(id), ...others.map((one) => translation(id, one))]),
    ].filter((file) => existsSync(file)),
  );
  const exercises = ids.flatMap((id) => {
    const { exercise } = modules.get(specification(id)) as { exercise?: Exercise };
    if (!exercise) return [];
    if (exercise.id !== id) {
      throw new Error(`web/exercises/${id}/exercise.ts says its id is '${exercise.id}'`);
    }
    return [exercise];
  });
  const told = (language: LanguageId): readonly Exercise[] =>
    exercises.map((exercise) => {
      const words = modules.get(translation(exercise.id, language))?.words;
      return inLanguage(exercise, words as ExerciseWords | undefined);
    });
  return {
    specifications: Object.fromEntries(LANGUAGES.map((id) => [id, told(id)])) as InEach<
      readonly Exercise[]
    >,
    inEnglish: Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        new Set(
          exercises
            .map(({ id }) => id)
            .filter((id) => language !== 'en' && !modules.get(translation(id, language))?.words),
        ),
      ]),
    ) as unknown as InEach<ReadonlySet<string>>,
    groups: (modules.get(groupsFile)?.groups ?? []) as readonly ExerciseGroup[],
  };
}

/** TeX between dollars, in the texts of the exercises that are read: each once. */
export function texOf(exercises: readonly Exercise[]): string[] {
  const found = new Set<string>();
  for (const { task, hints, variants, figure, parameters, results, cost, ...rest } of exercises) {
    const texts = [
      ...[rest.title, rest.summary, rest.tolerance.reason, figure.caption, cost?.wanted ?? ''],
      ...[...task, ...hints],
      ...variants.map(({ message }) => message),
      ...[...parameters, ...results].map(({ what }) => what),
    ];
    for (const text of texts) {
      for (const [, tex = ''] of text.matchAll(inlineTex)) found.add(tex);
    }
    for (const paragraph of task) {
      const alone = displayTex(paragraph);
      if (alone) found.add(alone);
    }
  }
  return [...found];
}

/** The list names the language of those words that are not in its own. */
const marked = (lang: 'en' | undefined) => (lang ? { lang } : {});

/** Reads and remembers the exercises and the markup of their formulas. */
export class ExerciseSource {
  private all: Promise<ReadExercises> | undefined;
  private rendered: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(
    private readonly web: string,
    private readonly labs: LabSource,
  ) {}

  read(): Promise<ReadExercises> {
    this.all ??= readExercises(this.web);
    return this.all;
  }

  /** Markup of the exercises' formulas, by their TeX. */
  formulas(): Promise<Readonly<Record<string, string>>> {
    this.rendered ??= this.read().then(({ specifications }) =>
      Object.fromEntries(
        texOf(Object.values(specifications).flat()).map((tex) => [
          tex,
          renderTex(tex, 'a formula of web/exercises'),
        ]),
      ),
    );
    return this.rendered;
  }

  /** What `virtual:exercises/<language>` exports: groups in the order of the course, and exercises in theirs. */
  async list(language: LanguageId) {
    const { specifications, inEnglish, groups } = await this.read();
    const labs = (await this.labs.read()).map(({ lab, opening }) => ({
      ...{ id: lab.id, number: lab.number },
      title: orEnglish(opening, language).title,
      ...marked(langOf(opening, language)),
    }));
    // The step of a lab in which an exercise stands: its page leads back there.
    const steps = new Map<string, string>();
    for (const { lab } of await this.labs.read()) {
      for (const step of lab.steps) {
        for (const block of step.blocks) {
          if (block.kind !== 'exercises') continue;
          for (const id of block.ids) if (!steps.has(id)) steps.set(id, `${lab.id}/${step.id}`);
        }
      }
    }
    const lackedBy = (id: string) => {
      const lacks = LANGUAGES.filter((one) => inEnglish[one].has(id));
      return lacks.length > 0 && { lacks };
    };
    const known = new Set(labs.map(({ id }) => id));
    const withoutLab = groups
      .filter(({ id }) => !known.has(id))
      .map(({ id, number, title }) => ({
        ...{ id, number, title: orEnglish(title, language) },
        ...marked(langOf(title, language)),
      }));
    const all = [...labs, ...withoutLab].sort((a, b) => a.number - b.number);
    const place = new Map(all.map(({ id }, i) => [id, i]));
    for (const { id, lab } of specifications[language]) {
      if (!place.has(lab)) {
        throw new Error(
          `web/exercises/${id}/exercise.ts belongs to '${lab}'; wanted: ${[...place.keys()].join(', ')}`,
        );
      }
    }
    return {
      groups: all.map(({ number: _, ...group }) => group),
      list: specifications[language]
        .map(({ id, lab, order, difficulty, minutes, buildsOn, title, summary }) => ({
          ...{ id, lab, order, difficulty, minutes, buildsOn, title, summary },
          ...(steps.has(id) && { place: steps.get(id) }),
          ...marked(inEnglish[language].has(id) ? 'en' : undefined),
          ...(language === 'en' && lackedBy(id)),
        }))
        .sort((a, b) => (place.get(a.lab) ?? 0) - (place.get(b.lab) ?? 0) || a.order - b.order),
    };
  }

  forget(): void {
    this.all = undefined;
    this.rendered = undefined;
  }
}

export function exercises(source: ExerciseSource): Plugin {
  const ids = [FORMULAS_ID, ...LANGUAGES.map((id) => LIST_PREFIX + id)];
  return {
    name: 'attention-labs:exercises',
    resolveId: (id) => (ids.includes(id) ? resolved(id) : undefined),
    async load(id) {
      if (id === resolved(FORMULAS_ID)) {
        return `export const formulas = ${JSON.stringify(await source.formulas())};`;
      }
      const language = LANGUAGES.find((one) => id === resolved(LIST_PREFIX + one));
      if (!language) return undefined;
      const { groups, list } = await source.list(language);
      return `export const groups = ${JSON.stringify(groups)};\nexport const list = ${JSON.stringify(list)};`;
    },
    async handleHotUpdate({ file, server }) {
      if (!/[\\/]exercises[\\/](?:groups\.ts|[^\\/]+[\\/](?:exercise|[a-z]{2})\.ts)$/.test(file))
        return;
      source.forget();
      for (const id of ids) {
        const module = server.moduleGraph.getModuleById(resolved(id));
        if (module) await server.reloadModule(module);
      }
    },
  };
}
