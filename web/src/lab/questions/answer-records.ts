/**
 * What a reader answered: one record for each lab. A first answer is never replaced, whatever tab it
 * was given in; storage may be denied, then it lasts as long as the page.
 */
import { askBeforeLeaving } from '../../state/ask-before-leaving.ts';
import { readNote, removeNote, writeNote } from '../../state/journal.ts';
import { RECORD_VERSION } from '../../state/newer.ts';
import { type PageHost, pageHost } from '../../state/page-host.ts';
import type { Saved } from '../../state/saved-work.ts';

export type PredictionAnswer = string | number;

export interface PredictionRecord {
  readonly first: PredictionAnswer;
  /** The true value as it was computed at the time of the answer. */
  readonly firstTruth?: PredictionAnswer;
  readonly last: PredictionAnswer;
  /** How often it was answered. */
  readonly count: number;
  /** ISO 8601 time of the first answer. */
  readonly time: string;
}

export interface CheckRecord {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly count: number;
  /** The number of the first right try; missing until a try is right. */
  readonly rightAt?: number;
  readonly time: string;
}

export interface LabRecord {
  readonly v: 1;
  readonly lab: string;
  readonly predictions: Readonly<Record<string, PredictionRecord>>;
  readonly checks: Readonly<Record<string, CheckRecord>>;
  /** When a step was first read to its end. */
  readonly seen: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly changed: string;
}

export const PREFIX = 'lab/';
export const labKey = (lab: string): string => `${PREFIX}${lab}`;
const noteName = (lab: string): string => `attention-labs/${labKey(lab)}`;

export const blankRecord = (lab: string): LabRecord => ({
  ...{ v: 1, lab, changed: '' },
  ...{ predictions: {}, checks: {}, seen: {} },
});

export const isBlank = ({ predictions, checks, seen }: LabRecord): boolean =>
  [predictions, checks, seen].every((part) => Object.keys(part).length === 0);

interface Answered {
  readonly count: number;
  readonly time: string;
}

/** Merges two answers to one question: the first answer is the earlier one, the last answer is that of the record with more tries. */
function mergedAnswer<T extends Answered & { readonly last: unknown }>(a: T, b: T): T {
  const [early, late] = a.time <= b.time ? [a, b] : [b, a];
  const { last, count } = early.count >= late.count ? early : late;
  // Spread, because `Object.assign` takes a field of a file called `__proto__` for the prototype.
  return { ...late, ...early, last, count };
}

function mergedParts<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  both: (a: T, b: T) => T,
): Record<string, T> {
  const all: Record<string, T> = { ...a, ...b };
  for (const [id, one] of Object.entries(a)) {
    const other = b[id];
    if (other !== undefined) all[id] = both(one, other);
  }
  return all;
}

/** Merges what two tabs know, or a file and this browser. */
export function mergedRecords(a: LabRecord, b: LabRecord): LabRecord {
  return {
    ...a,
    ...b,
    ...{ v: RECORD_VERSION, lab: a.lab, changed: [a.changed, b.changed].sort()[1] ?? '' },
    predictions: mergedParts(a.predictions, b.predictions, (one, other) =>
      mergedAnswer(one, other),
    ),
    checks: mergedParts(a.checks, b.checks, (one, other) => {
      const { rightAt: _, ...merged } = mergedAnswer(one, other);
      const right = [one.rightAt, other.rightAt].filter((at) => at !== undefined);
      return right.length > 0 ? { ...merged, rightAt: Math.min(...right) } : merged;
    }),
    seen: mergedParts(a.seen, b.seen, (one, other) => [one, other].sort()[0] ?? one),
  };
}

/** The ids of some steps, and of what they ask. */
export type RecordParts = Readonly<Record<'predictions' | 'checks' | 'seen', ReadonlySet<string>>>;

/** What a record has of these parts, as a record of the lab `to`; and what is left of it. */
function divided(
  record: LabRecord,
  to: string,
  parts: RecordParts,
): readonly [LabRecord, LabRecord] {
  const some = (isTaken: boolean): Pick<LabRecord, 'predictions' | 'checks' | 'seen'> => {
    const of = <T>(all: Readonly<Record<string, T>>, ids: ReadonlySet<string>) =>
      Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id) === isTaken));
    return {
      predictions: of(record.predictions, parts.predictions),
      checks: of(record.checks, parts.checks),
      seen: of(record.seen, parts.seen),
    };
  };
  return [
    { ...blankRecord(to), changed: record.changed, ...some(true) },
    { ...record, ...some(false) },
  ];
}

