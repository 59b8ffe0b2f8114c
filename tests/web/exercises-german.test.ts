import { describe, expect, it } from 'vitest';
import { inlineTex } from '../../web/src/exercises/tex';
import type { Exercise, Grade, Mismatch, Parameter } from '../../web/src/exercises/types';
import {
  type ExerciseWords,
  gradeInLanguage,
  inLanguage,
  type JudgeWords,
} from '../../web/src/exercises/words';

const modules = import.meta.glob<{ exercise: Exercise }>('../../web/exercises/*/exercise.ts', {
  eager: true,
});
const translations = import.meta.glob<{ words: ExerciseWords }>('../../web/exercises/*/de.ts', {
  eager: true,
});
const pairs = Object.entries(modules).map(([path, { exercise }]) => {
  const words = translations[path.replace('exercise.ts', 'de.ts')]?.words;
  return [exercise.id, exercise, words] as const;
});
/** Exercises are written in English; their German words may come later. */
const translated = pairs.filter(([, , words]) => words !== undefined);

/** The texts of an exercise by their position. A missing German text appears as the English one. */
function textsOf(exercise: Exercise): Record<string, string> {
  const { title, summary, task, hints, tolerance, cost, figure, variants, cases, source } =
    exercise;
  const { draw, knobs } = figure;
  const numbered = (what: string, texts: readonly string[]) =>
    texts.map((text, i) => [`${what} ${i + 1}`, text] as const);
  const named = (what: string, parameters: readonly Parameter[]) =>
    parameters.map((one) => [`${what} ${one.name}`, one.what] as const);
  return Object.fromEntries([
    ['title', title],
    ['summary', summary],
    ...numbered('paragraph', task),
    ...numbered('hint', hints),
    ...named('parameter', exercise.parameters),
    ...named('result', exercise.results),
    ...numbered(
      'case',
      cases.map(({ name }) => name),
    ),
    ...variants.map(({ id, message }) => [`variant ${id}`, message] as const),
    ...Object.entries(knobs).map(([name, { label }]) => [`knob ${name}`, label] as const),
    ...(draw.kind === 'matrix'
      ? [['rows', draw.rows] as const, ['cols', draw.cols] as const]
      : draw.kind === 'curve'
        ? [['y', draw.y] as const]
        : []),
    ['caption', figure.caption],
    ['tolerance', tolerance.reason],
    ['cost', cost?.wanted ?? ''],
    ['where', source.where ?? ''],
  ]);
}

const sorted = (found: Iterable<RegExpMatchArray>) => [...found].map(([, what]) => what).sort();
/** The code in back-ticks. */
const codeOf = (text: string) => sorted(text.matchAll(/`([^`]+)`/g));
/** The TeX of a text without the words inside it, which may be in either language. */
const texOf = (text: string) =>
  sorted(text.matchAll(inlineTex)).map((tex) => tex?.replace(/\\text\{[^}]* [^}]*\}/g, ''));

const ENGLISH = /\b(?:the|and|of|with|your|you|is|are|from|not|which|than|its)\b/i;

describe.each(translated)('the German of %s', (_, exercise, words) => {
  const english = textsOf(exercise);
  const german = textsOf(inLanguage(exercise, words));

  it('has a text for every English one, and no others', () => {
    expect(words).toBeDefined();
    const names = (texts: object | undefined) => Object.keys(texts ?? {}).sort();
    const of = (things: readonly { readonly name: string }[]) =>
      things.map(({ name }) => name).sort();
    expect(words?.task).toHaveLength(exercise.task.length);
    expect(words?.hints).toHaveLength(3);
    expect(names(words?.parameters)).toEqual(of(exercise.parameters));
    expect(names(words?.results)).toEqual(of(exercise.results));
    expect(names(words?.cases)).toEqual(of(exercise.cases));
    expect(names(words?.variants)).toEqual(exercise.variants.map(({ id }) => id).sort());
    expect(names(words?.figure.knobs)).toEqual(names(exercise.figure.knobs));
    expect(words?.cost === undefined).toBe(exercise.cost === undefined);
    expect(names(german)).toEqual(names(english));
    for (const [name, text] of Object.entries(german)) {
      expect(text.trim() === '', name).toBe(english[name]?.trim() === '');
    }
  });

  it('has the same code and the same formulas', () => {
    for (const [name, text] of Object.entries(german)) {
      expect(codeOf(text), `${name}: code`).toEqual(codeOf(english[name] ?? ''));
      expect(texOf(text), `${name}: TeX`).toEqual(texOf(english[name] ?? ''));
      expect(text.split('$$').length % 2, `${name}: displayed formulas`).toBe(1);
    }
  });

  it('is German throughout, in the du form', () => {
    for (const [name, text] of Object.entries(german)) {
      // Sources and quoted words keep their original names.
      const bare = name === 'where' ? '' : text.replace(/`[^`]+`|\$[^$]+\$|„[^“]+“/g, '');
      expect(bare, name).not.toMatch(ENGLISH);
      // Sie and Ihr may begin sentences about matrices. Inside a sentence they would address a person formally.
      expect(bare, name).not.toMatch(/[\p{Ll},] (?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/u);
      // As everywhere on the site, decimals are written 0.69 and quotations „…“.
      expect(bare, name).not.toMatch(/\d,\d|["”]/);
      const same = text === english[name];
      expect(same && /\p{L}{4,} \p{Ll}{4,} \p{Ll}{4,}/u.test(bare), name).toBe(false);
    }
  });

  it('names each case and each mistake once', () => {
    for (const kind of ['case ', 'variant ']) {
      const texts = Object.entries(german).flatMap(([name, text]) =>
        name.startsWith(kind) ? [text] : [],
      );
      expect(new Set(texts).size, kind).toBe(texts.length);
    }
  });

  it('changes nothing that the judge works with', () => {
    const told = inLanguage(exercise, words);
    expect(told.entry).toBe(exercise.entry);
    expect(told.reference).toBe(exercise.reference);
    expect(told.cost?.args).toBe(exercise.cost?.args);
    expect(told.figure.args).toBe(exercise.figure.args);
    expect(told.cases.map(({ args, hidden }) => [args, hidden])).toEqual(
      exercise.cases.map(({ args, hidden }) => [args, hidden]),
    );
    expect(told.variants.map(({ python }) => python)).toEqual(
      exercise.variants.map(({ python }) => python),
    );
  });
});

