import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Matrix, Qkv } from '#client';
import {
  MAX_PACKED_CHARS,
  PackError,
  packMatrices,
  unpackMatrices,
} from '../../web/src/state/pack-matrices';

function matrix(rows: number, cols: number, entry: (i: number) => number): Matrix {
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, (_, i) => entry(i)) };
}

const small: Qkv = {
  q: matrix(3, 2, (i) => i / 7),
  k: matrix(4, 2, (i) => -i),
  v: matrix(4, 5, (i) => i * 1e-20),
};

const matrices = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([rows, cols]) =>
    fc
      .float32Array({ minLength: rows * cols, maxLength: rows * cols, noNaN: true })
      .map((data): Matrix => ({ rows, cols, data })),
  );

describe('matrices in a link', () => {
  it('come back bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, matrices, matrices, async (q, k, v) => {
        const packed = await packMatrices({ q, k, v });
        expect(packed).toMatch(/^[\w-]+$/);
        expect(await unpackMatrices(packed as string)).toEqual({ q, k, v });
      }),
    );
  });

  it('stay out of a link that would be too long', async () => {
    let state = 1;
    const noise = matrix(64, 64, () => {
      state = Math.imul(state, 1664525) + 1013904223;
      return state;
    });
    expect(await packMatrices({ q: noise, k: noise, v: noise })).toBeUndefined();
    const huge = matrix(1024, 1024, () => 0);
    expect(await packMatrices({ q: huge, k: huge, v: huge })).toBeUndefined();
  });

  it('fit for an ordinary head of 16 tokens', async () => {
    const head = matrix(16, 16, (i) => Math.fround(Math.sin(i * i)));
    const packed = await packMatrices({ q: head, k: head, v: head });
    expect(packed?.length).toBeLessThanOrEqual(MAX_PACKED_CHARS);
  });
});

describe('a damaged link', () => {
  const rejection = async (packed: string): Promise<string> => {
    const error = await unpackMatrices(packed).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PackError);
    return (error as PackError).message;
  };
  const link = (bytes: Uint8Array): string => deflateRawSync(bytes).toString('base64url');

  it('is refused whichever character is changed or lost', async () => {
    const packed = (await packMatrices(small)) as string;
    for (let i = 0; i < packed.length; i++) {
      const other = packed[i] === 'A' ? 'B' : 'A';
      const changed = packed.slice(0, i) + other + packed.slice(i + 1);
      const result = await unpackMatrices(changed).catch((error: unknown) => error);
      // The stream ends inside a byte, and that byte inside a character. The bits after its end carry no data; every
      // other change must be noticed.
      if (result instanceof PackError) continue;
      expect(result).toEqual(small);
      expect(i).toBeGreaterThanOrEqual(packed.length - 2);
    }
    for (let length = 0; length < packed.length; length++) {
      const result = await unpackMatrices(packed.slice(0, length)).catch((error: unknown) => error);
      expect(result).toBeInstanceOf(PackError);
    }
  });

  it('says what is wrong', async () => {
    expect(await rejection('a b')).toMatch('base64url');
    expect(await rejection('A'.repeat(MAX_PACKED_CHARS + 1))).toMatch('at most 6000');
    expect(await rejection('____')).toMatch('cannot be unpacked');
    expect(await rejection(link(new Uint8Array(100)))).toMatch('do not start as ours');
    expect(
      await rejection(link(Uint8Array.from({ length: 100 }, (_, i) => [65, 76, 9][i] ?? 0))),
    ).toMatch('version 9');
  });

  it('cannot unpack to a huge result', async () => {
    const bomb = link(new Uint8Array(5_500_000));
    expect(bomb.length).toBeGreaterThan(MAX_PACKED_CHARS);
    // Deflate packs zeros 1000-fold, so a text that still fits into a link can unpack to megabytes.
    const fits = link(new Uint8Array(4_000_000)).slice(0, MAX_PACKED_CHARS);
    expect(await rejection(fits)).toMatch(/unpack to more than|cannot be unpacked/);
    const exact = link(new Uint8Array(2_000_000));
    expect(exact.length).toBeLessThan(MAX_PACKED_CHARS);
    expect(await rejection(exact)).toMatch('unpack to more than');
  });
});
