/** Keeps values that addresses name by an id, the newest of each kind. */
import { pageStorage } from './page-host.ts';

/** A kind of values, `text` for example: the newest `most` of them are kept. */
export interface KeptValues {
  /** Returns an empty text, or the reason why the value cannot be kept. */
  keep(id: string, value: unknown): Promise<string>;
  /** Undefined for a value that this browser does not have. */
  find(id: string): Promise<unknown>;
}

interface Kept {
  readonly v: 1;
  readonly time: string;
  readonly value: unknown;
}

export function keptValues(kind: string, most: number): KeptValues {
  const storage = pageStorage();
  const prefix = `${kind}/`;

  const forgetOldest = async (): Promise<void> => {
    const found = await storage.keys();
    const keys = found.ok ? found.value.filter((key) => key.startsWith(prefix)) : [];
    if (keys.length <= most) return;
    const aged: { key: string; time: string }[] = [];
    for (const key of keys) {
      const kept = await storage.load(key);
      if (kept.ok) aged.push({ key, time: (kept.value as Partial<Kept> | null)?.time ?? '' });
    }
    aged.sort((a, b) => (a.time < b.time ? -1 : 1));
    for (const { key } of aged.slice(0, aged.length - most)) await storage.remove(key);
  };

  return {
    async keep(id, value) {
      const record: Kept = { v: 1, time: new Date().toISOString(), value };
      const saved = await storage.save(prefix + id, record);
      if (!saved.ok) return saved.reason;
      await forgetOldest();
      return '';
    },
    async find(id) {
      const kept = await storage.load(prefix + id);
      return kept.ok ? (kept.value as Partial<Kept> | null | undefined)?.value : undefined;
    },
  };
}

/** Typed text that is too long for an address. */
export const keptTexts = keptValues('text', 100);
