/** The English messages about kept work, submissions and the sandbox. */
import { phrasesOf, type Wording } from '#client/phrases';

export const exercisePhrases = {
  // Messages about files of kept work.
  progress_not_json: 'This file is not JSON.',
  progress_not_ours: 'This file holds no progress of Attention Labs.',
  progress_version: 'This file is of version {version}; this page reads version 1.',
  progress_damaged: 'Record {record} of this file is damaged.',
  // Messages about submissions.
  submission_not_json: 'this is not JSON; a submission ends in .json',
  submission_not_ours: 'this is JSON, but no submission of Attention Labs',
  submission_version: 'this submission is of version {version}; version {known} is read here',
  submission_empty: 'the submission lists no exercises',
  submission_lacks: 'exercise {place} lacks its name, its language or its code',
  // Messages about the sandbox.
  sandbox_policy:
    "A policy of this site (Content-Security-Policy) does not let it run your code: it has to allow worker-src blob: and script-src 'wasm-unsafe-eval'. Open the page in a tab of its own, or ask who keeps the course site.",
  sandbox_ended: 'what runs your code has ended. Press Run once more',
  sandbox_disposed: 'what runs your code was closed. Reload the page',
  sandbox_not_fetched: 'the files that run your code could not be fetched',
  sandbox_offline: 'the files that run your code could not be fetched: is there a connection?',
  sandbox_not_found: '{address} could not be fetched: {status}',
  sandbox_not_started: 'what runs your code did not start. Press Run once more',
  sandbox_no_engine: 'a part of this site is missing, the arrays of NumPy. Tell who keeps it',
  sandbox_memory:
    'the browser has no memory left for it. Reload the page; if that does not help, close other tabs',
  sandbox_cpp: 'C++ is compiled and run on your own machine',
} as const;

export const say = phrasesOf('exercise', exercisePhrases);

/** An error that the page says in its own language. */
export const saying = (said: Wording): Error => Object.assign(new Error(said.text), { said });
