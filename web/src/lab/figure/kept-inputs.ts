/**
 * Q, K and V that stay in the worker of the core: the figures of a page ask about the same ones again and
 * again, and neither compute nor send them twice.
 */
import {
  type CallOptions,
  type Client,
  CoreError,
  type Kept,
  type Matrix,
  type Qkv,
  type TextQkv,
} from '#client';

/** Entries of all matrices that are kept here, 64 MiB: some forty draws of the largest kind. */
const MOST_ENTRIES = 2 ** 24;

type Inputs = Kept<Qkv>;

/** By what was asked; what was used last comes last. */
const found = new WeakMap<Client, Map<string, Inputs>>();

const entriesOf = ({ q, k, v }: Inputs): number =>
  [q, k, v].reduce((sum, { rows, cols }) => sum + rows * cols, 0);

async function remembered<T extends Inputs>(
  client: Client,
  question: unknown,
  ask: () => Promise<T>,
): Promise<T> {
  const memory = found.get(client) ?? new Map<string, Inputs>();
  found.set(client, memory);
  const name = JSON.stringify(question);
  const known = (): T | undefined => {
    const inputs = memory.get(name) as T | undefined;
    return inputs && client.holds(inputs) ? inputs : undefined;
  };
  let inputs = known();
  if (!inputs) {
    const made = await ask();
    // Someone else may have asked the same meanwhile.
    inputs = known() ?? made;
    if (inputs !== made) client.release(made);
  }
  memory.delete(name);
  memory.set(name, inputs);
  let entries = 0;
  for (const [other, old] of [...memory].reverse()) {
    entries += entriesOf(old);
    if (entries <= MOST_ENTRIES || old === inputs) continue;
    memory.delete(other);
    client.release(old);
  }
  return inputs;
}

/** `gaussianQkv`, kept. Do not release it: others look at it too. */
export const keptGaussian = (
  client: Client,
  input: { readonly n: number; readonly dK: number; readonly dV: number; readonly seed: number },
  options?: CallOptions,
): Promise<Kept<Qkv>> => {
  const { n, dK, dV, seed } = input;
  return remembered(client, [n, dK, dV, seed], () =>
    client.gaussianQkv({ n, dK, dV, seed }, { ...options, keep: true }),
  );
};

/** `textQkv`, kept likewise. */
export const keptText = (
  client: Client,
  input: Parameters<Client['textQkv']>[0],
  options?: CallOptions,
): Promise<Kept<TextQkv>> =>
  remembered(client, input, () => client.textQkv(input, { ...options, keep: true }));

let lastNumber = 0;
const numbers = new WeakMap<Matrix, number>();
const numberOf = (matrix: Matrix): number => {
  const number = numbers.get(matrix) ?? ++lastNumber;
  numbers.set(matrix, number);
  return number;
};

/**
 * Matrices of the page, kept likewise: sent once as long as they are the same objects. One after the other, each as a
 * copy that is handed over, because of three matrices of 2048² the browser would copy 48 MiB in one task.
 */
export const keptOwn = (client: Client, own: Qkv, options?: CallOptions): Promise<Kept<Qkv>> =>
  remembered(client, ['own', ...[own.q, own.k, own.v].map(numberOf)], async () => {
    const kept: Kept<Matrix>[] = [];
    try {
      for (const matrix of [own.q, own.k, own.v]) {
        const copy = { ...matrix, data: matrix.data.slice() };
        kept.push(await client.keep(copy, { ...options, transfer: true }));
      }
    } catch (error) {
      client.release(kept);
      throw error;
    }
    const [q, k, v] = kept as [Kept<Matrix>, Kept<Matrix>, Kept<Matrix>];
    return { q, k, v };
  });

/**
 * Asks once more when the core was restarted meanwhile, or when other inputs took the place of something that
 * was kept.
 */
export async function withKept<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CoreError && error.code === 'gone') return ask();
    throw error;
  }
}
