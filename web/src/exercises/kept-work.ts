/**
 * A student's work, saved as it is typed: one record for each exercise and language. Storage may be
 * denied or full, a tab may die in the middle of a word, and a second tab may be open: none of that
 * may lose what was typed, and nothing is overwritten without being asked.
 */

import type { LabRecord } from '../lab/answer-records.ts';
import { type SavedWork, savedWork } from '../state/saved-work.ts';
import { SaidError } from '../strings/said-error.ts';
import { say } from './phrases.ts';
import type { SubmittedGrade } from './submission.ts';
import type { Language } from './types';

export type WrittenLanguage = Exclude<Language, 'cpp'>;

export interface Work {
  readonly v: 1;
  readonly exercise: string;
  readonly language: WrittenLanguage;
  readonly code: string;
  /** Counts the saves of all tabs. */
  readonly revision: number;
  /** ISO 8601. */
  readonly changed: string;
  readonly runs: number;
  /** How many hints were taken. */
  readonly hints: number;
  readonly solutionSeen: boolean;
  /** The code came with a link or a file: someone else wrote it, or a part of it. */
  readonly foreign?: boolean;
  /** The grade of exactly this code. */
  readonly grade?: SubmittedGrade;
  readonly firstPassed?: string;
}

export type WorkPatch = Partial<
  Pick<Work, 'code' | 'runs' | 'hints' | 'solutionSeen' | 'foreign' | 'grade' | 'firstPassed'>
>;

export const PROGRESS_FORMAT = 'attention-labs/progress';

export interface ProgressFile {
  readonly format: typeof PROGRESS_FORMAT;
  readonly v: 1;
  readonly time: string;
  readonly works: readonly Work[];
  /** What was answered in the labs. */
  readonly labs?: readonly LabRecord[];
}

/** The effect of reading a file, record by record. */
export interface ImportStep {
  readonly work: Work;
  readonly kind: 'new' | 'same' | 'replaces';
  readonly existing?: Work;
}

/** The record before the change, for undo; undefined if there was none. */
export type Before = readonly (readonly [key: string, work: Work | undefined])[];

/** The file was not written by this site. The message is for people. */
export class ProgressError extends SaidError {
  override name = 'ProgressError';
}

export interface ProgressListener {
  /** Offers a version that this tab did not write. Undefined means that the offer is settled. */
  readonly onOther?: (key: string, other: Work | undefined) => void;
  /** Records were replaced or removed from this page, by an import, a reset or their undo. */
  readonly onReplaced?: (keys: readonly string[]) => void;
  /** Why nothing can be kept, as a sentence; undefined when it can again. */
  readonly onProblem?: (reason: string | undefined) => void;
  /** Saved, in this tab or another. */
  readonly onSaved?: (key: string) => void;
}

/** The browser's facilities that a test replaces. */
export interface ProgressHost {
  readonly storage: SavedWork;
  /** Tells other tabs which record was written. */
  readonly channel?: Pick<BroadcastChannel, 'postMessage' | 'close'> & {
    onmessage: ((event: MessageEvent) => void) | null;
  };
  /** Runs an action in one tab at a time. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
  /** A store that is written synchronously, for a page that is being closed, when IndexedDB would be too late. */
  readonly journal?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Different in every tab. */
  readonly tab: string;
  readonly now: () => Date;
}

export const SAVE_AFTER_MS = 250;
const PREFIX = 'exercise/';
/** What this tab typed while another tab's version was not yet settled. */
const BESIDE = 'beside/';
const STUDENT = 'student';
const JOURNAL = 'attention-labs/unsaved/';

export const keyOf = (exercise: string, language: WrittenLanguage): string =>
  `${PREFIX}${exercise}/${language}`;

interface Slot {
  work: Work;
  /** The revision that this tab last read or wrote. */
  seen: number;
  dirty: boolean;
  /** What is on its way to the storage: a page that is closed now cannot know whether it arrives. */
  writing?: Work | undefined;
  other?: Work | undefined;
  /** The journal's note that `work` came from. */
  note?: string | undefined;
}

