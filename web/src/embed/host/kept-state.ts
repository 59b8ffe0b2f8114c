/**
 * A student's work as the text that a course site keeps: the answers in a lab, what was reached in each exercise, and the
 * code, as much of it as there is room for. Deflated JSON in base64url, because sites have refused or changed other
 * characters, behind the version of this format.
 */
import { asWork, type Work } from '../../exercises/kept-work.ts';
import { asLabRecord, type LabRecord } from '../../lab/questions/answer-records.ts';
import { fromBase64Url, pump, toBase64Url } from '../../state/pack-matrices.ts';

const VERSION = 'AL1.';
const MAX_BYTES = 1_000_000;

export interface KeptWork {
  /** The page whose work it is: a frame may be led to another page of ours by a link. */
  readonly page: string;
  readonly labs: readonly LabRecord[];
  readonly works: readonly Work[];
}

export interface PackedWork {
  readonly text: string;
  /** The works whose code found no room, the newest first. */
  readonly left: readonly Work[];
}

async function packed(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return VERSION + toBase64Url(await pump(bytes, new CompressionStream('deflate-raw'), MAX_BYTES));
}

const newestFirst = (a: Work, b: Work): number => (a.changed < b.changed ? 1 : -1);

/** A work without the grade's cases, which the page finds out again by a Run. */
const slim = ({ grade: _, revision: __, ...work }: Work, withCode: boolean): object => ({
  ...work,
  code: withCode ? work.code : '',
});

/**
 * What is said first is kept in any case: answers and what was reached. Then code, the newest first; what does not fit
 * is named, and smaller code after it may still fit.
 *
 * @param room the most characters of the text
 */
export async function packWork({ page, labs, works }: KeptWork, room: number): Promise<PackedWork> {
  const sorted = [...works].sort(newestFirst);
  const withCode = new Set<Work>();
  const print = (kept: ReadonlySet<Work>): Promise<string> =>
    packed({
      page,
      ...(labs.length > 0 && { labs }),
      works: sorted.map((work) => slim(work, kept.has(work))),
    });
  // Nearly always all of it fits.
  const all = await print(new Set(sorted));
  if (all.length <= room) return { text: all, left: [] };
  let text = await print(withCode);
  // Not even what was reached: nothing may be handed over that would not be read again.
  if (text.length > room) return { text: '', left: sorted };
  for (const work of sorted) {
    const more = await print(new Set([...withCode, work]));
    if (more.length > room) continue;
    withCode.add(work);
    text = more;
  }
  return { text, left: sorted.filter((work) => !withCode.has(work) && work.code !== '') };
}

/** Whether a later version of this page wrote the text. It is not replaced. */
export const isLater = (text: string): boolean =>
  /^AL\d+\./.test(text) && !text.startsWith(VERSION);

/** Reads a text of `packWork`; undefined for any other, cut off or of a later version. */
export async function unpackWork(text: string): Promise<KeptWork | undefined> {
  if (!text.startsWith(VERSION)) return undefined;
  let read: unknown;
  try {
    const deflated = fromBase64Url(text.slice(VERSION.length));
    const bytes = await pump(deflated, new DecompressionStream('deflate-raw'), MAX_BYTES);
    read = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  const { page, labs, works } = (read ?? {}) as Readonly<Partial<Record<keyof KeptWork, unknown>>>;
  const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return {
    page: typeof page === 'string' ? page : '',
    labs: listed(labs).flatMap((one) => asLabRecord(one) ?? []),
    works: listed(works).flatMap((one) => asWork(one) ?? []),
  };
}

/**
 * What of the kept works is newer than what this browser has. A work whose code found no room replaces no code, but what
 * was reached in it counts.
 */
export function newerWorks(kept: readonly Work[], here: readonly Work[]): Work[] {
  return kept.flatMap((work) => {
    const mine = here.find(
      ({ exercise, language }) => exercise === work.exercise && language === work.language,
    );
    if (!mine) return [work];
    const passed = [mine.firstPassed, work.firstPassed]
      .filter((time) => time !== undefined)
      .sort()[0];
    const reached = {
      hints: Math.max(mine.hints, work.hints),
      runs: Math.max(mine.runs, work.runs),
      solutionSeen: mine.solutionSeen || work.solutionSeen,
      ...(passed !== undefined && { firstPassed: passed }),
    };
    if (work.code !== '' && work.code !== mine.code && work.changed > mine.changed) {
      return [{ ...work, ...reached }];
    }
    const same = (['hints', 'runs', 'solutionSeen', 'firstPassed'] as const).every(
      (name) => mine[name] === { ...mine, ...reached }[name],
    );
    return same ? [] : [{ ...mine, ...reached }];
  });
}
