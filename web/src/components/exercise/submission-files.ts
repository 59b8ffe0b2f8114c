/** Files that leave the page; loaded with the first of them. */
export { goToEmbed } from '../../embed/to-embed.ts';

import { dependencies, version } from '../../../../package.json';
import { loadExercise } from '../../exercises/catalog.ts';
import type { Progress, Work } from '../../exercises/kept-work.ts';
import {
  makeSubmission,
  printSubmission,
  type SubmittedExercise,
  seedsOf,
} from '../../exercises/submission.ts';
import { download, safeFileName } from '../../export/download.ts';
import { theRecords } from '../../lab/questions/answer-records.ts';
import { MAX_ADDRESS } from '../../state/long-values.ts';
import { packText } from '../../state/pack-text.ts';

const versions = {
  labs: version,
  python: `MicroPython ${dependencies['@micropython/micropython-webassembly-pyscript']}`,
};

async function submitted(work: Work): Promise<SubmittedExercise> {
  const { exercise, language, code, grade, firstPassed, runs, hints, solutionSeen } = work;
  const known = await loadExercise(exercise).catch(() => undefined);
  return {
    ...{ exercise, language, code },
    ...(grade ? { grade } : {}),
    ...(firstPassed ? { firstPassed } : {}),
    ...{ runs, hints, solutionSeen, seeds: known ? seedsOf(known) : [] },
  };
}

/** Saves the submission of these works; returns the file's name. */
export async function saveSubmission(
  progress: Progress,
  works: readonly Work[],
  what: string,
): Promise<string> {
  await progress.flush();
  const student = await progress.student();
  const submission = makeSubmission({
    ...{ student, versions, time: new Date().toISOString() },
    exercises: await Promise.all(works.map(submitted)),
  });
  const name = safeFileName([student, what, 'submission'].filter(Boolean).join('-'));
  return save(`${name}.json`, printSubmission(submission), 'application/json');
}

export async function saveProgress(progress: Progress): Promise<string> {
  await progress.flush();
  const day = new Date().toISOString().slice(0, 10);
  return save(
    `attention-labs-${day}.json`,
    await progress.print(await theRecords().all()),
    'application/json',
  );
}

export function save(name: string, content: string, type: string): string {
  download(name, new Blob([content], { type }));
  return safeFileName(name);
}

/** This page's address with the code in it; undefined where that would be too long. */
export async function linkTo(address: string, code: string): Promise<string | undefined> {
  const packed = await packText(code);
  if (packed === undefined) return undefined;
  const url = new URL(address);
  url.hash = `code=${packed}`;
  return url.href.length <= MAX_ADDRESS ? url.href : undefined;
}
