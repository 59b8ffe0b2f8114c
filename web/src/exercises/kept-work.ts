/**
 * Keeps a student's work, saving it while it is typed: one record for each exercise and language. The storage may be
 * denied or full, a tab may close while a word is being typed, and a second tab may be open. In none of these cases
 * may typed text be lost, and no record is overwritten unless the student agrees.
 */

import type { LabRecord } from '../lab/questions/answer-records.ts';
import { parsed } from '../state/journal.ts';
import { isNewer, RECORD_VERSION, unknownFields } from '../state/newer.ts';
import { type PageHost, pageHost } from '../state/page-host.ts';
import type { Saved } from '../state/saved-work.ts';
import { SaidError } from '../strings/said-error.ts';
import { shown } from '../strings/shown.ts';
import { say } from './phrases.ts';
import type { SubmittedGrade } from './submission.ts';
import type { Language } from './types';

export type WrittenLanguage = Exclude<Language, 'cpp'>;

export interface Work {
  readonly v: 1;
  readonly exercise: string;
  readonly language: WrittenLanguage;
  readonly code: string;
  /** Counts the saves of the record by all tabs together. */
  readonly revision: number;
  /** The time of the last change, in ISO 8601. */
  readonly changed: string;
  readonly runs: number;
  /** The number of hints that were taken. */
  readonly hints: number;
  readonly solutionSeen: boolean;
  /** The grade of exactly the code in this record. */
  readonly grade?: SubmittedGrade;
  readonly firstPassed?: string;
}

export type WorkPatch = Partial<
  Pick<Work, 'code' | 'runs' | 'hints' | 'solutionSeen' | 'grade' | 'firstPassed'>
>;

export const PROGRESS_FORMAT = 'attention-labs/progress';

export interface ProgressFile {
  readonly format: typeof PROGRESS_FORMAT;
  readonly v: 1;
  readonly time: string;
  readonly works: readonly Work[];
  /** The answers that were given in the labs. */
  readonly labs?: readonly LabRecord[];
}

/** What importing a file would do to one record. */
export interface ImportStep {
  readonly work: Work;
  readonly kind: 'new' | 'same' | 'replaces';
  readonly existing?: Work;
}

/** The records before a change, for undo; undefined for a key that had no record. */
export type Before = readonly (readonly [key: string, work: Work | undefined])[];

/** A file was not written by this site. The message is written for the person who chose the file. */
export class ProgressError extends SaidError {
  override name = 'ProgressError';
}

export interface ProgressListener {
  /** Offers a version that this tab did not write. Undefined means that the offer is settled. */
  readonly onOther?: (key: string, other: Work | undefined) => void;
  /** Told when an import, a reset or the undo of one replaced or removed records. */
  readonly onReplaced?: (keys: readonly string[]) => void;
  /** Told, as a sentence, why nothing can be kept; undefined when the storage works again. */
  readonly onProblem?: (reason: string | undefined) => void;
  /** Told when this tab or another saved a record. */
  readonly onSaved?: (key: string) => void;
}

export const SAVE_AFTER_MS = 250;
/**
 * The time after which a record that could not be stored is tried again; the storage may have room, or answer, by
 * then.
 */
const RETRY_MS = 5000;
const PREFIX = 'exercise/';
/** The prefix of records that hold what this tab typed while another tab's version is not settled yet. */
const BESIDE = 'beside/';
const STUDENT = 'student';
const JOURNAL = 'attention-labs/unsaved/';

export const keyOf = (exercise: string, language: WrittenLanguage): string =>
  `${PREFIX}${exercise}/${language}`;

interface Slot {
  work: Work;
  /** The revision of the record that this tab last read or wrote. */
  seen: number;
  dirty: boolean;
  /** The version that is being stored. A page that is closed now cannot know whether it arrives. */
  writing?: Work | undefined;
  other?: Work | undefined;
  /** The name of the journal's note that `work` was read from. */
  note?: string | undefined;
}

export class Progress {
  private readonly slots = new Map<string, Slot>();
  /** The records that the storage refused. */
  private readonly memory = new Map<string, Work>();
  private readonly listeners = new Set<ProgressListener>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();
  /** Why a record could not be written, and why one could not be read. */
  private readonly problems: { write?: string | undefined; read?: string | undefined } = {};
  /** The keys of records that could not be read when their exercise was opened. */
  private readonly unread = new Set<string>();
  /** The records that a newer version of this page wrote, by key. */
  private readonly newer = new Map<string, unknown>();
  private name: string | undefined;

