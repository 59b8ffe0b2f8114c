/** The trained reader of this lab, and a text in which a fact is planted. */
import type { Client } from '#client';
import { openTrained, type Trained } from '../../../../src/models/trained.ts';

/** The longest text that the reader was trained on. */
export const LENGTH = 128;
const PLANTED = 'The name of the ship was ';
const ASKED = ' The name of the ship was ';
export const NAMES = ['Rachel', 'Rosebud', 'Zebulun', 'Jeroboam'] as const;
/** Written for this lab, so that nobody has trained on it. */
const BETWEEN =
  ' The counting-room was quiet, and the old men sat by the fire and spoke of the weather and of the price of oil, while the rain came down upon the street and the boats lay still along the wharf. In the evening the wind went round to the west, and the lamps were lit. A boy went by with bread under his coat, and two sailors stood at the corner and could not agree where they had last eaten. Nobody knew how long it would go on. The harbour master had said that it would be over by the morning, but he had said the same thing the day before, and the day before that, and so they waited.';

let opened: Promise<Trained> | undefined;
let of: Client | undefined;

/** The reader in the worker of this client; fetched once. */
export async function reader(
  client: Client,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<Trained> {
  if (opened && of === client) {
    const known = await opened;
    // The worker may have been started anew since.
    if (await known.model.info().then(Boolean, () => false)) return known;
  }
  of = client;
  opened = openTrained(client, 'reader', { signal, progress: onProgress }).catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

export interface Planted {
  readonly tokens: Int32Array;
  /** The place of the first token of the name at the end, and how many tokens of the text are the name's. */
  readonly name: number;
  readonly count: number;
  /** Where the planted name begins, and ends, from the end of the text. */
  readonly planted: readonly [number, number];
}

const begins = (whole: ArrayLike<number>, with_: ArrayLike<number>): number => {
  let same = 0;
  while (same < with_.length && with_[same] === whole[same]) same++;
  return same;
};

/** The text between, as tokens: as much of it as there is. */
export async function between({ tokenizer }: Trained): Promise<Int32Array> {
  return tokenizer.encode(BETWEEN);
}

/** “The name of the ship was A. … The name of the ship was B.”, with `gap` tokens between. */
export async function plant(
  { tokenizer }: Trained,
  told: string,
  asked: string,
  gap: number,
): Promise<Planted> {
  const [fact, head, all, question, whole] = await Promise.all([
    tokenizer.encode(`${PLANTED}${told}.`),
    tokenizer.encode(PLANTED),
    tokenizer.encode(BETWEEN),
    tokenizer.encode(ASKED),
    tokenizer.encode(`${ASKED}${asked}`),
  ]);
  const middle = all.slice(0, gap);
  const tokens = Int32Array.from([...fact, ...middle, ...whole]);
  // The first token in which the question and the question with its answer differ is the name's.
  const same = begins(whole, question);
  const name = fact.length + middle.length + same;
  const first = begins(fact, head);
  return {
    ...{ tokens, name, count: whole.length - same },
    planted: [tokens.length - 1 - first, tokens.length - fact.length],
  };
}
