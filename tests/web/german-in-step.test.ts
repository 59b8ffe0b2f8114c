/** A lab that has German has all of it: every block, paragraph, formula and knob of its English words, and its figures. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkWords, parseWords } from '../../web/plugins/lab-words';
import { LabSource } from '../../web/plugins/labs';
import type { LabWords } from '../../web/src/lab/types';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const labs = (await new LabSource(web).read()).filter(({ lab }) => lab.words.de);

/** What must be the same in both: how many paragraphs a part has, its set-off formulas, and what can be dragged in it. */
function shapeOf({ prose, predictions, tries, checks, references, summary, steps }: LabWords) {
  const paragraphs = (texts: readonly string[]) => ({
    paragraphs: texts.length,
    formulas: texts.filter((text) => text.startsWith('$$')),
    knobs: texts.flatMap((text) => [...text.matchAll(/\]\((knob:[^)]+)\)/g)].map(([, to]) => to)),
  });
  const each = <T, U>(of: Readonly<Record<string, T>>, shape: (one: T) => U) =>
    Object.fromEntries(Object.entries(of).map(([id, one]) => [id, shape(one)]));
  return {
    steps: Object.keys(steps),
    prose: each(prose, paragraphs),
    predictions: each(predictions, ({ options, why }) => ({
      options: Object.keys(options ?? {}),
      why: paragraphs(why),
    })),
    tries: each(tries, (of) => Object.keys(of)),
    checks: each(checks, ({ options }) => Object.keys(options)),
    references: Object.keys(references),
    summary: paragraphs(summary).paragraphs,
  };
}

/** The modules that hold words of figures in several languages. */
function* wordFiles(folder: string): Generator<string> {
  for (const { name, parentPath } of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(parentPath, name);
    if (/\borEnglish\(|\blazyWords\(/.test(readFileSync(file, 'utf8'))) yield file;
  }
}

it('finds the labs that have German', () => {
  expect(labs.map(({ lab }) => lab.id)).toEqual(
    expect.arrayContaining(['complexity', 'kernel-trick', 'feature-maps']),
  );
});

describe.each(labs.map((read) => [read.lab.id, read] as const))('German of %s', (id, { lab }) => {
  const folder = `${web}labs/${id}/`;
  const file = (language: string): string => `${folder}words/${language}.md`;
  const [en, de] = ['en', 'de'].map((one) =>
    parseWords(readFileSync(file(one), 'utf8'), file(one)),
  );

  it('lacks no part of the English', () => {
    expect(() => checkWords(de as never, lab, true)).not.toThrow();
  });

  it('has its paragraphs, formulas and knobs, part by part', () => {
    expect(shapeOf((de as { words: LabWords }).words)).toEqual(
      shapeOf((en as { words: LabWords }).words),
    );
  });

  it('has the words of its figures', () => {
    const files = [...wordFiles(folder)];
    expect(files.length).toBeGreaterThan(0);
    for (const one of files) expect(readFileSync(one, 'utf8'), one).toMatch(/\bde: /);
  });
});
