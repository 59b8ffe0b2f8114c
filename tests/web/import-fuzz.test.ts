import { describe, expect, it } from 'vitest';
import { parseExperiment } from '../../web/src/export/experiment';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';
import { float32, npyFile } from './npy-file';

/** A small generator with a fixed seed, so that a failure can be repeated (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function mutate(bytes: Uint8Array, below: (n: number) => number): Uint8Array {
  let mutant = Array.from(bytes);
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const at = below(mutant.length + 1);
    switch (below(6)) {
      case 0:
        mutant[Math.min(at, mutant.length - 1)] = below(256);
        break;
      case 1:
        mutant[at] = (mutant[at] ?? 0) ^ (1 << below(8));
        break;
      case 2:
        mutant.splice(at, 0, below(256));
        break;
      case 3:
        mutant.splice(at, 1 + below(8));
        break;
      case 4:
        mutant = mutant.slice(0, at);
        break;
      default:
        mutant.splice(at, 0, ...mutant.slice(below(at + 1), at));
    }
    if (mutant.length === 0) mutant = [below(256)];
  }
  return Uint8Array.from(mutant);
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const seeds: readonly Uint8Array[] = [
  npyFile({ data: float32([1, 2, 3, 4, 5, 6]) }),
  npyFile({ version: 3, fortranOrder: true, data: float32([1, 2, 3, 4, 5, 6]) }),
  npyFile({ header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }" }),
  text('1,2.5,-3\n4,5e-3,6\n'),
  text('# note\n,"a ""b""",c\nthe,1,2\n"cat\r\n",3,4\r\n'),
  text('1,5;2;3\r\n4;5,25;6\r\n'),
  text('1\t2\t3\n4\t5\t6\n'),
  text('  1  2 3\n 4 5 6\n'),
];

describe('files changed at random', () => {
  it('become a matrix or an ImportError, and nothing else', async () => {
    const below = random(20_261_121);
    let read = 0;
    const rounds = 24_000;
    for (let round = 0; round < rounds; round++) {
      const bytes = mutate(seeds[round % seeds.length] as Uint8Array, below);
      const name = ['q.npy', 'q.csv', 'q'][below(3)] as string;
      const result = await parseMatrixFile({ name, bytes }).catch((error: unknown) => error);
      if (result instanceof ImportError) {
        if (result.seen.text === '' || result.wanted.text === '')
          expect.unreachable(result.message);
        continue;
      }
      if (result instanceof Error) throw new Error(`round ${round}`, { cause: result });
      const { rows, cols, data } = result as { rows: number; cols: number; data: Float32Array };
      const whole = data instanceof Float32Array && data.length === rows * cols && data.length > 0;
      if (!whole || !data.every(Number.isFinite)) expect.unreachable(`round ${round}`);
      read++;
    }
    // Both outcomes must occur; otherwise the changes test nothing.
    expect(read).toBeGreaterThan(rounds / 20);
    expect(read).toBeLessThan(rounds - rounds / 20);
  });

  it('become an experiment or an ImportError when they held an experiment', () => {
    const below = random(7);
    const whole = text(
      '{"format":"attention-labs/experiment","version":1,"lab":"a","link":"?n=1","results":{"mse":1},"matrices":{"q":{"rows":1,"cols":2,"data":[1,2]},"k":{"rows":1,"cols":1,"data":[1]},"v":{"rows":1,"cols":1,"data":[1]}}}',
    );
    let read = 0;
    for (let round = 0; round < 5000; round++) {
      try {
        parseExperiment(new TextDecoder().decode(mutate(whole, below)));
        read++;
      } catch (error) {
        if (!(error instanceof ImportError)) throw new Error(`round ${round}`, { cause: error });
      }
    }
    expect(read).toBeGreaterThan(50);
  });
});
