/** The format of a lab (web/README.md, "The stage"): what its data says of views, tries, titles and exercises. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LabSource } from '../../web/plugins/labs';
import { scenesOf } from '../../web/src/lab/page/scenes';
import type { Block, FigurePlace, FigureRef, Lab, LabWords } from '../../web/src/lab/types';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';

const labs = await new LabSource(fileURLToPath(new URL('../../web/', import.meta.url))).read();

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.kind === 'prediction') yield* blocksIn(block.reveal ?? []);
  }
}
const allBlocks = (lab: Pick<Lab, 'steps'>): Block[] =>
  lab.steps.flatMap(({ blocks }) => [...blocksIn(blocks)]);

/** A try changes one knob, so that what it does can be seen. */
const triesIn = (lab: Pick<Lab, 'steps'>): string[] =>
  allBlocks(lab)
    .flatMap((block) => (block.kind === 'tries' ? block.tries : []))
    .flatMap(({ id, values, together = '' }) => {
      const { length } = Object.keys(values);
      if (length > 1 && !/\p{L}{3}.* .*\p{L}{3}/u.test(together))
        return [`try ${id} changes ${length}`];
      return length === 1 && together
        ? [`try ${id} changes one knob, and says why it is more`]
        : [];
    });

/** Exercises stand at the end of their step, and never between its halves. */
const exercisesIn = (lab: Pick<Lab, 'steps'>): string[] =>
  lab.steps.flatMap(({ id, blocks }) => {
    const first = blocks.findIndex(({ kind }) => kind === 'exercises');
    const after = first < 0 ? [] : blocks.slice(first).filter(({ kind }) => kind !== 'exercises');
    const inside = [...blocksIn(blocks)].filter(({ kind }) => kind === 'exercises').length;
    const there = blocks.filter(({ kind }) => kind === 'exercises').length;
    return [
      ...(after.length > 0 ? [`step ${id}: ${after.length} blocks after its exercises`] : []),
      ...(inside > there ? [`step ${id}: exercises below a prediction`] : []),
    ];
  });

/** The title of a step is the question that leads it. */
const titlesIn = (lab: Pick<Lab, 'steps'>, words: Pick<LabWords, 'steps'> | undefined): string[] =>
  lab.steps.flatMap(({ id }) => {
    const title = words?.steps[id] ?? '';
    return /\?(?: \(optional\))?$/.test(title) ? [] : [`step ${id} asks nothing: “${title}”`];
  });

interface Known {
  readonly knobs: ReadonlySet<string>;
  readonly pictures: ReadonlySet<string>;
}

/** What names a figure, its pictures or its knobs names those that there are. */
function namesIn(
  lab: Pick<Lab, 'steps' | 'opening' | 'runTimes'>,
  known: ReadonlyMap<string, Known>,
): string[] {
  const faults: string[] = [];
  const check = (at: string, of: string, show?: string, knobs: readonly string[] = []): void => {
    const figure = known.get(of);
    if (!figure) {
      faults.push(`${at}: no figure ${of}`);
      return;
    }
    if (show !== undefined && !figure.pictures.has(show)) {
      faults.push(`${at}: ${of} has no picture ${show}`);
    }
    for (const knob of knobs) {
      if (!figure.knobs.has(knob)) faults.push(`${at}: ${of} has no knob ${knob}`);
    }
  };
  const checkRef = (at: string, ref: FigureRef | undefined): void => {
    if (typeof ref === 'string') check(at, ref);
    else if (ref) check(at, ref.of, ref.show, ref.knobs);
  };
  const checkPlace = ({ id, show, knobs, hide, values }: FigurePlace): void =>
    check(id, id, show, [...(knobs ?? []), ...(hide ?? []), ...Object.keys(values ?? {})]);
  checkPlace(lab.opening);
  for (const id of Object.keys(lab.runTimes?.seconds ?? {})) check('run-times.json', id);
  for (const block of allBlocks(lab)) {
    if (block.kind === 'figure') checkPlace(block.figure);
    if (block.kind === 'prose' || block.kind === 'tries') checkRef(block.id, block.figure);
    if (block.kind === 'tries') {
      const { figure } = block;
      const of = typeof figure === 'string' ? figure : figure.of;
      for (const { id, values } of block.tries)
        check(`try ${id}`, of, undefined, Object.keys(values));
    }
    if (block.kind !== 'prediction') continue;
    checkRef(block.id, block.figure);
    for (const veiled of block.veils ?? []) check(block.id, veiled);
    const about = scenesOf([block])[0]?.figure;
    if (about && block.values) check(block.id, about.of, undefined, Object.keys(block.values));
  }
  return faults;
}