/** `__proto__` is not accepted as an id, because assigning to it would change the prototype of a record. */
const isId = (id: string): boolean => /^[A-Za-z0-9_-]{1,80}$/.test(id) && id !== '__proto__';
const isAnswer = (value: unknown): value is PredictionAnswer =>
  (typeof value === 'string' && value.length <= 200) ||
  (typeof value === 'number' && Number.isFinite(value));
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isChoice = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && isId(one));

function partsOf<T>(value: unknown, read: (one: Record<string, unknown>) => T | undefined) {
  const parts: Record<string, T> = {};
  if (typeof value !== 'object' || value === null) return parts;
  for (const [id, one] of Object.entries(value)) {
    if (!isId(id) || typeof one !== 'object' || one === null) continue;
    const part = read(one as Record<string, unknown>);
    if (part !== undefined) parts[id] = part;
  }
  return parts;
}

/**
 * Reads a record that may come from a file or from another version of this page. Of the fields that this version
 * knows, only valid ones are used. Unknown fields are kept unchanged.
 */
export function asLabRecord(value: unknown): LabRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { v, lab, predictions, checks, seen, changed, ...unknown } = value as Record<
    string,
    unknown
  >;
  if (v !== RECORD_VERSION || typeof lab !== 'string' || !isId(lab)) return undefined;
  const time = (one: unknown): string => (typeof one === 'string' ? one.slice(0, 40) : '');
  return {
    ...unknown,
    ...{ v: RECORD_VERSION, lab, changed: time(changed) },
    predictions: partsOf<PredictionRecord>(predictions, (one) => {
      const { first, firstTruth, last, count, ...unknown } = one;
      if (!isAnswer(first) || !isAnswer(last) || !isCount(count)) return undefined;
      return {
        ...unknown,
        ...{ first, last, count, time: time(one.time) },
        ...(isAnswer(firstTruth) ? { firstTruth } : {}),
      };
    }),
    checks: partsOf<CheckRecord>(checks, (one) => {
      const { first, last, count, rightAt, ...unknown } = one;
      if (!isChoice(first) || !isChoice(last) || !isCount(count)) return undefined;
      return {
        ...unknown,
        ...{ first, last, count, time: time(one.time) },
        ...(isCount(rightAt) ? { rightAt } : {}),
      };
    }),
    seen: Object.fromEntries(
      Object.entries(typeof seen === 'object' && seen !== null ? seen : {}).flatMap(([id, when]) =>
        isId(id) ? [[id, time(when)]] : [],
      ),
    ),
  };
}

/** The labs' records in a file of `Progress.print`; a damaged one is left out. */
export function recordsIn(file: string): readonly LabRecord[] {
  const { labs } = JSON.parse(file) as { readonly labs?: unknown };
  return Array.isArray(labs) ? labs.flatMap((one) => asLabRecord(one) ?? []) : [];
}

/** Each record as it was before it was replaced; undefined where there was none. */
export type RecordsBefore = readonly (readonly [lab: string, record: LabRecord | undefined])[];

/** The time after which answers that could not be stored are tried again. */
const RETRY_MS = 5000;

export class LabRecords {
  private readonly known = new Map<string, LabRecord>();
  /** What was changed in each lab's record since it was last stored, oldest first. */
  private readonly unsaved = new Map<string, ((record: LabRecord) => LabRecord)[]>();
  /** The labs whose record this tab has seen in the storage. */
  private readonly stored = new Set<string>();
  private readonly listeners = new Set<(lab: string) => void>();
  private saving: Promise<unknown> = Promise.resolve();
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** The records that a newer version of this page wrote, by lab. They are never changed. */
  private readonly newer = new Map<string, unknown>();
  /** Whether the storage failed to return the last record that was asked for. */
  private unreadable = false;
  /** Why nothing can be kept, as a sentence. */
  problem: string | undefined;

  constructor(private readonly host: PageHost = pageHost('attention-labs/labs')) {
    if (host.channel) {
      host.channel.onmessage = ({ data }) => {
        if (typeof data === 'string') void this.reread(data);
      };
    }
  }

