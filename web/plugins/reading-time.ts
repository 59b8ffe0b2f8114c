/**
 * How long a lab takes to read and try, from what is in it: its words, its views, its tries and questions, and the runs
 * that were measured (`npm run bench:runs`). Exercises are counted apart.
 */
import { scenesOf } from '../src/lab/page/scenes.ts';
import type { Block, Lab, LabWords } from '../src/lab/types.ts';
import { textsIn } from './lab-words.ts';

/** A text with formulas is read slower than a novel. */
const WORDS_A_MINUTE = 200;
const SECONDS = { view: 20, try: 30, question: 30 } as const;

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The blocks of a list, and those that a prediction reveals. */
const all = (blocks: readonly Block[]): readonly Block[] =>
  blocks.flatMap((block) =>
    block.kind === 'prediction' ? [block, ...all(block.reveal ?? [])] : [block],
  );

/** In seconds. */
function secondsOf(block: Block, runTimes: Lab['runTimes']): number {
  switch (block.kind) {
    case 'tries':
      return SECONDS.try * block.tries.length;
    case 'prediction':
    case 'check':
      return SECONDS.question;
    case 'figure':
      return runTimes?.seconds[block.figure.id] ?? 0;
    default:
      return 0;
  }
}

/** In minutes, rounded to five: nobody reads more exactly than that. */
export function readingMinutes(lab: Lab, words: LabWords): number {
  const { steps, prose, predictions, checks, tries } = words;
  const read = [...textsIn({ steps, prose, predictions, checks, tries })]
    .map(wordsIn)
    .reduce((sum, count) => sum + count, 0);
  const blocks = lab.steps.flatMap((step) => all(step.blocks));
  const views =
    1 +
    lab.steps.flatMap((step) => scenesOf(step.blocks)).filter(({ figure }) => figure !== undefined)
      .length;
  const seconds =
    (60 * read) / WORDS_A_MINUTE +
    SECONDS.view * views +
    blocks.map((block) => secondsOf(block, lab.runTimes)).reduce((sum, one) => sum + one, 0);
  return Math.max(5, 5 * Math.round(seconds / 300));
}
