/** Chapters of the book as the trained models know its text: those that they have read, and those kept from them. */
import { book } from 'virtual:book';
import type { ModelLog } from './on-page.ts';
import { modelWords as words } from './words.ts';

export interface Chapters {
  /** The chapters before the first one that was held out. */
  readonly read: string;
  /** The first chapter that was held out, and its title. */
  readonly heldOut: string;
  readonly title: string;
  /** All that were held out, in the order of the book. */
  readonly allHeldOut: readonly string[];
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

/** The models' tokens are printable ASCII: letters lose their accents, as in the training. */
const plain = (given: string): string =>
  given
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[—–]/g, '-')
    .normalize('NFD')
    .replace(/[^\x20-\x7e\n]/g, '');

/** The chapters that the log of a model names as held out, and those before the first of them. */
export async function chapters(log: ModelLog, signal: AbortSignal): Promise<Chapters> {
  const named = log.texts.find(({ name }) => name === 'moby-dick')?.heldOut ?? [];
  const titled = (await text(signal)).split('\f').map((section) => {
    const [title = '', ...lines] = section.trim().split('\n');
    return { title: title.trim(), lines };
  });
  // Only what is asked for: all letters of the book at once would hold the page up.
  const bodyOf = ({ lines }: (typeof titled)[number]): string => plain(lines.join('\n').trim());
  const isKept = ({ title }: (typeof titled)[number]): boolean => named.includes(title);
  const kept = titled.filter(isKept);
  const [first] = kept;
  if (!first) throw new Error(words.missing);
  return {
    get read() {
      return titled.slice(0, titled.indexOf(first)).map(bodyOf).join('\n');
    },
    ...{ heldOut: bodyOf(first), title: first.title },
    get allHeldOut() {
      return kept.map(bodyOf);
    },
  };
}
