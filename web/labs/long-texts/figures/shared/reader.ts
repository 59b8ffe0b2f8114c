/** The trained models, opened once for all figures of the page, and a text that they have never read. */
import { book } from 'virtual:book';
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { openTrained, type Trained, type TrainedName } from '../../../../src/models/trained.ts';

/** The chapter of Moby-Dick that was kept from the models' training (web/models/reader.json names it). */
const HELD_OUT = 'Chapter 6. The Street';

const opened = new WeakMap<Client, Map<TrainedName, Promise<Trained>>>();

/** A model in the worker of the client. It stays open: every figure of the page asks the same one. */
export async function modelNamed(
  client: Client,
  name: TrainedName,
  { signal, onProgress }: Ask,
): Promise<Trained> {
  const all = opened.get(client) ?? new Map<TrainedName, Promise<Trained>>();
  opened.set(client, all);
  let one = all.get(name);
  if (!one) {
    one = openTrained(client, name, { signal, progress: (share) => onProgress(share / 2) });
    all.set(name, one);
    one.catch(() => all.delete(name));
  }
  const trained = await one;
  signal.throwIfAborted();
  return trained;
}

let text: Promise<string> | undefined;

/** The models' tokens are printable ASCII, as in their training. */
const plain = (given: string): string =>
  given
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[—–]/g, '-')
    .normalize('NFD')
    .replace(/[^\x20-\x7e\n]/g, '');

/** The tokens of the chapter that the models have not read. */
export async function unreadTokens(client: Client, ask: Ask): Promise<Int32Array> {
  text ??= fetch(book.address).then((answer) => answer.text());
  text.catch(() => {
    text = undefined;
  });
  const sections = (await text).split('\f').map((section) => section.trim());
  const section = sections.find((one) => one.startsWith(HELD_OUT)) ?? '';
  const { tokenizer } = await modelNamed(client, 'reader', ask);
  return tokenizer.encode(plain(section.slice(HELD_OUT.length)).trim(), { signal: ask.signal });
}