  constructor(private readonly host: PageHost = pageHost('attention-labs/progress')) {
    if (host.channel) {
      host.channel.onmessage = ({ data }) => {
        if (typeof data === 'string') void this.check(data);
      };
    }
  }

  listen(listener: ProgressListener): () => void {
    this.listeners.add(listener);
    const { problem } = this;
    if (problem) listener.onProblem?.(problem);
    return () => this.listeners.delete(listener);
  }

  private get problem(): string | undefined {
    return this.problems.write ?? this.problems.read;
  }

  private setProblem(kind: 'write' | 'read', saved: Saved<unknown>): void {
    const before = this.problem;
    this.problems[kind] = saved.ok ? undefined : saved.reason;
    // A storage that accepts records can be read as well.
    if (kind === 'write' && saved.ok && this.unread.size === 0) this.problems.read = undefined;
    const { problem } = this;
    if (problem !== before) this.tell(({ onProblem }) => onProblem?.(problem));
  }

  /** Whether any record is not stored yet. */
  get dirty(): boolean {
    return [...this.slots.values()].some(({ dirty, writing }) => dirty || writing !== undefined);
  }

  /** The record of an exercise that a newer version of this page wrote; it is never changed. */
  newerRecord(exercise: string, language: WrittenLanguage): unknown {
    return this.newer.get(keyOf(exercise, language));
  }

  // ---- one exercise ----

