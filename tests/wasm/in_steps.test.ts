/** Tests how long work is cut into steps, on a clock that only the work itself moves on. */
import { afterEach, expect, it, vi } from 'vitest';
import { inSteps, type Turn } from '../../wasm/client/operations';
import type { RawWork } from '../../wasm/client/raw';

const quiet: Turn = { breathe: async () => {} };

afterEach(() => {
  vi.restoreAllMocks();
});

/** The steps that `rows` rows are cut into, where `took` says how many milliseconds a step takes. */
async function stepsOf(
  rows: number,
  took: (amount: number, done: number) => number,
): Promise<readonly { readonly amount: number; readonly spent: number }[]> {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const steps: { amount: number; spent: number }[] = [];
  let done = 0;
  const work: RawWork<object> = {
    step: (amount) => {
      const spent = took(amount, done);
      steps.push({ amount, spent });
      now += spent;
      done += amount;
      return done >= rows;
    },
    progress: () => done / rows,
    result: () => ({}),
    delete: () => {},
  };
  await inSteps(() => work, 16)({}, {}, quiet);
  return steps;
}

it('cuts work into steps of about 30 ms, however long a row takes', async () => {
  for (const row of [0.01, 1, 40]) {
    const steps = await stepsOf(2000, (amount) => amount * row);
    // The first steps find out how long a row takes.
    expect(Math.max(...steps.slice(4).map(({ spent }) => spent))).toBeLessThanOrEqual(
      Math.max(30, row),
    );
  }
});

it('stays with a step that takes longer where smaller ones take longer still', async () => {
  // What three matrices of 2048² took, in milliseconds: below four rows the core has no kernel.
  const took = (amount: number) => (amount < 4 ? 350 * amount : 25 + 2.5 * amount);
  const steps = await stepsOf(2048, took);
  expect(steps.filter(({ amount }) => amount < 4).length).toBeLessThanOrEqual(1);
});

it('takes smaller steps again when the rest of the work is harder', async () => {
  const took = (amount: number, done: number) =>
    done > 1000 ? 40 * amount : amount < 4 ? 350 * amount : 25 + 2.5 * amount;
  const last = (await stepsOf(2048, took)).at(-1);
  expect(last?.amount).toBe(1);
});
