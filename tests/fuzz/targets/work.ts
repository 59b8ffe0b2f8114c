/**
 * Targets for a student's work: progress files, answers of labs, submissions, and the outcomes that a sandbox
 * reports.
 */
import { asWork, Progress, ProgressError } from '../../../web/src/exercises/kept-work';
import { readOutcome } from '../../../web/src/exercises/sandbox/read-outcome';
import {
  canonical,
  makeSubmission,
  printSubmission,
  readSubmission,
  SubmissionError,
} from '../../../web/src/exercises/submission';
import {
  asLabRecord,
  mergedRecords,
  recordsIn,
} from '../../../web/src/lab/questions/answer-records';
import type { PageHost } from '../../../web/src/state/page-host';
import { savedWork } from '../../../web/src/state/saved-work';
import { jsonChange } from '../mutate';
import {
  bytesOf,
  inJson,
  must,
  mustBeEqual,
  mustBeSaid,
  type Outcome,
  readOrRefused,
  type Target,
  textOf,
} from '../target';

/** A browser whose storage is a map. */
function host(): PageHost {
  const stored = new Map<string, unknown>();
  return {
    storage: savedWork({
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, structuredClone(value)),
      del: async (key) => void stored.delete(key),
      keys: async () => [...stored.keys()],
    }),
    tab: 'one',
    locked: (work) => work(),
    now: () => new Date(0),
  };
}

const GRADE = {
  ...{ passed: true, time: '2026-01-01T00:00:00.000Z' },
  cases: [{ name: 'small', hidden: false, passed: true }],
};
const RECORD = {
  ...{ v: 1, lab: 'complexity', changed: '2026-01-01T00:00:00.000Z' },
  predictions: { 'p-1': { first: 3, firstTruth: 4, last: 'a', count: 2, time: 't' } },
  checks: { c: { first: ['a'], last: ['b', 'c'], count: 2, rightAt: 2, time: 't' } },
  seen: { start: 't' },
};
const WORK = {
  ...{ v: 1, exercise: 'attention', language: 'python', code: 'def f(): ...\n', revision: 3 },
  ...{ changed: 't', runs: 2, hints: 1, solutionSeen: false, grade: GRADE, firstPassed: 't' },
};
const progressFile = {
  ...{ format: 'attention-labs/progress', v: 1, time: 't' },
  works: [WORK, { ...WORK, language: 'javascript' }],
  labs: [RECORD],
};
const json = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value));

function checkRecord(value: unknown): void {
  const record = asLabRecord(value);
  if (!record) return;
  const { predictions, checks, seen } = record;
  for (const part of [predictions, checks, seen]) {
    must(Object.getPrototypeOf(part) === Object.prototype, 'a record with a prototype of a file');
  }
  const written = inJson(record);
  mustBeEqual(asLabRecord(inJson(written)), written, 'a record, read again');
  mustBeEqual(mergedRecords(record, record), record, 'a record, merged with itself');
}