  /** The kept work of an exercise; undefined if there is none. After this call `change` writes to it. */
  async open(exercise: string, language: WrittenLanguage): Promise<Work | undefined> {
    const key = keyOf(exercise, language);
    const known = this.slots.get(key);
    if (known) return known.work;
    const stored = await this.read(key, true);
    let beside = await this.read(BESIDE + key);
    const raced = this.slots.get(key);
    if (raced) return raced.work;
    const [note] = this.notes(key);
    if (!stored && !note && !beside) return undefined;

    // The save that was running when the note was written may have arrived after it.
    const arrived = note !== undefined && stored !== undefined && stored.code === note.writing;
    const mine = note !== undefined && (arrived || note.work.revision >= (stored?.revision ?? 0));
    const noted = arrived ? { ...note.work, ...merged(note.work, stored) } : note?.work;
    const work = (mine ? noted : stored) ?? beside ?? noted;
    if (!work) return undefined;
    const slot: Slot = { work, seen: stored?.revision ?? 0, dirty: mine };
    this.slots.set(key, slot);
    // The note is removed only after its content is stored elsewhere.
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

  /** Changes the record in memory at once, and stores it a moment later. */
  change(exercise: string, language: WrittenLanguage, patch: WorkPatch): Work {
    const key = keyOf(exercise, language);
    const slot = this.slots.get(key);
    const before = slot?.work ?? blank(exercise, language);
    const { grade, ...kept } = before;
    const edited = patch.code !== undefined && patch.code !== before.code;
    const work: Work = {
      ...kept,
      // The grade belongs to the code that was run, so changed code has no grade.
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

  /** Replaces this tab's version by the offered one. Returns this tab's version, for undo. */
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

  /** Keeps this tab's version and replaces the offered one with it. */
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

  /** Stores everything that is not stored yet. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const run = async (): Promise<void> => {
      for (const [key, slot] of this.slots) if (slot.dirty) await this.save(key, slot);
      for (const key of this.unread) await this.readAgain(key);
      clearTimeout(this.retry);
      this.retry = undefined;
      if (this.dirty || this.unread.size > 0) {
        this.retry = setTimeout(() => void this.flush(), RETRY_MS);
      }
    };
    this.saving = this.saving.then(run, run);
    return this.saving;
  }

  /**
   * Called when the page is being closed: writes a note to the journal at once, and then stores the rest. Returns
   * whether nothing can be lost any more. Where no note can be written, only the storage can save the work, if it
   * still answers in time.
   */
  leave(): boolean {
    let safe = true;
    for (const [key, { work, dirty, seen, writing }] of this.slots) {
      if (!dirty && !writing) continue;
      const note = { ...work, revision: seen, ...(writing && { writing: writing.code }) };
      if (!this.host.journal?.set(this.noteName(key), JSON.stringify(note))) safe = false;
    }
    void this.flush();
    return safe;
  }

  private async save(key: string, slot: Slot): Promise<void> {
    slot.dirty = false;
    const { work } = slot;
    slot.writing = work;
    // The work counts as not stored until the storage has confirmed it, whatever fails before that.
    let arrived = false;
    try {
      arrived = await this.host.locked(() => this.store(key, slot, work));
    } finally {
      slot.writing = undefined;
      if (!arrived) slot.dirty = true;
    }
    if (!slot.dirty) {
      this.forget(this.noteName(key));
      if (slot.note) this.forget(slot.note);
      slot.note = undefined;
    }
    this.host.channel?.postMessage(key);
    this.tell(({ onSaved }) => onSaved?.(key));
  }

  /** Stores the work, under its key or beside the version of another tab; returns whether it was stored. */
  private async store(key: string, slot: Slot, work: Work): Promise<boolean> {
    const stored = await this.readStored(key);
    const newer = stored && stored.revision > slot.seen ? stored : undefined;
    if (newer && newer.code !== work.code) {
      // The journal keeps what could not be stored.
      const kept = await this.write(BESIDE + key, work);
      this.offer(key, slot, newer);
      return kept;
    }
    const saved: Work = {
      ...(newer ? unknownFields(newer, work) : {}),
      ...work,
      ...(newer ? merged(work, newer) : {}),
      revision: Math.max(slot.seen, stored?.revision ?? 0) + 1,
    };
    if (!(await this.write(key, saved))) {
      // The record was not stored; the note may still save it when the page is closed.
      this.memory.set(key, { ...saved, revision: slot.seen });
      return false;
    }
    slot.seen = saved.revision;
    // Text typed in the meantime is newer than what was written.
    slot.work = { ...slot.work, revision: saved.revision };
    return true;
  }

  /** Reads a record again that the storage could not return when its exercise was opened. */
  private async readAgain(key: string): Promise<void> {
    const stored = await this.read(key, true);
    if (this.unread.has(key)) return;
    if (stored && !this.slots.has(key)) this.tell(({ onReplaced }) => onReplaced?.([key]));
  }

  /** Looks whether another tab has written the record since this tab read it. */
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

  /** Checks all open records; called when the page becomes visible again. */
  async checkAll(): Promise<void> {
    for (const key of [...this.slots.keys()]) await this.check(key);
  }

  private offer(key: string, slot: Slot, other: Work): void {
    slot.other = other;
    this.tell(({ onOther }) => onOther?.(key, other));
  }

  // ---- the student's name ----

  /** The name as the student wrote it; it may be empty. */
  async student(): Promise<string> {
    const loaded = await this.host.storage.load(STUDENT);
    return this.name ?? (loaded.ok && typeof loaded.value === 'string' ? loaded.value : '');
  }

  async setStudent(name: string): Promise<void> {
    this.name = name;
    this.setProblem('write', await this.host.storage.save(STUDENT, name));
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

  /** The text of a file with all records and the answers given in the labs. */
  async print(labs: readonly LabRecord[] = []): Promise<string> {
    const file: ProgressFile = {
      ...{ format: PROGRESS_FORMAT, v: 1, time: this.host.now().toISOString() },
      works: await this.all(),
      ...(labs.length > 0 ? { labs } : {}),
    };
    return `${JSON.stringify(file, null, 2)}\n`;
  }

  /** Lists what a file holds and what it would replace. @throws ProgressError for a file that is not ours. */
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

  /** Writes the records, and returns what they replaced, for `restore`. */
  async replace(works: readonly Work[]): Promise<Before> {
    return this.restore(works.map((work) => [keyOf(work.exercise, work.language), work]));
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
    clearTimeout(this.timer);
    clearTimeout(this.retry);
    this.host.channel?.close();
    this.listeners.clear();
  }

  // ---- storage ----

  /** @param opening whether a visitor waits for the record; a failure is then reported and tried again */
  private async read(key: string, opening = false): Promise<Work | undefined> {
    return this.memory.get(key) ?? this.readStored(key, opening);
  }

  /** Reads a record that other tabs see as well. */
  private async readStored(key: string, opening = false): Promise<Work | undefined> {
    const loaded = await this.host.storage.load(key);
    if (loaded.newer !== undefined) this.newer.set(key, loaded.newer);
    if (opening) {
      if (loaded.ok) this.unread.delete(key);
      else this.unread.add(key);
      if (!loaded.ok || this.unread.size === 0) this.setProblem('read', loaded);
      if (!loaded.ok) this.retry ??= setTimeout(() => void this.flush(), RETRY_MS);
    }
    return loaded.ok ? asWork(loaded.value) : undefined;
  }

  /** Returns whether the record was stored; if it was not, it stays in memory. */
  private async write(key: string, work: Work): Promise<boolean> {
    const saved = await this.host.storage.save(key, work);
    if (saved.ok) this.memory.delete(key);
    else this.memory.set(key, work);
    this.setProblem('write', saved);
    return saved.ok;
  }

  /** The name of this tab's note. Each tab removes only its own notes. */
  private noteName(key: string): string {
    return `${JOURNAL}${key}#${this.host.tab}`;
  }

  /** The notes that tabs wrote down when they were closed, the newest first. */
  private notes(
    key: string,
  ): readonly { readonly name: string; readonly work: Work; readonly writing: unknown }[] {
    const found: { name: string; work: Work; writing: unknown }[] = [];
    const { journal } = this.host;
    for (const name of journal?.names(`${JOURNAL}${key}#`) ?? []) {
      const note = parsed(journal?.get(name));
      const work = asWork(note);
      if (work) found.push({ name, work, writing: (note as { writing?: unknown }).writing });
    }
    return found.sort((a, b) => (a.work.changed < b.work.changed ? 1 : -1));
  }

  private forget(name: string): void {
    this.host.journal?.remove(name);
  }

  private tell(call: (listener: ProgressListener) => void): void {
    for (const listener of this.listeners) call(listener);
  }
}

const blank = (exercise: string, language: WrittenLanguage): Work => ({
  ...{ v: 1, exercise, language, code: '', revision: 0, changed: '' },
  ...{ runs: 0, hints: 0, solutionSeen: false },
});

/** The parts that both versions must keep: a hint that was taken stays taken. */
function merged(a: Work, b: Work): WorkPatch {
  const passed = [a.firstPassed, b.firstPassed].filter((time) => time !== undefined).sort()[0];
  return {
    hints: Math.max(a.hints, b.hints),
    runs: Math.max(a.runs, b.runs),
    solutionSeen: a.solutionSeen || b.solutionSeen,
    ...(passed ? { firstPassed: passed } : {}),
  };
}

/**
 * Reads a record that may come from a file or from another version of this page. Of the fields that this version
 * knows, only valid ones are used. Unknown fields are kept unchanged.
 */
export function asWork(value: unknown): Work | undefined {
  if (typeof value !== 'object' || value === null || isNewer(value)) return undefined;
  const {
    v: _,
    exercise,
    language,
    code,
    revision,
    changed,
    runs,
    hints,
    solutionSeen,
    grade,
    firstPassed,
    // This field belongs to a note, not to a record.
    writing: __,
    ...unknown
  } = value as Partial<Record<keyof Work | 'writing', unknown>>;
  if (typeof exercise !== 'string' || !/^[a-z0-9-]{1,80}$/.test(exercise)) return undefined;
  if (language !== 'python' && language !== 'javascript') return undefined;
  if (typeof code !== 'string') return undefined;
  const count = (n: unknown): number =>
    typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : 0;
  return {
    ...unknown,
    ...{ v: RECORD_VERSION, exercise, language, code },
    revision: count(revision),
    changed: typeof changed === 'string' ? changed : '',
    runs: count(runs),
    hints: Math.min(3, count(hints)),
    solutionSeen: solutionSeen === true,
    ...(isGrade(grade) ? { grade } : {}),
    ...(typeof firstPassed === 'string' ? { firstPassed } : {}),
  };
}

/** The largest code that is accepted, in characters; no solution is as long. */
export const MAX_CODE = 200_000;

const isGrade = (value: unknown): value is SubmittedGrade =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SubmittedGrade).passed === 'boolean' &&
  Array.isArray((value as SubmittedGrade).cases);

/** The number of records in a file that only a newer version of this page can read; they are left out. */
export function newerIn(text: string): number {
  const { works, labs } = JSON.parse(text) as { works?: unknown; labs?: unknown };
  return [works, labs].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isNewer).length;
}

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
    throw new ProgressError(say('progress_version', { version: shown(file.v) }));
  }
  const own = file.works.filter((work) => !isNewer(work));
  const works = own.map(asWork);
  const bad = works.indexOf(undefined);
  if (bad >= 0) {
    throw new ProgressError(
      say('progress_damaged', { record: file.works.indexOf(own[bad] as Work) + 1 }),
    );
  }
  return works as Work[];
}