export class Progress {
  private readonly slots = new Map<string, Slot>();
  /** The records that could not be stored. */
  private readonly memory = new Map<string, Work>();
  private readonly listeners = new Set<ProgressListener>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();
  private problem: string | undefined;
  private name: string | undefined;

  constructor(private readonly host: ProgressHost = browserHost()) {
    if (host.channel) {
      host.channel.onmessage = ({ data }) => {
        if (typeof data === 'string') void this.check(data);
      };
    }
  }

  listen(listener: ProgressListener): () => void {
    this.listeners.add(listener);
    if (this.problem) listener.onProblem?.(this.problem);
    return () => this.listeners.delete(listener);
  }

  // ---- one exercise ----

  /** The kept work of an exercise; undefined if there is none. After this call `change` writes to it. */
  async open(exercise: string, language: WrittenLanguage): Promise<Work | undefined> {
    const key = keyOf(exercise, language);
    const known = this.slots.get(key);
    if (known) return known.work;
    const stored = await this.read(key);
    let beside = await this.read(BESIDE + key);
    const raced = this.slots.get(key);
    if (raced) return raced.work;
    const [note] = this.notes(key);
    if (!stored && !note && !beside) return undefined;

    // The save that was under way when the note was written may have arrived after it.
    const arrived = note !== undefined && stored !== undefined && stored.code === note.writing;
    const mine = note !== undefined && (arrived || note.work.revision >= (stored?.revision ?? 0));
    const noted = arrived ? { ...note.work, ...merged(note.work, stored) } : note?.work;
    const work = (mine ? noted : stored) ?? beside ?? noted;
    if (!work) return undefined;
    const slot: Slot = { work, seen: stored?.revision ?? 0, dirty: mine };
    this.slots.set(key, slot);
    // A note is removed only after its content is stored elsewhere.
    if (mine) slot.note = note.name;
    else if (note && note.work.code === work.code) this.forget(note.name);
    else if (note && !beside) {
      beside = note.work;
      if (await this.write(BESIDE + key, beside)) this.forget(note.name);
    }
    if (beside && beside.code !== work.code) this.offer(key, slot, beside);
    if (mine) this.schedule();
    return work;
  }

  /** Kept in memory at once, stored a moment later. */
  change(exercise: string, language: WrittenLanguage, patch: WorkPatch): Work {
    const key = keyOf(exercise, language);
    const slot = this.slots.get(key);
    const before = slot?.work ?? blank(exercise, language);
    const { grade, ...kept } = before;
    const edited = patch.code !== undefined && patch.code !== before.code;
    const work: Work = {
      ...kept,
      // A grade belongs to the code that was run, so changed code has none.
      ...(grade && !edited ? { grade } : {}),
      ...patch,
      changed: this.host.now().toISOString(),
    };
    if (slot) {
      slot.work = work;
      slot.dirty = true;
    } else this.slots.set(key, { work, seen: 0, dirty: true });
    this.schedule();
    return work;
  }

  other(exercise: string, language: WrittenLanguage): Work | undefined {
    return this.slots.get(keyOf(exercise, language))?.other;
  }

  /** The offered version instead of this tab's, which is returned for undo. */
  async takeOther(exercise: string, language: WrittenLanguage): Promise<Work | undefined> {
    const key = keyOf(exercise, language);
    const slot = this.slots.get(key);
    if (!slot?.other) return undefined;
    const before = slot.work;
    slot.work = { ...slot.other, ...merged(slot.work, slot.other) };
    slot.seen = Math.max(slot.seen, slot.other.revision);
    slot.dirty = true;
    await this.settle(key, slot);
    return before;
  }

  /** This tab's version stays and replaces the offered one. */
  async keepMine(exercise: string, language: WrittenLanguage): Promise<void> {
    const key = keyOf(exercise, language);
    const slot = this.slots.get(key);
    if (!slot?.other) return;
    slot.work = { ...slot.work, ...merged(slot.work, slot.other) };
    slot.seen = Math.max(slot.seen, slot.other.revision);
    slot.dirty = true;
    await this.settle(key, slot);
  }