  listen(listener: (lab: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The record as it is known now. Call `open` first. */
  get(lab: string): LabRecord {
    return this.known.get(lab) ?? blankRecord(lab);
  }

  async open(lab: string): Promise<LabRecord> {
    const stored = await this.read(lab);
    const note = this.note(lab);
    const parts = [stored, note, this.known.get(lab)].filter((part) => part !== undefined);
    if (parts.length > 0) this.known.set(lab, parts.reduce(mergedRecords));
    if (note) this.store(lab, (record) => mergedRecords(record, note));
    return this.get(lab);
  }

  /** The record of a lab that a newer version of this page wrote. */
  newerRecord(lab: string): unknown {
    return this.newer.get(lab);
  }

  /** Whether any answer is not stored yet. */
  get dirty(): boolean {
    return this.unsaved.size > 0;
  }

  /**
   * Called when the page may be about to close: writes answers that are not stored yet to the journal. Returns
   * whether no answer can be lost any more; a reader is not asked because of steps that were only read.
   */
  leave(): boolean {
    let safe = true;
    for (const lab of this.unsaved.keys()) {
      const record = this.get(lab);
      const { journal } = this.host;
      if (journal && writeNote(journal, noteName(lab), record)) continue;
      if (!isBlank({ ...record, seen: {} })) safe = false;
    }
    return safe;
  }

  prediction(lab: string, id: string, answer: PredictionAnswer): void {
    const now = this.now();
    this.change(lab, (record) => {
      const before = record.predictions[id];
      const next: PredictionRecord = before
        ? { ...before, last: answer, count: before.count + 1 }
        : { first: answer, last: answer, count: 1, time: now };
      return { ...record, predictions: { ...record.predictions, [id]: next } };
    });
  }

  /** What was computed when a prediction was first answered. */
  predictionTruth(lab: string, id: string, truth: PredictionAnswer): void {
    this.change(lab, (record) => {
      const before = record.predictions[id];
      if (!before || before.firstTruth !== undefined) return record;
      const next = { ...before, firstTruth: truth };
      return { ...record, predictions: { ...record.predictions, [id]: next } };
    });
  }

  check(lab: string, id: string, chosen: readonly string[], right: boolean): void {
    const now = this.now();
    this.change(lab, (record) => {
      const before = record.checks[id];
      const count = (before?.count ?? 0) + 1;
      const next: CheckRecord = {
        ...(before ?? { first: chosen, time: now }),
        ...{ last: chosen, count },
        ...(right && before?.rightAt === undefined ? { rightAt: count } : {}),
      };
      return { ...record, checks: { ...record.checks, [id]: next } };
    });
  }

  seen(lab: string, step: string): void {
    if (this.get(lab).seen[step] !== undefined) return;
    const now = this.now();
    this.change(lab, (record) => ({ ...record, seen: { ...record.seen, [step]: now } }));
  }

  /**
   * Moves what was answered in steps that the lab `from` had once to the record of the lab that has them now. Another tab,
   * or a file from before, may bring such answers back: then they are moved again, and nothing is counted twice.
   */
  async takeOver(from: string, to: string, parts: RecordParts): Promise<void> {
    const isThere = (record: LabRecord): boolean => !isBlank(divided(record, to, parts)[0]);
    // Most readers have nothing there, and wait for nothing more.
    if (!isThere(await this.open(from))) return;
    await this.open(to);
    await this.saving;
    const moved: string[] = [];
    await this.host.locked(async () => {
      const there = (await this.read(from)) ?? this.get(from);
      if (!isThere(there)) return;
      const [taken, left] = divided(there, to, parts);
      const here = (await this.read(to)) ?? this.get(to);
      const merged = mergedRecords(here, taken);
      this.known.set(to, merged);
      // What cannot be stored there is left where it is.
      if (!(await this.write(merged))) return;
      moved.push(from, to);
      this.known.set(from, left);
      if (isBlank(left)) {
        this.stored.delete(from);
        await this.host.storage.remove(labKey(from));
      } else await this.write(left);
    });
    for (const lab of moved) {
      this.host.channel?.postMessage(lab);
      this.tell(lab);
    }
  }

  /** Every lab of which anything is kept. */
  async all(): Promise<readonly LabRecord[]> {
    const found = await this.host.storage.keys();
    const stored = (found.ok ? found.value : [])
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length));
    const records: LabRecord[] = [];
    for (const lab of [...new Set([...stored, ...this.known.keys()])].sort()) {
      const record = await this.open(lab);
      if (!isBlank(record)) records.push(record);
    }
    return records;
  }

  /** Replaces records, or removes them; what was there is returned for undo. */
  async restore(states: RecordsBefore): Promise<RecordsBefore> {
    await this.saving;
    const before: (readonly [string, LabRecord | undefined])[] = [];
    await this.host.locked(async () => {
      for (const [lab, record] of states) {
        const stored = (await this.read(lab)) ?? this.known.get(lab);
        before.push([lab, stored && !isBlank(stored) ? stored : undefined]);
        this.settled(lab);
        if (record) {
          this.known.set(lab, record);
          await this.write(record);
        } else {
          this.known.delete(lab);
          this.stored.delete(lab);
          await this.host.storage.remove(labKey(lab));
        }
      }
    });
    for (const [lab] of states) {
      this.host.channel?.postMessage(lab);
      this.tell(lab);
    }
    return before;
  }

