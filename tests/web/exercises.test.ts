import { describe, expect, it } from 'vitest';
import { drawFrom } from '../../web/src/exercises/judge/draw';
import { randomOf } from '../../web/src/exercises/judge/inputs';
import { displayTex } from '../../web/src/exercises/tex';
import type { Exercise } from '../../web/src/exercises/types';
import { openArrays } from '../judge/arrays';

const modules = import.meta.glob<{ exercise: Exercise }>('../../web/exercises/*/exercise.ts', {
  eager: true,
});
const random = randomOf(await openArrays());
const exercises = Object.entries(modules).map(
  ([path, { exercise }]) => [path.split('/').at(-2) ?? '', exercise] as const,
);
const every = <T>(items: readonly T[]) => new Set(items).size === items.length;

describe.each(exercises)('the specification %s', (folder, exercise) => {
  const { parameters, figure } = exercise;

  it('has the name of its folder, and in every case an argument for each parameter', () => {
    expect(exercise.id).toBe(folder);
    for (const { args } of exercise.cases) expect(args).toHaveLength(parameters.length);
    const knobs = Object.entries(figure.knobs).map(([name, { value }]) => [name, value] as const);
    expect(figure.args(Object.fromEntries(knobs))).toHaveLength(parameters.length);
    for (const n of exercise.cost?.sizes ?? []) {
      expect(exercise.cost?.args(n, drawFrom(1, 3, random))).toHaveLength(parameters.length);
    }
    for (const nth of [0, 1, 2]) {
      expect(exercise.drawn(drawFrom(1, nth, random), nth)).toHaveLength(parameters.length);
    }
  });

  it('has visible and hidden cases, and names each thing once', () => {
    expect(exercise.cases.filter(({ hidden }) => !hidden).length).toBeGreaterThanOrEqual(2);
    expect(exercise.cases.filter(({ hidden }) => hidden).length).toBeGreaterThanOrEqual(2);
    expect(every(exercise.cases.map(({ name }) => name))).toBe(true);
    expect(every(exercise.variants.map(({ id }) => id))).toBe(true);
    expect(every(exercise.variants.map(({ message }) => message))).toBe(true);
    expect(exercise.hints.every((hint) => hint.length > 20)).toBe(true);
    expect(exercise.tolerance.reason.length).toBeGreaterThan(20);
  });

  it('has formulas that the page can find', () => {
    for (const words of [exercise.title, exercise.summary, figure.caption, ...exercise.task]) {
      // A displayed formula is a paragraph of its own.
      if (words.includes('$$')) expect(displayTex(words), words).toBeDefined();
      else expect(words.split('$').length % 2, words).toBe(1);
    }
  });
});

describe('what an exercise builds on', () => {
  const known = new Map(exercises);
  const labs = new Set(
    Object.keys(import.meta.glob('../../web/labs/*/lab.ts')).map((path) => path.split('/').at(-2)),
  );

  it('exists, is another exercise or another lab, and is named once', () => {
    expect(labs.size).toBeGreaterThanOrEqual(3);
    for (const [id, { buildsOn, lab }] of exercises) {
      expect([id, every(buildsOn)]).toEqual([id, true]);
      for (const one of buildsOn) {
        expect([id, one, known.has(one) || labs.has(one)]).toEqual([id, one, true]);
        expect([id, one, known.has(one) || one !== lab]).toEqual([id, one, true]);
      }
    }
  });

  it('never leads back to it', () => {
    const reaches = (id: string, path: readonly string[]): void => {
      expect(path, `${[...path, id].join(' builds on ')}`).not.toContain(id);
      for (const one of known.get(id)?.buildsOn ?? []) reaches(one, [...path, id]);
    };
    for (const [id] of exercises) reaches(id, []);
  });

  it('has minutes that fit its difficulty', () => {
    for (const [id, { minutes, difficulty }] of exercises) {
      expect([id, Number.isInteger(minutes) && minutes >= 2 && minutes <= 60]).toEqual([id, true]);
      // A hard exercise of five minutes, or an easy one of half an hour, is a slip of the pen.
      expect([id, difficulty === 3 ? minutes >= 25 : true]).toEqual([id, true]);
      expect([id, difficulty === 1 ? minutes <= 12 : true]).toEqual([id, true]);
    }
  });
});

it('the exercises of a lab are numbered from 1', () => {
  expect(exercises.length).toBeGreaterThanOrEqual(30);
  for (const lab of new Set(exercises.map(([, exercise]) => exercise.lab))) {
    const orders = exercises.flatMap(([, one]) => (one.lab === lab ? [one.order] : []));
    expect(orders.sort((a, b) => a - b)).toEqual(orders.map((_, i) => i + 1));
  }
});