const progress: Target = {
  name: 'progress',
  rounds: 4000,
  seeds: [
    json(progressFile),
    json({ ...progressFile, works: [] }),
    json(RECORD),
    bytesOf('{"v":1,"lab":"x","checks":{"__proto__":{"first":[],"last":[],"count":1}},"seen":{}}'),
    bytesOf(
      '{"v":1,"lab":"x","new":[-0,1e999],"predictions":{"p":{"first":-0,"last":0,"count":1,"new":-0}}}',
    ),
  ],
  words: [
    ...['"format"', '"works":[', '"labs":[', '"v":2', '"code"', '"python"', '"cpp"', '"../x"'],
    ...['"__proto__":', '"toString":', 'null', '{}', '[]', '"grade":', '"cases":', '1e999'],
  ],
  change: jsonChange(['works', 'labs', 'v', 'exercise', 'code', 'grade', 'predictions', 'seen']),
  async check(input): Promise<Outcome> {
    const text = textOf(input);
    const kept = new Progress(host());
    let steps: Awaited<ReturnType<Progress['plan']>>;
    try {
      steps = await kept.plan(text);
    } catch (error) {
      if (!(error instanceof ProgressError)) throw error;
      mustBeSaid(error);
      kept.dispose();
      try {
        checkRecord(JSON.parse(text));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
      return 'refused';
    }
    // The page reads the answers of a file after its works.
    const records = recordsIn(text);
    for (const record of records) checkRecord(record);
    const works = steps.map(({ work }) => work);
    for (const work of works) mustBeEqual(asWork(work), work, 'a work, read again');
    await kept.replace(works);
    const again = await kept.plan(await kept.print(records));
    must(
      again.every(({ kind }) => kind === 'same'),
      'a file of what is there would change it',
    );
    kept.dispose();
    return 'read';
  },
};

const submitted = makeSubmission({
  student: 'Ada',
  time: '2026-11-21T18:00:00.000Z',
  versions: { labs: '0.1.0' },
  exercises: [
    {
      ...{ exercise: 'attention', language: 'python', code: 'def attention(): ...\n' },
      ...{ runs: 2, hints: 1, solutionSeen: false, seeds: [1, 2], grade: GRADE },
    },
  ],
});

const submission: Target = {
  name: 'submission',
  rounds: 12_000,
  seeds: [json(submitted), json({ ...submitted, exercises: [] })],
  words: [
    ...['"format"', '"v":2', '"exercises":[', '"code":', '"sha256":', '"grade":', 'null', '{}'],
    ...['"__proto__":', '"toString":null', '"toString":', '"toJSON":', '[]', '"cases":[null]'],
  ],
  change: jsonChange([
    'v',
    'student',
    'exercises',
    'exercise',
    'language',
    'code',
    'grade',
    'sha256',
  ]),
  check(input): Outcome {
    const found = readOrRefused(() => readSubmission(textOf(input)), SubmissionError);
    if (!found) return 'refused';
    const { format: _, v: __, sha256: ___, ...rest } = found.value.submission;
    const whole = makeSubmission(rest);
    const again = readSubmission(printSubmission(whole));
    must(again.intact, 'what was just written is not intact');
    mustBeEqual(canonical(again.submission), canonical(whole), 'a submission, read again');
    return 'read';
  },
};

const counts = { multiplyAdds: 1, touched: 2, bytes: 3, largest: 4 };
const outcomes = [
  {
    value: { $float64: [1, 2], shape: [1, 2], dtype: 'float64' },
    prints: 'x',
    counts,
    milliseconds: 1,
  },
  { value: [{ kind: 'dict', entries: { a: 1, b: [null, true, 'x'] } }], prints: '', counts },
  {
    error: {
      ...{ type: 'ValueError', message: 'no', line: 3, column: 1 },
      said: { id: 'a', params: { n: 1, what: { id: 'b', params: {}, text: 'b' } }, text: 'a b' },
    },
  },
];

/** Adds to JSON what only a message can hold: arrays of numbers, and a value that contains itself. */
function revived(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const visit = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(visit);
    if ('$float64' in part && Array.isArray(part.$float64)) {
      const { $float64, ...rest } = part as { $float64: unknown[] };
      return {
        kind: 'array',
        ...rest,
        data: Float64Array.from($float64, (one) => (typeof one === 'number' ? one : Number.NaN)),
      };
    }
    const entries = Object.entries(part).map(([name, one]) => [name, visit(one)] as const);
    const made: Record<string, unknown> = Object.fromEntries(entries);
    if ('$self' in made) made.$self = made;
    return made;
  };
  return visit(value);
}

/** The outcome that a worker reports. The student's code may have changed how the report is made. */
const outcome: Target = {
  name: 'outcome',
  rounds: 12_000,
  seeds: outcomes.map(json),
  words: ['"$float64":[', '"$self":0', '"shape":[', '"kind":"dict"', '"entries":', 'null', '[[[['],
  change: jsonChange(['value', 'error', 'said', 'params', 'kind', 'entries', 'shape', '$self']),
  check(input): Outcome {
    const read = readOutcome(revived(textOf(input)));
    must(typeof read.prints === 'string', 'prints that are no text');
    for (const one of Object.values(read.counts))
      must(Number.isFinite(one), 'a count that is none');
    must('value' in read !== 'error' in read, 'neither a value nor an error, or both');
    if (!read.error) return 'read';
    must(
      typeof read.error.message === 'string' && read.error.type !== '',
      'an error without words',
    );
    return 'refused';
  },
};

export const work = [progress, submission, outcome];