  private async settle(key: string, slot: Slot): Promise<void> {
    slot.other = undefined;
    this.tell(({ onOther }) => onOther?.(key, undefined));
    await this.host.storage.remove(BESIDE + key);
    await this.flush();
  }

  // ---- saving ----

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), SAVE_AFTER_MS);
  }

  /** Everything that is not yet stored. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const run = async (): Promise<void> => {
      for (const [key, slot] of this.slots) if (slot.dirty) await this.save(key, slot);
    };
    this.saving = this.saving.then(run, run);
    return this.saving;
  }

  /** The page is being closed: it writes the note at once and then stores the rest. */
  leave(): void {
    for (const [key, { work, dirty, seen, writing }] of this.slots) {
      if (!dirty && !writing) continue;
      try {
        const note = { ...work, revision: seen, ...(writing && { writing: writing.code }) };
        this.host.journal?.setItem(this.noteName(key), JSON.stringify(note));
      } catch {
        // The storage is denied or full, so only the flush below can save the work.
      }
    }
    void this.flush();
  }

  private async save(key: string, slot: Slot): Promise<void> {
    slot.dirty = false;
    const { work } = slot;
    slot.writing = work;
    await this.host.locked(async () => {
      const stored = await this.readStored(key);
      const newer = stored && stored.revision > slot.seen ? stored : undefined;
      if (newer && newer.code !== work.code) {
        // What could not be stored is left to the journal.
        if (!(await this.write(BESIDE + key, work))) slot.dirty = true;
        this.offer(key, slot, newer);
        return;
      }
      const saved: Work = {
        ...work,
        ...(newer ? merged(work, newer) : {}),
        revision: Math.max(slot.seen, stored?.revision ?? 0) + 1,
      };
      if (!(await this.write(key, saved))) {
        // The record was not stored; the note may still save it when the page is closed.
        this.memory.set(key, { ...saved, revision: slot.seen });
        slot.dirty = true;
        return;
      }
      slot.seen = saved.revision;
      // What was typed meanwhile is newer than what was written.
      slot.work = { ...slot.work, revision: saved.revision };
    });
    slot.writing = undefined;
    if (!slot.dirty) {
      this.forget(this.noteName(key));
      if (slot.note) this.forget(slot.note);
      slot.note = undefined;
    }
    this.host.channel?.postMessage(key);
    this.tell(({ onSaved }) => onSaved?.(key));
  }

  /** Whether another tab has written since. */
  async check(key: string): Promise<void> {
    const slot = this.slots.get(key);
    const stored = await this.readStored(key);
    this.tell(({ onSaved }) => onSaved?.(key));
    if (!slot || !stored || stored.revision <= slot.seen) return;
    if (stored.code !== slot.work.code) this.offer(key, slot, stored);
    else {
      slot.work = { ...slot.work, ...merged(slot.work, stored), revision: stored.revision };
      slot.seen = stored.revision;
    }
  }

  /** The page became visible again. */
  async checkAll(): Promise<void> {
    for (const key of [...this.slots.keys()]) await this.check(key);
  }

  private offer(key: string, slot: Slot, other: Work): void {
    slot.other = other;
    this.tell(({ onOther }) => onOther?.(key, other));
  }

  // ---- who it is ----

  /** As the student wrote it; may be empty. */
  async student(): Promise<string> {
    const loaded = await this.host.storage.load(STUDENT);
    return this.name ?? (loaded.ok && typeof loaded.value === 'string' ? loaded.value : '');
  }

  async setStudent(name: string): Promise<void> {
    this.name = name;
    await this.host.storage.save(STUDENT, name);
  }

  // ---- all exercises ----

  async all(): Promise<readonly Work[]> {
    const found = await this.host.storage.keys();
    const keys = new Set([
      ...(found.ok ? found.value : []).filter((key) => key.startsWith(PREFIX)),
      ...[...this.memory.keys()].filter((key) => key.startsWith(PREFIX)),
      ...this.slots.keys(),
    ]);
    const works: Work[] = [];
    for (const key of keys) {
      const work = this.slots.get(key)?.work ?? (await this.read(key));
      if (work) works.push(work);
    }
    return works.sort((a, b) =>
      keyOf(a.exercise, a.language) < keyOf(b.exercise, b.language) ? -1 : 1,
    );
  }

  /** Everything in one file, with what was answered in the labs. */
  async print(labs: readonly LabRecord[] = []): Promise<string> {
    const file: ProgressFile = {
      ...{ format: PROGRESS_FORMAT, v: 1, time: this.host.now().toISOString() },
      works: await this.all(),
      ...(labs.length > 0 ? { labs } : {}),
    };
    return `${JSON.stringify(file, null, 2)}\n`;
  }

  /** What a file holds and what it would replace. Throws `ProgressError`. */
  async plan(text: string): Promise<readonly ImportStep[]> {
    const mine = new Map(
      (await this.all()).map((work) => [keyOf(work.exercise, work.language), work]),
    );
    return readWorks(text).map((work) => {
      const existing = mine.get(keyOf(work.exercise, work.language));
      if (!existing) return { work, kind: 'new' };
      return { work, existing, kind: existing.code === work.code ? 'same' : 'replaces' };
    });
  }

  /** Writes the records; what they replaced is returned for `restore`. */
  async replace(works: readonly Work[]): Promise<Before> {
    return this.restore(
      works.map((work) => [keyOf(work.exercise, work.language), { ...work, foreign: true }]),
    );
  }

  async remove(keys: readonly string[]): Promise<Before> {
    return this.restore(keys.map((key) => [key, undefined]));
  }

  async restore(states: Before): Promise<Before> {
    await this.flush();
    const before: (readonly [string, Work | undefined])[] = [];
    await this.host.locked(async () => {
      for (const [key, work] of states) {
        const stored = this.slots.get(key)?.work ?? (await this.read(key));
        before.push([key, stored]);
        if (work) {
          const revision = (stored?.revision ?? work.revision) + 1;
          if (!(await this.write(key, { ...work, revision }))) {
            this.memory.set(key, { ...work, revision: stored?.revision ?? 0 });
          }
        } else {
          this.memory.delete(key);
          await this.host.storage.remove(key);
        }
        await this.host.storage.remove(BESIDE + key);
        this.slots.delete(key);
        for (const { name } of this.notes(key)) this.forget(name);
        this.host.channel?.postMessage(key);
      }
    });
    this.tell(({ onReplaced }) => onReplaced?.(states.map(([key]) => key)));
    return before;
  }

  dispose(): void {
    this.leave();
    this.host.channel?.close();
    this.listeners.clear();
  }

  // ---- storage ----

  private async read(key: string): Promise<Work | undefined> {
    return this.memory.get(key) ?? this.readStored(key);
  }

  /** What other tabs see as well. */
  private async readStored(key: string): Promise<Work | undefined> {
    const loaded = await this.host.storage.load(key);
    return loaded.ok ? asWork(loaded.value) : undefined;
  }

  /** Whether it is stored; else it is in memory. */
  private async write(key: string, work: Work): Promise<boolean> {
    const saved = await this.host.storage.save(key, work);
    if (saved.ok) this.memory.delete(key);
    else this.memory.set(key, work);
    const problem = saved.ok ? undefined : saved.reason;
    if (problem !== this.problem) {
      this.problem = problem;
      this.tell(({ onProblem }) => onProblem?.(problem));
    }
    return saved.ok;
  }

  /** Notes of this tab only: another tab removes its own notes. */
  private noteName(key: string): string {
    return `${JOURNAL}${key}#${this.host.tab}`;
  }

  /** What tabs wrote down when they went away; the newest first. */
  private notes(
    key: string,
  ): readonly { readonly name: string; readonly work: Work; readonly writing: unknown }[] {
    const found: { name: string; work: Work; writing: unknown }[] = [];
    try {
      const { journal } = this.host;
      for (let i = 0; i < (journal?.length ?? 0); i++) {
        const name = journal?.key(i);
        if (!name?.startsWith(`${JOURNAL}${key}#`)) continue;
        const note = JSON.parse(journal?.getItem(name) ?? 'null') as { writing?: unknown } | null;
        const work = asWork(note);
        if (work) found.push({ name, work, writing: note?.writing });
      }
    } catch {
      // Denied, or not what this page wrote.
    }
    return found.sort((a, b) => (a.work.changed < b.work.changed ? 1 : -1));
  }

  private forget(name: string): void {
    try {
      this.host.journal?.removeItem(name);
    } catch {
      // Denied: then nothing was written either.
    }
  }

  private tell(call: (listener: ProgressListener) => void): void {
    for (const listener of this.listeners) call(listener);
  }
}