it('every German file belongs to an exercise', () => {
  const folders = (paths: object) =>
    Object.keys(paths)
      .map((path) => path.split('/').at(-2))
      .sort();
  expect(folders(translations).length).toBeGreaterThan(0);
  for (const id of folders(translations)) expect(folders(modules)).toContain(id);
});

describe('a grade', () => {
  const [, exercise, words] = translated[0] as (typeof pairs)[number];
  const grade: Grade = {
    ...{ exercise: exercise.id, language: 'python', passed: false, prints: '', seed: 7 },
    cases: exercise.cases.map(({ name }) => ({
      ...{ name, hidden: false, passed: false, args: [], expected: 0 },
    })),
  };
  const variant = exercise.variants[0] as Exercise['variants'][number];

  it('is told in German, and the grade itself does not change', () => {
    const told = gradeInLanguage({ ...grade, variant }, exercise, words, undefined);
    expect(told.cases.map(({ name }) => name)).toEqual(Object.values(words?.cases ?? {}));
    expect(told.variant?.message).toBe(words?.variants[variant.id]);
    expect(grade.cases[0]?.name).toBe(exercise.cases[0]?.name);
    expect(gradeInLanguage(grade, exercise, undefined, undefined)).toBe(grade);
  });

  it('of an exercise without German words has the judge’s German', () => {
    const [one] = grade.cases as [Grade['cases'][number]];
    const mismatch: Mismatch = {
      ...{ part: '', reason: 'missing', expected: 0, actual: 0, message: 'English' },
    };
    const wrong = { ...grade, cases: [{ ...one, mismatch }] };
    const judge: JudgeWords = {
      mismatch: () => 'Deutsch',
      cost: () => 'Deutsch',
      drawn: (nth) => `gezogen ${nth}`,
      order: ({ wanted }) => `gerufen mit ${wanted}`,
    };
    const order = { wanted: ['Q', 'K'], written: ['K', 'Q'] };
    const turned = { ...grade, order, variant: { id: 'argument-order', message: 'English' } };
    expect(gradeInLanguage(turned, exercise, words, judge).variant?.message).toBe(
      'gerufen mit Q,K',
    );
    const drawn = { ...grade, cases: [{ ...one, name: 'drawn inputs 2', drawn: 2 }] };
    expect(gradeInLanguage(drawn, exercise, words, judge).cases[0]?.name).toBe('gezogen 2');
    const [told] = gradeInLanguage(wrong, exercise, undefined, judge).cases;
    expect(told?.name).toBe(one.name);
    expect(told?.mismatch?.message).toBe('Deutsch');
    expect(gradeInLanguage(wrong, exercise, words, judge).cases[0]?.name).toBe(
      words?.cases[one.name],
    );
  });

  it('keeps its cases when the mistake is recognised', () => {
    const before = gradeInLanguage(grade, exercise, words, undefined);
    expect(gradeInLanguage({ ...grade, variant }, exercise, words, undefined).cases).toBe(
      before.cases,
    );
  });
});

describe('an exercise that is translated in part', () => {
  const [, exercise, words] = translated[0] as (typeof pairs)[number];

  it('stays English where words are missing', () => {
    const part = { ...(words as ExerciseWords), variants: {}, cases: {}, hints: [] };
    const told = inLanguage(exercise, part);
    expect(told.title).toBe(words?.title);
    expect(told.hints).toEqual(exercise.hints);
    expect(told.variants[0]?.message).toBe(exercise.variants[0]?.message);
    expect(inLanguage(exercise, undefined)).toBe(exercise);
  });
});
