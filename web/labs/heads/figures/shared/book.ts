/** Chapters of the book: some that the trained models have read, and one that was kept from them. */
import { book } from 'virtual:book';
import { sharedWords as words } from '../../words/shared.ts';
import type { ModelLog } from './models.ts';

/** Where the models' logs say of a text which of its sections were kept out of the training. */
interface LogOfTexts extends ModelLog {
  readonly texts: readonly { readonly name: string; readonly heldOut: readonly string[] }[];
}

export interface Chapters {
  /** The chapters before the one that was held out. */
  readonly read: string;
  readonly heldOut: string;
  /** Its title. */
  readonly title: string;
}

let loaded: Promise<string> | undefined;

async function text(signal: AbortSignal): Promise<string> {
  loaded ??= fetch(book.address)
    .then((answer) => {
      if (!answer.ok) throw new Error(words.missing);
      return answer.text();
    })
    .catch(() => {
      loaded = undefined;
      throw new Error(words.missing);
    });
  const all = await loaded;
  signal.throwIfAborted();
  return all;
}

/** The first chapter that the log of a model names as held out, and those before it. */
export async function chapters(log: ModelLog, signal: AbortSignal): Promise<Chapters> {
  const named = (log as LogOfTexts).texts.find(({ name }) => name === 'moby-dick')?.heldOut ?? [];
  const sections = (await text(signal)).split('\f');
  const titled = sections.map((section) => {
    const [title = '', ...lines] = section.trim().split('\n');
    return { title: title.trim(), body: plain(lines.join('\n').trim()) };
  });
  const at = titled.findIndex(({ title }) => named.includes(title));
  const kept = titled[at];
  if (!kept) throw new Error(words.missing);
  return {
    read: titled
      .slice(0, at)
      .map(({ body }) => body)
      .join('\n'),
    ...{ heldOut: kept.body, title: kept.title },
  };
}

/** The models' tokens are printable ASCII: letters lose their accents, as in the training. */
const plain = (given: string): string =>
  given
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[—–]/g, '-')
    .normalize('NFD')
    .replace(/[^\x20-\x7e\n]/g, '');