const blank = (exercise: string, language: WrittenLanguage): Work => ({
  ...{ v: 1, exercise, language, code: '', revision: 0, changed: '' },
  ...{ runs: 0, hints: 0, solutionSeen: false },
});

/** Merges what both versions must keep: a hint that was taken stays taken. */
function merged(a: Work, b: Work): WorkPatch {
  const passed = [a.firstPassed, b.firstPassed].filter((time) => time !== undefined).sort()[0];
  return {
    hints: Math.max(a.hints, b.hints),
    runs: Math.max(a.runs, b.runs),
    solutionSeen: a.solutionSeen || b.solutionSeen,
    ...(passed ? { firstPassed: passed } : {}),
  };
}

/** The value may come from a file or an old version of this page: only valid parts are used. */
export function asWork(value: unknown): Work | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    exercise,
    language,
    code,
    revision,
    changed,
    runs,
    hints,
    solutionSeen,
    foreign,
    grade,
    firstPassed,
  } = value as Partial<Record<keyof Work, unknown>>;
  if (typeof exercise !== 'string' || !/^[a-z0-9-]{1,80}$/.test(exercise)) return undefined;
  if (language !== 'python' && language !== 'javascript') return undefined;
  if (typeof code !== 'string') return undefined;
  const count = (n: unknown): number =>
    typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : 0;
  return {
    ...{ v: 1, exercise, language, code },
    revision: count(revision),
    changed: typeof changed === 'string' ? changed : '',
    runs: count(runs),
    hints: Math.min(3, count(hints)),
    solutionSeen: solutionSeen === true,
    ...(foreign === true ? { foreign } : {}),
    ...(isGrade(grade) ? { grade } : {}),
    ...(typeof firstPassed === 'string' ? { firstPassed } : {}),
  };
}

