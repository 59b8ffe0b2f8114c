/** The short run: the corpus, and a fixed number of inputs made with a fixed seed. `npm run fuzz` runs longer. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hit } from './coverage';
import { Fuzzer } from './engine';
import { Finding, type Target } from './target';
import { targets } from './targets';

const corpusOf = (name: string): Uint8Array[] => {
  const folder = fileURLToPath(new URL(`corpus/${name}`, import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => new Uint8Array(readFileSync(`${folder}/${file}`)));
};

describe('what the page reads', () => {
  it.each(targets)('$name: answers or refuses every input with a sentence', async (target) => {
    const fuzzer = new Fuzzer(target, 20_261_122);
    await fuzzer.read([...target.seeds, ...corpusOf(target.name)]);
    await fuzzer.fuzz((round) => round >= target.rounds);
    const { faults, outcomes } = fuzzer.report;
    const told = faults.map(
      ({ input, error }) => `${error.stack}\n${Buffer.from(input).toString('latin1')}`,
    );
    expect(told).toEqual([]);
    // Both outcomes must occur; otherwise the changes test nothing.
    expect(outcomes.read).toBeGreaterThan(target.rounds / 50);
    expect(outcomes.refused).toBeGreaterThan(target.rounds / 50);
  });
});

describe('the fuzzer', () => {
  const toy = (check: Target['check']): Target => ({
    ...{ name: 'toy', seeds: [new TextEncoder().encode('aaaa')], words: [], rounds: 0 },
    check,
  });

  it('finds a fault behind several conditions, and shortens its input', async () => {
    const deep = toy((input) => {
      for (const [at, letter] of [...'boom'].entries()) {
        if (input[at] !== letter.charCodeAt(0)) return 'refused';
        hit(1 + at);
      }
      const nothing = undefined as unknown as { length: number };
      return nothing.length === 0 ? 'read' : 'refused';
    });
    const fuzzer = new Fuzzer(deep, 1);
    await fuzzer.read(deep.seeds);
    await fuzzer.fuzz((round) => round >= 1_000_000 || fuzzer.report.faults.length > 0);
    const [fault] = fuzzer.report.faults;
    expect(fault?.error).toBeInstanceOf(TypeError);
    if (fault) expect(new TextDecoder().decode(await fuzzer.shortened(fault))).toBe('boom');
  });

  it('reports a broken property, and an input that takes too much time or memory', async () => {
    const kept: unknown[] = [];
    const found = async (check: Target['check']) => {
      const most = { milliseconds: 100, bytes: 64 * 2 ** 20 };
      const fuzzer = new Fuzzer(toy(check), 1, { most });
      await fuzzer.read([new Uint8Array(1)]);
      return fuzzer.report.faults.map(({ error }) => error.message).join();
    };
    const late = (): 'read' => {
      const end = performance.now() + 110;
      while (performance.now() < end);
      return 'read';
    };
    expect(await found(late)).toMatch(/^took \d+ ms$/);
    expect(
      await found(() => {
        kept.push(new Float64Array(10 * 2 ** 20));
        return 'read';
      }),
    ).toBe('held 80 MiB');
    expect(
      await found(() => {
        throw new Finding('not so');
      }),
    ).toBe('not so');
    expect(await found(() => 'read')).toBe('');
  });
});