/** A view has at most two knobs beside it, so that one thing is changed at a time. */
const viewsIn = (lab: Pick<Lab, 'steps'>): string[] =>
  lab.steps.flatMap(({ id, blocks }) =>
    scenesOf(blocks).flatMap(({ figure }, i) => {
      const count = figure?.knobs?.length ?? 0;
      return count > 2 ? [`step ${id}, scene ${i + 1}: ${count} knobs beside ${figure?.of}`] : [];
    }),
  );

const step = (...blocks: Block[]): Pick<Lab, 'steps'> => ({ steps: [{ id: 'one', blocks }] });
const prose: Block = { kind: 'prose', id: 'p' };
const exercises: Block = { kind: 'exercises', ids: ['a'] };
const oneTry = (values: Record<string, number>, together?: string): Block => ({
  ...{ kind: 'tries', id: 't', figure: 'f' },
  tries: [{ id: 'a', values, ...(together !== undefined && { together }) }],
});
const known = new Map([['f', { knobs: new Set(['n', 'd']), pictures: new Set(['row']) }]]);
const opening: FigurePlace = { id: 'f', tag: 'attn-f' };

describe('the format', () => {
  it('has tries of one change, or with a reason', () => {
    expect(triesIn(step(oneTry({ n: 1 })))).toEqual([]);
    expect(triesIn(step(oneTry({ n: 1, d: 2 })))).toEqual(['try a changes 2']);
    expect(triesIn(step(oneTry({ n: 1, d: 2 }, 'yes')))).toEqual(['try a changes 2']);
    expect(triesIn(step(oneTry({ n: 1, d: 2 }, 'one means nothing without the other')))).toEqual(
      [],
    );
    expect(triesIn(step(oneTry({ n: 1 }, 'one means nothing without the other')))).toHaveLength(1);
  });

  it('has exercises at the end of a step', () => {
    expect(exercisesIn(step(prose, exercises, exercises))).toEqual([]);
    expect(exercisesIn(step(exercises, prose))).toEqual(['step one: 1 blocks after its exercises']);
    const asked: Block = {
      ...{ kind: 'prediction', id: 'q', answer: { kind: 'choice', options: ['a'] } },
      ...{ truth: async () => 'a', reveal: [exercises] },
    };
    expect(exercisesIn(step(asked))).toEqual(['step one: exercises below a prediction']);
  });

  it('has questions as titles', () => {
    const titled = (title: string) => titlesIn(step(), { steps: { one: title } });
    expect(titled('Why divide?')).toEqual([]);
    expect(titled('Is the handout right? (optional)')).toEqual([]);
    expect(titled('The factor')).toHaveLength(1);
  });

  it('names figures, pictures and knobs that there are', () => {
    const speaks = (figure: FigureRef): Block => ({ kind: 'prose', id: 'p', figure });
    const faults = (...blocks: Block[]) => namesIn({ ...step(...blocks), opening }, known);
    expect(faults(speaks('f'), speaks({ of: 'f', show: 'row', knobs: ['n'] }))).toEqual([]);
    expect(faults(speaks('g'))).toEqual(['p: no figure g']);
    expect(faults(speaks({ of: 'f', show: 'column' }))).toEqual(['p: f has no picture column']);
    expect(faults(speaks({ of: 'f', knobs: ['m'] }))).toEqual(['p: f has no knob m']);
    expect(faults(oneTry({ m: 1 }))).toEqual(['try a: f has no knob m']);
    const asks = (veils: readonly string[]): Block => ({
      ...{ kind: 'prediction', id: 'q', answer: { kind: 'choice', options: ['a'] } },
      ...{ truth: async () => 'a', veils },
    });
    expect(faults(asks(['f', 'g']))).toEqual(['q: no figure g']);
    const runTimes = { cpu: '', browser: '', seconds: { f: 1, g: 1 } };
    expect(namesIn({ ...step(), opening, runTimes }, known)).toEqual([
      'run-times.json: no figure g',
    ]);
  });
});

for (const { lab, words } of labs) {
  const page = LAB_PAGES.find(({ id }) => id === lab.id);
  const figures = new Map(
    page?.figures.map(({ id, table, pictures }) => [
      id === '' ? lab.opening.id : id,
      { knobs: new Set(Object.keys(table)), pictures: new Set(pictures) },
    ]),
  );

  it(`names the figures, pictures and knobs that there are: ${lab.id}`, () => {
    expect(namesIn(lab, figures)).toEqual([]);
  });

  it(`changes one thing, asks in its titles and ends with its exercises: ${lab.id}`, () => {
    const faults = [
      ...triesIn(lab),
      ...exercisesIn(lab),
      ...titlesIn(lab, words.en as LabWords | undefined),
      ...viewsIn(lab),
    ];
    expect(faults).toEqual([]);
  });
}