/** A file larger than this cannot be a solution. */
export const MAX_CODE = 200_000;

const isGrade = (value: unknown): value is SubmittedGrade =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SubmittedGrade).passed === 'boolean' &&
  Array.isArray((value as SubmittedGrade).cases);

function readWorks(text: string): readonly Work[] {
  let file: Partial<ProgressFile> | null;
  try {
    file = JSON.parse(text) as Partial<ProgressFile> | null;
  } catch {
    throw new ProgressError(say('progress_not_json'));
  }
  if (file?.format !== PROGRESS_FORMAT || !Array.isArray(file.works)) {
    throw new ProgressError(say('progress_not_ours'));
  }
  if (file.v !== 1) {
    throw new ProgressError(say('progress_version', { version: String(file.v) }));
  }
  const works = file.works.map(asWork);
  const bad = works.indexOf(undefined);
  if (bad >= 0) throw new ProgressError(say('progress_damaged', { record: bad + 1 }));
  return works as Work[];
}

/** The browser's facilities; each may be missing. */
function browserHost(): ProgressHost {
  const locks = typeof navigator === 'object' ? navigator.locks : undefined;
  let journal: Storage | undefined;
  try {
    journal = localStorage;
  } catch {
    // Denied.
  }
  return {
    storage: savedWork(),
    ...(typeof BroadcastChannel === 'function'
      ? { channel: new BroadcastChannel('attention-labs/progress') }
      : {}),
    ...(journal ? { journal } : {}),
    tab: Math.random().toString(36).slice(2),
    locked: <T>(work: () => Promise<T>): Promise<T> =>
      locks ? (locks.request('attention-labs/progress', work) as Promise<T>) : work(),
    now: () => new Date(),
  };
}