  /** Resolves when everything is stored. */
  async flush(): Promise<void> {
    await this.saving;
  }

  private now(): string {
    return this.host.now().toISOString();
  }

  private change(lab: string, change: (record: LabRecord) => LabRecord): void {
    const before = this.get(lab);
    const after = change(before);
    if (after === before) return;
    const changed = this.now();
    this.known.set(lab, { ...after, changed });
    this.tell(lab);
    this.store(lab, (record) => ({ ...change(record), changed }));
  }

  private store(lab: string, change: (record: LabRecord) => LabRecord): void {
    this.unsaved.set(lab, [...(this.unsaved.get(lab) ?? []), change]);
    this.save(lab);
  }

  private save(lab: string): void {
    const save = () =>
      this.host.locked(async () => {
        const wasStored = this.stored.has(lab);
        const stored = await this.read(lab);
        const removed = wasStored && !this.stored.has(lab);
        // The record is merged after reading, so that it holds an answer given meanwhile.
        const known = this.known.get(lab);
        const changes = this.unsaved.get(lab);
        if (!known || !changes) return;
        // If another tab has removed the record and its message has not arrived yet, only what was
        // answered since the last save is stored, so that nothing removed comes back.
        const mine = removed
          ? changes.reduce((record, apply) => apply(record), blankRecord(lab))
          : known;
        const merged = stored ? mergedRecords(stored, mine) : mine;
        this.known.set(lab, merged);
        if (removed) this.tell(lab);
        if (await this.write(merged)) {
          const later = (this.unsaved.get(lab) ?? []).slice(changes.length);
          if (later.length > 0) this.unsaved.set(lab, later);
          else this.settled(lab);
        } else {
          this.retry ??= setTimeout(() => {
            this.retry = undefined;
            for (const left of this.unsaved.keys()) this.save(left);
          }, RETRY_MS);
        }
        this.host.channel?.postMessage(lab);
      });
    this.saving = this.saving.then(save, save);
  }

  private settled(lab: string): void {
    this.unsaved.delete(lab);
    if (this.host.journal) removeNote(this.host.journal, noteName(lab));
  }

  private note(lab: string): LabRecord | undefined {
    if (!this.host.journal) return undefined;
    const { value, newer } = readNote(this.host.journal, noteName(lab));
    if (newer !== undefined) this.newer.set(lab, newer);
    const record = asLabRecord(value);
    return record?.lab === lab ? record : undefined;
  }

  /** Called when another tab has written or removed the record. */
  private async reread(lab: string): Promise<void> {
    let stored: LabRecord | undefined;
    let saving: Promise<unknown>;
    do {
      saving = this.saving;
      await saving;
      stored = await this.read(lab);
      // Answers given during the reading are not in the record yet.
    } while (saving !== this.saving);
    // A record that cannot be read need not have been removed.
    if (this.unreadable) return;
    if (stored) {
      // Answers that could not be stored are still in this tab only.
      const mine = this.unsaved.get(lab) ?? [];
      this.known.set(
        lab,
        mine.reduce((record, apply) => apply(record), stored),
      );
    } else {
      this.known.delete(lab);
      this.settled(lab);
    }
    this.tell(lab);
  }

  private async read(lab: string): Promise<LabRecord | undefined> {
    const loaded = await this.host.storage.load(labKey(lab));
    if (loaded.newer !== undefined) this.newer.set(lab, loaded.newer);
    this.setProblem(loaded, lab);
    this.unreadable = !loaded.ok;
    if (!loaded.ok) return undefined;
    const record = asLabRecord(loaded.value);
    if (record?.lab === lab) {
      this.stored.add(lab);
      return record;
    }
    this.stored.delete(lab);
    return undefined;
  }

  /** Writes a record; returns whether it was stored. */
  private async write(record: LabRecord): Promise<boolean> {
    const saved = await this.host.storage.save(labKey(record.lab), record);
    if (saved.ok) this.stored.add(record.lab);
    this.setProblem(saved, record.lab, true);
    return saved.ok;
  }

  private setProblem(saved: Saved<unknown>, lab: string, written = false): void {
    const problem = saved.ok ? undefined : saved.reason;
    // A storage that can be read may still refuse to be written.
    if (problem === this.problem || (saved.ok && !written && this.dirty)) return;
    this.problem = problem;
    this.tell(lab);
  }

  private tell(lab: string): void {
    for (const listener of this.listeners) listener(lab);
  }
}

let records: LabRecords | undefined;

/** The one instance of this page. */
export function theRecords(): LabRecords {
  if (records) return records;
  const made = new LabRecords();
  records = made;
  addEventListener('pagehide', () => made.leave());
  askBeforeLeaving(() => made.leave());
  return made;
}
