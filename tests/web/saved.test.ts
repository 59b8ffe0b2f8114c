import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SavedBackend, savedWork } from '../../web/src/state/saved-work';

function memory(): SavedBackend {
  const kept = new Map<string, unknown>();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, structuredClone(value)),
    del: async (key) => void kept.delete(key),
    keys: async () => [...kept.keys(), 7],
  };
}

function failing(error: unknown): SavedBackend {
  const fail = (): Promise<never> => Promise.reject(error);
  return { get: fail, set: fail, del: fail, keys: fail };
}

describe('saved work', () => {
  it('is loaded again, and is gone when removed', async () => {
    const work = savedWork(memory());
    expect(await work.save('lab', { text: 'the cat' })).toEqual({ ok: true, value: undefined });
    expect(await work.load('lab')).toEqual({ ok: true, value: { text: 'the cat' } });
    expect(await work.keys()).toEqual({ ok: true, value: ['lab'] });
    await work.remove('lab');
    expect(await work.load('lab')).toEqual({ ok: true, value: undefined });
  });

  it.each([
    [new DOMException('full', 'QuotaExceededError'), 'full'],
    [new DOMException('denied', 'SecurityError'), 'does not let this page keep'],
    [new DOMException('no clone', 'DataCloneError'), 'cannot copy'],
    ['not even an error', 'does not let this page keep'],
  ])('answers with a reason where storage fails: %s', async (error, words) => {
    const work = savedWork(failing(error));
    for (const answer of [
      await work.save('a', 1),
      await work.load('a'),
      await work.remove('a'),
      await work.keys(),
    ]) {
      expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
    }
  });

  it('is answered with a reason where no database exists', async () => {
    expect(globalThis.indexedDB).toBeUndefined();
    expect(await savedWork().save('a', 1)).toMatchObject({ ok: false });
  });

  it('is answered with a reason where reading the database throws', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    expect(await savedWork().load('a')).toMatchObject({ ok: false });
    vi.unstubAllGlobals();
  });

  describe('saved work with a database that never answers', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('gives up', async () => {
      const never = (): Promise<never> => new Promise(() => undefined);
      const answer = savedWork({ get: never, set: never, del: never, keys: never }).load('a');
      await vi.advanceTimersByTimeAsync(3000);
      expect(await answer).toMatchObject({
        ok: false,
        reason: expect.stringContaining('does not answer'),
      });
    });
  });
});
